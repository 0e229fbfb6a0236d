package ecmascript_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// probeScript is the script of the chart whose conditions are probed.
const probeScript = `
	var n = 3, list = [1, 2, 3], total = 0, nothing = null, text = 'abc', when = new Date(5);
	var order = {items: [{price: 2, qty: 1}, {price: 5, qty: 2}], customer: {name: 'Ann'}};
	var sets = new Set([1, 2]), map = new Map([['a', 1]]);
	const LIMIT = 3;
	let size = 2;
	function double(x) { return 2 * x; }
	function sum(items) { var s = 0; for (var i = 0; i < items.length; i++) { s += items[i].price * items[i].qty; } return s; }
	function sumOf(items) { let s = 0; for (const {price, qty} of items) s += price * qty; return s; }
	function evens(a) { var out = []; for (var i in a) { if (a[i] % 2 === 0) out.push(a[i]); } return out; }
	function fac(n) { return n < 2 ? 1 : n * fac(n - 1); }
	function rate() { total = total + 1; return total; }
	function viaRate() { return rate() > 0; }
	function setName(c) { c.name = 'Bob'; return true; }
	function push(x) { list.push(x); return true; }
	function fails() { throw new Error('no'); }
	function caught() { try { fails(); } catch (e) { return e.message === 'no'; } finally { n; } }
	function count(words) { var c = {}; words.forEach(function (w) { c[w] = (c[w] || 0) + 1; }); return c; }
	function sorted(a) { return a.slice().sort(function (x, y) { return y - x; }); }
	function isBig(x) { switch (typeof x) { case 'number': return x > LIMIT; default: return false; } }
	function name(data) { return data?.customer?.name ?? 'nobody'; }
	function first(...xs) { const [a, b = 7] = xs; return a + b; }
	function grid() { return list.map(x => list.map(y => ({x, y, p: x * y}))); }
	function counter() { var c = 0; return function () { return ++c; }; }
	var tick = counter();
	var box = {value: 1, get: function () { return this.value; }, inc: function () { return ++this.value; }};
	var evil = {valueOf: function () { total = 99; return 1; }};
	var evilText = {toString: function () { total = 99; return 'x'; }};
	var evilJSON = {toJSON: function () { total = 99; return 1; }};
	var odd = {}; Object.defineProperty(odd, 'p', {get: function () { total = 99; return 1; }, enumerable: true});
	var proxy = new Proxy({}, {get: function () { total = 99; }, has: function () { total = 99; }, ownKeys: function () { total = 99; return []; }});
	var under = Object.create(proxy);
	var oddList = [1, 2]; Object.defineProperty(oddList, 1, {get: function () { total = 99; return 1; }});
	var ownMap = [1]; ownMap.map = function () { total = 99; return []; };
	var ownClass = [1]; ownClass.constructor = {[Symbol.species]: function () { total = 99; return []; }};
	var iterable = {[Symbol.iterator]: function () { total = 99; return [][Symbol.iterator](); }};
	var re = /b/, sticky = /b/g;
	var evilRe = /b/; evilRe.exec = function () { total = 99; return null; };
	var iterator = list[Symbol.iterator]();
	class Point { constructor() { this.x = 1; total = 99; } }
	class Any { static [Symbol.hasInstance]() { total = 99; return true; } }
	var bound = rate.bind(null);
	var alias = Array.prototype.push;
	var self = function me(k) { return k > 0 ? me(k - 1) : me.mark; }; self.mark = 4;
	var anonymous = function (x) { return x > 1; };
	var arrow = x => x > 1;
	async function later() { return 1; }
	function* gen() { yield 1; }
`

// probeStore returns a store in which a script has run, and a host function has a name.
func probeStore(t testing.TB, script string) *bench {
	t.Helper()
	s := newStoreOf(t, patientHost())
	host := func([]datamodel.Value) (datamodel.Value, error) {
		t.Error("a function of the host was called")
		return true, nil
	}
	if err := s.Store.(datamodel.FuncDefiner).DefineFunc("host", host); err != nil {
		t.Fatal(err)
	}
	s.load(1, script)
	return s
}

// load runs a script with a place of its own.
func (b *bench) load(line int, script string) {
	b.t.Helper()
	e, err := ecmascript.New().Compile(datamodel.Script, datamodel.Source{Text: script, Pos: datamodel.Position{File: "functions.js", Line: line, Col: 1}})
	if err == nil {
		err = b.Run(e)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// probe returns what Probe says of a condition: its value, "? " and why it was not evaluated, or
// "! " and the error.
func (b *bench) probe(cond string, ev *datamodel.Event) string {
	holds, err := b.Store.(datamodel.Prober).Probe(expr(datamodel.Condition, cond), ev)
	switch {
	case errors.Is(err, datamodel.ErrNotPure):
		return "? " + err.Error()
	case err != nil:
		return "! " + err.Error()
	case holds:
		return "true"
	}
	return "false"
}

// condition evaluates a condition, and says the same as probe.
func (b *bench) condition(cond string) string {
	holds, err := b.Condition(expr(datamodel.Condition, cond))
	if err != nil {
		return "! " + err.Error()
	}
	return fmt.Sprint(holds)
}

var probeEvent = &datamodel.Event{Name: "try", Type: datamodel.External, Data: datamodel.NewObject("x", int64(4), "list", []datamodel.Value{int64(1), "b"}, "customer", datamodel.NewObject("name", "Bea"))}

// probeTests are conditions and what [datamodel.Prober] says of them. Where something is not
// evaluated it is the end of the reason.
var probeTests = []struct{ cond, want string }{
	// What the language does by itself.
	{`n > 2 && total === 0`, `true`},
	{`_event.name === 'try' && _event.data.x === 4`, `true`},
	{`_event.data.list[1] + n`, `true`},
	{`order.items[0].price * 2 === 4`, `true`},
	{`order?.customer?.name?.length === 3 && nothing?.a.b.c === undefined`, `true`},
	{`nothing?.a() === undefined && order.customer?.name.toUpperCase() === 'ANN'`, `true`},
	{`order['items'][n - 2].qty === 2`, `true`},
	{`'name' in order.customer && !('age' in order.customer)`, `true`},
	{"`${n} and ${text}` === '3 and abc'", `true`},
	{`typeof nowhere === 'undefined' && typeof order === 'object'`, `true`},
	{`[1, 2, ...list].length === 5 && {...order.customer, a: 1}.name === 'Ann'`, `true`},
	{`list instanceof Array && when instanceof Date && !(list instanceof Map)`, `true`},
	{`In('s1') && !In('s2')`, `true`},
	{`_sessionid === 'session-1' && _name === 'machine'`, `true`},
	{`_ioprocessors.scxml.location.length > 0`, `true`},
	{`n == '3' && nothing == null && order != null`, `true`},
	{`list == '1,2,3' && String(order) === '[object Object]'`, `true`},
	{`when - 4 === 1 && when < new Date(6)`, `true`},
	{`LIMIT === 3 && size === 2`, `true`},
	{`(function () { return arguments.length; })(1, 2) === 2`, `true`},
	{`(n, 4) === 4 && (n ? 1 : 2) === 1 && void 0 === undefined`, `true`},
	{`nowhere`, `! ReferenceError: nowhere is not defined`},
	{`nothing.x`, `! TypeError: Cannot read property 'x' of undefined`},
	{`order.nope()`, `! TypeError: Object has no member 'nope'`},
	{`n()`, `! TypeError: Value is not an object: 3`},
	{`In(3)`, `! TypeError: In() wants the id of a state, a string`},
	{`n >`, `! SyntaxError: `},

	// The library.
	{`list.some(x => x > 2) && list.every(x => x > 0) && !list.includes(7)`, `true`},
	{`list.map(double).filter(x => x > 2).length === 2`, `true`},
	{`list.find(function (x) { return x === 2; }) === 2`, `true`},
	{`list.reduce((a, x) => a + x, 0) === 6`, `true`},
	{`list.map(String).join('-') === '1-2-3'`, `true`},
	{`order.items.some(({qty, price = 0}) => qty * price > 9)`, `true`},
	{`Object.entries(order.customer).some(([k, v]) => k === 'name' && v === 'Ann')`, `true`},
	{`Object.keys(order).length === 2 && order.hasOwnProperty('items')`, `true`},
	{`Object.prototype.hasOwnProperty.call(order, 'items')`, `true`},
	{`Math.max(...list) === 3 && Math.max.apply(null, list) === 3 && Math.floor(2.5) === 2`, `true`},
	{`JSON.stringify(order.customer) === '{"name":"Ann"}' && JSON.parse('[1]')[0] === 1`, `true`},
	{`Number.isInteger(n) && parseInt('7') === 7 && (2.345).toFixed(1) === '2.3'`, `true`},
	{`text.toUpperCase().split('').reverse().join('') === 'CBA'`, `true`},
	{`/^a/.test(text) && re.test(text) && text.replace(/b/g, x => x + x) === 'abbc'`, `true`},
	{`text.match(/(b)/)[1] === 'b' && text.search(re) === 1`, `true`},
	{`sets.has(2) && map.get('a') === 1 && map.size === 1 && [...sets].length === 2`, `true`},
	{`new Set(list).size === 3 && new Map([[1, 2]]).get(1) === 2`, `true`},
	{`Date.now() === 1700000000000 && new Date().getTime() === Date.now()`, `true`},
	{`Array.from({length: 3}).length === 3 || Array.from('abc').length === 3`, `true`},
	{`[3, 1, 2].sort()[0] === 1 && list.slice().reverse()[0] === 3`, `true`},

	// Functions of the chart.
	{`sum(order.items) === 12 && sumOf(order.items) === 12`, `true`},
	{`evens(list).length === 0 && evens([2, 3, 4]).length === 3`, `false`},
	{`evens([2, 3, 4]).length === 2`, `true`},
	{`fac(5) === 120`, `true`},
	{`fails()`, `! Error: no`},
	{`caught()`, `true`},
	{`count(['a', 'b', 'a']).a === 2`, `true`},
	{`sorted(list)[0] === 3 && list[0] === 1`, `true`},
	{`isBig(4) && !isBig(LIMIT)`, `true`},
	{`name(_event.data) === 'Bea' && name() === 'nobody'`, `true`},
	{`first(1) === 8 && first(1, 2) === 3`, `true`},
	{`grid()[2][1].p === 6`, `true`},
	{`box.get() === 1 && anonymous(2) && arrow(2)`, `true`},
	{`self(3) === 4`, `true`},

	// What has an effect.
	{`n = 4`, `chart.scxml:10:5: assigns to n`},
	{`n++ > 3`, `chart.scxml:10:5: changes n`},
	{`false || (order.customer.name = 'Bob')`, `chart.scxml:10:15: assigns to order.customer.name`},
	{`delete order.items`, `deletes a property or a variable`},
	{`rate() > 3`, `calls rate(), which assigns to total`},
	{`viaRate()`, `calls viaRate(), which calls rate(), which assigns to total`},
	{`list.some(x => rate() > x)`, `calls rate(), which assigns to total`},
	{`setName(order.customer)`, `calls setName(), which assigns to c.name`},
	{`push(4)`, `calls push(), which changes something that it has not made`},
	{`list.push(4)`, `changes something that it has not made`},
	{`list.sort()`, `changes something that it has not made`},
	{`alias.call(list, 4)`, `changes something that it has not made`},
	{`[].push.apply(list, [1])`, `changes something that it has not made`},
	{`sets.add(4)`, `changes something that it has not made`},
	{`Math.random() > 2`, `calls Math.random(), which is not known to have no effect`},
	{`host()`, `calls host(), a function of the host`},
	{`list.some(host)`, `calls host(), a function of the host`},
	{`tick() > 0`, `calls tick(), which captures variables or whose code is not known`},
	{`box.inc() > 0`, `calls inc(), which changes this.value`},
	{`evil > 0`, `converts an object that has its own way to become a primitive value`},
	{`evil == 1`, `converts an object that has its own way to become a primitive value`},
	{`-evil`, `converts an object that has its own way to become a primitive value`},
	{`list[evilText]`, `converts an object that has its own way to become a primitive value`},
	{`undefined[evilText]`, `converts an object that has its own way to become a primitive value`},
	{`undefined[evilText]()`, `converts an object that has its own way to become a primitive value`},
	{`list[evilText]()`, `converts an object that has its own way to become a primitive value`},
	{`evilText in list`, `converts an object that has its own way to become a primitive value`},
	{"`${evilText}`", `converts an object that has its own way to become a primitive value`},
	{`'x' + evilText`, `converts an object that has its own way to become a primitive value`},
	{`[1, evilText] + ''`, `converts an object that has its own way to become a primitive value`},
	{`[evilText].join()`, `converts an object that has its own way to become a primitive value`},
	{`String(evilText)`, `converts an object that has its own way to become a primitive value`},
	{`Math.abs(evil)`, `converts an object that has its own way to become a primitive value`},
	{`new Date(evil)`, `converts an object that has its own way to become a primitive value`},
	{`'abc'.slice(evil)`, `gives a function of the library an object that may have methods of its own`},
	{`JSON.stringify({a: evilJSON})`, `uses an object with a method toJSON`},
	{`odd.p`, `reads p, which has a getter`},
	{`odd['p']`, `reads p, which has a getter`},
	{`((o) => { var {p} = o; return p; })(odd)`, `reads p, which has a getter`},
	{`[odd].some(({p}) => p)`, `reads p, which has a getter`},
	{`Object.values(odd)`, `reads p, which has a getter`},
	{`JSON.stringify([odd])`, `reads p, which has a getter`},
	{`({...odd}).p`, `reads p, which has a getter`},
	{`oddList.includes(7)`, `uses item 1 of an array, which has a getter or setter`},
	{`[...oddList].length`, `uses item 1 of an array, which has a getter or setter`},
	{`proxy.a`, `uses a proxy`},
	{`under.a`, `uses a proxy`},
	{`'a' in proxy`, `uses a proxy`},
	{`'a' in under`, `uses a proxy`},
	{`Object.keys(proxy)`, `uses a proxy`},
	{`(() => { for (var k in proxy) return k; })()`, `uses a proxy`},
	{`ownMap.map(x => x)`, `assigns to total`},
	{`ownClass.map(x => x)`, `gives a function of the library an object that may have methods of its own`},
	{`[...iterable]`, `iterates over an object that has its own way to do that`},
	{`(() => { for (var k of iterable) return k; })()`, `iterates over an object that has its own way to do that`},
	{`(() => { var [k] = iterable; return k; })()`, `iterates over an object that has its own way to do that`},
	{`new Set(iterable)`, `iterates over an object that has its own way to do that`},
	{`[...iterator]`, `uses an iterator that it has not made`},
	{`sticky.test(text)`, `uses a regular expression that remembers where it has found something (flag g or y)`},
	{`evilRe.test(text)`, `gives a function of the library an object that may have methods of its own`},
	{`text.replace(evilRe, '')`, `gives a function of the library an object that may have methods of its own`},
	{`'a'.replace('a', () => evilText)`, `converts an object that has its own way to become a primitive value`},
	{`[2, 1].sort(() => evil)`, `converts an object that has its own way to become a primitive value`},
	{`[2, evilText].sort()`, `converts an object that has its own way to become a primitive value`},
	{`[1].fill(0, evil)`, `gives a function of the library an object that may have methods of its own`},
	{`Array.from({length: evil})`, `converts an object that has its own way to become a primitive value`},
	{`Array.from(odd)`, `reads p, which has a getter`},
	{`Object.fromEntries([odd])`, `reads p, which has a getter`},
	{`[1].concat(iterable) && [1].concat(odd)`, `reads p, which has a getter`},
	{`new Point().x`, `constructs Point, a class that is not known to have no effect`},
	{`n instanceof Any`, `asks for instances of something that is not a simple class`},
	{`bound()`, `calls bound(), which is not known to have no effect`},
	{`later()`, `makes an asynchronous function or a generator`},
	{`gen()`, `makes an asynchronous function or a generator`},
	{`eval('total = 99')`, `uses eval`},
	{`Function('total = 99')()`, `calls Function(), which is not known to have no effect`},
	{`list.map.constructor('total = 99')()`, `calls list.map.constructor(), which is not known to have no effect`},
	{`globalThis.n`, `uses globalThis`},
	{`this.n`, `uses this`},
	{`(function () { return this; })().n`, `uses the global object`},
	{`(function () { return JSON.stringify(this); })()`, `uses the global object`},
	{`(function () { total = 99; })()`, `assigns to total`},
	{`(function () { { let total = 1; } total = 99; })()`, `assigns to total`},
	{`(function () { for (total of [99]); })()`, `assigns to total`},
	{`(function () { for (total in {a: 1}); })()`, `assigns to total`},
	{`(function () { [total] = [99]; })()`, `assigns to something`},
	{`(function () { ({total} = {total: 99}); })()`, `assigns to something`},
	{`(function () { switch (1) { case 0: let {a: {total}} = {}; case 1: total = 99; } })()`, `! ReferenceError: `},
	{`(function () { switch (1) { case 0: class total {} case 1: total = 99; } })()`, `! ReferenceError: `},
	{`(function () { class total {} total = 99; return true; })()`, `makes a class`},
	{`(function () { if (1) { function total() {} } total = 99; return true; })()`, `assigns to total`},
	{`(function (o) { o.a += 2; o.b ||= 3; o.a++; return o.a; })({a: 1})`, `assigns to o.b`},
	{`(function (o) { o.a += 2; o['a'] *= 3; return o.a === 9; })({a: 1})`, `true`},
	{`(({total}, b = (total = 99)) => 1)({})`, `true`},
	{`(function ({p}, q = 1) { return this === undefined || arguments[0].p + q === p + 1; })({p: 2})`, `true`},
	{`(({p} = odd) => p)()`, `reads p, which has a getter`},
	{`(({p} = {p: 3}, ...q) => p + q.length)(undefined, 1) === 4`, `true`},
	{`((...[p]) => p)(1)`, `has a pattern for the rest of its parameters`},
	{`(() => { try { throw odd; } catch ({p}) { return p; } })()`, `takes an error apart by a pattern`},
	{`nothing?.[nowhere.x](nowhere) === undefined && order?.['items']?.length === 2`, `true`},
	{`2n ** 3n === 8n && [...list.values()].length === 3`, `true`},
	{`((a = (total = 99)) => 1)()`, `assigns to total`},
	{`(a => { var total = 1; return total === 1; })()`, `true`},
	{`(function () { with (order) { items = 1; } })()`, `uses with`},
	{`(o => { o.__proto__ = proxy; })({})`, `assigns to o.__proto__, which has a setter`},
	{`({__proto__: proxy}).a`, `makes an object with another prototype`},
	{`({get a() { total = 99; }}).a`, `makes a getter or setter`},
	{`class A { static { total = 99; } }`, `makes a class`},
	{`_event.data.x = 5`, `assigns to _event.data.x`},
	{`(d => { d.push(1); return 1; })(_event.data.list)`, `changes something that it has not made`},
	{`order?.customer.toString?.()`, `calls a method with ?.()`},
}

func TestProbe(t *testing.T) {
	s := probeStore(t, probeScript)
	const state = `JSON.stringify([n, list, total, order, [...sets], [...map], size, box.value, sticky.lastIndex, self.mark, ownMap, text, Object.keys(this).length])`
	before := s.get(state)
	for _, c := range probeTests {
		got := s.probe(c.cond, probeEvent)
		if !strings.HasPrefix(got, "? ") {
			s.SetEvent(probeEvent)
			if really := s.condition(c.cond); got != really {
				t.Errorf("%s: Probe says %s, Condition %s", c.cond, got, really)
			}
			s.SetEvent(nil)
		}
		if !strings.HasPrefix(got, c.want) && !(strings.HasPrefix(got, "? ") && strings.HasSuffix(got, ": "+c.want) || strings.HasPrefix(got, "? ") && strings.HasSuffix(got, ", which "+c.want)) {
			t.Errorf("%s\n got %s\nwant %s", c.cond, got, c.want)
		}
		if after := s.get(state); after != before {
			t.Fatalf("%s has an effect:\n%s\n%s", c.cond, before, after)
		}
	}
	s.want(`tick()`, `1`)
}

// TestProbeChangedLibrary: whatever a chart does to the library, a condition that uses it is not
// evaluated, or has no effect.
func TestProbeChangedLibrary(t *testing.T) {
	const evil = `var total = 0, list = [1, 2, 3], map = new Map([[1, 2]]), re = /b/, order = {a: 1}, when = new Date(1), err = new Error('x');
		function Evil() { total++; return true; }
		function isOne(x) { return x === list[0]; }
		var Super = Object.getPrototypeOf([][Symbol.iterator]());
	`
	conditions := []string{
		`list.some(x => x > 2)`, `[...list].length`, `(() => { for (var x of list) return x; })()`, `(() => { var [x] = list; return x; })()`, `new Set(list).size`,
		`map.get(1)`, `[...map].length`, `new Map([[1, 2]]).size`, `re.test('b')`, `'abc'.replace(re, 'x')`, `'abc'.split(/b/)`, `'abc'.match(/b/)`, `order + ''`, `list + ''`, `when + 1`, `when - 1`,
		`String(err)`, `list.map(x => x).length`, `list.filter(x => x).length`, `list.slice().length`, `list.concat([4]).length`, `JSON.stringify(order)`, `JSON.stringify([when])`, `JSON.stringify(list)`,
		`order.missing`, `list.missing`, `'text'.missing`, `_event.missing`, `_event.data.missing`, `missing`, `typeof missing`, `isOne(1)`, `list.some(isOne)`, `isOne.call(null, 1)`,
		`Math.max.apply(null, list)`, `(() => { var a = []; a.push(1); return a; })()`, `(() => { var a = [, , 3]; a.sort(); return a; })()`, `(() => { var o = {}; o.missing = 1; return o; })()`,
		`Object.keys(order)`, `Object.entries(order)`, `Array.from(list).length`, `Array.from({length: 2}).length`, `list.join()`, `list instanceof Array`, `'a' in order`, `list.flat().length`, `order instanceof Object`,
		"`${order}`", `parseInt('1')`, `Number(order)`, `(5).toFixed(1)`, `'ab'.includes('a')`, `Object.prototype.toString.call(list)`, `order == 1`, `new Date(when)`, `[3, 1].sort().length`, `arguments0()`,
		`(function () { return [...arguments].length; })(1, 2)`, `new Error('abc').message`, `order.hasOwnProperty('a')`, `Array.of(1).length`, `list.toSorted().length`, `Object.fromEntries([[1, 2]])`, `isOne instanceof Function`,
	}
	for _, change := range []string{
		`Array.prototype.some = Evil`, `Array.prototype[Symbol.iterator] = Evil`, `Super.next = Evil`, `Super.return = Evil`, `Object.getPrototypeOf(Super).return = Evil`,
		`Map.prototype.get = Evil`, `Map.prototype.set = Evil`, `Set.prototype.add = Evil`, `RegExp.prototype.exec = Evil`, `RegExp.prototype[Symbol.replace] = Evil`, `RegExp.prototype[Symbol.split] = Evil`,
		`RegExp.prototype[Symbol.match] = Evil`, `Object.defineProperty(RegExp.prototype, 'flags', {get: Evil})`, `Object.defineProperty(RegExp.prototype, 'global', {get: Evil})`, `re.exec = Evil`, `re.lastIndex = {valueOf: Evil}`,
		`Object.defineProperty(RegExp, Symbol.species, {get: Evil})`, `RegExp.prototype.constructor = Evil`, `re.constructor = {[Symbol.species]: Evil}`,
		`Object.prototype.valueOf = Evil`, `Object.prototype.toString = Evil`, `Object.prototype[Symbol.toPrimitive] = Evil`, `Array.prototype.toString = Evil`, `Array.prototype.join = Evil`, `Date.prototype[Symbol.toPrimitive] = Evil`,
		`Object.defineProperty(Date.prototype, Symbol.toPrimitive, {value: Evil})`, `Date.prototype.valueOf = Evil`, `Date.prototype.toString = Evil`, `Date.prototype.toJSON = Evil`, `Date.prototype.toISOString = Evil`, `Object.prototype.toJSON = Evil`,
		`Array.prototype.toJSON = Evil`, `Error.prototype.toString = Evil`, `Object.defineProperty(Error.prototype, 'name', {get: Evil})`, `err.message = {toString: Evil}`, `Object.defineProperty(Array, Symbol.species, {get: Evil})`,
		`Array.prototype.constructor = {[Symbol.species]: Evil}`, `list.constructor = {[Symbol.species]: Evil}`, `Object.defineProperty(list, 'constructor', {get: Evil})`, `list[Symbol.isConcatSpreadable] = {valueOf: Evil}`,
		`Object.defineProperty(Array.prototype, Symbol.isConcatSpreadable, {get: Evil})`, `Object.defineProperty(Object.prototype, Symbol.toStringTag, {get: Evil})`, `Object.defineProperty(Array.prototype, Symbol.toStringTag, {get: Evil})`,
		`Object.defineProperty(Object.prototype, 'missing', {get: Evil, set: Evil, configurable: true})`, `Object.defineProperty(globalThis, 'missing', {get: Evil, configurable: true})`,
		`Object.defineProperty(String.prototype, 'missing', {get: Evil})`, `Object.defineProperty(Array.prototype, '0', {get: Evil, set: Evil, configurable: true})`, `Object.defineProperty(Object.prototype, '1', {get: Evil, set: Evil, configurable: true})`,
		`Object.defineProperty(list, '1', {get: Evil})`, `Object.defineProperty(order, 'a', {get: Evil, enumerable: true})`, `Function.prototype.call = Evil`, `Function.prototype.apply = Evil`, `isOne = Evil`, `globalThis.isOne = Evil`, `list = new Proxy(list, {get: Evil, has: Evil, getPrototypeOf: Evil, ownKeys: Evil})`,
		`order = new Proxy(order, {get: Evil, has: Evil, getPrototypeOf: Evil, ownKeys: Evil})`, `Object.setPrototypeOf(Object.prototype.__proto__ || order, new Proxy({}, {get: Evil, has: Evil}))`, `order.__proto__ = {get a() { total++; }, get missing() { total++; }, toString: Evil}`,
		`Object.defineProperty(Array.prototype.push, 'name', {value: 'some'}); Array.prototype.some = Array.prototype.push`, `Object.getOwnPropertyDescriptor = Evil; Object.keys = Evil; Object.entries = Evil; Array.from = Evil; Object.fromEntries = Evil; Array.of = Evil`,
		`Math.max = Evil; parseInt = Evil; Number = Evil; String = Evil; Date = Evil; Map = Evil; Set = Evil; Error = Evil; JSON = {stringify: Evil}`, `Array = Evil`, `Object = Evil`,
		`Object.defineProperty(Array, Symbol.hasInstance, {value: Evil})`, `String.prototype[Symbol.iterator] = Evil`, `Number.prototype.toFixed = Evil; String.prototype.includes = Evil`,
		`function arguments0() { return Evil(); }`, `arguments0 = Evil.bind(null)`, `Object.prototype.hasOwnProperty = Evil`, `String.prototype.replace = Evil; String.prototype.split = Evil`, `Evil.toString = Evil; order = Evil`, `order.toString = Evil; order.valueOf = Evil`,
		`order[Symbol.toPrimitive] = Evil`, `list[Symbol.iterator] = Evil`, `list.map = Evil; list.join = Evil`, `list.length = 0; list.push({toString: Evil}, {valueOf: Evil}, {toJSON: Evil})`, `order.a = {toJSON: Evil, toString: Evil}`,
		`class List extends Array { constructor(n) { super(n); total++; } }; list = List.from([1, 2]); total = 0`, `class List extends Array { static get [Symbol.species]() { total++; return Array; } }; list = new List(2); total = 0`,
		`when = Object.create(Date.prototype, {valueOf: {value: Evil}})`, `this.list = {length: 2, get 0() { total++; }, [Symbol.iterator]: Array.prototype[Symbol.iterator]}`, `eval('function isOne(x) { return Evil(); }')`,
		`list = new Uint8Array(2); list.constructor = {[Symbol.species]: Evil}`, `Symbol.prototype.toString = Evil; BigInt.prototype.toJSON = Evil; order.a = 1n`,
	} {
		s := newStoreOf(t, patientHost())
		if err := s.Run(expr(datamodel.Script, evil+change)); err != nil {
			t.Errorf("%s: %v", change, err)
			continue
		}
		evaluated := 0
		for _, cond := range conditions {
			if got := s.probe(cond, probeEvent); !strings.HasPrefix(got, "? ") {
				evaluated++
			}
			if got := s.get(`total`); got != "0" {
				t.Fatalf("%s: %s has an effect: total is %s", change, cond, got)
			}
		}
		if evaluated < len(conditions)/4 {
			t.Errorf("%s: only %d of %d conditions are evaluated", change, evaluated, len(conditions))
		}
	}
}

// TestProbeLeavesNothing: the store is as it was, with a runtime and without.
func TestProbeLeavesNothing(t *testing.T) {
	s := newSaved(t)
	s.set("n", "3")
	s.set("_e2", "null")
	if err := s.Store.(datamodel.FuncDefiner).DefineFunc("host", func([]datamodel.Value) (datamodel.Value, error) { panic("called") }); err != nil {
		t.Fatal(err)
	}
	before := s.save()
	for cond, want := range map[string]string{
		`[1, 2].some(x => x < n)`: "true", `n > 2`: "true", `n = 4`: "? ", `host(1)`: "? ", `[host()]`: "? ", `_event.data.list.length === 2`: "true", `[_sessionid].length === 1`: "true", `nowhere()`: "! ReferenceError: nowhere",
	} {
		if got := s.probe(cond, probeEvent); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", cond, got, want)
		}
		if got := s.save(); string(got) != string(before) {
			t.Errorf("%s: the store was %s and is %s", cond, before, got)
		}
	}
	s.SetEvent(&datamodel.Event{Name: "first", Data: datamodel.NewObject("x", int64(1))})
	s.run(`var seen = _event; _event.data.x = 7; Object.keys(_event).length`)
	before = s.save()
	if got := s.probe(`_event.name === 'try' && _event.data.x === 4 && seen !== _event && seen.data.x === 7 && [1].length === 1`, probeEvent); got != "true" {
		t.Error(got)
	}
	if got := s.save(); string(got) != string(before) {
		t.Errorf("the store was %s and is %s", before, got)
	}
	s.want(`[seen === _event, _event.name, _event.data.x]`, `[true,"first",7]`)
}

// TestProbeLimits: what runs too long or too deep is stopped.
func TestProbeLimits(t *testing.T) {
	h := newHost()
	h.limit = 100 * time.Millisecond
	s := newStoreOf(t, h)
	s.load(1, `function loop() { for (;;) {} } function deep(n) { return deep(n + 1); } var long = []; long.length = 5e6;`)
	for cond, want := range map[string]string{
		`loop()`:                   `! the script ran longer than its time limit`,
		`deep(0)`:                  `? not shown to have no effect: nests calls too deep`,
		`long.some(() => loop())`:  ``,
		`JSON.stringify(long) < 1`: ``,
	} {
		if got := s.probe(cond, probeEvent); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", cond, got, want)
		}
	}
	s.load(2, `Object.defineProperty(this, 'missing', {get: function () {}, configurable: true}); function depth(n) { return n === 0 ? 0 : 1 + depth(n - 1); }`)
	for range 300 { // what is stopped leaves nothing on the call stack
		s.probe(`[missing]`, probeEvent)
		s.probe(`[1].some(x => [2].forEach(y => { long = 1; }))`, probeEvent)
		s.probe(`[1].some(x => { throw [missing]; })`, probeEvent)
	}
	s.want(`depth(190)`, `190`)
	if got := s.probe(`[1].length === 1`, probeEvent); got != "true" {
		t.Errorf("afterwards: %s", got)
	}
}

// TestProbeSyntax: rewritten code does the same as the original.
func TestProbeSyntax(t *testing.T) {
	s := newStoreOf(t, patientHost())
	s.load(1, `var out = 0, data = {a: [1, 2, {b: 'x'}], n: null, s: 'text', f: function (k) { return this.s + k; }}, words = ['b', 'a', 'c'];`)
	for _, body := range []string{
		`var s = ''; for (var i = 0, n = words.length; i < n; i++) { if (i === 1) continue; s += words[i]; } return s`,
		`let s = 0; outer: for (const a of [1, 2, 3]) { for (const b of [1, 2, 3]) { if (b > a) continue outer; if (a === 3) break outer; s += a * b; } } return s`,
		`let i = 0; do { i += 2; } while (i < 7); while (i > 3) i--; return i`,
		`switch (data.s) { case 'no': return 1; case 'text': { let x = 2; return x; } default: return 3; }`,
		`try { null.x; } catch { return 'caught'; } finally { out; }`,
		`try { throw {a: 1}; } catch (e) { return e.a; }`,
		`const {s: t, missing = 'd', ...rest} = data; return t + missing + Object.keys(rest).length`,
		`const [a, , b] = [1, 2, 3]; return b`,
		`const [a, , c = 5, ...more] = [1, 2, undefined, 4, 6]; return a + c + more.length`,
		`function inner(a, b = a * 2, ...c) { return a + b + c.length + arguments.length; } return inner(1) + inner(1, 2, 3, 4)`,
		`return data?.a?.[2]?.b + data.n?.x.y.z() + data.f?.call + data.n?.[words[0]]`,
		`return data?.f('!') + data?.a.map(x => x?.b).length`,
		`var o = {x: 1, ['y' + 1]: 2, words, get: function () { return this.x; }, m() { return this.y1; }}; o.x += 5; o['z'] = o.x; return [o.get(), o.m(), o.z, o.words.length].join()`,
		`var f = function fact(n) { return n < 2 ? 1 : n * fact(n - 1); }; return f(5)`,
		`var c = 0; var inc = () => ++c; inc(); inc(); c++; return c--`,
		`return words.slice().sort((a, b) => a < b ? -1 : 1).join('')`,
		`for (var k in data) { if (k === 'n') return k; }`,
		`for (const [k, v] of Object.entries({a: 1, b: 2})) { if (v === 2) return k; }`,
		`for (var [k, v] of new Map([['x', 1]])) {} return k + v`,
		`var x; x ||= 4; x &&= 5; x **= 2; x %= 7; x <<= 3; return x`,
		`return ((a, b) => a + b)(...[1, 2])`,
		"return `${words[0]}-${data.a[1] + 1}`",
		`return typeof nowhere + typeof data + void 0 + !data + -data.a[0] + ~1 + +'3'`,
		`return [1, , 3].length + [...'abc'].length + {...data}.s`,
		`return 'b' in {b: 1} && words instanceof Array && !(data instanceof Date)`,
		`"use strict"; return (function () { return this; })() === undefined`,
		`var h = hoisted(); function hoisted() { return 'h'; } return h`,
		`return /x(\\d)/.exec('x7')[1] + 'a-b-c'.replace(/-/g, (m, i) => i)`,
		`return new Date(2020, 1, 3).getDate() + new Map([[1, 'm']]).get(1) + [...new Set([1, 1, 2])].length`,
		`var a = []; a[2] = 1; a.length = 5; a.push(7); a.unshift(0); a.pop(); a.reverse(); return JSON.stringify(a)`,
		`return data.a[2]['b'].length + 'abc'[1] + 'abc'.length`,
		`return [[3, 1], [2]].map(([x, y = 9]) => x + y).join()`,
		`return (({s, n = 1}) => s + n)(data)`,
		`return words.reduce((m, w, i) => ({...m, [w]: i}), {}).c`,
		`return 10n ** 3n > 999 && 1 / 0 === Infinity && isNaN(NaN)`,
		`nothing.x`, `data.f.g.h()`, `data.missing()`, `throw new RangeError('far')`, `throw data`, `const k = 1; k = 2`, `return y1; let y1 = 1`,
	} {
		s.load(2, `function f() { `+body+` }`)
		cond := `JSON.stringify({r: f()})`
		got, want := s.probe(cond+" === "+quoteJS(s.get(cond)), probeEvent), "true"
		if strings.HasPrefix(s.get(cond), "! ") {
			want = s.get(cond)
		}
		if got != want && !strings.HasPrefix(want, "! SyntaxError") {
			t.Errorf("%s\n got %s\nwant %s, for %s", body, got, want, s.get(cond))
		}
	}
}

func quoteJS(text string) string {
	if strings.HasPrefix(text, `"`) {
		return text
	}
	return `""`
}

// TestProbeTogether: sessions of one chart are probed at the same time.
func TestProbeTogether(t *testing.T) {
	script, err := ecmascript.New().Compile(datamodel.Script, datamodel.Source{Text: probeScript, Pos: datamodel.Position{File: "functions.js", Line: 1, Col: 1}})
	if err != nil {
		t.Fatal(err)
	}
	cond := expr(datamodel.Condition, `sum(order.items) === 12 && fac(4) === 24 && list.some(arrow)`)
	var all sync.WaitGroup
	for range 8 {
		s := newStoreOf(t, patientHost())
		all.Go(func() {
			if err := s.Run(script); err != nil {
				t.Error(err)
			}
			for range 20 {
				if holds, err := s.Store.(datamodel.Prober).Probe(cond, probeEvent); err != nil || !holds {
					t.Error(holds, err)
				}
				if holds, err := s.Condition(cond); err != nil || !holds {
					t.Error(holds, err)
				}
			}
		})
	}
	all.Wait()
}
