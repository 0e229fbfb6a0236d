package photo

import (
	"context"
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// beliefs are the logarithms of the probabilities of the network's classes.
type beliefs [digit.Classes]float64

// best returns the likeliest class and its probability.
func (b *beliefs) best() (class int, probability float64) {
	for c, log := range b {
		if log > b[class] {
			class = c
		}
	}
	return class, math.Exp(b[class])
}

// classify runs the network over all cells. If the digits do not look like digits, it tries the
// other ways in which the page may lie, and returns by how many quarter turns it is turned, clockwise.
// The beliefs are not complete if ctx is done before.
func (r *Reader) classify(ctx context.Context, cells *[81]grid.Patch) (best *[81]beliefs, quarters int) {
	best, clarity := r.classifyTurned(ctx, cells, 0)
	for q := 1; q < 4 && clarity < 0.9; q++ {
		if b, c := r.classifyTurned(ctx, cells, q); c > clarity {
			best, clarity, quarters = b, c, q
		}
	}
	return best, quarters
}

// classifyTurned runs the network over the cells of a page that is turned by quarters. It also
// returns how clear the digits are: the mean probability of the answer in cells that are not empty.
// A printed digit that lies on its side looks handwritten, but not clearly.
func (r *Reader) classifyTurned(ctx context.Context, cells *[81]grid.Patch, quarters int) (all *[81]beliefs, clarity float64) {
	all = new([81]beliefs)
	var pass digit.Pass
	sum, count := 0.0, 0.0
	for c, patch := range turned(cells, quarters) {
		if ctx.Err() != nil {
			break
		}
		all[c] = r.classifyCell(&pass, &patch)
		if class, probability := all[c].best(); class != 0 {
			sum += probability
			count++
		}
	}
	return all, sum / max(count, 1)
}

// turned returns the cells of a page that is turned by quarters, clockwise, as they are on the upright
// page.
func turned(cells *[81]grid.Patch, quarters int) *[81]grid.Patch {
	var upright [81]grid.Patch
	for c := range upright {
		upright[c] = cells[origin(c, quarters)].Upright(quarters)
	}
	return &upright
}

// origin returns where on a page that is turned by quarters a cell of the upright page is.
func origin(c, quarters int) int {
	row, column := c/9, c%9
	for range quarters {
		row, column = column, 8-row
	}
	return 9*row + column
}

// Logarithms of small probabilities: the least that the network may say, which is not as sure as it
// seems, and that of a digit where there is no ink.
const (
	floor = -12
	never = -100
)

// classifyCell runs the network over a cell, unless there is next to no ink. If the answer is not
// clear, it takes the mean of the answers for windows that are moved a little.
func (r *Reader) classifyCell(pass *digit.Pass, patch *grid.Patch) (b beliefs) {
	if patch.Blank() {
		for d := 1; d < len(b); d++ {
			b[d] = never
		}
		return b
	}
	look := func(dx, dy int) {
		pass.Look(patch, dx, dy)
		pass.Run(r.weights)
		for d, log := range pass.Output {
			b[d] += math.Max(float64(log), floor)
		}
	}
	look(0, 0)
	if _, probability := b.best(); probability > 0.99 {
		return b
	}
	around := [][2]int{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}}
	for _, move := range around {
		look(move[0], move[1])
	}
	for d := range b {
		b[d] /= float64(1 + len(around))
	}
	return b
}
