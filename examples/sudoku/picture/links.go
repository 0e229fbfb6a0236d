package picture

import (
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// linkLines are the colours of links, by the number of the chain.
var linkLines = [...]colour{linkLine, {0x7a, 0x2e, 0x8f}, {0x8a, 0x4b, 0x00}, {0x00, 0x6b, 0x6b}}

// With more links than manyLinks lines are thin, and with more than maxLinks only the
// candidates are marked.
const (
	manyLinks = 40
	maxLinks  = 150
)

// links draws the links: strong ones as lines, weak ones with dashes, those of patterns
// with dots. A line that would cross candidates is bent away from them.
func (b *stepBoard) links() {
	if len(b.marks.links) > maxLinks {
		return
	}
	weight := 1.0
	if len(b.marks.links) > manyLinks {
		weight = 0.6
	}
	for _, l := range b.marks.links {
		c := linkLines[l.chain%len(linkLines)]
		width, dash := 0.04*b.cell*weight, 0.0
		switch l.kind {
		case human.Weak:
			width, dash = 0.03*b.cell*weight, 0.075*b.cell
		case human.Pattern:
			width, dash = 0.035*b.cell*weight, 0.035*b.cell
		}
		from, control, to := b.curve(l)
		tip := control.toward(to)
		head := 0.11 * b.cell * weight
		var o outline
		o.move(from)
		o.quad(control, to.minus(tip.times(head*0.8)))
		b.stroke(o, width, dash, c)
		back, side := to.minus(tip.times(head)), tip.left().times(head*0.55)
		b.figure(polygon(to, back.plus(side), back.minus(side)), &c, 0, c)
	}
}

// curve returns the ends of a line between two candidates, outside their marks, and the
// control point that bends it.
func (b *stepBoard) curve(l link) (from, control, to point) {
	a, z := b.candidate(l.from.Cell, l.from.Digit), b.candidate(l.to.Cell, l.to.Digit)
	middle, side := a.plus(z).times(0.5), a.toward(z).left()
	least := math.Inf(1)
	for _, bend := range [...]float64{0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8, 1.2, -1.2, 1.7, -1.7} {
		at := middle.plus(side.times(2 * bend * b.cell))
		if cost := b.crossed(a, at, z, l) + math.Abs(bend)*0.4; cost < least {
			least, control = cost, at
		}
	}
	gap := min(0.17*b.cell, 0.4*z.minus(a).length())
	return a.plus(a.toward(control).times(gap)), control, z.plus(z.toward(control).times(gap))
}

// crossed says how much a curve hides: candidates, more so those with marks, digits, and
// what is outside the board.
func (b *stepBoard) crossed(a, control, z point, l link) (cost float64) {
	const points = 24
	var near [81][10]bool
	for i := 1; i < points; i++ {
		q := onCurve(a, control, z, float64(i)/points)
		column, row := math.Floor((q.x-b.x)/b.cell), math.Floor((q.y-b.y)/b.cell)
		if column < 0 || column > 8 || row < 0 || row > 8 {
			cost += 10
			continue
		}
		c := human.At(int(row)+1, int(column)+1)
		if b.p.Digit(c) != 0 && q.minus(b.centre(c)).length() < 0.24*b.cell {
			near[c][0] = true
		}
		for d := range b.marks.shown[c].All() {
			if q.minus(b.candidate(c, d)).length() < 0.13*b.cell {
				near[c][d] = true
			}
		}
	}
	near[l.from.Cell][l.from.Digit], near[l.to.Cell][l.to.Digit] = false, false
	for c := range near {
		for d, hidden := range near[c] {
			switch {
			case hidden && d > 0 && b.marks.of[c][d] != 0:
				cost += 3
			case hidden:
				cost++
			}
		}
	}
	return cost
}
