package js_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// What the language says, in cases that go wrong easily.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"": 0, " \u00a0\u2003\ufeff\u2029": 0, "12": 12, "-.5": -0.5, "5.": 5, "1e3": 1000, "0x1f": 31, "0O17": 15, "0b101": 5, "Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
		"1e400": math.Inf(1), "0x8000000000000401": 0x8000000000000800, "0x8000000000000400": 0x8000000000000000, "0x80000000000004000000000000000001": 0x80000000000008000000000000000000,
		"010": 10, "-0": 0,
	} {
		if got := js.ParseNumber(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"a", ".", "-", "1_000", "0x", "0xg", "-0x1", "0b2", "1e", "1 2", "infinity", "+-1", "\u00855", "0x1p4", "1f", "nan"} {
		if got := js.ParseNumber(text); got == got {
			t.Errorf("%q is %v, want NaN", text, got)
		}
	}
	if !math.Signbit(js.ParseNumber(" -0 ")) {
		t.Error("-0 loses its sign")
	}
	for n, want := range map[float64]string{
		js.NegativeZero(): "0", 1e21: "1e+21", 1e20: "100000000000000000000", 123456789012345680000: "123456789012345680000", 1.5e-7: "1.5e-7", 1e-6: "0.000001", 0.1: "0.1",
		-1.25e30: "-1.25e+30", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308", 1 << 53: "9007199254740992", -100: "-100", math.Inf(-1): "-Infinity", 123.456: "123.456",
	} {
		if got := js.NumberText(n); got != want {
			t.Errorf("%g is %q, want %q", n, got, want)
		}
	}
	for n, want := range map[float64]int32{
		1e21: -559939584, -1e21: 559939584, 1 << 31: math.MinInt32, 1<<32 + 5: 5, -1.9: -1, 1 << 63: 0, 1 << 84: 0, 1<<53 + 2: 2, math.Inf(1): 0, math.NaN(): 0, 4294967295.5: -1, -2147483649: 2147483647,
		5e-324: 0, -0.5: 0, 3e9: -1294967296,
	} {
		if got := js.Int32(n); got != want {
			t.Errorf("ToInt32(%g) is %d, want %d", n, got, want)
		}
		if got := js.Uint32(n); got != uint32(want) {
			t.Errorf("ToUint32(%g) is %d, want %d", n, got, uint32(want))
		}
	}
}

func TestTexts(t *testing.T) {
	if n := js.Length("a\U0001f600é"); n != 4 {
		t.Errorf("the length is %v", n)
	}
	// U+FF5E is one unit, 0xff5e; U+1F600 is two, of which the first is 0xd83d.
	if js.CompareText("\uff5e", "\U0001f600") <= 0 || js.CompareText("\U0001f600", "\ue000") >= 0 || js.CompareText("\ud7ff", "\U0001f600") >= 0 {
		t.Error("strings are not compared by UTF-16 code units")
	}
	if s := js.Slice("x\U0001f600", 0, 2); s != "x\ufffd" {
		t.Errorf("half a surrogate pair is %q", s)
	}
	if js.Number(math.NaN()).Truth() || js.String("").Truth() || !js.String("0").Truth() || !js.ObjectValue().Truth() {
		t.Error("ToBoolean is wrong")
	}
}

// ValueOf and Any are inverses for scalars.
func TestValueOf(t *testing.T) {
	for _, x := range []any{nil, js.Null, true, false, 1.5, "", "a"} {
		v, ok := js.ValueOf(x)
		if !ok || v.Any() != x {
			t.Errorf("%#v becomes %v, and that %#v", x, v, v.Any())
		}
	}
	if _, ok := js.ValueOf([]any{}); ok {
		t.Error("an array is a scalar")
	}
	if v, ok := js.ValueOf(js.Fields{}); !ok || v.Type() != js.TypeObject {
		t.Errorf("an object is %v", v)
	}
}

// What no expression reads can be any data; what one reads is a scalar.
func TestAccept(t *testing.T) {
	list := []any{1, "a"}
	for _, data := range []any{list, map[string]any{"list": list}, struct{ A []int }{}, [2]int{}, 1.5, nil, machine.Null} {
		if _, err := js.AcceptAny(data); err != nil {
			t.Errorf("%v: %v", data, err)
		}
	}
	if _, err := js.AcceptAny(func() {}); err == nil {
		t.Error("a function is data")
	}
	data := map[string]any{"list": list, "n": 1}
	if _, err := js.AcceptMembers(data, []string{"n"}); err != nil {
		t.Errorf("a member that is not read: %v", err)
	}
	if got, err := js.AcceptMembers(data, []string{"list"}); err != nil || !js.IsArray(js.MemberValue(got, "list")) {
		t.Errorf("a member that is read is an array: %v, %v", got, err)
	}
}

// A failure keeps the message of the first one.
func TestThrow(t *testing.T) {
	err := ""
	var data, member js.Value
	js.Member(&err, &data, &member, "a")
	js.Throw[float64](&err, "second")
	if want := "TypeError: Cannot read property 'a' of undefined"; err != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

var sink struct {
	value js.Value
	truth bool
	n     float64
	any   any
}

// Operators on numbers do not allocate, and a Value is four words.
func TestOperatorsDoNotAllocate(t *testing.T) {
	a, b, s := js.Number(3), js.Number(4.5), js.String("abc")
	member, object, err := js.Number(1), js.ObjectValue(), ""
	if n := testing.AllocsPerRun(100, func() {
		sink.value = js.Add(a, b)
		sink.truth = js.Less(a, b) || js.Equal(a, s) || js.StrictEqual(s, s) || js.Less(s, s)
		sink.n = s.ToNumber() + js.Mod(7, 3) + js.Pow(2, 10) + float64(js.Int32(1e21)) + js.Length("abc")
		sink.value = js.If(sink.truth, js.Or(a, b), js.Member(&err, &object, &member, "m"))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := unsafe.Sizeof(a); n > 24 {
		t.Errorf("a Value has %d bytes", n)
	}
}

func BenchmarkOperators(b *testing.B) {
	x, y := js.Number(3), js.Number(4.5)
	member, object, err := js.Number(1), js.ObjectValue(), ""
	for name, f := range map[string]func(){
		"add":    func() { sink.value = js.Add(x, y) },
		"less":   func() { sink.truth = js.Less(x, y) },
		"equal":  func() { sink.truth = js.Equal(x, y) },
		"member": func() { sink.value = js.Member(&err, &object, &member, "m") },
		"mod":    func() { sink.n = js.Mod(17, 5) },
		"int32":  func() { sink.n = float64(js.Int32(17)) },
		"text":   func() { sink.truth = js.NumberText(17) == "" },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

// The value of a declared type is the value, and another one fails with the name of the item.
func TestOfType(t *testing.T) {
	for _, v := range []js.Value{{}, js.NullValue(), js.Bool(true), js.Number(0), js.String(""), js.Array()} {
		for typ, of := range map[js.Type]func(err *string) any{
			js.TypeNumber: func(err *string) any { return js.OfType[float64](err, v, "n") },
			js.TypeString: func(err *string) any { return js.OfType[string](err, v, "n") },
			js.TypeBool:   func(err *string) any { return js.OfType[bool](err, v, "n") },
		} {
			var err, thrown string
			got := of(&err)
			func() {
				defer js.Catch(&thrown)
				of(nil)
			}()
			name := map[js.Type]string{js.TypeNumber: "number", js.TypeString: "string", js.TypeBool: "boolean"}[typ]
			want := "TypeError: n is declared as a " + name + ": got " + v.TypeOf()
			switch {
			case v.Type() == typ && (got != v.Any() || err != "" || thrown != ""):
				t.Errorf("%v as a %s: got %v, %s, %s", v.Any(), name, got, err, thrown)
			case v.Type() != typ && (err != want || thrown != want):
				t.Errorf("%v as a %s: got %q and %q, want %q", v.Any(), name, err, thrown, want)
			}
		}
	}
}
