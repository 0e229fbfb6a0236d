package graph

import (
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// A libraryObject is an object of the library that scripts are wont to extend,
// as it is in a new runtime.
type libraryObject struct {
	path    string
	keys    []string
	values  map[string]goja.Value // own properties; of functions and objects only that they are there
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
		x := libraryObject{path: path, values: map[string]goja.Value{}, symbols: in.symbolCount(o)}
		for _, p := range list {
			x.keys = append(x.keys, p.key)
			x.values[p.key] = p.value
		}
		if _, callable := goja.AssertFunction(o); callable && x.values["prototype"] == nil {
			continue
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b libraryObject) int { return strings.Compare(a.path, b.path) })
	return all
})

// checkLibrary refuses a library that the chart has changed: the sessions that are
// restored have that of the script engine.
func (s *saver) checkLibrary() {
	for i := range libraryObjects() {
		x := &libraryObjects()[i]
		o := s.in.resolve(s.VM, x.path)
		if o == nil || o.ExportType() == native.TypeProxy {
			continue // a guard, or its name stands for something else
		}
		there := map[string]bool{}
		list, _ := s.in.properties(o)
		for i := range list {
			p := &list[i]
			there[p.key] = true
			if before, known := x.values[p.key]; !known || !s.same(p, before) {
				s.refuseLibrary(x.path, p.key)
			}
		}
		for _, key := range x.keys {
			if !there[key] {
				s.refuseLibrary(x.path, key)
			}
		}
		if s.in.symbolCount(o) != x.symbols || !s.in.extensible(o) {
			s.refuseLibrary(x.path)
		}
	}
}

func (s *saver) refuseLibrary(path string, key ...string) {
	s.root = path
	for _, key := range key {
		s.refuseAt(key, "a change of the library")
	}
	s.refuse("a change of the library")
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
	if _, callable := goja.AssertFunction(o); !callable || o.ExportType() == native.TypeProxy {
		return true
	}
	text, ok := of(s.in.text, o).(goja.String)
	return ok && strings.HasSuffix(text.String(), "{ [native code] }")
}
