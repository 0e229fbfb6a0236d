package picture

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// marks are what a picture shows of a step.
type marks struct {
	shown  [81]human.Digits // the candidates
	cells  [81]cellMark
	of     [81][10]shapes // by digit
	links  []link
	houses []human.House
	cover  []human.House
}

// shapes is a set of marks of a candidate.
type shapes uint8

const (
	on     shapes = 1 << iota // true in a chain, or part of the pattern
	off                       // false in a chain
	fin                       // a fin of a fish
	places                    // is placed
	loses                     // is eliminated
)

// A cellMark says how a cell is filled.
type cellMark struct {
	fill  *colour // nil if it is not
	lines *colour // the hatch of a cell of a set
	set   int     // the number of the set, which is the direction of the hatch
}

// setMark returns the mark of the cells of a set.
func setMark(set int) cellMark {
	set %= len(setFills)
	return cellMark{&setFills[set], &setLines[set], set}
}

// marksOf returns the marks of a step that is possible in a position.
func marksOf(p *human.Position, s *human.Step) (m marks) {
	for c := range human.Cell(81) {
		m.shown[c] = p.Candidates(c)
	}
	m.houses, m.cover = s.Houses, s.Cover
	m.patterns(p, s)
	m.chains(p, s)
	for _, c := range s.Place {
		m.of[c.Cell][c.Digit] |= places
		m.cells[c.Cell] = cellMark{fill: &placeFill}
	}
	for _, c := range s.Eliminate {
		m.of[c.Cell][c.Digit] |= loses
	}
	return m
}

// with returns the digits of a cell that have marks, or those that have none.
func (m *marks) with(c human.Cell, marked bool) (s human.Digits) {
	for d := 1; d <= 9; d++ {
		if (m.of[c][d] != 0) == marked {
			s |= 1 << d
		}
	}
	return s
}

// patterns marks the cells and the digits of a step.
func (m *marks) patterns(p *human.Position, s *human.Step) {
	colors := s.Technique == human.SimpleColors || s.Technique == human.MultiColors
	for _, c := range s.Cells {
		m.cells[c] = cellMark{fill: &patternFill}
		for d := range (p.Candidates(c) & s.Digits).All() {
			if len(s.Chains) == 0 && len(s.Sets) < 3 && !colors && len(s.Place) == 0 {
				m.of[c][d] |= on
			}
		}
	}
	for i, set := range s.Sets {
		for c := range set.Cells.All() {
			m.cells[c] = setMark(i)
			if !colors {
				continue
			}
			m.cells[c] = setMark(i / 2)
			for d := range s.Digits.All() {
				m.of[c][d] |= [...]shapes{on, off}[i%2]
			}
		}
	}
	for c := range s.Fins.All() {
		if !colors {
			m.cells[c] = cellMark{fill: &finFill}
		}
		if len(s.Cover) > 0 { // a fish
			for d := range s.Digits.All() {
				m.of[c][d] = fin
			}
		}
	}
	m.setDigits(p, s)
	m.supports(p, s)
}

// setDigits marks the eliminated digits in almost locked sets: one of them is right.
func (m *marks) setDigits(p *human.Position, s *human.Step) {
	if s.Technique != human.ALSXZ && s.Technique != human.ALSXYWing && s.Technique != human.DeathBlossom {
		return
	}
	for _, set := range s.Sets {
		for c := range set.Cells.All() {
			for _, lost := range s.Eliminate {
				if p.Has(c, lost.Digit) && m.of[c][lost.Digit] == 0 && c.Sees(lost.Cell) {
					m.of[c][lost.Digit] = fin
				}
			}
		}
	}
}

// supports marks the filled cells that a single follows from: for a hidden one those
// that leave the digit no other place, for a naked one those that leave no other digit.
func (m *marks) supports(p *human.Position, s *human.Step) {
	if s.Technique == human.FullHouse {
		return
	}
	var found human.Digits
	for c := range human.Cell(81) {
		if d := p.Digit(c); s.Supports(p, c) && (s.Technique == human.HiddenSingle || !found.Has(d)) {
			found |= 1 << d
			m.cells[c] = cellMark{fill: &patternFill}
		}
	}
}

// A link is a line between two candidates.
type link struct {
	from, to human.Candidate
	kind     human.LinkKind
	chain    int // number of the chain
}

// chains marks the candidates of chains, and collects their links.
func (m *marks) chains(p *human.Position, s *human.Step) {
	for i, chain := range s.Chains {
		for _, l := range chain {
			// A weak link leads from true to false, a strong one from false to true, that
			// of a pattern from false to false.
			m.node(p, l.From, l.Kind == human.Weak)
			m.node(p, l.To, l.Kind == human.Strong)
			from, to := nearest(l.From, l.To)
			m.add(link{from, to, l.Kind, i})
		}
	}
	if s.Technique == human.RemotePair {
		m.remotePair(s)
	}
}

// remotePair marks the digits of the cells by turns, and links one digit.
func (m *marks) remotePair(s *human.Step) {
	for i, c := range s.Cells {
		look := [...]shapes{on, off}
		for d := range s.Digits.All() {
			m.of[c][d] = look[i%2]
			look[0], look[1] = look[1], look[0]
		}
		if i > 0 {
			for d := range s.Digits.All() {
				m.add(link{human.Candidate{Cell: s.Cells[i-1], Digit: d}, human.Candidate{Cell: c, Digit: d}, human.Weak, 0})
				break
			}
		}
	}
}

// add adds a link unless it is there.
func (m *marks) add(l link) {
	same := func(k link) bool { return k.from == l.from && k.to == l.to && k.kind == l.kind }
	if l.from != l.to && !slices.ContainsFunc(m.links, same) {
		m.links = append(m.links, l)
	}
}

// node marks the candidates of a node.
func (m *marks) node(p *human.Position, n human.Node, truth bool) {
	for c := range n.Cells.All() {
		if !p.Has(c, n.Digit) {
			continue
		}
		if truth {
			m.of[c][n.Digit] |= on
		} else {
			m.of[c][n.Digit] |= off
		}
	}
}

// nearest returns the candidates of two nodes that are nearest to each other.
func nearest(a, b human.Node) (from, to human.Candidate) {
	best := -1
	for x := range a.Cells.All() {
		for y := range b.Cells.All() {
			dr, dc := x.Row()-y.Row(), x.Column()-y.Column()
			if d := dr*dr + dc*dc; best < 0 || d < best {
				best, from, to = d, human.Candidate{Cell: x, Digit: a.Digit}, human.Candidate{Cell: y, Digit: b.Digit}
			}
		}
	}
	return from, to
}

// leaveOut hides the candidates that the step is not about.
func (m *marks) leaveOut(p *human.Position, s *human.Step) {
	about, only := s.Digits, s.Technique == human.FullHouse || s.Technique == human.NakedSingle
	for _, list := range [...][]human.Candidate{s.Place, s.Eliminate} {
		for _, c := range list {
			about |= 1 << c.Digit
		}
	}
	for _, l := range m.links {
		about |= 1<<l.from.Digit | 1<<l.to.Digit
	}
	for c := range human.Cell(81) {
		switch {
		case only && c != s.Cells[0]:
			m.shown[c] = 0
		case m.cells[c].fill == nil || len(s.Place) > 0:
			m.shown[c] &= about
		}
	}
}
