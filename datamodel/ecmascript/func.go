package ecmascript

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
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
	class := st.class("Error") // before a script can change it
	throw := func(err error) {
		st.thrown = rethrow(st.vm.New(class, st.vm.ToValue(err.Error())))
		st.cause = err
		panic(st.thrown)
	}
	native := st.function(name, func(call goja.FunctionCall) goja.Value {
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
	st.natives[name] = native
	return st.vm.GlobalObject().Set(name, native)
}

// function returns f as a function of the runtime. Left to itself, that would
// take the name of f in Go.
func (st *store) function(name string, f native) *goja.Object {
	o := st.vm.ToValue(f).(*goja.Object)
	must(o.DefineDataProperty("name", st.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}
