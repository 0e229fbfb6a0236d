package guard

import (
	"reflect"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// replaceClass puts up a guard for a constructor, whose global name may be empty: check returns the
// arguments to pass on. The guard has the properties of the constructor. Called without new, it makes an
// object too.
func (g *Guards) replaceClass(o *goja.Object, name string, check func([]goja.Value) []goja.Value) {
	if o == nil || method(o) == nil {
		return // the chart has its own
	}
	construct, ok := goja.AssertConstructor(o)
	prototype, isClass := o.Get("prototype").(*goja.Object)
	if !ok || !isClass || prototype.Get("constructor") != o {
		return
	}
	var w *goja.Object
	w = g.vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
		target := call.NewTarget
		if target == nil || target == w {
			target = o
		}
		return native.Must1(construct(target, check(call.Arguments)...))
	}).(*goja.Object)
	g.Own(w)
	native.Must(w.SetPrototype(o.Prototype()))
	for _, key := range o.GetOwnPropertyNames() {
		v := o.Get(key)
		isMethod, isNamed := goja.FLAG_FALSE, goja.FLAG_FALSE
		if key != "prototype" && method(v) != nil {
			isMethod, isNamed = goja.FLAG_TRUE, goja.FLAG_TRUE
		} else if key == "name" || key == "length" {
			isNamed = goja.FLAG_TRUE
		}
		native.Must(w.DefineDataProperty(key, v, isMethod, isNamed, goja.FLAG_FALSE))
	}
	if o.GetSymbol(goja.SymSpecies) != nil && w.GetSymbol(goja.SymSpecies) == nil {
		this := native.New(g.vm, "get [Symbol.species]", func(call goja.FunctionCall) goja.Value { return call.This })
		g.Own(this)
		native.Must(w.DefineAccessorPropertySymbol(goja.SymSpecies, this, nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	// A script may have frozen them. The constructors without a name cannot be written.
	isWritable := goja.FLAG_FALSE
	if name != "" {
		isWritable = goja.FLAG_TRUE
		_ = g.vm.GlobalObject().DefineDataProperty(name, w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	_ = prototype.DefineDataProperty("constructor", w, isWritable, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// putBuffers bounds buffers and typed arrays. Their methods make others by these constructors.
func (g *Guards) putBuffers() {
	const itemSize = 8 // of the largest items
	g.replaceClass(native.Class(g.vm, "ArrayBuffer"), "ArrayBuffer", func(args []goja.Value) []goja.Value {
		call := goja.FunctionCall{Arguments: args}
		g.checkArray(numeric(&call) / itemSize)
		return call.Arguments
	})
	if c := native.Class(g.vm, native.TypedArrays[0]); c != nil {
		g.before(c.Prototype(), "from", (*Guards).from)
	}
	for _, name := range native.TypedArrays {
		g.replaceClass(native.Class(g.vm, name), name, g.itemsOf)
	}
}

// itemsOf bounds the length, or the items, that a typed array gets.
func (g *Guards) itemsOf(args []goja.Value) []goja.Value {
	call := goja.FunctionCall{Arguments: args}
	if len(args) == 0 {
		return args
	}
	o, ok := args[0].(*goja.Object)
	switch {
	case !ok:
		g.checkArray(numeric(&call))
	case isView(o): // its items are there
	default:
		g.from(&call)
	}
	return call.Arguments
}

// isView reports whether o is a typed array.
func isView(o *goja.Object) bool {
	t := o.ExportType()
	return t.Kind() == reflect.Slice && t != native.TypeList && t != native.TypeMap
}
