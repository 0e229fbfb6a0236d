package ecmascript_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestValueLeavesStore(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"1 + 1", "2"},
		{"1.0", "1"},
		{"0.5", "0.5"},
		{"-0", `{"$number":"-0"}`},
		{"0/0", `{"$number":"NaN"}`},
		{"1/0", `{"$number":"Infinity"}`},
		{"Math.pow(2, 53)", "9007199254740992"},
		{"9007199254740993 * 4", "36028797018963970"},
		{"true", "true"},
		{"null", "null"},
		{"undefined", `{"$undefined":true}`},
		{"void 0", `{"$undefined":true}`},
		{"'a\\u00e9\\ud83d\\ude00'", `"aé😀"`},
		{"[1,,3]", `[1,{"$undefined":true},3]`},
		{"[null, undefined]", `[null,{"$undefined":true}]`},
		{"[]", "[]"},
		{"{}", "{}"},
		{"{a:1}", `{"a":1}`},
		{"({b:1, a:2, 1:3})", `{"1":3,"b":1,"a":2}`},
		{"{$a: {$$b: 1}}", `{"$$a":{"$$$b":1}}`},
		{"[[1,2],[{x:[null]}]]", `[[1,2],[{"x":[null]}]]`},
		{"new Date(0)", `{"$date":"1970-01-01T00:00:00Z"}`},
		{"new Date(NaN)", "null"},
		{"new Date()", `{"$date":"2023-11-14T22:13:20Z"}`},
		{"Math.random()", "0.25"},
		{"10n ** 20n", `{"$bigint":"100000000000000000000"}`},
		{"Object(10n)", `{"$bigint":"10"}`},
		{"function f(){}", `{"$function":"f"}`},
		{"() => 1", `{"$function":""}`},
		{"class A {}", `{"$function":"A"}`},
		{"async function g(){}", `{"$function":"g"}`},
		{"new Proxy(function h(){}, {})", `{"$function":"h"}`},
		{"new TypeError('x')", `{"name":"TypeError","message":"x"}`},
		{"Symbol('x')", `{"$undefined":true}`},
		{"new String('x')", `"x"`},
		{"new Number(4)", "4"},
		{"new Boolean(false)", "false"},
		{"/a+/gi", `"/a+/gi"`},
		{"new Set([1,{a:2}])", `[1,{"a":2}]`},
		{"new Map([['a',1],[{},2]])", `[["a",1],[{},2]]`},
		{"new Uint8Array([1,2])", "[1,2]"},
		{"new Float64Array([0.5])", "[0.5]"},
		{"new ArrayBuffer(2)", "! cannot use an ArrayBuffer as data"},
		{"{get a(){ return 7 }}", `{"a":7}`},
		{"{get a(){ throw new Error('no') }}", "! Error: no"},
		{"Object.create({inherited: 1})", "{}"},
		{"Object.create(null)", "{}"},
		{"{[Symbol('s')]: 1, t: 2}", `{"t":2}`},
		{"new Proxy([1,2], {})", "[1,2]"},
		{"new Proxy({a:1}, {})", `{"a":1}`},
		{"Array.prototype", "[]"},
		{"JSON.parse('{\"__proto__\": 1}')", `{"__proto__":1}`},
		{"(function(){ var a = []; a[5] = a; return a })()", "! at [5]: data contains itself"},
		{"(function(){ var a = {b:{}}; a.b.c = [a]; return a })()", "! at b.c[0]: data contains itself"},
		{"(function(){ var a = {}; for (var i = 0; i < 600; i++) a = {a}; return a })()",
			"! at a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a…: data is nested deeper than 500 levels"},
		{"new Array(20000000)", "! an array has more than 10000000 items"},
		{"(function(){ var a = []; a.length = 4294967295; return [a] })()", "! at [0]: an array has more than 10000000 items"},
		{"(function(){ var a = [1]; for (var i = 0; i < 60; i++) a = [a, a]; return a })()", "! *"},
	} {
		if tt.want == "! *" {
			if got := newStore(t).get(tt.text); got[0] != '!' {
				t.Errorf("%s\n got %.60s, want an error", tt.text, got)
			}
			continue
		}
		newStore(t).want(tt.text, tt.want)
	}
}

func TestValueEntersStore(t *testing.T) {
	date := time.UnixMilli(1234567890123).UTC()
	for _, tt := range []struct {
		v    datamodel.Value
		text string
		want string
	}{
		{nil, "typeof v", `"undefined"`},
		{datamodel.Null, "v === null", "true"},
		{datamodel.Function("f"), "typeof v", `"undefined"`},
		{int64(3), "v + 1", "4"},
		{math.Copysign(0, -1), "1 / v", `{"$number":"-Infinity"}`},
		{"é\x00", "v.length", "2"},
		{[]datamodel.Value{int64(1), nil}, "[Array.isArray(v), v.length, v instanceof Array]", "[true,2,true]"},
		{datamodel.NewObject("b", int64(1), "a", int64(2)), "Object.keys(v)", `["b","a"]`},
		{datamodel.NewObject("__proto__", int64(1)), "[Object.keys(v), v instanceof Object]", `[["__proto__"],true]`},
		{new(big.Int).Lsh(big.NewInt(1), 70), "v + 1n", `{"$bigint":"1180591620717411303425"}`},
		{date, "v.getTime()", "1234567890123"},
		{date, "v", `{"$date":"2009-02-13T23:31:30.123Z"}`},
	} {
		st := newStore(t)
		if err := st.Set("v", tt.v); err != nil {
			t.Fatal(err)
		}
		st.want(tt.text, tt.want)
	}
}

func TestValueRoundTrip(t *testing.T) {
	st := newStore(t)
	const text = `{"a":[1,{"$undefined":true},null,{"$number":"NaN"},{"$number":"-0"},0.5],"$$b":{"c":"d"},"e":{"$date":"2020-01-01T00:00:00Z"},"f":{"$bigint":"1"},"g":{"$xml":"<a b=\"c\">d<e/></a>"}}`
	v, err := datamodel.ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Set("v", v); err != nil {
		t.Fatal(err)
	}
	st.want("v", text)
}

// Changes to Object.prototype do not affect data that enters.
func TestValueEntersPastPrototypes(t *testing.T) {
	for _, script := range []string{
		"Object.defineProperty(Object.prototype, 'n', {get() { return 2 }})",
		"Object.defineProperty(Object.prototype, 'n', {set(v) { throw new Error('no') }})",
		"Object.prototype.n = 3; Object.freeze(Object.prototype)",
	} {
		st := newStore(t)
		st.run(script)
		if err := st.Set("v", datamodel.NewObject("n", int64(1))); err != nil {
			t.Errorf("%s: %v", script, err)
		}
		st.want("v", `{"n":1}`)
	}
}
