package photo

import (
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// decide makes a reading of what the network believes.
//
// A cell is in doubt if another digit would also make a proper puzzle and is not much less likely,
// or if only the other cells decided it. If no proper puzzle is near, each cell is read by itself,
// and all that are not clear are in doubt, as are those with conflicts.
func decide(all *[81]beliefs) *Reading {
	r := &Reading{Grid: likeliest(all)}
	for c := range all {
		for d, log := range all[c] {
			r.Probability[c/9][c%9][d] = math.Exp(log)
		}
	}
	proper := repair(all)
	if len(proper) > 0 {
		for _, other := range proper[1:] {
			mark(&r.Doubt, &other, &proper[0])
		}
		mark(&r.Doubt, &r.Grid, &proper[0])
		r.Grid = proper[0]
		r.Solutions = 1
		return r
	}
	r.Doubt = r.Grid.Conflicts()
	for c := range all {
		if _, probability := all[c].best(); probability < 0.98 {
			r.Doubt[c/9][c%9] = true
		}
	}
	var solver sudoku.Solver
	_, r.Solutions = solver.Solve(&r.Grid)
	return r
}

// mark marks the cells in which two grids differ.
func mark(marks *[9][9]bool, a, b *sudoku.Grid) {
	for y := range a {
		for x := range a[y] {
			if a[y][x] != b[y][x] {
				marks[y][x] = true
			}
		}
	}
}
