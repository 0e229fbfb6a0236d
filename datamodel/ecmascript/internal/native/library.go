package native

import (
	"fmt"
	"sync"

	"github.com/dop251/goja"
)

// MaxItems is how many items [Library.Elements] returns. An array in a script may
// claim any length without having an item.
const MaxItems = 10_000_000

// A Library is what Go itself uses of the library of a runtime. [Library.Keep] is to
// be called before a script can change it there.
type Library struct {
	VM   *goja.Runtime
	Date *goja.Object // the constructor

	hasOwn  Func              // Object.prototype.hasOwnProperty
	apply   Func              // Function.prototype.apply
	collect *goja.Object      // see Elements
	spread  goja.FunctionCall // of apply: collect.apply(undefined, an array)
	list    []goja.Value
}

// Keep takes it, unless that is done.
func (l *Library) Keep() {
	if l.apply != nil {
		return
	}
	method := func(class, name string) Func {
		return Class(l.VM, class).Get("prototype").(*goja.Object).Get(name).(*goja.Object).Export().(Func)
	}
	l.hasOwn = method("Object", "hasOwnProperty")
	l.Date = Class(l.VM, "Date")
	l.collect = l.VM.ToValue(func(call goja.FunctionCall) goja.Value {
		l.list = call.Arguments
		return goja.Undefined()
	}).(*goja.Object)
	l.spread = goja.FunctionCall{This: l.collect, Arguments: []goja.Value{goja.Undefined(), nil}}
	l.apply = method("Function", "apply")
}

// HasOwn reports whether o itself has a property.
func (l *Library) HasOwn(o *goja.Object, key string) bool {
	l.Keep()
	return l.hasOwn(goja.FunctionCall{This: o, Arguments: []goja.Value{l.VM.ToValue(key)}}).ToBoolean()
}

// FunctionPrototype returns Function.prototype.
func (l *Library) FunctionPrototype() *goja.Object {
	l.Keep()
	return l.collect.Prototype()
}

// Elements returns the items of an array or of what is like one; holes are nil
// or undefined. It must be used before any code of the chart runs. The roads
// that goja offers otherwise lose the difference of null and undefined, or
// take a lookup for each item: here the array becomes the arguments of a call.
func (l *Library) Elements(o *goja.Object) ([]goja.Value, error) {
	if n := o.Get("length"); n == nil || n.ToInteger() > MaxItems {
		return nil, fmt.Errorf("an array has more than %d items", MaxItems)
	}
	l.Keep()
	l.spread.Arguments[1] = o
	l.apply(l.spread)
	l.spread.Arguments[1] = nil
	items := l.list
	l.list = nil
	return items, nil
}

// Builtins are the names of the global object of a new runtime.
var Builtins = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range goja.New().GlobalObject().GetOwnPropertyNames() {
		m[name] = true
	}
	return m
})
