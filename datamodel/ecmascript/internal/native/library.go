package native

import (
	"sync"

	"github.com/dop251/goja"
)

// LibraryObjects returns the objects and functions of the library of a runtime in which no script has run,
// but for the global object.
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
	part   string       // get or set; if it is empty, the way leads to the value
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
		property := func(w way) {
			if d := w.descriptor(vm, objects[i]); d.Get("value") != nil {
				try(w)
			} else {
				for _, w.part = range [...]string{"get", "set"} {
					try(w)
				}
			}
		}
		for _, key := range objects[i].GetOwnPropertyNames() {
			property(way{key: key})
		}
		for _, symbol := range Symbols(vm, objects[i]) {
			property(way{symbol: symbol})
		}
		try(way{})
	}
	return all
}

// follow returns where the way leads to from o, or nil.
func (w *way) follow(vm *goja.Runtime, o *goja.Object) (next *goja.Object) {
	var v goja.Value
	switch {
	case w.symbol == nil && w.key == "":
		return o.Prototype()
	case w.part == "" && w.symbol == nil:
		v = o.Get(w.key)
	case w.part == "":
		v = o.GetSymbol(w.symbol)
	default:
		v = w.descriptor(vm, o).Get(w.part)
	}
	next, _ = v.(*goja.Object)
	return next
}

// descriptor describes the property that leads from o.
func (w *way) descriptor(vm *goja.Runtime, o *goja.Object) *goja.Object {
	var key goja.Value = w.symbol
	if w.symbol == nil {
		key = vm.ToValue(w.key)
	}
	return ofObject(vm, "getOwnPropertyDescriptor", o, key).(*goja.Object)
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
