// Package native has what all who work with a runtime of goja need: its kinds of
// values, as goja exports them, and functions of Go that scripts can call.
package native

import (
	"math/big"
	"reflect"

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
