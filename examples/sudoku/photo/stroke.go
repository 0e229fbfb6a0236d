package photo

import (
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// A Point is a place of a pen, in any unit. Y grows downwards.
type Point struct{ X, Y float64 }

// ReadStrokes reads one digit that a pen or a finger has drawn, wherever and however large. It returns
// the likeliest digit from 1 to 9, and how likely it is: printed or handwritten, which the network tells
// apart in photos, does not matter here. Without a stroke the probability is 0.
func (r *Reader) ReadStrokes(strokes [][]Point) (likeliest int, probability float64) {
	patch, ok := inked(strokes)
	if !ok {
		return 0, 0
	}
	b := r.classifyCell(new(digit.Pass), patch)
	for d := 1; d <= 9; d++ {
		if p := math.Exp(b[d]) + math.Exp(b[digit.Handwritten+d]); p > probability {
			likeliest, probability = d, p
		}
	}
	return likeliest, probability
}

// How a drawn digit is put into a patch, in pixels: as high as people write in a printed cell.
const (
	drawnSize  = 20.0
	drawnWidth = 2.4 // of the pen
)

// inked draws strokes into the middle of a patch. It returns false if there are none.
func inked(strokes [][]Point) (patch *grid.Patch, ok bool) {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, stroke := range strokes {
		for _, p := range stroke {
			low = Point{min(low.X, p.X), min(low.Y, p.Y)}
			high = Point{max(high.X, p.X), max(high.Y, p.Y)}
		}
	}
	size := max(high.X-low.X, high.Y-low.Y)
	if !(size > 0) || math.IsInf(size, 0) {
		return nil, false
	}
	scale := drawnSize / size
	place := func(p Point) Point {
		const middle = grid.PatchSize / 2.0
		return Point{middle + (p.X-(low.X+high.X)/2)*scale, middle + (p.Y-(low.Y+high.Y)/2)*scale}
	}
	patch = new(grid.Patch)
	for _, stroke := range strokes {
		for i, p := range stroke {
			from, to := place(stroke[max(i-1, 0)]), place(p)
			for y := range grid.PatchSize {
				for x := range grid.PatchSize {
					far := distance(Point{float64(x) + 0.5, float64(y) + 0.5}, from, to)
					ink := &patch[y*grid.PatchSize+x]
					*ink = max(*ink, float32(min(max(drawnWidth/2+0.5-far, 0), 1)))
				}
			}
		}
	}
	return patch, true
}

// distance returns how far a point is from a line between two.
func distance(p, a, b Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	along := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		along = min(max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length, 0), 1)
	}
	return math.Hypot(p.X-a.X-along*dx, p.Y-a.Y-along*dy)
}
