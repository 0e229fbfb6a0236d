package guard

import (
	"math"
	"math/big"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

func (g *Guards) checkString(n float64) {
	if n > float64(g.maxString) {
		g.refuse("the string would be longer than %d", g.maxString)
	}
}

func (g *Guards) checkArray(n float64) {
	if n > float64(g.maxItems) {
		g.refuse("the array would have more than %d items", g.maxItems)
	}
}

func (g *Guards) checkBigInt(bits float64) {
	if bits > maxBigInt {
		g.refuse("the BigInt would have more than %d bits", maxBigInt)
	}
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

// textOf returns v as a string. The library itself refuses undefined and null.
func textOf(v goja.Value) goja.Value {
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return v
	}
	return v.ToString()
}

// numeric makes the first argument a number and returns it.
func numeric(call *goja.FunctionCall) float64 {
	if len(call.Arguments) == 0 {
		return 0
	}
	n := call.Arguments[0].ToNumber()
	call.Arguments = append([]goja.Value{n}, call.Arguments[1:]...)
	return n.ToFloat()
}

// repeat and pad look at their this and argument once: an object may say something else when it is
// asked again.
func (g *Guards) repeat(call *goja.FunctionCall) {
	call.This = textOf(call.This)
	if n := numeric(call); !math.IsInf(n, 0) {
		g.checkString(n * textLength(call.This))
	}
}

func (g *Guards) pad(call *goja.FunctionCall) {
	call.This = textOf(call.This)
	g.checkString(numeric(call))
}

// bits is for BigInt.asIntN and asUintN, which make a BigInt of that many bits to compute with.
func (g *Guards) bits(call *goja.FunctionCall) { g.checkBigInt(numeric(call)) }

// within is for methods that go through an array, which may have nothing but a length.
func (g *Guards) within(call *goja.FunctionCall) { g.checkArray(lengthOf(call.This)) }

func (g *Guards) concat(call *goja.FunctionCall) {
	n := lengthOf(call.This)
	for _, arg := range call.Arguments {
		if o, ok := arg.(*goja.Object); ok && native.IsArray(o) {
			n += lengthOf(o)
		}
	}
	g.checkArray(n)
}

func (g *Guards) from(call *goja.FunctionCall) {
	g.within(&goja.FunctionCall{This: call.Argument(0)})
	if len(call.Arguments) > 0 {
		call.Arguments = append([]goja.Value{g.items(call.Arguments[0])}, call.Arguments[1:]...)
	}
}

// putJoin bounds how arrays become strings, which all of them do by join.
func (g *Guards) putJoin() {
	g.replace(native.Prototype(g.vm, "Array"), "join", func(f native.Func, call goja.FunctionCall) goja.Value {
		n := lengthOf(call.This)
		g.checkArray(n)
		if g.joins == 0 {
			g.joined = 0
		}
		g.joins++
		defer func() { g.joins-- }()
		separator := 1.0
		if arg := call.Argument(0); !goja.IsUndefined(arg) {
			call.Arguments = []goja.Value{arg.ToString()}
			separator = textLength(call.Arguments[0])
		}
		g.joined += separator * n
		if o, ok := call.This.(*goja.Object); ok && o.ClassName() == "Array" {
			g.lib.Keep()
			for _, item := range g.lib.Items(o) {
				g.joined += textLength(item)
			}
		}
		g.checkString(g.joined)
		return g.nested(f, call)
	})
}

// putItems bounds what is iterated to make an array, arguments, a Set or a Map.
func (g *Guards) putItems() {
	set, m := native.Class(g.vm, "Set"), native.Class(g.vm, "Map")
	g.define(syntax.BoundItems, native.New(g.vm, "", func(call goja.FunctionCall) goja.Value {
		if class := call.Argument(1); len(call.Arguments) > 1 && class != set && class != m {
			return call.Argument(0) // the chart has its own Set
		}
		return g.items(call.Argument(0))
	}))
}

// items returns what is iterated, or in its place an iterable that throws after too many items.
func (g *Guards) items(v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		return v
	}
	switch o.ExportType() {
	case native.TypeList, native.TypeMap:
		g.checkArray(lengthOf(o))
		return v
	}
	iterator := method(o.GetSymbol(goja.SymIterator))
	if iterator == nil {
		return v
	}
	bounded := g.vm.CreateObject(nil) // no setter of the chart can be in the way
	native.Must(bounded.SetSymbol(goja.SymIterator, native.New(g.vm, "", func(goja.FunctionCall) goja.Value {
		of := iterator(goja.FunctionCall{This: v})
		it, ok := of.(*goja.Object)
		if !ok {
			return of
		}
		next, count := method(it.Get("next")), 0
		if next == nil {
			return of
		}
		counting := g.vm.CreateObject(nil)
		native.Must(counting.Set("next", func(goja.FunctionCall) goja.Value {
			g.alive()
			count++
			g.checkArray(float64(count))
			return next(goja.FunctionCall{This: it})
		}))
		if end := method(it.Get("return")); end != nil {
			native.Must(counting.Set("return", func(goja.FunctionCall) goja.Value { return end(goja.FunctionCall{This: it}) }))
		}
		return counting
	})))
	return bounded
}

// method returns a value that is a function, and otherwise nil.
func method(v goja.Value) native.Func {
	if _, ok := goja.AssertFunction(v); !ok {
		return nil
	}
	f, _ := v.(*goja.Object).Export().(native.Func)
	return f
}

// putOperator bounds an operator of BigInts, which no limit of time can stop.
func (g *Guards) putOperator(name, operator string, bits func(a, b *big.Int) float64) {
	check := native.New(g.vm, "", func(call goja.FunctionCall) goja.Value {
		a, b := call.Argument(0), call.Argument(1)
		if a.ExportType() == native.TypeBigInt && b.ExportType() == native.TypeBigInt {
			g.checkBigInt(bits(a.Export().(*big.Int), b.Export().(*big.Int)))
		}
		return goja.Undefined()
	})
	f := native.Must1(g.vm.RunProgram(operators()[operator]))
	g.define(name, method(f)(goja.FunctionCall{Arguments: []goja.Value{check}}))
}

var operators = sync.OnceValue(func() map[string]*goja.Program {
	return map[string]*goja.Program{
		"**": goja.MustCompile("", "(function(check) { return function(a, b) { check(a, b); return a ** b } })", false),
		"<<": goja.MustCompile("", "(function(check) { return function(a, b) { check(a, b); return a << b } })", false),
	}
})

func powerBits(a, b *big.Int) float64 {
	if b.Sign() < 0 || a.BitLen() <= 1 {
		return 0
	}
	return float64(a.BitLen()-1) * toFloat(b)
}

func shiftBits(a, b *big.Int) float64 {
	if b.Sign() < 0 || a.Sign() == 0 {
		return 0
	}
	return float64(a.BitLen()) + toFloat(b)
}

func toFloat(n *big.Int) float64 {
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}
