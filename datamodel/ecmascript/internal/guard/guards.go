package guard

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

const (
	// maxNested is how deep calls of guarded functions, JSON text and data for JSON may be nested.
	maxNested = 1_000

	// MaxString is the maximum length of a string that a guarded function makes, if nothing less is said.
	MaxString = 256 << 20

	// maxBigInt is how many bits a BigInt made by a guarded operation may have.
	maxBigInt = 1 << 22
)

// A guard is put up before code runs that has one of its words, separated by commas, or one of its
// facts.
type guard struct {
	words string
	facts syntax.Facts
	put   func(*Guards)
}

var guards = [...]guard{
	{"join", syntax.Calls, (*Guards).putJoin}, // calls may nest arrays, and toString joins
	{"JSON", 0, (*Guards).putJSON},
	{"", syntax.Delegates, (*Guards).putGenerator},
	{"sign", 0, ofClass("Math", "sign", (*Guards).sign)},
	{"setMilliseconds", 0, ofPrototype("Date", "setMilliseconds", (*Guards).milliseconds)},
	{"setUTCMilliseconds", 0, ofPrototype("Date", "setUTCMilliseconds", (*Guards).milliseconds)},
	{"toPrecision", 0, ofNegative("toPrecision")},
	{"toExponential", 0, ofNegative("toExponential")},
	{"replaceAll", 0, ofPrototype("String", "replaceAll", (*Guards).replaceAll)},
	{"repeat", 0, ofPrototype("String", "repeat", (*Guards).repeat)},
	{"padStart", 0, ofPrototype("String", "padStart", (*Guards).pad)},
	{"padEnd", 0, ofPrototype("String", "padEnd", (*Guards).pad)},
	{"fill", 0, ofPrototype("Array", "fill", (*Guards).within)},
	{"map", 0, ofPrototype("Array", "map", (*Guards).within)},
	{"sort", 0, ofPrototype("Array", "sort", (*Guards).within)},
	{"toSorted", 0, ofPrototype("Array", "toSorted", (*Guards).within)},
	{"keys", 0, ofPrototype("Array", "keys", (*Guards).within)},
	{"values", 0, ofPrototype("Array", "values", (*Guards).within)},
	{"entries", 0, ofPrototype("Array", "entries", (*Guards).within)},
	{"toReversed", 0, ofPrototype("Array", "toReversed", (*Guards).within)},
	{"toSpliced", 0, ofPrototype("Array", "toSpliced", (*Guards).within)},
	{"with", 0, ofPrototype("Array", "with", (*Guards).within)},
	{"concat", 0, (*Guards).putConcat},
	{"split", 0, ofPrototype("String", "split", (*Guards).split)},
	{"replace", 0, func(g *Guards) { g.replace(native.Prototype(g.vm, "String"), "replace", g.replacing) }},
	{"replaceAll", 0, func(g *Guards) { g.replace(native.Prototype(g.vm, "String"), "replaceAll", g.replacing) }},
	{"raw", 0, ofClass("String", "raw", (*Guards).raw)},
	{"apply", 0, (*Guards).putApply},
	{"Reflect", 0, (*Guards).putReflect},
	{"eval", 0, (*Guards).putEval},
	{"Function,constructor", 0, (*Guards).putFunctions},
	{"ArrayBuffer," + strings.Join(native.TypedArrays, ","), 0, (*Guards).putBuffers},
	{"from", 0, ofClass("Array", "from", (*Guards).from)},
	{"asIntN", 0, ofClass("BigInt", "asIntN", (*Guards).bits)},
	{"asUintN", 0, ofClass("BigInt", "asUintN", (*Guards).bits)},
	{syntax.BoundItems, 0, (*Guards).putItems},
	{syntax.BoundPower, 0, func(g *Guards) { g.putOperator(syntax.BoundPower, "**", powerBits) }},
	{syntax.BoundShift, 0, func(g *Guards) { g.putOperator(syntax.BoundShift, "<<", shiftBits) }},
}

func ofPrototype(class, method string, check func(*Guards, *goja.FunctionCall)) func(*Guards) {
	return func(g *Guards) { g.before(native.Prototype(g.vm, class), method, check) }
}

func ofClass(class, method string, check func(*Guards, *goja.FunctionCall)) func(*Guards) {
	return func(g *Guards) { g.before(native.Class(g.vm, class), method, check) }
}

// Needs are the guards that have to be up before code runs, by their index in guards.
type Needs uint64

// What is needed by code that puts arrays into arrays, and by code that has not been looked at.
const (
	Joins Needs = 1
	All   Needs = 1<<len(guards) - 1
)

var guardOf = sync.OnceValue(func() map[string]Needs {
	m := map[string]Needs{}
	for i := range guards {
		for word := range strings.SplitSeq(guards[i].words, ",") {
			m[word] |= 1 << i
		}
	}
	return m
})

// Name notes that a name occurs.
func (n *Needs) Name(word string) { *n |= guardOf()[word] }

// Add notes what else code can do.
func (n *Needs) Add(facts syntax.Facts) {
	for i := range guards {
		if guards[i].facts&facts != 0 {
			*n |= 1 << i
		}
	}
}

// A Session is what guards need of their session.
type Session interface {
	// Interrupted reports whether the evaluation is being interrupted.
	Interrupted() bool
}

// Guards are the guards of one runtime.
type Guards struct {
	session   Session
	limits    syntax.Limits // of text that becomes code
	vm        *goja.Runtime
	lib       *native.Library
	maxItems  int // of an array that a guarded function makes
	maxString int // the length of such a string
	up        Needs
	depth     int     // how deep calls of guarded functions are nested now
	joins     int     // how many of them are joins
	joined    float64 // the length of the string that these make, so far

	eval, guardedEval *goja.Object // of the library, if its guard is up, and the guard
	isOpen            bool         // the name eval means the first one

	// See Watch.
	library map[*goja.Object]bool
	changed func()
	globals map[string]goja.Value // of the library
	global  bool                  // these may have changed
}

// Make makes g the guards of a runtime. None is up yet.
func (g *Guards) Make(session Session, vm *goja.Runtime, lib *native.Library, limits syntax.Limits, maxItems, maxString int) {
	g.session, g.limits, g.vm, g.lib, g.maxItems, g.maxString = session, limits, vm, lib, maxItems, maxString
}

// Lacks reports whether a guard of n is not up.
func (g *Guards) Lacks(n Needs) bool { return n&^g.up != 0 }

// Raise puts up the guards of n that are missing.
func (g *Guards) Raise(n Needs) {
	missing := n &^ g.up
	g.up |= n
	for i := 0; missing != 0; i++ {
		if missing&1 != 0 {
			guards[i].put(g)
		}
		missing >>= 1
	}
}

// replace puts up a guard for a method.
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
	w := native.New(g.vm, name, func(call goja.FunctionCall) goja.Value { return guard(f, call) })
	native.Must(w.DefineDataProperty("length", o.Get("length"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	g.Own(w)
	// A script may have frozen the prototype.
	_ = holder.DefineDataProperty(name, w, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// before puts up a guard that looks at a call, and may change it, before the method gets it.
func (g *Guards) before(holder *goja.Object, name string, check func(*Guards, *goja.FunctionCall)) {
	g.replace(holder, name, func(f native.Func, call goja.FunctionCall) goja.Value {
		check(g, &call)
		return f(call)
	})
}

// define makes f a function that only bounded code can name.
func (g *Guards) define(name string, f goja.Value) {
	native.Must(g.vm.GlobalObject().DefineDataProperty(name, f, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
}

// refuse throws a RangeError, whatever the script has made of the name RangeError.
func (g *Guards) refuse(format string, args ...any) {
	g.throw(g.vm.NewArray().Set("length", -1), fmt.Sprintf(format, args...))
}

// throw throws what err was caused by, with another message.
func (g *Guards) throw(err error, msg string) {
	var exception *goja.Exception
	if !errors.As(err, &exception) {
		panic(err) // the evaluation is being interrupted
	}
	o := exception.Value().(*goja.Object)
	native.Must(o.DefineDataProperty("message", g.vm.ToValue(msg), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	panic(o)
}

// alive throws if the evaluation is being interrupted, which the library does not check.
func (g *Guards) alive() {
	if g.session.Interrupted() {
		native.NoticeInterrupt(g.vm)
	}
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

// putApply and putReflect bound how many arguments the items of an object become.
func (g *Guards) putApply() {
	g.lib.Keep()
	g.before(g.lib.FunctionPrototype(), "apply", (*Guards).second)
}

func (g *Guards) putReflect() {
	reflect := native.Class(g.vm, "Reflect")
	g.before(reflect, "apply", func(g *Guards, call *goja.FunctionCall) { g.checkArray(lengthOf(call.Argument(2))) })
	g.before(reflect, "construct", (*Guards).second)
}

func (g *Guards) second(call *goja.FunctionCall) { g.checkArray(lengthOf(call.Argument(1))) }

var generatorPrototype = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", "Object.getPrototypeOf(function*(){}).prototype", true)
})

// putGenerator counts the nesting of generators that delegate to others, which goja does not count as
// calls.
func (g *Guards) putGenerator() {
	prototype, _ := native.Must1(g.vm.RunProgram(generatorPrototype())).(*goja.Object)
	for name := range strings.FieldsSeq("next return throw") {
		g.replace(prototype, name, g.nested)
	}
}
