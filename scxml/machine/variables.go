package machine

import (
	"math/bits"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Variable is a data item of a typed machine, or a variable of its scripts.
type Variable struct {
	Section string // of saved data: data, var, let or const
	Name    string
	At      string // its place in the document, line:column; "" for a variable of scripts
	Late    bool   // it does not exist before executable content declares it, see [js.Declare]
	Types   int    // that it can have: a set of 1 << [js.Type]
	Field   any    // where it is: a pointer to a float64, a string, a bool or a js.Value; nil if nothing sets it
}

var sections = [...]string{"data", "var", "let", "const"}

// variables writes the data of a typed machine as package ecmascript saves them.
func (w *writer) variables(all []Variable) {
	w.must("format", 1)
	g := &graphWriter{seen: map[*js.Object]int{}}
	for _, section := range sections {
		var own []Variable
		for _, v := range all {
			if v.Section == section && v.get().IsDeclared() {
				own = append(own, v)
			}
		}
		if own == nil {
			continue
		}
		w.name(section)
		w.object(func() {
			for _, v := range own {
				w.name(v.Name)
				g.dst = w.buf
				g.variable(v)
				w.buf = g.dst
			}
		})
	}
}

func (g *graphWriter) variable(v Variable) {
	defer within("%s", v.place())
	if v.Types == 1<<functionBit {
		g.seen[js.NewObject()] = len(g.seen) // which has a number too
		g.dst = append(appendString(append(g.dst, `{"$function":`...), v.Name), '}')
		return
	}
	g.value(v.get())
}

// These are the bits of types besides those of package js.
const (
	arrayBit    = 6
	functionBit = 7
)

func (v *Variable) get() js.Value {
	switch p := v.Field.(type) {
	case *float64:
		return js.Number(*p)
	case *string:
		return js.String(*p)
	case *bool:
		return js.Bool(*p)
	case *js.Value:
		return *p
	}
	return js.Value{}
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
	rest := map[string]Variable{}
	for _, v := range all {
		rest[v.Name] = v
	}
	var g graph
	for _, section := range sections {
		if text := data.raw(section); text != "" {
			whole(text, func(r *reader) bool {
				r.members(func(name string) {
					v, ok := rest[name]
					if !ok {
						throw("the variable %s is not one of the document, which a compiled chart cannot hold", name)
					}
					delete(rest, name)
					g.load(r, v)
				})
				return true
			})
		}
	}
	data.end()
	for _, v := range all {
		if _, missing := rest[v.Name]; missing && v.Late {
			v.set(js.Undeclared())
		} else if missing {
			throw("%s is missing, because the session was interrupted, which a compiled chart cannot hold", v.place())
		}
	}
}

func (g *graph) load(r *reader, v Variable) {
	defer within("%s", v.place())
	if v.Types == 1<<functionBit {
		if text := r.skip(); text != `{"$function":`+string(appendString(nil, v.Name))+`}` {
			throw("it is not the function of the document, but %s", text)
		}
		g.objects = append(g.objects, js.Value{})
		return
	}
	x := g.value(r)
	bit := int(x.Type())
	if js.IsArray(x) {
		bit = arrayBit
	}
	if v.Field != nil && v.Types&(1<<bit) == 0 {
		throw("it is %s, not %s, which a compiled chart cannot hold", describe(1<<bit), describe(v.Types))
	}
	v.set(x)
}

// describe says what a set of types is.
func describe(types int) string {
	var all []string
	for ; types != 0; types &= types - 1 {
		all = append(all, [...]string{"undefined", "null", "a boolean", "a number", "a string", "an object", "an array", "a function"}[bits.TrailingZeros(uint(types))])
	}
	return strings.Join(all, " or ")
}
