package grid

import "math"

// A Point is a place in a picture, in pixels.
type Point struct{ X, Y float64 }

// A Quad is the four corners of a grid: top left, top right, bottom right, bottom left.
type Quad [4]Point

// Area returns the area of the quadrilateral: positive if its corners are clockwise on the screen.
func (q Quad) Area() float64 {
	sum := 0.0
	for i, a := range q {
		b := q[(i+1)%4]
		sum += a.X*b.Y - b.X*a.Y
	}
	return sum / 2
}

// convex reports whether the corners turn clockwise all the way, on the screen.
func (q Quad) convex() bool {
	for i, a := range q {
		b, c := q[(i+1)%4], q[(i+2)%4]
		if (b.X-a.X)*(c.Y-b.Y)-(b.Y-a.Y)*(c.X-b.X) <= 0 {
			return false
		}
	}
	return true
}

// Turned returns the corners of a page that is turned by quarters, clockwise, as they are on the
// upright page: its top left corner comes first.
func (q Quad) Turned(quarters int) Quad {
	var t Quad
	for i := range t {
		t[i] = q[(i+quarters)%4]
	}
	return t
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
