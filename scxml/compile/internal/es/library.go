package es

import (
	"math"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// inherited are the properties that every value has.
var inherited = set("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
	"__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__")

// methods are those of strings and numbers besides.
var methods = set("at", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "lastIndexOf", "localeCompare",
	"match", "matchAll", "normalize", "padEnd", "padStart", "repeat", "replace", "replaceAll", "search", "slice", "split", "startsWith",
	"substr", "substring", "toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase", "trim", "trimEnd", "trimLeft", "trimRight",
	"trimStart", "toExponential", "toFixed", "toPrecision")

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, name := range names {
		m[name] = true
	}
	return m
}

var mathConstants = map[string]float64{
	"E": math.E, "LN10": math.Ln10, "LN2": math.Ln2, "LOG10E": math.Log10E, "LOG2E": math.Log2E,
	"PI": math.Pi, "SQRT1_2": math.Sqrt2 / 2, "SQRT2": math.Sqrt2,
}

var numberConstants = map[string]float64{
	"EPSILON": 0x1p-52, "MAX_SAFE_INTEGER": 1<<53 - 1, "MIN_SAFE_INTEGER": -(1<<53 - 1), "MAX_VALUE": math.MaxFloat64,
	"MIN_VALUE": math.SmallestNonzeroFloat64, "NaN": math.NaN(), "NEGATIVE_INFINITY": math.Inf(-1), "POSITIVE_INFINITY": math.Inf(1),
}

// A libraryFunction writes a call with evaluated arguments, unless it cannot.
type libraryFunction func(args []code) (code, bool)

// argument returns the i-th argument, or undefined.
func argument(args []code, i int) code {
	if i < len(args) {
		return args[i]
	}
	return constant(js.Value{})
}

// extra returns the arguments from the i-th one on, which are evaluated all the same.
func extra(args []code, i int) []code { return args[min(i, len(args)):] }

// function returns what x calls, if it is one of the functions that expressions may call, or nil. It
// reports whether it has looked at what x is a method of: that takes time, and must not be done twice at
// each level of an expression.
func (m emitter) function(x tree.Expr) (f libraryFunction, seen bool) {
	switch x := x.(type) {
	case *tree.Name:
		if m.isName(x, x.Name) {
			return globals[x.Name], false
		}
	case *tree.Member:
		switch {
		case x.Optional:
		case m.isName(x.Of, "Math"):
			return mathFunctions[x.Name], false
		case m.isName(x.Of, "Number"):
			return numberFunctions[x.Name], false
		case textMethods[x.Name]:
			return m.textMethod(x, m.value(x.Of)), true
		}
	}
	return nil, false
}

var textMethods = set("toString", "trim", "includes", "startsWith", "endsWith", "indexOf", "charAt", "slice", "substring")

var globals = map[string]libraryFunction{
	"Number": func(args []code) (code, bool) {
		if len(args) == 0 {
			return numberConst(0), true
		}
		return after(args[0].asNumber(), extra(args, 1)...), true
	},
	"String": func(args []code) (code, bool) {
		if len(args) == 0 {
			return textConst(""), true
		}
		return after(args[0].asText(), extra(args, 1)...), true
	},
	"Boolean":    func(args []code) (code, bool) { return after(argument(args, 0).asTruth(), extra(args, 1)...), true },
	"isNaN":      predicate("js.IsNaN", js.IsNaN),
	"isFinite":   predicate("js.IsFinite", js.IsFinite),
	"parseFloat": parseFloat,
	"parseInt":   parseInt,
}

var numberFunctions = map[string]libraryFunction{
	"isInteger":  ofNumbers("js.IsInteger", js.IsInteger),
	"isFinite":   ofNumbers("js.IsFinite", js.IsFinite),
	"isNaN":      ofNumbers("js.IsNaN", js.IsNaN),
	"parseFloat": parseFloat,
	"parseInt":   parseInt,
}

var mathFunctions = map[string]libraryFunction{
	"abs":   unaryFunction("js.Abs", js.Abs),
	"ceil":  unaryFunction("js.Ceil", js.Ceil),
	"floor": unaryFunction("js.Floor", js.Floor),
	"round": unaryFunction("js.Round", js.Round),
	"sign":  unaryFunction("js.Sign", js.Sign),
	"sqrt":  unaryFunction("js.Sqrt", js.Sqrt),
	"trunc": unaryFunction("js.Trunc", js.Trunc),
	"max":   variadic("js.Max", math.Inf(-1), func(x, y float64) float64 { return max(x, y) }),
	"min":   variadic("js.Min", math.Inf(1), func(x, y float64) float64 { return min(x, y) }),
	"pow": func(args []code) (code, bool) {
		return after(numeric(argument(args, 0), "js.Pow", argument(args, 1), js.Pow), extra(args, 2)...), true
	},
}

func unaryFunction(name string, fold func(float64) float64) libraryFunction {
	return func(args []code) (code, bool) {
		x := argument(args, 0).asNumber()
		if x.konst != nil {
			return after(numberConst(fold(x.konst.Number())), extra(args, 1)...), true
		}
		return after(call(repNumber, Number, name, x), extra(args, 1)...), true
	}
}

func predicate(name string, fold func(float64) bool) libraryFunction {
	return func(args []code) (code, bool) {
		x := argument(args, 0).asNumber()
		if x.konst != nil {
			return after(boolConst(fold(x.konst.Number())), extra(args, 1)...), true
		}
		return after(call(repBool, Bool, name, x), extra(args, 1)...), true
	}
}

// ofNumbers is a predicate that is false for all but numbers.
func ofNumbers(name string, fold func(float64) bool) libraryFunction {
	ofNumber := predicate(name, fold)
	return func(args []code) (code, bool) {
		x := argument(args, 0)
		switch {
		case x.typ == Number:
			return ofNumber(args)
		case x.typ&Number == 0 && x.typ != 0:
			return after(boolConst(false), args...), true
		}
		return code{}, false
	}
}

// variadic is Math.max or Math.min, for which Go's functions have the rules of ECMAScript.
func variadic(name string, none float64, fold func(x, y float64) float64) libraryFunction {
	return func(args []code) (code, bool) {
		if len(args) == 0 {
			return numberConst(none), true
		}
		all, constants := make([]code, len(args)), true
		value := none
		for i, a := range args {
			if all[i] = a.asNumber(); all[i].konst == nil {
				constants = false
			} else {
				value = fold(value, all[i].konst.Number())
			}
		}
		switch {
		case constants:
			return numberConst(value), true
		case len(all) == 1:
			return all[0], true
		}
		return call(repNumber, Number, name, all...), true
	}
}

func parseFloat(args []code) (code, bool) {
	x := argument(args, 0).asText()
	if x.konst != nil {
		return after(numberConst(js.ParseFloat(x.konst.Text())), extra(args, 1)...), true
	}
	return after(call(repNumber, Number, "js.ParseFloat", x), extra(args, 1)...), true
}

func parseInt(args []code) (code, bool) {
	x, radix := argument(args, 0).asText(), numberConst(0)
	if len(args) > 1 {
		radix = args[1].asNumber()
	}
	if x.konst != nil && radix.konst != nil {
		return after(numberConst(js.ParseInt(x.konst.Text(), radix.konst.Number())), extra(args, 2)...), true
	}
	return after(call(repNumber, Number, "js.ParseInt", x, radix), extra(args, 2)...), true
}

// textMethod returns the method x of s, if that is a string.
func (m emitter) textMethod(x *tree.Member, s code) libraryFunction {
	switch {
	case x.Name == "toString" && s.typ&(nullish|objects) == 0 && s.typ != 0:
		return func(args []code) (code, bool) { return s.asText(), len(args) == 0 }
	case s.typ != String:
		return nil
	}
	s = s.asText()
	end := call(repNumber, Number, "js.Infinity")
	number := func(args []code, i int, otherwise code) code {
		if i < len(args) && (args[i].konst == nil || args[i].typ != Undefined) {
			return args[i].asNumber()
		}
		return otherwise
	}
	of := func(r rep, typ Type, name string, args ...code) (code, bool) {
		c := call(r, typ, name, append([]code{s}, args...)...)
		return c, true
	}
	return func(args []code) (code, bool) {
		for _, a := range args { // undefined as the end of a part is not 0
			if (x.Name == "slice" || x.Name == "substring") && a.typ&Undefined != 0 && a.konst == nil {
				return code{}, false
			}
		}
		one := len(args) == 1
		switch x.Name {
		case "trim":
			c, _ := of(repString, String, "js.Trim")
			return after(c, args...), true
		case "includes":
			c, _ := of(repBool, Bool, "js.Includes", argument(args, 0).asText())
			return c, one
		case "startsWith":
			c, _ := of(repBool, Bool, "js.StartsWith", argument(args, 0).asText())
			return c, one
		case "endsWith":
			c, _ := of(repBool, Bool, "js.EndsWith", argument(args, 0).asText())
			return c, one
		case "indexOf":
			c, _ := of(repNumber, Number, "js.IndexOf", argument(args, 0).asText())
			return c, one
		case "charAt":
			c, _ := of(repString, String, "js.CharAt", number(args, 0, numberConst(0)))
			return c, len(args) <= 1
		case "slice":
			c, _ := of(repString, String, "js.Slice", number(args, 0, numberConst(0)), number(args, 1, end))
			return c, len(args) <= 2
		}
		c, _ := of(repString, String, "js.Substring", number(args, 0, numberConst(0)), number(args, 1, end))
		return c, len(args) <= 2
	}
}
