package ecmascript

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

var (
	fastPrograms = flag.Int("fast.programs", 3000, "how many random programs TestFast compares")
	fastSeed     = flag.Uint64("fast.seed", 1, "the seed of TestFast; 0: a new one")
)

// TestFast runs random expressions with random data on two stores, one of
// which has to do without the closures, and compares results, errors and data.
func TestFast(t *testing.T) {
	seed := *fastSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	programs := *fastPrograms
	if testing.Short() {
		programs /= 5
	}
	var total, quick int
	for i := range programs {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		p := newPair(t, rng.IntN)
		p.run()
		total, quick = total+p.total, quick+p.quick
		if t.Failed() {
			t.Fatalf("program %d of seed %d:\n%s", i, seed, strings.Join(p.log, "\n"))
		}
	}
	t.Logf("seed %d: %d evaluations, of which %d did not take the runtime", seed, total, quick)
	if quick < total/4 {
		t.Errorf("only %d of %d evaluations had anything to compare", quick, total)
	}
}

// TestFastOperators compares all operators on all pairs of values that might be
// of interest, as data items and as parts of an event.
func TestFastOperators(t *testing.T) {
	values := []datamodel.Value{
		nil, datamodel.Null, true, false, int64(0), math.Copysign(0, -1), int64(1), int64(-1), int64(-5), 0.5, -2.5, int64(255),
		int64(-2), int64(1<<53 - 1), int64(1 << 53), int64(1 << 31), -0x1p63, 0x1p63, 1e21, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1),
		"", "0", "-0", "-5", "x", "X", "null", "é", "\u2028", "more than sixteen bytes", datamodel.Function("f"),
		datamodel.NewObject("n", int64(1)), []datamodel.Value{}, []datamodel.Value{int64(1)}, time.UnixMilli(0).UTC(), big.NewInt(5),
	}
	var total, quick int
	compare := func(text string, a, b datamodel.Value) {
		p := newPair(t, nil) // for each: a store keeps its runtime
		p.set("a", a)
		p.set("b", b)
		p.evaluate(datamodel.ValueExpr, text)
		p.event(&datamodel.Event{Name: "e", Data: datamodel.NewObject("a", a, "b", b)})
		p.evaluate(datamodel.Condition, strings.NewReplacer("a", "_event.data.a", "b", "_event.data.b").Replace(text))
		total, quick = total+p.total, quick+p.quick
	}
	for _, a := range values {
		for _, text := range []string{"a", "!a", "-a", "+a", "~a", "typeof a", "a ? 1 : 2", "a.length", "a.n", "a[0]", "a?.n", "a ?? 1", "In(a)"} {
			compare(text, a, nil)
		}
		for i, b := range values {
			if testing.Short() && i%5 != 0 {
				continue
			}
			for _, op := range []string{"===", "!==", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>", "&&", "||", "??"} {
				compare("a "+op+" b", a, b)
			}
		}
	}
	t.Logf("%d evaluations, of which %d did not take the runtime", total, quick)
	if quick < total/4 {
		t.Errorf("only %d of %d evaluations had anything to compare", quick, total)
	}
}

// TestFastScripts looks at data and assigns to it after each of the scripts.
func TestFastScripts(t *testing.T) {
	looks := []string{
		"a", "count", "count + 1", "nope", "fresh", "toString", "typeof a", "a.n", "a.o", "a.o.n", "a.list[1]", "a.length", "b.length", "b[0]", "b[1]",
		"a.nope", "a.toString", "b.n", "_event.data.n", "_event.data.n > 0", "_event.data.o.n", "_event.data.nope", "_event.data.list[0]",
		"_event.data.list.length", "_event.data", "_event.name", "_event.sendid", "a === undefined", "c == null", "a ? 1 : 2", "hits", "undefined", "f",
	}
	for _, script := range fastScripts {
		for _, before := range []string{"", "a = {n: 1, o: {n: 2}, list: [1, , 3]}; b = [1, 'two']", "_event.data.n = 'seen'"} {
			p := newPair(t, nil)
			for _, id := range []string{"a", "b", "c", "count"} {
				p.set(id, int64(1))
			}
			p.event(&datamodel.Event{Name: "e", Data: datamodel.NewObject("n", int64(1), "o", datamodel.NewObject("n", int64(2)), "list", []datamodel.Value{int64(1)})})
			p.script("var hits = 0; function f() { return 1 }; " + before)
			p.script(script)
			for _, text := range looks {
				p.evaluate(datamodel.ValueExpr, text)
				p.evaluate(datamodel.Condition, text)
			}
			for _, location := range []string{"a", "b", "count", "c", "a.n", "fresh", "toString"} {
				p.assign(location, "7")
				p.assign(location, "f()")
				p.evaluate(datamodel.ValueExpr, location)
			}
			p.evaluate(datamodel.ValueExpr, "hits")
			if t.Failed() {
				t.Fatalf("after %s; %s:\n%s", before, script, strings.Join(p.log, "\n"))
			}
		}
	}
}

// TestFastNumbers assigns numbers that goja has in two forms, as an integer and as a float, with which it
// computes differently.
func TestFastNumbers(t *testing.T) {
	for _, script := range []string{"var x = 0", "var x = -0", "var x = -0; x++", "var x = 0.5; x++; x -= 0.5", "var x = -1; x %= 1", "var x = 2 ** 53"} {
		for _, text := range []string{"-(-0)", "-x", "x", "x + 1", "x * -2", "0 * -2", "-0", "9007199254740993", "9007199254740992 + 1", "9007199254740993 - 1", "3 * 3002399751580331", "x ? x : x"} {
			p := newPair(t, nil)
			p.set("a", int64(7))
			p.set("b", int64(7))
			p.script(script)
			p.assign("a", text)
			p.assign("b", "a")
			p.withExpr(datamodel.ValueExpr, "init c = ", text, func(st *store, e datamodel.Expr) (any, error) { return nil, st.Init("c", e) })
			for _, id := range []string{"a", "b", "c"} {
				p.form(id)
			}
			if t.Failed() {
				t.Fatal(strings.Join(p.log, "\n"))
			}
		}
	}
}

// FuzzFast does what TestFast does with programs that the fuzzer makes.
func FuzzFast(f *testing.F) {
	for i := range uint64(20) {
		rng := rand.New(rand.NewPCG(7, i))
		seed := make([]byte, 400)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		p := newPair(t, func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			c := int(choices[0])
			choices = choices[1:]
			return c % n
		})
		p.run()
		if t.Failed() {
			t.Log(strings.Join(p.log, "\n"))
		}
	})
}

// A pair is two stores that are to do the same. The second has the runtime from
// the start, and its expressions have no closures.
type pair struct {
	t         *testing.T
	choose    func(n int) int // a number below n
	fast, ref *store
	exprs     map[string]*expr // of fast, by kind and text: charts evaluate theirs again and again, too
	log       []string
	calls     map[*store]*[]string // of functions of the host by the present step; nil for none
	called    int

	total, quick int
}

type fastHost struct{}

func (fastHost) In(state string) bool                  { return strings.HasPrefix(state, "s") }
func (fastHost) Name() string                          { return "chart" }
func (fastHost) SessionID() string                     { return "session" }
func (fastHost) IOProcessors() []datamodel.IOProcessor { return nil }
func (fastHost) Now() time.Time                        { return time.UnixMilli(0) }
func (fastHost) Random() float64                       { return 0.5 }
func (fastHost) ScriptTime() time.Duration             { return 0 }
func (fastHost) MacrostepTime() time.Duration          { return 0 }
func (fastHost) CallDepth() int                        { return 100 }

var fastLanguage = New().(*language)

func newPair(t *testing.T, choose func(int) int) *pair {
	p := &pair{t: t, choose: choose, exprs: map[string]*expr{}}
	for _, st := range []**store{&p.fast, &p.ref} {
		s, err := fastLanguage.NewStore(fastHost{})
		if err != nil {
			t.Fatal(err)
		}
		*st = s.(*store)
		(*st).Begin(context.Background())
	}
	p.ref.newRealm()
	p.ref.env.Facts |= syntax.Deletes // keeps quickAssign away
	return p
}

func (p *pair) pick(from ...string) string { return from[p.choose(len(from))] }

func (p *pair) run() {
	for _, id := range []string{"a", "b", "c", "count"} {
		if p.choose(5) > 0 {
			p.both("declare "+id, func(st *store) (any, error) { return nil, st.Declare(id) })
		}
	}
	for range 3 + p.choose(12) {
		p.step()
	}
	for _, id := range []string{"a", "b", "c", "count", "hits", "_event"} {
		p.evaluate(datamodel.ValueExpr, "typeof "+id)
		p.evaluate(datamodel.ValueExpr, id)
	}
	for _, id := range []string{"a", "b", "c", "count"} {
		p.form(id)
	}
	p.fast.End()
	p.ref.End()
}

func (p *pair) step() {
	if p.calls != nil && p.choose(4) == 0 {
		p.statements()
	}
	switch p.choose(18) {
	case 0:
		p.event(p.anyEvent())
	case 1:
		if p.choose(3) == 0 {
			p.script(p.pick(fastScripts...))
		}
	case 16:
		p.board()
	case 17:
		for range 4 {
			p.evaluate(datamodel.ValueExpr, p.number()+p.operator()+p.number())
		}
	case 2, 3:
		id, text := p.item(), p.expression(3)
		p.withExpr(datamodel.ValueExpr, "init "+id+" = ", text, func(st *store, e datamodel.Expr) (any, error) { return nil, st.Init(id, e) })
	case 4:
		if p.calls != nil && p.choose(12) == 0 {
			p.set("echo", p.data(1))
		}
		p.set(p.item(), p.data(1))
	case 5:
		v := p.data(1)
		p.withExpr(datamodel.Location, "assign value "+datamodel.Text(v)+" to ", p.location(), func(st *store, e datamodel.Expr) (any, error) {
			return nil, st.AssignValue(e, v)
		})
	case 6, 7, 8:
		p.assign(p.location(), p.expression(3))
	case 9:
		text := p.pick("1", "x", "null", "[1]", "", "-0", "1e400", "é", `{"n":1}`, "true", `"s"`)
		p.withExpr(datamodel.Content, "content ", text, func(st *store, e datamodel.Expr) (any, error) { return nil, st.Init("b", e) })
	case 10, 11, 12:
		p.evaluate(datamodel.Condition, p.expression(4))
	default:
		p.evaluate(datamodel.ValueExpr, p.expression(4))
	}
}

// form looks at what tells numbers apart that are equal.
func (p *pair) form(id string) {
	p.evaluate(datamodel.ValueExpr, strings.ReplaceAll("typeof $ === 'number' && [1 / $, 1 / ($ * -2), Object.is($, Number(String($))), new Map([[0, 'a'], [1, 'b'], [2 ** 53, 'c']]).get($)]", "$", id))
}

// fastScripts are scripts that make the life of a closure hard.
var fastScripts = []string{
	"var hits = 0", "let hits = 1", "count = 7", "count++", "var fresh = 1", "function f() { return 1 }",
	"let a = 'lexical'", "const count = 5", "const b = {n: 1}", "class c {}", "let c = nope", "let undefined",
	"delete a", "delete this.a", "a = 1; delete a",
	"a = {n: 1, o: {n: 2, s: 'x'}, list: [1, , 3]}", "b = [1, 'two', {n: 3}]", "c = null", "a = Object.freeze({n: 1})",
	"a = {get n() { hits++; return 3 }}", "a = {set n(v) { hits++ }}", "a = new (class { get n() { hits++; return 4 } })",
	"a = new Proxy({n: 1}, {get(t, k) { hits++; return t[k] }})", "Object.defineProperty(this, 'a', {get() { return ++hits }, configurable: true})",
	"Object.defineProperty(Object.prototype, 'n', {get() { return ++hits }, configurable: true})",
	"Object.defineProperty(this, 'count', {value: 3, writable: false})", "this.toString; Object.freeze(this)", "a = Object.create({n: 5})",
	"Object.defineProperty(this, 'count', {get: () => ++hits})", "Object.defineProperty(Object.prototype, 'n', {set(v) { hits++ }})", "Object.prototype.nope = 'inherited'", "var d = 'define' + 'Property'; Object[d](this, 'a', {get() { return ++hits }})",
	"Object.defineProperty(Object.prototype, 'fresh', {get: () => ++hits})", "delete count; Object.defineProperty(Object.prototype, 'count', {get: () => ++hits})",
	"var k = 'define' + 'Property'; Object[k](Object.prototype, 'count', {get: () => ++hits})", "var k = 'define' + 'Property'; Object[k](Object.prototype, 'n', {get: () => ++hits})",
	"var k = 'fresh'; Object.prototype[k] = 6", "var k = 'constructor'; [][k][k]('return this')().b = 1", "b = [1, 2]; var i = 1; b[i] = 3; f()",
	"Object.setPrototypeOf(Object.prototype, new Proxy({}, {get(t, k, r) { hits++; r.a = 5; return 4 }, has() { return false }}))",
	"Object.prototype.n = 'inherited'", "Array.prototype[1] = 'inherited'", "String.prototype.n = 1", "Number.prototype.n = 2",
	"Object.setPrototypeOf(this, {fresh: 2})", "a = {__proto__: {n: 6}}", "Object.prototype.count = 8", "Object.prototype.data = 9",
	"b = [[0, 1], ['x', null, , -1], [[0.5, true]], {n: [1, 2]}]", "b[0][0] = -b[0][0]", "b[0][0]++", "b[0][1]--", "b.reverse()", "b.push(b[0])", "b[1] = [...b[1]]",
	"b[0][1] = Symbol()", "b[0][1] = 'é'", "b.length = 1", "delete b[0][0]", "Object.defineProperty(b[0], 0, {get() { return ++hits }})", "b[0].n = 5",
	"b = new Proxy([[1], [2]], {get(t, k) { hits++; return t[k] }})", "b = new Float64Array([0, -0, 1])", "b[0] = -b[0]", "b = Object.freeze([1, 2])",
	"b[0] = new (class extends Array { get 0() { return 7 } })(3)", "Array.prototype[0] = 'inherited'", "Function.prototype.apply = Math.max", "delete Date",
	"_event.data.n = 'changed'", "_event.data.list.push(7)", "a = _event", "a = _event.data", "_event.data.o = {n: 1}", "b = _event.data.o",
	"a = 'é'", "a = '\\ud800'", "a = 'a string of more than sixteen bytes'", "a = Symbol('n')", "a = 10n", "a = new Date(0)", "a = /x/g",
	"a = new Map([[1, 2]])", "a = function () {}", "a = () => 1", "a = Math", "a = new Number(5)", "a = new String('xy')", "a = new Uint8Array(3)",
	"a = -0; a++", "a = 0.5; a--; a -= .5", "count = -(-0)", "a = 9007199254740993", "a = 2 ** 53; a++", "a = '-0'", "a = 0; b = a * -2", "a = 1e21; b = a | 0",
	"a = JSON.parse('{\"n\": 1.5, \"__proto__\": 2}')", "a = arguments", "a = new Error('x')", "function F() {}; F.prototype = Map.prototype; a = new F()",
	"eval('a = 1')", "new Function('a = 2')()", "(0, eval)('var fresh = 3')", "a = eval", "with ({count: 1}) { a = count }",
	"a = {n: 1}; a.o = a", "a = -0", "a = 0 * -2", "a = 2 ** 53 + 2", "a = 1e300 * 1e10", "a = [0.1, -0, 1 / 0]", "b = [...'ab']", "a = In", "a = {In}",
	"function count() {}", "var In2 = 1", "throw new Error('x')", "nope()", "a = [].concat", "Object.assign(this, {a: 1})", "var {n} = {n: 1}",
}

// board looks at an array again and again while scripts change it.
func (p *pair) board() {
	i := slices.IndexFunc(fastScripts, func(s string) bool { return strings.HasPrefix(s, "b = [[0") })
	p.script(fastScripts[i])
	for range 2 + p.choose(6) {
		p.evaluate(datamodel.ValueExpr, p.pick("b", "b", "b", "b[0]", "({b})"))
		if p.choose(3) > 0 {
			p.script(p.pick(fastScripts[i : i+20]...))
		}
	}
}

// script runs one of them.
func (p *pair) script(text string) {
	p.withExpr(datamodel.Script, "script ", text, func(st *store, e datamodel.Expr) (any, error) { return nil, st.Run(e) })
}

func (p *pair) assign(location, text string) {
	p.withExpr(datamodel.Location, "assign "+text+" to ", location, func(st *store, l datamodel.Expr) (any, error) {
		return nil, st.Assign(l, p.compile(st, datamodel.ValueExpr, text))
	})
}

func (p *pair) item() string {
	return p.pick("a", "b", "c", "count", "d", "toString", "__proto__", "Map")
}

func (p *pair) location() string {
	return p.pick("a", "b", "c", "count", "count", "a.n", "a.o.n", "b[0]", "b[1]", "c.n", "nope", "hits", "fresh", "_event", "_event.data.n",
		"_name", "this.a", "a['n']", " count ", "(a)", "toString", "undefined", "In", "a.length")
}

func (p *pair) set(id string, v datamodel.Value) {
	p.both("set "+id+" = "+datamodel.Text(v), func(st *store) (any, error) { return nil, st.Set(id, v) })
}

func (p *pair) event(ev *datamodel.Event) {
	p.both("event "+ev.Name+" "+datamodel.Text(ev.Data), func(st *store) (any, error) {
		st.SetEvent(ev)
		return nil, nil
	})
}

func (p *pair) anyEvent() *datamodel.Event {
	return &datamodel.Event{
		Name: p.pick("e", "e.f", "é", ""), Type: datamodel.EventType(p.choose(3)), Data: p.data(0),
		SendID: p.pick("", "id"), Origin: p.pick("", "#_parent"), OriginType: p.pick("", "ö"), InvokeID: p.pick("", "i"), Raw: p.pick("", "raw"),
	}
}

func (p *pair) data(depth int) datamodel.Value {
	n := 24
	if depth > 2 {
		n = 16
	}
	switch p.choose(n) {
	case 0:
		return nil
	case 1:
		return datamodel.Null
	case 2:
		return p.choose(2) == 0
	case 3, 4, 5:
		return int64(p.choose(5) - 2)
	case 6:
		return []float64{0.5, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e21, 1 << 53, -1e-7}[p.choose(8)]
	case 7, 8:
		return p.pick("", "x", "5", "é", "a string of more than sixteen bytes", "length", "😀", "other")
	case 9:
		return datamodel.Function("f")
	case 10:
		return time.UnixMilli(5).UTC()
	case 11:
		return big.NewInt(5)
	case 12:
		return int64(1<<53 - 1)
	case 13, 14, 15:
		return int64(p.choose(300))
	case 16, 17:
		list := make([]datamodel.Value, p.choose(4))
		for i := range list {
			list[i] = p.data(depth + 1)
		}
		return list
	default:
		o := datamodel.NewObject()
		for range 1 + p.choose(4) {
			o.Set(p.key(), p.data(depth+1))
		}
		return o
	}
}

func (p *pair) key() string {
	return p.pick("n", "n", "n", "o", "s", "list", "length", "data", "name", "toString", "constructor", "__proto__", "0", "1", "values", "count")
}

// expression returns the text of an expression of which most can be closures.
func (p *pair) expression(depth int) string {
	sub := func() string { return p.expression(depth - 1) }
	n := 22
	if depth <= 0 {
		n = 9
	}
	if p.calls != nil && p.choose(4) == 0 {
		return p.call(depth)
	}
	switch p.choose(n) {
	case 0, 1, 2:
		return p.pick("a", "b", "c", "count", "count", "count", "_event", "_name", "_sessionid", "undefined", "NaN", "Infinity", "nope", "hits", "fresh", "toString", "d")
	case 3, 4:
		return p.number()
	case 5:
		return p.pick("'x'", "''", "'5'", "'0'", "'-0'", "' 1 '", "'1e21'", "'0x109007199254740992'", "'é'", "'s1'", "'a string of more than sixteen bytes'", `"\u0041"`, "'other'", "'null'")
	case 6, 7:
		return "_event.data." + p.key()
	case 8:
		return "_event." + p.pick("name", "type", "sendid", "origin", "origintype", "invokeid", "data", "data", "data", "raw", "nope")
	case 9:
		return p.pick("In('s1')", "In('x')", "In(1)", "In()", "In('s1', 2)", "In("+sub()+")")
	case 10:
		return p.pick("!", "-", "+", "typeof ", "void ", "~", "!!") + "(" + sub() + ")"
	case 11:
		return sub() + " " + p.pick("?.", ".") + p.key()
	case 12:
		return "(" + sub() + ")." + p.key()
	case 13:
		return "(" + sub() + ")[" + p.pick("'n'", "0", "1", "'length'", "count", "100", "-1", "'é'") + "]"
	case 14:
		return "(" + sub() + " ? " + sub() + " : " + sub() + ")"
	case 15:
		return p.pick("a.n", "a.o.n", "a.o", "b[0]", "b[2].n", "b.length", "a.list[1]", "a.s", "a.toString", "a.size", "a.flags", "_event?.data?.n", "_event.data?.o?.n", "_event.data?.o.n", "(a?.o).n", "a?.['n']", "a?.toString()", "_event.data.o.n", "_event.data.list[0]", "_event.data[0]", "_event['data']['n']")
	default:
		return "(" + sub() + ")" + p.operator() + "(" + sub() + ")"
	}
}

// number returns a constant; most are numbers with which conversions differ.
func (p *pair) number() string {
	return p.pick("0", "0", "1", "2", "-1", "-2", "1.5", "5", "255", "256", "2147483648", "-2147483649", "4294967297", "9223372036854775808", "-1e20", "1e21", "9007199254740991",
		"9007199254740992", "9007199254740993", "0.1", "-0", "-0", "5e-324", "1e308", "true", "false", "null", "5n", "0x10", "'-0'", "'-0'", "'-0'", "'1e21'")
}

func (p *pair) operator() string {
	return " " + p.pick("===", "!==", "==", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||", "??", "+", "&", "|", "^", ">>", ">>>", "**", ",", "instanceof", "in", "<<") + " "
}

func (p *pair) evaluate(kind datamodel.Kind, text string) {
	p.withExpr(kind, "evaluate ", text, func(st *store, e datamodel.Expr) (any, error) {
		if kind == datamodel.Condition {
			return st.Condition(e)
		}
		return st.Value(e)
	})
}

// compile compiles text for one of the stores.
func (p *pair) compile(st *store, kind datamodel.Kind, text string) datamodel.Expr {
	key := fmt.Sprint(kind, text)
	e := p.exprs[key]
	if e == nil || st == p.ref {
		x, _ := fastLanguage.Compile(kind, datamodel.Source{Text: text, Pos: datamodel.Position{File: "f", Line: 1, Col: 1}})
		e = x.(*expr)
	}
	if st == p.ref {
		e.fast = fast.Expr{}
		return e
	}
	p.exprs[key] = e
	if e.err == nil && (kind != datamodel.Script || p.calls != nil) && kind != datamodel.Content {
		p.total++
		if calls := p.calls != nil; calls && st.realm == nil {
			p.quick++ // before it is evaluated
		} else if !calls {
			if _, ok, _ := st.quick(e); ok {
				p.quick++
			}
		}
	}
	return e
}

func (p *pair) withExpr(kind datamodel.Kind, what, text string, do func(*store, datamodel.Expr) (any, error)) {
	p.both(what+text, func(st *store) (any, error) { return do(st, p.compile(st, kind, text)) })
}

// both does the same with both stores and compares what comes of it.
func (p *pair) both(what string, do func(*store) (any, error)) {
	p.log = append(p.log, what)
	got, gotErr := do(p.fast)
	want, wantErr := do(p.ref)
	if g, w := describe(got, gotErr), describe(want, wantErr); g != w {
		p.t.Errorf("%s\n got %s\nwant %s", what, g, w)
	}
	p.compareCalls(what)
}

// address is what goja says of an object that has no primitive value.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

func describe(v any, err error) string {
	if err == nil {
		return fmt.Sprintf("%T %s", v, datamodel.AppendJSON(nil, v))
	}
	var e *datamodel.EvalError
	if !errors.As(err, &e) {
		return "an error of type " + reflect.TypeOf(err).String()
	}
	msg := address.ReplaceAllString(e.Msg, "0x…")
	return fmt.Sprintf("error %q at %s, stack %v, cause %v", msg, e.Pos, e.Stack, e.Err)
}
