package picture

import (
	"fmt"
	"image/png"
	"io"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A surface is a canvas that can also draw lines and figures.
type surface interface {
	canvas
	// notes draws the candidates of a cell around its middle.
	notes(at point, cell float64, digits human.Digits, f *face, c colour)
	// circle and figure fill an area and draw its edge, unless the width is 0.
	circle(at point, radius float64, fill *colour, width float64, edge colour)
	figure(o outline, fill *colour, width float64, edge colour)
	// stroke draws a line with gaps of the length dash, or without if dash is 0.
	stroke(o outline, width, dash float64, c colour)
}

// The colours of a step. They differ for colour-blind people too (they are based on the
// palette of Okabe and Ito), and each also has a shape or a pattern.
var (
	patternFill = colour{0xff, 0xf3, 0xc9} // cells of the pattern
	placeFill   = colour{0xcf, 0xee, 0xe0} // a cell that gets its digit
	onLine      = colour{0x00, 0x5f, 0xa3} // circle: true, or of the pattern
	onFill      = colour{0xcb, 0xe4, 0xf6}
	offLine     = colour{0x9c, 0x62, 0x00} // square: false
	offFill     = colour{0xff, 0xe0, 0xa8}
	finLine     = colour{0xa3, 0x3d, 0x75} // rhomb: a fin
	finFill     = colour{0xf6, 0xdb, 0xea}
	placeLine   = colour{0x00, 0x7a, 0x5a} // two circles: placed
	loseLine    = colour{0xc4, 0x2b, 0x00} // stroke: eliminated
	loseFill    = colour{0xff, 0xdc, 0xd0}
	houseLine   = colour{0x5b, 0x4b, 0xa8} // frame of a house
	coverLine   = colour{0x00, 0x7a, 0x5a} // dashed frame of a house that covers others
	linkLine    = colour{0x35, 0x4a, 0x5f}

	// setFills are the cells of sets, and setLines their hatches.
	setFills = [...]colour{{0xdb, 0xe9, 0xfa}, {0xdf, 0xf3, 0xdc}, {0xfb, 0xe3, 0xee}, {0xea, 0xe4, 0xf8}}
	setLines = [...]colour{{0x9d, 0xc0, 0xe8}, {0x9d, 0xcc, 0x98}, {0xe5, 0xa6, 0xc4}, {0xbd, 0xab, 0xe6}}
)

// StepOptions say how a step is drawn. The zero value shows all candidates on a
// transparent ground.
type StepOptions struct {
	// Few leaves out the candidates that the step is not about. It is always so for
	// singles, which are seen without candidates.
	Few    bool
	Ground Ground
	// Text makes the digits of an SVG text in a font of the viewer, instead of outlines.
	// The file is half the size.
	Text bool
	// Scale is the size of a PNG, 1 to [MaxScale]; 0 is 1.
	Scale int
}

// StepSVG writes a picture of a position with the step that is possible there. Its title
// is the technique, and its description what the step does and why.
func StepSVG(w io.Writer, p *human.Position, step *human.Step, o StepOptions) error {
	s := &stepSVG{defs: &svgDefs{ids: map[string]bool{}, plain: o.Text}}
	newStepBoard(s, p, step, o).draw(marginPixels, marginPixels, cellPixels)
	attributes, ground := "", ""
	if o.Text { // what digits inherit
		attributes = ` font-family="sans-serif" text-anchor="middle"`
	}
	if o.Ground == White {
		ground = fmt.Sprintf(`<rect width="%s" height="%[1]s" fill="#fff"/>`+"\n", number(sizePixels))
	}
	picture := s.picture()
	return writeSVG(w, attributes, step.Technique.String(), step.Hint(human.Full), ground, s.defs.text.String(), picture)
}

// StepPNG writes the same picture as StepSVG.
func StepPNG(w io.Writer, p *human.Position, step *human.Step, o StepOptions) error {
	scale := max(o.Scale, 1)
	canvas, err := newPixels(scale, o.Ground)
	if err != nil {
		return err
	}
	newStepBoard(canvas, p, step, o).draw(float64(marginPixels*scale), float64(marginPixels*scale), float64(cellPixels*scale))
	return png.Encode(w, canvas.image)
}

// A stepBoard draws a position with a step.
type stepBoard struct {
	surface
	regular, bold *face
	x, y, cell    float64 // the upper left corner of the frame, the size of a cell
	p             *human.Position
	step          *human.Step
	marks         marks
}

// newStepBoard prepares the picture of a step.
func newStepBoard(s surface, p *human.Position, step *human.Step, o StepOptions) *stepBoard {
	regular, bold := faces()
	b := &stepBoard{surface: s, regular: regular, bold: bold, p: p, step: step, marks: marksOf(p, step)}
	if o.Few || step.Technique <= human.NakedSingle {
		b.marks.leaveOut(p, step)
	}
	return b
}

// draw draws the step, from the ground up: cells, lines, marks, links, digits, strikes.
func (b *stepBoard) draw(x, y, cell float64) {
	b.x, b.y, b.cell = x, y, cell
	grid := board{b.surface, b.regular, b.bold}
	for c := range human.Cell(81) {
		b.ground(c)
	}
	grid.lines(x, y, cell)
	for c := range human.Cell(81) {
		for d := range b.p.Candidates(c).All() {
			b.shapes(b.candidate(c, d), b.marks.of[c][d])
		}
	}
	b.links()
	for c := range human.Cell(81) {
		if at, digit := b.centre(c), b.p.Digit(c); digit != 0 && b.p.Given(c) {
			grid.digit(at.x, at.y, digitSize*cell, b.bold, digit, ink)
		}
	}
	for c := range human.Cell(81) {
		if at, digit := b.centre(c), b.p.Digit(c); digit != 0 && !b.p.Given(c) {
			grid.digit(at.x, at.y, digitSize*cell, b.regular, digit, pen)
		}
	}
	for _, part := range [...]struct {
		marked bool
		c      colour
	}{{false, pencil}, {true, ink}} {
		for c := range human.Cell(81) {
			b.notes(b.centre(c), cell, b.marks.shown[c]&b.marks.with(c, part.marked), b.regular, part.c)
		}
	}
	for _, c := range b.step.Eliminate {
		b.strike(b.candidate(c.Cell, c.Digit))
	}
	b.frames()
}

// centre returns the middle of a cell.
func (b *stepBoard) centre(c human.Cell) point {
	middle := (1.0 + thick) / 2
	return point{b.x + (float64(c.Column()-1)+middle)*b.cell, b.y + (float64(c.Row()-1)+middle)*b.cell}
}

// candidate returns the middle of a candidate.
func (b *stepBoard) candidate(c human.Cell, d int) point {
	return b.centre(c).plus(noteAt(d).times(b.cell))
}

// ground fills a cell. Sets have hatches in different directions.
func (b *stepBoard) ground(c human.Cell) {
	m := b.marks.cells[c]
	if m.fill == nil {
		return
	}
	size := b.cell
	x, y := b.centre(c).x-size/2, b.centre(c).y-size/2
	b.rectangle(x, y, size, size, *m.fill)
	if m.lines == nil {
		return
	}
	var o outline
	const lines = 4
	for i := range lines {
		t := (float64(i) + 0.5) / lines * size
		switch m.set {
		case 0:
			o.move(point{x, y + t})
			o.line(point{x + t, y})
			o.move(point{x + t, y + size})
			o.line(point{x + size, y + t})
		case 1:
			o.move(point{x + t, y})
			o.line(point{x + size, y + size - t})
			o.move(point{x, y + t})
			o.line(point{x + size - t, y + size})
		case 2:
			o.move(point{x, y + t})
			o.line(point{x + size, y + t})
		case 3:
			o.move(point{x + t, y})
			o.line(point{x + t, y + size})
		}
	}
	b.stroke(o, size*0.02, 0, *m.lines)
}

// shapes draws the marks of a candidate, which the digit is drawn over.
func (b *stepBoard) shapes(at point, s shapes) {
	r, line := 0.15*b.cell, 0.028*b.cell
	if s&loses != 0 {
		b.circle(at, r, &loseFill, 0, loseLine)
	}
	if s&off != 0 {
		k := 0.92 * r
		b.figure(box(at.x-k, at.y-k, 2*k, 2*k, 0), &offFill, line, offLine)
	}
	if s&fin != 0 {
		k := 1.25 * r
		b.figure(polygon(point{at.x, at.y - k}, point{at.x + k, at.y}, point{at.x, at.y + k}, point{at.x - k, at.y}), &finFill, line, finLine)
	}
	switch {
	case s&on != 0 && s&off != 0: // from both, a contradiction or a common end
		b.circle(at, 0.85*r, nil, line, onLine)
	case s&on != 0:
		b.circle(at, r, &onFill, line, onLine)
	}
	if s&places != 0 {
		b.circle(at, r, &placeFill, line, placeLine)
		b.circle(at, 1.35*r, nil, line, placeLine)
	}
}

// strike strikes a candidate out.
func (b *stepBoard) strike(at point) {
	d := point{0.13 * b.cell, -0.13 * b.cell}
	var o outline
	o.move(at.minus(d))
	o.line(at.plus(d))
	b.stroke(o, 0.04*b.cell, 0, loseLine)
}

// frames draws frames around the houses.
func (b *stepBoard) frames() {
	for _, list := range [...]struct {
		houses []human.House
		dash   float64
		c      colour
	}{{b.marks.cover, 0.14, coverLine}, {b.marks.houses, 0, houseLine}} {
		for _, h := range list.houses {
			first, last := human.Cell(80), human.Cell(0)
			for c := range h.Cells().All() {
				first, last = min(first, c), max(last, c)
			}
			a, z := b.centre(first), b.centre(last)
			half := 0.475 * b.cell
			b.stroke(box(a.x-half, a.y-half, z.x-a.x+2*half, z.y-a.y+2*half, 0.1*b.cell), 0.05*b.cell, list.dash*b.cell, list.c)
		}
	}
}
