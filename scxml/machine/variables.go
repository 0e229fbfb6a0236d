package machine

import (
	"maps"
	"math/bits"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Variable is a data item of a typed machine, or a variable of its scripts.
type Variable struct {
	Section string // of saved data: data, var, let or const
	Name    string
	At      string // its place in the document, line:column; "" for a variable of scripts
	Late    bool   // it does not exist before executable content declares it: then it is undefined
	Types   int    // that it can have: a set of 1 << [js.Type]
	Field   any    // where it is: a pointer to a float64, a string, a bool or a js.Value; nil if nothing sets it
}

var sections = [...]string{"data", "var", "let", "const"}

// variables writes the data of a typed machine as package ecmascript saves them.
func (w *writer) variables(all []Variable) {
	w.must("format", 1)
	for _, section := range sections {
		var own []Variable
		for _, v := range all {
			if v.Section == section && !(v.Late && v.get() == nil) {
				own = append(own, v)
			}
		}
		if own == nil {
			continue
		}
		w.name(section)
		w.object(func() {
			for _, v := range own {
				w.must(v.Name, v.get())
			}
		})
	}
}

func (v *Variable) get() any {
	switch p := v.Field.(type) {
	case *float64:
		return *p
	case *string:
		return *p
	case *bool:
		return *p
	case *js.Value:
		return p.Any()
	}
	return nil
}

func (v *Variable) set(x js.Value) {
	switch p := v.Field.(type) {
	case *float64:
		*p = x.Number()
	case *string:
		*p = x.Text()
	case *bool:
		*p = x.Bool()
	case *js.Value:
		*p = x
	}
}

func (v *Variable) place() string {
	if v.At == "" {
		return "the variable " + v.Name
	}
	return "the data item " + v.Name + " at " + v.At
}

// loadVariables makes saved data those of a typed machine. What it cannot hold is a problem.
func loadVariables(text string, all []Variable) {
	data := whole(text, (*reader).saved)
	if data.int("format") != 1 {
		throw("the format of its data is not 1")
	}
	data.raw("event") // the session has it too
	values := saved{}
	for _, section := range sections {
		maps.Copy(values, data.object(section))
	}
	data.end()
	for _, v := range all {
		if text := values.raw(v.Name); text != "" {
			v.load(text)
		} else if !v.Late {
			throw("%s is missing, because the session was interrupted, which a compiled chart cannot hold", v.place())
		}
	}
	for name := range values {
		throw("the variable %s is not one of the document, which a compiled chart cannot hold", name)
	}
}

func (v *Variable) load(text string) {
	defer within("%s", v.place())
	value := whole(text, (*reader).value)
	x, ok := js.ValueOf(value)
	switch {
	case !ok:
		throw("it is an array, not %s, which a compiled chart cannot hold", describe(v.Types))
	case v.Types&(1<<x.Type()) == 0 && v.Field != nil:
		throw("it is %s, not %s, which a compiled chart cannot hold", describe(1<<x.Type()), describe(v.Types))
	}
	v.set(x)
}

// describe says what a set of types is.
func describe(types int) string {
	var all []string
	for ; types != 0; types &= types - 1 {
		all = append(all, [...]string{"undefined", "null", "a boolean", "a number", "a string", "an object"}[bits.TrailingZeros(uint(types))])
	}
	return strings.Join(all, " or ")
}
