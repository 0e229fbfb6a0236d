package photo

import (
	"context"
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
)

// odds are the logarithms of the probabilities that a cell has no given, and of each given.
type odds [10]float64

// best returns the likeliest given, or 0, and its probability.
func (o *odds) best() (given int, probability float64) {
	for d, log := range o {
		if log > o[given] {
			given = d
		}
	}
	return given, math.Exp(o[given])
}

// decide makes a reading of what the network believes.
//
// A cell is in doubt if another digit would also make a proper puzzle and is not much less likely,
// or if only the other cells decided it. If no proper puzzle is near, each cell is read by itself,
// and all that are not clear are in doubt, as are those with conflicts.
func decide(ctx context.Context, all *[81]beliefs) *Reading {
	givens := new([81]odds)
	byHand := writtenIn(all)
	for c := range all {
		givens[c] = all[c].odds(byHand)
	}
	r := &Reading{Grid: likeliest(givens)}
	if proper := repair(ctx, givens); len(proper) > 0 {
		for _, other := range proper[1:] {
			mark(&r.Doubt, &other, &proper[0])
		}
		mark(&r.Doubt, &r.Grid, &proper[0])
		r.Grid = proper[0]
		r.Solutions = 1
	} else {
		r.Doubt = r.Grid.Conflicts()
		for c := range givens {
			if _, probability := givens[c].best(); probability < 0.98 {
				r.Doubt[c/9][c%9] = true
			}
		}
		var solver sudoku.Solver
		_, r.Solutions = solver.Solve(&r.Grid)
	}
	for c := range all {
		row, column := c/9, c%9
		for d, log := range givens[c] {
			r.Probability[row][column][d] = math.Exp(log)
		}
		if class, probability := all[c].best(); byHand && r.Grid[row][column] == 0 && class > digit.Handwritten {
			r.Entries[row][column] = class - digit.Handwritten
			r.Doubt[row][column] = r.Doubt[row][column] || probability < 0.9
		}
	}
	return r
}

// writtenIn reports whether there are handwritten digits besides printed ones. A few that look
// handwritten are printed in a font that the network does not know, and so are all of them if none
// looks printed.
func writtenIn(all *[81]beliefs) bool {
	printed, byHand := 0, 0
	for c := range all {
		switch class, _ := all[c].best(); {
		case class > digit.Handwritten:
			byHand++
		case class > 0:
			printed++
		}
	}
	return byHand >= 4 && printed >= 8
}

// odds returns the odds of the givens. A handwritten digit is not a given, but where nothing is
// handwritten it is a printed one that looks so.
func (b *beliefs) odds(byHand bool) (o odds) {
	copy(o[:], b[:])
	for d := 1; d <= 9; d++ {
		with := d
		if byHand {
			with = 0
		}
		o[with] = logSum(o[with], b[d+digit.Handwritten])
	}
	return o
}

// logSum returns the logarithm of the sum of two numbers, given their logarithms.
func logSum(a, b float64) float64 { return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b))) }

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
