package main

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// The philosophers have the same states, transitions and one deadlock, whatever the forks are.
func TestCharts(t *testing.T) {
	for n, want := range map[int][2]int{3: {14, 27}, 5: {82, 265}, 7: {478, 2163}} {
		for name := range forks {
			r, err := exploreChart(t.Context(), name, n)
			if err != nil {
				t.Fatal(err)
			}
			if r.States != want[0] || r.Transitions != want[1] || r.Deadlocks != 1 {
				t.Errorf("%d philosophers, %s: %d states and %d transitions, want %v, and %d deadlocks", n, name, r.States, r.Transitions, want, r.Deadlocks)
			}
		}
	}
}

// The systems have the states and transitions that SPIN 6.5.2 finds.
func TestSystems(t *testing.T) {
	want := map[string][3]int{"philosophers": {7, 478, 2163}, "peterson": {3, 417, 945}, "leader": {5, 1508, 4617}, "window": {2, 4504, 16464}, "elevator": {4, 4945, 23970}, "cache": {2, 1497, 3972}}
	for _, s := range systems {
		chart, err := scxml.Parse(s.name, []byte(s.make(want[s.name][0]).chart()))
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(t.Context(), chart, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.States != want[s.name][1] || r.Transitions != want[s.name][2] {
			t.Errorf("%s: %d states and %d transitions, want %v", s.name, r.States, r.Transitions, want[s.name])
		}
	}
}
