package graph

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A section is a part of what is saved.
type section struct {
	name   string
	names  []string
	values []goja.Value
}

func (x *section) add(name string, v goja.Value) {
	x.names = append(x.names, name)
	x.values = append(x.values, v)
}

// sections returns the variables: those that can be deleted, such as data items, those that cannot,
// and those of let, const and class, of which some may never get a value.
func (s *saver) sections() []*section {
	data, vars := &section{name: "data"}, &section{name: "var"}
	attributes, ofVars := &section{name: "attributes"}, &section{}
	let, constant, dead := &section{name: "let"}, &section{name: "const"}, &section{name: "dead"}
	global := s.VM.GlobalObject()
	s.eachVariable(func(d *property) {
		s.root = d.key
		if d.accessor {
			s.refuse("an accessor")
		}
		into, unusual, usual := data, attributes, allFlags
		if !d.has("c") {
			into, unusual, usual = vars, ofVars, "we"
		}
		if s.chart.odd && d.flags != usual {
			unusual.add(d.key, s.VM.ToValue(d.flags))
		}
		into.add(d.key, d.value)
	})
	s.root = "globalThis"
	if !s.in.extensible(global) {
		s.refuse("a global object that cannot be extended")
	}
	done := map[string]bool{}
	for _, script := range s.chart.scripts {
		if !s.HasRun(script.Code) {
			continue
		}
		for _, l := range script.Lexical {
			if done[l.Name] {
				continue
			}
			done[l.Name] = true
			into, keyword := let, "let"
			if l.Constant {
				into, keyword = constant, "const"
			}
			switch v, state := s.lexical(l.Name); state {
			case lexicalDead:
				dead.add(l.Name, s.VM.ToValue(keyword))
			case lexicalThere:
				into.add(l.Name, v)
			}
		}
	}
	attributes.names = append(attributes.names, ofVars.names...)
	attributes.values = append(attributes.values, ofVars.values...)
	return []*section{attributes, data, vars, let, constant, dead}
}

// eachVariable calls f for the variables that are properties of the global object. goja makes
// objects of the library when asked for them, and making all takes longer than the rest of saving.
// So names of the library, which come first, are skipped unless the chart may give them to
// something else.
func (s *saver) eachVariable(f func(*property)) {
	if *s.Names == nil {
		*s.Names = s.variableNames()
	}
	for _, name := range *s.Names {
		builtin := native.Builtins()[name]
		d := s.variable(name, builtin)
		if builtin && !d.has("e") && (!s.shadowed(name) || s.genuine(d.value, name)) {
			continue
		}
		if native := s.Natives.Find(name); native == nil || d.value != goja.Value(native.Object) {
			f(d)
		}
	}
}

// variableNames returns the names of what can be variables of the chart.
func (s *saver) variableNames() []string {
	names := make([]string, 0, len(s.Items.Names))
	skip := !s.chart.odd && !s.chart.library
	for _, v := range s.in.lib.Items(s.in.on(s.in.ownNames, s.VM.GlobalObject())) {
		name := v.String()
		builtin := native.Builtins()[name]
		skip = skip && builtin
		if skip && !s.shadowed(name) || syntax.IsSystem(name) || syntax.IsBound(name) || name == syntax.PredicateIn {
			continue
		}
		names = append(names, name)
	}
	return names
}

// shadowed reports whether a name of the library may be that of a variable.
func (s *saver) shadowed(name string) bool {
	return s.Items.Has(name) || slices.Contains(s.chart.shadows, name)
}

// variable describes a variable. A descriptor takes five allocations, so one is made only where the
// chart's declarations of the name do not determine the attributes.
func (s *saver) variable(name string, careful bool) *property {
	global := s.VM.GlobalObject()
	p := &property{key: name, flags: allFlags}
	for _, script := range s.chart.scripts {
		function, declared := script.Vars[name]
		careful = careful || declared && !function
		if function && s.HasRun(script.Code) {
			p.flags = "we"
		}
	}
	if careful || s.chart.odd {
		return s.descriptor(global, name)
	}
	p.value = global.Get(name)
	return p
}

type lexicalState uint8

const (
	lexicalNone lexicalState = iota
	lexicalThere
	lexicalDead
)

// lexical returns the value of a variable that is not a property of the global object.
func (s *saver) lexical(name string) (v goja.Value, state lexicalState) {
	vm := s.VM
	defer func() {
		if x := recover(); x != nil {
			if !native.Thrown(x) {
				panic(x)
			}
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
	case !d.has("w"):
		return nil, lexicalNone
	}
	// A property has the same value. Change it to see whether vm.Get returns it.
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
