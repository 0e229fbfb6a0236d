package graph

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// maxSavedDepth is how deep saved data may be nested as JSON.
const maxSavedDepth = 10 * maxInline

// Load makes w hold what was saved.
func Load(w *World, data []byte, chart *Chart) (err error) {
	w.Lib.Keep()
	in := inspectors.Get().(*inspector)
	defer inspectors.Put(in)
	l := &loader{scanner: scanner{data: data}, World: w, in: in, chart: chart, target: -1, holes: len(data)}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case damage:
			err = x.error
		case error:
			err = fmt.Errorf("saved data, offset %d: %w", l.at, x)
		default:
			err = fmt.Errorf("saved data, offset %d: %v", l.at, x)
		}
	}()
	l.load()
	return nil
}

// LoadItems is Load for data that needs no runtime, as SaveItems writes it. It calls
// set for each item, and reports false for all other data, and if set does.
func LoadItems(data []byte, set func(name string, v datamodel.Value) bool) (ok bool) {
	defer func() {
		if x := recover(); x != nil {
			if _, damaged := x.(damage); !damaged {
				panic(x)
			}
		}
	}()
	sc := scanner{data: data}
	if !sc.word(`{"format":1`) {
		return false
	}
	if sc.take(',') {
		if sc.text() != "data" || !sc.take(':') || !sc.take('{') {
			return false
		}
		for first := true; first || sc.take(','); first = false {
			name := sc.text()
			sc.expect(':')
			if v, ok := sc.primitive(); !ok || !set(name, v) {
				return false
			}
		}
		sc.expect('}')
	}
	return sc.take('}') && sc.peek() == 0
}

// primitive reads a primitive value.
func (sc *scanner) primitive() (v datamodel.Value, ok bool) {
	switch c := sc.peek(); {
	case c == '"':
		return sc.text(), true
	case c == '-' || c-'0' <= 9:
		n, f, isInt := sc.number()
		if isInt {
			return n, true
		}
		return f, true
	case sc.word("true"):
		return true, true
	case sc.word("false"):
		return false, true
	case sc.word("null"):
		return datamodel.Null, true
	case sc.word(textUndefined):
		return nil, true
	}
	for name, f := range numberNames {
		if sc.word(`{"$number":"` + name + `"}`) {
			return f, true
		}
	}
	return nil, false
}

// A loader makes a store hold what was saved. Like a saver it has a stack of
// its own.
type loader struct {
	scanner
	*World
	in    *inspector
	chart *Chart

	numbered []*goja.Object // what $ref refers to; nil is not there yet
	kinds    string         // of more
	more     []*goja.Object // what $more refers to
	target   int            // which of more is to be read next, or -1
	holes    int            // how many items that are not there the data may still have
	stack    []building
	values   []goja.Value // items of lists that are being read, of all on the stack
	trees    []*dom.Node
	classes  []extension
	lexicals []lexicalValue
	unusual  map[string]string // attributes of variables
}

// An extension is a class that is to extend another.
type extension struct{ class, super *goja.Object }

type lexicalValue struct {
	name     string
	value    goja.Value
	constant bool
}

func (l *loader) load() {
	l.expect('{')
	if l.text() != "format" {
		l.damaged("saved data begins with its format")
	}
	l.expect(':')
	if n := l.integer(1 << 30); n != saveFormat {
		l.damaged("format %d expected, not %d", saveFormat, n)
	}
	last := ""
	for l.take(',') {
		name := l.text()
		if !after(name, last) {
			l.damaged("%q does not belong here", name)
		}
		last = name
		l.expect(':')
		switch name {
		case "deep":
			l.deep()
		case "more":
			l.expect('[')
			for i := range l.more {
				if i > 0 {
					l.expect(',')
				}
				l.target = i
				l.read()
			}
			l.expect(']')
		case "attributes":
			var b building
			l.readAttributes(&b, "")
			l.unusual = map[string]string{}
			for _, a := range b.attributes {
				l.unusual[a.key] = a.flags
			}
		case "event":
			l.event()
		case "library":
			l.patched()
		default:
			l.section(name)
		}
	}
	l.expect('}')
	if l.peek() != 0 {
		l.damaged("something follows the data")
	}
	if last != "more" && len(l.more) > 0 {
		l.damaged(`"more" is missing`)
	}
	for _, x := range l.classes {
		l.extend(x)
	}
	l.declareLexicals()
}

// patched refuses a library that the chart had changed, which older versions kept.
func (l *loader) patched() {
	l.expect('[')
	l.expect('{')
	l.text()
	l.expect(':')
	path := l.text()
	if l.take(',') && l.text() == "$props" && l.take(':') && l.take('{') {
		path += "." + l.text()
	}
	l.damaged("%s: cannot restore a change of the library", path)
}

// sectionOrder is the order in which the parts of saved data come.
const sectionOrder = " deep attributes data var let const dead event library more "

func after(name, last string) bool {
	at := strings.Index(sectionOrder, " "+name+" ")
	return at >= 0 && !strings.Contains(name, " ") && (last == "" || at > strings.Index(sectionOrder, " "+last+" "))
}

// section reads variables.
func (l *loader) section(section string) {
	l.expect('{')
	global := l.VM.GlobalObject()
	for first := true; first || l.take(','); first = false {
		name := l.text()
		l.expect(':')
		v := l.read()
		switch section {
		case "data", "var":
			if syntax.IsSystem(name) || name == syntax.PredicateIn {
				l.damaged("%q is no variable", name)
			}
			flags := "we"
			if section == "data" {
				flags = allFlags
			}
			if unusual, ok := l.unusual[name]; ok {
				flags = unusual
			}
			native.Must(global.DefineDataProperty(name, v, flagOf(flags, "w"), flagOf(flags, "c"), flagOf(flags, "e")))
			l.Items.Add(name)
		case "let", "const":
			l.lexicals = append(l.lexicals, lexicalValue{name, v, section == "const"})
		case "dead":
			l.lexicals = append(l.lexicals, lexicalValue{name, nil, v.String() == "const"})
		}
	}
	l.expect('}')
}

// event reads the data of the present event.
func (l *loader) event() {
	v := l.read()
	_, data := l.presentEvent()
	*data = v
}

// presentEvent returns what _event is, and where its data is.
func (l *loader) presentEvent() (*goja.Object, *goja.Value) {
	o, data := l.PresentEvent()
	if o == nil {
		l.damaged("there is no event")
	}
	return o, data
}

// declareLexicals makes the variables of let, const and class. There is no
// other way than to run their declarations.
func (l *loader) declareLexicals() {
	if len(l.lexicals) == 0 {
		return
	}
	vm := l.VM
	global := vm.GlobalObject()
	for _, x := range l.lexicals {
		if x.value != nil {
			native.Must(global.DefineDataProperty(syntax.RestoredValue, x.value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		}
		program, err := l.declaration(x)
		if err != nil {
			l.damaged("%q cannot be declared: %v", x.name, err)
		}
		_, err = vm.RunProgram(program)
		if x.value == nil {
			continue // the variable waits for its value for ever, as it did before
		}
		if err != nil {
			l.damaged("%q cannot be declared: %v", x.name, err)
		}
		native.Must(global.Delete(syntax.RestoredValue))
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
