package es_test

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A host is a session as far as a store can see it.
type host struct{}

func (host) In(state string) bool                  { return state == "on" }
func (host) Name() string                          { return "chart" }
func (host) SessionID() string                     { return "session" }
func (host) IOProcessors() []datamodel.IOProcessor { return nil }
func (host) Now() time.Time                        { return time.UnixMilli(0) }
func (host) Random() float64                       { return 0.5 }
func (host) ScriptTime() time.Duration             { return 0 }
func (host) MacrostepTime() time.Duration          { return 0 }
func (host) CallDepth() int                        { return 200 }

func newStore(t testing.TB) datamodel.Store {
	t.Helper()
	st, err := ecmascript.New().NewStore(host{})
	if err != nil {
		t.Fatal(err)
	}
	st.Begin(context.Background())
	t.Cleanup(st.End)
	return st
}

func source(text string) *datamodel.Source {
	return &datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: 1, Col: 1}}
}

func compiled(kind datamodel.Kind, text string) datamodel.Expr {
	e, _ := ecmascript.New().Compile(kind, *source(text))
	return e
}

// neutral returns a Value as the engine has it.
func neutral(v js.Value) datamodel.Value {
	switch v.Type() {
	case js.TypeNull:
		return datamodel.Null
	case js.TypeBool:
		return v.Bool()
	case js.TypeNumber:
		return datamodel.Number(v.Number())
	case js.TypeString:
		return v.Text()
	}
	return nil
}

// scalar is the inverse of neutral.
func scalar(t testing.TB, v datamodel.Value) js.Value {
	switch v := v.(type) {
	case nil:
		return js.Value{}
	case datamodel.NullType:
		return js.NullValue()
	case bool:
		return js.Bool(v)
	case int64:
		return js.Number(float64(v))
	case float64:
		return js.Number(v)
	case string:
		return js.String(v)
	}
	t.Fatalf("a value of the type %T", v)
	return js.Value{}
}

// show returns a value so that two are the same if and only if their texts are.
func show(v js.Value) string {
	if v.Type() == js.TypeNumber && v.Number() == 0 && math.Signbit(v.Number()) {
		return "-0"
	}
	return v.String()
}

var numbers = []float64{
	0, math.Copysign(0, -1), 1, -1, 2, -2, 3, 7, 10, 31, 32, 33, 63, 64, -31, -33, 100, 0.5, -0.5, 1.5, 2.5, -1.5, 0.1, 0.2, 0.3, 1e-6, 1e-7, 1.5e-7, 123.456,
	1e15, 1e20, 1e21, 1e22, -1e21, 123456789012345680000, 1 << 31, 1<<31 - 1, -1 << 31, 1 << 32, 1<<32 - 1, 1<<32 + 1, 1 << 52, 1<<53 - 1, 1 << 53, -1 << 53, 1 << 63, 1 << 64,
	math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, -5e-324, 2.2250738585072014e-308, 4.35, 1e300, 1e-300, 2147483647.5, -2147483649.25,
}

var texts = []string{
	"", " ", "a", "b", "ab", "B", "0", "-0", "+0", "1", "-1", "01", "1.5", " 12 ", "1e3", "1E-2", ".5", "5.", ".", "-", "+", "e", "1e", "1e+", "0x1F", "0X1f", "-0x1", "0o17", "0b101", "0b2", "0x",
	"Infinity", "-Infinity", "+Infinity", "infinity", "NaN", "null", "undefined", "true", "1_000", "1e400", "1e-400", "\u00a05\u2003", "\ufeff7\u2029", "\u00855", "\u180e5", "é", "\U0001f600", "\uffff", "\ue000", "z\U0001f600", "日本",
	"0x109007199254740992", "0x8000000000000401", "0x7fffffffffffffff", "9007199254740993", "179769313486231580793728971405301e276", "0.1", "10", "9", "on",
}

func randomNumber(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return float64(r.IntN(20) - 10)
	case 2:
		return float64(int64(r.Uint64())>>r.IntN(64)) / float64(int(1)<<r.IntN(12))
	}
	return numbers[r.IntN(len(numbers))]
}

func randomText(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		return js.NumberText(randomNumber(r))
	case 1:
		return texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))]
	}
	return texts[r.IntN(len(texts))]
}

func randomValue(r *rand.Rand) js.Value {
	switch r.IntN(12) {
	case 0:
		return js.Value{}
	case 1:
		return js.NullValue()
	case 2, 3:
		return js.Bool(r.IntN(2) == 0)
	case 4, 5, 6, 7:
		return js.String(randomText(r))
	}
	return js.Number(randomNumber(r))
}

// operators are what a compiled expression does for an operator of ECMAScript, on any operands.
var operators = map[string]func(a, b js.Value) js.Value{
	"+":  js.Add,
	"-":  numeric(func(x, y float64) float64 { return x - y }),
	"*":  numeric(func(x, y float64) float64 { return x * y }),
	"/":  numeric(func(x, y float64) float64 { return x / y }),
	"%":  numeric(js.Mod),
	"**": numeric(js.Pow),
	"&":  numeric(func(x, y float64) float64 { return float64(js.Int32(x) & js.Int32(y)) }),
	"|":  numeric(func(x, y float64) float64 { return float64(js.Int32(x) | js.Int32(y)) }),
	"^":  numeric(func(x, y float64) float64 { return float64(js.Int32(x) ^ js.Int32(y)) }),
	"<<": numeric(func(x, y float64) float64 { return float64(js.Int32(x) << (js.Uint32(y) & 31)) }),
	">>": numeric(func(x, y float64) float64 { return float64(js.Int32(x) >> (js.Uint32(y) & 31)) }),
	">>>": numeric(func(x, y float64) float64 {
		return float64(js.Uint32(x) >> (js.Uint32(y) & 31))
	}),
	"===": truth(js.StrictEqual),
	"!==": truth(func(a, b js.Value) bool { return !js.StrictEqual(a, b) }),
	"==":  truth(js.Equal),
	"!=":  truth(func(a, b js.Value) bool { return !js.Equal(a, b) }),
	"<":   truth(js.Less),
	"<=":  truth(js.LessOrEqual),
	">":   truth(js.Greater),
	">=":  truth(js.GreaterOrEqual),
	"&&":  js.And,
	"||":  js.Or,
	"??":  js.Coalesce,
	// of a alone
	"+a":                   unary(func(a js.Value) js.Value { return js.Number(a.ToNumber()) }),
	"-a":                   unary(func(a js.Value) js.Value { return js.Number(-a.ToNumber()) }),
	"~a":                   unary(func(a js.Value) js.Value { return js.Number(float64(^js.Int32(a.ToNumber()))) }),
	"!a":                   unary(func(a js.Value) js.Value { return js.Bool(!a.Truth()) }),
	"typeof a":             unary(func(a js.Value) js.Value { return js.String(a.TypeOf()) }),
	"String(a)":            unary(func(a js.Value) js.Value { return js.String(a.ToText()) }),
	"Math.round(a)":        ofNumber(js.Round),
	"Math.floor(a)":        ofNumber(js.Floor),
	"Math.ceil(a)":         ofNumber(js.Ceil),
	"Math.trunc(a)":        ofNumber(js.Trunc),
	"Math.abs(a)":          ofNumber(js.Abs),
	"Math.sqrt(a)":         ofNumber(js.Sqrt),
	"Math.sign(a)":         ofNumber(js.Sign),
	"isNaN(a)":             unary(func(a js.Value) js.Value { return js.Bool(js.IsNaN(a.ToNumber())) }),
	"isFinite(a)":          unary(func(a js.Value) js.Value { return js.Bool(js.IsFinite(a.ToNumber())) }),
	"parseFloat(a)":        unary(func(a js.Value) js.Value { return js.Number(js.ParseFloat(a.ToText())) }),
	"Number.isInteger(+a)": unary(func(a js.Value) js.Value { return js.Bool(js.IsInteger(a.ToNumber())) }),
	"String(a).length":     ofText(func(s string) js.Value { return js.Number(js.Length(s)) }),
	"String(a).trim()":     ofText(func(s string) js.Value { return js.String(js.Trim(s)) }),
	// of both
	"Math.max(a, b)": numeric(func(x, y float64) float64 { return js.Max(x, y) }),
	"Math.min(a, b)": numeric(func(x, y float64) float64 { return js.Min(x, y) }),
	"parseInt(a, b)": func(a, b js.Value) js.Value {
		return js.Number(js.ParseInt(a.ToText(), b.ToNumber()))
	},
	"String(a).includes(b)":      ofTexts(func(s, t string) js.Value { return js.Bool(js.Includes(s, t)) }),
	"String(a).startsWith(b)":    ofTexts(func(s, t string) js.Value { return js.Bool(js.StartsWith(s, t)) }),
	"String(a).endsWith(b)":      ofTexts(func(s, t string) js.Value { return js.Bool(js.EndsWith(s, t)) }),
	"String(a).indexOf(b)":       ofTexts(func(s, t string) js.Value { return js.Number(js.IndexOf(s, t)) }),
	"String(a).charAt(+b)":       ofPlace(func(s string, n float64) string { return js.CharAt(s, n) }),
	"String(a).slice(+b)":        ofPlace(func(s string, n float64) string { return js.Slice(s, n, js.Infinity()) }),
	"String(a).slice(1, +b)":     ofPlace(func(s string, n float64) string { return js.Slice(s, 1, n) }),
	"String(a).substring(+b)":    ofPlace(func(s string, n float64) string { return js.Substring(s, n, js.Infinity()) }),
	"String(a).substring(2, +b)": ofPlace(func(s string, n float64) string { return js.Substring(s, 2, n) }),
}

func numeric(f func(x, y float64) float64) func(a, b js.Value) js.Value {
	return func(a, b js.Value) js.Value { return js.Number(f(a.ToNumber(), b.ToNumber())) }
}

func truth(f func(a, b js.Value) bool) func(a, b js.Value) js.Value {
	return func(a, b js.Value) js.Value { return js.Bool(f(a, b)) }
}

func unary(f func(a js.Value) js.Value) func(a, b js.Value) js.Value {
	return func(a, _ js.Value) js.Value { return f(a) }
}

func ofNumber(f func(float64) float64) func(a, b js.Value) js.Value {
	return unary(func(a js.Value) js.Value { return js.Number(f(a.ToNumber())) })
}

func ofText(f func(string) js.Value) func(a, b js.Value) js.Value {
	return unary(func(a js.Value) js.Value { return f(a.ToText()) })
}

func ofTexts(f func(s, t string) js.Value) func(a, b js.Value) js.Value {
	return func(a, b js.Value) js.Value { return f(a.ToText(), b.ToText()) }
}

func ofPlace(f func(s string, n float64) string) func(a, b js.Value) js.Value {
	return func(a, b js.Value) js.Value { return js.String(f(a.ToText(), b.ToNumber())) }
}

// expression returns the text of an operator on a and b.
func expression(op string) string {
	if strings.Contains(op, "a") {
		return op
	}
	return "a " + op + " b"
}

var minusZeros = regexp.MustCompile(`^-00+$`)

var signedDigits = regexp.MustCompile(`^0[xXoObB][+-]`)

var hugeDigits = regexp.MustCompile(`^0[xXoObB]`)

// fault returns why the results of goja, on these operands, may be others than ECMAScript's, or "". The
// rules are in conformance/SUPPORTED.md.
func fault(op string, a, b js.Value) string {
	x, y := a.ToNumber(), b.ToNumber()
	either := func(f func(v js.Value) bool) bool { return f(a) || f(b) }
	text := func(f func(s string) bool) bool {
		return either(func(v js.Value) bool { return v.Type() == js.TypeString && f(v.Text()) })
	}
	zero := func(n float64) bool { return n == 0 }
	switch {
	case text(func(s string) bool { return strings.Contains(s, "\u0085") }):
		return "U+0085 as white space"
	case text(func(s string) bool {
		return hugeDigits.MatchString(strings.TrimSpace(s)) && js.ParseNumber(s) >= 1<<63
	}):
		return "digits of hexadecimal numbers from 2⁶³ on"
	case (strings.HasPrefix(op, "Math.") || strings.HasPrefix(op, "is") || op == "==" || op == "!=") && text(func(s string) bool { return js.Trim(s) != strings.Trim(s, " \t\n\v\f\r") }):
		return "white space beyond ASCII for functions of Math, isNaN, isFinite and =="
	case text(func(s string) bool { return signedDigits.MatchString(js.Trim(s)) }):
		return "a sign in a hexadecimal number"
	case text(func(s string) bool { return minusZeros.MatchString(js.Trim(s)) }):
		return "a string with -00"
	case strings.HasPrefix(op, "parseInt") && (strings.Contains(a.ToText(), "-") || len(a.ToText()) > 12):
		return "parseInt of -0 and of large integers"
	case strings.HasPrefix(op, "parseInt") && math.Abs(y) >= 1<<63:
		return "ToInt32 of large numbers"
	}
	switch op {
	case "&", "|", "^", "<<", ">>", ">>>", "~a":
		if math.Abs(x) >= 1<<63 || math.Abs(y) >= 1<<63 {
			return "ToInt32 of large numbers"
		}
	case "*":
		if zero(x) && y < 0 || zero(y) && x < 0 {
			return "0 times a negative integer"
		}
	case "==", "!=":
		if text(func(s string) bool { return js.NumberText(js.ParseNumber(s)) != js.Trim(s) }) {
			return "== and a string with a number that is written in another way"
		}
	}
	if strings.HasPrefix(op, "String(a)") && strings.ContainsRune(a.ToText(), '\U0001f600') {
		return "half a surrogate pair"
	}
	return ""
}

var pairs = flag.Int("es.pairs", 3000, "of random operands for each operator")

// Each operator yields what goja yields, but for goja's own faults.
func TestOperatorsAreThoseOfGoja(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 46))
	st := newStore(t)
	exprs := map[string]datamodel.Expr{}
	for op := range operators {
		exprs[op] = compiled(datamodel.ValueExpr, expression(op))
	}
	excused := map[string]int{}
	for range *pairs {
		a, b := randomValue(r), randomValue(r)
		if err := st.Set("a", neutral(a)); err != nil {
			t.Fatal(err)
		}
		if err := st.Set("b", neutral(b)); err != nil {
			t.Fatal(err)
		}
		for op, f := range operators {
			v, err := st.Value(exprs[op])
			if err != nil {
				t.Fatalf("%s with %v, %v: %v", op, a, b, err)
			}
			want, got := show(scalar(t, v)), show(f(a, b))
			if got == want {
				continue
			}
			why := fault(op, a, b)
			if why == "" {
				t.Errorf("%s with a = %s, b = %s\n got %s\nwant %s", expression(op), show(a), show(b), got, want)
			}
			excused[why]++
		}
	}
	for why, n := range excused {
		t.Logf("%s: %d times", why, n)
	}
	if len(excused) < 5 {
		t.Errorf("only these faults of goja were met: %v", excused)
	}
}
