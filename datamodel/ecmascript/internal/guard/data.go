package guard

import (
	"math"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// protectJoin bounds how arrays become strings. These two suffice, since toString calls join.
func (g *Guards) protectJoin() {
	array := native.Prototype(g.vm, "Array")
	g.replace(array, "toLocaleString", g.nested)
	g.replace(array, "join", func(f native.Func, call goja.FunctionCall) goja.Value {
		g.checkArray(lengthOf(call.This))
		v := g.nested(f, call)
		g.checkString(textLength(v))
		return v
	})
}

// protectArray bounds functions that make one large array in one operation.
func (g *Guards) protectArray() {
	array := native.Prototype(g.vm, "Array")
	g.before(array, "fill", g.within)
	g.before(array, "concat", func(call *goja.FunctionCall) {
		n := lengthOf(call.This)
		for _, arg := range call.Arguments {
			if o, ok := arg.(*goja.Object); ok && native.IsArray(o) {
				n += lengthOf(o)
			}
		}
		g.checkArray(n)
	})
	g.before(native.Class(g.vm, "Array"), "from", func(call *goja.FunctionCall) { g.checkArray(lengthOf(call.Argument(0))) })
}

// arrayMethods are the methods of arrays that go through an array, which may have nothing but a
// length: the library visits each index, and does not notice an interrupt. The first ones also make
// that many items at once.
//
// A guard takes a microsecond and 2 KB, so only methods that code of the session spells get one,
// and apart from the first ones only if some code could make such a length, see guardLength.
var arrayMethods = [...]string{
	"map", "sort", "toSorted", // atOnce
	"copyWithin", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "includes", "indexOf", "lastIndexOf",
	"reduce", "reduceRight", "reverse", "shift", "slice", "some", "splice", "toReversed", "toSpliced", "unshift", "with",
	"values", "keys", "entries",
}

// A methodSet has the bit i for the method arrayMethods[i].
type methodSet uint32

const (
	atOnce     methodSet = 1<<3 - 1
	allMethods methodSet = 1<<len(arrayMethods) - 1
)

// boundMethods installs the missing guards of methods.
func (g *Guards) boundMethods() {
	missing := g.methods &^ g.guarded
	if g.up&guardLength == 0 {
		missing &= atOnce
	}
	g.guarded |= missing
	for i, name := range arrayMethods {
		if missing&(1<<i) != 0 {
			g.before(native.Prototype(g.vm, "Array"), name, g.within)
		}
	}
}

// protectApply bounds how many arguments are made of an array.
func (g *Guards) protectApply() {
	bound := func(holder *goja.Object, name string, i int) {
		g.before(holder, name, func(call *goja.FunctionCall) { g.checkArray(lengthOf(call.Argument(i))) })
	}
	bound(native.Prototype(g.vm, "Function"), "apply", 1)
	bound(native.Class(g.vm, "Reflect"), "apply", 2)
	bound(native.Class(g.vm, "Reflect"), "construct", 1)
}

// within is the guard of a method of arrays.
func (g *Guards) within(call *goja.FunctionCall) { g.checkArray(lengthOf(call.This)) }

func (g *Guards) protectFlat() {
	g.lib.Keep()
	g.replace(native.Prototype(g.vm, "Array"), "flat", g.flat)
}

// flat removes one level at a time, so that no level gets too large.
func (g *Guards) flat(f native.Func, call goja.FunctionCall) goja.Value {
	depth := int64(1)
	if arg := call.Argument(0); !goja.IsUndefined(arg) {
		depth = min(arg.ToInteger(), maxNested)
	}
	this, one := call.This, g.vm.ToValue(1)
	for {
		g.alive()
		n, nested := 0.0, false
		if o, ok := this.(*goja.Object); ok && depth > 0 {
			g.checkArray(lengthOf(o))
			for _, item := range native.Must1(g.lib.Elements(o)) {
				if o, ok := item.(*goja.Object); ok && native.IsArray(o) {
					n += lengthOf(o)
					nested = true
				} else {
					n++
				}
			}
			g.checkArray(n)
		}
		if !nested || depth <= 1 {
			return f(goja.FunctionCall{This: this, Arguments: []goja.Value{g.vm.ToValue(min(depth, 1))}})
		}
		this = f(goja.FunctionCall{This: this, Arguments: []goja.Value{one}})
		depth--
	}
}

// protectString bounds functions that make long strings.
func (g *Guards) protectString() {
	proto := native.Prototype(g.vm, "String")
	g.before(proto, "repeat", func(call *goja.FunctionCall) {
		call.This, call.Arguments = g.textOf(call.This), numeric(call.Arguments)
		if n := call.Argument(0).ToFloat(); !math.IsInf(n, 0) {
			g.checkString(n * textLength(call.This))
		}
	})
	for _, name := range []string{"padStart", "padEnd"} {
		g.before(proto, name, func(call *goja.FunctionCall) {
			call.This, call.Arguments = g.textOf(call.This), numeric(call.Arguments)
			g.checkString(call.Argument(0).ToFloat())
		})
	}
	g.before(proto, "concat", func(call *goja.FunctionCall) {
		call.This = g.textOf(call.This)
		args := make([]goja.Value, len(call.Arguments))
		n := textLength(call.This)
		for i, arg := range call.Arguments {
			args[i] = arg.ToString()
			n += textLength(args[i])
		}
		g.checkString(n)
		call.Arguments = args
	})
}

// textOf returns v as a string. The library itself refuses undefined and null.
func (g *Guards) textOf(v goja.Value) goja.Value {
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return v
	}
	return v.ToString()
}

// numeric returns args with the first one as a number.
func numeric(args []goja.Value) []goja.Value {
	if len(args) == 0 {
		return args
	}
	out := append([]goja.Value(nil), args...)
	out[0] = out[0].ToNumber()
	return out
}

// textLength returns the length of a string, or 0 of something else.
func textLength(v goja.Value) float64 {
	if s, ok := v.(goja.String); ok {
		return float64(s.Length())
	}
	return 0
}

// lengthOf returns the property length of an object, if it is a number.
func lengthOf(v goja.Value) float64 {
	o, ok := v.(*goja.Object)
	if !ok {
		return textLength(v)
	}
	switch n := o.Get("length"); n.(type) {
	case nil, *goja.Object, *goja.Symbol:
		return 0
	default:
		return n.ToFloat()
	}
}

func (g *Guards) checkString(n float64) {
	if n > maxString {
		g.refuse("the string would be longer than %d", maxString)
	}
}

func (g *Guards) checkArray(n float64) {
	if n > maxArray {
		g.refuse("the array would have more than %d items", maxArray)
	}
}

// protectBuffer bounds memory requested by number.
func (g *Guards) protectBuffer() {
	check := func(args []goja.Value) []goja.Value {
		if len(args) == 0 {
			return args
		}
		o, ok := args[0].(*goja.Object)
		switch {
		case !ok:
			args = numeric(args)
			g.checkArray(args[0].ToFloat())
		case o.ExportType() != native.TypeBuffer:
			g.checkArray(lengthOf(o))
		}
		return args
	}
	for _, name := range native.TypedArrays {
		g.replaceGlobal(name, check)
	}
	g.replaceGlobal("ArrayBuffer", func(args []goja.Value) []goja.Value {
		if args = numeric(args); len(args) > 0 {
			g.checkString(args[0].ToFloat())
		}
		return args
	})
}

// protectBind bounds chains of bound functions, and counts calls of those that lead to the library:
// a function that is bound to an object whose method it is calls itself without a script in
// between.
func (g *Guards) protectBind() {
	g.bound = goja.NewSymbol("bound")
	source, ok := native.Prototype(g.vm, "Function").Get("toString").(*goja.Object).Export().(native.Func)
	if !ok {
		return
	}
	g.replace(native.Prototype(g.vm, "Function"), "bind", func(f native.Func, call goja.FunctionCall) goja.Value {
		target, ok := call.This.(*goja.Object)
		invoke, callable := goja.AssertFunction(call.This)
		if !ok || !callable {
			return f(call)
		}
		if target.ExportType() != native.TypeProxy && !strings.Contains(source(goja.FunctionCall{This: target}).String(), "[native code]") {
			return f(call) // a function of the script
		}
		callTarget := func(call goja.FunctionCall) goja.Value { return native.Must1(invoke(call.This, call.Arguments...)) }
		depth := int64(1)
		if n := target.GetSymbol(g.bound); n != nil {
			depth += n.ToInteger()
		}
		if depth > maxNested {
			g.refuse("functions are bound more than %d times", maxNested)
		}
		traps := &goja.ProxyTrapConfig{
			Apply: func(_ *goja.Object, this goja.Value, args []goja.Value) goja.Value {
				return g.nested(callTarget, goja.FunctionCall{This: this, Arguments: args})
			},
			GetSym: g.instanceOf(target),
		}
		call.This = g.vm.ToValue(g.vm.NewProxy(target, traps))
		out := f(call)
		native.Must(out.(*goja.Object).DefineDataPropertySymbol(g.bound, g.vm.ToValue(depth), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
		return out
	})
}

// protectProxy bounds how many objects an access to a proxy can lead to.
func (g *Guards) protectProxy() {
	class := native.Class(g.vm, "Proxy")
	if class == nil {
		return
	}
	check := func(args []goja.Value) []goja.Value {
		left := maxNested
		for _, arg := range args[:min(len(args), 2)] {
			g.follow(arg, nil, &left)
		}
		return args
	}
	g.replaceGlobal("Proxy", check)
	g.before(class, "revocable", func(call *goja.FunctionCall) { check(call.Arguments) })
	// An object must not get itself as prototype through proxies. goja only sees cycles without
	// them.
	acyclic := func(of, prototype goja.Value) {
		left := maxNested
		if o, ok := of.(*goja.Object); ok {
			g.follow(prototype, o, &left)
		}
	}
	for _, class := range []string{"Object", "Reflect"} {
		g.before(native.Class(g.vm, class), "setPrototypeOf", func(call *goja.FunctionCall) { acyclic(call.Argument(0), call.Argument(1)) })
	}
	accessor := native.Must1(g.vm.RunProgram(protoAccessor())).(*goja.Object)
	f, ok := accessor.Get("1").(*goja.Object).Export().(native.Func)
	if !ok {
		return
	}
	set := native.New(g.vm, "set __proto__", func(call goja.FunctionCall) goja.Value {
		acyclic(call.This, call.Argument(0))
		return f(call)
	})
	_ = native.Prototype(g.vm, "Object").DefineAccessorProperty("__proto__", accessor.Get("0"), set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// protoAccessor yields the getter and the setter of __proto__.
var protoAccessor = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", "(d=>[d.get,d.set])(Object.getOwnPropertyDescriptor(Object.prototype,'__proto__'))", true)
})

// follow visits v, its prototypes, and the targets and handlers of proxies. It throws if that leads
// through a proxy to o, or to too many objects.
func (g *Guards) follow(v goja.Value, o *goja.Object, left *int) {
	for p, ok := v.(*goja.Object); ok && p != nil; p = p.Prototype() {
		if *left--; *left < 0 {
			g.refuse("a chain of proxies and prototypes is longer than %d", maxNested)
		}
		if p == o {
			panic(g.vm.NewTypeError("Cyclic __proto__ value"))
		}
		if p.ExportType() != native.TypeProxy {
			continue
		}
		proxy := p.Export().(goja.Proxy)
		if proxy.Target() != nil {
			g.follow(proxy.Target(), o, left)
			g.follow(proxy.Handler(), o, left)
		}
		return
	}
}

// protectGenerator counts the nesting of generators that delegate to others, which goja does not
// count as calls.
func (g *Guards) protectGenerator() {
	others := native.Must1(g.vm.RunProgram(generatorPrototypes())).(*goja.Object)
	proto, _ := others.Get("0").(*goja.Object).Get("prototype").(*goja.Object)
	for _, name := range []string{"next", "return", "throw"} {
		g.replace(proto, name, g.nested)
	}
}

// protectError counts the nesting of errors that become strings by way of their messages, which may
// be errors.
func (g *Guards) protectError() { g.replace(native.Prototype(g.vm, "Error"), "toString", g.nested) }
