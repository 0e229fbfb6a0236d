package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// maxSavedDepth is how deep the JSON of saved data may be nested.
const maxSavedDepth = 10 * maxInline

// Load makes the saved data those of w.
func Load(w *World, data []byte, chart *Chart) (err error) {
	w.Lib.Keep()
	in := inspectors.Get().(*inspector)
	defer inspectors.Put(in)
	l := &loader{Reader: jsontext.Reader{Text: string(data)}, World: w, in: in, chart: chart, target: -1, holes: len(data)}
	defer func() {
		x := recover()
		failed, isError := x.(error)
		if text, ok := x.(*jsontext.Error); ok {
			l.At = text.At
		} else if x != nil && !native.Thrown(x) {
			panic(x)
		}
		switch {
		case isError:
			err = fmt.Errorf("saved data, offset %d: %w", l.At, failed)
		case x != nil:
			err = fmt.Errorf("saved data, offset %d: %v", l.At, x)
		}
	}()
	l.load()
	return nil
}

// LoadItems is Load for data that needs no runtime, as SaveItems writes it. It calls set for each
// item. It returns false for other data, or if set does.
func LoadItems(data []byte, set func(name string, v datamodel.Value) bool) (ok bool) {
	var err *jsontext.Error
	defer jsontext.Catch(&err)
	l := loader{Reader: jsontext.Reader{Text: string(data)}}
	if !l.Word(`{"format":1`) {
		return false
	}
	if l.Word(`,"data":{`) {
		for first := true; first || l.Take(','); first = false {
			name := l.key()
			if v, ok := l.primitive(); !ok || !set(name, v) {
				return false
			}
		}
		l.Expect('}')
	}
	return l.Take('}') && l.Peek() == 0
}

// primitive reads a primitive value.
func (l *loader) primitive() (v datamodel.Value, ok bool) {
	switch c := l.Peek(); {
	case c == '"':
		return l.text(), true
	case c == '-' || c-'0' <= 9:
		n, f, isInt := l.Number()
		if isInt {
			return n, true
		}
		return f, !math.IsInf(f, 0)
	case l.Word("true"):
		return true, true
	case l.Word("false"):
		return false, true
	case l.Word("null"):
		return datamodel.Null, true
	case l.Word(textUndefined):
		return nil, true
	}
	for name, f := range jsontext.Numbers {
		if l.Word(`{"$number":"` + name + `"}`) {
			return f, true
		}
	}
	return nil, false
}

// A loader reads saved data into a World.
type loader struct {
	jsontext.Reader
	*World
	in    *inspector
	chart *Chart

	depth    int
	keys     map[string]string // that were read
	numbered []*goja.Object    // what $ref refers to; nil while incomplete
	kinds    string            // of more
	more     []*goja.Object    // what $more refers to
	target   int               // index of the one of more to be read next, or -1
	holes    int               // how many more holes the data may have
	values   []goja.Value      // items of lists that are being read
	trees    []*dom.Node
	classes  []extension
	lexicals []lexicalValue
	unusual  []attribute // of variables
}

// An extension is a class that is to extend another.
type extension struct{ class, super *goja.Object }

type lexicalValue struct {
	name     string
	value    goja.Value
	constant bool
}

// key reads a key and the colon. Most keys occur many times.
func (l *loader) key() string {
	s := l.part()
	key, ok := l.keys[s]
	if !ok {
		if l.keys == nil {
			l.keys = map[string]string{}
		}
		key = strings.Clone(s)
		l.keys[key] = key
	}
	l.Expect(':')
	return key
}

// text reads a string without halves of surrogate pairs.
func (l *loader) text() string { return strings.Clone(l.part()) }

// texts reads strings, separated by commas.
func (l *loader) texts(into ...*string) {
	for i, text := range into {
		if i > 0 {
			l.Expect(',')
		}
		*text = l.text()
	}
}

// part does the same, but may return a part of the saved data.
func (l *loader) part() string {
	s, wide := l.string()
	if wide != nil {
		l.Fail("a string has half of a surrogate pair where that cannot be")
	}
	return s
}

func (l *loader) load() {
	l.Expect('{')
	if l.key() != "format" {
		l.Fail("saved data begins with its format")
	}
	if n := l.integer(1 << 30); n != saveFormat {
		l.Fail("format %d expected, not %d", saveFormat, n)
	}
	last := ""
	for l.Take(',') {
		name := l.key()
		if !after(name, last) {
			l.Fail("%q does not belong here", name)
		}
		last = name
		switch name {
		case "deep":
			l.kinds = l.text()
			for i := range len(l.kinds) {
				l.more = append(l.more, l.empty(l.kinds[i]))
			}
		case "more":
			l.Expect('[')
			for i := range l.more {
				if i > 0 {
					l.Expect(',')
				}
				l.target = i
				l.value()
			}
			l.Expect(']')
		case "attributes":
			l.unusual = l.attributes("")
		case "event":
			v := l.value()
			_, data := l.presentEvent()
			*data = v
		case "library":
			l.patched()
		default:
			l.Each('{', '}', func() { l.variable(name) })
		}
	}
	l.Expect('}')
	if l.Peek() != 0 {
		l.Fail("something follows the data")
	}
	if last != "more" && len(l.more) > 0 {
		l.Fail(`"more" is missing`)
	}
	for _, x := range l.classes {
		l.extend(x)
	}
	l.declareLexicals()
}

// sectionOrder is the order of the parts of saved data.
const sectionOrder = " deep attributes data var let const dead event library more "

func after(name, last string) bool {
	at := strings.Index(sectionOrder, " "+name+" ")
	return at >= 0 && !strings.Contains(name, " ") && (last == "" || at > strings.Index(sectionOrder, " "+last+" "))
}

// patched refuses a changed library, which older versions kept.
func (l *loader) patched() {
	l.Expect('[')
	l.Expect('{')
	l.key()
	path := l.text()
	if l.Take(',') && l.key() == "$props" && l.Take('{') {
		path += "." + l.text()
	}
	l.Fail("%s: cannot restore a change of the library", path)
}

// variable reads a variable of a section.
func (l *loader) variable(section string) {
	name := l.key()
	v := l.value()
	switch section {
	case "data", "var":
		if syntax.IsSystem(name) || name == syntax.PredicateIn {
			l.Fail("%q is not a variable", name)
		}
		flags := "we"
		if section == "data" {
			flags = allFlags
		}
		for _, a := range l.unusual {
			if a.key == name {
				flags = a.flags
			}
		}
		native.Must(l.VM.GlobalObject().DefineDataProperty(name, v, flagOf(flags, "w"), flagOf(flags, "c"), flagOf(flags, "e")))
		l.Items.Add(name)
		if section == "var" {
			l.hasRun(name)
		}
	case "let", "const":
		l.lexicals = append(l.lexicals, lexicalValue{name, v, section == "const"})
	case "dead":
		l.lexicals = append(l.lexicals, lexicalValue{name, nil, v.String() == "const"})
	}
}

// presentEvent returns _event, and where its data is.
func (l *loader) presentEvent() (*goja.Object, *goja.Value) {
	o, data := l.PresentEvent()
	if o == nil {
		l.Fail("the session has no event")
	}
	return o, data
}

// declareLexicals makes the variables of let, const and class, for which their declarations must
// run.
func (l *loader) declareLexicals() {
	global := l.VM.GlobalObject()
	for _, x := range l.lexicals {
		if x.value != nil {
			native.Must(global.DefineDataProperty(syntax.RestoredValue, x.value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		}
		program, err := l.declaration(x)
		if err != nil {
			l.Fail("%q cannot be declared: %v", x.name, err)
		}
		_, err = l.VM.RunProgram(program)
		if x.value == nil {
			continue // the variable never gets its value, as before
		}
		if err != nil {
			l.Fail("%q cannot be declared: %v", x.name, err)
		}
		native.Must(global.Delete(syntax.RestoredValue))
	}
}

// hasRun notes that a declaration of a variable as a function has run, if there is one, see saver.variable.
func (l *loader) hasRun(name string) {
	for _, script := range l.chart.scripts {
		if script.Vars[name] {
			l.Admit(script.Code)
		}
	}
}

// declaration returns the program that declares a variable.
func (l *loader) declaration(x lexicalValue) (*goja.Program, error) {
	for _, script := range l.chart.scripts {
		for _, d := range script.Lexical {
			if d.Name == x.name && d.Constant == x.constant {
				l.Admit(script.Code)
				return d.Code()
			}
		}
	}
	return nil, errors.New("no script of the chart declares it")
}
