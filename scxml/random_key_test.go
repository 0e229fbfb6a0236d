package scxml_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// TestKeysOfRandomCharts explores random charts. Whenever it comes to a key once more, by another
// way, every event must lead from both states to the same key again.
func TestKeysOfRandomCharts(t *testing.T) {
	charts, pairs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		trial := randomTrialOf(rapid.Uint64().Draw(t, "seed"), int64(rapid.Uint32().Draw(t, "number")), 40)
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil {
			return
		}
		e := newKeyTest(t, chart, trial)
		if e.visit() {
			charts++
			pairs += e.pairs
		}
	})
	t.Logf("%d charts, %d pairs of states with equal keys", charts, pairs)
	if pairs == 0 {
		t.Error("no two states have the same key")
	}
}

type keyTest struct {
	*rapid.T
	trial   *randomchart.Trial
	session *scxml.Session
	events  []scxml.Event
	states  []string       // to be visited, in the form of AppendState
	first   map[string]int // the state that had the key first
	pairs   int
}

func newKeyTest(t *rapid.T, chart *scxml.Chart, trial *randomchart.Trial) *keyTest {
	s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithSeed(1), scxml.WithClock(new(scxmltest.Clock).Now), scxml.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	e := &keyTest{T: t, trial: trial, session: s, first: map[string]int{}}
	for _, st := range trial.Stimuli {
		if st.Event != "" && len(e.events) < 5 {
			e.events = append(e.events, scxml.Event{Name: st.Event, Data: st.Data})
		}
	}
	return e
}

// visit explores the chart. It returns false if part of its state is elsewhere, or if the chart is not
// always done with an event at some time.
func (e *keyTest) visit() bool {
	_ = e.session.Start(context.Background()) // a limit ends it
	if !e.settle() || e.note() != nil {
		return false
	}
	for i := 0; i < len(e.states) && i < 40; i++ {
		for event := range len(e.events) + 1 {
			e.load(e.states[i])
			if !e.apply(event) || e.note() != nil {
				return false
			}
		}
	}
	return true
}

func (e *keyTest) load(state string) {
	if err := scxml.ForSearch(e.session).LoadState([]byte(state)); err != nil {
		e.Fatal(err)
	}
}

// apply gives the session an event, or lets time pass until one is due.
func (e *keyTest) apply(event int) (done bool) {
	switch due, ok := e.session.NextDue(); {
	case event < len(e.events):
		_ = e.session.Send(e.events[event]) // fails if the session has ended
	case ok:
		_, _ = e.session.Step(context.Background(), due)
	}
	return e.settle()
}

// settle does the work there is, unless it does not end.
func (e *keyTest) settle() bool {
	for range stepLimit {
		if more, err := e.session.Step(context.Background(), time.Time{}); !more || err != nil {
			return true
		}
	}
	return false
}

func (e *keyTest) key() (string, error) {
	key, err := scxml.ForSearch(e.session).AppendKey(nil)
	return string(key), err
}

// note notes the present state, or compares what follows from it with what follows from the one that
// had its key first.
func (e *keyTest) note() error {
	key, err := e.key()
	if err != nil {
		return err
	}
	state, err := scxml.ForSearch(e.session).AppendState(nil)
	if err != nil {
		return err
	}
	first, known := e.first[key]
	if !known {
		e.first[key] = len(e.states)
		e.states = append(e.states, string(state))
		return nil
	}
	if string(state) == e.states[first] {
		return nil
	}
	e.pairs++
	for event := range len(e.events) + 1 {
		var keys, snapshots [2]string
		for i, state := range [...]string{e.states[first], string(state)} {
			e.load(state)
			before, _ := e.session.Snapshot()
			if !e.apply(event) {
				return nil
			}
			after, _ := e.session.Snapshot()
			snapshots[i] = string(before) + "\n" + string(after)
			if keys[i], err = e.key(); err != nil {
				return err
			}
		}
		if keys[0] != keys[1] {
			e.Fatalf("after event %d the keys of states with one key differ\n%s\n%s\n%s",
				event, e.trial.Chart, differing(keys[0], keys[1]), differing(snapshots[0], snapshots[1]))
		}
	}
	return nil
}

// differing returns the two texts from shortly before their first difference on.
func differing(a, b string) string {
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	part := func(s string) string { return s[max(0, from-200):min(len(s), from+200)] }
	return fmt.Sprintf("at %d:\n%q\n%q", from, part(a), part(b))
}
