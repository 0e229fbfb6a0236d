package ecmascript

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// TestFastCalls does what TestFast does with expressions and scripts that call functions of the host.
// It also compares the calls: their order, their arguments and how many there are.
func TestFastCalls(t *testing.T) {
	seed := *fastSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	programs := *fastPrograms / 4
	if testing.Short() {
		programs /= 5
	}
	var calls, without int
	for i := range programs {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		p := newPair(t, rng.IntN)
		p.functions()
		p.event(p.anyEvent())
		for range 1 + p.choose(10) { // before anything takes the runtime
			switch p.choose(5) {
			case 0:
				p.both("declare a", func(st *store) (any, error) { return nil, st.Declare("a") })
			case 1:
				p.assign("a", p.call(1))
			case 2:
				p.evaluate(datamodel.Condition, p.call(2))
			case 3:
				p.evaluate(datamodel.ValueExpr, p.pick("a", "_event.data", p.call(2)))
			default:
				p.statements()
			}
		}
		without += p.quick
		p.run()
		calls += p.called
		if t.Failed() {
			t.Fatalf("program %d of seed %d:\n%s", i, seed, strings.Join(p.log, "\n"))
		}
	}
	t.Logf("seed %d: %d calls; %d evaluations began without a runtime", seed, calls, without)
	if calls < 5*programs || without < programs {
		t.Errorf("only %d calls, and %d evaluations that began without a runtime", calls, without)
	}
}

// functions gives both stores functions of the host.
func (p *pair) functions() {
	p.calls = map[*store]*[]string{}
	for _, st := range []*store{p.fast, p.ref} {
		log, ticks := new([]string), 0
		p.calls[st] = log
		functions := map[string]datamodel.Func{
			"tick":  func([]datamodel.Value) (datamodel.Value, error) { ticks++; return int64(ticks), nil },
			"none":  func([]datamodel.Value) (datamodel.Value, error) { return nil, nil },
			"isBig": func(args []datamodel.Value) (datamodel.Value, error) { return len(args) > 1, nil },
			"echo": func(args []datamodel.Value) (datamodel.Value, error) {
				if len(args) == 0 {
					return nil, nil
				}
				return args[0], nil
			},
			"all": func(args []datamodel.Value) (datamodel.Value, error) { return slices.Clone(args), nil },
			"change": func(args []datamodel.Value) (datamodel.Value, error) {
				for _, v := range args { // its own copies
					switch v := v.(type) {
					case *datamodel.Object:
						v.Set("changed", true)
					case []datamodel.Value:
						clear(v)
					}
				}
				return int64(len(args)), nil
			},
			"fails": func(args []datamodel.Value) (datamodel.Value, error) {
				ticks++
				if ticks%3 == 0 {
					return datamodel.NewObject("a", int64(ticks)), nil
				}
				return nil, errors.New([]string{"no", "", "é: ", "two\nlines at f:1:1(2)", "\xff", "Error: x"}[(ticks+len(args))%6])
			},
			"panics": func(args []datamodel.Value) (datamodel.Value, error) { panic("s3cret") },
			"gives": func(args []datamodel.Value) (datamodel.Value, error) {
				ticks++
				return given[ticks%len(given)], nil
			},
		}
		for _, name := range slices.Sorted(maps.Keys(functions)) {
			f := functions[name]
			if err := st.DefineFunc(name, func(args []datamodel.Value) (datamodel.Value, error) {
				*log = append(*log, fmt.Sprintf("%s%T%s", name, slices.Clone(args), datamodel.AppendJSON(nil, slices.Clone(args))))
				return f(args)
			}); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// given are results of gives, also such as no function of package scxml returns.
var given = []datamodel.Value{
	nil, datamodel.Null, true, int64(5), 2.5, math.Copysign(0, -1), 5.0, math.NaN(), int64(1<<53 + 1), int64(1 << 60), math.MaxInt, "text", "é", "\xff", strings.Repeat("long", 300), datamodel.Function("f"),
	time.UnixMilli(1500).UTC(), time.Unix(1, 5), big.NewInt(7), struct{ X int }{1}, errors.New("raw"), (*datamodel.Object)(nil), datamodel.NewObject(), []datamodel.Value{}, []datamodel.Value(nil),
	datamodel.NewObject("n", int64(1), "o", datamodel.NewObject("n", math.Copysign(0, -1), "s", nil, "f", datamodel.Function("g"))),
	datamodel.NewObject("b", int64(1), "10", int64(2), "9", int64(3)), datamodel.NewObject("__proto__", int64(1), "toString", "x", "é", nil, "-1", 5.0),
	[]datamodel.Value{int64(1), "é", datamodel.Null, nil, []datamodel.Value{2.5, datamodel.NewObject("n", "x")}}, []datamodel.Value{1, time.Unix(2, 0)}, datamodel.NewObject("bad", "\xff"), datamodel.NewObject("\xff", "x"),
	deep(20), deep(datamodel.MaxDepth - 1), deep(datamodel.MaxDepth), deep(datamodel.MaxDepth + 1),
}

func deep(n int) datamodel.Value {
	v := datamodel.Value("x")
	for i := range n {
		if v = datamodel.Value([]datamodel.Value{v}); i%2 == 0 {
			v = datamodel.NewObject("n", v.([]datamodel.Value)[0])
		}
	}
	return v
}

// call returns the text of a call.
func (p *pair) call(depth int) string {
	args := make([]string, []int{0, 1, 1, 1, 2, 3}[p.choose(6)])
	for i := range args {
		if args[i] = p.expression(depth - 1); p.choose(12) == 0 {
			args[i] = p.pick("{n: 1, s: 'x'}", "[1, 'two']", "{}", "_event.data", "_event", "'é'", "...[1]", "-0", "x => 1")
		}
	}
	name := p.pick("tick", "tick", "none", "isBig", "echo", "echo", "all", "change", "fails", "gives", "gives", "gives")
	if p.choose(60) == 0 {
		name = p.pick("panics", "this.tick", "tick.call", "new tick", "echo?.", "nope")
	}
	return name + "(" + strings.Join(args, ", ") + ")" + p.pick("", "", "", "", "", ".n", ".o.n", "[0]", ".length", "?.n")
}

// statements runs a script of expressions.
func (p *pair) statements() {
	list := make([]string, 1+p.choose(4))
	for i := range list {
		if list[i] = p.call(2); p.choose(4) == 0 {
			list[i] = p.expression(2)
		}
	}
	text := strings.Join(list, p.pick("; ", ";\n", ", "))
	switch p.choose(12) {
	case 0:
		text = p.pick("'use strict'", "a = tick()", "var a", ";", "{}", "if (tick()) none()", "function tick() { return 'mine' }", "echo = 1", "var echo = x => [x]", "delete this.gives",
			"this.tick = echo", "let none = 5", "Object.defineProperty(this, 'tick', {get() { return echo }, configurable: true})", "Error.prototype.toString = () => 'mine'", "Error = 1", "hits = echo") + "; " + text
	case 1:
		text = "\n  /* é */ " + text + ";"
	}
	p.script(text)
}

// compareCalls compares what functions of the host were called with.
func (p *pair) compareCalls(what string) {
	if p.calls == nil {
		return
	}
	got, want := p.calls[p.fast], p.calls[p.ref]
	if !slices.Equal(*got, *want) {
		p.t.Errorf("%s\n got the calls %s\nwant the calls %s", what, *got, *want)
	}
	p.called += len(*want)
	*got, *want = nil, nil
}
