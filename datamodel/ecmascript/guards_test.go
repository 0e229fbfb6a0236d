package ecmascript_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

const (
	deepArray = "var a = []; for (var i = 0; i < 300000; i++) a = [a]; "
	wideArray = "var a = [1]; for (var i = 0; i < 60; i++) a = [a, a]; "
	tooLong   = "RangeError or the limit of time"
	deepJSON  = "var t = '['.repeat(3e6) + ']'.repeat(3e6); "
)

// hostile scripts, each of which ended the process or kept it busy for minutes at one time and is
// bounded now, because an honest script may do so by mistake; and a part of the error that they end
// with; "" for none. Others are in testdata/attacks.txtar.
var hostile = []struct{ script, want string }{
	{"[...[].values.call({length: 2 ** 43})]", "RangeError"},
	{"[].sort.call({length: 2 ** 43})", "RangeError"},
	{"Array(2 ** 32 - 1).sort()", "RangeError"},
	{"var a = []; a[2 ** 32 - 2] = 1; a.toSorted()", "RangeError"},
	{"var a = []; a[2 ** 32 - 2] = 1; a.map(x => x)", "RangeError"},
	{deepJSON + "JSON.parse(t)", "RangeError"},
	{deepJSON + "var { parse } = JSON; parse(t)", "RangeError"},
	{deepArray + "JSON.stringify(a)", "RangeError"},
	{deepArray + "JSON.stringify(a, null, 1)", "RangeError"},
	{deepArray + "JSON.stringify(a, (k, v) => v)", "RangeError"},
	{"var o = {}; for (var i = 0; i < 300000; i++) o = { o: o }; JSON.stringify(o)", "RangeError"},
	{"var o = { toJSON() { return { o: new Object(o) } } }; JSON.stringify(o)", "Error"},
	{"class A { toJSON() { return { a: new A() } } }; JSON.stringify(new A())", "RangeError"},
	{wideArray + "JSON.stringify(a)", tooLong},
	{"var o = { toJSON: null }; o.toJSON = JSON.stringify.bind(null, o); JSON.stringify(o)", "RangeError"},
	{deepArray + "String(a)", "RangeError"},
	{deepArray + "'' + a", "RangeError"},
	{deepArray + "`${a}`", "RangeError"},
	{deepArray + "+a", "RangeError"},
	{deepArray + "({})[a]", "RangeError"},
	{deepArray + "a == 'x'", "RangeError"},
	{deepArray + "a.join()", "RangeError"},
	{deepArray + "throw a", "uncaught exception"},
	{wideArray + "String(a)", tooLong},
	{"var a = []; a.length = 4294967295; a.join()", "RangeError"},
	{"Array.prototype.join.call({ length: 1e15 })", "RangeError"},
	{deepArray + "a.flat(Infinity)", ""},
	{"[].fill.call({ length: 1e15 }, 1)", "RangeError"},
	{"new Array(4294967295).fill(0)", "RangeError"},
	{"Array.from({ length: 1e15 })", "RangeError"},
	{"var a = new Array(4e7); a.concat(a)", "RangeError"},
	{"'x'.repeat(1e9)", "RangeError"},
	{"'xx'.padEnd(1e9)", "RangeError"},
	{"'xx'.padStart(1e9, 'ä')", "RangeError"},
	{"function* g() { yield* g() }; g().next()", "RangeError"},
	{"function* g() { yield* g() }; [...g()]", "RangeError"},
	{"function* g() { yield* g() }; for (var x of g()) ;", "RangeError"},
	{"class G { *g() { yield* this.g() } }; new G().g().next()", "RangeError"},
	{"function* g() { for (var x of g()) yield x }; g().next()", "nested deeper"},
	{"async function f() { await f() }; f()", "nested deeper"},
	{"async function f() { for (;;) await f() }; f()", "nested deeper"},
	{"var f = async () => { await f() }; f()", "nested deeper"},
	{"var o = { get x() { return o.x } }; o.x", "nested deeper"},
	{"[...Array(4e9)]", "RangeError"},
	{"Math.max(...Array(4e9).keys())", "RangeError"},
	{"new Set(Array(4e9))", "RangeError"},
	{"var it = [].values(); it.next = Object; [...it]", tooLong},
	{"var it = [].values(); it.next = Object; new Set(it)", tooLong},
	{"2n ** 1000000000n", "RangeError"},
	{"(1n << 100000000n).toString()", "RangeError"},
	{"var a = 3n; a **= 10n ** 9n", "RangeError"},
	{"BigInt.asUintN(1e12, -1n)", "RangeError"},
	{"new Array(10000).join('x'.repeat(1e5))", "RangeError"},
	{"[['x'.repeat(2e8)], 'x'.repeat(2e8)].join()", "RangeError"},
	{"var s = 'x'.repeat(2e8); JSON.stringify({[s]: s})", "RangeError"},
	{"var a = []; for (var i = 0; i < 900; i++) a = [a]; JSON.stringify(Array(1e5).fill(a), null, 10)", tooLong},
	{"RangeError = 5; 'x'.repeat(1e9)", "RangeError: the string"},
	{"delete globalThis.RangeError; 'x'.repeat(1e9)", "RangeError: the string"},
}

// Each case runs in a process of its own, because what it shows to be wrong is
// the end of that.
func TestHostileScripts(t *testing.T) {
	const which = "SCXML_TEST_HOSTILE"
	if n, err := strconv.Atoi(os.Getenv(which)); err == nil {
		c := hostile[n]
		h := newHost()
		h.limit = time.Minute // not to be reached, on a slow machine either
		if c.want == tooLong {
			h.limit = time.Second
		}
		st := newStoreOf(t, h)
		err := st.Run(expr(datamodel.Script, c.script))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("error %v", err)
		case c.want == tooLong && err != nil && strings.Contains(err.Error(), "time limit"):
		case c.want == tooLong:
			fails(t, err, "RangeError")
		case c.want != "":
			fails(t, err, c.want)
		}
		st.want("[1 + 1, String([1, [2]]), eval('3')]", `[2,"1,2",3]`) // the store is as it was
		return
	}
	switch {
	case testing.Short():
		t.Skip("a process for each case")
	case racing:
		t.Skip("a process for each case, with one goroutine that matters")
	}
	for i, c := range hostile {
		t.Run(c.script, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHostileScripts$", "-test.timeout=3m")
			cmd.Env = append(os.Environ(), which+"="+strconv.Itoa(i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%.800s", err, out)
			}
		})
	}
}

// What has a guard works as it did, after all guards are up.
func TestGuardedFunctionsWork(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[eval.name, eval.length, typeof eval, eval === globalThis.eval]", `["eval",1,"function",true]`},
		{"[eval(), eval(5), eval('1 + 1'), (0, eval)('1 + 2'), eval(...['4'])]", `[{"$undefined":true},5,2,3,4]`},
		{"(function (x) { return eval('x + 1') })(41)", "42"},
		{"(function () { eval('var y = 7'); return y })()", "7"},
		{"(function () { 'use strict'; return eval('var z = 7; z') + typeof z })()", `"7undefined"`},
		{"(x => eval('x * 2'))(4)", "8"},
		{"(function (x) { return (0, eval)('typeof x') })(1)", `"undefined"`},
		{"['1', '2'].map(eval)", "[1,2]"},
		{"({ eval: 1 }).eval", "1"},
		{"[eval].length", "1"},
		{"eval('(')", "! SyntaxError: unexpected end of input"},
		{"(function () { try { return 'x'.repeat(1e9) } catch (e) { return [e instanceof RangeError, e.name] } })()", `[true,"RangeError"]`},
		{"[Function.name, Function.length, typeof Function, Function.prototype.constructor === Function, (function () {}).constructor === Function]", `["Function",1,"function",true,true]`},
		{"[(function () {}) instanceof Function, Function instanceof Function, Function('return 1') instanceof Function]", "[true,true,true]"},
		{"[new Function('a', 'b', 'return a + b')(1, 2), Function('a, b', 'return a * b')(3, 4), new Function().length]", "[3,12,0]"},
		{"new Function('a', 'b', 'return a').toString().replace(/\\s+/g, ' ')", `"function anonymous(a,b ) { return a }"`},
		{"(class extends Function {}).name + typeof new (class F extends Function {})('return 1')", `"function"`},
		{"[...(function* () {}).constructor('yield 1; yield 2')()]", "[1,2]"},
		{"typeof (async function () {}).constructor('return 1')().then", `"function"`},
		{"[JSON.parse.name, JSON.parse.length, JSON.stringify.length]", `["parse",2,3]`},
		{"JSON.parse('[1,{\"a\":[null]},\"[[[\\\\\"[\"]')", `[1,{"a":[null]},"[[[\"["]`},
		{"JSON.parse('{\"a\":1,\"b\":[1,2],\"c\":3}', (k, v) => k === 'c' ? undefined : typeof v === 'number' ? v * 10 : v)", `{"a":10,"b":[10,20]}`},
		{"JSON.parse('[1]', function (k, v) { return k === '' ? [Object.keys(this), v] : v + k })", `[[""],["10"]]`},
		{"JSON.parse('[', x => x)", "! SyntaxError: unexpected end of JSON input"},
		{"JSON.stringify({a: [1, undefined, () => 1], b: undefined, c: 'x', d: null, e: new Date(0), f: NaN})", `"{\"a\":[1,null,null],\"c\":\"x\",\"d\":null,\"e\":\"1970-01-01T00:00:00.000Z\",\"f\":null}"`},
		{"JSON.stringify({a: 1, b: {b: 2, c: 3, a: [{c: 1, b: 4}]}, d: 5}, ['b', 'a', 'a', 7])", `"{\"b\":{\"b\":2,\"a\":[{\"b\":4}]},\"a\":1}"`},
		{"JSON.stringify({a: 1, b: [2]}, function (k, v) { return k === 'a' ? undefined : Array.isArray(this) ? v + 1 : v }, 2)", `"{\n  \"b\": [\n    3\n  ]\n}"`},
		{"[JSON.stringify(undefined), JSON.stringify(() => 1), JSON.stringify('a'), JSON.stringify(Object('s'))]", `[{"$undefined":true},{"$undefined":true},"\"a\"","\"s\""]`},
		{"(function () { var o = {}; o.o = o; return JSON.stringify(o) })()", "! TypeError: Converting circular structure to JSON"},
		{"[String([1, [2, 3]]), '' + [[1], [[2]]], [1, null, undefined, [3]].join('-'), [,].join(), [1, 2].toLocaleString()]", `["1,2,3","1,2","1---3","","1,2"]`},
		{"(function () { var a = [1]; a.push(a); return String(a) })()", `"1,"`},
		{"[].join.call({length: 2, 0: 'a', 1: 'b'}, '+') + [].join.call('ab', '/')", `"a+ba/b"`},
		{"[[1, [2]].flat(), [1, [2, [3, [4]]]].flat(2), [1, [2, [3, [4]]]].flat(Infinity), [1, [2]].flat(0), [,1].flat(), [1, [2]].flat('1')]", "[[1,2],[1,2,3,[4]],[1,2,3,4],[1,[2]],[1],[1,2]]"},
		{"[[1].concat(2, [3, [4]], 'x'), [].concat.call('a', 'b').length, new Array(3).fill(0), [1, 2, 3].fill(9, 1, 2)]", `[[1,2,3,[4],"x"],2,[0,0,0],[1,9,3]]`},
		{"[Array.from('ab'), Array.from({length: 2}, (v, i) => i), Array.from(new Set([1, 1, 2]))]", `[["a","b"],[0,1],[1,2]]`},
		{"['ab'.repeat(2), 'a'.repeat(0), 'a'.padStart(3, 'xy'), 'a'.padEnd(3), 'a'.concat(1, null), 'a'.repeat('2')]", `["abab","","xya","a  ","a1null","aa"]`},
		{"'a'.repeat(-1)", "! RangeError: Invalid count value"},
		{"'a'.repeat(Infinity)", "! RangeError: Invalid count value"},
		{"''.repeat.call(null, 1)", "! TypeError: Value is not object coercible"},
		{"[RegExp.name, RegExp.length, /a/ instanceof RegExp, /a/.constructor === RegExp, RegExp('a').test('xa'), new RegExp(/b/g, 'i').flags]", `["RegExp",2,true,true,true,"i"]`},
		{"['a1b'.match('[0-9]')[0], 'a1b'.search('1'), [...'abab'.matchAll('b')].length, 'a,b'.split(/,/), 'aXb'.replace(/x/i, '-'), 'undefined'.match()[0]]", `["1",1,2,["a","b"],"a-b",""]`},
		{"[new Uint8Array(3).length, new Float64Array([1, 2])[1], new ArrayBuffer(8).byteLength, new Uint8Array(new ArrayBuffer(4), 1, 2).length, new Int8Array(2).slice(1).length, Int8Array.BYTES_PER_ELEMENT]", "[3,2,8,2,1,1]"},
		{"(function () { var f = function (a, b) { return [this.x, a, b] }.bind({x: 1}, 2); return [f(3), f.name, f.length, Object.getOwnPropertySymbols(f).length] })()", `[[1,2,3],"bound ",1,0]`},
		{"(function () { var m = Math.max.bind(null, 3); return [m(1, 5), m.name, m.length] })()", `[5,"bound max",1]`},
		{"(function () { var A = Array.bind(null, 1, 2); var B = Date.bind(null).bind(null); return [new A(3), new A() instanceof A, new B(0) instanceof Date, new Date(0) instanceof B] })()", "[[1,2,3],true,true,true]"},
		{"(function () { var p = new Proxy({a: 1}, {get: (t, k) => k in t ? t[k] : 'no ' + k}); return [p.a, p.b, typeof Proxy, Proxy.length] })()", `[1,"no b","function",2]`},
		{"(function () { var r = Proxy.revocable({a: 1}, {}); var v = r.proxy.a; r.revoke(); return v })()", "1"},
		{"(function () { var o = {}; o.__proto__ = {a: 1}; Object.setPrototypeOf(o.__proto__, {b: 2}); return [o.a, o.b, ({}).__proto__ === Object.prototype] })()", "[1,2,true]"},
		{"(function () { function* a() { var x = yield 1; yield x } function* b() { yield* a(); return 3 } var g = b(); return [g.next().value, g.next(2).value, g.next(), g.return(7)] })()", `[1,2,{"value":3,"done":true},{"value":7,"done":true}]`},
		{"['' + new TypeError('x'), '' + /a\\/b/g, String(new Error())]", `["TypeError: x","/a\\/b/g","Error"]`},
		{"[''.trim.call(' a '), [' a ', 'b '].map(Function.prototype.call, ''.trim)]", `["a",["a","b"]]`},
		{"(function () { var { slice } = Array.prototype; return slice.call('abc', 1) })()", `["b","c"]`},
		{"[[].forEach.name, [].forEach.length, [3, 1, 2].sort(), [1, 2].map(x => x + 1), [].indexOf.call('abc', 'b'), Math.max.apply(null, [1, 3]), Array(2).length]", `["forEach",1,[1,2,3],[2,3],1,3,2]`},
		{"[Reflect.apply(Math.min, null, {length: 2, 0: 4, 1: 2}), Reflect.construct(Array, [1, 2]), (function () { return arguments.length }).apply(null), [...[7, 8].entries()]]", `[2,[1,2],0,[[0,7],[1,8]]]`},
		{"Object.keys(String.prototype).length + Object.keys(Array.prototype).length === 0", "true"},
		{"(function () { class L extends Array {} var l = new L(1, [2], [[3]]); return [l.flat(2) instanceof L, l.flat(2), l.concat([4]).length] })()", "[true,[1,2,3],4]"},
	} {
		newStore(t).want(tt.text, tt.want)
		st := newStore(t)
		st.want("eval('1')", "1") // all guards
		st.want(tt.text, tt.want)
	}
}

// Text that becomes code at run time can use what the code of the chart has not named.
func TestTextBecomesCode(t *testing.T) {
	for text, want := range map[string]string{
		"eval('_name')": `"machine"`, "Function('return _sessionid')()": `"session-1"`, "[].map.constructor('return In(\"s1\")')()": "true",
		"(function (eval) { return eval })(1)": "1", "(function () { var eval = x => x + 1; return eval(1) })()": "2", "eval('eval(\"1\") + 1')": "2",
		"(function () { with ({a: 1}) return eval('a') })()": "1", "({ eval: 3 }).eval": "3", "Function('_name = 1')()": "! TypeError: the system variable _name cannot be changed",
	} {
		newStore(t).want(text, want)
	}
}

// The attacks that only a process of their own stops are scripts that compile.
func TestAttacksCompile(t *testing.T) {
	text, err := os.ReadFile("testdata/attacks.txtar")
	attacks := regexp.MustCompile("(?m)^-- .* --$").Split(string(text), -1)
	if err != nil || len(attacks) < 50 {
		t.Fatal(len(attacks), err)
	}
	for _, script := range attacks[1:] {
		if _, err := ecmascript.New().Compile(datamodel.Script, source(script)); err != nil {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// Assigns alone can nest arrays, too.
func TestArraysNestedByAssigns(t *testing.T) {
	st := newStore(t)
	st.set("outer", "[]")
	st.set("inner", "[]")
	inner, outer, fresh := expr(datamodel.ValueExpr, "inner"), expr(datamodel.ValueExpr, "outer"), expr(datamodel.ValueExpr, "[]")
	for range 5000 {
		for _, step := range []struct {
			location string
			value    datamodel.Expr
		}{{"outer", fresh}, {"outer[0]", inner}, {"inner", outer}} {
			if err := st.Assign(expr(datamodel.Location, step.location), step.value); err != nil {
				t.Fatal(err)
			}
		}
	}
	st.want("inner == 'x'", "! RangeError: functions of the library are nested deeper than 1000 levels")
}

func BenchmarkGuards(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"none", slow + "1 < 2"},
		{"computed read", "[1][In('s1') ? 0 : 1] < 2"},
		{"join", "[In('s1')].length"},
		{"text", "eval('1') < 2"},
		{"all", "(function (k) { return [1][k] })(0) < 2"},
	} {
		b.Run(c.name, func(b *testing.B) {
			lang, h := ecmascript.New(), newHost()
			e := expr(datamodel.Condition, c.text)
			b.ReportAllocs()
			for b.Loop() {
				st, _ := lang.NewStore(h)
				if ok, err := st.Condition(e); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

func BenchmarkGuardedCall(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"join", "a.join()"},
		{"concat", "a.concat(a)"},
		{"flat", "a.flat()"},
		{"repeat", "'x'.repeat(3)"},
		{"bound", "f(1)"},
		{"parse", "JSON.parse('[1,[2,3],{\"a\":1}]')"},
		{"stringify", "JSON.stringify({a: [1, 2, 3], b: 'x'})"},
		{"eval", "eval('1')"},
		{"RegExp", "new RegExp('a')"},
		{"generator", "g().next()"},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := newHost()
			h.limit = time.Minute
			st := newStoreOf(b, h)
			st.run("var a = [1, 2, [3]]; var f = function () { return 1 }.bind(1); function* g() { yield* [1] }")
			e := expr(datamodel.Condition, c.text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := st.Condition(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
