package scxml_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

// TestTryRandomCharts asks Try about the events of random charts between any two steps. It must
// not change the session, and what follows must be what the reference does, which nobody asks.
func TestTryRandomCharts(t *testing.T) {
	b := newBench()
	b.try = true
	charts := 0
	rapid.Check(t, func(t *rapid.T) {
		charts++
		trial := randomTrialOf(rapid.Uint64().Draw(t, "seed"), int64(rapid.Uint32().Draw(t, "number")), 30)
		if d := b.run(trial); d != nil {
			trial, d = shrink(b.run, trial, d)
			t.Fatalf("%v\n%s", d, scenario(trial, d))
		}
	})
	t.Logf("%d charts: %v; Try evaluated %d guards and refused %d", charts, b.tally, b.evaluated, b.refused)
	if b.evaluated == 0 && !testing.Short() { // 20 charts may have none
		t.Error("no guard was evaluated")
	}
}

// tryAll asks s about a few events of a trial.
func (b *bench) tryAll(s *scxml.Session, t *randomchart.Trial) error {
	var names []string
	for _, st := range t.Stimuli {
		if st.Event != "" && !slices.Contains(names, st.Event) && len(names) < 3 {
			names = append(names, st.Event)
			if err := b.tryOne(s, scxml.Event{Name: st.Event, Data: st.Data}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) tryOne(s *scxml.Session, ev scxml.Event) error {
	before, saveErr := s.Snapshot()
	written, status := len(b.engine.buf), s.Status()
	trial, err := s.Try(context.Background(), ev)
	if err != nil {
		return nil // it has ended, or its last macrostep was interrupted
	}
	for _, c := range trial.Candidates {
		switch {
		case c.Verdict == scxml.NotEvaluated:
			b.refused++
		case c.Transition.Cond() != "" && c.Verdict != scxml.NoMatch && c.Verdict != scxml.NotReached:
			b.evaluated++
		}
	}
	after, err := s.Snapshot()
	if b.services { // it may have taken an event meanwhile
		return nil
	}
	if (saveErr == nil) != (err == nil) || !bytes.Equal(before, after) || written != len(b.engine.buf) || status != s.Status() {
		return fmt.Errorf("Try of %s changes the session (%v, %v):\n%s\n%s", ev.Name, saveErr, err, before, after)
	}
	return nil
}
