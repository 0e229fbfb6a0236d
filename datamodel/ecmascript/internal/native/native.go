// Package native has what all packages that use a goja runtime need: its kinds of values, as goja
// exports them, and functions of Go that scripts can call.
package native

import (
	"fmt"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// A Func is a function of the library, or one of Go that looks like one.
type Func = func(goja.FunctionCall) goja.Value

// The ExportType of a value tells its kind.
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
	TypeTime    = reflect.TypeFor[time.Time]() // a Date
	TypePromise = reflect.TypeFor[*goja.Promise]()
)

// TypedArrays are the names of the classes of arrays over a buffer.
var TypedArrays = []string{"Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"}

// New returns f as a function of the runtime, which would otherwise have the Go name of f.
func New(vm *goja.Runtime, name string, f Func) *goja.Object {
	o := vm.ToValue(f).(*goja.Object)
	Must(o.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// Class returns a constructor of the library, or nil if it is missing.
func Class(vm *goja.Runtime, name string) *goja.Object {
	o, _ := vm.GlobalObject().Get(name).(*goja.Object)
	return o
}

// Prototype returns the prototype of a class, or nil. If it can, it does not ask for the
// constructor, which costs if goja has not made it yet.
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

// IsArray is Array.isArray, for a chain of at most 1,000 proxies.
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

// Must is for calls that cannot fail in a runtime that no script has changed. If a script has, the
// panic becomes the error of the evaluation.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// Must1 does the same for a call with a result.
func Must1[T any](v T, err error) T {
	Must(err)
	return v
}

// Thrown reports whether a panic that was recovered is of goja: a script has thrown a value, an
// interrupt has come, or goja has failed. Any other panic is a fault of ours, which must not be taken for
// a property of the chart: let it go up. Call it in the deferred function that has recovered x.
func Thrown(x any) bool {
	switch x.(type) {
	case goja.Value, *goja.Exception, *goja.InterruptedError, *goja.StackOverflowError:
		return true
	}
	// goja has more types, which it does not export, and passes on what it does not know.
	var pcs [1000]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	in := ""
	for more, isOrigin := true, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			isOrigin = true
		case isOrigin && strings.HasPrefix(f.Function, pathGoja), isOrigin && strings.HasPrefix(f.Function, pathOwn):
			in, isOrigin = f.Function, false
		}
	}
	return strings.HasPrefix(in, pathGoja)
}

const pathGoja, pathOwn = "github.com/dop251/goja", "github.com/scxmlrun/scxmlrun/"

var nothing = sync.OnceValue(func() *goja.Program { return goja.MustCompile("", "0", true) })

// NoticeInterrupt throws if the evaluation is to be interrupted, which neither Go nor the library
// notices.
func NoticeInterrupt(vm *goja.Runtime) { Must1(vm.RunProgram(nothing())) }

// MaxItems is how many items [Library.Elements] returns. A script can give an array any length
// without items.
const MaxItems = 10_000_000

// A Library is the part of the library of a runtime that Go itself uses. Call [Library.Keep] before
// a script can change it.
type Library struct {
	VM   *goja.Runtime
	Date *goja.Object // the constructor

	hasOwn  Func              // Object.prototype.hasOwnProperty
	apply   Func              // Function.prototype.apply
	collect *goja.Object      // see Elements
	spread  goja.FunctionCall // of apply: collect.apply(undefined, an array)
	list    []goja.Value
}

// Keep remembers the functions, unless it already has.
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

// Elements returns the items of an array or an array-like object; holes are nil or undefined. Use
// the result before any code of the chart runs. Other ways that goja offers do not tell null from
// undefined, or look up each item: here the array becomes the arguments of a call.
func (l *Library) Elements(o *goja.Object) ([]goja.Value, error) {
	if n := o.Get("length"); n == nil || n.ToInteger() > MaxItems {
		return nil, fmt.Errorf("an array has more than %d items", MaxItems)
	}
	return l.Items(o), nil
}

// Items does the same without a limit.
func (l *Library) Items(o goja.Value) []goja.Value {
	l.Keep()
	l.spread.Arguments[1] = o
	l.apply(l.spread)
	l.spread.Arguments[1] = nil
	items := l.list
	l.list = nil
	return items
}

// A Pristine is a runtime that no chart has changed. The functions of its library accept objects of any
// runtime. One goroutine at a time may use it.
type Pristine struct {
	VM        *goja.Runtime
	functions map[string]Func
}

// NewPristine returns a new runtime.
func NewPristine() *Pristine { return &Pristine{goja.New(), map[string]Func{}} }

// Func returns the function of the library that code yields.
func (p *Pristine) Func(code string) Func {
	f := p.functions[code]
	if f == nil {
		f = Must1(p.VM.RunString(code)).(*goja.Object).Export().(Func)
		p.functions[code] = f
	}
	return f
}

// Getter returns the getter of a property, whose key is code too.
func (p *Pristine) Getter(of, key string) Func {
	return p.Func("Object.getOwnPropertyDescriptor(" + of + ", " + key + ").get")
}

// Builtins are the names of the global object of a new runtime.
var Builtins = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range goja.New().GlobalObject().GetOwnPropertyNames() {
		m[name] = true
	}
	return m
})
