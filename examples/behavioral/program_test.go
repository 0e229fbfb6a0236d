package behavioral_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

func parse(t testing.TB, inside string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("thread.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"
xmlns:b="`+behavioral.Namespace+`">`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func newProgram(t testing.TB, threads []behavioral.Thread, opts ...behavioral.Option) *behavioral.Program {
	t.Helper()
	p, err := behavioral.New(threads, opts...)
	if err == nil {
		err = p.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run returns the names of the events that are selected, with their data.
func run(t testing.TB, p *behavioral.Program) string {
	t.Helper()
	var events []string
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	err := p.Run(ctx, func(s behavioral.Selection) {
		if events = append(events, text(s.Event)); len(events) == 100 {
			cancel(errors.New("the program does not end"))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(events, " ")
}

func text(ev scxml.Event) string {
	if ev.Data == nil {
		return ev.Name
	}
	return ev.Name + string(datamodel.AppendJSON(nil, ev.Data))
}

const repeat = `<datamodel><data id="event"/><data id="times" expr="3"/></datamodel>
<state id="asks"><onentry><b:request eventexpr="event"/></onentry>
<transition event="*" cond="times &gt; 1" target="asks"><assign location="times" expr="times - 1"/></transition>
<transition event="*" target="done"/></state><final id="done"/>`

const alternate = `
<state id="one"><onentry><b:wait event="hot"/><b:block event="cold"/></onentry><transition event="hot" target="two"/></state>
<state id="two"><onentry><b:wait event="cold"/><b:block event="hot"/></onentry><transition event="cold" target="one"/></state>`

func TestRequestsAreSelectedUnlessBlocked(t *testing.T) {
	three, turns := parse(t, repeat), parse(t, alternate)
	threads := []behavioral.Thread{
		{Name: "cold", Chart: three, Data: map[string]any{"event": "cold"}},
		{Name: "hot", Chart: three, Data: map[string]any{"event": "hot"}},
	}
	if got, want := run(t, newProgram(t, threads)), "cold cold cold hot hot hot"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p := newProgram(t, append(threads, behavioral.Thread{Name: "turns", Chart: turns}))
	var requests []string
	for _, r := range p.Requests() {
		requests = append(requests, fmt.Sprint(text(r.Event), r.Priority, r.By, r.Blocked))
	}
	if got, want := strings.Join(requests, ", "), "cold0 [cold] [turns], hot0 [hot] []"; got != want {
		t.Errorf("requests %s, want %s", got, want)
	}
	if got, want := run(t, p), "hot cold hot cold hot cold"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !p.Ended() || p.Stuck() || !p.In("hot/done") || !p.In("turns/one") {
		t.Errorf("it rests in %v", p.Configuration())
	}
}

func TestSearch(t *testing.T) {
	three := parse(t, repeat)
	p := newProgram(t, []behavioral.Thread{
		{Name: "cold", Chart: three, Data: map[string]any{"event": "cold"}},
		{Name: "hot", Chart: three, Data: map[string]any{"event": "hot"}},
	})
	report, err := explore.Search(t.Context(), p.System, explore.Options{
		Properties: []explore.Property{explore.Never("data('hot', 'times') == 1 && data('cold', 'times') == 2 && !In('hot/done')")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.States != 16 || report.Deadlocks != 0 || len(report.Violations) != 1 || len(report.Violations[0].Path) != 3 {
		t.Errorf("%+v", report)
	}
}

// A program that runs for ever does not remember all that it has seen.
func TestMemoryIsBounded(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel>
<state id="s"><onentry><b:request event="count"><param name="n" expr="n"/></b:request></onentry>
<transition event="count" target="s"><assign location="n" expr="n + 1"/></transition></state>`)
	listener := parse(t, `<state id="s"><onentry><b:wait event="late"/></onentry><transition event="late" target="t"/></state><state id="t"/>`)
	p := newProgram(t, []behavioral.Thread{{Name: "counter", Chart: chart}, {Name: "listener", Chart: listener}})
	if err := p.Send(scxml.Event{Name: "late"}); err != nil {
		t.Fatal(err)
	}
	const steps = 40_000
	for i := range steps {
		s, ok, err := p.Step(t.Context())
		if err != nil || !ok || text(s.Event) != fmt.Sprintf(`count{"n":%d}`, i) {
			t.Fatalf("step %d: %s, %v, %v", i, text(s.Event), ok, err)
		}
	}
	if n := p.Remembered(); n > steps/2 {
		t.Errorf("it remembers %d events", n)
	}
}

func TestProgramMustStart(t *testing.T) {
	p, err := behavioral.New([]behavioral.Thread{{Name: "one", Chart: parse(t, repeat)}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "the program has not started"
	if _, _, err := p.Step(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Step: %v", err)
	}
	if err := p.Send(scxml.Event{Name: "e"}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Send: %v", err)
	}
	if _, err := p.Value(t.Context(), "one", "times"); err == nil {
		t.Error("Value works")
	}
	if p.In("one/asks") || p.Requests() != nil || p.Configuration() != nil {
		t.Error("the program is in a state")
	}
}

// Equal seeds pick the same, and a program that starts again does so too.
func TestSeed(t *testing.T) {
	three := parse(t, repeat)
	var threads []behavioral.Thread
	for _, name := range []string{"a", "b", "c"} {
		threads = append(threads, behavioral.Thread{Name: name, Chart: three, Data: map[string]any{"event": name}})
	}
	runs := map[string]bool{}
	for seed := range uint64(20) {
		p := newProgram(t, threads, behavioral.WithSeed(seed))
		first := run(t, p)
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again := run(t, p); again != first {
			t.Errorf("seed %d: %s, then %s", seed, first, again)
		}
		if other := run(t, newProgram(t, threads, behavioral.WithSeed(seed))); other != first {
			t.Errorf("seed %d: %s, and %s", seed, first, other)
		}
		runs[first] = true
	}
	if len(runs) < 10 {
		t.Errorf("20 seeds make %d different runs", len(runs))
	}
}
