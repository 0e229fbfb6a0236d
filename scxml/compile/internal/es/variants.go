package es

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file makes a function once for each of the types that it is called with: max(a, b) of numbers and of strings is two
// methods, where one would have to take any values. Where there may be such a function, types are found out three times: with
// one method for all calls, with one for each call, and with one for all calls of a type.

const (
	maxVariants = 4    // methods of a function; one that needs more is made once, for any values
	maxApart    = 16   // of its calls that are looked at one by one
	maxMethods  = 1000 // of all functions, while calls are looked at
)

// Variants say which functions of a chart are made more than once, and which calls are for which of the methods.
type Variants struct {
	count map[string]int // by the names of functions
	calls map[site]int   // the number of the method; 0 is the first one
	apart bool           // each call gets a method when it is met
}

// A site is a place from which a method calls a function.
type site struct {
	src    *datamodel.Source
	at     int
	caller string // "" for an expression
	number int    // of the method of that function
}

// A passing is a call of a method, with the Go types of its arguments.
type passing struct {
	site
	name   string
	number int
	types  string
}

// Use makes functions more than once. It comes before expressions are added.
func (c *Chart) Use(v *Variants) { c.variants = v }

// Apart returns what finds out the types of each call of the functions that may need several; nil if there are none. Solve was
// called.
func (c *Chart) Apart() *Variants {
	v := &Variants{map[string]int{}, map[site]int{}, true}
	for _, f := range c.methods {
		for _, p := range f.params {
			if scalars := p.typ & (Bool | Number | String); scalars&(scalars-1) != 0 && p.typ&(Object|Array) == 0 {
				v.count[f.name] = 1
			}
		}
	}
	if len(v.count) == 0 {
		return nil
	}
	return v
}

// Variants returns a method for each of the types that functions are called with; nil if one of each is enough. The Chart has
// used Apart, and Solve was called.
func (c *Chart) Variants() *Variants {
	v := &Variants{count: map[string]int{}, calls: map[site]int{}}
	group, types := map[method]int{}, map[string][]string{}
	passings := c.reached()
	for _, p := range passings {
		if c.variants.count[p.name] > 0 {
			n := slices.Index(types[p.name], p.types)
			if n < 0 {
				n = len(types[p.name])
				types[p.name] = append(types[p.name], p.types)
			}
			group[method{p.name, p.number}] = n
		}
	}
	for name, list := range types {
		if 1 < len(list) && len(list) <= maxVariants {
			v.count[name] = len(list)
		}
	}
	for _, p := range passings {
		p.site.number = group[method{p.caller, p.site.number}]
		if _, known := v.calls[p.site]; !known {
			v.calls[p.site] = group[method{p.name, p.number}]
		}
	}
	if len(v.count) == 0 {
		return nil
	}
	return v
}

// A method is one of a function.
type method struct {
	name   string
	number int
}

// reached returns the passings that can happen: where each call has its method, nothing may call the first one.
func (c *Chart) reached() []passing {
	called := map[method]bool{{}: true} // and expressions
	for _, f := range c.methods {
		if f.number == 0 {
			called[method{f.name, 0}] = f.value || c.variants.count[f.name] == 0
		}
	}
	for more := true; more; {
		more = false
		for _, p := range c.passings {
			if to := (method{p.name, p.number}); called[method{p.caller, p.site.number}] && !called[to] {
				called[to], more = true, true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(c.passings), func(p passing) bool { return !called[method{p.caller, p.site.number}] })
}

// notePassing notes the types of a call, unless a function calls itself.
func (m emitter) notePassing(f *function, x *tree.Call, args []code) {
	if m.inside(f) {
		return
	}
	types := make([]string, len(f.params))
	for i := range types {
		types[i] = repValue.String()
		if i < len(args) {
			types[i] = args[i].typ.Go()
		}
	}
	c := m.Chart
	c.passings = append(c.passings, passing{m.site(x), f.name, f.number, strings.Join(types, ", ")})
}

func (m emitter) site(x *tree.Call) site {
	s := site{src: m.e.src, at: x.Offset()}
	if m.root != nil {
		s.caller, s.number = m.root.name, m.root.number
	}
	return s
}

// inside reports whether the code is in a function itself.
func (m emitter) inside(f *function) bool { return m.root != nil && m.root.name == f.name }

// method returns the method that a call of a function is for. A function that calls itself calls the same method.
func (m emitter) method(f *function, x *tree.Call) *function {
	switch v := m.variants; {
	case v == nil || v.count[f.name] == 0:
		return f
	case m.inside(f):
		return m.root
	default:
		s := m.site(x)
		n, known := v.calls[s]
		if !known && v.apart && m.solving && len(f.others) < maxApart && len(m.methods) < maxMethods {
			other := m.addMethod(f)
			m.resolveMethod(other)
			other.unit = m.add(func() { m.Chart.body(other) })
			m.enqueue([]*unit{other.unit})
			n = other.number
			v.calls[s] = n
		}
		if n == 0 {
			return f
		}
		return f.others[n-1]
	}
}

// addMethods adds the other methods of a function that is made more than once.
func (c *Chart) addMethods(f *function) {
	if c.variants != nil {
		for range c.variants.count[f.name] - 1 {
			c.addMethod(f)
		}
	}
}

// addMethod adds a method with the statements of a function, and variables of its own.
func (c *Chart) addMethod(f *function) *function {
	n := len(f.others)
	if len(f.e.copies) == n {
		code, err := ecmascript.Tree(f.e.kind, *f.e.src)
		if err != nil {
			panic("es: a script that was read cannot be read again: " + err.Error())
		}
		f.e.copies = append(f.e.copies, code.Script)
	}
	copied := f.e.copies[n]
	i, _ := slices.BinarySearchFunc(copied, f.node.Offset(), func(s tree.Stmt, at int) int { return cmp.Compare(s.Offset(), at) })
	other := &function{node: copied[i].(*tree.FuncDecl).Func, name: f.name, number: n + 1, e: f.e, from: f.from, phase: lastPhase, calls: map[*function]bool{}}
	f.others = append(f.others, other)
	c.methods = append(c.methods, other)
	return other
}
