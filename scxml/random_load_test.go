package scxml_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestLoadedRandomCharts compares the engine with the reference on random charts. After some or all
// steps another session, which has been at some earlier step, gets the state and continues. Nothing
// may be lost, and nothing of what it was doing may be left.
func TestLoadedRandomCharts(t *testing.T) {
	b := newBench()
	b.load = true
	rapid.Check(t, func(t *rapid.T) {
		trial := randomTrialOf(rapid.Uint64().Draw(t, "seed"), int64(rapid.Uint32().Draw(t, "number")), 30)
		every := rapid.SliceOfN(rapid.Bool(), 1, 7).Draw(t, "loaded after")
		b.restore = func(steps int) bool { return every[steps%len(every)] }
		if d := b.run(trial); d != nil {
			trial, d = shrink(b.run, trial, d)
			t.Fatalf("%v\n%s", d, scenario(trial, d))
		}
	})
	t.Log(b.tally)
	if b.restored == 0 {
		t.Error("nothing was loaded")
	}
}

// exchange returns the spare session with the state of s, which becomes the spare one.
func (b *bench) exchange(chart *scxml.Chart, s *scxml.Session) (*scxml.Session, error) {
	if b.services { // whose state is elsewhere
		return s, nil
	}
	want, err := s.Snapshot()
	if err != nil {
		return s, err
	}
	state, err := scxml.ForSearch(s).AppendState(nil)
	if err != nil {
		return s, err
	}
	next := b.spare
	if next == nil {
		if next, err = scxml.New(chart, b.opts...); err != nil {
			return s, err
		}
	}
	if err := scxml.ForSearch(next).LoadState(state); err != nil {
		return s, err
	}
	again, err := scxml.ForSearch(next).AppendState(nil)
	if err != nil {
		return s, err
	}
	got, err := next.Snapshot()
	if err != nil {
		return s, err
	}
	if !bytes.Equal(want, got) || !bytes.Equal(state, again) {
		return s, fmt.Errorf("the loaded session differs\n%s\n%s\n%q\n%q", want, got, state, again)
	}
	before := s.Sessions()
	for i, after := range next.Sessions() {
		b.numbers[after] = b.numbers[before[i]]
	}
	b.spare = s
	b.restored++
	return next, nil
}
