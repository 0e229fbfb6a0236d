package ecmascript_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// A saved is a chart of scripts and a store that has run them.
type saved struct {
	*bench
	exprs []datamodel.Expr
}

func patientHost() *fakeHost {
	h := newHost()
	h.limit = time.Minute
	return h
}

// newSaved runs scripts. A text that begins with "data NAME " is a data item
// that has the rest for its value.
func newSaved(t testing.TB, texts ...string) *saved {
	t.Helper()
	s := &saved{bench: newStoreOf(t, patientHost())}
	for i, text := range texts {
		src := datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: i + 1, Col: 1}}
		kind, id := datamodel.Script, ""
		if rest, ok := strings.CutPrefix(text, "data "); ok {
			kind = datamodel.ValueExpr
			id, src.Text, _ = strings.Cut(rest, " ")
		}
		e, err := ecmascript.New().Compile(kind, src)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		s.exprs = append(s.exprs, e)
		if id != "" {
			if err := s.Declare(id); err != nil {
				t.Fatal(err)
			}
			err = s.Init(id, e)
		} else {
			err = s.Run(e)
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return s
}

func (s *saved) save() []byte {
	s.t.Helper()
	data, err := s.Store.(datamodel.Saver).Save(s.exprs)
	if err != nil {
		s.t.Fatal(err)
	}
	if !json.Valid(data) {
		s.t.Fatalf("not JSON: %s", data)
	}
	return data
}

// restored returns a new store with the same data, and checks that it saves
// the same bytes.
func (s *saved) restored() *saved {
	s.t.Helper()
	data := s.save()
	next := &saved{bench: newStoreOf(s.t, patientHost()), exprs: s.exprs}
	if err := next.Store.(datamodel.Saver).Load(data, next.exprs); err != nil {
		s.t.Fatalf("%v\n%s", err, data)
	}
	if again := next.save(); string(again) != string(data) {
		s.t.Errorf("saved again\n got %s\nwant %s", again, data)
	}
	return next
}

// Each script changes something, and after restoring the expression has
// to be true.
func TestSaveRestores(t *testing.T) {
	for _, tt := range []struct{ scripts, check string }{
		{`x = undefined`, `x === undefined && 'x' in globalThis`},
		{`x = null`, `x === null`},
		{`x = true; y = false`, `x === true && y === false`},
		{`x = [0, 1, -1, 2147483648, 9007199254740991, 1.5, 1e300, 5e-324, -1e21]`, `x.join() === '0,1,-1,2147483648,9007199254740991,1.5,1e+300,5e-324,-1e+21'`},
		{`x = NaN; y = Infinity; z = -Infinity; m = -0`, `x !== x && y === 1/0 && z === -1/0 && 1/m === -Infinity`},
		{`x = 123456789012345678901234567890n; y = -0n`, `x === 123456789012345678901234567890n && y === 0n && typeof y === 'bigint'`},
		{`x = ["", "a\"b\\c\n\u0000\u001f", "é€😀", "\ud800", "x\udc00\ud83dy", "\ufffd"]`,
			`x[0] === '' && x[1] === 'a"b\\c\n\u0000\u001f' && x[2] === 'é€😀' && x[3] === '\ud800' && x[4] === 'x\udc00\ud83dy' && x[5] === '\ufffd'`},
		{`x = {a: 1, $b: 2, $$c: 3, "": 4, "a b": 5, 7: 6, "$undefined": 8, "é": 9}`,
			`JSON.stringify(x) === '{"7":6,"a":1,"$b":2,"$$c":3,"":4,"a b":5,"$undefined":8,"é":9}'`},
		{`x = {}; x["__proto__"] = null; Object.defineProperty(x, "__proto__", {value: 1, writable: true, enumerable: true, configurable: true})`,
			`Object.keys(x)[0] === '__proto__' && x.__proto__ === 1`},
		{`x = {}; y = []; z = {a: {}, b: []}`, `Object.keys(x).length === 0 && y.length === 0 && Array.isArray(z.b)`},
		{`x = [1,,3,,,]`, `x.length === 5 && !(1 in x) && x[2] === 3 && !(4 in x)`},
		{`x = [,]; y = [,,undefined]`, `x.length === 1 && !(0 in x) && !(1 in y) && 2 in y`},
		{`x = []; x[1000000000] = 1; y = []; y.length = 4294967295`, `x.length === 1000000001 && x[1000000000] === 1 && Object.keys(x).length === 1 && y.length === 4294967295`},
		{`x = [1, 2]; x.name = "n"; x[-1] = 3; y = [,1]; y.z = x; w = []; w[99999] = 1; w.q = 1`, `x.name === 'n' && x[-1] === 3 && x.length === 2 && y.z === x && !(0 in y) && w.q === 1`},
		{`x = {}; x.self = x; y = [x]; y.push(y)`, `x.self === x && y[0] === x && y[1] === y`},
		{`x = {p: 1}; y = {x: x}; z = [x, y, y]`, `y.x === x && z[0] === x && z[1] === y && z[2] === y`},
		{`x = new Date(1700000000123); y = new Date(NaN); z = new Date(-8.64e15)`, `x.getTime() === 1700000000123 && isNaN(y) && z.getTime() === -8.64e15 && x instanceof Date`},
		{`x = /a\/(b)\n/giu; x.lastIndex = 3; y = new RegExp(""); z = new RegExp("a/b\n", "my"); w = /x/s; w.note = 1; v = /q/; v.lastIndex = -1.5`,
			`x.source === 'a\\/(b)\\n' && x.flags === 'giu' && x.lastIndex === 3 && y.source === '(?:)' && z.flags === 'my' && z.test('a/b\n') && w.dotAll && w.note === 1 && v.lastIndex === -1.5`},
		{`x = new Map([[NaN, 1], ["a", x2 = {}]]); x.set(x, x2); x.set(x2, x); x.extra = 5; y = new Map`,
			`x.get(NaN) === 1 && x.get('a') === x2 && x.get(x) === x2 && x.get(x2) === x && [...x.keys()][0] !== 0 && x.size === 4 && x.extra === 5 && y.size === 0`},
		{`x = new Set([3, 1, "1"]); x.add(x)`, `[...x].length === 4 && [...x][0] === 3 && x.has('1') && x.has(x)`},
		{`x = new TypeError("m", {cause: y = {}}); x.code = 5; z = new AggregateError([x], "all"); w = new Error; delete w.stack; v = Error("s"); v.name = "Custom"`,
			`x instanceof TypeError && x.message === 'm' && x.cause === y && x.code === 5 && Object.keys(x).join() === 'code' && /m/.test(x.stack) && z.errors[0] === x && z.message === 'all' && !('stack' in w) && w.message === '' && String(v) === 'Custom: s'`},
		{`x = Object(1); y = Object("ab"); z = Object(false); b = Object(7n); s = Object(Symbol.iterator); y.q = 1`,
			`typeof x === 'object' && x == 1 && y.length === 2 && y[1] === 'b' && y.q === 1 && z.valueOf() === false && typeof b === 'object' && b == 7n && s.valueOf() === Symbol.iterator`},
		{`x = new Uint8Array([1, 2, 255]).buffer; y = new Uint16Array(x, 0, 1); z = new DataView(x, 1, 2); w = new Float64Array([1.5, NaN]); v = new Uint8ClampedArray(2); u = new BigInt64Array([5n]); e = new Int8Array(0)`,
			`x.byteLength === 3 && y.buffer === x && y.length === 1 && (new Uint8Array(x)[0] = 7, [0x0207, 0x0702].includes(y[0])) && z.buffer === x && z.byteOffset === 1 && z.getUint8(1) === 255 && w[0] === 1.5 && isNaN(w[1]) && v instanceof Uint8ClampedArray && u[0] === 5n && e.length === 0`},
		{`x = Object.create(null); x.a = 1; y = Object.create(null)`, `Object.getPrototypeOf(x) === null && x.a === 1 && Object.getPrototypeOf(y) === null`},
		{`x = Object.freeze({a: [1]}); y = Object.seal([1, 2]); z = Object.preventExtensions({b: 1}); w = Object.freeze([1, , 3]); m = Object.freeze(new Map([[1, 2]])); d = Object.freeze(/x/g)`,
			`Object.isFrozen(x) && !Object.isFrozen(x.a) && Object.isSealed(y) && !Object.isFrozen(y) && !Object.isExtensible(z) && !Object.isSealed(z) && Object.isFrozen(w) && !(1 in w) && Object.isFrozen(m) && m.get(1) === 2 && Object.isFrozen(d)`},
		{`x = {}; Object.defineProperty(x, "a", {value: 1}); Object.defineProperty(x, "$b", {value: 2, enumerable: true}); x.c = 3; y = [1, 2]; Object.defineProperty(y, 0, {writable: false}); Object.defineProperty(y, "length", {writable: false})`,
			`JSON.stringify(Object.getOwnPropertyDescriptors(x)) === '{"a":{"value":1,"writable":false,"enumerable":false,"configurable":false},"$b":{"value":2,"writable":false,"enumerable":true,"configurable":false},"c":{"value":3,"writable":true,"enumerable":true,"configurable":true}}' && (y[0] = 9, y[0] === 1) && !Object.getOwnPropertyDescriptor(y, 'length').writable`},
		{`x = Symbol.iterator; y = [Symbol.toStringTag]`, `x === Symbol.iterator && y[0] === Symbol.toStringTag`},
		{`x = Math.max; y = [Array.prototype.push, Math, JSON, Map, Array.prototype, globalThis, Object.prototype.toString]; z = Function.prototype.call; p = Promise; t = Int8Array; pr = Proxy; r = RegExp`,
			`x === Math.max && y[0] === Array.prototype.push && y[1] === Math && y[2] === JSON && y[3] === Map && y[4] === Array.prototype && y[5] === globalThis && y[6] === Object.prototype.toString && z === Function.prototype.call && p === Promise && t === Int8Array && pr === Proxy && r === RegExp`},
		{`Map = 5; var Set = 6; function WeakMap() { return 7 }`, `Map === 5 && Set === 6 && WeakMap() === 7`},
		{`data Map 5`, `Map === 5`},
		{`data Map Object.freeze([5])`, `Map[0] === 5 && Object.isFrozen(Map)`},
		{`delete this["Ma" + "p"]; this["Ma" + "p"] = 5`, `Map === 5`},
		{`x = _ioprocessors; y = _x; z = In; w = _ioprocessors["http://www.w3.org/TR/scxml/#SCXMLEventProcessor"]`,
			`x === _ioprocessors && y === _x && z === In && w === _ioprocessors.scxml`},
	} {
		t.Run(tt.scripts, func(t *testing.T) {
			newSaved(t, tt.scripts).restored().want(tt.check, "true")
		})
	}
}

func TestSaveFunctions(t *testing.T) {
	for _, tt := range []struct {
		scripts []string
		check   string
	}{
		{[]string{`function f(a, b) { return a + b }`}, `f(1, 2) === 3 && f.name === 'f' && f.length === 2 && !delete globalThis.f`},
		{[]string{`data f function(x) { return x + 1 }`}, `f(1) === 2`},
		{[]string{`data lib ({solve: function(x) { return x * this.n }, n: 3, "short"(x) { return -x }, arrow: x => x + 1})`},
			`lib.solve(2) === 6 && lib.solve.name === 'solve' && lib.short(1) === -1 && lib.short.name === 'short' && lib.arrow(1) === 2 && lib.arrow.name === 'arrow'`},
		{[]string{`var n = 5; function f() { return n } function g() { return f() + 1 }`, `old = f; f = function() { return old() * 2 }; n = 7`}, `f() === 14 && g() === 15`},
		{[]string{`function f() { return 1 }`, `g = f; f = function() { return 2 }`}, `g() === 1 && f() === 2 && g.name === 'f'`},
		{[]string{`function f() { return f }`, `g = f; f = 3`}, `g() === 3`},
		{[]string{`x = function named() { return named }`}, `x() === x && x.name === 'named'`},
		{[]string{`function mk() { return function() { return 1 } } x = mk(); y = mk(); z = x`}, `x !== y && x === z && x() === 1 && y() === 1`},
		{[]string{`function *g() { yield 1; yield 2 } async function a() {} var b = async () => 1`}, `[...g()].join() === '1,2' && a() instanceof Promise && b.name === 'b'`},
		{[]string{`"use strict"; function f() { return this } var o = {g: function() { return this }}`}, `f() === undefined && (0, o.g)() === undefined`},
		{[]string{`function f() { return this }`}, `f() === globalThis`},
		{[]string{`var x = () => this`}, `x() === globalThis`},
		{[]string{`function f() {} f.count = 3; f.self = f`}, `f.count === 3 && f.self === f`},
		{[]string{`function P(x) { this.x = x } P.prototype.get = function() { return this.x }; P.shared = P.prototype`}, `new P(4).get() === 4 && new P(1).constructor === P && P.shared === P.prototype`},
		{[]string{`function A() {} A.prototype.a = 1; function B() {} B.prototype = Object.create(A.prototype); B.prototype.constructor = B; B.prototype.b = 2`},
			`new B().a === 1 && new B().b === 2 && new B() instanceof A`},
		{[]string{`function A() {} proto = Object.create(A.prototype); function B() {} B.prototype = proto; proto.constructor = B; proto.n = 4`}, `B.prototype === proto && new B().n === 4 && new B() instanceof A`},
		{[]string{`class A { m() { return 1 } } class B extends A {} x = [B.prototype, A.prototype]; p = A.prototype; function P() {} q = [P.prototype]`},
			`x[1] === A.prototype && p === x[1] && x[0] === B.prototype && new B().m() === 1 && x[0].__proto__ === p && q[0] === P.prototype`},
		{[]string{`Map = Map; JSON = JSON; x = new Map([[1, 2]])`}, `x.get(1) === 2 && JSON.stringify([1]) === '[1]' && !delete globalThis.nothing === false`},
		{[]string{`class A { #p = 1; x = 5; m() { return this.x + this.#p } static s() { return 's' } get g() { return 'g' } static count = 3 }`, `A.count = 9`},
			`new A().m() === 6 && A.s() === 's' && new A().g === 'g' && A.count === 9 && A.name === 'A'`},
		{[]string{`class A { constructor(x) { this.x = x } m() { return 'A' } } class B extends A { constructor() { super(7) } m() { return super.m() + 'B' } }`},
			`new B().x === 7 && new B().m() === 'AB' && B.__proto__ === A && new B() instanceof A`},
		{[]string{`class L extends Array { last() { return this[this.length - 1] } } class E extends Error {}`}, `L.from([1, 2]).last() === 2 && new E('m').message === 'm' && new E() instanceof Error`},
		{[]string{`function P(x) { this.x = x } x = new P(4); y = [new P(5), x]`}, `x.x === 4 && x instanceof P && x.constructor === P && x.__proto__ === P.prototype && y[1] === x && y[0] instanceof P`},
		{[]string{`function P() {} P.prototype.get = function() { return this.n }; x = new P; x.n = 3; P.prototype.last = x`}, `x.get() === 3 && x instanceof P && new P().last === x`},
		{[]string{`function A() {} A.prototype.a = 1; function B() {} B.prototype = Object.create(A.prototype); B.prototype.constructor = B; x = new B; x.self = x`},
			`x.a === 1 && x instanceof A && x.__proto__ === B.prototype && x.self === x`},
		{[]string{`class A { constructor(x) { this.x = x } get double() { return 2 * this.x } } class B extends A { constructor() { super(7) } m() { return this.x } } x = new B; y = [new A(1)]`},
			`x.m() === 7 && x.double === 14 && x instanceof B && y[0] instanceof A && y[0].double === 2 && B.__proto__ === A`},
		{[]string{`class A { static first = new A } x = Object.freeze(new A); x.n = 1; y = new (class { n = 5 })`}, `A.first instanceof A && Object.isFrozen(x) && x instanceof A && x.n === undefined && y.n === 5 && y.constructor !== A`},
		{[]string{`class Node { constructor(n) { this.next = n } } x = null; for (let i = 0; i < 1000; i++) x = new Node(x)`}, `(() => { let n = 0; for (let o = x; o; o = o.next) n += o instanceof Node; return n })() === 1000`},
		{[]string{`A = class { m() { return 1 } }`}, `new A().m() === 1 && A.name === 'A'`},
		{[]string{`let a = 1; const b = 2; const c = {n: 1}; let d; class K {}`, `a = 5; c.n = 2`}, `a === 5 && b === 2 && c.n === 2 && d === undefined && typeof K === 'function'`},
		{[]string{`const b = Math.random(); const c = [b]`}, `b === c[0] && (() => { try { b = 1 } catch (e) { return e instanceof TypeError } return b !== 1 })()`},
		{[]string{`var v = 1; w = 2`}, `!delete globalThis.v && delete globalThis.w`},
		{[]string{`Object.defineProperty(globalThis, "x", {value: {}}); Object.defineProperty(globalThis, "$y", {value: 2, writable: true, enumerable: false, configurable: true})`},
			`JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, "x")) === '{"value":{},"writable":false,"enumerable":false,"configurable":false}' && !Object.keys(globalThis).includes("$y") && ($y = 3, $y === 3)`},
		{[]string{`let {p, q: [r]} = {p: 1, q: [2]}`}, `p === 1 && r === 2`},
		{[]string{`data x 1`, `let x = 1`}, `x === 1 && (x = 2, globalThis.x === 1)`},
		{[]string{`data x 1`, `let x = 5`}, `x === 5 && globalThis.x === 1`},
		{[]string{`data Map 5`, `var name = 'n'`}, `Map === 5 && name === 'n'`},
		{[]string{`Math = 7`}, `Math === 7`},
		{[]string{`var lib = (function() { "use strict"; const N = 9, BOX = N / 3, name = "x" + -BOX; var half = n => n / 2;
			function even(n) { return n === 0 || odd(n - 1) } function odd(n) { return n !== 0 && even(n - 1) }
			return {solve: n => half(n) + N + name, even: even, me() { return this }, strict: function() { return this }} })()`},
			`lib.solve(4) === '11x-3' && lib.even(4) && !lib.even(3) && lib.me() === lib && (0, lib.strict)() === undefined && lib.even.name === 'even' && lib.solve.name === 'solve'`},
		{[]string{`var f = (() => { const a = 1; { const b = 2; return () => { const c = 3; return () => a + b + c } } })()()`}, `f() === 6`},
		{[]string{`var C = (function() { const k = 2; function twice(n) { return n * k } return class { m() { return twice(4) } } })()`}, `new C().m() === 8`},
		{[]string{`function f(g = () => 1) { return eval('g() + 1') }`}, `f() === 2`},
	} {
		t.Run(strings.Join(tt.scripts, "; "), func(t *testing.T) {
			newSaved(t, tt.scripts...).restored().want(tt.check, "true")
		})
	}
}

func TestSaveRefuses(t *testing.T) {
	for _, tt := range []struct{ script, path, what string }{
		{`var f = (function() { var n = 0; return function() { return n++ } })()`, "f", `captures the variable "n"`},
		{`function mk(n) { return () => n } var game = {board: [1, 2, {h: mk(1)}]}`, "game.board[2].h", `captures the variable "n"`},
		{`function mk() { return () => this } var f = mk.call({})`, "f", `captures "this"`},
		{`var a = []; for (let i = 0; i < 2; i++) a.push(() => i)`, "a[0]", `captures the variable "i"`},
		{`{ let k = 1; var f = function() { return k }; k++ }`, "f", `captures the variable "k"`},
		{`var f = (function() { var n = 0; if (n) var n = 2; return () => n })()`, "f", `captures the variable "n"`},
		{`var f = (function() { var n = 0; for (var n of [1, 2]); return () => n })()`, "f", `captures the variable "n"`},
		{`var f = (function() { var n = 0; var {n} = {n: 2}; return () => n })()`, "f", `captures the variable "n"`},
		{`var f = (function() { var n = 0; { let m = 1; n += m } return () => n })()`, "f", `captures the variable "n"`},
		{`var f = (function() { if (1) return () => n; var n = 5 })()`, "f", `captures the variable "n"`},
		{`var f; try { (function() { f = () => n; null.x; const n = 5 })() } catch (e) {}`, "f", `captures the variable "n"`},
		{`var f = (function(n) { return () => n })(5)`, "f", `captures the variable "n"`},
		{`var f = (function() { var n = {}; return () => n })()`, "f", `captures the variable "n"`},
		{`var f = (function() { const n = Math.random(); return () => n })()`, "f", `captures the variable "n"`},
		{`var f = (function() { function memo() {} return () => memo.cache })()`, "f", `captures the variable "memo"`},
		{`var f = (function() { function P() {} return () => new P })()`, "f", `captures the variable "P"`},
		{`var f = (function() { function g() {} return () => [1].map(g) })()`, "f", `captures the variable "g"`},
		{`var f = (function() { class A {} return () => A })()`, "f", `captures the variable "A"`},
		{`var f = (function() { var s = 0; function step() { return s++ } return () => step() })()`, "f", `captures the variable "step"`},
		{`var f = (function() { function g() { return 1 } g = 5; return () => g() })()`, "f", `captures the variable "g"`},
		{`var f = (function() { if (1) function g() {} return () => g })()`, "g", "may declare variables"},
		{`var a = (function() { const n = 1; return () => n })(), b = (function() { const n = 2; return () => n })()`, "a", "has the same text"},
		{`var f = (function() { return function() { return arguments } })(), g = (function() { return () => arguments })()`, "g", `"arguments"`},
		{`with ({z: 1}) { var f = function() { return z } }`, "f", `captures the variable "z"`},
		{`function mk() { eval("var z = 1"); return function() { return z } } var f = mk()`, "f", "eval"},
		{`try { throw 1 } catch (e) { var f = () => e }`, "f", `captures the variable "e"`},
		{`class A { #p = 1 } class B extends A {} var x = {"a b": [new B]}`, `x["a b"][0]`, "an instance of B"},
		{`class A { #m() {} } var x = new A`, `x`, "an instance of A"},
		{`var x = (function() { var n = 0; return new (function P() { this.n = n++ }) })()`, "x.<instanceOf>", `captures the variable "n"`},
		{`function P() {} var x = new P; P.prototype = {}`, `x`, "an instance of P"},
		{`class A {} var x = new A; A.prototype.n = 1`, "x.<proto>.constructor", "prototype has been changed"},
		{`var x = Object.create({})`, `x`, "an object with a prototype of its own"},
		{`var x = new Proxy({}, {})`, "x", "a proxy"},
		{`var x = Promise.resolve(1)`, "x", "a promise"},
		{`function *g() { yield 1 } var x = g()`, "x", ""},
		{`Object.defineProperty(globalThis, "x", {get: function() { return 1 }, enumerable: true, configurable: true})`, "x", "an accessor"},
		{`Object.preventExtensions(globalThis)`, "globalThis", "cannot be extended"},
		{`var x = {get a() { return 1 }}`, "x.a", "an accessor"},
		{`var x = {}; Object.defineProperty(x, "a", {get: Math.random})`, "x.a", "an accessor"},
		{`var x = {}; x[Symbol.iterator] = 1`, "x", "symbol"},
		{`var x = [Symbol("s")]`, "x[0]", "a symbol"},
		{`var x = new WeakMap`, "x", "a WeakMap"},
		{`var x = new WeakSet`, "x", "a WeakSet"},
		{`var x = (function() { return arguments })()`, "x", "an arguments object"},
		{`var x = Math.max.bind(null, 1)`, "x", "bound"},
		{`function f() {} var x = f.bind(null)`, "x", "bound"},
		{`var x = new Function("return 1")`, "x", "is not in the text of the chart"},
		{`var x = eval("(function() { return 2 })")`, "x", "is not in the text of the chart"},
		{`var x = [1].values()`, "x", ""},
		{`var x = new Map([[{}, 1], [2, {a: Symbol()}]])`, "x.<value 1 of the map>.a", "a symbol"},
		{`var x = new Map([[[Symbol()], 1]])`, "x.<key 0 of the map>[0]", "a symbol"},
		{`var x = new Set([1, [Symbol()]])`, "x.<item 1 of the set>[0]", "a symbol"},
		{`class M extends Map {} var x = new M`, "x", "an instance of M"},
		{`class M extends Array {} var x = new M`, "x", "an instance of M"},
		{`class D extends Date {} var x = new D`, "x", "an instance of D"},
		{`let x = Symbol()`, "x", "a symbol"},
		{`var x = ({m() { return super.toString }}).m`, "x", "super"},
		{`Object.defineProperty(Array.prototype, "last", {get: function() {}, configurable: true})`, "Array.prototype.last", "a change of the library"},
		{`Array.prototype.last = function() { return this[this.length - 1] }`, "Array.prototype.last", "a change of the library"},
		{`Array.prototype.push = function() { return 'pushed' }`, "Array.prototype.push", "a change of the library"},
		{`Math.two = 2`, "Math.two", "a change of the library"},
		{`Math.PI = 3; Object.defineProperty(String.prototype, "first", {value: 1})`, "String.prototype.first", "a change of the library"},
		{`Object.freeze(Object.prototype)`, "Object.prototype", "a change of the library"},
		{`Object.freeze(Math); Math.prototype`, "Math", "a change of the library"},
		{`Object.prototype[Symbol.iterator] = 1`, "Object.prototype", "a change of the library"},
		{`delete Array.prototype.map`, "Array.prototype.map", "a change of the library"},
		{`class A { m() {} } A.prototype.n = 1`, "A", "prototype has been changed"},
		{`class A { ["a" + 1]() {} }`, "A", "computed key"},
		{`class A extends null {}`, "A", "extends null"},
		{`function f() {} Object.defineProperty(f, "x", {get: f})`, "f.x", "an accessor"},
		{`class E extends Error {} var x = new E("m")`, "x", "an instance of E"},
		{`var x = new Uint8Array(2); x.note = 1`, "x", "properties of its own"},
		{`var x = [1]; x[Symbol.iterator] = 1`, "x", "symbol"},
		{`var x = new Map; x[Symbol.iterator] = 1`, "x", "symbol"},
		{`let x = [Symbol()]`, "x[0]", "a symbol"},
		{`class A { static #x = 1 } `, "A", "static private"},
	} {
		t.Run(tt.script, func(t *testing.T) {
			s := newSaved(t, tt.script)
			_, err := s.Store.(datamodel.Saver).Save(s.exprs)
			var refused *datamodel.NotSerializableError
			if !errors.Is(err, datamodel.ErrNotSerializable) || !errors.As(err, &refused) {
				t.Fatalf("got %v, want ErrNotSerializable", err)
			}
			if refused.Path != tt.path || !strings.Contains(refused.What, tt.what) {
				t.Errorf("got %q, want the path %q and %q", refused, tt.path, tt.what)
			}
			s.want("1 + 1", "2") // the store is as it was
		})
	}
}

// No getter of the chart is run, whatever road leads to it: not even that of an
// accessor which nothing in the text of the chart makes one think of.
func TestSaveRunsNothing(t *testing.T) {
	for _, script := range []string{
		`var ran = 0; var o = {get a() { ran++ }}`,
		`var ran = 0; var o = {a: 1}; var k = "define" + "Property"; Object[k](o, "a", {enumerable: true, get: function() { ran++ }})`,
		`var ran = 0; var o = {a: {b: [1]}}; var k = "define" + "Property"; Object[k](o, "a", {enumerable: true, get: function() { return ran++ }.bind(null)})`,
	} {
		s := newSaved(t, script)
		_, err := s.Store.(datamodel.Saver).Save(s.exprs)
		if err == nil || err.Error() != "o.a: cannot save an accessor" {
			t.Errorf("%s: got %v", script, err)
		}
		s.want("ran", "0")
		s.want("[1, 2].map(x => x + 1)", "[2,3]")
	}
}

func TestSaveUnused(t *testing.T) {
	s := newSaved(t)
	if data := s.save(); string(data) != `{"format":1}` {
		t.Errorf("a store that was never used saves %s", data)
	}
	s.restored()
}

// What needs no runtime is saved and restored without one.
func TestSaveWithoutRuntime(t *testing.T) {
	s := newSaved(t, `data n 1`, `data s "text"`, `data u undefined`, `data z -0`, `data b true`, `data e null`)
	data := s.save()
	if want := `{"format":1,"data":{"n":1,"s":"text","u":{"$undefined":true},"z":{"$number":"-0"},"b":true,"e":null}}`; string(data) != want {
		t.Errorf("got %s\nwant %s", data, want)
	}
	lang, host := ecmascript.New(), newHost()
	runtime := testing.AllocsPerRun(10, func() {
		st, _ := lang.NewStore(host)
		_ = st.Run(expr(datamodel.Script, "{}"))
	})
	allocs := testing.AllocsPerRun(10, func() {
		st, _ := lang.NewStore(host)
		if err := st.(datamodel.Saver).Load(data, s.exprs); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > runtime/4 {
		t.Errorf("%v allocations to restore, where a runtime takes %v", allocs, runtime)
	}
	s.restored().want("n === 1 && s === 'text' && u === undefined && 1/z === -Infinity && b && e === null", "true")
	// What cannot be restored that way is restored with a runtime, or refused.
	for data, ok := range map[string]bool{
		`{"format":1,"data":{"n":1,"x":[]}}`: true, `{"format":1,"data":{"n":1,"x":"é"}}`: true, ` { "format" : 1 } `: true,
		`{"format":1,"data":{"n":1}`: false, `{"format":1,"data":{"n":1,"In":2}}`: false, `{"format":1,"data":{"n":1}}{}`: false,
	} {
		st := newStore(t)
		if err := st.Store.(datamodel.Saver).Load([]byte(data), nil); (err == nil) != ok {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// Data of any depth is saved, as JSON that is not deep.
func TestSaveDeep(t *testing.T) {
	for name, script := range map[string]string{
		"arrays":  `x = []; for (i = 0; i < 100000; i++) x = [x]; n = 100001`,
		"objects": `x = {}; for (i = 0; i < 10000; i++) x = {next: x}; n = 10001`,
		"maps":    `x = new Map; for (i = 0; i < 10000; i++) x = new Map([[x, 0]]); n = 10001`,
	} {
		t.Run(name, func(t *testing.T) {
			next := newSaved(t, script).restored()
			next.run(`for (; x; n--) x = x instanceof Map ? x.keys().next().value : Array.isArray(x) ? x[0] : x.next`)
			next.want("n", "0")
		})
	}
	s := newSaved(t, `x = Symbol(); for (i = 0; i < 10000; i++) x = [x]`)
	_, err := s.Store.(datamodel.Saver).Save(s.exprs)
	if err == nil || len(err.Error()) > 300 || !strings.HasPrefix(err.Error(), "x[0][0]") {
		t.Errorf("got %v", err)
	}
	s = newSaved(t, `x = Error(); for (i = 0; i < 1000; i++) x = Error("", {cause: x})`)
	if _, err = s.Store.(datamodel.Saver).Save(s.exprs); !errors.Is(err, datamodel.ErrNotSerializable) {
		t.Errorf("got %v", err)
	}
}

// Sessions of one chart are saved and restored at the same time.
func TestSaveConcurrently(t *testing.T) {
	first := newSaved(t, `class A { m() { return 1 } } let n = 1; const c = [n]; function f() { return n } var lib = {g() {}}`)
	data := string(first.save())
	exprs := newSaved(t, first.exprs[0].Source().Text).exprs // nobody has looked at them
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			for range 5 {
				s := &saved{bench: newStore(t), exprs: exprs}
				if err := s.Store.(datamodel.Saver).Load([]byte(data), exprs); err != nil {
					t.Error(err)
					return
				}
				again, err := s.Store.(datamodel.Saver).Save(exprs)
				if err != nil || string(again) != data {
					t.Errorf("%v\n got %s\nwant %s", err, again, data)
				}
			}
		})
	}
	done.Wait()
}
