package ecmascript_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// A script can catch the error of what would be too large or too deep, whichever way leads to the function.
func TestTooLargeIsAnError(t *testing.T) {
	if racing {
		t.Skip("takes half a minute with the race detector, which has nothing to compare here")
	}
	const (
		deep  = "var t = '('.repeat(2e5) + '1' + ')'.repeat(2e5); "
		chain = "var t = '1' + '+1'.repeat(1e5); "
		long  = "var t = '1'.repeat(6e5); "
	)
	for want, scripts := range map[string][]string{
		"RangeError": {
			"new ArrayBuffer(2 ** 42)", "ArrayBuffer(2 ** 42)", "new ArrayBuffer('1e12')", "new ArrayBuffer({valueOf: () => 2 ** 42})",
			"new Uint8Array(2 ** 40)", "new Float64Array(1e11)", "new BigInt64Array(1e11)", "new (new Int8Array(1).constructor)(1e11)",
			"Reflect.construct(ArrayBuffer, [1e12])", "Reflect.construct(Int8Array, [1e12], Array)", "new (class A extends ArrayBuffer {})(1e12)",
			"class A extends Uint8Array { constructor() { super(1e12) } }; new A()", "new (Function.prototype.bind.call(ArrayBuffer, null, 1e12))()",
			"new Uint8Array({length: 1e12})", "new Uint8Array(Array(4e9))", "Uint8Array.from({length: 4e9})", "Int8Array.from.call(Array, {length: 1e12})",
			"Object.getPrototypeOf(Int8Array).from.call(Int8Array, {length: 1e12})", "var it = [].values(); it.next = Object; new Int8Array(it)",
			"class S extends Uint8Array { static get [Symbol.species]() { return Object.bind(null, 0) } }; new S(1e12)",
			"var {ArrayBuffer: B} = globalThis; new B(1e12)", "[1e12].map(n => new ArrayBuffer(n))", "[1e12].map(x => new Float32Array(x))",
			"new Proxy(ArrayBuffer, {}).prototype.constructor(1e12)",
			"var s = 'x'.repeat(9e7); s.concat(s, s)", "var s = 'x'.repeat(9e7); String.prototype.concat.apply(s, [s, s])",
			"'x'.repeat(1e5).replaceAll('', 'y'.repeat(1e5))", "'x'.repeat(1e5).replace(/x/g, '$`')", "'x'.repeat(1e5).replace(/x/g, 'y'.repeat(1e5))",
			"'x'.repeat(1e5).replaceAll('x', \"$'\")", "'x'.repeat(1e5).replace(/(x)/g, '$1'.repeat(3e3))", "var y = 'y'.repeat(1e5); 'x'.repeat(1e5).replace(/x/g, () => y)",
			"'x'.repeat(2e6).split('')", "'x,'.repeat(2e6).split(',')", "''.split.call('x'.repeat(2e6), '')",
			"String.raw({raw: {length: 1e9, 0: 'x'}}, 'y')", "(function () {}).apply(null, {length: 2 ** 43})", "Math.max.apply(null, Array(2 ** 32 - 1))",
			"Reflect.apply(Math.max, null, {length: 2 ** 43})", "Reflect.construct(Date, {length: 2 ** 43})", "var {apply} = Reflect; apply(Math.max, null, Array(4e9))",
			"[].toReversed.call({length: 4e9})", "[].toSpliced.call({length: 4e9}, 0)", "[].with.call({length: 4e9}, 0, 1)", "Array.prototype.fill.call({length: 4e9}, 1)",
			"Reflect.apply([].fill, Array(4e9), [1])", "Function.prototype.call.call(''.repeat, 'x', 1e9)", "[].concat.call(Array(1e6), Array(1e6))", "var m = 'repeat'; 'x'[m](1e9)", "var {['repeat']: r} = 'x'; r.call('x', 1e9)",
		},
		"SyntaxError": {
			deep + "eval(t)", deep + "(function () { 'use strict'; return eval(t) })()", deep + "(0, eval)(t)", deep + "var e = eval; e(t)", deep + "eval(...[t])",
			deep + "eval?.(t)", deep + "(function (e = eval) { e(t) })()", deep + "new (class { x = eval(t) })()", deep + "eval('this')['ev' + 'al'](t)",
			deep + "var g = Function('return this')(); g['ev' + 'al'](t)", deep + "eval.call(null, t)", deep + "Reflect.apply(eval, null, [t])",
			deep + "Object.getOwnPropertyDescriptor(globalThis, 'eval').value(t)", deep + "globalThis['bound text'] = null; eval(t)", deep + "[t].map(eval)",
			deep + "eval('ev' + 'al(t)')", deep + "Function('t', 'return ev\\\\u0061l(t)')(t)", deep + "eval('1'); var e = eval; e(t)", deep + "try { eval(null.x) } catch (e) { } eval.call(0, t)",
			deep + "(function (eval) { eval(1) })(x => x); var e = eval; e(t)", deep + "eval((eval('1'), t))", deep + "var e; eval((e = eval, '')); e(t)", deep + "with ({}) eval(t)",
			deep + "new Function(t)", deep + "Function(t, '')", deep + "[].constructor.constructor(t)", deep + "var c = 'constructor'; [][c][c](t)",
			deep + "(function* () {}).constructor(t)", deep + "(async function () {}).constructor(t)", deep + "Reflect.construct(Function, [t])", deep + "class F extends Function {}; new F(t)",
			chain + "eval(t)", chain + "new Function(t)", chain + "new Function('a', 'b', 'return ' + t)", long + "eval(t)", long + "Function(t)",
			"SyntaxError = 5; " + deep + "eval(t)", "Function('a = ' + '('.repeat(1e6), '')", "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))", "new RegExp('['.repeat(1e5))",
		},
	} {
		for _, script := range scripts {
			h := newHost()
			st, err := ecmascript.New(ecmascript.WithMaxItems(1_500_000)).NewStore(h)
			if err != nil {
				t.Fatal(err)
			}
			b := &bench{t, st}
			b.run("var name, own = " + want)
			if err := b.Run(expr(datamodel.Script, "try { "+script+" } catch (e) { name = e.name + (e instanceof own) }")); err != nil {
				t.Errorf("%s: %v", script, err)
				continue
			}
			if v, _ := b.Value(expr(datamodel.ValueExpr, "name")); v != want+"true" {
				t.Errorf("%s: got %v, want %s", script, v, want)
			}
		}
	}
}

// Buffers, functions and texts within the bounds are as without guards.
func TestGuardedClassesWork(t *testing.T) {
	for text, want := range map[string]string{
		"[ArrayBuffer.name, ArrayBuffer.length, typeof ArrayBuffer, ArrayBuffer.prototype.constructor === ArrayBuffer, String(ArrayBuffer)]":                                                                    `["ArrayBuffer",1,"function",true,"function ArrayBuffer() { [native code] }"]`,
		"[new ArrayBuffer(8) instanceof ArrayBuffer, new ArrayBuffer(8).slice(2).byteLength, ArrayBuffer.isView(new Int8Array(1)), ArrayBuffer[Symbol.species] === ArrayBuffer]":                                `[true,6,true,true]`,
		"[Int8Array.BYTES_PER_ELEMENT, Object.getPrototypeOf(Int8Array) === Object.getPrototypeOf(Float64Array), Int8Array.prototype.BYTES_PER_ELEMENT]":                                                        `[1,true,1]`,
		"[[...new Int8Array([1, 2, 300])], [...new Uint8Array(new Set([1, 2]))], [...Int16Array.from(['1', '2'], x => x * 2)], [...Int8Array.of(7)]]":                                                           `[[1,2,44],[1,2],[2,4],[7]]`,
		"[[...new Float64Array(new Int8Array([1, 2]))], [...new Int8Array(new Int8Array([5]).buffer)], new Int8Array(3).map(x => x + 1).join()]":                                                                `[[1,2],[5],"1,1,1"]`,
		"(function () { class A extends Uint8Array { sum() { return this.reduce((a, b) => a + b) } } var a = new A([1, 2]); return [a.sum(), a instanceof A, a.slice() instanceof A, a.constructor === A] })()": `[3,true,true,true]`,
		"(function () { class B extends ArrayBuffer {} var b = new B(4); return [b.byteLength, b instanceof B, b.slice(1) instanceof B] })()":                                                                   `[4,true,true]`,
		"[new Int8Array(2).length, new Int8Array().length, new ArrayBuffer().byteLength, new Int8Array('3').length, new Int8Array({length: 2}).length]":                                                         `[2,0,0,3,2]`,
		"(function () { try { new Int8Array(-1) } catch (e) { return e.name } })()":                                                                                                                             `"RangeError"`,
		"(function (x) { var y = 2; return eval('x + y + (function () { return eval(\"3\") })()') })(1)":                                                                                                        "6",
		"(function () { var r = []; for (var i = 0; i < 3; i++) r.push(eval('i * 2'), eval(i)); return r })()":                                                                                                  "[0,0,2,1,4,2]",
		"(function () { var e = eval, x = 1; return typeof e('typeof x') + e('2') + eval('x', 'y') })()":                                                                                                        `"string21"`,
		"(function () { let x = 5; { let x = 6; return [eval('x'), (0, eval)('typeof x')] } })()":                                                                                                               `[6,"undefined"]`,
		"[(function* () {}).constructor.name, (async function () {}).constructor.name, (function* () {}).constructor.length]":                                                                                   `["GeneratorFunction","AsyncFunction",1]`,
		"['a-b-c'.replace('-', '+'), 'a-b-c'.replaceAll('-', '$$'), 'abc'.replace(/(b)/g, '[$1$&]'), 'abc'.replace(/b/, x => x + x), 'a'.replace('a')]":                                                         `["a+b-c","a$b$c","a[bb]c","abbc","undefined"]`,
		"'aXbX'.replace({[Symbol.replace]: (s, r) => s + r}, 'z') + 'x'.replaceAll(/x/g, (m, at, s) => m + at + s)":                                                                                             `"aXbXzx0x"`,
		"['a,b,c'.split(','), 'abc'.split(''), 'a,b'.split(',', 1), 'a1b'.split(/\\d/), 'a'.split(), 'ab'.split({[Symbol.split]: s => [s, s]})]":                                                                `[["a","b","c"],["a","b","c"],["a"],["a","b"],["a"],["ab","ab"]]`,
		"['a'.concat('b', 1, [2]), [1].concat([2], 3), String.raw`a${1}\\n`, Math.max.apply(null, [1, 2]), Reflect.construct(Date, [0]).getTime()]":                                                             `["ab12",[1,2,3],"a1\\n",2,0]`,
		"['x'.repeat(20000).replace(/x/g, 'y$1').length, 'xy'.repeat(20000).replace(/(x)(y)/g, '$2$1$$').length, 'x'.repeat(30000).replaceAll('x', '$&$&').length]":                                             `[60000,60000,60000]`,
	} {
		newStore(t).want(text, want)
		st := newStore(t)
		st.want("eval('1')", "1") // all guards
		st.want(text, want)
	}
}
