package scxml_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestRestoredRandomCharts compares the engine with the reference on random charts. After some or
// all steps it saves the engine's session, discards it and restores it. Nothing may be lost.
func TestRestoredRandomCharts(t *testing.T) {
	b := newBench()
	rapid.Check(t, func(t *rapid.T) {
		trial := randomTrial(rapid.Uint64().Draw(t, "seed"), int64(rapid.Uint32().Draw(t, "number")))
		every := rapid.SliceOfN(rapid.Bool(), 1, 7).Draw(t, "restored after")
		b.restore = func(steps int) bool { return every[steps%len(every)] }
		if d := b.run(trial); d != nil {
			trial, d = shrink(b.run, trial, d)
			t.Fatalf("%v\n%s", d, scenario(trial, d))
		}
	})
	t.Log(b.tally)
	if b.restored == 0 {
		t.Error("nothing was restored")
	}
}

// replace returns a session restored from a snapshot of s.
func (b *bench) replace(chart *scxml.Chart, s *scxml.Session) (*scxml.Session, error) {
	before := s.Sessions()
	save := s.Suspend
	if s.Status() == scxml.Stopped {
		save = s.Snapshot // it cannot continue, as Suspend says
	}
	snapshot, err := save()
	if err != nil {
		return s, err
	}
	s, err = scxml.Restore(chart, snapshot, scxml.Options(b.opts))
	if err != nil {
		return s, fmt.Errorf("%w\n%s", err, snapshot)
	}
	again, err := s.Snapshot()
	if err != nil {
		return s, err
	}
	if !b.services && !bytes.Equal(snapshot, again) { // a service may have taken an event meanwhile
		return s, fmt.Errorf("the snapshot of the restored session differs\n%s\n%s", snapshot, again)
	}
	for i, after := range s.Sessions() {
		b.numbers[after] = b.numbers[before[i]]
	}
	b.restored++
	return s, nil
}
