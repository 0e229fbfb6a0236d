package graph

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// libraryObjects are the objects of the library that scripts may extend, by their paths, in
// a new runtime: constructors, their prototypes and objects like Math.
var libraryObjects = sync.OnceValue(func() map[string]map[string]string {
	vm, in := goja.New(), newInspector()
	all := map[string]map[string]string{}
	for _, paths := range libraryPaths() {
		for _, path := range paths {
			o := in.resolve(vm, path)
			if o == nil {
				continue
			}
			x := in.summary(o)
			if _, callable := goja.AssertFunction(o); !callable || x["prototype"] != "" {
				all[path] = x
			}
		}
	}
	return all
})

// summary says in a word what each own property of an object of the library is, and under
// the empty key what there is to know of the object. A guard is the same as what it guards.
func (in *inspector) summary(o *goja.Object) map[string]string {
	list, _ := in.properties(o)
	m := make(map[string]string, len(list)+1)
	for i := range list {
		p := &list[i]
		o, isObject := p.value.(*goja.Object)
		_, callable := goja.AssertFunction(p.value)
		switch {
		case p.accessor:
			m[p.key] = "accessor"
		case callable && o.ExportType() != native.TypeProxy && !in.isNative(o):
			m[p.key] = "script"
		case isObject:
			m[p.key] = "object"
		default:
			m[p.key] = fmt.Sprintf("%T %s", p.value, p.value)
		}
	}
	m[""] = strconv.Itoa(in.symbolCount(o)) + strconv.FormatBool(in.extensible(o))
	return m
}

// checkLibrary refuses a library that the chart has changed: the sessions that are
// restored have that of the script engine.
func (s *saver) checkLibrary() {
	for _, path := range slices.Sorted(maps.Keys(libraryObjects())) {
		o, before := s.in.resolve(s.VM, path), libraryObjects()[path]
		if o == nil || o.ExportType() == native.TypeProxy {
			continue // a guard, or another value has the name
		}
		now := s.in.summary(o)
		if maps.Equal(before, now) {
			continue
		}
		keys := maps.Clone(before)
		maps.Copy(keys, now)
		s.root = path
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if key != "" && before[key] != now[key] {
				s.refuseAt(key, "a change of the library")
			}
		}
		s.refuse("a change of the library")
	}
}
