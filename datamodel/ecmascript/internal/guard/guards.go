package ecmascript

import (
	"fmt"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// The library of the script engine goes down the Go stack with the data that it
// is given, and a stack that reaches half a gigabyte ends the process. It also
// makes strings and arrays of any size at one stroke, during which no time limit
// can stop it. The guards stand before those of its functions that a script
// can bring to that with little effort. They throw a RangeError.
const (
	// maxNested is how deep calls of guarded functions may be nested, how deep
	// JSON text and data for JSON may be, how many levels flat takes away, and
	// how many proxies and bound functions may stand one behind the other.
	maxNested = 1_000

	// maxString is how long a string, and how large a buffer, may be that a
	// guarded function makes.
	maxString = 256 << 20

	// maxArray is how many items an array may have that a guarded function makes.
	maxArray = 50_000_000

	// maxPattern is how deep brackets may be nested in a regular expression
	// that is made at run time.
	maxPattern = 100
)

// A guardSet says which guards are meant.
type guardSet uint32

const (
	guardEval      guardSet = 1 << iota // eval
	guardFunction                       // the constructor Function
	guardKinds                          // those of generators and asynchronous functions
	guardJSON                           // JSON.parse and stringify
	guardJoin                           // how arrays become strings
	guardFlat                           // Array.prototype.flat
	guardArray                          // functions that make large arrays
	guardString                         // functions that make long strings
	guardMatch                          // methods of strings that take a regular expression
	guardPattern                        // the constructor RegExp, and how regular expressions become strings
	guardBuffer                         // ArrayBuffer and typed arrays
	guardBind                           // Function.prototype.bind
	guardProxy                          // Proxy, and cycles of prototypes through proxies
	guardGenerator                      // generators that delegate to others
	guardError                          // how errors become strings
	guardApply                          // what makes arguments of an array
	guardLength                         // methods of arrays, each that is spelled, see arrayMethods

	guardAll guardSet = 1<<iota - 1

	// guardComputed is what is to be had from any value by computed names, as
	// far as it can end the process: [][a][b] may be Function.
	guardComputed = guardFunction | guardJoin | guardFlat | guardMatch | guardBind
)

var typedArrays = []string{"Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"}

var errorClasses = []string{"Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "GoError"}

// native is a function of the library.
type native = func(goja.FunctionCall) goja.Value

// guards are the guards of one store.
type guards struct {
	up               guardSet
	methods, guarded methodSet       // of arrays: those that code has spelled, and those of them that have a guard
	taken            map[string]bool // methods that are guarded since a script took them
	depth            int             // how deep calls of guarded functions are nested now
	bound            *goja.Symbol    // how many bound functions a bound function stands before
	tick             goja.Callable   // does nothing, but to see that it is interrupted
	cut              bool            // the present evaluation was broken off
}

// guard puts up the guards that r asks for and that are not up yet.
func (st *store) guard(r *reach) {
	missing := r.guards &^ st.up
	st.up |= r.guards
	spelled := r.methods&^st.methods != 0
	st.methods |= r.methods
	for i, put := range [...]func(*store){
		(*store).protectEval, (*store).protectFunction, (*store).protectKinds, (*store).protectJSON, (*store).protectJoin,
		(*store).protectFlat, (*store).protectArray, (*store).protectString, (*store).protectMatch, (*store).protectPattern,
		(*store).protectBuffer, (*store).protectBind, (*store).protectProxy, (*store).protectGenerator, (*store).protectError, (*store).protectApply, (*store).boundMethods,
	} {
		if missing&(1<<i) != 0 {
			put(st)
		}
	}
	if spelled {
		st.boundMethods()
	}
	for _, name := range r.taken {
		if st.taken[name] {
			continue
		}
		if st.taken == nil {
			st.taken = map[string]bool{}
		}
		st.taken[name] = true
		for _, class := range methodHolders()[name] {
			guard := st.nested
			if class == "Array" {
				guard = st.nestedWithin
			}
			st.replace(st.prototype(class), name, guard)
		}
	}
}

// methodHolders returns the classes whose prototypes have a method of a name
// that works on any object, and so on one that has it for its own toString.
var methodHolders = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	vm := goja.New()
	for class, only := range map[string]string{
		"Object": "toString toLocaleString", "Function": "call apply", "Array": "", "String": "",
		"RegExp": "exec test toString compile", "Date": "toJSON", "Error": "toString", "Promise": "then catch finally",
	} {
		prototype := vm.GlobalObject().Get(class).(*goja.Object).Get("prototype").(*goja.Object)
		names := strings.Fields(only)
		if only == "" {
			names = prototype.GetOwnPropertyNames()
		}
		for _, name := range names {
			if _, ok := goja.AssertFunction(prototype.Get(name)); ok && name != "constructor" {
				m[name] = append(m[name], class)
			}
		}
	}
	return m
})

var emptyFunction = sync.OnceValue(func() *goja.Program { return goja.MustCompile("", "()=>{}", true) })

// generatorPrototypes yields the prototypes that have no name.
var generatorPrototypes = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", "[Object.getPrototypeOf(function*(){}),Object.getPrototypeOf(async function(){})]", true)
})

func must1[T any](v T, err error) T {
	must(err)
	return v
}

// class returns a constructor of the library, or nil if it is not there.
func (st *store) class(name string) *goja.Object {
	o, _ := st.vm.GlobalObject().Get(name).(*goja.Object)
	return o
}

// prototype returns the prototype of a class, without its constructor where
// that is not there yet and costs.
func (st *store) prototype(class string) *goja.Object {
	switch class {
	case "Array":
		return st.vm.NewArray().Prototype()
	case "Object":
		return st.vm.NewObject().Prototype()
	}
	if c := st.class(class); c != nil {
		o, _ := c.Get("prototype").(*goja.Object)
		return o
	}
	return nil
}

// replace puts a guard before a method.
func (st *store) replace(holder *goja.Object, name string, guard func(native, goja.FunctionCall) goja.Value) {
	if holder == nil {
		return
	}
	o, ok := holder.Get(name).(*goja.Object)
	if !ok {
		return
	}
	f, ok := o.Export().(native)
	if !ok {
		return
	}
	w := st.vm.ToValue(func(call goja.FunctionCall) goja.Value { return guard(f, call) }).(*goja.Object)
	must(w.DefineDataProperty("name", o.Get("name"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	must(w.DefineDataProperty("length", o.Get("length"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	// A script may have frozen the prototype. Then so be it.
	_ = holder.DefineDataProperty(name, w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// replaceClass puts a guard before a constructor: check returns the arguments
// that the constructor is to get.
func (st *store) replaceClass(o *goja.Object, check func([]goja.Value) []goja.Value) goja.Value {
	f, construct := must2(goja.AssertFunction(o)), must2(goja.AssertConstructor(o))
	var w goja.Value
	w = st.vm.ToValue(st.vm.NewProxy(o, &goja.ProxyTrapConfig{
		Apply: func(_ *goja.Object, this goja.Value, args []goja.Value) goja.Value {
			v, err := f(this, check(args)...)
			return rethrow(v, err)
		},
		Construct: func(_ *goja.Object, args []goja.Value, newTarget *goja.Object) *goja.Object {
			if newTarget == w {
				newTarget = o
			}
			v, err := construct(newTarget, check(args)...)
			return rethrow(v, err)
		},
		GetSym: st.instanceOf(o),
	}))
	if p, ok := o.Get("prototype").(*goja.Object); ok {
		_ = p.DefineDataProperty("constructor", w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return w
}

// instanceOf returns a trap of a proxy for the function o, without which goja
// would refuse the proxy at the right of instanceof.
func (st *store) instanceOf(o *goja.Object) func(*goja.Object, *goja.Symbol, goja.Value) goja.Value {
	return func(_ *goja.Object, key *goja.Symbol, receiver goja.Value) goja.Value {
		switch key {
		case goja.SymSpecies:
			return receiver
		case goja.SymHasInstance:
			f, ok := goja.AssertFunction(o.GetSymbol(key))
			if !ok {
				return nil
			}
			return st.vm.ToValue(func(call goja.FunctionCall) goja.Value {
				this := call.This
				if p, ok := this.(*goja.Object); ok && p == receiver && p.ExportType() == typeProxy {
					this = o
				}
				return rethrow(f(this, call.Argument(0)))
			})
		}
		return o.GetSymbol(key)
	}
}

// replaceGlobal does the same for a global constructor.
func (st *store) replaceGlobal(name string, check func([]goja.Value) []goja.Value) {
	if o := st.class(name); o != nil {
		_ = st.vm.GlobalObject().DefineDataProperty(name, st.replaceClass(o, check), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}

func must2[T any](f T, ok bool) T {
	if !ok {
		panic("not a constructor")
	}
	return f
}

// rethrow returns v, or throws on what a call threw.
func rethrow[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// refuse throws a RangeError.
func (st *store) refuse(format string, args ...any) {
	msg := st.vm.ToValue(fmt.Sprintf(format, args...))
	panic(rethrow(st.vm.New(st.vm.GlobalObject().Get("RangeError"), msg)))
}

// alive throws if the evaluation is to be broken off: the library does not look
// on its own.
func (st *store) alive() {
	if st.watch.state.Load()&broken == 0 {
		return
	}
	if st.tick == nil {
		st.tick, _ = goja.AssertFunction(must1(st.vm.RunProgram(emptyFunction())))
	}
	rethrow(st.tick(goja.Undefined()))
}

// allowForRest raises the limit of the call depth by what goja leaves on its call
// stack when an asynchronous function or a generator is broken off: it would
// take that for calls that go on, and soon refuse all others.
func (st *store) allowForRest() {
	limit := st.host.CallDepth()
	if limit <= 0 {
		return
	}
	defer func() { _ = recover() }() // the frames may point to values that are gone
	if n := len(st.vm.CaptureCallStack(0, nil)); n > 0 {
		st.vm.SetMaxCallStackSize(limit + 2*n) // some frames are not listed
	}
}

// nestedWithin is nested for a method of arrays.
func (st *store) nestedWithin(f native, call goja.FunctionCall) goja.Value {
	st.checkArray(lengthOf(call.This))
	return st.nested(f, call)
}

// nested counts how deep calls are nested.
func (st *store) nested(f native, call goja.FunctionCall) goja.Value {
	if st.depth >= maxNested {
		st.refuse("functions of the library are nested deeper than %d levels", maxNested)
	}
	st.alive()
	st.depth++
	defer func() { st.depth-- }()
	return f(call)
}
