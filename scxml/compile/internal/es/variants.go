package es

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file makes a function once for each of the types that it is called with: max(a, b) of numbers and of strings is two
// methods, where one would have to take any values. Where there may be such functions, types are found out twice: with one
// method for each function, and with one for each tuple of Go types that arguments have.

const (
	maxVariants = 4        // methods of a function for certain types; what is left is for one for any
	maxDivided  = 16 << 10 // bytes of a script in which functions are made more than once
)

// Mixed returns the names of the functions that may need several types, for Divide. Solve was called.
func (c *Chart) Mixed() map[string]bool {
	names := map[string]bool{}
	for _, f := range c.methods {
		for _, p := range f.params {
			if scalars := p.typ & (Bool | Number | String); scalars&(scalars-1) != 0 && p.typ&(Object|Array) == 0 && len(f.e.src.Text) <= maxDivided {
				names[f.name] = true
			}
		}
	}
	return names
}

// Divide makes functions more than once. It comes before expressions are added.
func (c *Chart) Divide(names map[string]bool) { c.divided = names }

// divide returns the method for a call of a function that is made more than once, and the arguments, if it has evaluated them;
// no method if they have no types yet. A function that calls itself calls the same method.
func (m emitter) divide(f *function, x *tree.Call) (*function, []code) {
	if m.root != nil && m.root.name == f.name {
		return m.root, nil
	}
	args := make([]code, len(x.Args))
	before := m.unknown
	for i, a := range x.Args {
		args[i] = m.value(a)
	}
	if m.unknown != before || slices.ContainsFunc(args, func(a code) bool { return a.typ == 0 }) {
		if m.solving {
			return nil, nil
		}
		return f, args // it always fails
	}
	types := make([]string, len(f.params))
	for i := range types {
		types[i] = repValue.String()
		if i < len(args) {
			types[i] = args[i].typ.Go()
		}
	}
	return m.methodFor(f, strings.Join(types, ", ")), args
}

// methodFor returns the method of a function for arguments of these types.
func (m emitter) methodFor(f *function, types string) *function {
	for _, other := range f.others {
		if other.types == types {
			return other
		}
	}
	if !m.solving || len(f.others) == maxVariants {
		return f
	}
	other := m.addMethod(f)
	other.types = types
	m.resolveMethod(other)
	other.unit = m.add(func() { m.Chart.body(other) })
	m.enqueue([]*unit{other.unit})
	return other
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

// dropUncalled removes methods that nothing calls, of functions with several: types have grown since they were called.
func (c *Chart) dropUncalled() {
	called := map[*function]bool{}
	var call func(f *function)
	call = func(f *function) {
		if !called[f] {
			called[f] = true
			for _, g := range c.called[f] {
				call(g)
			}
		}
	}
	for _, f := range c.called[nil] {
		call(f)
	}
	for _, f := range c.methods {
		if f.value || !c.divided[f.name] {
			call(f)
		}
	}
	order := map[string]int{}
	for i, f := range c.methods {
		if f.number == 0 {
			order[f.name] = i
			if !called[f] && !slices.ContainsFunc(f.others, func(other *function) bool { return called[other] }) {
				call(f) // the chart has it all the same
			}
		}
	}
	c.methods = slices.DeleteFunc(c.methods, func(f *function) bool { return !called[f] })
	slices.SortFunc(c.methods, func(a, b *function) int { return cmp.Or(order[a.name]-order[b.name], a.number-b.number) })
}
