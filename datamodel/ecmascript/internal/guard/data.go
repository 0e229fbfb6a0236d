package ecmascript

import (
	"math"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// protectJoin bounds how arrays become strings. All of it comes down to these
// two, since toString calls join.
func (st *store) protectJoin() {
	array := st.prototype("Array")
	st.replace(array, "toLocaleString", st.nested)
	st.replace(array, "join", func(f native, call goja.FunctionCall) goja.Value {
		st.checkArray(lengthOf(call.This))
		v := st.nested(f, call)
		st.checkString(textLength(v))
		return v
	})
}

// protectArray bounds what makes one large array at a stroke.
func (st *store) protectArray() {
	array := st.prototype("Array")
	st.replace(array, "fill", st.within)
	st.replace(array, "concat", func(f native, call goja.FunctionCall) goja.Value {
		n := lengthOf(call.This)
		for _, arg := range call.Arguments {
			if o, ok := arg.(*goja.Object); ok && isArray(o) {
				n += lengthOf(o)
			}
		}
		st.checkArray(n)
		return f(call)
	})
	if class := st.class("Array"); class != nil {
		st.replace(class, "from", func(f native, call goja.FunctionCall) goja.Value {
			st.checkArray(lengthOf(call.Argument(0)))
			return f(call)
		})
	}
}

// arrayMethods are the methods of arrays that go through an array, also one that
// has nothing but a length: the library takes each index for itself, and does not
// look whether it is to stop. The first ones make as many items at a stroke.
//
// A guard takes a microsecond and 2 KB, and so only those get one that code of
// the session spells; and but for the first ones only if there is code that could
// come by such a length, see guardLength.
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

// boundMethods puts guards before the methods that have none and are to have one.
func (st *store) boundMethods() {
	missing := st.methods &^ st.guarded
	if st.up&guardLength == 0 {
		missing &= atOnce
	}
	st.guarded |= missing
	for i, name := range arrayMethods {
		if missing&(1<<i) != 0 {
			st.replace(st.prototype("Array"), name, st.within)
		}
	}
}

// protectApply bounds how many arguments are made of an array.
func (st *store) protectApply() {
	bound := func(holder *goja.Object, name string, i int) {
		st.replace(holder, name, func(f native, call goja.FunctionCall) goja.Value {
			st.checkArray(lengthOf(call.Argument(i)))
			return f(call)
		})
	}
	bound(st.prototype("Function"), "apply", 1)
	bound(st.class("Reflect"), "apply", 2)
	bound(st.class("Reflect"), "construct", 1)
}

// within is the guard of a method of arrays.
func (st *store) within(f native, call goja.FunctionCall) goja.Value {
	st.checkArray(lengthOf(call.This))
	return f(call)
}

func (st *store) protectFlat() {
	st.keep()
	st.replace(st.prototype("Array"), "flat", st.flat)
}

// flat takes one level away at a time, so that no level gets too large.
func (st *store) flat(f native, call goja.FunctionCall) goja.Value {
	depth := int64(1)
	if arg := call.Argument(0); !goja.IsUndefined(arg) {
		depth = min(arg.ToInteger(), maxNested)
	}
	this, one := call.This, st.vm.ToValue(1)
	for {
		st.alive()
		n, nested := 0.0, false
		if o, ok := this.(*goja.Object); ok && depth > 0 {
			st.checkArray(lengthOf(o))
			for _, item := range rethrow(st.elements(o)) {
				if o, ok := item.(*goja.Object); ok && isArray(o) {
					n += lengthOf(o)
					nested = true
				} else {
					n++
				}
			}
			st.checkArray(n)
		}
		if !nested || depth <= 1 {
			return f(goja.FunctionCall{This: this, Arguments: []goja.Value{st.vm.ToValue(min(depth, 1))}})
		}
		this = f(goja.FunctionCall{This: this, Arguments: []goja.Value{one}})
		depth--
	}
}

// protectString bounds what makes long strings.
func (st *store) protectString() {
	proto := st.prototype("String")
	st.replace(proto, "repeat", func(f native, call goja.FunctionCall) goja.Value {
		call.This, call.Arguments = st.textOf(call.This), numeric(call.Arguments)
		if n := call.Argument(0).ToFloat(); !math.IsInf(n, 0) {
			st.checkString(n * textLength(call.This))
		}
		return f(call)
	})
	for _, name := range []string{"padStart", "padEnd"} {
		st.replace(proto, name, func(f native, call goja.FunctionCall) goja.Value {
			call.This, call.Arguments = st.textOf(call.This), numeric(call.Arguments)
			st.checkString(call.Argument(0).ToFloat())
			return f(call)
		})
	}
	st.replace(proto, "concat", func(f native, call goja.FunctionCall) goja.Value {
		call.This = st.textOf(call.This)
		args := make([]goja.Value, len(call.Arguments))
		n := textLength(call.This)
		for i, arg := range call.Arguments {
			args[i] = arg.ToString()
			n += textLength(args[i])
		}
		st.checkString(n)
		call.Arguments = args
		return f(call)
	})
}

// textOf returns v as a string. The library itself refuses undefined and null.
func (st *store) textOf(v goja.Value) goja.Value {
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return v
	}
	return v.ToString()
}

// numeric returns args with a number in the first place.
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

func (st *store) checkString(n float64) {
	if n > maxString {
		st.refuse("the string would be longer than %d", maxString)
	}
}

func (st *store) checkArray(n float64) {
	if n > maxArray {
		st.refuse("the array would have more than %d items", maxArray)
	}
}

// protectBuffer bounds memory that is asked for by number.
func (st *store) protectBuffer() {
	check := func(args []goja.Value) []goja.Value {
		if len(args) == 0 {
			return args
		}
		o, ok := args[0].(*goja.Object)
		switch {
		case !ok:
			args = numeric(args)
			st.checkArray(args[0].ToFloat())
		case o.ExportType() != typeBuffer:
			st.checkArray(lengthOf(o))
		}
		return args
	}
	for _, name := range typedArrays {
		st.replaceGlobal(name, check)
	}
	st.replaceGlobal("ArrayBuffer", func(args []goja.Value) []goja.Value {
		if args = numeric(args); len(args) > 0 {
			st.checkString(args[0].ToFloat())
		}
		return args
	})
}

// protectBind bounds chains of bound functions, and counts the calls of those
// that lead to the library: one that is bound to an object whose method it is
// calls itself without a script in between.
func (st *store) protectBind() {
	st.bound = goja.NewSymbol("bound")
	source, ok := st.prototype("Function").Get("toString").(*goja.Object).Export().(native)
	if !ok {
		return
	}
	st.replace(st.prototype("Function"), "bind", func(f native, call goja.FunctionCall) goja.Value {
		target, ok := call.This.(*goja.Object)
		invoke, callable := goja.AssertFunction(call.This)
		if !ok || !callable {
			return f(call)
		}
		if target.ExportType() != typeProxy && !strings.Contains(source(goja.FunctionCall{This: target}).String(), "[native code]") {
			return f(call) // a function of the script
		}
		callTarget := func(call goja.FunctionCall) goja.Value { return rethrow(invoke(call.This, call.Arguments...)) }
		depth := int64(1)
		if n := target.GetSymbol(st.bound); n != nil {
			depth += n.ToInteger()
		}
		if depth > maxNested {
			st.refuse("functions are bound more than %d times", maxNested)
		}
		traps := &goja.ProxyTrapConfig{
			Apply: func(_ *goja.Object, this goja.Value, args []goja.Value) goja.Value {
				return st.nested(callTarget, goja.FunctionCall{This: this, Arguments: args})
			},
			GetSym: st.instanceOf(target),
		}
		call.This = st.vm.ToValue(st.vm.NewProxy(target, traps))
		out := f(call)
		must(out.(*goja.Object).DefineDataPropertySymbol(st.bound, st.vm.ToValue(depth), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
		return out
	})
}

// protectProxy bounds how many objects an access to a proxy can lead to.
func (st *store) protectProxy() {
	class := st.class("Proxy")
	if class == nil {
		return
	}
	check := func(args []goja.Value) []goja.Value {
		left := maxNested
		for _, arg := range args[:min(len(args), 2)] {
			st.follow(arg, nil, &left)
		}
		return args
	}
	st.replaceGlobal("Proxy", check)
	st.replace(class, "revocable", func(f native, call goja.FunctionCall) goja.Value {
		check(call.Arguments)
		return f(call)
	})
	// An object may not come, through proxies, to have itself for its prototype.
	// goja sees only a cycle without them.
	guard := func(f native, call goja.FunctionCall) goja.Value {
		left := maxNested
		if o, ok := call.Argument(0).(*goja.Object); ok {
			st.follow(call.Argument(1), o, &left)
		}
		return f(call)
	}
	st.replace(st.class("Object"), "setPrototypeOf", guard)
	st.replace(st.class("Reflect"), "setPrototypeOf", guard)
	accessor := must1(st.vm.RunProgram(protoAccessor())).(*goja.Object)
	f, ok := accessor.Get("1").(*goja.Object).Export().(native)
	if !ok {
		return
	}
	set := st.function("set __proto__", func(call goja.FunctionCall) goja.Value {
		left := maxNested
		if o, ok := call.This.(*goja.Object); ok {
			st.follow(call.Argument(0), o, &left)
		}
		return f(call)
	})
	_ = st.prototype("Object").DefineAccessorProperty("__proto__", accessor.Get("0"), set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// protoAccessor yields the getter and the setter of __proto__.
var protoAccessor = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", "(d=>[d.get,d.set])(Object.getOwnPropertyDescriptor(Object.prototype,'__proto__'))", true)
})

// follow goes from v to prototypes and through proxies, and throws if that
// leads to a proxy and then to o, or to too many objects.
func (st *store) follow(v goja.Value, o *goja.Object, left *int) {
	for p, ok := v.(*goja.Object); ok && p != nil; p = p.Prototype() {
		if *left--; *left < 0 {
			st.refuse("more than %d proxies and prototypes stand one behind the other", maxNested)
		}
		if p == o {
			panic(st.vm.NewTypeError("Cyclic __proto__ value"))
		}
		if p.ExportType() != typeProxy {
			continue
		}
		proxy := p.Export().(goja.Proxy)
		if proxy.Target() != nil {
			st.follow(proxy.Target(), o, left)
			st.follow(proxy.Handler(), o, left)
		}
		return
	}
}

// protectGenerator counts the nesting of generators that delegate to others,
// which is no nesting of calls for goja.
func (st *store) protectGenerator() {
	others := must1(st.vm.RunProgram(generatorPrototypes())).(*goja.Object)
	proto, _ := others.Get("0").(*goja.Object).Get("prototype").(*goja.Object)
	for _, name := range []string{"next", "return", "throw"} {
		st.replace(proto, name, st.nested)
	}
}

// protectError counts the nesting where an error becomes a string by way of its
// message, which may be the error.
func (st *store) protectError() { st.replace(st.prototype("Error"), "toString", st.nested) }
