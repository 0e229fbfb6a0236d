package grid

import (
	"math"
	"slices"
)

// A Board is a grid that was found in a frame.
type Board struct {
	*Warp
	match
	Dark bool // light lines on dark paper: warp and match belong to the negative
}

// Find returns the grids of a picture, the best first; none of them overlap.
//
// It looks for connected dark areas as big as a grid. What is dark depends on the light and on the
// print, so it tries several thresholds, and keeps what agrees best with the lines of a grid.
func Find(p *Plane) []Board {
	found := findIn(p, false)
	if len(found) == 0 || found[0].seen < 150 {
		found = append(found, findIn(p.Inverted(), true)...)
	}
	slices.SortStableFunc(found, func(a, b Board) int {
		switch {
		case a.better(b.match):
			return -1
		case b.better(a.match):
			return 1
		}
		return 0
	})
	var boards []Board
	for _, f := range found {
		if !slices.ContainsFunc(boards, func(b Board) bool { return overlap(b.Corners(), f.Corners()) }) {
			boards = append(boards, f)
		}
	}
	return boards
}

func findIn(p *Plane, dark bool) []Board {
	var found []Board
	sums := p.sums()
	long := max(p.W, p.H)
	var tried []Quad
	clear := false                            // a grid is found, and no threshold can show it better
	for _, part := range []int{40, 16, 100} { // the window in which a pixel is compared
		d := p.darkness(sums, max(3, long/part))
		deviation := d.deviation()
		for _, factor := range []float32{0.6, 1, 0.3, 1.6} {
			for _, q := range bigAreas(d, factor*deviation) {
				if slices.ContainsFunc(tried, func(t Quad) bool { return alike(t, q) }) {
					continue
				}
				tried = append(tried, q)
				w, m := settle(p, q)
				if !m.isGrid() {
					continue
				}
				found = append(found, Board{w, m, dark})
				clear = clear || m.seen >= 174
			}
			if clear {
				return found
			}
		}
	}
	return found
}

// Settle returns the warp that agrees best with the lines of the picture, and whether it agrees with
// enough of them. The corners of the grid must be near those of the quad.
func Settle(p *Plane, q Quad) (*Warp, bool) {
	w, m := settle(p, q)
	return w, m.isGrid()
}

func settle(p *Plane, q Quad) (*Warp, match) {
	w := NewWarp(q)
	w.follow(w.lookAtAll(p, 0.35), 4)
	e := w.lookAtAll(p, 0.3)
	if m := e.match(); m.seen < 60 {
		return w, m // most candidates are not grids
	}
	w.follow(e, 4)
	w.follow(w.lookAtAll(p, 0.25), 10)
	w.follow(w.lookAtAll(p, 0.2), 10)
	m := w.lookAtAll(p, 0.15).match()
	w.bend(w.lookAtAll(p, 0.2))
	w.bend(w.lookAtAll(p, 0.15))
	return w, m // a bend finds lines in noise as well
}

// bigAreas returns the corners of the connected areas that are darker than a threshold and cover
// at least a fifth of the picture in width or height, and are not much longer than wide.
func bigAreas(d *Plane, threshold float32) []Quad {
	var quads []Quad
	least := min(d.W, d.H) / 5
	seen := make([]bool, len(d.V))
	var stack []int32
	for start, v := range d.V {
		if seen[start] || v <= threshold {
			continue
		}
		// The pixels farthest in each of 16 directions, and of them the corners.
		var far [directions]extreme
		for i := range far {
			far[i].value = math.Inf(-1)
		}
		seen[start] = true
		stack = append(stack[:0], int32(start))
		count := 0
		for len(stack) > 0 {
			i := int(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			count++
			x, y := i%d.W, i/d.W
			inside := true
			for ny := max(0, y-1); ny <= min(d.H-1, y+1); ny++ {
				for nx := max(0, x-1); nx <= min(d.W-1, x+1); nx++ {
					n := ny*d.W + nx
					if d.V[n] <= threshold {
						inside = false
					} else if !seen[n] {
						seen[n] = true
						stack = append(stack, int32(n))
					}
				}
			}
			if inside {
				continue
			}
			for k := range far {
				if value := float64(x)*axes[k].X + float64(y)*axes[k].Y; value > far[k].value {
					far[k] = extreme{value, Point{float64(x), float64(y)}}
				}
			}
		}
		if count < 4*least {
			continue
		}
		if q, ok := cornersOf(&far); ok && q.Area() > float64(least*least) {
			quads = append(quads, q)
		}
	}
	slices.SortStableFunc(quads, func(a, b Quad) int { return int(b.Area() - a.Area()) })
	return quads
}

// An extreme is the point of an area that is farthest in one direction.
type extreme struct {
	value float64
	at    Point
}

const directions = 16

// axes are the directions, as unit vectors clockwise from the right.
var axes = func() (a [directions]Point) {
	for i := range a {
		a[i].Y, a[i].X = math.Sincos(2 * math.Pi * float64(i) / directions)
	}
	return a
}()

// cornersOf returns the largest quadrilateral whose corners are points that are farthest in four
// directions, each a quarter turn or nearly so from the next. Its first corner is the one nearest to
// the top left.
func cornersOf(far *[directions]extreme) (Quad, bool) {
	var best Quad
	for a := range directions {
		for b := a + 2; b < a+directions; b++ {
			for c := b + 2; c < a+directions; c++ {
				for d := c + 2; d <= a+directions-2 && d < directions; d++ {
					q := Quad{far[a].at, far[b%directions].at, far[c%directions].at, far[d].at}
					if q.Area() > best.Area()*1.02 {
						best = q
					}
				}
			}
		}
	}
	if best.Area() <= 0 || !best.convex() {
		return best, false
	}
	shortest, longest := math.Inf(1), 0.0
	for i, a := range best {
		b := best[(i+1)%4]
		side := math.Hypot(a.X-b.X, a.Y-b.Y)
		shortest, longest = min(shortest, side), max(longest, side)
	}
	if longest > 1.8*shortest {
		return best, false
	}
	first := 0
	for i, p := range best {
		if p.X+p.Y < best[first].X+best[first].Y {
			first = i
		}
	}
	return best.Turned(first), true
}

// alike reports whether the corners of two quads differ by less than a fiftieth of a side.
func alike(a, b Quad) bool {
	limit := 0.02 * math.Sqrt(math.Abs(a.Area()))
	for i := range a {
		if math.Hypot(a[i].X-b[i].X, a[i].Y-b[i].Y) > limit {
			return false
		}
	}
	return true
}

// overlap reports whether the bounding boxes of two grids have a good part in common.
func overlap(a, b Quad) bool {
	ax0, ay0, ax1, ay1 := a.Bounds()
	bx0, by0, bx1, by1 := b.Bounds()
	w, h := min(ax1, bx1)-max(ax0, bx0), min(ay1, by1)-max(ay0, by0)
	return w > 0 && h > 0 && w*h > 0.1*min((ax1-ax0)*(ay1-ay0), (bx1-bx0)*(by1-by0))
}

// Bounds returns the smallest upright rectangle around a quad.
func (q Quad) Bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = q[0].X, q[0].Y, q[0].X, q[0].Y
	for _, p := range q[1:] {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	return x0, y0, x1, y1
}
