package main

import (
	"math"
	"math/rand/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// A page is a Sudoku as it is printed: a plane with a border of one cell around the grid.
type page struct {
	*grid.Plane
	cell   float64 // the side of a cell, in pixels
	height float64 // the height of digits, in cells
	digits [81]int // classes of the network
}

// between returns a random number from a to b.
func between(random *rand.Rand, a, b float64) float64 { return a + (b-a)*random.Float64() }

// chance returns true with a probability.
func chance(random *rand.Rand, p float64) bool { return random.Float64() < p }

// newPage prints random digits, not a puzzle: all that a cell's neighbors could tell about it would
// be wrong to learn.
func newPage(random *rand.Rand, faces, byHand []*typeface, cell float64) *page {
	side := int(11 * cell)
	p := &page{Plane: grid.NewPlane(side, side), cell: cell}
	paper := float32(between(random, 0.6, 1))
	for i := range p.V {
		p.V[i] = paper
	}
	p.tint(random)
	face := faces[random.IntN(len(faces))]
	if chance(random, 0.02) {
		face = dots
	}
	if chance(random, 0.35) {
		p.printThrough(random, faces)
	}
	if chance(random, 0.5) {
		p.clutter(random, faces)
	}
	p.lines(random)

	tone := float32(math.Pow(random.Float64(), 1.5) * 0.6)
	height := between(random, 0.34, 0.74)
	p.height = height
	form := shape{wide: between(random, 0.88, 1.12)}
	if chance(random, 0.15) {
		form.slant = between(random, 0, 0.2)
	}
	dx, dy := random.NormFloat64()*0.035, random.NormFloat64()*0.035
	filled := between(random, 0.4, 0.85)
	pencil, written := 0.0, 0.0
	if chance(random, 0.15) {
		pencil = random.Float64()
	}
	if chance(random, 0.3) {
		filled = between(random, 0.25, 0.5)
		written = between(random, 0.2, 1)
	}
	pencilFace := faces[random.IntN(len(faces))]
	w := newWriter(random, byHand)
	for c := range p.digits {
		row, column := float64(c/9), float64(c%9)
		switch {
		case chance(random, filled):
			d := 1 + random.IntN(9)
			p.digits[c] = d
			x := column + 0.5 + dx + random.NormFloat64()*0.015
			y := row + 0.5 + dy - height/2 + random.NormFloat64()*0.015
			p.digit(face, d, x, y, height, form, tone)
		case chance(random, written):
			d := 1 + random.IntN(9)
			p.digits[c] = d + digit.Handwritten
			w.write(random, p.Plane, d, grid.Point{X: (column + 1.5) * p.cell, Y: (row + 1.5) * p.cell}, p.cell)
		case chance(random, pencil):
			p.pencil(random, pencilFace, row, column, tone)
		case chance(random, 0.02):
			p.speck(random, row, column)
		}
	}
	return p
}

// A writer has a hand: a pen, or a typeface.
type writer struct {
	pen    *pen // or nil
	face   *typeface
	height float64
	form   shape
	tone   float32
}

func newWriter(random *rand.Rand, faces []*typeface) *writer {
	w := &writer{
		face:   faces[random.IntN(len(faces))],
		height: between(random, 0.4, 0.85),
		form:   shape{wide: between(random, 0.75, 1.3), slant: random.NormFloat64() * 0.15, wobble: between(random, 0, 0.06)},
		tone:   float32(between(random, 0, 0.7)),
	}
	if chance(random, 0.6) {
		w.pen = newPen(random)
	}
	return w
}

// write writes a digit into a cell of a plane, whose middle and side are given. No two are the same.
func (w *writer) write(random *rand.Rand, p *grid.Plane, d int, middle grid.Point, side float64) {
	height := w.height * between(random, 0.85, 1.15)
	form := w.form
	form.wide *= between(random, 0.85, 1.15)
	form.slant += random.NormFloat64() * 0.06
	form.phase = between(random, 0, 2*math.Pi)
	x, y := middle.X+random.NormFloat64()*0.06*side, middle.Y+(random.NormFloat64()*0.06-height/2)*side
	if w.pen != nil {
		w.pen.write(random, p, d, x, y, height*side, form, w.tone)
		return
	}
	w.face.glyphs[d].draw(p, x, y, height*side, form, w.tone)
}

// digit prints a digit whose top middle is at (x, y), in cells.
func (p *page) digit(face *typeface, d int, x, y, height float64, form shape, tone float32) {
	face.glyphs[d].draw(p.Plane, (x+1)*p.cell, (y+1)*p.cell, height*p.cell, form, tone)
}

// rectangle mixes a tone into a rectangle, in cells.
func (p *page) rectangle(x0, y0, x1, y1 float64, tone float32) {
	x0, y0, x1, y1 = (x0+1)*p.cell, (y0+1)*p.cell, (x1+1)*p.cell, (y1+1)*p.cell
	for y := max(0, int(y0)); y < p.H && float64(y) < y1; y++ {
		cy := math.Min(y1, float64(y+1)) - math.Max(y0, float64(y))
		for x := max(0, int(x0)); x < p.W && float64(x) < x1; x++ {
			cover := float32(cy * (math.Min(x1, float64(x+1)) - math.Max(x0, float64(x))))
			v := &p.V[y*p.W+x]
			*v += cover * (*v*tone - *v)
		}
	}
}

// tint colors some of the cells.
func (p *page) tint(random *rand.Rand) {
	tone := float32(between(random, 0.65, 0.97))
	switch k := random.Float64(); {
	case k < 0.1: // every other box
		for b := range 9 {
			if b%2 == 0 {
				x, y := float64(b%3*3), float64(b/3*3)
				p.rectangle(x, y, x+3, y+3, tone)
			}
		}
	case k < 0.2: // a few cells
		for range 1 + random.IntN(9) {
			x, y := float64(random.IntN(9)), float64(random.IntN(9))
			p.rectangle(x, y, x+1, y+1, tone)
		}
	case k < 0.27: // a row and a column
		x, y := float64(random.IntN(9)), float64(random.IntN(9))
		p.rectangle(x, 0, x+1, 9, tone)
		p.rectangle(0, y, 9, y+1, tone)
	case k < 0.33: // all of it
		p.rectangle(0, 0, 9, 9, tone)
	}
}

// printThrough adds what is printed on the other side of the paper, mirrored.
func (p *page) printThrough(random *rand.Rand, faces []*typeface) {
	tone := float32(between(random, 0.8, 0.97))
	face := faces[random.IntN(len(faces))]
	size := between(random, 0.12, 0.5)
	if chance(random, 0.3) {
		size = between(random, 0.5, 1.5)
	}
	for range int(25 / size) {
		p.digit(face, random.IntN(10), between(random, -1, 10), between(random, -1, 10), size, shape{wide: -1}, tone)
	}
}

// clutter adds what is printed around the grid.
func (p *page) clutter(random *rand.Rand, faces []*typeface) {
	face := faces[random.IntN(len(faces))]
	size := between(random, 0.15, 0.6)
	for range 40 {
		x, y := between(random, -1, 10), between(random, 9.15, 10)
		if chance(random, 0.5) {
			y = -0.15 - size - between(random, 0, 0.4)
		}
		if chance(random, 0.3) {
			x, y = y, x
		}
		p.digit(face, random.IntN(10), x, y, size, shape{wide: 1}, 0.2)
	}
}

// lines prints the lines of the grid.
func (p *page) lines(random *rand.Rand) {
	thin := between(random, 0.012, 0.05)
	thick := thin * between(random, 1.2, 4)
	if chance(random, 0.15) {
		thick = thin
	}
	thick = math.Min(thick, 0.12)
	tone := float32(math.Pow(random.Float64(), 1.5) * 0.6)
	thinTone := tone
	if chance(random, 0.4) {
		thinTone = tone + float32(random.Float64())*(0.8-tone)
	}
	line := func(i int, width float64, tone float32) {
		at := float64(i)
		p.rectangle(-width/2, at-width/2, 9+width/2, at+width/2, tone)
		p.rectangle(at-width/2, -width/2, at+width/2, 9+width/2, tone)
	}
	for i := range 10 {
		if i%3 != 0 {
			line(i, thin, thinTone)
		}
	}
	for i := 0; i < 10; i += 3 {
		line(i, thick, tone)
	}
}

// pencil writes small digits into an empty cell.
func (p *page) pencil(random *rand.Rand, face *typeface, row, column float64, tone float32) {
	size := between(random, 0.16, 0.28)
	tone += float32(between(random, 0, 0.5)) * (1 - tone)
	for d := 1; d <= 9; d++ {
		if chance(random, 0.4) {
			x, y := float64((d-1)%3), float64((d-1)/3)
			p.digit(face, d, column+0.2+0.3*x, row+0.2+0.3*y-size/2, size, shape{wide: 1}, tone)
		}
	}
}

// speck adds dirt.
func (p *page) speck(random *rand.Rand, row, column float64) {
	x, y := column+random.Float64(), row+random.Float64()
	w, h := between(random, 0.02, 0.2), between(random, 0.02, 0.2)
	p.rectangle(x, y, x+w, y+h, float32(random.Float64()*0.8))
}
