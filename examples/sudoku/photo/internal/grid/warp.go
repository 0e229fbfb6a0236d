package grid

// A Warp maps grid coordinates to a picture: (0, 0) is the grid's top left corner, (9, 9) its bottom
// right one, and cell (row, column) is the square from (column, row) to (column+1, row+1). It is a
// homography, which is what a camera does to flat paper, after what paper does when it is not flat: a
// polynomial of degree 3 in each coordinate, and a small movement of each crossing of lines.
type Warp struct {
	h      [8]float64
	du, dv polynomial
	boxes  bool          // there are only the lines around boxes
	bends  [10][10]Point // bends[row][column], in cells; in between they are interpolated
}

// NewWarp returns the homography that maps the corners of the grid to the corners of a quad.
func NewWarp(q Quad) *Warp {
	// The homography of the unit square, in closed form (Heckbert 1989), then scaled to 9.
	dx1, dy1 := q[1].X-q[2].X, q[1].Y-q[2].Y
	dx2, dy2 := q[3].X-q[2].X, q[3].Y-q[2].Y
	sx, sy := q[0].X-q[1].X+q[2].X-q[3].X, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	det := dx1*dy2 - dx2*dy1
	g, h := (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
	return &Warp{h: [8]float64{
		(q[1].X - q[0].X + g*q[1].X) / 9, (q[3].X - q[0].X + h*q[3].X) / 9, q[0].X,
		(q[1].Y - q[0].Y + g*q[1].Y) / 9, (q[3].Y - q[0].Y + h*q[3].Y) / 9, q[0].Y,
		g / 9, h / 9,
	}}
}

// At returns the point of the picture for grid coordinates (u, v).
func (w *Warp) At(u, v float64) Point {
	i, j := min(max(int(u), 0), 8), min(max(int(v), 0), 8)
	fu, fv := min(max(u-float64(i), 0), 1), min(max(v-float64(j), 0), 1)
	a, b, c, d := &w.bends[j][i], &w.bends[j][i+1], &w.bends[j+1][i], &w.bends[j+1][i+1]
	bendX := (1-fv)*((1-fu)*a.X+fu*b.X) + fv*((1-fu)*c.X+fu*d.X)
	bendY := (1-fv)*((1-fu)*a.Y+fu*b.Y) + fv*((1-fu)*c.Y+fu*d.Y)
	u, v = u+w.du.at(u, v)+bendX, v+w.dv.at(u, v)+bendY
	z := w.h[6]*u + w.h[7]*v + 1
	return Point{(w.h[0]*u + w.h[1]*v + w.h[2]) / z, (w.h[3]*u + w.h[4]*v + w.h[5]) / z}
}

// Corners returns the corners of the grid in the picture.
func (w *Warp) Corners() Quad { return Quad{w.At(0, 0), w.At(9, 0), w.At(9, 9), w.At(0, 9)} }

// A polynomial has the coefficients of 1, s, t, st, ss, tt, sst, stt, sss and ttt, where s and t are
// grid coordinates moved and scaled to the range from -1 to 1.
type polynomial [10]float64

// terms returns the terms that the coefficients belong to.
func terms(u, v float64) polynomial {
	s, t := u/4.5-1, v/4.5-1
	return polynomial{1, s, t, s * t, s * s, t * t, s * s * t, s * t * t, s * s * s, t * t * t}
}

func (p *polynomial) at(u, v float64) float64 {
	sum := 0.0
	for i, t := range terms(u, v) {
		sum += p[i] * t
	}
	return sum
}

// A sample says what value a polynomial should have at (u, v), and how much that counts.
type sample struct{ u, v, value, weight float64 }

// fit returns the polynomial with the given number of terms, the others being 0, that is closest to
// the samples: least squares, where samples that are far off count less and less.
func fit(samples []sample, degree int) polynomial {
	var p polynomial
	for range 4 {
		var a [10][11]float64
		for i := range degree {
			a[i][i] = 0.05 // keeps the polynomial small where there are no samples
		}
		for _, s := range samples {
			residual := (s.value - p.at(s.u, s.v)) / 0.06
			weight := s.weight / (1 + residual*residual)
			t := terms(s.u, s.v)
			for i := range degree {
				for j := range degree {
					a[i][j] += weight * t[i] * t[j]
				}
				a[i][10] += weight * t[i] * s.value
			}
		}
		p = solve(&a, degree)
	}
	return p
}

// solve solves n linear equations with a positive definite matrix, whose right side is in column 10.
func solve(a *[10][11]float64, n int) (x polynomial) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			a[j][10] -= f * a[i][10]
		}
	}
	for i := n - 1; i >= 0; i-- {
		sum := a[i][10]
		for k := i + 1; k < n; k++ {
			sum -= a[i][k] * x[k]
		}
		x[i] = sum / a[i][i]
	}
	return x
}
