package main

import (
	"math"
	"math/rand/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// A pen writes digits as people do: in strokes, never twice in the same way. Fonts that look
// handwritten are few, and each of them has one shape of a digit.
type pen struct {
	ways  [10]int // which of the ways to write each digit
	width float64 // of the stroke, as a part of the height of digits
	shaky float64 // how far the points of a stroke are off, as a part of the height
}

func newPen(random *rand.Rand) *pen {
	p := &pen{width: between(random, 0.06, 0.2), shaky: between(random, 0.015, 0.065)}
	for d := range p.ways {
		if d > 0 {
			p.ways[d] = random.IntN(len(ways[d]))
		}
	}
	return p
}

// A stroke is a smooth line through points, in tenths of the height of a digit: x is 0 in its middle,
// y is 0 at its top. A point that is there twice is a corner.
type stroke [][2]float64

// ways are the ways to write each digit that are usual in Europe and America.
var ways = [10][][]stroke{
	1: {
		{{{0, 0}, {0, 10}}},
		{{{-2.5, 3}, {0, 0}, {0, 0}, {0, 10}}},
		{{{-3.5, 4.5}, {0.5, 0}, {0.5, 0}, {0.3, 10}}},
		{{{-2, 2}, {0, 0}, {0, 0}, {0, 10}}, {{-2.5, 10}, {2.5, 10}}},
	},
	2: {
		{{{-3, 2.5}, {-2, 0.7}, {0.5, 0}, {2.5, 1.5}, {2.3, 4}, {0, 7}, {-3, 10}, {-3, 10}, {3, 10}}},
		{{{-3, 2.5}, {-1, 0.2}, {2, 0.8}, {2.3, 3.5}, {0, 7.3}, {-2.5, 9.6}, {-3.2, 8.7}, {-1.7, 8.3}, {0.5, 9.5}, {3.5, 9.4}}},
		{{{-3, 1}, {0, 0}, {2.7, 0.6}, {2.2, 3.5}, {-3, 9.7}, {-3, 9.7}, {3, 9.7}}},
	},
	3: {
		{{{-3, 1.5}, {-0.5, 0}, {2.3, 1.5}, {1.5, 4}, {-0.7, 4.8}, {-0.7, 4.8}, {2.2, 5.8}, {2.6, 8}, {0, 10}, {-3, 8.8}}},
		{{{-2.8, 0}, {2.5, 0}, {2.5, 0}, {-0.7, 4.2}, {-0.7, 4.2}, {2.3, 5.6}, {2.3, 8.5}, {-0.3, 10}, {-3, 9}}},
		{{{-2.7, 0.8}, {0.3, 0}, {2.3, 1.7}, {0.2, 4.6}, {2.6, 6.6}, {1.6, 9.4}, {-1, 10}, {-3, 9.3}}},
	},
	4: {
		{{{-1.5, 0}, {-3, 6}, {-3, 6}, {3.2, 6}}, {{1.5, 3}, {1.4, 10}}},
		{{{1.3, 10}, {1.3, 0}, {1.3, 0}, {-3.3, 6.8}, {-3.3, 6.8}, {3.2, 6.8}}},
		{{{-2.8, 0}, {-2.9, 4.2}, {-1.4, 5.6}, {2, 5}}, {{2, 0}, {1.8, 10}}},
		{{{-2.5, 0}, {-2.8, 5}, {-2.8, 5}, {2.3, 5}}, {{2.3, 0}, {2.1, 10}}},
	},
	5: {
		{{{2.7, 0}, {-2, 0}, {-2, 0}, {-2.4, 4.2}, {-2.4, 4.2}, {0, 3.6}, {2.5, 5.5}, {2, 8.8}, {-0.5, 10}, {-3, 9}}},
		{{{-2, 0.3}, {-2.4, 4.4}, {-2.4, 4.4}, {0, 3.9}, {2.6, 5.8}, {1.8, 9}, {-0.7, 10}, {-3, 9.2}}, {{-2, 0.2}, {3, 0}}},
		{{{2.6, 0.5}, {0, 0}, {-2.2, 1.5}, {-1.5, 4}, {1.5, 5.5}, {2, 8}, {0, 10}, {-2.8, 9.3}}},
	},
	6: {
		{{{1.8, 0}, {-1, 2.5}, {-2.5, 6}, {-2, 9}, {0, 10}, {2.3, 8.5}, {2, 6}, {0, 5.2}, {-2, 6.8}}},
		{{{1, 0}, {-2, 5.5}, {-2.4, 8.3}, {-0.2, 10}, {2, 8.4}, {1.6, 6}, {-0.4, 5.5}, {-2.1, 7.3}}},
		{{{-1.5, 0}, {-2.4, 5}, {-2.2, 8.7}, {0, 10}, {2.3, 8.3}, {1.5, 6.2}, {-0.8, 6.3}, {-2, 8}}},
	},
	7: {
		{{{-3, 0}, {2.8, 0}, {2.8, 0}, {-1, 10}}},
		{{{-3, 0}, {2.8, 0}, {2.8, 0}, {-0.5, 10}}, {{-1.7, 5}, {2.4, 4.8}}},
		{{{-3, 1.8}, {-2.8, 0}, {-2.8, 0}, {2.8, 0.2}, {2.8, 0.2}, {0.5, 4}, {-0.7, 10}}},
		{{{-3, 0.8}, {0, 0.4}, {2.6, 0}, {1.3, 4}, {-0.4, 10}}},
	},
	8: {
		{{{2, 1.5}, {0, 0}, {-2, 1.6}, {-1, 4}, {1.5, 6}, {2.2, 8.2}, {0, 10}, {-2.3, 8.3}, {-1, 5.5}, {1.3, 3.6}, {2, 1.5}}},
		{{{0, 0}, {-1.9, 1.2}, {-1.9, 3.4}, {0, 4.6}, {1.9, 3.4}, {1.9, 1.2}, {0, 0}}, {{0, 4.6}, {-2.4, 6}, {-2.4, 8.7}, {0, 10}, {2.4, 8.7}, {2.4, 6}, {0, 4.6}}},
		{{{2.6, 0.4}, {0, 0}, {-2, 1.6}, {-0.8, 4}, {1.4, 6}, {1.7, 8.4}, {0, 10}, {-1.8, 8.4}, {-0.8, 5.5}, {2.6, 1}}},
	},
	9: {
		{{{2, 2}, {0, 0}, {-2.3, 1.6}, {-1.9, 4.2}, {0.2, 4.9}, {2, 3}, {2.1, 1.2}, {2.1, 1.2}, {1.9, 6}, {1.5, 10}}},
		{{{2, 2}, {0, 0}, {-2.3, 1.6}, {-1.9, 4.2}, {0.2, 4.9}, {2, 3}, {2.1, 1.2}, {2.1, 1.2}, {2.2, 6}, {1, 9.5}, {-1.3, 10}, {-2.5, 9}}},
		{{{2.2, 2.3}, {0.2, 0.1}, {-2, 1.7}, {-1.7, 4.2}, {0.5, 4.6}, {2.2, 2.3}, {1.9, 5.5}, {0, 10}}},
	},
}

// write draws a digit whose top middle is at (x, y), height pixels high.
func (w *pen) write(random *rand.Rand, p *grid.Plane, d int, x, y, height float64, s shape, tone float32) {
	var lines [][]grid.Point
	for _, stroke := range ways[d][w.ways[d]] {
		points := make([]grid.Point, len(stroke))
		for i, at := range stroke {
			if i > 0 && at == stroke[i-1] {
				points[i] = points[i-1] // a corner stays one
				continue
			}
			gx, gy := at[0]/10+random.NormFloat64()*w.shaky, at[1]/10+random.NormFloat64()*w.shaky
			wx, wy := s.wobble*math.Sin(5*gy+s.phase), s.wobble*math.Sin(7*gx+1.7*s.phase)
			points[i] = grid.Point{X: x + height*(gx*s.wide+s.slant*(0.5-gy)+wx), Y: y + height*(gy+wy)}
		}
		lines = append(lines, smooth(points))
	}
	trace(p, lines, math.Max(w.width*height, 1)/2, tone)
}

// smooth returns points of a Catmull-Rom spline through the given ones.
func smooth(points []grid.Point) (line []grid.Point) {
	const parts = 6
	at := func(i int) grid.Point { return points[min(max(i, 0), len(points)-1)] }
	for i := range len(points) - 1 {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		for k := range parts {
			t := float64(k) / parts
			spline := func(a, b, c, d float64) float64 {
				return b + t/2*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
			}
			line = append(line, grid.Point{X: spline(a.X, b.X, c.X, d.X), Y: spline(a.Y, b.Y, c.Y, d.Y)})
		}
	}
	return append(line, points[len(points)-1])
}

// trace mixes a tone into all pixels that are not farther from the lines than radius.
func trace(p *grid.Plane, lines [][]grid.Point, radius float64, tone float32) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, line := range lines {
		for _, a := range line {
			x0, y0, x1, y1 = min(x0, a.X), min(y0, a.Y), max(x1, a.X), max(y1, a.Y)
		}
	}
	reach := radius + 1
	for y := max(0, int(y0-reach)); y <= min(p.H-1, int(y1+reach)); y++ {
		for x := max(0, int(x0-reach)); x <= min(p.W-1, int(x1+reach)); x++ {
			nearest := reach * reach // squared
			for _, line := range lines {
				for i := range len(line) - 1 {
					nearest = min(nearest, squaredDistance(float64(x), float64(y), line[i], line[i+1]))
				}
			}
			if cover := float32(min(radius+0.5-math.Sqrt(nearest), 1)); cover > 0 {
				v := &p.V[y*p.W+x]
				*v += cover * (*v*tone - *v)
			}
		}
	}
}

// squaredDistance returns the square of the distance of (x, y) from the line from a to b.
func squaredDistance(x, y float64, a, b grid.Point) float64 {
	x, y = x-a.X, y-a.Y
	dx, dy := b.X-a.X, b.Y-a.Y
	t := min(max((x*dx+y*dy)/max(dx*dx+dy*dy, 1e-9), 0), 1)
	x, y = x-t*dx, y-t*dy
	return x*x + y*y
}
