package csp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

// allOptions are all combinations of options.
func allOptions() []csp.Options {
	var all []csp.Options
	for i := range 16 {
		all = append(all, csp.Options{AC3: i&1 != 0, ForwardChecking: i&2 != 0, MRV: i&4 != 0, LCV: i&8 != 0})
	}
	return all
}

// steps runs a search to its end, and checks that its steps follow from each other.
func steps[V comparable, D comparable](t *testing.T, p *csp.Problem[V, D], o csp.Options) []csp.Step[V, D] {
	t.Helper()
	sequence, err := p.Steps(o)
	if err != nil {
		t.Fatal(err)
	}
	type pair struct {
		variable V
		value    D
	}
	var all []csp.Step[V, D]
	var assigned []pair
	pruned := map[pair]int{} // the depth at which it was
	for step := range sequence {
		all = append(all, step)
		this := pair{step.Variable, step.Value}
		isAssigned := slices.ContainsFunc(assigned, func(p pair) bool { return p.variable == step.Variable })
		switch step.Kind {
		case csp.Assign:
			if _, ok := pruned[this]; ok || isAssigned {
				t.Errorf("step %d: assigns a value that is pruned, or again: %+v", len(all), step)
			}
			assigned = append(assigned, this)
		case csp.Prune:
			if _, ok := pruned[this]; ok || isAssigned {
				t.Errorf("step %d: prunes twice, or what is assigned: %+v", len(all), step)
			}
			pruned[this] = step.Depth
		case csp.Backtrack:
			last := len(assigned) - 1
			if assigned[last] != this {
				t.Errorf("step %d: goes back from %+v, and the last one was %+v", len(all), step, assigned[last])
			}
			assigned = assigned[:last]
			for p, depth := range pruned {
				if depth > step.Depth {
					delete(pruned, p)
				}
			}
		}
		if step.Depth != len(assigned) {
			t.Errorf("step %d: %+v with %d assigned", len(all), step, len(assigned))
		}
	}
	if len(assigned) > 0 {
		t.Errorf("ends with %v assigned", assigned)
	}
	return all
}

func count[V, D any](steps []csp.Step[V, D], kind csp.Kind) int {
	n := 0
	for _, step := range steps {
		if step.Kind == kind {
			n++
		}
	}
	return n
}

func TestQueens(t *testing.T) {
	for _, o := range allOptions() {
		for n, want := range []int{1, 1, 0, 0, 2, 10, 4, 40} { // OEIS A000170
			p := queens(n)
			if got := count(steps(t, p, o), csp.Solved); got != want {
				t.Errorf("%+v: %d queens: got %d solutions, want %d", o, n, got, want)
			}
			solutions, err := p.Solutions(o)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for columns := range solutions {
				all = append(all, fmt.Sprint(columns)) // maps are printed in the order of their keys
				for row, col := range columns {
					for above := range row {
						if d := columns[above] - col; d == 0 || d == row-above || d == above-row {
							t.Errorf("%+v: %d queens: %v", o, n, columns)
						}
					}
				}
			}
			slices.Sort(all)
			if got := len(slices.Compact(all)); got != want {
				t.Errorf("%+v: %d queens: got %d different solutions, want %d", o, n, got, want)
			}
		}
	}
}

// TestOptions: each option makes the search shorter.
func TestOptions(t *testing.T) {
	// c must be above b, b above a, and d is free.
	less := func(a, b int) bool { return a < b }
	var p csp.Problem[string, int]
	p.Variable("d", 1, 2)
	p.Variable("a", 3, 2, 1)
	p.Variable("b", 1, 2, 3)
	p.Variable("c", 1, 2, 3)
	p.Constrain("a", "b", less)
	p.Constrain("c", "b", func(c, b int) bool { return c > b }) // in reverse
	for _, test := range []struct {
		options csp.Options
		want    string // up to the first solution
	}{
		{csp.Options{}, "assign d1 assign a3 backtrack a3 assign a2 assign b3 backtrack b3 backtrack a2 assign a1 assign b2 assign c3 solved"},
		{csp.Options{ForwardChecking: true},
			"assign d1 assign a3 prune b1 prune b2 prune b3 backtrack a3 assign a2 prune b1 prune b2 assign b3 prune c1 prune c2 prune c3 backtrack b3 backtrack a2 " +
				"assign a1 prune b1 assign b2 prune c1 prune c2 assign c3 solved"},
		{csp.Options{AC3: true}, "prune b1 prune a3 prune c1 prune c2 prune b3 prune a2 assign d1 assign a1 assign b2 assign c3 solved"},
		{csp.Options{AC3: true, MRV: true}, "prune b1 prune a3 prune c1 prune c2 prune b3 prune a2 assign a1 assign b2 assign c3 assign d1 solved"},
		{csp.Options{LCV: true}, "assign d1 assign a1 assign b2 assign c3 solved"},
	} {
		sequence, err := p.Steps(test.options)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for step := range sequence {
			got += step.Kind.String()
			if step.Kind == csp.Solved {
				break
			}
			got += fmt.Sprint(" ", step.Variable, step.Value, " ")
		}
		if got != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test.options, got, test.want)
		}
		if n := count(steps(t, &p, test.options), csp.Solved); n != 2 {
			t.Errorf("%+v: got %d solutions, want 2", test.options, n)
		}
	}
}

func TestNoSolution(t *testing.T) {
	var contradiction csp.Problem[int, int]
	contradiction.Variable(1, 7)
	contradiction.Variable(2, 7)
	contradiction.Constrain(1, 2, csp.Different)
	var withoutValues csp.Problem[int, int]
	withoutValues.Variable(1, 7)
	withoutValues.Variable(2)
	for _, p := range []*csp.Problem[int, int]{&contradiction, &withoutValues} {
		for _, o := range allOptions() {
			if solution, err := p.Solve(t.Context(), o); solution != nil || err != nil {
				t.Errorf("%+v: got %v, %v", o, solution, err)
			}
			steps(t, p, o)
		}
	}
	if n := count(steps(t, &contradiction, csp.Options{AC3: true}), csp.Assign); n != 0 {
		t.Errorf("AC-3 does not see the contradiction: %d assignments", n)
	}
}

func TestNoVariables(t *testing.T) {
	var p csp.Problem[int, int]
	for _, o := range allOptions() {
		if solution, err := p.Solve(t.Context(), o); solution == nil || len(solution) != 0 || err != nil {
			t.Errorf("%+v: got %v, %v", o, solution, err)
		}
	}
}

func TestSearchEndsWithTheLoop(t *testing.T) {
	for _, o := range allOptions() {
		p := queens(4)
		for stop := range len(steps(t, p, o)) {
			sequence, err := p.Steps(o)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for range sequence { // panics if the search continues
				if n == stop {
					break
				}
				n++
			}
		}
	}
}

func TestBadProblems(t *testing.T) {
	for want, build := range map[string]func(*csp.Problem[string, int]){
		"cannot add variable WA twice":                                           func(p *csp.Problem[string, int]) { p.Variable("WA", 1) },
		"cannot constrain WA and W: add variable W first":                        func(p *csp.Problem[string, int]) { p.Constrain("WA", "W", csp.Different) },
		"cannot constrain W and WA: add variable W first":                        func(p *csp.Problem[string, int]) { p.Constrain("W", "WA", csp.Different) },
		"cannot constrain WA and itself: leave values out of its domain instead": func(p *csp.Problem[string, int]) { p.Constrain("WA", "WA", csp.Different) },
	} {
		var p csp.Problem[string, int]
		p.Variable("WA", 1, 2)
		p.Variable("NT", 1, 2)
		build(&p)
		p.Constrain("x", "y", csp.Different) // the first mistake counts
		if _, err := p.Solve(t.Context(), csp.Options{}); err == nil || err.Error() != want {
			t.Errorf("Solve: got %v, want %s", err, want)
		}
		if _, err := p.Steps(csp.Options{}); err == nil || err.Error() != want {
			t.Errorf("Steps: got %v, want %s", err, want)
		}
		if _, err := p.Solutions(csp.Options{}); err == nil || err.Error() != want {
			t.Errorf("Solutions: got %v, want %s", err, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if solution, err := queens(40).Solve(ctx, csp.Options{}); solution != nil || err != cause {
		t.Errorf("got %v, %v", solution, err)
	}
}

func TestSearchesShareAProblem(t *testing.T) {
	p := queens(6)
	var group sync.WaitGroup
	for _, o := range allOptions() {
		group.Go(func() {
			if n := count(steps(t, p, o), csp.Solved); n != 4 {
				t.Errorf("%+v: got %d solutions, want 4", o, n)
			}
		})
	}
	group.Wait()
}

func TestKindString(t *testing.T) {
	for kind, want := range map[csp.Kind]string{csp.Assign: "assign", csp.Prune: "prune", csp.Backtrack: "backtrack", csp.Solved: "solved", 9: "Kind(9)"} {
		if got := kind.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func BenchmarkQueens(b *testing.B) {
	for _, o := range []csp.Options{{}, {ForwardChecking: true, MRV: true}} {
		b.Run(fmt.Sprintf("%+v", o), func(b *testing.B) {
			p := queens(12)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Solve(b.Context(), o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
