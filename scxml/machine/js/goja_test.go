package js_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// The library is compared with that of the interpreter: random receivers, arguments and functions, of which results, changes
// of the receiver and errors have to be the same, but for the differences that are listed.

var cases = flag.Int("js.cases", 4000, "random calls that are compared with the interpreter")
var seed = flag.Uint64("js.seed", 47, "of the random calls")

// A host is a session as far as a store can see it.
type host struct{}

func (host) In(string) bool                        { return false }
func (host) Name() string                          { return "chart" }
func (host) SessionID() string                     { return "session" }
func (host) IOProcessors() []datamodel.IOProcessor { return nil }
func (host) Now() time.Time                        { return time.UnixMilli(0) }
func (host) Random() float64                       { return 0.5 }
func (host) ScriptTime() time.Duration             { return time.Minute }
func (host) MacrostepTime() time.Duration          { return 0 }
func (host) CallDepth() int                        { return 200 }

func compiled(kind datamodel.Kind, text string) datamodel.Expr {
	e, _ := ecmascript.New().Compile(kind, datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: 1, Col: 1}})
	return e
}

// newInterpreter returns a function that evaluates an expression whose value is a string, after some declarations.
func newInterpreter(t testing.TB, script string) func(text string) string {
	st, err := ecmascript.New().NewStore(host{})
	if err != nil {
		t.Fatal(err)
	}
	st.Begin(context.Background())
	t.Cleanup(st.End)
	if err := st.Run(compiled(datamodel.Script, script)); err != nil {
		t.Fatal(err)
	}
	return func(text string) string {
		v, err := st.Value(compiled(datamodel.ValueExpr, text))
		if err != nil {
			return "failed: " + err.Error()
		}
		return v.(string)
	}
}

// declarations are a function that shows a value so that two that differ look different, and one that shows what
// happens to an object.
const declarations = `
function show(v, open) {
	open = open || [];
	if (typeof v === "function") return "function";
	if (typeof v === "string") return JSON.stringify(v);
	if (typeof v !== "object" || v === null) return Object.is(v, -0) ? "-0" : String(v);
	if (open.indexOf(v) >= 0) return "again";
	open.push(v);
	var parts = [];
	if (Array.isArray(v)) for (var i = 0; i < v.length; i++) parts.push(i in v ? show(v[i], open) : "hole");
	var names = Object.keys(v);
	for (var i = 0; i < names.length; i++) if (!Array.isArray(v) || !(names[i] in parts)) parts.push(show(names[i]) + ":" + show(v[names[i]], open));
	open.pop();
	return v instanceof Error ? "Error(" + v + ")" : Array.isArray(v) ? "[" + parts.join() + "]" : "{" + parts.join() + "}";
}
function tried(r, f) {
	var out;
	try { out = show(f(r)) } catch (e) { out = "throws " + e }
	return out + " leaves " + show(r);
}`

// show does the same with a Value.
func show(v js.Value, open ...js.Value) string {
	switch v.Type() {
	case js.TypeString:
		return js.Stringify(v, js.Value{}, js.Value{}).Text()
	case js.TypeObject:
	default:
		if js.ObjectIs(v, js.Number(js.NegativeZero())) {
			return "-0"
		}
		return v.ToText()
	}
	if v.TypeOf() == "function" {
		return "function"
	}
	for _, outer := range open {
		if js.StrictEqual(outer, v) {
			return "again"
		}
	}
	open = append(open, v)
	var parts []string
	if js.IsArray(v) {
		for i := range int(js.Get(v, "length").Number()) {
			if js.Has(js.Number(float64(i)), v) {
				parts = append(parts, show(js.At(v, float64(i)), open...))
			} else {
				parts = append(parts, "hole")
			}
		}
	}
	n := len(parts)
	for _, name := range js.Keys(v) {
		if i, err := strconv.Atoi(name); !js.IsArray(v) || err != nil || i < 0 || i >= n || strconv.Itoa(i) != name {
			parts = append(parts, show(js.String(name))+":"+show(js.Get(v, name), open...))
		}
	}
	text := strings.Join(parts, ",")
	switch {
	case js.IsArray(v):
		return "[" + text + "]"
	case js.IsError(v):
		return "Error(" + v.ToText() + ")"
	}
	return "{" + text + "}"
}

// tried does the same as the function of that name above.
func tried(r js.Value, f func(r js.Value) js.Value) (out string) {
	thrown, failed := js.Try(func() { out = show(f(r)) })
	if failed {
		out = "throws " + thrown.ToText()
	}
	return out + " leaves " + show(r)
}

// An operand is a value, and the expression that makes it.
type operand struct {
	text string
	v    js.Value
}

// literal returns the expression for a value. Its holes are those of arrays.
func literal(v js.Value) string {
	switch {
	case v.Type() == js.TypeString:
		return quoted(v.Text())
	case js.IsArray(v):
		text := "["
		for i := range int(js.Get(v, "length").Number()) {
			if js.Has(js.Number(float64(i)), v) {
				text += literal(js.At(v, float64(i)))
			}
			text += ","
		}
		return text + "]"
	case v.Type() == js.TypeObject:
		var parts []string
		for _, name := range js.Keys(v) {
			parts = append(parts, quoted(name)+":"+literal(js.Get(v, name)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return show(v)
}

func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return `"` + b.String() + `"`
}

var someNumbers = []float64{
	0, js.NegativeZero(), 1, -1, 2, -2, 3, 5, 9, 10, 16, 36, 37, 100, 101, 255, 0.5, -0.5, 1.5, 2.5, -1.5, 0.1, 0.3, 1.005, 1e-6, 1e-7, 123.456, 25, 1e15, 1e20, 1e21, -1e21,
	1 << 31, 1 << 32, 1<<53 - 1, 1 << 53, 1 << 63, js.NaN(), js.Infinity(), -js.Infinity(), 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 4.35, 1e300, 65, 0x1f600, 0xd83d,
}

var someTexts = []string{
	"", "a", "b", "ab", "abc", "B", "aXbXc", "X", ",", "a,b,,c", "0", "-0", "1", "-1", "10", "9", "1.5", "2", "length", "x", " a ", "\ufeff\u2003a\u00a0", "Infinity", "NaN", "null", "undefined",
	"é", "ß", "ΑΣ Σ", "İ", "\U0001f600", "x\U0001f600y", "\U0001f600\U0001f601", "\uffff", "日本語", "$&-$`-$'-$$-$1-$<a>-$", "aaa", "a\"\\\n\u0001", "abcabc", "Hello, world",
}

var someNames = []string{"x", "y", "a", "b", "name", "id", "10", "9", "2", "1", "0", "01", "-1", "1.5", "length", "", "é", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"}

type generator struct{ *rand.Rand }

func pick[T any](g generator, list []T) T { return list[g.IntN(len(list))] }

func (g generator) number() js.Value {
	switch g.IntN(16) {
	case 0, 1, 2:
		return js.Number(pick(g, someNumbers))
	case 3, 4, 5:
		return js.Number(float64(g.IntN(200)-100) / float64(int(1)<<g.IntN(4)))
	case 6:
		return js.Number(math.Float64frombits(g.Uint64()))
	case 7:
		return js.Number(float64(g.IntN(100_000)-50_000) / math.Pow(10, float64(g.IntN(9))))
	}
	return js.Number(float64(g.IntN(8) - 2))
}

func (g generator) text() js.Value {
	if g.IntN(3) == 0 {
		return js.String(pick(g, someTexts) + pick(g, someTexts))
	}
	return js.String(pick(g, someTexts))
}

func (g generator) array(depth int) js.Value {
	kind, items := g.IntN(6), []js.Value{}
	for range g.IntN(7) {
		var item js.Value
		switch kind {
		case 0:
			item = g.number()
		case 1:
			item = g.text()
		default:
			item = g.value(depth - 1)
		}
		if kind == 5 && g.IntN(3) == 0 {
			item = js.Hole()
		}
		items = append(items, item)
	}
	return js.Array(items...)
}

func (g generator) object(depth int) js.Value {
	o := js.NewObject()
	n := g.IntN(4)
	if g.IntN(10) == 0 {
		n = 20
	}
	for range n {
		o.With(pick(g, someNames), g.value(depth-1))
	}
	return o.Value()
}

func (g generator) value(depth int) js.Value {
	switch n := g.IntN(14); {
	case n < 4:
		return g.number()
	case n < 7:
		return g.text()
	case n < 8:
		return js.Value{}
	case n < 9:
		return js.NullValue()
	case n < 10:
		return js.Bool(g.IntN(2) == 0)
	case depth <= 0:
		return g.number()
	case n < 12:
		return g.array(depth)
	}
	return g.object(depth)
}

func of(v js.Value) operand { return operand{literal(v), v} }

// functions are arguments of methods.
var functions = []struct {
	text string
	f    js.Func
}{
	{"x => x", func(a []js.Value) js.Value { return js.Arg(a, 0) }},
	{"(x, i) => i", func(a []js.Value) js.Value { return js.Arg(a, 1) }},
	{"(x, i, a) => a.length", func(a []js.Value) js.Value { return js.Get(js.Arg(a, 2), "length") }},
	{"x => typeof x === 'number'", func(a []js.Value) js.Value { return js.Bool(js.Arg(a, 0).Type() == js.TypeNumber) }},
	{"(x, i) => i % 2 === 0", func(a []js.Value) js.Value { return js.Bool(js.Mod(js.Arg(a, 1).ToNumber(), 2) == 0) }},
	{"(x, i, a) => { if (Array.isArray(a) && a.length < 9) a.push(i); return x }", func(a []js.Value) js.Value {
		if list := js.Arg(a, 2); js.IsArray(list) && js.Get(list, "length").Number() < 9 {
			js.Method(list, "push", js.Arg(a, 1))
		}
		return js.Arg(a, 0)
	}},
	{"(x, i, a) => { if (Array.isArray(a)) a.pop(); return i }", func(a []js.Value) js.Value {
		if list := js.Arg(a, 2); js.IsArray(list) {
			js.Method(list, "pop")
		}
		return js.Arg(a, 1)
	}},
	{"x => { if (x === undefined) throw new RangeError('none'); return x }", func(a []js.Value) js.Value {
		if js.Arg(a, 0).IsUndefined() {
			js.ThrowValue(js.NewError("RangeError", "none"))
		}
		return js.Arg(a, 0)
	}},
	{"(a, b) => a - b", func(a []js.Value) js.Value { return js.Number(js.Arg(a, 0).ToNumber() - js.Arg(a, 1).ToNumber()) }},
	{"(a, b) => a < b", func(a []js.Value) js.Value { return js.Bool(js.Less(js.Arg(a, 0), js.Arg(a, 1))) }},
	{"(a, b) => a > b ? 1 : a < b ? -1 : 0", func(a []js.Value) js.Value {
		return js.Number(js.BoolNumber(js.Less(js.Arg(a, 1), js.Arg(a, 0))) - js.BoolNumber(js.Less(js.Arg(a, 0), js.Arg(a, 1))))
	}},
	{"(a, b) => b", func(a []js.Value) js.Value { return js.Arg(a, 1) }},
	{"(a, b) => a + b", func(a []js.Value) js.Value { return js.Add(js.Arg(a, 0), js.Arg(a, 1)) }},
	{"x => [x, x]", func(a []js.Value) js.Value { return js.Array(js.Arg(a, 0), js.Arg(a, 0)) }},
	{"() => undefined", func([]js.Value) js.Value { return js.Value{} }},
	{"x => String(x).length", func(a []js.Value) js.Value { return js.Number(js.Length(js.Arg(a, 0).ToText())) }},
}

func (g generator) function() operand {
	f := pick(g, functions)
	return operand{"(" + f.text + ")", js.Function(f.f)}
}

// arguments returns those of a method that likes functions or not.
func (g generator) arguments(likesFunctions bool) (list []operand) {
	for i := range g.IntN(4) {
		switch {
		case likesFunctions && i == 0 && g.IntN(8) > 0:
			list = append(list, g.function())
		case g.IntN(2) == 0:
			list = append(list, of(js.Number(float64(g.IntN(8)-3))))
		default:
			list = append(list, of(g.value(2)))
		}
	}
	return list
}

func texts(list []operand) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.text
	}
	return strings.Join(parts, ", ")
}

func values(list []operand) []js.Value {
	parts := make([]js.Value, len(list))
	for i, a := range list {
		parts[i] = a.v
	}
	return parts
}

// A call is a random one: an expression that has r as a parameter, and the same in Go.
type call struct {
	r    operand
	text string
	run  func(r js.Value) js.Value
}

func (c call) String() string { return "tried(" + c.r.text + ", r => " + c.text + ")" }

var arrayMethods = strings.Fields("at concat copyWithin every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join lastIndexOf map pop push " +
	"reduce reduceRight reverse shift slice some sort splice toLocaleString toReversed toSorted toSpliced toString unshift valueOf with hasOwnProperty propertyIsEnumerable none")

var withFunctions = map[string]bool{"every": true, "filter": true, "find": true, "findIndex": true, "findLast": true, "findLastIndex": true, "flatMap": true, "forEach": true, "map": true,
	"reduce": true, "reduceRight": true, "some": true, "sort": true, "toSorted": true}

var textMethods = strings.Fields("at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare padEnd padStart repeat replace replaceAll slice split startsWith substr " +
	"substring toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase trim trimEnd trimLeft trimRight trimStart valueOf hasOwnProperty none")

var numberMethods = strings.Fields("toExponential toFixed toPrecision toString toLocaleString valueOf hasOwnProperty none")

func (g generator) method() call {
	var r js.Value
	name := ""
	switch g.IntN(9) {
	case 0, 1, 2, 3:
		r, name = g.array(2), pick(g, arrayMethods)
	case 4, 5:
		r, name = g.text(), pick(g, textMethods)
	case 6:
		r, name = g.number(), pick(g, numberMethods)
	case 7:
		r, name = g.object(2), pick(g, []string{"toString", "valueOf", "hasOwnProperty", "propertyIsEnumerable", "none", "x"})
	default:
		r, name = g.value(2), pick(g, append(arrayMethods, textMethods...))
	}
	args := g.arguments(withFunctions[name])
	if (name == "replace" || name == "replaceAll") && len(args) > 1 {
		args[0] = of(js.String(pick(g, []string{"", "a", "b", "X", "é", "\U0001f600"})))
		if g.IntN(3) == 0 {
			args[1] = g.function()
		} else {
			args[1] = of(g.text())
		}
	}
	return call{of(r), "r." + name + "(" + texts(args) + ")", func(r js.Value) js.Value { return js.Method(r, name, values(args)...) }}
}

// statics are functions of the objects of the library.
var statics = []struct {
	name  string
	f     func(a []js.Value) js.Value
	likes bool // functions, as the second argument
}{
	{"Object.keys", func(a []js.Value) js.Value { return js.ObjectKeys(js.Arg(a, 0)) }, false},
	{"Object.values", func(a []js.Value) js.Value { return js.ObjectValues(js.Arg(a, 0)) }, false},
	{"Object.entries", func(a []js.Value) js.Value { return js.ObjectEntries(js.Arg(a, 0)) }, false},
	{"Object.assign", func(a []js.Value) js.Value {
		return js.ObjectAssign(js.Arg(a, 0), a[min(1, len(a)):]...)
	}, false},
	{"Object.fromEntries", func(a []js.Value) js.Value { return js.ObjectFromEntries(js.Arg(a, 0)) }, false},
	{"Object.is", func(a []js.Value) js.Value { return js.Bool(js.ObjectIs(js.Arg(a, 0), js.Arg(a, 1))) }, false},
	{"Object.hasOwn", func(a []js.Value) js.Value { return js.Bool(js.ObjectHasOwn(js.Arg(a, 0), js.Arg(a, 1))) }, false},
	{"Array.from", func(a []js.Value) js.Value { return js.ArrayFrom(js.Arg(a, 0), js.Arg(a, 1)) }, true},
	{"Array.of", func(a []js.Value) js.Value { return js.Array(a...) }, false},
	{"Array.isArray", func(a []js.Value) js.Value { return js.Bool(js.IsArray(js.Arg(a, 0))) }, false},
	{"Array", func(a []js.Value) js.Value { return js.NewArray(a...) }, false},
	{"String.fromCharCode", func(a []js.Value) js.Value { return js.String(js.FromCharCode(a...)) }, false},
	{"String.fromCodePoint", func(a []js.Value) js.Value { return js.String(js.FromCodePoint(a...)) }, false},
	{"JSON.stringify", func(a []js.Value) js.Value { return js.Stringify(js.Arg(a, 0), js.Arg(a, 1), js.Arg(a, 2)) }, true},
	{"JSON.parse", func(a []js.Value) js.Value { return js.ParseJSON(js.Arg(a, 0), js.Arg(a, 1)) }, true},
	{"Number.isSafeInteger", func(a []js.Value) js.Value {
		return js.Bool(js.Arg(a, 0).Type() == js.TypeNumber && js.IsSafeInteger(js.Arg(a, 0).Number()))
	}, false},
	{"Math.acos", ofNumber(js.Acos), false}, {"Math.acosh", ofNumber(js.Acosh), false}, {"Math.asin", ofNumber(js.Asin), false}, {"Math.asinh", ofNumber(js.Asinh), false},
	{"Math.atan", ofNumber(js.Atan), false}, {"Math.atanh", ofNumber(js.Atanh), false}, {"Math.cbrt", ofNumber(js.Cbrt), false}, {"Math.cos", ofNumber(js.Cos), false},
	{"Math.cosh", ofNumber(js.Cosh), false}, {"Math.exp", ofNumber(js.Exp), false}, {"Math.expm1", ofNumber(js.Expm1), false}, {"Math.log", ofNumber(js.Log), false},
	{"Math.log10", ofNumber(js.Log10), false}, {"Math.log1p", ofNumber(js.Log1p), false}, {"Math.log2", ofNumber(js.Log2), false}, {"Math.sin", ofNumber(js.Sin), false},
	{"Math.sinh", ofNumber(js.Sinh), false}, {"Math.tan", ofNumber(js.Tan), false}, {"Math.tanh", ofNumber(js.Tanh), false}, {"Math.clz32", ofNumber(js.Clz32), false},
	{"Math.fround", ofNumber(js.Fround), false},
	{"Math.atan2", func(a []js.Value) js.Value {
		return js.Number(js.Atan2(js.Arg(a, 0).ToNumber(), js.Arg(a, 1).ToNumber()))
	}, false},
	{"Math.imul", func(a []js.Value) js.Value {
		return js.Number(js.Imul(js.Arg(a, 0).ToNumber(), js.Arg(a, 1).ToNumber()))
	}, false},
	{"Math.hypot", func(a []js.Value) js.Value {
		numbers := make([]float64, len(a))
		for i := range a {
			numbers[i] = a[i].ToNumber()
		}
		return js.Number(js.Hypot(numbers...))
	}, false},
	{"String", func(a []js.Value) js.Value { return js.String(append(a, js.String(""))[0].ToText()) }, false},
	{"Number", func(a []js.Value) js.Value { return js.Number(append(a, js.Number(0))[0].ToNumber()) }, false},
}

func ofNumber(f func(float64) float64) func(a []js.Value) js.Value {
	return func(a []js.Value) js.Value { return js.Number(f(js.Arg(a, 0).ToNumber())) }
}

// brokenJSON are texts that JSON.parse does not read, and some that it does.
var brokenJSON = strings.Fields(`{ [ ] } , : " {"a" {"a":1 {"a":1, {"a":1,} {"a"1} {"a":} {a:1} {1:2} {,} [1 [1, [1,] [,1] [1:2] [1"a"] [1}] {"a":1]} {"a":1"b"} tru trux truex true1 nul falsy f - -a 1. 1.a 1e 1e+ 1ea 01 +1 .5 NaN
	"a "\x" "\u12" "\u12g4" "\ud83d" "\ud83d\ude00" "\ude00\ud83dx" "é" é ' 1,2 1[ 1{ 1"a" 1null 1true 1x 1] 1e6,2 2e6 [1]1e21 1e22 0.1 -0 [-0,-1.5e-7] [[],{},[{}]] {"b":1,"a":2,"b":3} {"2":1,"1":2,"":{}} "\"\\\/\b\f\n\r\t"`)

func (g generator) static() call {
	s := pick(g, statics)
	args := g.arguments(false)
	if s.name == "Object.assign" && g.IntN(8) > 0 {
		to := pick(g, []js.Value{g.object(1), g.array(1)})
		if strings.Contains(texts(args), "length") { // which makes a huge array
			to = g.object(1)
		}
		args = append([]operand{of(to)}, args...)
	}
	if s.likes && g.IntN(2) == 0 {
		args = append([]operand{of(g.value(3))}, g.arguments(true)...)
	}
	if s.name == "JSON.parse" && len(args) > 0 {
		switch g.IntN(3) {
		case 0:
			args[0] = of(js.String(pick(g, brokenJSON)))
		case 1:
			args[0] = of(js.Stringify(args[0].v, js.Value{}, g.value(0)))
		default:
			text := js.Stringify(g.value(3), js.Value{}, g.value(0)).ToText()
			if at := g.IntN(len(text) + 1); g.IntN(2) == 0 {
				text = text[:at]
			} else {
				text = text[:at] + pick(g, brokenJSON) + text[at:]
			}
			args[0] = of(js.String(strings.ToValidUTF8(text, "?")))
		}
	}
	if len(args) == 0 {
		return call{of(js.Value{}), s.name + "()", func(js.Value) js.Value { return s.f(nil) }}
	}
	return call{args[0], s.name + "(" + texts(append([]operand{{text: "r"}}, args[1:]...)) + ")", func(r js.Value) js.Value {
		return s.f(append([]js.Value{r}, values(args[1:])...))
	}}
}

// operation is what the language does with objects.
func (g generator) operation() call {
	r, a, key := of(g.value(2)), of(g.value(2)), of(pick(g, []js.Value{g.value(1), js.String(pick(g, someNames)), js.Number(float64(g.IntN(6) - 1))}))
	if n := key.v.ToNumber(); n > 1000 && n < 1<<32 { // which makes a huge array
		key = of(js.String("x"))
	}
	operations := []call{
		{text: "r + " + a.text, run: func(r js.Value) js.Value { return js.Add(r, a.v) }},
		{text: "r < " + a.text, run: func(r js.Value) js.Value { return js.Bool(js.Less(r, a.v)) }},
		{text: "r >= " + a.text, run: func(r js.Value) js.Value { return js.Bool(js.GreaterOrEqual(r, a.v)) }},
		{text: "r == " + a.text, run: func(r js.Value) js.Value { return js.Bool(js.Equal(r, a.v)) }},
		{text: "+r", run: func(r js.Value) js.Value { return js.Number(r.ToNumber()) }},
		{text: "!r", run: func(r js.Value) js.Value { return js.Bool(!r.Truth()) }},
		{text: "typeof r", run: func(r js.Value) js.Value { return js.String(r.TypeOf()) }},
		{text: "r[" + key.text + "]", run: func(r js.Value) js.Value { return js.Index(r, key.v) }},
		{text: "(r[" + key.text + "] = " + a.text + ")", run: func(r js.Value) js.Value { js.SetIndex(r, key.v, a.v); return a.v }},
		{text: "delete r[" + key.text + "]", run: func(r js.Value) js.Value { return js.Bool(js.Delete(r, key.v.ToText())) }},
		{text: "(" + key.text + ") in r", run: func(r js.Value) js.Value { return js.Bool(js.Has(key.v, r)) }},
		{text: "(() => { for (var x of r) return x })()", run: func(r js.Value) js.Value { item, _ := js.Items(js.Iterable(r), 0); return item }},
		{text: "(() => { var all = ''; for (var k in r) { delete r.a; all += k + ' ' } return all })()", run: func(r js.Value) js.Value {
			all := ""
			for i, names := 0, js.Names(r); names.More(i); i++ {
				if k, there := names.Name(i); there {
					js.Delete(r, "a")
					all += k + " "
				}
			}
			return js.String(all)
		}},
	}
	c := pick(g, operations)
	c.r = r
	return c
}

// changes are some changes of one object or array after each other.
func (g generator) changes() call {
	r := of(g.object(2))
	if g.IntN(3) == 0 {
		r = of(g.array(2))
	}
	var steps []call
	for range g.IntN(40) {
		name, v := pick(g, someNames), of(g.value(1))
		key := quoted(name)
		switch n := g.IntN(8); {
		case n == 0 && js.IsArray(r.v):
			length := float64(g.IntN(12))
			steps = append(steps, call{text: fmt.Sprintf("r.length = %v", length), run: func(r js.Value) js.Value { js.Set(r, "length", js.Number(length)); return r }})
		case n < 3 && (name != "length" || !js.IsArray(r.v)):
			steps = append(steps, call{text: "delete r[" + key + "]", run: func(r js.Value) js.Value { js.Delete(r, name); return r }})
		case name != "length" || !js.IsArray(r.v):
			steps = append(steps, call{text: "r[" + key + "] = " + v.text, run: func(r js.Value) js.Value { js.Set(r, name, v.v); return r }})
		}
	}
	c := call{r: r, text: "{ ", run: func(r js.Value) js.Value {
		for _, s := range steps {
			s.run(r)
		}
		return js.Value{}
	}}
	for _, s := range steps {
		c.text += s.text + "; "
	}
	c.text += "}"
	return c
}

// The library does what the library of the interpreter does.
func TestLibraryIsTheInterpreters(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(*seed, 47))}
	interpret := newInterpreter(t, declarations)
	different := map[string]int{}
	for range *cases {
		var c call
		switch g.IntN(6) {
		case 0:
			c = g.static()
		case 1:
			if c = g.operation(); g.IntN(3) == 0 {
				c = g.changes()
			}
		default:
			c = g.method()
		}
		want := interpret(c.String())
		got := tried(c.r.v, c.run)
		if got == want {
			continue
		}
		why := difference(c, got, want)
		if why == "" {
			t.Errorf("%v\n got %s\nwant %s", c, got, want)
		}
		different[why]++
	}
	for why, n := range different {
		t.Logf("%d × %s", n, why)
	}
}
