package scxml_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// TestBegunRandomCharts compares the engine with the reference on random charts, in sessions that begin
// in any configuration, and are restored now and then.
func TestBegunRandomCharts(t *testing.T) {
	b := newBench()
	b.restore = func(steps int) bool { return steps%3 == 0 }
	begun := 0
	rapid.Check(t, func(t *rapid.T) {
		trial := randomTrialOf(rapid.Uint64().Draw(t, "seed"), int64(rapid.Uint32().Draw(t, "number")), 30)
		seed := rapid.Uint64().Draw(t, "configuration")
		b.begin = func(chart *scxml.Chart) []string {
			return configurationOf(chart, rand.New(rand.NewPCG(seed, 0)))
		}
		d := b.run(trial)
		if b.begun != nil {
			begun++
		}
		if d != nil {
			trial, d = shrink(b.run, trial, d)
			t.Fatalf("in %q: %v\n%s", b.begun, d, scenario(trial, d))
		}
	})
	t.Log(begun, b.tally)
	if begun == 0 {
		t.Error("no session has begun in a configuration")
	}
}

// TestRandomConfigurations: New accepts the names of a legal configuration, and no others.
func TestRandomConfigurations(t *testing.T) {
	accepted, refused := 0, 0
	for n := range int64(300) {
		trial := randomTrialOf(*randomSeed, n, 0)
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil {
			continue
		}
		rng := rand.New(rand.NewPCG(*randomSeed, uint64(n)))
		for range 20 {
			names := configurationOf(chart, rng)
			for range rng.IntN(3) { // of changes
				if i := rng.IntN(len(names) + 1); i < len(names) && rng.IntN(2) == 0 {
					names = slices.Delete(names, i, i+1)
				} else {
					names = slices.Insert(names, i, chart.States()[rng.IntN(len(chart.States()))].Name())
				}
			}
			var entered []string
			macrosteps := 0
			trace := &scxml.Trace{
				Microstep: func(s *scxml.Session, _ *scxml.Event, _ []scxml.Transition) {
					if s.InvokeID() == "" {
						macrosteps++
					}
				},
				Enter: func(s *scxml.Session, st scxml.State) {
					if s.InvokeID() == "" && macrosteps == 1 {
						entered = append(entered, st.Name())
					}
				},
			}
			s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithConfiguration(names...), scxml.WithLimits(limits), scxml.WithTrace(trace))
			want := legal(chart, names)
			if (err == nil) != (want != nil) {
				t.Fatalf("%q: %v, and the configuration is %q\n%s", names, err, want, trial.Chart)
			}
			if err != nil {
				refused++
				continue
			}
			accepted++
			_ = s.Start(t.Context()) // a limit may end it
			if !slices.Equal(entered, want) {
				t.Fatalf("%q begins in %q: want %q\n%s", names, entered, want, trial.Chart)
			}
		}
	}
	t.Log(accepted, "accepted,", refused, "refused")
	if accepted < 1000 || refused < 1000 {
		t.Error("too few")
	}
}

// legal returns the configuration that names stand for in document order, or nil if it is not a legal one
// of a session that has not ended.
func legal(chart *scxml.Chart, names []string) (config []string) {
	active := map[scxml.State]bool{}
	for _, name := range names {
		st, _ := chart.State(name)
		if st.Kind() == scxml.KindScxml || st.Kind() == scxml.KindHistory {
			return nil
		}
		for st.Kind() != scxml.KindScxml {
			active[st] = true // REC 3.11: "when the configuration contains an atomic state, it contains all of its … ancestors"
			st, _ = st.Parent()
		}
	}
	children := map[scxml.State][2]int{} // how many there are, and how many of them are active
	for _, st := range chart.States() {
		if parent, ok := st.Parent(); ok && st.Kind() != scxml.KindHistory {
			n := children[parent]
			if n[0]++; active[st] {
				n[1]++
			}
			children[parent] = n
		}
	}
	for _, st := range chart.States() {
		n := children[st]
		switch {
		case st == chart.Root(): // "contains exactly one child of the <scxml> element"
			if n[1] != 1 {
				return nil
			}
			continue
		case !active[st]:
			continue
		case st.Kind() == scxml.KindCompound && n[1] != 1: // "contains one and only one of its child states"
			return nil
		case st.Kind() == scxml.KindParallel && n[1] != n[0]: // "contains all of its child states"
			return nil
		}
		if parent, _ := st.Parent(); parent == chart.Root() && st.Kind() == scxml.KindFinal {
			return nil
		}
		config = append(config, st.Name())
	}
	return config
}

// configurationOf returns the names of the atomic states of a random configuration, in any order, perhaps
// with some of their ancestors; nil if it cannot begin in any.
func configurationOf(chart *scxml.Chart, rng *rand.Rand) (names []string) {
	var enter func(st scxml.State)
	enter = func(st scxml.State) {
		var children []scxml.State
		for _, c := range chart.States() {
			if parent, ok := c.Parent(); ok && parent == st && c.Kind() != scxml.KindHistory && (st != chart.Root() || c.Kind() != scxml.KindFinal) {
				children = append(children, c)
			}
		}
		if st != chart.Root() && (len(children) == 0 || rng.IntN(5) == 0) {
			names = append(names, st.Name())
		}
		if len(children) > 0 && st.Kind() != scxml.KindParallel {
			children = []scxml.State{children[rng.IntN(len(children))]}
		}
		for _, c := range children {
			enter(c)
		}
	}
	enter(chart.Root())
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}

// beginOf returns the option with which the nth session begins: every third one in a configuration.
func beginOf(chart *scxml.Chart, n int64) scxml.Option {
	names := configurationOf(chart, rand.New(rand.NewPCG(*randomSeed, uint64(n))))
	if n%3 > 0 || names == nil {
		return scxml.Options{}
	}
	return scxml.WithConfiguration(names...)
}

// TestBegunSessionsContinue: where a session has nothing but its configuration, another one that begins in
// it does the same from there.
func TestBegunSessionsContinue(t *testing.T) {
	compared, lines := 0, 0
	for n := range int64(400) {
		trial := randomTrialOf(*randomSeed, n, 0)
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil {
			continue
		}
		clock := new(scxmltest.Clock)
		start := func(opts ...scxml.Option) (*scxml.Session, *bytes.Buffer) {
			out := new(bytes.Buffer)
			s, err := scxml.New(chart, append(opts, scxml.WithMissing(), scxml.WithSeed(1), scxml.WithSessionID("root"),
				scxml.WithClock(clock.Now), scxml.WithLimits(limits), scxml.WithTrace(scxmltest.NewTrace(out)))...)
			if err != nil {
				t.Fatal(err)
			}
			_ = s.Start(t.Context()) // a limit may end it
			return s, out
		}
		var twin *scxml.Session
		var told *bytes.Buffer
		s, out := start()
		take := func(s *scxml.Session, st randomchart.Stimulus) {
			_ = s.Send(scxml.Event{Name: st.Event, Data: st.Data}) // it may have ended
			for range 10 {                                         // sessions may send events to each other
				if more, _ := s.Step(context.Background(), clock.Now()); !more {
					break
				}
			}
		}
		for _, st := range trial.Stimuli {
			if s.Status() != scxml.Running {
				break
			}
			if twin == nil && bare(t, s) {
				twin, told = start(scxml.WithConfiguration(s.Configuration()...))
				if !slices.Equal(twin.Configuration(), s.Configuration()) {
					t.Fatalf("a session that begins in %q is in %q\n%s", s.Configuration(), twin.Configuration(), trial.Chart)
				}
				out.Reset()
				told.Reset()
				compared++
			}
			if st.Event == "" {
				continue
			}
			take(s, st)
			if twin == nil {
				continue
			}
			take(twin, st)
			if a, b := out.String(), told.String(); a != b || s.Status() != twin.Status() {
				t.Fatalf("%v: the session\n%s\nand the one that began in its configuration\n%s\n%s", st, a, b, trial.Chart)
			}
		}
		lines += strings.Count(out.String(), "\n")
	}
	t.Log(compared, "sessions compared, in", lines, "lines")
	if compared < 50 || lines < 1000 {
		t.Error("too few")
	}
}

// bare reports whether a session is more than just started, and only its configuration has a future. The
// last event and the clock have none without data.
func bare(t *testing.T, s *scxml.Session) bool {
	saved, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Timers   []any
		Sessions []map[string]any
	}
	if err := json.Unmarshal(saved, &state); err != nil {
		t.Fatal(err)
	}
	if len(state.Timers) > 0 || len(state.Sessions) > 1 || state.Sessions[0]["event"] == nil {
		return false
	}
	for key := range state.Sessions[0] {
		if !slices.Contains([]string{"id", "status", "configuration", "event", "bound"}, key) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Configuration(), func(name string) bool {
		st, _ := s.Chart().State(name)
		return slices.ContainsFunc(st.Element().Children, func(e *scxml.Element) bool { return e.Name == "invoke" })
	})
}
