package ecmascript

import (
	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
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
	r.lib.VM = vm
	r.guards.Make(st, vm, &r.lib, st.language.limits)
	st.watch.vm = vm

	vm.SetParserOptions(parser.WithDisableSourceMaps) // for eval and new Function
	vm.SetTimeSource(st.host.Now)
	vm.SetRandSource(st.host.Random)
	if n := st.host.CallDepth(); n > 0 {
		vm.SetMaxCallStackSize(n)
	}
	native.Must(st.env.Take(vm))
}
