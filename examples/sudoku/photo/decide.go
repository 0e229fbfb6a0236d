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

// sure is the probability from which on a cell needs no look at the picture, and few the number of
// cells that are below it in a clear photo.
const (
	sure = 0.98
	few  = 4
)

// decide makes a reading of what the network believes.
//
// A cell is in doubt if another digit would also make a proper puzzle and is not much less likely,
// or if mostly the other cells decided it. If no proper puzzle is near, each cell is read by itself,
// and all that are not clear are in doubt, as are those with conflicts.
func decide(ctx context.Context, all *[81]beliefs) *Reading {
	givens := new([81]odds)
	byHand := writtenIn(all)
	for c := range all {
		givens[c] = all[c].odds(byHand)
	}
	r := &Reading{Grid: likeliest(givens)}
	limits := []float64{0.8, sure}
	if proper := repair(ctx, givens); len(proper) > 0 {
		for _, other := range proper[1:] {
			mark(&r.Doubt, &other, &proper[0])
		}
		mark(&r.Doubt, &r.Grid, &proper[0])
		r.Grid = proper[0]
	} else {
		r.Doubt = r.Grid.Conflicts()
		limits = []float64{sure, 2}
	}
	for _, limit := range limits {
		count := 0
		for c := range givens {
			doubt := &r.Doubt[c/9][c%9]
			*doubt = *doubt || math.Exp(givens[c][r.Grid[c/9][c%9]]) < limit
			if *doubt {
				count++
			}
		}
		if count <= few {
			break // on a page with more of them, others that look clear are not
		}
	}
	var solver sudoku.Solver
	solution, solutions := solver.Solve(&r.Grid)
	r.Solutions = solutions
	var odd sudoku.Grid // the printed digits that look handwritten
	against := 0        // the handwritten ones that are not those of the solution
	for c := range all {
		row, column := c/9, c%9
		for d, log := range givens[c] {
			r.Probability[row][column][d] = math.Exp(log)
		}
		if !byHand {
			if all[c].printed() < 0.5 {
				odd[row][column] = r.Grid[row][column]
			}
			continue
		}
		var doubt bool
		if r.Grid[row][column] > 0 { // a handwritten digit must not become a given unnoticed
			doubt = all[c].printed() < sure
		} else {
			likely := 0
			if solutions == 1 {
				likely = solution[row][column]
			}
			r.Entries[row][column], doubt = all[c].entry(likely)
			if entry := r.Entries[row][column]; entry > 0 && entry != solution[row][column] {
				against++
			}
		}
		r.Doubt[row][column] = r.Doubt[row][column] || doubt || solutions != 1
	}
	none := new(sudoku.Grid)
	written := 81 - r.Entries.Empty()
	if written < 10 { // a shadow looks like a few
		mark(&r.Doubt, &r.Entries, none)
	}
	if 81-odd.Empty() < 4 { // so does a fold in the paper; more of them are an unusual font
		mark(&r.Doubt, &odd, none)
	}
	if 3*against > written { // this is not the puzzle that they solve
		for c := range all {
			r.Doubt[c/9][c%9] = true
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

// emptier is how much more likely an empty cell is than the network says, as a logarithm. It has learned
// from pages with digits in two thirds of the cells, and a puzzle has them in one third. A given that
// is overlooked, the repair finds; one too many, it often cannot.
const emptier = 1.4

// odds returns the odds of the givens. A handwritten digit is not a given, but where nothing is
// handwritten it is a printed one that looks so.
func (b *beliefs) odds(byHand bool) (o odds) {
	copy(o[:], b[:])
	o[0] += emptier
	for d := 1; d <= 9; d++ {
		with := d
		if byHand {
			with = 0
		}
		o[with] = logSum(o[with], b[d+digit.Handwritten])
	}
	sum := o[0]
	for _, log := range o[1:] {
		sum = logSum(sum, log)
	}
	for d := range o {
		o[d] -= sum
	}
	return o
}

// entry returns the handwritten digit in a cell without a given, or 0, and whether it is in doubt. Of
// ten digits that a player writes, nine are that of the solution, if that is known.
func (b *beliefs) entry(solution int) (entry int, doubt bool) {
	looks, sum := 0, 0.0
	var p [10]float64
	for d := range p {
		p[d] = math.Exp(b[d])
		if d > 0 {
			p[d] += math.Exp(b[d+digit.Handwritten])
		}
		if p[d] > p[looks] {
			looks = d
		}
	}
	for d := range p {
		if solution > 0 && d > 0 && d != solution {
			p[d] *= 0.1 / 8 / 0.9
		}
		sum += p[d]
		if p[d] > p[entry] {
			entry = d
		}
	}
	return entry, entry != looks || p[entry] < sure*sum || entry > 0 && b.printed() > 1-sure
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
