package main

import "testing"

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
