package ecmascript

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// DefineFunc implements [datamodel.FuncDefiner]: f becomes a property of the
// global object, which a script may replace.
func (st *store) DefineFunc(name string, f datamodel.Func) error {
	if err := checkVariable(name); err != nil {
		return err
	}
	if st.realm == nil {
		st.newRealm()
	}
	native := st.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		args := make([]datamodel.Value, len(call.Arguments))
		for i, arg := range call.Arguments {
			v, err := st.export(arg)
			if err != nil {
				panic(st.vm.NewGoError(err))
			}
			args[i] = v
		}
		result, err := f(args)
		if err != nil {
			panic(st.vm.NewGoError(err))
		}
		return st.import_(result)
	}).(*goja.Object)
	if st.natives == nil {
		st.natives = map[string]*goja.Object{}
	}
	st.natives[name] = native
	return st.vm.GlobalObject().Set(name, native)
}
