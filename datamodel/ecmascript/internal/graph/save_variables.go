package graph

import (
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A section is a part of what is saved.
type section struct {
	name   string
	names  []string
	values []goja.Value

	unusual []string // names of variables with unusual attributes
	flags   []goja.Value
}

func (x *section) add(name string, v goja.Value) {
	x.names = append(x.names, name)
	x.values = append(x.values, v)
}

// sections returns the variables: those that can be deleted, as data items are,
// those that cannot, and those of let, const and class. Of the latter, some may
// wait for ever for a value that they did not get.
func (s *saver) sections() []*section {
	data, vars := &section{name: "data"}, &section{name: "var"}
	let, constant, dead := &section{name: "let"}, &section{name: "const"}, &section{name: "dead"}
	global := s.VM.GlobalObject()
	names := s.enumerable()
	if s.chart.odd {
		names = slices.DeleteFunc(global.GetOwnPropertyNames(), func(name string) bool {
			return native.Builtins()[name] && !s.isEnumerable(name) || name == syntax.PredicateIn || name == syntax.GuardedEval || name == syntax.CheckedText
		})
	}
	for _, name := range append(names, s.shadows()...) {
		if native := s.Natives[name]; syntax.IsSystem(name) || native != nil && global.Get(name) == native {
			continue
		}
		s.root = name
		var d *property
		fixed := false
		if s.chart.odd {
			d = s.descriptor(global, name)
			fixed = !strings.Contains(d.flags, "c")
		} else {
			fixed = s.fixed(name)
		}
		into, usual := data, allFlags
		if fixed {
			into, usual = vars, "we"
		}
		switch {
		case d == nil:
		case d.accessor:
			s.refuse("an accessor")
		case d.flags != usual:
			into.unusual = append(into.unusual, name)
			into.flags = append(into.flags, s.VM.ToValue(d.flags))
		}
		into.add(name, global.Get(name))
	}
	s.root = "globalThis"
	if !s.in.on(s.in.isExtensible, global).ToBoolean() {
		s.refuse("a global object that cannot be extended")
	}
	done := map[string]bool{}
	for _, script := range s.chart.scripts {
		if !s.HasRun(script.Code) {
			continue // it has not run
		}
		for _, l := range script.Lexical {
			if done[l.Name] {
				continue
			}
			done[l.Name] = true
			switch v, state := s.lexical(l.Name); {
			case state == lexicalDead && l.Constant:
				dead.add(l.Name, s.VM.ToValue("const"))
			case state == lexicalDead:
				dead.add(l.Name, s.VM.ToValue("let"))
			case state == lexicalThere && l.Constant:
				constant.add(l.Name, v)
			case state == lexicalThere:
				let.add(l.Name, v)
			}
		}
	}
	attributes := &section{name: "attributes"}
	attributes.names = append(data.unusual, vars.unusual...)
	attributes.values = append(data.flags, vars.flags...)
	return []*section{attributes, data, vars, let, constant, dead}
}

// enumerable returns the names of the enumerable properties of the global
// object. goja, asked for these, makes the whole library, which takes longer
// than all the rest of saving. Of the library's own names, which come first,
// only one that the chart gives to something else can be among them.
func (s *saver) enumerable() []string {
	global := s.VM.GlobalObject()
	if s.chart.odd || s.chart.library {
		return global.Keys()
	}
	var names []string
	library := true
	for _, v := range s.in.items(s.in.on(s.in.ownNames, global)) {
		name := v.String()
		library = library && native.Builtins()[name]
		if library && !slices.Contains(s.chart.shadows, name) && !slices.Contains(s.Items.Names, name) {
			continue
		}
		if s.isEnumerable(name) {
			names = append(names, name)
		}
	}
	return names
}

// isEnumerable reports whether a property of the global object is enumerable.
func (s *saver) isEnumerable(name string) bool {
	vm := s.VM
	return s.in.isEnumerable(goja.FunctionCall{This: vm.GlobalObject(), Arguments: []goja.Value{vm.ToValue(name)}}).ToBoolean()
}

// fixed reports whether a variable cannot be deleted: a script has declared it,
// with var if nothing of the name was there before.
func (s *saver) fixed(name string) bool {
	for _, script := range s.chart.scripts {
		switch function, declared := script.Vars[name]; {
		case function && s.HasRun(script.Code):
			return true
		case declared:
			d := s.descriptor(s.VM.GlobalObject(), name)
			return d != nil && !strings.Contains(d.flags, "c")
		}
	}
	return false
}

// shadows returns the names of the library that stand for something else now.
func (s *saver) shadows() []string {
	names := slices.Clone(s.chart.shadows)
	for _, name := range s.Items.Names {
		if native.Builtins()[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool {
		d := s.descriptor(s.VM.GlobalObject(), name)
		return d == nil || strings.Contains(d.flags, "e") || s.genuine(d.value, name)
	})
}

type lexicalState uint8

const (
	lexicalNone lexicalState = iota
	lexicalThere
	lexicalDead
)

// lexical returns the value of a variable that is no property of the global object.
func (s *saver) lexical(name string) (v goja.Value, state lexicalState) {
	vm := s.VM
	defer func() {
		if recover() != nil {
			v, state = nil, lexicalDead
		}
	}()
	v = vm.Get(name)
	if v == nil {
		return nil, lexicalNone
	}
	d := s.descriptor(vm.GlobalObject(), name)
	switch {
	case d == nil || !d.value.SameAs(v):
		return v, lexicalThere
	case !strings.Contains(d.flags, "w"):
		return nil, lexicalNone
	}
	// There is a property of the same value. Does vm.Get look at it?
	global, probe := vm.GlobalObject(), vm.NewObject()
	set := func(v goja.Value) {
		native.Must(global.DefineDataProperty(name, v, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET))
	}
	set(probe)
	defer set(d.value)
	if vm.Get(name) == probe {
		return nil, lexicalNone
	}
	return v, lexicalThere
}
