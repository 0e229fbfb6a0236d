package explore_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

func parse(t testing.TB, inside string, attrs ...string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" `+strings.Join(attrs, " ")+`>`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func run(t testing.TB, chart *scxml.Chart, opts explore.Options) *explore.Report {
	t.Helper()
	r, err := explore.Run(t.Context(), chart, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// philosophers returns n dining philosophers, who all begin with their left fork.
func philosophers(n int) string {
	var b strings.Builder
	b.WriteString(`<parallel id="table">`)
	for i := range n {
		fmt.Fprintf(&b, `
			<state id="p%[1]d"><state id="thinks%[1]d"><transition event="left.%[1]d" cond="In(free%[1]d)" target="waits%[1]d"><raise event="take.%[1]d"/></transition></state>
			<state id="waits%[1]d"><transition event="right.%[1]d" cond="In(free%[2]d)" target="eats%[1]d"><raise event="take.%[2]d"/></transition></state>
			<state id="eats%[1]d"><transition event="done.with.%[1]d" target="thinks%[1]d"><raise event="put.%[1]d"/><raise event="put.%[2]d"/></transition></state></state>
			<state id="f%[1]d"><state id="free%[1]d"><transition event="take.%[1]d" target="taken%[1]d"/></state>
			<state id="taken%[1]d"><transition event="put.%[1]d" target="free%[1]d"/></state></state>`, i, (i+1)%n)
	}
	b.WriteString("</parallel>")
	return strings.ReplaceAll(b.String(), "done.with", "stop")
}

// The dining philosophers have the number of states that other model checkers count, and one deadlock,
// in which all have taken their left fork.
func TestPhilosophers(t *testing.T) {
	for n, want := range map[int]explore.Report{3: {States: 14, Transitions: 27}, 5: {States: 82}, 7: {States: 478}, 9: {States: 2786, Transitions: 16209}} {
		r := run(t, parse(t, philosophers(n), `datamodel="null"`), explore.Options{})
		if r.Verdict != explore.Violated || r.States != want.States || r.Deadlocks != 1 || want.Transitions > 0 && r.Transitions != want.Transitions || len(r.Violations) != 1 {
			t.Errorf("%d philosophers: %+v, want %+v", n, r, want)
			continue
		}
		v := r.Violations[0]
		var events []string
		for _, in := range v.Path {
			events = append(events, in.Event)
		}
		slices.Sort(events)
		for i := range n {
			if !slices.Contains(v.Configuration, fmt.Sprintf("waits%d", i)) || len(events) != n || events[i] != fmt.Sprintf("left.%d", i) {
				t.Errorf("%d philosophers: the deadlock is %v", n, v)
				break
			}
		}
	}
}

// The report is the same on any number of workers.
// A search of sessions that begin in given states visits what can follow from there.
func TestBeginsInAConfiguration(t *testing.T) {
	chart := parse(t, `<state id="a"><transition event="e" target="b"/></state><state id="b"><transition event="e" target="c"/></state>
		<state id="c"><transition event="e" target="b"/></state>`)
	for _, workers := range []int{1, 3} {
		r := run(t, chart, explore.Options{Session: []scxml.Option{scxml.WithConfiguration("b")}, Workers: workers, Unused: true})
		if r.States != 2 || len(r.Unentered) != 1 || r.Unentered[0].Name() != "a" {
			t.Errorf("%d workers: %d states, and %v is not entered", workers, r.States, r.Unentered)
		}
	}
}

func TestWorkers(t *testing.T) {
	chart := parse(t, philosophers(7), `datamodel="null"`)
	property := func() []explore.Property {
		return []explore.Property{explore.Never("In(eats3)"), explore.Always("In(p0)")}
	}
	for _, bounds := range []explore.Options{{}, {MaxStates: 300}, {MaxDepth: 4}, {MaxMemory: 30_000}} {
		var want *explore.Report
		for _, workers := range []int{1, 2, 5} {
			opts := bounds
			opts.Workers, opts.Properties = workers, property()
			r := run(t, chart, opts)
			if want == nil {
				want = r
			} else if !reflect.DeepEqual(r, want) {
				t.Errorf("%d workers: %+v\nwant %+v", workers, r, want)
			}
		}
		if want.Verdict != explore.Violated {
			t.Errorf("%+v", want)
		}
	}
}

// A table of bits that is large enough finds all states, and one that is too small says how many it misses.
// Either way, what it finds does not depend on the workers.
func TestBits(t *testing.T) {
	chart := parse(t, philosophers(9), `datamodel="null"`)
	for _, test := range []struct {
		bytes  int64
		states func(found int, missed float64) bool
	}{
		{10_000_000, func(found int, missed float64) bool { return found == 2786 && missed > 0 && missed < 1e-5 }},
		{512, func(found int, missed float64) bool { return found < 2700 && missed > 10 }},
	} {
		var want *explore.Report
		for _, workers := range []int{1, 3} {
			r := run(t, chart, explore.Options{Bits: test.bytes, Workers: workers, NoDeadlocks: true})
			if want == nil {
				want = r
			}
			if !reflect.DeepEqual(r, want) || r.Verdict != explore.Searched || len(r.LeftOut) != 1 || r.LeftOut[0].Name != "bits" || !test.states(r.States, r.Missed) {
				t.Errorf("%d bytes: %+v", test.bytes, r)
			}
		}
	}
	r := run(t, chart, explore.Options{Bits: 1 << 20})
	if r.Verdict != explore.Violated || len(r.Violations) != 1 || len(r.Violations[0].Path) != 9 {
		t.Errorf("%+v", r)
	}
	if _, err := explore.Run(t.Context(), chart, explore.Options{Bits: 1, Graph: true}); err == nil {
		t.Error("a table of bits has a graph")
	}
	if r := run(t, chart, explore.Options{Bits: 1}); r.States > 64 {
		t.Errorf("%d states in 64 bits", r.States)
	}
}

// The way to a violation is a shortest one, with data and time, and leads there.
func TestShortestPath(t *testing.T) {
	chart := parse(t, `<datamodel><data id="sum" expr="0"/></datamodel>
		<state id="a"><transition event="add" cond="sum + _event.data &lt; 8"><assign location="sum" expr="sum + _event.data"/></transition>
			<transition event="wait" cond="sum == 7" target="b"/></state>
		<state id="b"><onentry><send event="late" delay="3s"/></onentry><transition event="late" target="c"/></state>
		<state id="c"><transition event="*" target="d"/></state>
		<final id="d"/>`)
	r := run(t, chart, explore.Options{
		Data:       map[string][]any{"add": {1, 2, 3, -1}},
		Properties: []explore.Property{explore.Never("In('c')"), explore.Always("sum >= -20"), explore.Never("sum == 6 && In('a')")},
		MaxDepth:   8,
	})
	var got []string
	for _, v := range r.Violations {
		got = append(got, v.String())
	}
	want := []string{
		"property: never sum == 6 && In('a') in a\n1. add 3\n2. add 3",
		"property: never In('c') in c\n1. add 1\n2. add 3\n3. add 3\n4. wait\n5. advance 3s",
	}
	if !slices.Equal(got, want) || r.Verdict != explore.Violated {
		t.Errorf("got %q\nwant %q", got, want)
	}
	s, err := scxml.New(chart)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := s.Now()
	for _, in := range r.Violations[1].Path {
		now = now.Add(in.Wait)
		if _, err := s.Do(t.Context(), now, scxml.Event{Name: in.Event, Data: in.Data}); err != nil {
			t.Fatal(err)
		}
	}
	if !s.In("c") {
		t.Errorf("the path leads to %v", s.Configuration())
	}
}

func TestVerdicts(t *testing.T) {
	endless := `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>`
	timed, done := context.WithTimeout(t.Context(), 0)
	defer done()
	for _, test := range []struct {
		name, inside string
		ctx          context.Context
		opts         explore.Options
		want         explore.Report
	}{
		{name: "holds", inside: `<state id="a"><transition event="e" target="b"/></state><final id="b"/>`, want: explore.Report{States: 2, Transitions: 1, Depth: 1}},
		{name: "a deadlock", inside: `<state id="a"><transition event="e" target="b"/></state><state id="b"><transition event="e" cond="false" target="a"/></state>`,
			want: explore.Report{Verdict: explore.Violated, States: 2, Transitions: 1, Depth: 1, Deadlocks: 1,
				Violations: []explore.Violation{{Kind: explore.Deadlock, Path: []explore.Input{{Event: "e"}}, Configuration: []string{"b"}}}}},
		{name: "states", inside: endless, opts: explore.Options{MaxStates: 8}, want: explore.Report{Verdict: explore.Inconclusive, Bound: "states", States: 8, Transitions: 8, Depth: 7}},
		{name: "depth", inside: endless, opts: explore.Options{MaxDepth: 5}, want: explore.Report{Verdict: explore.Inconclusive, Bound: "depth", States: 6, Transitions: 5, Depth: 5}},
		{name: "time", inside: endless, ctx: timed, want: explore.Report{Verdict: explore.Inconclusive, Bound: "time"}},
		{name: "one delay at a time", inside: `<state id="a"><onentry><send event="x" delay="1s"/></onentry><transition event="x" target="b"/></state><state id="b"><transition event="e" target="a"/></state>`,
			want: explore.Report{States: 2, Transitions: 2, Depth: 1}},
		{name: "an event during a delay", inside: `<state id="a"><onentry><send event="x" delay="1s"/></onentry><transition event="x e" target="b"/></state><final id="b"/>`,
			want: explore.Report{States: 2, Transitions: 2, Depth: 1}},
		{name: "delays", inside: `<state id="a"><onentry><send event="x" delay="1s"/></onentry><transition event="x e" target="b"/></state><final id="b"/>`, opts: explore.Options{Time: explore.Zero},
			want: explore.Report{Verdict: explore.Inconclusive, Bound: "delays", States: 2, Transitions: 2, Depth: 1}},
		{name: "a limit", inside: `<state id="a"><transition event="e" target="b"/></state><state id="b"><transition target="b"/></state>`, opts: explore.Options{Session: []scxml.Option{scxml.WithLimits(scxml.Limits{Microsteps: 10})}},
			want: explore.Report{Verdict: explore.Violated, States: 1, Transitions: 1, Violations: []explore.Violation{{Kind: explore.Limit,
				Message: "scxml: limit Microsteps = 10 exceeded: the chart loops through b by the transitions at chart.scxml:1:77, 1:133", Path: []explore.Input{{Event: "e"}}}}}},
		{name: "no rest", inside: `<state id="a"><onentry><send event="x"/></onentry><transition event="x" target="a"/></state>`,
			want: explore.Report{Verdict: explore.Violated, Violations: []explore.Violation{{Kind: explore.Endless}}}},
		{name: "events of others", inside: `<state id="a"><transition event="e"><raise event="i"/></transition><transition event="i done.state.b error" target="b"/></state><state id="b"><transition event="e.* f" target="c"/></state><final id="c"/>`,
			want: explore.Report{States: 3, Transitions: 3, Depth: 2}},
	} {
		ctx := test.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		r, err := explore.Run(ctx, parse(t, test.inside), test.opts)
		if err != nil || !reflect.DeepEqual(*r, test.want) {
			t.Errorf("%s: got  %+v, %v\nwant %+v", test.name, r, err, test.want)
		}
	}
}

// What cannot be explored is an error with the way to it.
func TestRefuses(t *testing.T) {
	for _, test := range []struct{ inside, want string }{
		{`<datamodel><data id="f"/></datamodel><state id="a"><transition event="e"><script>f = (function () { var n = 0; return function () { return n++ } })()</script></transition></state>`,
			`explore: chart.scxml:1:74: cannot keep f of each state: it is a function that captures the variable "n"; keep what it captures in a data item, or pass it as an argument (after e)`},
		{`<state id="a"><transition event="e" target="b"/></state><state id="b"><invoke type="service"/></state>`,
			`explore: cannot keep the state of a service: "b" invokes one of type "service" (chart.scxml:1:133) (after e)`},
		{`<state id="a"><transition event="e f" target="b"/></state><state id="b"><transition event="e" target="c"/><transition event="f" target="a"/></state><state id="c"><invoke type="service"/></state>`,
			`explore: cannot keep the state of a service: "c" invokes one of type "service" (chart.scxml:1:225) (after e, e)`},
		{`<datamodel><data id="tree" expr="({left: {items: [1, 2]}})"/></datamodel><state id="a"><transition event="e"><script>tree.left.items[1] = {it: new WeakMap()}</script></transition></state>`,
			`explore: chart.scxml:1:74: cannot keep tree.left.items[1].it of each state: it is a WeakMap; use numbers, strings, arrays and objects in its place (after e)`},
		{`<datamodel><data id="f" expr="new Proxy({}, {})"/></datamodel><state id="a"/>`, `explore: chart.scxml:1:74: cannot keep f of each state: it is a proxy; use numbers, strings, arrays and objects in its place (at the start)`},
	} {
		_, err := explore.Run(t.Context(), parse(t, test.inside), explore.Options{Session: []scxml.Option{scxml.WithInvoker("service", scxml.InvokerFunc(
			func(ctx context.Context, _ *scxml.Invocation) (any, error) { <-ctx.Done(); return nil, nil }))}})
		if err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	if _, err := explore.Run(t.Context(), parse(t, `<state id="a"/>`), explore.Options{Session: []scxml.Option{scxml.WithData("x", 1)}}); err == nil {
		t.Error("an option that does not fit is accepted")
	}
	failed := errors.New("no")
	property := explore.Property{Name: "p", Holds: func(context.Context, explore.System) (bool, error) { return false, failed }}
	if _, err := explore.Run(t.Context(), parse(t, `<state id="a"/>`), explore.Options{Properties: []explore.Property{property}}); !errors.Is(err, failed) {
		t.Errorf("a property that fails: %v", err)
	}
}

// A search can begin in the middle, and says whether a state can be reached.
func TestReach(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="in" target="stuck"><assign location="n" expr="n + 1"/></transition><transition event="done" cond="n == 0" target="never"/></state>
		<state id="stuck"><transition event="out" cond="n &lt; 3" target="a"/><transition event="pay" cond="n == 3" target="paid"/></state>
		<final id="never"/><final id="paid"/>`)
	s, err := scxml.New(chart, scxml.WithSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "in"}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, chart, explore.Options{From: snapshot, Reach: []string{"never", "paid", "stuck"}, Unused: true})
	var reached []string
	for _, x := range r.Reached {
		reached = append(reached, x.String())
	}
	want := []string{"reached: stuck, at the start", "reached: paid\n1. out\n2. in\n3. out\n4. in\n5. pay"}
	if !slices.Equal(reached, want) || r.Verdict != explore.Violated || len(r.Violations) != 1 || r.Violations[0].String() != "missing: never" {
		t.Errorf("%+v\ngot %q", r, reached)
	}
	if got := fmt.Sprint(r.Unentered, r.Untaken); got != "[never] [a done -> never]" {
		t.Errorf("unused are %s", got)
	}
	if r := run(t, chart, explore.Options{Reach: []string{"paid"}, MaxDepth: 2}); r.Verdict != explore.Inconclusive || len(r.Violations) > 0 {
		t.Errorf("%+v", r)
	}
	if _, err := explore.Run(t.Context(), chart, explore.Options{Reach: []string{"payed"}}); err == nil || err.Error() != `explore: "payed" is not a state of chart.scxml` {
		t.Error(err)
	}
	if _, err := explore.Run(t.Context(), chart, explore.Options{From: []byte("{}")}); !errors.Is(err, scxml.ErrSnapshot) {
		t.Error(err)
	}
}

// A script that is interrupted exceeds a limit, also if errors are not violations: what follows would be
// different on another machine.
func TestScriptTimeIsALimit(t *testing.T) {
	chart := parse(t, `<state id="a"><transition event="e"><script>for (;;);</script></transition></state>`)
	r := run(t, chart, explore.Options{NoDeadlocks: true, Session: []scxml.Option{scxml.WithLimits(scxml.Limits{ScriptTime: time.Millisecond})}})
	if want := "limit: chart.scxml:1:107: the script ran longer than its time limit of 1ms\n1. e"; len(r.Violations) != 1 || r.Violations[0].String() != want {
		t.Errorf("got %v, want %s", r.Violations, want)
	}
}

// Error events are violations if they should be, also those that change nothing else.
func TestErrors(t *testing.T) {
	chart := parse(t, `<state id="a"><transition event="e"><log expr="nowhere"/></transition><transition event="f" target="b"/></state><final id="b"/>`)
	if r := run(t, chart, explore.Options{}); r.Verdict != explore.Holds || r.States != 2 || r.Transitions != 1 {
		t.Errorf("%+v", r)
	}
	r := run(t, chart, explore.Options{Errors: true})
	if len(r.Violations) != 1 || r.Violations[0].String() != "error: error.execution: chart.scxml:1:110: ReferenceError: nowhere is not defined\n1. e" || r.States != 2 || r.Transitions != 1 {
		t.Errorf("%+v", r)
	}
	stuck := parse(t, `<state id="a"><transition event="e"><log expr="nowhere"/></transition></state>`)
	if r := run(t, stuck, explore.Options{Errors: true}); r.Deadlocks != 1 || len(r.Violations) != 2 {
		t.Errorf("%+v", r)
	}
}

// An expression that calls a function which changes data is found by what it does.
func TestPropertyChangesSession(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><script>function more() { return n += 10; }</script><state id="a"><transition event="e" cond="n &lt; 3"><assign location="n" expr="n + 1"/></transition></state>`)
	_, err := explore.Run(t.Context(), chart, explore.Options{Properties: []explore.Property{explore.Always("more() >= 10")}})
	if want := `explore: property "always more() >= 10" changes the data of the chart: it may only look at them (at the start)`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	// A function of Go may change the session.
	own := explore.Property{Name: "own", Holds: func(ctx context.Context, s explore.System) (bool, error) {
		_, err := s.Eval(ctx, "n += 10")
		return true, err
	}}
	if r := run(t, chart, explore.Options{Properties: []explore.Property{own}}); r.States != 4 || len(r.Violations) != 1 || r.Violations[0].Kind != explore.Deadlock {
		t.Errorf("%+v", r)
	}
}

// Expressions that cannot be meant are refused before the search.
func TestWrongProperties(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"/>`)
	response, err := explore.LeadsTo("n == 1 => n++ > 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		opts explore.Options
		want string
	}{
		{explore.Options{Properties: []explore.Property{explore.Never("n = 2")}}, `property "never n = 2": it changes data (n = 2); to compare, write ==`},
		{explore.Options{Properties: []explore.Property{explore.Always("n ==")}}, `property "always n ==": SyntaxError: unexpected end of input`},
		{explore.Options{LeadsTo: []explore.Response{response}}, `property "n == 1 => n++ > 1": it changes data (n++)`},
		{explore.Options{View: []string{"n = 1"}}, `view "n = 1": it changes data (n = 1); to compare, write ==`},
	} {
		if _, err := explore.Run(t.Context(), chart, test.opts); err == nil || err.Error() != "explore: "+test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

func TestProgress(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last explore.Progress
	r, err := explore.Run(ctx, chart, explore.Options{Progress: func(p explore.Progress) {
		if p.States <= last.States || p.Frontier != 1 {
			t.Errorf("%+v after %+v", p, last)
		}
		if last = p; p.Depth > 10 {
			cancel()
		}
	}})
	if err != nil || r.Bound != "time" || last.States == 0 || last.States > r.States {
		t.Errorf("%+v, %v after %+v", r, err, last)
	}
}

func BenchmarkPhilosophers(b *testing.B) {
	chart := parse(b, philosophers(13), `datamodel="null"`)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			began, transitions := time.Now(), 0
			for b.Loop() {
				transitions += run(b, chart, explore.Options{Workers: workers}).Transitions
			}
			b.ReportMetric(float64(transitions)/time.Since(began).Seconds(), "transitions/s")
		})
	}
}

// What a search finds can be replayed as a scenario: the session id and random numbers are the same.
func TestSessionIsThatOfScenarios(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="roll" target="b"><assign location="n" expr="Math.random()"/></transition></state><state id="b"/>`)
	s := scxmltest.Start(t, chart)
	s.Do("roll")
	n, err := s.Eval(t.Context(), "n")
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, chart, explore.Options{NoDeadlocks: true, Assume: []string{"chance", "ids"}, Properties: []explore.Property{explore.Always(fmt.Sprintf("_sessionid === 'session' && (In('a') || n === %v)", n))}})
	if r.Verdict != explore.Holds || r.States != 2 {
		t.Errorf("%v", r.Violations)
	}
}
