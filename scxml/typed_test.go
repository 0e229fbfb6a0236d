package scxml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestFuncIsCalledOnce: an expression calls a function as often as it says, however it is evaluated.
func TestFuncIsCalledOnce(t *testing.T) {
	var calls []string
	s, _ := start(t, `<datamodel><data id="n" expr="2"/><data id="o" expr="{x: 3, toString: function () { return 'o' }}"/></datamodel><state/>`,
		scxml.WithFunc("f", func(n float64) float64 { calls = append(calls, fmt.Sprint("f", n)); return n * 10 }),
		scxml.WithFunc("g", func(text string) (string, error) {
			calls = append(calls, "g"+text)
			if text == "" {
				return "", errors.New("no text")
			}
			return text + text, nil
		}),
		scxml.WithFunc("list", func() []int { calls = append(calls, "list"); return []int{1, 2} }))
	plain, _ := start(t, `<datamodel><data id="n" expr="2"/></datamodel><state/>`,
		scxml.WithFunc("f", func(n float64) float64 { calls = append(calls, fmt.Sprint("f", n)); return n * 10 }),
		scxml.WithFunc("g", func(text string) (string, error) { calls = append(calls, "g"+text); return text + text, nil }),
		scxml.WithFunc("list", func() []int { calls = append(calls, "list"); return []int{1, 2} }))
	for _, tt := range []struct {
		expr, want, calls string
		s                 *scxml.Session
	}{
		{"f(n) > 10", "true", "f2", plain},
		{"f(f(n)) + f(1)", "210", "f2 f20 f1", plain},
		{"f(1) + g('a')", "10aa", "f1 ga", plain},
		{"f(1) > 100 && g('a') === 'aa'", "false", "f1", plain},
		{"list()[1]", "2", "list", plain},
		{"list().length + f(1)", "12", "list f1", plain},
		{"f(1) + [f(2)][0]", "30", "f1 f2", plain}, // from here on with the runtime
		{"f(1) + n", "12", "f1", plain},
		{"f(1) + o.x", "13", "f1", s},
		{"f(1) + o", "10o", "f1", s},
		{"f(f(2)) + g('x') + o", "200xxo", "f2 f20 gx", s},
		{"(function () { try { return g('') } catch (e) { return e.message } })()", "no text", "g", s},
		{"f(1) > 5 ? g('y') : o", "yy", "f1 gy", s},
		{"g.name", "g", "", s},
	} {
		calls = nil
		v, err := tt.s.Eval(t.Context(), tt.expr)
		if got := datamodel.Text(v); err != nil || got != tt.want || strings.Join(calls, " ") != tt.calls {
			t.Errorf("%s = %s, %v, after calls of %q; want %s, %q", tt.expr, got, err, calls, tt.want, tt.calls)
		}
	}
	calls = nil
	if _, err := s.Eval(t.Context(), "f(1) + g('')"); err == nil || err.Error() != "Error: no text" || strings.Join(calls, " ") != "f1 g" {
		t.Errorf("an error: %v after calls of %q", err, calls)
	}
	// A script can put something else in its place.
	calls = nil
	if _, err := s.Eval(t.Context(), "f = function () { return 7 }"); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Eval(t.Context(), "f(1) + 1"); err != nil || v != int64(8) || calls != nil {
		t.Errorf("a function that was replaced: %v, %v, calls of %q", v, err, calls)
	}
}

// TestFuncCallsBack: a function that evaluates something does not disturb the expression that it is in.
func TestFuncCallsBack(t *testing.T) {
	var s *scxml.Session
	n := 0
	s, _ = start(t, `<datamodel><data id="o" expr="[1]"/></datamodel><state/>`,
		scxml.WithFunc("one", func() int { n++; return n }),
		scxml.WithFunc("deep", func() (float64, error) {
			v, err := s.Eval(t.Context(), "one() + o[0] + one()")
			f, _ := v.(int64)
			return float64(f), err
		}))
	if v, err := s.Eval(t.Context(), "one() * 1000 + deep() * 10 + one() + o.length"); err != nil || v != int64(1000+60+4+1) {
		t.Errorf("got %v, %v", v, err)
	}
}

// TestDataOfEventIsShared: what <assign> takes from _event.data is the object itself, with a runtime
// and without.
func TestDataOfEventIsShared(t *testing.T) {
	s, clock := start(t, `<datamodel><data id="a"/><data id="b"/><data id="c"/><data id="r"/></datamodel>
		<state id="s">
			<transition event="keep"><assign location="a" expr="_event.data"/><assign location="b" expr="a"/></transition>
			<transition event="look" cond="a.x == 1"><assign location="c" expr="_event.data"/>
				<script>c.x = 5; a.y = 6; r = [c === _event.data, a === b, a === c, _event.data.x, b.y, a.x]</script></transition>
		</state>`)
	order := datamodel.NewObject("x", 1)
	send(t, s, clock, "keep", order)
	send(t, s, clock, "look", order)
	v, err := s.Eval(t.Context(), "JSON.stringify(r)")
	if want := "[true,true,false,5,6,1]"; err != nil || v != want {
		t.Errorf("got %v, %v, want %s", v, err, want)
	}
}

// TestLiteralsAreValues: data of literals is what a script would make of them, and each session and
// item has its own.
func TestLiteralsAreValues(t *testing.T) {
	literals := []string{`{b: 1, '2': 'x', "1": [null, true, -3, -0, {}], b: 2}`, `[1, [2, {c: 'ä'}], 'text']`, `{a: {b: {c: [0.5]}}}`, `[]`, `{}`, `[1,,2]`, `{__proto__: null, a: 1}`, `{a: undefined}`}
	for _, literal := range literals {
		s, _ := start(t, `<datamodel><data id="x">`+strings.ReplaceAll(literal, "<", "&lt;")+`</data><data id="y" expr="`+strings.ReplaceAll(literal, `"`, "'")+`"/><data id="z" expr="`+strings.ReplaceAll(literal, `"`, "'")+`"/></datamodel><state/>`)
		const text = "(function (v) { return JSON.stringify([v, Object.keys(v), Object.getPrototypeOf(v) === null]) })"
		want, err := s.Eval(t.Context(), text+"(("+literal+"))")
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Eval(t.Context(), text+"(y)")
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", literal, got, err, want)
		}
		if v, err := s.Eval(t.Context(), "y === z"); err != nil || v != false {
			t.Errorf("%s: two items are %v, %v", literal, v, err)
		}
	}
}

// TestTypedDataIsSaved: a session that needs no runtime for its objects is saved like one that does.
func TestTypedDataIsSaved(t *testing.T) {
	chart := parse(t, `<datamodel><data id="order"/><data id="n" expr="1"/></datamodel><state id="a"><transition event="e" cond="order.total &gt; 100 &amp;&amp; f(n) === 2" target="b"/></state><state id="b"/>`)
	opts := []scxml.Option{scxml.WithSessionID("s"), scxml.WithFunc("f", func(n int) int { return n + 1 }), atNow}
	one := newSession(t, chart, append(opts, scxml.WithData("order", sampleOrder))...)
	other := newSession(t, chart, append(opts, scxml.WithData("order", sampleOrder))...)
	for _, s := range []*scxml.Session{one, other} {
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := other.Eval(t.Context(), "(function () { return order })()"); err != nil { // it takes the runtime
		t.Fatal(err)
	}
	saved := snapshot(t, one)
	if want := snapshot(t, other); string(saved) != string(want) {
		t.Errorf("got  %s\nwant %s", saved, want)
	}
	var options []scxml.RestoreOption
	for _, opt := range opts[1:] {
		options = append(options, opt)
	}
	again := restore(t, chart, saved, options...)
	if err := again.Send(scxml.Event{Name: "e"}); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Step(t.Context(), now); err != nil || !again.In("b") {
		t.Errorf("the restored session is in %v, %v", again.Configuration(), err)
	}
}

// TestSessionOfOrderIsSmall: an order of ten fields does not cost a script engine.
func TestSessionOfOrderIsSmall(t *testing.T) {
	if racing {
		t.Skip("it is larger with the race detector")
	}
	result := testing.Benchmark(BenchmarkSessionOfOrder)
	if got := result.AllocedBytesPerOp(); got > 8<<10 {
		t.Errorf("%d bytes, want at most 8 KB", got)
	}
}
