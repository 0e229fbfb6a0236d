package graph

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// function writes a function: one of the chart by its key, one of the library or of the host by its
// name.
func (s *saver) function(o *goja.Object) {
	for _, native := range s.Natives.All() {
		if native.Object == o {
			s.text(`{"$native":`).quote(native.Name).text("}")
			return
		}
	}
	text := s.in.textOf(o)
	f := s.chart.byText[text]
	switch {
	case f == nil && s.library(o):
		return
	case f == nil && strings.HasSuffix(text, nativeText):
		s.refuse("a function of the script engine, or one that is bound")
	case f == nil:
		s.refuse("a function that is not in the text of the chart")
	case f.Captures != "" && f.Class:
		s.refuse("a class that " + f.Captures)
	case f.Captures != "":
		s.refuse("a function that " + f.Captures)
	}
	s.number(o)
	s.text(`{"$function":`).quote(f.key)
	// A class may have an accessor of this name.
	if name, ok := o.Get("name").(goja.String); f.Class || !ok || name.String() != f.Name {
		switch name := s.functionName(o); {
		case name == nil:
			s.text(`,"$name":` + textUndefined)
		case name.String() != f.Name:
			s.buf = appendString(append(s.buf, `,"$name":`...), name)
		}
	}
	s.functionParts(o, f)
}

// functionName returns the own name of a function, or nil.
func (s *saver) functionName(o *goja.Object) goja.String {
	d := s.descriptor(o, "name")
	if d == nil || d.accessor {
		return nil
	}
	name, _ := d.value.(goja.String)
	return name
}

// functionParts writes the rest of a function: its prototype if it was changed, the class that it
// extends, and the properties that a script gave it.
func (s *saver) functionParts(o *goja.Object, f *function) {
	look := s.ownProperties
	if f.Class {
		look = s.described
	}
	var prototype *goja.Object
	x := look(o, func(p property) bool {
		if p.key == "prototype" {
			prototype, _ = p.value.(*goja.Object)
		}
		return p.key == "prototype" || p.key == "name" || p.key == "length" || f.Static[p.key] && !p.has("e")
	})
	switch {
	case prototype == nil:
	case f.Class && s.changed(prototype, f):
		s.refuse("a class whose prototype has been changed")
	case !f.Class && !s.untouched(prototype, o):
		s.markPrototype(prototype)
		s.member("$prototype", prototype)
	}
	if proto := o.Prototype(); proto != nil && proto != s.functionProto && !f.Pauses {
		s.member("$proto", proto)
	}
	s.end(o, &x)
}

// markPrototype notes that p is the prototype of a function.
func (s *saver) markPrototype(p *goja.Object) {
	if s.prototypes == nil {
		s.prototypes = map[*goja.Object]bool{}
	}
	s.prototypes[p] = true
}

// untouched reports whether p is the original prototype of a function.
func (s *saver) untouched(p, f *goja.Object) bool {
	list, symbols := s.in.properties(p)
	if symbols || !s.in.extensible(p) {
		return false
	}
	if len(list) == 0 { // of a generator
		return p.Prototype() != nil && p.Prototype() != s.objectProto
	}
	return len(list) == 1 && list[0].key == "constructor" && list[0].value == f && list[0].flags == "wc" && p.Prototype() == s.objectProto
}

// changed reports whether the prototype of a class has other members than its text says.
func (s *saver) changed(p *goja.Object, class *function) bool {
	if !s.chart.odd {
		return false
	}
	list, symbols := s.in.properties(p)
	if symbols || len(list) != len(class.Members)+1 || !s.in.extensible(p) {
		return true
	}
	for i := range list {
		m := &list[i]
		if m.key == "constructor" {
			continue
		}
		if !class.Members[m.key] || m.flags != "wc" && !m.accessor {
			return true
		}
		if f, ok := m.value.(*goja.Object); ok {
			if !strings.Contains(class.Text, s.in.textOf(f)) {
				return true
			}
		}
	}
	return false
}

// constructorOf returns the function whose prototype is o, or nil.
func (s *saver) constructorOf(o *goja.Object) *goja.Object {
	d := s.descriptor(o, "constructor")
	if d == nil {
		return nil
	}
	f, ok := d.value.(*goja.Object)
	if _, callable := goja.AssertFunction(d.value); !ok || !callable || f.ExportType() == native.TypeProxy {
		return nil
	}
	if p := s.descriptor(f, "prototype"); p == nil || p.value != o {
		return nil
	}
	return f
}

// prototypeOf returns the function of the chart that always comes with o as its prototype, or nil.
func (s *saver) prototypeOf(o *goja.Object) *goja.Object {
	f := s.constructorOf(o)
	if f == nil {
		return nil
	}
	l := s.chart.byText[s.in.textOf(f)]
	if l == nil || l.Class && s.changed(o, l) || !l.Class && !s.untouched(o, f) {
		return nil
	}
	return f
}

// isPrototype reports whether o is the prototype of a function that is not a class.
func (s *saver) isPrototype(o *goja.Object) bool {
	if s.prototypes[o] {
		return true
	}
	f := s.constructorOf(o)
	return f != nil && !strings.HasPrefix(s.in.textOf(f), "class")
}

// prototype writes the prototype of a function that itself has a prototype.
func (s *saver) prototype(o *goja.Object) {
	s.number(o)
	x := s.described(o, nil)
	s.text(`{"$object":{}`).member("$proto", o.Prototype()).end(o, &x)
}
