package ecmascript

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// domPrototype returns the object that has the methods of DOM nodes. It is
// made when the session first meets XML.
func (st *store) domPrototype() *goja.Object {
	if st.dom != nil {
		return st.dom
	}
	vm := st.vm
	st.dom = vm.NewObject()
	method := func(name string, f func(n *domNode, call goja.FunctionCall) goja.Value) {
		fn := st.function(name, func(call goja.FunctionCall) goja.Value {
			this, ok := call.This.(*goja.Object)
			if !ok || this.ExportType() != typeDOM {
				panic(vm.NewTypeError("%s() was not called on a node", name))
			}
			return f(this.Export().(*domNode), call)
		})
		must(st.dom.DefineDataProperty(name, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	// ofElement is a method that only elements have, and for convenience the document.
	ofElement := func(name string, f func(e *domNode, call goja.FunctionCall) goja.Value) {
		method(name, func(n *domNode, call goja.FunctionCall) goja.Value {
			e := n.element()
			if e == nil {
				panic(vm.NewTypeError("%s() was not called on an element", name))
			}
			return f(e, call)
		})
	}
	method("getElementsByTagName", func(n *domNode, call goja.FunctionCall) goja.Value {
		return n.list(n.collect(nil, matchName(call.Argument(0).String())))
	})
	method("getElementsByTagNameNS", func(n *domNode, call goja.FunctionCall) goja.Value {
		space := ""
		if v := call.Argument(0); !goja.IsNull(v) {
			space = v.String()
		}
		return n.list(n.collect(nil, matchNS(space, call.Argument(1).String())))
	})
	method("hasChildNodes", func(n *domNode, _ goja.FunctionCall) goja.Value {
		return vm.ToValue(len(n.children()) > 0)
	})
	method("toString", func(n *domNode, _ goja.FunctionCall) goja.Value {
		if n.kind() == domText {
			return vm.ToValue(n.node.Text)
		}
		return vm.ToValue(n.export().XML())
	})
	ofElement("getAttribute", func(e *domNode, call goja.FunctionCall) goja.Value {
		if value, ok := e.attribute(call.Argument(0).String()); ok {
			return vm.ToValue(value)
		}
		return goja.Null()
	})
	ofElement("getAttributeNS", func(e *domNode, call goja.FunctionCall) goja.Value {
		space := ""
		if v := call.Argument(0); !goja.IsNull(v) {
			space = v.String()
		}
		for _, a := range e.attributes() {
			if a.Space == space && a.Local == call.Argument(1).String() {
				return vm.ToValue(a.Value)
			}
		}
		return goja.Null()
	})
	ofElement("hasAttribute", func(e *domNode, call goja.FunctionCall) goja.Value {
		_, ok := e.attribute(call.Argument(0).String())
		return vm.ToValue(ok)
	})
	ofElement("setAttribute", func(e *domNode, call goja.FunctionCall) goja.Value {
		name := call.Argument(0).String()
		if !isXMLName(name) {
			panic(vm.NewTypeError("%q cannot be the name of an attribute", name))
		}
		e.setAttribute(name, call.Argument(1).String())
		return goja.Undefined()
	})
	ofElement("removeAttribute", func(e *domNode, call goja.FunctionCall) goja.Value {
		e.removeAttribute(call.Argument(0).String())
		return goja.Undefined()
	})
	return st.dom
}

// itemList gives an array of nodes or attributes the method item.
func (st *store) itemList(array *goja.Object) goja.Value {
	item := st.function("item", func(call goja.FunctionCall) goja.Value {
		i := call.Argument(0).ToInteger()
		if i >= 0 && i < array.Get("length").ToInteger() {
			return array.Get(call.Argument(0).ToNumber().String())
		}
		return goja.Null()
	})
	must(array.DefineDataProperty("item", item, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return array
}

var _ goja.DynamicObject = (*domNode)(nil)
var _ goja.DynamicObject = (*eventObject)(nil)
var _ goja.DynamicObject = (*fixedObject)(nil)
var _ datamodel.Store = (*store)(nil)
