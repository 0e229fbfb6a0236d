package grid

import (
	"cmp"
	"math"
	"slices"
)

// bigAreas returns the corners of the connected areas that are darker than a threshold and cover
// at least an eighth of the picture in width or height, and are not much longer than wide.
func bigAreas(d *Plane, threshold float32) []Quad {
	var quads []Quad
	least := min(d.W, d.H) / 8
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
	slices.SortStableFunc(quads, func(a, b Quad) int { return cmp.Compare(b.Area(), a.Area()) })
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
	return upright(best)
}

// upright returns a quadrilateral with its corners clockwise from the one nearest to the top left, and
// whether it can be a grid: convex, and not much longer than wide.
func upright(q Quad) (Quad, bool) {
	if q.Area() < 0 {
		q[1], q[3] = q[3], q[1]
	}
	if q.Area() <= 0 || !q.convex() {
		return q, false
	}
	shortest, longest := math.Inf(1), 0.0
	for i, a := range q {
		b := q[(i+1)%4]
		side := math.Hypot(a.X-b.X, a.Y-b.Y)
		shortest, longest = min(shortest, side), max(longest, side)
	}
	if longest > 1.8*shortest {
		return q, false
	}
	first := 0
	for i, p := range q {
		if p.X+p.Y < q[first].X+q[first].Y {
			first = i
		}
	}
	return q.Turned(first), true
}
