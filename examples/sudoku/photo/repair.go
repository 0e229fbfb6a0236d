package photo

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A swap reads one cell in another way: the cost is how much less likely that is, as the difference
// of the logarithms.
type swap struct {
	cell, digit int
	cost        float64
}

// Limits of the search for a proper puzzle.
const (
	maxCost   = 14   // a reading exp(14) times less likely is not worth a look
	maxWanted = 6    // the same, if the picture may be of a puzzle with several solutions
	near      = 3    // the same, for a reading after the best one
	maxTrials = 3000 // readings
)

// repair returns the likeliest reading that is a proper puzzle, one with exactly one solution, and
// then those that are not much less likely. It returns none if there is not one within its limits, or
// before ctx is done.
//
// It tries sets of swaps in the order of their costs: from a set whose last swap is number i come the
// set with swap i+1 added, and the one with i+1 in its place.
func repair(ctx context.Context, all *[81]odds) (proper []sudoku.Grid) {
	best := likeliest(all)
	swaps := allSwaps(all, &best)
	var solver sudoku.Solver
	queue := trials{{}}
	limit := float64(maxCost)
	if _, solutions := solver.Solve(&best); solutions > 1 {
		limit = maxWanted
	}
	for n := 0; len(queue) > 0 && n < maxTrials && ctx.Err() == nil; n++ {
		t := heap.Pop(&queue).(trial)
		if t.cost > limit {
			break
		}
		if g, ok := t.apply(best, swaps); ok {
			if _, solutions := solver.Solve(&g); solutions == 1 {
				proper = append(proper, g)
				limit = min(limit, t.cost+near)
			}
		}
		next := 0
		if len(t.swaps) > 0 {
			next = t.swaps[len(t.swaps)-1] + 1
		}
		if next == len(swaps) {
			continue
		}
		heap.Push(&queue, trial{append(slices.Clone(t.swaps), next), t.cost + swaps[next].cost})
		if len(t.swaps) > 0 {
			other := slices.Clone(t.swaps)
			other[len(other)-1] = next
			heap.Push(&queue, trial{other, t.cost - swaps[next-1].cost + swaps[next].cost})
		}
	}
	return proper
}

// likeliest returns the likeliest digit of each cell.
func likeliest(all *[81]odds) (g sudoku.Grid) {
	for c := range all {
		g[c/9][c%9], _ = all[c].best()
	}
	return g
}

// allSwaps returns the other readings of single cells, the likeliest first.
func allSwaps(all *[81]odds, best *sudoku.Grid) (swaps []swap) {
	for c := range all {
		read := best[c/9][c%9]
		for d, log := range all[c] {
			if cost := all[c][read] - log; d != read && cost <= maxCost {
				swaps = append(swaps, swap{c, d, cost})
			}
		}
	}
	slices.SortStableFunc(swaps, func(a, b swap) int { return cmp.Compare(a.cost, b.cost) })
	return swaps
}

// A trial is a set of swaps, as indices in ascending order, and the sum of their costs.
type trial struct {
	swaps []int
	cost  float64
}

// apply returns the grid after the swaps. It reports false if a cell is swapped twice.
func (t *trial) apply(g sudoku.Grid, swaps []swap) (sudoku.Grid, bool) {
	for i, s := range t.swaps {
		for _, other := range t.swaps[:i] {
			if swaps[other].cell == swaps[s].cell {
				return g, false
			}
		}
		c := swaps[s].cell
		g[c/9][c%9] = swaps[s].digit
	}
	return g, g.Valid()
}

// trials is a heap: the trial with the least cost comes first.
type trials []trial

func (t trials) Len() int           { return len(t) }
func (t trials) Less(i, j int) bool { return t[i].cost < t[j].cost }
func (t trials) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *trials) Push(x any)        { *t = append(*t, x.(trial)) }
func (t *trials) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}
