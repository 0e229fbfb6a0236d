package dom

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// New returns the window of a runtime. It calls own with the objects that all nodes share.
func New(vm *goja.Runtime, own func(*goja.Object)) *Window {
	w := &Window{vm: vm, prototype: vm.NewObject()}
	own(w.prototype)
	method := func(name string, f func(n *Node, call goja.FunctionCall) any) {
		fn := native.New(vm, name, func(call goja.FunctionCall) goja.Value {
			this, ok := call.This.(*goja.Object)
			if !ok || this.ExportType() != Type {
				panic(vm.NewTypeError("%s() was not called on a node", name))
			}
			return vm.ToValue(f(Of(this), call))
		})
		own(fn)
		native.Must(w.prototype.DefineDataProperty(name, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	// ofElement is a method that only elements have, and for convenience the document.
	ofElement := func(name string, f func(e *Node, call goja.FunctionCall) any) {
		method(name, func(n *Node, call goja.FunctionCall) any {
			e := n.element()
			if e == nil {
				panic(vm.NewTypeError("%s() was not called on an element", name))
			}
			return f(e, call)
		})
	}
	method("getElementsByTagName", func(n *Node, call goja.FunctionCall) any {
		return n.list(n.collect(nil, matchName(call.Argument(0).String())))
	})
	method("getElementsByTagNameNS", func(n *Node, call goja.FunctionCall) any {
		return n.list(n.collect(nil, matchNS(namespace(call), call.Argument(1).String())))
	})
	method("hasChildNodes", func(n *Node, _ goja.FunctionCall) any { return len(n.Children()) > 0 })
	method("toString", func(n *Node, _ goja.FunctionCall) any {
		if n.kind() == text {
			return n.node.Text
		}
		return n.Export().XML()
	})
	ofElement("getAttribute", func(e *Node, call goja.FunctionCall) any {
		if value, ok := e.attribute(call.Argument(0).String()); ok {
			return value
		}
		return nil
	})
	ofElement("getAttributeNS", func(e *Node, call goja.FunctionCall) any {
		space := namespace(call)
		for _, a := range e.attributes() {
			if a.Space == space && a.Local == call.Argument(1).String() {
				return a.Value
			}
		}
		return nil
	})
	ofElement("hasAttribute", func(e *Node, call goja.FunctionCall) any {
		_, ok := e.attribute(call.Argument(0).String())
		return ok
	})
	ofElement("setAttribute", func(e *Node, call goja.FunctionCall) any {
		name := call.Argument(0).String()
		if !isXMLName(name) {
			panic(vm.NewTypeError("%q cannot be the name of an attribute", name))
		}
		e.setAttribute(name, call.Argument(1).String())
		return goja.Undefined()
	})
	ofElement("removeAttribute", func(e *Node, call goja.FunctionCall) any {
		e.removeAttribute(call.Argument(0).String())
		return goja.Undefined()
	})
	return w
}

// namespace returns the first argument, of which null is the empty string.
func namespace(call goja.FunctionCall) string {
	if v := call.Argument(0); !goja.IsNull(v) {
		return v.String()
	}
	return ""
}

// itemList returns an array of nodes or attributes that has the method item.
func (w *Window) itemList(items []any) goja.Value {
	array := w.vm.NewArray(items...)
	item := native.New(w.vm, "item", func(call goja.FunctionCall) goja.Value {
		i := call.Argument(0).ToInteger()
		if i >= 0 && i < array.Get("length").ToInteger() {
			return array.Get(call.Argument(0).ToNumber().String())
		}
		return goja.Null()
	})
	native.Must(array.DefineDataProperty("item", item, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return array
}
