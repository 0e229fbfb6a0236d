package guard

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// The limits of the guards.
const (
	// maxNested is how deep calls of guarded functions, JSON text and data for JSON may be nested,
	// how many levels flat removes, and how long a chain of proxies or of bound functions may be.
	maxNested = 1_000

	// maxString is the maximum length of a string, and size of a buffer, that a guarded function
	// makes.
	maxString = 256 << 20

	// maxArray is the maximum number of items of an array that a guarded function makes.
	maxArray = 50_000_000

	// maxPattern is how deep brackets may be nested in a regular expression made at run time.
	maxPattern = 100
)

// A set says which guards are meant.
type set uint32

const (
	guardEval      set = 1 << iota // eval
	guardFunction                  // the constructor Function
	guardKinds                     // those of generators and asynchronous functions
	guardJSON                      // JSON.parse and stringify
	guardJoin                      // how arrays become strings
	guardFlat                      // Array.prototype.flat
	guardArray                     // functions that make large arrays
	guardString                    // functions that make long strings
	guardMatch                     // methods of strings that take a regular expression
	guardPattern                   // the constructor RegExp, and how regular expressions become strings
	guardBuffer                    // ArrayBuffer and typed arrays
	guardBind                      // Function.prototype.bind
	guardProxy                     // Proxy, and cycles of prototypes through proxies
	guardGenerator                 // generators that delegate to others
	guardError                     // how errors become strings
	guardApply                     // what makes arguments of an array
	guardLength                    // methods of arrays, each that is spelled, see arrayMethods

	guardAll set = 1<<iota - 1

	// guardComputed is what computed names can reach from any value, as far as it can end the
	// process: [][a][b] may be Function.
	guardComputed = guardFunction | guardJoin | guardFlat | guardMatch | guardBind
)

var errorClasses = []string{"Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "GoError"}

// A Session is what guards need of their session.
type Session interface {
	// Interrupted reports whether the evaluation is being interrupted.
	Interrupted() bool
	// AdmitAll is called before code runs that has not been looked at.
	AdmitAll()
}

// Guards are the guards of one runtime.
type Guards struct {
	session          Session
	vm               *goja.Runtime
	lib              *native.Library
	limits           syntax.Limits // of code and regular expressions that are made at run time
	up               set
	methods, guarded methodSet                     // of arrays: those that code has spelled, and those of them that have a guard
	taken            map[string]bool               // methods that have a guard since a script took them
	depth            int                           // how deep calls of guarded functions are nested now
	originals        map[*goja.Object]*goja.Object // of guards: what they guard
	bound            *goja.Symbol                  // how many bound functions a bound function leads through
	tick             goja.Callable                 // does nothing, but notices an interrupt
}

// Make makes g the guards of a runtime. None is installed yet.
func (g *Guards) Make(session Session, vm *goja.Runtime, lib *native.Library, limits syntax.Limits) {
	g.session, g.vm, g.lib, g.limits = session, vm, lib, limits
}

// Original returns the function of the library that o guards, or nil if o is not a guard.
func (g *Guards) Original(o *goja.Object) *goja.Object { return g.originals[o] }

// note keeps what a guard guards.
func (g *Guards) note(guard, original *goja.Object) {
	if g.originals == nil {
		g.originals = map[*goja.Object]*goja.Object{}
	}
	if of := g.originals[original]; of != nil { // a guard of a guard
		original = of
	}
	g.originals[guard] = original
}

// Lacks reports whether a guard of n is not installed.
func (g *Guards) Lacks(n *Needs) bool {
	return n.set&^g.up != 0 || n.methods&^g.methods != 0 || n.taken != nil
}

// Raise installs the guards of n that are missing.
func (g *Guards) Raise(n *Needs) {
	missing := n.set &^ g.up
	g.up |= n.set
	spelled := n.methods&^g.methods != 0
	g.methods |= n.methods
	for i, put := range [...]func(*Guards){
		(*Guards).protectEval, (*Guards).protectFunction, (*Guards).protectKinds, (*Guards).protectJSON, (*Guards).protectJoin,
		(*Guards).protectFlat, (*Guards).protectArray, (*Guards).protectString, (*Guards).protectMatch, (*Guards).protectPattern,
		(*Guards).protectBuffer, (*Guards).protectBind, (*Guards).protectProxy, (*Guards).protectGenerator, (*Guards).protectError, (*Guards).protectApply, (*Guards).boundMethods,
	} {
		if missing&(1<<i) != 0 {
			put(g)
		}
	}
	if spelled {
		g.boundMethods()
	}
	for _, name := range n.taken {
		if g.taken[name] {
			continue
		}
		if g.taken == nil {
			g.taken = map[string]bool{}
		}
		g.taken[name] = true
		for _, class := range methodHolders()[name] {
			guard := g.nested
			if class == "Array" {
				guard = g.nestedWithin
			}
			g.replace(native.Prototype(g.vm, class), name, guard)
		}
	}
}

// methodHolders returns, by name, the classes whose prototypes have a method that works on any
// object, and so also on one that has it for its own toString.
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

// replace installs a guard for a method.
func (g *Guards) replace(holder *goja.Object, name string, guard func(native.Func, goja.FunctionCall) goja.Value) {
	if holder == nil {
		return
	}
	o, ok := holder.Get(name).(*goja.Object)
	if !ok {
		return
	}
	f, ok := o.Export().(native.Func)
	if !ok {
		return
	}
	w := g.vm.ToValue(func(call goja.FunctionCall) goja.Value { return guard(f, call) }).(*goja.Object)
	native.Must(w.DefineDataProperty("name", o.Get("name"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	native.Must(w.DefineDataProperty("length", o.Get("length"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	g.note(w, o)
	// A script may have frozen the prototype.
	_ = holder.DefineDataProperty(name, w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// before installs a guard that looks at a call, and may change it, before the method gets it.
func (g *Guards) before(holder *goja.Object, name string, check func(*goja.FunctionCall)) {
	g.replace(holder, name, func(f native.Func, call goja.FunctionCall) goja.Value {
		check(&call)
		return f(call)
	})
}

// replaceClass installs a guard for a constructor: check returns the arguments to pass on.
func (g *Guards) replaceClass(o *goja.Object, check func([]goja.Value) []goja.Value) goja.Value {
	f, construct := must2(goja.AssertFunction(o)), must2(goja.AssertConstructor(o))
	var w goja.Value
	w = g.vm.ToValue(g.vm.NewProxy(o, &goja.ProxyTrapConfig{
		Apply: func(_ *goja.Object, this goja.Value, args []goja.Value) goja.Value {
			v, err := f(this, check(args)...)
			return native.Must1(v, err)
		},
		Construct: func(_ *goja.Object, args []goja.Value, newTarget *goja.Object) *goja.Object {
			if newTarget == w {
				newTarget = o
			}
			v, err := construct(newTarget, check(args)...)
			return native.Must1(v, err)
		},
		GetSym: g.instanceOf(o),
	}))
	g.note(w.(*goja.Object), o)
	if p, ok := o.Get("prototype").(*goja.Object); ok {
		_ = p.DefineDataProperty("constructor", w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return w
}

// instanceOf returns a trap of a proxy for the function o, which goja needs to accept the proxy at
// the right of instanceof.
func (g *Guards) instanceOf(o *goja.Object) func(*goja.Object, *goja.Symbol, goja.Value) goja.Value {
	return func(_ *goja.Object, key *goja.Symbol, receiver goja.Value) goja.Value {
		switch key {
		case goja.SymSpecies:
			return receiver
		case goja.SymHasInstance:
			f, ok := goja.AssertFunction(o.GetSymbol(key))
			if !ok {
				return nil
			}
			return g.vm.ToValue(func(call goja.FunctionCall) goja.Value {
				this := call.This
				if p, ok := this.(*goja.Object); ok && p == receiver && p.ExportType() == native.TypeProxy {
					this = o
				}
				return native.Must1(f(this, call.Argument(0)))
			})
		}
		return o.GetSymbol(key)
	}
}

// replaceGlobal does the same for a global constructor.
func (g *Guards) replaceGlobal(name string, check func([]goja.Value) []goja.Value) {
	if o := native.Class(g.vm, name); o != nil {
		_ = g.vm.GlobalObject().DefineDataProperty(name, g.replaceClass(o, check), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}

func must2[T any](f T, ok bool) T {
	if !ok {
		panic("not a constructor")
	}
	return f
}

// refuse throws a RangeError.
func (g *Guards) refuse(format string, args ...any) {
	msg := g.vm.ToValue(fmt.Sprintf(format, args...))
	panic(native.Must1(g.vm.New(g.vm.GlobalObject().Get("RangeError"), msg)))
}

// alive throws if the evaluation is being interrupted, which the library does not check.
func (g *Guards) alive() {
	if !g.session.Interrupted() {
		return
	}
	if g.tick == nil {
		g.tick, _ = goja.AssertFunction(native.Must1(g.vm.RunProgram(emptyFunction())))
	}
	native.Must1(g.tick(goja.Undefined()))
}

// nestedWithin is nested for a method of arrays.
func (g *Guards) nestedWithin(f native.Func, call goja.FunctionCall) goja.Value {
	g.within(&call)
	return g.nested(f, call)
}

// nested counts how deep calls are nested.
func (g *Guards) nested(f native.Func, call goja.FunctionCall) goja.Value {
	if g.depth >= maxNested {
		g.refuse("functions of the library are nested deeper than %d levels", maxNested)
	}
	g.alive()
	g.depth++
	defer func() { g.depth-- }()
	return f(call)
}

// Needs are the guards that have to be up before code runs.
//
// A function of the library is reached by its name, or by a name computed at run time, which may be
// any. It may be fetched in one evaluation and called in another, but the first needs the guard:
// what is fetched afterwards is the guarded function.
type Needs struct {
	set     set
	methods methodSet // methods of arrays, or of something else, that are spelled
	taken   []string  // methods of the library that are not called at once, and may become methods of other objects
}

// What is needed by code that uses computed names, by code that puts arrays into arrays, and by
// code that has not been looked at.
var (
	Computed = Needs{set: guardComputed}
	Joins    = Needs{set: guardJoin}
	All      = Needs{set: guardAll, methods: allMethods}
)

// wordGuards are the guards that a name needs.
var wordGuards = func() map[string]set {
	m := map[string]set{}
	for g, words := range map[set][]string{
		guardEval:                {"eval"},
		guardFunction:            {"Function", "constructor"},
		guardJSON:                {"JSON"},
		guardJoin:                {"join", "toLocaleString"},
		guardFlat:                {"flat"},
		guardArray:               {"fill", "concat", "from"},
		guardString:              {"repeat", "padStart", "padEnd", "concat"},
		guardMatch:               {"match", "matchAll", "search"},
		guardPattern:             {"RegExp"},
		guardBuffer:              append(slices.Clone(native.TypedArrays), "ArrayBuffer"),
		guardBind:                {"bind"},
		guardError:               append(slices.Clone(errorClasses), "then", "catch"),
		guardLength:              {"call", "Proxy", "setPrototypeOf", "__proto__", "create", "constructor"},
		guardApply | guardLength: {"apply", "Reflect"},
	} {
		for _, w := range words {
			m[w] |= g
		}
	}
	return m
}()

// factGuards are the guards that facts about code need.
var factGuards = map[syntax.Facts]set{
	syntax.Computes:  guardComputed,
	syntax.Proxies:   guardProxy,
	syntax.Calls:     guardJoin,
	syntax.Pauses:    guardKinds,
	syntax.Delegates: guardGenerator,
	syntax.Patterns:  guardPattern,
	syntax.Lengths:   guardLength,
	syntax.Catches:   guardError,
}

// Name notes that a name occurs, and whether its value is called at once.
func (n *Needs) Name(word string, called bool) {
	n.set |= wordGuards[word]
	if i := slices.Index(arrayMethods[:], word); i >= 0 {
		n.methods |= 1 << i
	}
	if !called && methodHolders()[word] != nil && !slices.Contains(n.taken, word) {
		n.taken = append(n.taken, word)
	}
}

// Add notes what else code can do.
func (n *Needs) Add(facts syntax.Facts) {
	for fact, guards := range factGuards {
		if facts&fact != 0 {
			n.set |= guards
		}
	}
}
