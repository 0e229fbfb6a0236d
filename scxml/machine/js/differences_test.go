package js_test

import (
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A listed difference is one of this package to the interpreter. Each is a fault of goja, see conformance/SUPPORTED.md, or
// something that is not compiled. In the example r is undefined.
type listed struct {
	why, example      string
	run               func() js.Value
	interpreter, here string // what the example yields
	// applies reports whether a call may differ for that reason.
	applies func(c call, got, want string) bool
}

func text(s string) js.Value { return js.String(s) }
func num(n float64) js.Value { return js.Number(n) }

// has returns a function that reports whether a pattern is in a call.
func has(pattern string) func(c call, got, want string) bool {
	re := regexp.MustCompile(pattern)
	return func(c call, _, _ string) bool { return re.MatchString(c.String()) }
}

var refused = regexp.MustCompile(`.*? is not compiled`)
var surrogate = regexp.MustCompile(`\\ud[89a-f][0-9a-f]{2}`)

var differences = []listed{
	{"half a surrogate pair is U+FFFD", "'\\u{1f600}'.charAt(0)", func() js.Value { return js.Method(text("\U0001f600"), "charAt") },
		`"\ud83d"`, `"` + "\ufffd" + `"`,
		func(_ call, got, want string) bool { return surrogate.ReplaceAllString(want, "\ufffd") == got }},
	{"replaceAll of an empty string takes pairs apart", "'\\u{1f600}'.replaceAll('', '')", func() js.Value { return js.Method(text("\U0001f600"), "replaceAll", text(""), text("")) },
		`"` + "\U0001f600" + `"`, `"` + "\ufffd\ufffd" + `"`, has(`replaceAll\(""`)},
	{"sort takes -0 that a function returns as less than 0", "[2, 1].sort(() => -0)", func() js.Value {
		return js.Method(js.Array(num(2), num(1)), "sort", js.Function(func([]js.Value) js.Value { return num(js.NegativeZero()) }))
	}, "[1,2]", "[2,1]", has(`-0.*[sS]ort(ed)?\(\(`)},
	{"toString with a base loses the sign of numbers between -1 and 0", "(-0.5).toString(4)", func() js.Value { return js.Method(num(-0.5), "toString", num(4)) },
		`"0.2"`, `"-0.2"`, func(_ call, got, want string) bool { return strings.HasPrefix(got, `"-0.`) && got == `"-`+want[1:] }},
	{"a place is not a number if it is a string that is NaN or infinite", "'abc'.at('NaN')", func() js.Value { return js.Method(text("abc"), "at", text("NaN")) },
		"undefined", `"a"`, has(`"-?(NaN|Infinity)"`)},
	{"the message of a property of undefined has other letters than ASCII wrong", "r['\\u00e9']", func() js.Value { return js.Get(js.Value{}, "é") },
		"throws TypeError: Cannot read property '\ufffd\ufffd\ufffd\x00' of undefined", "throws TypeError: Cannot read property 'é' of undefined",
		func(_ call, _, want string) bool { return strings.Contains(want, "Cannot read property '\ufffd") }},
	{"Object.fromEntries does not take objects without 0 and 1", "Object.fromEntries([{}])", func() js.Value { return js.ObjectFromEntries(js.Array(js.NewObject().Value())) },
		"failed: internal error of the script engine", `{"undefined":undefined}`, has(`Object.fromEntries`)},
	{"Math.imul and clz32 take numbers from 2^63 on as 0", "Math.imul(1, 1e21)", func() js.Value { return num(js.Imul(1, 1e21)) }, "0", "-559939584", has(`Math.(imul|clz32)`)},
	{"includes finds -0 neither in 0 nor in -0", "[-0].includes(0)", func() js.Value { return js.Method(js.Array(num(js.NegativeZero())), "includes", num(0)) },
		"false", "true", has(`-0.*includes`)},
	{"== does not find that a string with -0 is false", "(x => x == '-0')(false)", func() js.Value { return js.Bool(js.Equal(text("-0"), js.Bool(false))) }, "false", "true", has(`-0.*==|== "-0"`)},
	{"JSON.parse takes null for an object", "JSON.parse('1', null)", func() js.Value { return js.ParseJSON(text("1"), js.NullValue()) },
		"throws TypeError: Cannot convert undefined or null to object", "1", has(`JSON.parse\(r, null`)},
	{"JSON.parse does not take numbers that are too large", "JSON.parse('1e400')", func() js.Value { return js.ParseJSON(text("1e400"), js.Value{}) },
		"throws SyntaxError: json: cannot unmarshal number 1e400 into Go value of type float64", "Infinity",
		func(_ call, _, want string) bool { return strings.Contains(want, "json: cannot unmarshal number") }},
	{"String.fromCodePoint does not take -0", "String.fromCodePoint(-0)", func() js.Value { return js.String(js.FromCodePoint(num(js.NegativeZero()))) },
		"throws RangeError: Invalid code point 0", `"\u0000"`, has(`fromCodePoint.*-0|-0.*fromCodePoint`)},
	{"split takes a limit from 2^63 on as 0", "'a'.split(',', 1e21)", func() js.Value { return js.Method(text("a"), "split", text(","), num(1e21)) }, "[]", `["a"]`, has(`split\(.*[e0]`)},
	{"String.fromCharCode takes numbers from 2^63 on as 0, or as 65535 on some processors", "String.fromCharCode(2**63 + 2048)", func() js.Value {
		return js.String(js.FromCharCode(num(1<<63 + 2048)))
	}, `"\u0000"`, `"` + "\u0800" + `"`, has(`fromCharCode\(.*(\d{19}|e\+)`)},
	{"sort changes the order before a function throws", "[undefined, 1, 2].sort(a => a.x.y)", func() js.Value {
		return js.Method(js.Array(js.Value{}, num(1), num(2)), "sort", js.Function(func(a []js.Value) js.Value { return js.Get(js.Get(a[0], "x"), "y") }))
	}, "throws TypeError: Cannot read property 'y' of undefined", "throws TypeError: Cannot read property 'y' of undefined",
		func(c call, got, _ string) bool {
			return strings.Contains(c.text, "sort(") && strings.HasPrefix(got, "throws")
		}},
	{"JSON.stringify counts bytes of the space", "JSON.stringify([1], null, '\\u{1f600}')", func() js.Value {
		return js.Stringify(js.Array(num(1)), js.NullValue(), text("\U0001f600"))
	}, `"[\n` + "\u00f0\u009f\u0098\u0080" + `1\n]"`, `"[\n` + "\U0001f600" + `1\n]"`, has(`JSON.stringify`)},
}

// difference returns why results may differ, or "".
func difference(c call, got, want string) string {
	if strings.Contains(got, " is not compiled") {
		return refused.FindString(got)
	}
	for _, d := range differences {
		if d.applies(c, got, want) {
			return d.why
		}
	}
	return ""
}

// Each difference is there: one that is not any more has to be taken out.
func TestDifferences(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the list has the results of amd64")
	}
	for _, d := range differences {
		interpret := newInterpreter(t, declarations)
		want := strings.TrimSuffix(interpret("tried(undefined, r => "+d.example+")"), " leaves undefined")
		if want != d.interpreter {
			t.Errorf("%s\nthe interpreter has %q\n            not %q", d.example, want, d.interpreter)
		}
		got := strings.TrimSuffix(tried(js.Value{}, func(js.Value) js.Value { return d.run() }), " leaves undefined")
		if got != d.here {
			t.Errorf("%s\n got %q\nwant %q", d.example, got, d.here)
		}
	}
}
