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
	}
	st.realm = r
	st.watch.vm = vm

	vm.SetParserOptions(parser.WithDisableSourceMaps) // for eval and new Function
	vm.SetTimeSource(st.host.Now)
	vm.SetRandSource(st.host.Random)
	if n := st.host.CallDepth(); n > 0 {
		vm.SetMaxCallStackSize(n)
	}
	must(st.env.Take(vm))
}

// keep takes what the store itself uses of the library, before a script can
// change it there. It is called before the first code that might.
func (r *realm) keep() {
	if r.apply != nil {
		return
	}
	method := func(class, name string) native {
		prototype := r.vm.GlobalObject().Get(class).(*goja.Object).Get("prototype").(*goja.Object)
		return prototype.Get(name).Export().(native)
	}
	r.hasOwn = method("Object", "hasOwnProperty")
	r.date = r.vm.GlobalObject().Get("Date").(*goja.Object)
	r.collect = r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		r.list = call.Arguments
		return goja.Undefined()
	})
	r.spread = goja.FunctionCall{This: r.collect, Arguments: []goja.Value{goja.Undefined(), nil}}
	r.apply = method("Function", "apply")
}

// builtins are the names of the global object of a new runtime.
var builtins = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range goja.New().GlobalObject().GetOwnPropertyNames() {
		m[name] = true
	}
	return m
})
