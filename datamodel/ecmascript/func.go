package ecmascript

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// DefineFunc implements [datamodel.FuncDefiner]: f becomes a property of the
// global object, which a script may replace.
//
// What f returns as an error a script sees as an Error with its text alone. The
// runtime's own way, NewGoError, would hand over the value, with all its fields
// and methods.
func (st *store) DefineFunc(name string, f datamodel.Func) error {
	if err := checkVariable(name); err != nil {
		return err
	}
	if st.realm == nil {
		st.newRealm()
	}
	class := native.Class(st.vm, "Error") // before a script can change it
	throw := func(err error) {
		st.thrown = native.Must1(st.vm.New(class, st.vm.ToValue(err.Error())))
		st.cause = err
		panic(st.thrown)
	}
	function := native.New(st.vm, name, func(call goja.FunctionCall) goja.Value {
		args := make([]datamodel.Value, len(call.Arguments))
		for i, arg := range call.Arguments {
			v, err := st.export(arg)
			if err != nil {
				throw(err)
			}
			args[i] = v
		}
		result, err := f(args)
		if err != nil {
			throw(err)
		}
		return st.import_(result)
	})
	if st.natives == nil {
		st.natives = map[string]*goja.Object{}
	}
	st.natives[name] = function
	return st.vm.GlobalObject().Set(name, function)
}
