package native

import (
	"sync"

	"github.com/dop251/goja"
)

// LibraryObjects returns the objects and functions of the library of a runtime in which no script has run,
// but for the global object. The same guards must be up in all such runtimes.
func LibraryObjects(vm *goja.Runtime) map[*goja.Object]bool {
	findWays.Do(func() { ways = waysIn(vm) })
	objects := roots(vm)
	for _, w := range ways {
		var o *goja.Object
		if from := objects[w.from]; from != nil {
			o = w.follow(vm, from)
		}
		objects = append(objects, o)
	}
	all := map[*goja.Object]bool{}
	for _, o := range objects[1:] {
		if o != nil {
			all[o] = true
		}
	}
	return all
}

// roots are where the ways begin: the global object, and a list of objects to whose prototypes no property
// leads.
func roots(vm *goja.Runtime) []*goja.Object {
	return []*goja.Object{vm.GlobalObject(), Must1(vm.RunProgram(hidden())).(*goja.Object)}
}

var hidden = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", `[[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](),
		/a/[Symbol.matchAll](''), function* () {}, async function () {}]`, true)
})

// A way leads from an object of the library to another one.
type way struct {
	from   int          // index of the first one: a root, or the end of an earlier way
	symbol *goja.Symbol // of the property
	key    string       // or this; if it is empty, the way leads to the prototype
	part   string       // of the descriptor
}

// ways lead to all objects. It costs ten times as much to find them as to go them.
var (
	ways     []way
	findWays sync.Once
)

func waysIn(vm *goja.Runtime) (all []way) {
	objects, seen := roots(vm), map[*goja.Object]bool{}
	for i := 0; i < len(objects); i++ {
		try := func(w way) {
			w.from = i
			if next := w.follow(vm, objects[i]); next != nil && !seen[next] && next != objects[0] {
				seen[next] = true
				objects, all = append(objects, next), append(all, w)
			}
		}
		for _, part := range [...]string{"value", "get", "set"} {
			for _, key := range objects[i].GetOwnPropertyNames() {
				try(way{key: key, part: part})
			}
			for _, symbol := range Symbols(vm, objects[i]) {
				try(way{symbol: symbol, part: part})
			}
		}
		try(way{})
	}
	return all
}

// follow returns where the way leads to from o, or nil.
func (w *way) follow(vm *goja.Runtime, o *goja.Object) (next *goja.Object) {
	var key goja.Value = w.symbol
	if w.symbol == nil {
		if w.key == "" {
			return o.Prototype()
		}
		key = vm.ToValue(w.key)
	}
	if d, ok := ofObject(vm, "getOwnPropertyDescriptor", o, key).(*goja.Object); ok {
		next, _ = d.Get(w.part).(*goja.Object)
	}
	return next
}

// Symbols returns the symbols that are keys of own properties, in a runtime in which no script has run.
func Symbols(vm *goja.Runtime, o *goja.Object) (all []*goja.Symbol) {
	list := ofObject(vm, "getOwnPropertySymbols", o).(*goja.Object)
	for _, i := range list.Keys() {
		all = append(all, list.Get(i).(*goja.Symbol))
	}
	return all
}

// ofObject calls a function of Object.
func ofObject(vm *goja.Runtime, function string, args ...goja.Value) goja.Value {
	f, _ := goja.AssertFunction(Class(vm, "Object").Get(function))
	return Must1(f(goja.Undefined(), args...))
}
