package guard

import (
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Watch calls changed before an object of the library is changed: by watched code,
// see [syntax.Limits], by a function of the library, or by text that becomes code, which may do it or not.
// No script may have run.
func (g *Guards) Watch(changed func()) {
	g.changed = changed
	g.limits.Watched = true
	g.define(syntax.BoundChange, native.New(g.vm, "", func(call goja.FunctionCall) goja.Value {
		g.change(call.Argument(0))
		return call.Argument(0)
	}))
	object, array := native.Class(g.vm, "Object"), native.Prototype(g.vm, "Array")
	reflect := native.Class(g.vm, "Reflect")
	first := func(g *Guards, call *goja.FunctionCall) { g.change(call.Argument(0)) }
	whole := func(g *Guards, call *goja.FunctionCall) { g.changeAll(call.Argument(0)) }
	this := func(g *Guards, call *goja.FunctionCall) { g.change(call.This) }
	for _, w := range []struct {
		holder  *goja.Object
		methods string
		check   func(*Guards, *goja.FunctionCall)
	}{
		{object, "assign defineProperty defineProperties", first},
		{object, "setPrototypeOf freeze seal preventExtensions", whole},
		{reflect, "defineProperty deleteProperty", first},
		{reflect, "setPrototypeOf preventExtensions", whole},
		{reflect, "set", func(g *Guards, call *goja.FunctionCall) { g.change(call.Argument(0)); g.change(call.Argument(3)) }},
		{array, "copyWithin fill pop push reverse shift sort splice unshift", this},
	} {
		for method := range strings.FieldsSeq(w.methods) {
			g.before(w.holder, method, w.check)
		}
	}
	for method := range strings.FieldsSeq("concat filter flat flatMap map slice splice") {
		g.replace(array, method, func(f native.Func, call goja.FunctionCall) goja.Value {
			return g.making(f, call, func() goja.Value { return call.This.ToObject(g.vm).Get("constructor") })
		})
	}
	for method := range strings.FieldsSeq("from of") {
		g.replace(native.Class(g.vm, "Array"), method, func(f native.Func, call goja.FunctionCall) goja.Value {
			return g.making(f, call, func() goja.Value { return call.This })
		})
	}
	class, regexp := native.Class(g.vm, "RegExp"), native.Prototype(g.vm, "RegExp")
	for _, symbol := range native.Symbols(g.vm, regexp) {
		if f := method(regexp.GetSymbol(symbol)); f != nil {
			w := native.New(g.vm, "["+symbol.String()+"]", func(call goja.FunctionCall) goja.Value {
				// Others make one with a constructor, and change what that returns.
				if o, ok := call.This.(*goja.Object); !ok || o.ClassName() != "RegExp" || o.Get("constructor") != class {
					g.changed()
				}
				return f(call)
			})
			native.Must(regexp.DefineDataPropertySymbol(symbol, w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		}
	}
	accessor := native.Must1(g.vm.RunProgram(prototypeAccessor())).(*goja.Object)
	get, set := accessor.Get("get"), method(accessor.Get("set"))
	native.Must(native.Prototype(g.vm, "Object").DefineAccessorProperty("__proto__", get, native.New(g.vm, "set __proto__", func(call goja.FunctionCall) goja.Value {
		g.changeAll(call.This)
		return set(call)
	}), goja.FLAG_TRUE, goja.FLAG_FALSE))
	g.library = native.LibraryObjects(g.vm)
	g.globals = map[string]goja.Value{}
	for name := range native.Builtins() {
		g.globals[name] = g.vm.GlobalObject().Get(name)
	}
}

var prototypeAccessor = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", "Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')", true)
})

// making calls a method that makes an object with a constructor, which may be one of the chart and return an
// object of the library.
func (g *Guards) making(f native.Func, call goja.FunctionCall, constructor func() goja.Value) goja.Value {
	returned := false
	defer func() {
		if returned {
			return
		}
		if c, ok := constructor().(*goja.Object); ok && !g.library[c] { // it may have made one
			g.changed()
		}
	}()
	v := f(call)
	returned = true
	g.change(v)
	return v
}

// Own makes a function one of the library.
func (g *Guards) Own(f *goja.Object) {
	if g.library != nil {
		g.library[f] = true
	}
}

// change notes that a property of an object is about to be changed, or may be.
func (g *Guards) change(v goja.Value) {
	switch o := target(v); {
	case o == nil:
	case o == g.vm.GlobalObject():
		g.global = true
	case g.library[o]:
		g.changed()
	}
}

// changeAll is change for more than properties.
func (g *Guards) changeAll(v goja.Value) {
	if o := target(v); g.library[o] || o == g.vm.GlobalObject() {
		g.changed()
	}
}

// target returns the object that is changed instead of a proxy.
func target(v goja.Value) *goja.Object {
	o, _ := v.(*goja.Object)
	for o != nil && o.ExportType() == native.TypeProxy {
		p, _ := o.Export().(goja.Proxy)
		o = p.Target()
	}
	return o
}

// CheckGlobal looks whether the global object has what it had, if code may have changed that.
func (g *Guards) CheckGlobal() {
	if !g.global {
		return
	}
	g.global = false
	for name, v := range g.globals {
		if now := g.vm.GlobalObject().Get(name); now == nil || !now.SameAs(v) {
			g.changed()
		}
	}
}
