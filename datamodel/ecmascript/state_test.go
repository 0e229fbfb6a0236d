package ecmascript

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// changes are scripts that a runtime can be used again after.
var changes = strings.Split(`x = 1
x = (x || 0) + 1; y = 'a"\\\n' + x
x = undefined; y = null; z = NaN
x = -0; y = 1e21; z = '\ud800'
x = {a: 1, b: {c: [1, 2, {d: 3}]}}
if (x && x.b) { x.b.c[2].d++; x.b.c.push(x.a++) }
if (x && x.b && x.b.c.pop) x.b.c.pop(); else x = {b: {c: []}}
if (x && x.b) { x.b.e = [x.a]; delete x.a }
x = {b: 2, a: 1}
x = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
if (Array.isArray(x)) x.reverse(); if (Array.isArray(x) && x[0]) x[0][1] = 5
if (Array.isArray(x)) { x.length = 1; x.name = 'array' }
x = [1, , 3]; y = [, ]
x = []; x[1000] = 1
x = {$ref: 0, $a: {$b: 1}, $: '{"$ref":0}', '': [{}]}
if (x && x.$) { x.$ += 1; x.$ref = [x.$ref]; x[''] = 0 }
x = {'1': 1, b: {}, '-0': [], '0': {}, 'é\ud800': 1}
if (x && x[0]) { x[0].a = 1; x[1] = {} }
y = x
y = {same: [x, x]}
x = {}; x.me = x
y = new Map([['a', [1]], [{}, new Set([1, 2])]]); z = new Date(5)
if (y && y.set) y.set('b', new Map)
z = /a+/gi; z.lastIndex = 2
z = new Error('wrong'); z.code = 5
z = new Uint8Array([1, 2, 3])
if (z && z.buffer) z[1] = 9
function f() { return f.count = (f.count || 0) + 1 } f()
if (typeof f === 'function') f()
f = function other() { return 5 }; f.list = [[]]
var g = function () { return x }; v = g()
if (typeof f === 'function' && x) { x.f = f; f = null }
x = {next: function () { return ++y }, y: {z: function () { return 6 }}}
if (x && x.next) x.next()
var w = [{a: [1]}, {a: [2]}]; w[0].a = w[1].a.slice(); w.shift()
w = JSON.parse('{"__proto__":[1],"a":1}')
if (typeof w === 'object' && w) w.b = {}
x = Object.freeze({a: [1]}); y = Object.seal([[1]])
if (x && x.a && x.a.push) x.a.push(2)
x = _event && _event.data
if (_event && _event.data) _event.data.more = [x]
y = {kept: _event}
x = Math.max; y = [Math, Object, isNaN]
x = In; y = typeof _name
x = Symbol.iterator
x = 12345678901234567890n; z = Object(x)
x = {a: 1}; x.a = {a: 1}; x.a.a = {a: [[[[]]]]}
if (x && x.a) x.a = [x.a]
y = new DOMParser; throw new Error('no')
fresh = 1; fresher = {a: []}
x = y = z = 0`, "\n")

// wilder are scripts after which it cannot, or not as it is.
var wilder = strings.Split(`let l = {n: 1}; const c = [c0 = 1]
l.n++
class C { static n = 1 }; C.n++
let dead = (() => { throw 1 })()
this.t = {a: 1}
delete x
delete globalThis.y
var Map = {a: 1}
Object.defineProperty(x = {}, 'h', {value: 1})
y = {get a() { return 1 }}
Object.defineProperty(globalThis, 'x', {value: {a: 1}, writable: false, configurable: true, enumerable: true})
f.prototype.a = {}
x = Object.create(null); x.a = 1
z = _sessionid; y = _ioprocessors
eval('x = 5')
x = Object.setPrototypeOf({}, {a: 1})
x = new Proxy({}, {})
x = Promise.resolve(1)
x = (function () { var n = 0; return function () { return n++ } })()
Array.prototype.last = 1
Math.a = 1
x = f.bind(null)`, "\n")

// What a script changed is undone, in the same runtime if that is possible.
func TestResetUndoes(t *testing.T) {
	for _, tt := range []struct {
		first, change string
		same          bool
	}{
		{`x = {a: 1, b: [1, 2]}`, `x.a = 2; x.b.push(3)`, true},
		{`x = [[1, 2, 3], [4]]`, `x[0].pop(); x[1][0] = {}; x.push(5)`, true},
		{`x = [[1, 2, 3], [4]]`, `x.length = 0`, true},
		{`x = {a: 1}`, `x.b = 1; delete x.a`, true},
		{`x = {$ref: 1, $: {$$: 1}}`, `x.$ref = 2; x.$.$$ = [3]`, true},
		{`x = JSON.parse('{"__proto__":{"a":1}}')`, `x = JSON.parse('{"__proto__":{"a":2}}')`, true},
		{`x = {1: 'a', b: 'b'}`, `x[1] = 'é'; x.b = '"'`, true},
		{`x = [{a: 0}]; y = 1`, `z = y; x = y = null`, true},
		{`function f() {} f.n = [1]`, `f.n[0]++; f.m = f.n.slice()`, true},
		{`var f = function () { return 1 }`, `f = 5`, true},
		{`x = new Map([[1, {a: 1}]])`, `x.get(1).a++; x.set(2, 3)`, true},
		{`x = Object.freeze({a: {b: 1}})`, `x.a.b = 2`, true},
		{`x = [1, 2]`, `x.name = 'a'`, true},
		{`x = 1`, `x = [[]]`, true},
		{`x = [, 1]`, `x[0] = 1`, false},
		{`x = {a: {}}`, `x.b = x.a`, false},
		{`x = {}; x.me = x`, `x.me = 1`, false},
		{`x = 1`, `var declared = 1`, false},
		{`let l = 1`, `l = 2`, false},
		{`const c = {a: 1}; x = 1`, `x = 2`, true},
		{`const c = {a: 1}`, `c.a = 2`, false},
		{`x = 1`, `Math.max.n = x = 2`, false},
		{`x = 1`, `Math.n = x = 2`, false},
		{`x = 1`, `x = this.isNaN`, false},
	} {
		var exprs []datamodel.Expr
		for i, text := range []string{tt.first, tt.change, "{}"} {
			e, err := fastLanguage.Compile(datamodel.Script, datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: i + 1}})
			if err != nil {
				t.Fatal(err)
			}
			exprs = append(exprs, e)
		}
		s, err := fastLanguage.NewStore(fastHost{})
		if err != nil {
			t.Fatal(err)
		}
		st := s.(*store)
		st.Begin(t.Context())
		run := func(i int) string {
			t.Helper()
			if err := st.Run(exprs[i]); err != nil {
				t.Fatalf("%s: %v", exprs[i].Source().Text, err)
			}
			data, err := st.Save(exprs)
			if err != nil && i != 1 {
				t.Fatalf("%s: %v", tt.first, err)
			}
			return string(data)
		}
		want := run(0)
		state, err := st.AppendState(nil, exprs)
		if err != nil {
			t.Fatal(err)
		}
		run(1)
		used := st.realm
		if err := st.Reset(state, exprs); err != nil {
			t.Fatal(err)
		}
		if got := run(2); got != want || (st.realm == used) != tt.same {
			t.Errorf("%s, then %s\n got %s, in the same runtime: %v\nwant %s, %v", tt.first, tt.change, got, st.realm == used, want, tt.same)
		}
		st.End()
	}
}

// A store that goes from state to state does what a new one does that has loaded the same data: the
// script that comes next has the same result, and its data are the same.
func TestResetIsLoad(t *testing.T) {
	again := 0
	rapid.Check(t, func(t *rapid.T) {
		all := slices.Clone(changes)
		if rapid.IntRange(0, 3).Draw(t, "wild") == 0 {
			all = append(all, rapid.SampledFrom(wilder).Draw(t, "wild script"), rapid.SampledFrom(wilder).Draw(t, "wild script"))
		}
		scripts := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 2, 12, rapid.ID).Draw(t, "scripts")
		var exprs []datamodel.Expr
		for i, text := range scripts {
			e, err := fastLanguage.Compile(datamodel.Script, datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: i + 1, Col: 1}})
			if err != nil {
				t.Fatal(text, err)
			}
			exprs = append(exprs, e)
		}
		type state struct {
			event       *datamodel.Event
			bytes, data []byte
		}
		open := func() *store {
			s, err := fastLanguage.NewStore(fastHost{})
			if err != nil {
				t.Fatal(err)
			}
			st := s.(*store)
			st.Begin(context.Background())
			return st
		}
		st := open()
		if err := st.Declare("x"); err != nil {
			t.Fatal(err)
		}
		events := []*datamodel.Event{nil, {Name: "e", Data: datamodel.NewObject("a", []datamodel.Value{int64(1)})}, {Name: "f", Data: int64(5)}}
		var states []state
		keep := func() {
			event := st.env.Event
			data, err := st.Save(exprs)
			if err != nil {
				return
			}
			bytes, err := st.AppendState(nil, exprs)
			if err != nil {
				t.Fatalf("AppendState: %v", err)
			}
			states = append(states, state{event, bytes, data})
		}
		keep()
		describe := func(st *store, run error) string {
			data, err := st.Save(exprs)
			key, keyErr := st.AppendKey(nil, exprs)
			state, stateErr := st.AppendState(nil, exprs)
			return fmt.Sprintf("%v\n%s %v\n%q %v\n%q %v", run, data, err, key, keyErr, state, stateErr)
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			from := states[rapid.IntRange(0, len(states)-1).Draw(t, "state")]
			ev := rapid.SampledFrom(events).Draw(t, "event")
			do := rapid.IntRange(0, len(exprs)-1).Draw(t, "script")
			st.SetEvent(from.event)
			parked := st.realm
			if parked == nil {
				parked = st.parked
			}
			if err := st.Reset(from.bytes, exprs); err != nil {
				t.Fatalf("Reset: %v", err)
			}
			model := open()
			model.SetEvent(from.event)
			if err := model.Load(from.data, exprs); err != nil {
				t.Fatalf("Load: %v\n%s", err, from.data)
			}
			if got, want := describe(st, nil), describe(model, nil); got != want {
				t.Fatalf("in the state\n got %s\nwant %s", got, want)
			}
			if rapid.Bool().Draw(t, "next") {
				st.SetEvent(ev)
				model.SetEvent(ev)
			}
			got, want := describe(st, st.Run(exprs[do])), describe(model, model.Run(exprs[do]))
			if got != want {
				t.Fatalf("after %s\n got %s\nwant %s", scripts[do], got, want)
			}
			if st.realm == parked && parked != nil {
				again++
			}
			model.End()
			keep()
		}
		st.End()
	})
	t.Logf("a runtime was used again %d times", again)
	if again == 0 {
		t.Error("a runtime was never used again")
	}
}

// A store that is saved again and again, and so remembers some of what it has written, saves the same as
// one that remembers nothing.
func TestSaveAgainIsSave(t *testing.T) {
	remembered := 0
	rapid.Check(t, func(t *rapid.T) {
		all := append(slices.Clone(changes), rapid.SliceOfN(rapid.SampledFrom(wilder), 0, 2).Draw(t, "wild scripts")...)
		scripts := rapid.SliceOfN(rapid.SampledFrom(all), 1, 8).Draw(t, "scripts")
		var exprs []datamodel.Expr
		compile := func(kind datamodel.Kind, text string) datamodel.Expr {
			e, err := fastLanguage.Compile(kind, datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: len(exprs) + 1, Col: 1}})
			if err != nil {
				t.Fatal(text, err)
			}
			exprs = append(exprs, e)
			return e
		}
		for _, text := range scripts {
			compile(datamodel.Script, text)
		}
		condition := compile(datamodel.Condition, "_event.data.a == 1 || x == 1")
		location := compile(datamodel.Location, "x")
		values := []datamodel.Expr{compile(datamodel.ValueExpr, "1"), compile(datamodel.ValueExpr, "x + 1"), compile(datamodel.ValueExpr, "[x]"), compile(datamodel.ValueExpr, "_event.data")}
		s, err := fastLanguage.NewStore(fastHost{})
		if err != nil {
			t.Fatal(err)
		}
		st := s.(*store)
		st.Begin(context.Background())
		defer st.End()
		if err := st.Declare("x"); err != nil {
			t.Fatal(err)
		}
		events := []*datamodel.Event{{Name: "e", Data: datamodel.NewObject("a", []datamodel.Value{int64(1)})}, {Name: "f", Data: int64(5)}}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			st.SetEvent(rapid.SampledFrom(events).Draw(t, "event"))
			switch op := rapid.IntRange(0, 4).Draw(t, "operation"); op {
			case 0:
				_ = st.Run(exprs[rapid.IntRange(0, len(scripts)-1).Draw(t, "script")])
			case 1:
				_, _ = st.Condition(condition)
			case 2, 3:
				_ = st.Assign(location, rapid.SampledFrom(values).Draw(t, "value"))
			}
			if st.realm != nil && (st.saved || st.names != nil) {
				remembered++
			}
			got, gotErr := st.Save(exprs)
			if st.realm != nil {
				st.saved, st.names = false, nil
			}
			want, wantErr := st.Save(exprs)
			if string(got) != string(want) || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
				t.Fatalf("got %s %v\nwant %s %v", got, gotErr, want, wantErr)
			}
		}
	})
	if remembered == 0 {
		t.Error("nothing was ever remembered")
	}
}
