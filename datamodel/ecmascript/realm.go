package ecmascript

import (
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// newRealm creates the runtime of the session.
func (st *store) newRealm() {
	vm := goja.New()
	r := &realm{
		vm:        vm,
		assigners: map[*expr]goja.Callable{},
		programs:  map[string]*program{},
		items:     map[string]bool{},
	}
	st.realm = r
	st.watch.vm = vm

	vm.SetParserOptions(parser.WithDisableSourceMaps) // for eval and new Function
	vm.SetTimeSource(st.host.Now)
	vm.SetRandSource(st.host.Random)
	if n := st.host.CallDepth(); n > 0 {
		vm.SetMaxCallStackSize(n)
	}
	// Kept before a script can change them.
	r.hasOwn, _ = goja.AssertFunction(vm.Get("Object").(*goja.Object).Get("prototype").(*goja.Object).Get("hasOwnProperty"))
	r.apply, _ = goja.AssertFunction(vm.Get("Function").(*goja.Object).Get("prototype").(*goja.Object).Get("apply"))
	r.date = vm.Get("Date").(*goja.Object)
	r.collect = vm.ToValue(func(call goja.FunctionCall) goja.Value {
		r.list = call.Arguments
		return goja.Undefined()
	})
	st.defineSystem()
}

// builtins are the names of the global object of a new runtime.
var builtins = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range goja.New().GlobalObject().GetOwnPropertyNames() {
		m[name] = true
	}
	return m
})
