package scxml_test

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// philosophers returns n dining philosophers: each takes the left fork, then the right one, eats and
// puts both down. A fork is a region; a philosopher takes it with an internal event.
func philosophers(n int) string {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><parallel id="table">`)
	for i := range n {
		left, right := i, (i+1)%n
		fmt.Fprintf(&b, `
			<state id="p%[1]d"><state id="thinks%[1]d"><transition event="left.%[1]d" cond="In(free%[2]d)" target="waits%[1]d"><raise event="take.%[2]d"/></transition></state>
			<state id="waits%[1]d"><transition event="right.%[1]d" cond="In(free%[3]d)" target="eats%[1]d"><raise event="take.%[3]d"/></transition></state>
			<state id="eats%[1]d"><transition event="done.with.%[1]d" target="thinks%[1]d"><raise event="put.%[2]d"/><raise event="put.%[3]d"/></transition></state></state>
			<state id="f%[1]d"><state id="free%[1]d"><transition event="take.%[1]d" target="taken%[1]d"/></state>
			<state id="taken%[1]d"><transition event="put.%[1]d" target="free%[1]d"/></state></state>`, i, left, right)
	}
	b.WriteString("</parallel></scxml>")
	return b.String()
}

// dataPhilosophers returns the same chart with forks that are data: numbers, or with objects the fields
// of one.
func dataPhilosophers(n int, objects bool) string {
	var b strings.Builder
	fork := func(i int) string {
		if objects {
			return fmt.Sprintf("forks[%d].taken", i)
		}
		return fmt.Sprintf("fork%d", i)
	}
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel>`)
	if objects {
		fmt.Fprintf(&b, `<data id="forks" expr="[%s]"/>`, strings.Repeat("{taken: 0},", n))
	} else {
		for i := range n {
			fmt.Fprintf(&b, `<data id="fork%d" expr="0"/>`, i)
		}
	}
	b.WriteString(`</datamodel><parallel id="table">`)
	for i := range n {
		fmt.Fprintf(&b, `
			<state id="p%[1]d"><state id="thinks%[1]d"><transition event="left.%[1]d" cond="%[2]s == 0" target="waits%[1]d"><assign location="%[2]s" expr="1"/></transition></state>
			<state id="waits%[1]d"><transition event="right.%[1]d" cond="%[3]s == 0" target="eats%[1]d"><assign location="%[3]s" expr="1"/></transition></state>
			<state id="eats%[1]d"><transition event="done.with.%[1]d" target="thinks%[1]d"><assign location="%[2]s" expr="0"/><assign location="%[3]s" expr="0"/></transition></state></state>`,
			i, fork(i), fork((i+1)%n))
	}
	b.WriteString("</parallel></scxml>")
	return b.String()
}

// A found is what a breadth-first search has found.
type found struct {
	states, transitions, deadlocks, depth int // depth is that of the first deadlock
}

// A searcher visits all states of a chart.
type searcher struct {
	testing.TB
	*scxml.Session
	events  func() []scxml.Event // that may come in the present state
	handled bool
	seed    maphash.Seed
	seen    map[uint64]struct{}
	open    [][]byte
	key     []byte
}

func newSearcher(tb testing.TB, source string, events func(*searcher) []scxml.Event) *searcher {
	chart, err := scxml.Parse("chart.scxml", []byte(source))
	if err != nil {
		tb.Fatal(err)
	}
	s := &searcher{TB: tb, seed: maphash.MakeSeed(), seen: map[uint64]struct{}{}}
	s.Session = newSession(tb, chart, scxml.WithSeed(1), scxml.WithClock(func() time.Time { return time.Unix(0, 0).UTC() }),
		scxml.WithTrace(&scxml.Trace{Unhandled: func(_ *scxml.Session, ev *scxml.Event) { s.handled = s.handled && ev.Type != datamodel.External }}))
	scxml.ForSearch(s.Session).Watch(false)
	s.events = func() []scxml.Event { return events(s) }
	return s
}

func (s *searcher) check(err error) {
	if err != nil {
		s.Helper()
		s.Fatal(err)
	}
}

// note keeps the present state unless it is known.
func (s *searcher) note() {
	var err error
	s.key, err = scxml.ForSearch(s.Session).AppendKey(s.key[:0])
	s.check(err)
	h := maphash.Bytes(s.seed, s.key)
	if _, known := s.seen[h]; known {
		return
	}
	s.seen[h] = struct{}{}
	state, err := scxml.ForSearch(s.Session).AppendState(nil)
	s.check(err)
	s.open = append(s.open, state)
}

func (s *searcher) search() (f found) {
	ctx := context.Background()
	s.check(s.Start(ctx))
	s.note()
	for level := s.open; len(level) > 0; level = s.open {
		s.open = nil
		f.states += len(level)
		for _, state := range level {
			s.check(scxml.ForSearch(s.Session).LoadState(state))
			alive, fresh := false, true
			for _, ev := range s.events() {
				if !fresh {
					s.check(scxml.ForSearch(s.Session).LoadState(state))
				}
				s.handled = true
				s.check(s.Send(ev))
				for more := true; more; {
					var err error
					more, err = s.Step(ctx, time.Time{})
					s.check(err)
				}
				if fresh = !s.handled; fresh {
					continue
				}
				alive = true
				f.transitions++
				s.note()
			}
			if !alive {
				if f.deadlocks++; f.deadlocks == 1 {
					f.depth = f.states
				}
			}
		}
	}
	return f
}

// philosopherEvents are the events of those who are in the right state.
func philosopherEvents(n int) func(*searcher) []scxml.Event {
	var all [][3]scxml.Event
	var in [][3]string
	for i := range n {
		all = append(all, [3]scxml.Event{{Name: fmt.Sprintf("left.%d", i)}, {Name: fmt.Sprintf("right.%d", i)}, {Name: fmt.Sprintf("done.with.%d", i)}})
		in = append(in, [3]string{fmt.Sprintf("thinks%d", i), fmt.Sprintf("waits%d", i), fmt.Sprintf("eats%d", i)})
	}
	var events []scxml.Event
	return func(s *searcher) []scxml.Event {
		events = events[:0]
		for i := range all {
			for j, state := range in[i] {
				if s.In(state) {
					events = append(events, all[i][j])
				}
			}
		}
		return events
	}
}

// The dining philosophers have as many states as in other model checkers, and one deadlock, whatever
// the forks are.
func TestSearchPhilosophers(t *testing.T) {
	for n, want := range map[int]int{3: 14, 5: 82, 7: 478, 9: 2786} {
		for name, source := range philosopherCharts(n) {
			f := newSearcher(t, source, philosopherEvents(n)).search()
			if f.states != want || f.deadlocks != 1 {
				t.Errorf("%d philosophers, %s: %d states, want %d, and %d deadlocks, want 1", n, name, f.states, want, f.deadlocks)
			}
		}
	}
}

func philosopherCharts(n int) map[string]string {
	return map[string]string{"null": philosophers(n), "numbers": dataPhilosophers(n, false), "objects": dataPhilosophers(n, true)}
}

func BenchmarkSearch(b *testing.B) {
	for _, run := range []struct {
		data         string
		philosophers int
	}{{"null", 9}, {"null", 13}, {"numbers", 9}, {"numbers", 13}, {"objects", 9}} {
		b.Run(fmt.Sprintf("%s/philosophers=%d", run.data, run.philosophers), func(b *testing.B) {
			b.ReportAllocs()
			transitions, before := 0, cpuTime()
			source := philosopherCharts(run.philosophers)[run.data]
			for b.Loop() {
				transitions += newSearcher(b, source, philosopherEvents(run.philosophers)).search().transitions
			}
			b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
			if used := cpuTime() - before; used > 0 {
				b.ReportMetric(float64(transitions)/used.Seconds(), "transitions/cpu-s")
			}
		})
	}
}

// BenchmarkVisit is what a search does for each transition: it loads a state, gives the session an event
// and makes a key.
func BenchmarkVisit(b *testing.B) {
	s := sudokuGame(b, 20)
	state, key := state(b, s), []byte(nil)
	tap := scxml.Event{Name: "tap", Data: datamodel.NewObject("x", int64(0), "y", int64(0))}
	before := cpuTime()
	defer func() { b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op") }()
	run(b, func() {
		load(b, s, state)
		err := s.Send(tap)
		if err == nil {
			err = s.Advance(b.Context(), now)
		}
		if err == nil {
			key, err = scxml.ForSearch(s).AppendKey(key[:0])
		}
		if err != nil {
			b.Fatal(err)
		}
	})
}

// Without ids, a key tells which of two invocations with generated ids an event in the queue came from: each has
// a <finalize> of its own.
func TestKeyTellsInvocationsApart(t *testing.T) {
	child := func(go_ string) string {
		return `<invoke autoforward="true"><content><scxml version="1.0" datamodel="null"><state id="k"><transition event="` + go_ + `"><send event="x" target="#_parent"/></transition></state></scxml></content>` +
			`<finalize><assign location="from" expr="'` + go_ + `'"/></finalize></invoke>`
	}
	chart := parse(t, `<datamodel><data id="from" expr="''"/></datamodel>`+
		`<state id="a">`+child("one")+child("two")+`<transition event="one"/><transition event="two"/><transition event="x"/></state>`)
	keys, from := map[string]string{}, map[string]bool{}
	for _, name := range []string{"one", "two"} {
		s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithSeed(1), scxml.WithClock(func() time.Time { return time.Unix(0, 0) }))
		if err != nil {
			t.Fatal(err)
		}
		scxml.ForSearch(s).Watch(false)
		step := func() (more bool) {
			if more, err = s.Step(t.Context(), s.Now()); err != nil {
				t.Fatal(err)
			}
			return more
		}
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for step() {
		}
		if err := s.Send(scxml.Event{Name: name}); err != nil {
			t.Fatal(err)
		}
		for range 3 { // of the session and of both that it has invoked
			step()
		}
		if _, waiting := scxml.ForTools(s).Queues(); len(waiting) != 1 || waiting[0].Name != "x" || scxml.ForSearch(s).KeepsIDs() {
			t.Fatalf("%s: %v is waiting, want x; ids: %t", name, waiting, scxml.ForSearch(s).KeepsIDs())
		}
		k := key(t, s)
		if other, ok := keys[k]; ok {
			t.Errorf("an event of the invocation of %s has the key of one of %s", name, other)
		}
		keys[k] = name
		for step() {
		}
		v, err := s.Eval(t.Context(), "from")
		if err != nil {
			t.Fatal(err)
		}
		from[v.(string)] = true
	}
	if len(from) != 2 {
		t.Errorf("both ways end with %v, so their keys may be equal", from)
	}
}
