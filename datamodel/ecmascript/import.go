package ecmascript

import (
	"math/big"
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// import_ returns a new value in the runtime for the neutral v.
func (st *store) import_(v datamodel.Value) goja.Value {
	switch v := v.(type) {
	case nil, datamodel.Function:
		return goja.Undefined()
	case datamodel.NullType:
		return goja.Null()
	case bool, int64, float64, string, *big.Int:
		return st.vm.ToValue(v)
	case []datamodel.Value:
		return st.importList(v)
	case *datamodel.Object:
		o := st.vm.NewObject()
		for key, item := range v.All() {
			st.SetProperty(o, key, st.import_(item))
		}
		return o
	case *datamodel.Node:
		return st.Window().Wrap(v)
	case time.Time:
		st.lib.Keep()
		o, err := st.vm.New(st.lib.Date, st.vm.ToValue(v.UnixMilli()))
		if err != nil {
			panic(err)
		}
		return o
	}
	neutral, err := datamodel.From(v) // plain Go data where a Value was wanted
	if err != nil {
		return goja.Undefined()
	}
	return st.import_(neutral)
}

// importList imports an array. NewArray copies its arguments, so the items are collected on a stack
// that is reused.
func (st *store) importList(list []datamodel.Value) goja.Value {
	if !slices.ContainsFunc(list, convert) {
		return st.vm.NewArray(list...)
	}
	base := len(st.scratch)
	for _, item := range list {
		v := st.import_(item) // may use the stack above
		st.scratch = append(st.scratch, v)
	}
	array := st.vm.NewArray(st.scratch[base:]...)
	clear(st.scratch[base:])
	st.scratch = st.scratch[:base]
	return array
}

// convert reports whether the runtime would convert v differently than import_ does.
func convert(v datamodel.Value) bool {
	switch v.(type) {
	case int64, float64, bool, string:
		return false
	}
	return true
}

// SetProperty gives the new object o a property. Setting it is faster than defining it, but
// involves the prototypes, which may have a setter or refuse.
func (st *store) SetProperty(o *goja.Object, key string, v goja.Value) {
	if key != "__proto__" && !st.env.Wild() && o.Set(key, v) == nil {
		return
	}
	native.Must(o.DefineDataProperty(key, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// Window returns the window that shows XML to scripts.
func (st *store) Window() *dom.Window {
	if st.dom == nil {
		st.dom = dom.New(st.vm, st.guards.Own)
	}
	return st.dom
}
