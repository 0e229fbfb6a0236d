package explore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// TestNoStateOnTheLibrary: a chart can keep a state on objects and functions of the language, or replace them.
// A search does not compare them, so it refuses such a chart.
func TestNoStateOnTheLibrary(t *testing.T) {
	for _, script := range strings.Split(strings.TrimSpace(`
parseInt.q = 1
parseInt.q++
parseInt['q'] = (parseInt['q'] || 0) + 1
In.q = 1
xml.getElementsByTagName.q = 1
xml.documentElement.getAttribute.q = 1
Object.getPrototypeOf(xml).q = 1
Math.max.q = 1
[].map.q = 1
Object.getOwnPropertyDescriptor(globalThis, '_event').get.q = 1
var f = Math.abs; f.q = 1
var o = {f: isNaN}; o.f.q = 1
(() => escape)().q = 1
'abc'.at.q = 1
JSON.stringify.n = 1
/a/.exec.n = 1
Symbol.for.n = 1
new Date().getTime.n = 1
(function () {}).call.n = 1
(function* () {}).constructor.n = 1
Object.getPrototypeOf(function* () {}).n = 1
Object.getPrototypeOf(async function () {}).n = 1
[][Symbol.iterator]().next.n = 1
Object.getPrototypeOf([][Symbol.iterator]()).n = 1
Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())).n = 1
Object.getPrototypeOf(Uint8Array).n = 1
Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.n = 1
Object.getOwnPropertyDescriptor(Map, Symbol.species).get.n = 1
Promise.prototype.then.n = 1
eval.n = 1
Function.n = 1
Array.n = 1
Array.prototype.n = 1
Object.prototype.n = 1
String.prototype.n = 1
Number.prototype.n = 1
Function.prototype.n = 1
Error.prototype.message = 'x'
RegExp.prototype.n = 1
Date.prototype.n = 1
Map.prototype.n = 1
Math.n = 1
JSON.n = 1
Reflect.n = 1
Math.max = Math.min
Math['m' + 'ax'] = Math.min
delete Math.max
delete parseInt.name
delete Math?.max
Array.prototype.map = function () { return [] }
String.prototype[Symbol.iterator] = null
parseInt[Symbol.iterator] = 1
[parseInt.n] = [1]
[...parseInt.n] = [1]
({a: parseInt.n} = {a: 1})
({a: parseInt.n = 2} = {})
({...parseInt.n} = {})
for (parseInt.n of [1]);
for (parseInt.n in {a: 1});
with (Math) { PI2 = 1; max = 1 }
parseInt.n ??= 1
parseInt.n ||= 1
parseInt.n += 1
(class { static m() { super.n = 1 } }).m.call(parseInt)
({__proto__: {}, m() { super.n = 1 }}).m.call(parseInt)
(class { m() { super.n = 1 } }).prototype.m.call(parseInt)
(class { m() { super['n']++ } }).prototype.m.call(parseInt)
new (class extends (function () { return parseInt }) { n = 1 })
new (class extends (function () { return parseInt }) { n })
new (class extends (function () { return parseInt }) { #n = 1 })
Object.assign(parseInt, {n: 1})
Object['ass' + 'ign'](parseInt, {n: 1})
Object.defineProperty(parseInt, 'n', {value: 1})
Object.defineProperties(parseInt, {n: {value: 1}})
Object.setPrototypeOf(parseInt, null)
Object.freeze(parseInt)
Object.seal(Math)
Object.preventExtensions(Math)
Reflect.set(parseInt, 'n', 1)
Reflect.set({}, 'n', 1, parseInt)
Reflect.defineProperty(parseInt, 'n', {value: 1})
Reflect.deleteProperty(Math, 'max')
Reflect.setPrototypeOf(Math, null)
Reflect.preventExtensions(Math)
parseInt.__proto__ = null
Object.getOwnPropertyDescriptor(Object.prototype, '__proto__').set.call(parseInt, null)
Array.prototype.push(1)
[].push.call(parseInt, 1)
[].push.apply(parseInt, [1])
Reflect.apply([].push, parseInt, [1])
[].push.bind(parseInt)(1)
[].fill.call(Object.assign(Object.create(null), {length: 1}), 1); [].unshift.call(Math, 1)
[].splice.call(Math, 0, 0, 1)
Array.from.call(function () { return parseInt }, [1])
Array.of.call(function () { return Math }, 1)
(class extends Array { constructor() { return parseInt } }).from([1])
var a = [1]; a.constructor = {[Symbol.species]: function () { return Math }}; a.map(x => x)
var a = [1]; a.constructor = {[Symbol.species]: function () { return Math }}; a.concat(1)
new Proxy(parseInt, {}).n = 1
Proxy.revocable(Math, {}).proxy.n = 1
RegExp.prototype[Symbol.search].call(parseInt, '')
eval('parseInt.n = 1')
(0, eval)('parseInt.n = 1')
Function('parseInt.n = 1')()
new Function('f', 'f.n = 1')(parseInt)
(function* () {}).constructor('parseInt.n = 1')().next()
[1].forEach(eval, eval('1')); [1].map(Function('parseInt.n = 1'))
Math = {max: Math.min}
globalThis.Math = {}
Object.defineProperty(globalThis, 'parseInt', {value: 1})
undefined === globalThis.escape || delete globalThis.escape
this.isNaN = 1
`), "\n") {
		chart := parse(t, `<datamodel><data id="xml"><r xmlns=""/></data></datamodel><state id="a"><transition event="e"><script><![CDATA[try { `+script+` } catch (_) {}]]></script></transition></state>`)
		r, err := explore.Run(t.Context(), chart, explore.Options{NoDeadlocks: true, MaxStates: 1000})
		var library *explore.LibraryError
		if !errors.As(err, &library) && (err == nil || !strings.Contains(err.Error(), "cannot keep")) {
			t.Errorf("%s: %v, %v", script, err, r)
		}
	}
	// A new value of a global name is a part of the state.
	chart := parse(t, `<state id="a"><transition event="e" cond="parseInt == 1" target="bad"/><transition event="e"><script>parseInt = 1</script></transition></state><state id="bad"/>`)
	if r := run(t, chart, explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Never("In('bad')")}}); r.Verdict != explore.Violated {
		t.Errorf("parseInt = 1: %v", r)
	}
	// What looks alike, but keeps nothing.
	for _, script := range strings.Split(strings.TrimSpace(`
var o = {}; o.n = 1; o['m'] = 2; delete o.n; o.m++; ({a: o.x} = {a: 1}); [o.y] = [2]
var l = [3, 1, 2]; l.push(1); l.sort(); l[0] = 1; [].push.call(l, 1); Object.assign(l, [1]); l.splice(0, 1)
class A { n = 1; constructor() { this.m = 2 } }; class B extends A { p = 3; m() { super.q = 1 } }; new B().m()
function f() { return f.n }; f.n = 0
Object.assign({}, Math); Object.freeze([1]); Object.defineProperty({}, 'n', {value: Math})
Math.max(1, 2); [1].map(x => x); parseInt('1'); [Math.PI].concat([1])
eval('1 + 1'); Function('return 1')()
for (var p in {a: 1}); for (const q of [1]);
`), "\n") {
		chart := parse(t, `<state id="a"><transition event="e"><script><![CDATA[{ `+script+` }]]></script></transition></state>`)
		if _, err := explore.Run(t.Context(), chart, explore.Options{NoDeadlocks: true, MaxStates: 1000}); err != nil && !strings.Contains(err.Error(), "cannot keep") {
			t.Errorf("%s: %v", script, err)
		}
	}
}
