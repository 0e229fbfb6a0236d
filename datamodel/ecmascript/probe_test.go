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
	var box = {value: 1, get: function () { return this.value; }, inc: function () { return ++this.value; }};
	var evil = {valueOf: function () { total = 99; return 1; }};
	var evilText = {toString: function () { total = 99; return 'x'; }};
	var evilJSON = {toJSON: function () { total = 99; return 1; }};
	var ownMap = [1]; ownMap.map = function () { total = 99; return []; };
	var re = /b/, sticky = /b/g;
	var evilRe = /b/; evilRe.exec = function () { total = 99; return null; };
	class Point { constructor() { this.x = 1; total = 99; } }
	var alias = Array.prototype.push;
	var self = function me(k) { return k > 0 ? me(k - 1) : me.mark; }; self.mark = 4;
	var anonymous = function (x) { return x > 1; };
	var arrow = x => x > 1;
	async function later() { return 1; }
	function* gen() { yield 1; }
`

// probeStore returns a store in which a script has run, and a host function has a name.
func probeStore(t testing.TB, script string) *saved {
	t.Helper()
	s := newSaved(t)
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
func (s *saved) load(line int, script string) {
	s.t.Helper()
	e, err := ecmascript.New().Compile(datamodel.Script, datamodel.Source{Text: script, Pos: datamodel.Position{File: "functions.js", Line: line, Col: 1}})
	if err == nil {
		err = s.Run(e)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.exprs = append(s.exprs, e)
}

// probe returns what Probe says of a condition: its value, "? " and why it was not evaluated, or
// "! " and the error.
func (s *saved) probe(cond string, ev *datamodel.Event) string {
	e := expr(datamodel.Condition, cond)
	holds, err := s.Store.(datamodel.Prober).Probe(e, ev, append(s.exprs, e))
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

	// What has an effect, and what only looks like it.
	{`n = 4`, `it changes n`},
	{`n++ > 3`, `it changes n`},
	{`false || (order.customer.name = 'Bob')`, `it changes order`},
	{`delete order.items`, `it changes order`},
	{`rate() > 3`, `it changes total`},
	{`viaRate()`, `it changes total`},
	{`list.some(x => rate() > x)`, `it changes total`},
	{`setName(order.customer)`, `it changes order`},
	{`push(4)`, `it changes list`},
	{`list.push(4)`, `it changes list`},
	{`list.sort()`, `true`},
	{`alias.call(list, 4)`, `it changes list`},
	{`[].push.apply(list, [1])`, `it changes list`},
	{`sets.add(4)`, `it changes sets`},
	{`Math.random() > 2`, `false`},
	{`host()`, `it calls host(), a function of the host`},
	{`list.some(host)`, `it calls host(), a function of the host`},
	{`box.inc() > 0`, `it changes box`},
	{`evil > 0`, `it changes total`},
	{`evil == 1`, `it changes total`},
	{`-evil`, `it changes total`},
	{`list[evilText]`, `it changes total`},
	{`undefined[evilText]`, `it changes total`},
	{`undefined[evilText]()`, `it changes total`},
	{`list[evilText]()`, `it changes total`},
	{`evilText in list`, `it changes total`},
	{"`${evilText}`", `it changes total`},
	{`'x' + evilText`, `it changes total`},
	{`[1, evilText] + ''`, `it changes total`},
	{`[evilText].join()`, `it changes total`},
	{`String(evilText)`, `it changes total`},
	{`Math.abs(evil)`, `it changes total`},
	{`new Date(evil)`, `it changes total`},
	{`'abc'.slice(evil)`, `it changes total`},
	{`JSON.stringify({a: evilJSON})`, `it changes total`},
	{`ownMap.map(x => x)`, `it changes total`},
	{`sticky.test(text)`, `it changes sticky`},
	{`evilRe.test(text)`, `true`},
	{`text.replace(evilRe, '')`, `it changes total`},
	{`'a'.replace('a', () => evilText)`, `it changes total`},
	{`[2, 1].sort(() => evil)`, `it changes total`},
	{`[2, evilText].sort()`, `it changes total`},
	{`[1].fill(0, evil)`, `it changes total`},
	{`Array.from({length: evil})`, `it changes total`},
	{`new Point().x`, `it changes total`},
	{`later()`, `true`},
	{`gen()`, `true`},
	{`eval('total = 99')`, `it changes total`},
	{`Function('total = 99')()`, `it changes total`},
	{`list.map.constructor('total = 99')()`, `it changes total`},
	{`globalThis.n`, `true`},
	{`this.n`, `true`},
	{`(function () { return this; })().n`, `true`},
	{`(function () { return JSON.stringify(this); })()`, `it changes total`},
	{`(function () { total = 99; })()`, `it changes total`},
	{`(function () { { let total = 1; } total = 99; })()`, `it changes total`},
	{`(function () { for (total of [99]); })()`, `it changes total`},
	{`(function () { for (total in {a: 1}); })()`, `it changes total`},
	{`(function () { [total] = [99]; })()`, `it changes total`},
	{`(function () { ({total} = {total: 99}); })()`, `it changes total`},
	{`(function () { switch (1) { case 0: let {a: {total}} = {}; case 1: total = 99; } })()`, `! ReferenceError: `},
	{`(function () { switch (1) { case 0: class total {} case 1: total = 99; } })()`, `! ReferenceError: `},
	{`(function () { class total {} total = 99; return true; })()`, `true`},
	{`(function () { if (1) { function total() {} } total = 99; return true; })()`, `it changes total`},
	{`(function (o) { o.a += 2; o.b ||= 3; o.a++; return o.a; })({a: 1})`, `true`},
	{`(function (o) { o.a += 2; o['a'] *= 3; return o.a === 9; })({a: 1})`, `true`},
	{`(({total}, b = (total = 99)) => 1)({})`, `true`},
	{`(function ({p}, q = 1) { return this === undefined || arguments[0].p + q === p + 1; })({p: 2})`, `true`},
	{`(({p} = {p: 3}, ...q) => p + q.length)(undefined, 1) === 4`, `true`},
	{`((...[p]) => p)(1)`, `true`},
	{`(() => { try { throw odd; } catch ({p}) { return p; } })()`, `false`},
	{`nothing?.[nowhere.x](nowhere) === undefined && order?.['items']?.length === 2`, `true`},
	{`2n ** 3n === 8n && [...list.values()].length === 3`, `true`},
	{`((a = (total = 99)) => 1)()`, `it changes total`},
	{`(a => { var total = 1; return total === 1; })()`, `true`},
	{`(function () { with (order) { items = 1; } })()`, `it changes order`},
	{`({get a() { total = 99; }}).a`, `it changes total`},
	{`class A { static { total = 99; } }`, `it changes total`},
	{`_event.data.x = 5`, `it changes _event.data`},
	{`(d => { d.push(1); return 1; })(_event.data.list)`, `it changes _event.data`},
	{`order?.customer.toString?.()`, `true`},
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
		if !strings.HasPrefix(got, c.want) && got != "? may have an effect: "+c.want {
			t.Errorf("%s\n got %s\nwant %s", c.cond, got, c.want)
		}
		if after := s.get(state); after != before {
			t.Fatalf("%s has an effect:\n%s\n%s", c.cond, before, after)
		}
	}
}

// TestProbeUnsaved: what could not be undone is not evaluated, unless it is simple.
func TestProbeUnsaved(t *testing.T) {
	s := newSaved(t)
	s.load(1, `var n = 3, c = 0, tick = (function () { var c = 0; return function () { return ++c; }; })();`)
	for cond, want := range map[string]string{
		`n > 2`:         `true`,
		`[n].length`:    `? may have an effect: an effect could not be undone: tick: cannot save a function that captures the variable "c"`,
		`(tick(), n>2)`: `? may have an effect: an effect could not be undone: tick: `,
	} {
		if got := s.probe(cond, probeEvent); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", cond, got, want)
		}
	}
	s.want(`tick()`, `1`)
	s = newSaved(t)
	s.load(1, `var tick = null; function make() { var c = 0; tick = function () { return ++c; }; return true; }`)
	if got, want := s.probe(`make()`, probeEvent), "? may have an effect: it changes data that could not be saved then"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.want(`tick === null`, `true`)
}

// TestProbeChangedLibrary: whatever a chart does to the library and to its data, a condition that uses
// them is not evaluated, or has no effect.
func TestProbeChangedLibrary(t *testing.T) {
	const evil = `var total = 0, list = [1, 2, 3], map = new Map([[1, 2]]), re = /b/, order = {a: 1}, when = new Date(1), err = new Error('x');
		function Evil() { total++; return true; }
		function isOne(x) { return x === list[0]; }
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
	evaluated := 0
	for _, change := range []string{
		`Array.prototype.some = Evil`, `re.exec = Evil`, `re.lastIndex = {valueOf: Evil}`, `err.message = {toString: Evil}`, `isOne = Evil`, `Evil.toString = Evil; order = Evil`,
		`order.toString = Evil; order.valueOf = Evil`, `list.map = Evil; list.join = Evil`, `list.length = 0; list.push({toString: Evil}, {valueOf: Evil}, {toJSON: Evil})`,
		`order.a = {toJSON: Evil, toString: Evil}`, `list.constructor = {valueOf: Evil}`, `Object.defineProperty(list, '1', {get: Evil})`,
	} {
		s := newSaved(t)
		s.load(1, evil+change)
		for _, cond := range conditions {
			if got := s.probe(cond, probeEvent); !strings.HasPrefix(got, "? ") {
				evaluated++
			}
			if got := s.get(`total`); got != "0" {
				t.Fatalf("%s: %s has an effect: total is %s", change, cond, got)
			}
		}
	}
	if evaluated < 400 {
		t.Errorf("only %d conditions are evaluated", evaluated)
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
	s := &saved{bench: newStoreOf(t, h)}
	s.load(1, `function loop() { for (;;) {} } function deep(n) { return deep(n + 1); } var long = []; long.length = 5e6;`)
	for cond, want := range map[string]string{
		`loop()`:                   `! the script ran longer than its time limit`,
		`deep(0)`:                  `! RangeError: script calls are nested deeper`,
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

// TestProbeTogether: sessions of one chart are probed at the same time.
func TestProbeTogether(t *testing.T) {
	script, err := ecmascript.New().Compile(datamodel.Script, datamodel.Source{Text: probeScript, Pos: datamodel.Position{File: "functions.js", Line: 1, Col: 1}})
	if err != nil {
		t.Fatal(err)
	}
	cond := expr(datamodel.Condition, `sum(order.items) === 12 && fac(4) === 24 && list.some(arrow)`)
	var all sync.WaitGroup
	for range 8 {
		s := newSaved(t)
		all.Go(func() {
			if err := s.Run(script); err != nil {
				t.Error(err)
			}
			exprs := []datamodel.Expr{script, cond}
			for range 20 {
				if holds, err := s.Store.(datamodel.Prober).Probe(cond, probeEvent, exprs); err != nil || !holds {
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
