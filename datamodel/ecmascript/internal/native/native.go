// Package native has what all who work with a runtime of goja need: its kinds of
// values, as goja exports them, and functions of Go that scripts can call.
package native

import (
	"fmt"
	"math/big"
	"reflect"
	"sync"

	"github.com/dop251/goja"
)

// A Func is a function of the library, or one of Go that looks like one.
type Func = func(goja.FunctionCall) goja.Value

// What goja exports values as tells of what kind they are.
var (
	TypeInt     = reflect.TypeFor[int64]()
	TypeFloat   = reflect.TypeFor[float64]()
	TypeBool    = reflect.TypeFor[bool]()
	TypeString  = reflect.TypeFor[string]()
	TypeBigInt  = reflect.TypeFor[*big.Int]()
	TypePlain   = reflect.TypeFor[map[string]any]() // an object that has nothing but properties
	TypeList    = reflect.TypeFor[[]any]()          // an array, or a Set
	TypeMap     = reflect.TypeFor[[][2]any]()
	TypeBuffer  = reflect.TypeFor[goja.ArrayBuffer]()
	TypeProxy   = reflect.TypeFor[goja.Proxy]()
	TypePromise = reflect.TypeFor[*goja.Promise]()
)

// TypedArrays are the names of the classes of arrays over a buffer.
var TypedArrays = []string{"Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"}

// New returns f as a function of the runtime. Left to itself, that would take the
// name of f in Go.
func New(vm *goja.Runtime, name string, f Func) *goja.Object {
	o := vm.ToValue(f).(*goja.Object)
	Must(o.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// Class returns a constructor of the library, or nil if it is not there.
func Class(vm *goja.Runtime, name string) *goja.Object {
	o, _ := vm.GlobalObject().Get(name).(*goja.Object)
	return o
}

// Prototype returns the prototype of a class, or nil, without its constructor where
// that is not there yet and costs.
func Prototype(vm *goja.Runtime, class string) *goja.Object {
	switch class {
	case "Array":
		return vm.NewArray().Prototype()
	case "Object":
		return vm.NewObject().Prototype()
	}
	if c := Class(vm, class); c != nil {
		o, _ := c.Get("prototype").(*goja.Object)
		return o
	}
	return nil
}

// IsArray is Array.isArray. It goes through no more proxies than anyone has.
func IsArray(o *goja.Object) bool {
	for range 1_000 {
		if o.ClassName() == "Array" {
			return true
		}
		if o.ExportType() != TypeProxy {
			return false
		}
		p, ok := o.Export().(goja.Proxy)
		if !ok || p.Target() == nil {
			return false
		}
		o = p.Target()
	}
	return false
}

// Must is for what cannot fail in a runtime that no script has changed. Where one
// has, the panic becomes the error of the evaluation.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// Must1 does the same for what also returns something.
func Must1[T any](v T, err error) T {
	Must(err)
	return v
}

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
