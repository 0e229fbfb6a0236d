package ecmascript

import (
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// A libraryObject is an object of the library that scripts are wont to extend,
// as it is in a new runtime.
type libraryObject struct {
	path    string
	keys    map[string]goja.Value // own properties; of functions and objects only that they are there
	symbols int
}

// libraryObjects are the constructors, their prototypes and the objects like
// Math, in the order of their paths.
var libraryObjects = sync.OnceValue(func() []libraryObject {
	vm, in := goja.New(), newInspector()
	var all []libraryObject
	for path := range isLibraryPath() {
		o := in.resolve(vm, path)
		if o == nil {
			continue
		}
		list, _ := in.properties(o)
		x := libraryObject{path: path, keys: map[string]goja.Value{}, symbols: in.symbolCount(o)}
		for _, p := range list {
			x.keys[p.key] = p.value
		}
		if _, callable := goja.AssertFunction(o); callable && x.keys["prototype"] == nil {
			continue
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b libraryObject) int { return strings.Compare(a.path, b.path) })
	return all
})

// changes writes what the chart has changed in the library.
func (s *saver) changes() error {
	mark := len(s.buf)
	s.buf = append(s.buf, `,"library":[`...)
	first := true
	for i := range libraryObjects() {
		x := &libraryObjects()[i]
		o := s.in.resolve(s.st.vm, x.path)
		if o == nil || o.ExportType() == typeProxy {
			continue // a guard, or its name stands for something else
		}
		s.root = x.path
		if n := s.in.symbolCount(o); n != x.symbols {
			return s.refuse("a property whose key is a symbol")
		}
		there := 0
		list, _ := s.in.properties(o)
		keys, values, marks, err := s.attributes(o, list, func(p *property) bool {
			before, known := x.keys[p.key]
			if known {
				there++
			}
			return known && s.same(p, before)
		})
		if err != nil {
			return err
		}
		if there < len(x.keys) {
			return s.refuse("an object of the library that lacks something")
		}
		if len(keys) == 0 && marks == "" {
			continue
		}
		if !first {
			s.buf = append(s.buf, ',')
		}
		first = false
		s.buf = append(append(append(s.buf, `{"$changes":"`...), x.path...), '"')
		close := marks + "}"
		if len(keys) > 0 {
			s.buf = append(s.buf, `,"$props":{`...)
			close = "}" + close
		}
		s.mark = len(s.in.names)
		s.push(frame{object: o, notion: ofObject, keys: keys, values: values, close: close})
		if err := s.run(); err != nil {
			return err
		}
	}
	if first {
		s.buf = s.buf[:mark]
		return nil
	}
	s.buf = append(s.buf, ']')
	return nil
}

// same reports whether a property of the library is as it was at first. A
// guard counts as what it guards.
func (s *saver) same(p *property, before goja.Value) bool {
	if p.accessor {
		return goja.IsUndefined(before)
	}
	_, was := before.(*goja.Object)
	o, is := p.value.(*goja.Object)
	if !was || !is {
		return !was && !is && p.value.SameAs(before)
	}
	if _, callable := goja.AssertFunction(o); !callable || o.ExportType() == typeProxy {
		return true
	}
	text, ok := of(s.in.text, o).(goja.String)
	return ok && strings.HasSuffix(text.String(), "{ [native code] }")
}
