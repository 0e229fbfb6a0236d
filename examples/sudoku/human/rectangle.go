package human

import "iter"

// A corner order of a rectangle: two rows, two columns and two boxes. a and b are in
// one line, and so are c and d, a and c, b and d.
type rectangle struct{ a, b, c, d Cell }

func (r rectangle) cells() Set { return Cells(r.a, r.b, r.c, r.d) }

var rectangles = allRectangles()

func allRectangles() (all []rectangle) {
	for r1 := 1; r1 <= 9; r1++ {
		for r2 := r1 + 1; r2 <= 9; r2++ {
			for c1 := 1; c1 <= 9; c1++ {
				for c2 := c1 + 1; c2 <= 9; c2++ {
					if sameBand, sameStack := (r1-1)/3 == (r2-1)/3, (c1-1)/3 == (c2-1)/3; sameBand != sameStack {
						all = append(all, rectangle{At(r1, c1), At(r1, c2), At(r2, c1), At(r2, c2)})
					}
				}
			}
		}
	}
	return all
}

// deadly returns the rectangles of empty cells whose digits could be swapped if all
// of them were one of two digits: a puzzle with one solution does not end so. At least
// one of the cells has the two candidates and no other.
func (p *Position) deadly() iter.Seq2[rectangle, Digits] {
	two := p.with(2)
	return func(yield func(rectangle, Digits) bool) {
		for _, r := range rectangles {
			corners := r.cells()
			if !corners.in(p.empty) || !corners.meets(two) {
				continue
			}
			var done Digits
			for c := range corners.and(two).All() {
				s := p.cells[c]
				if s == done || p.cells[r.a]&s == 0 || p.cells[r.b]&s == 0 || p.cells[r.c]&s == 0 || p.cells[r.d]&s == 0 {
					continue
				}
				done = s
				if !yield(r, s) {
					return
				}
			}
		}
	}
}

// extra returns the corners with other candidates than the two digits.
func (p *Position) extra(r rectangle, s Digits) (cells Set) {
	for c := range r.cells().All() {
		if p.cells[c]&^s != 0 {
			cells.add(c)
		}
	}
	return cells
}

func rectangleStep(r rectangle, s Digits) Step {
	return Step{Digits: s, Cells: []Cell{r.a, r.b, r.d, r.c}}
}

func rectangleWords(s *Step, say Say) string {
	return say("if %v had no digits but %s, these could be swapped, and the puzzle would have two solutions",
		Cells(s.Cells...), s.Digits.words("and", say))
}

// findUnique1 finds rectangles with one corner that has other candidates.
func findUnique1(p *Position, out *results) {
	for r, s := range p.deadly() {
		extra := p.extra(r, s)
		if extra.Len() != 1 {
			continue
		}
		step := rectangleStep(r, s)
		step.Eliminate, step.Fins = p.ofAll(s, extra), extra
		if out.add(step) {
			return
		}
	}
}

func unique1Reason(s *Step, say Say) string {
	return say("%s; so %v is one of its other candidates", rectangleWords(s, say), s.Fins)
}

// findUnique2 finds rectangles with two corners in one line that have the same one other
// candidate (type 2), or with other such corners (type 5).
func findUnique2(p *Position, inLine bool, out *results) {
	for r, s := range p.deadly() {
		extra := p.extra(r, s)
		other := p.union(extra) &^ s
		if n := extra.Len(); n < 2 || other.Len() != 1 {
			continue
		}
		if inLine != (extra.Len() == 2 && len(extra.houses()) > 0) {
			continue
		}
		d := other.first()
		lose := extra.seen()
		if !lose.meets(p.places[d]) {
			continue
		}
		step := rectangleStep(r, s)
		step.Eliminate, step.Fins = p.of(d, lose), extra
		if out.add(step) {
			return
		}
	}
}

func unique2Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("%s; so %s is %d, and cells that see all of these are not", rectangleWords(s, say), oneOf(s.Fins, say), d)
}

// findUnique3 finds rectangles with two corners in a house whose other candidates, as
// if they were one cell, form a naked subset with cells of the house.
func findUnique3(p *Position, out *results) {
	for r, s := range p.deadly() {
		extra := p.extra(r, s)
		if extra.Len() != 2 {
			continue
		}
		other := p.union(extra) &^ s
		for _, h := range extra.houses() {
			var cells [9]Cell
			open := cells[:0]
			for c := range houses[h].and(p.empty).not(r.cells()).All() {
				open = append(open, c)
			}
			if unique3In(p, out, r, s, h, extra, open, other, Set{}) {
				return
			}
		}
	}
}

func unique3In(p *Position, out *results, r rectangle, s Digits, h House, extra Set, open []Cell, union Digits, chosen Set) (enough bool) {
	if n := chosen.Len(); n > 0 && union.Len() == n+1 {
		house := houses[h]
		if line, ok := crossing(h, extra.or(chosen)); ok {
			house = house.or(houses[line])
		}
		lose := house.not(extra).not(chosen).and(extra.or(chosen).seen())
		if meetsAny(p, union, lose) {
			step := rectangleStep(r, s)
			step.Rating = Rating(45 + n)
			step.Eliminate, step.Fins, step.Houses = p.ofAll(union, lose), extra, []House{h}
			step.Sets = []Locked{{chosen, union}}
			if out.add(step) {
				return true
			}
		}
	}
	if union.Len() > 6 {
		return false
	}
	for i, c := range open {
		with := chosen
		with.add(c)
		if unique3In(p, out, r, s, h, extra, open[i+1:], union|p.cells[c], with) {
			return true
		}
	}
	return false
}

func unique3Reason(s *Step, say Say) string {
	set := s.Sets[0]
	return say("%s; so one of %v is another candidate, and together with %v it takes the digits %s of %v",
		rectangleWords(s, say), s.Fins, set.Cells, set.Digits.words("and", say), s.Houses[0])
}

// findUnique4 finds rectangles with two corners in a house that is to have one of the
// digits there: then the other digit is in neither.
func findUnique4(p *Position, out *results) {
	for r, s := range p.deadly() {
		extra := p.extra(r, s)
		if extra.Len() != 2 {
			continue
		}
		for _, h := range extra.houses() {
			for d := range s.All() {
				other := (s &^ (1 << d)).first()
				if p.in(h, d).in(extra) && p.places[d].meets(extra) && p.places[other].meets(extra) {
					step := rectangleStep(r, s)
					step.Eliminate, step.Fins, step.Houses = p.of(other, extra), extra, []House{h}
					if out.add(step) {
						return
					}
				}
			}
		}
	}
}

func unique4Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("%s; %d of %v is in one of %v, so neither of them is %d",
		rectangleWords(s, say), (s.Digits &^ (1 << d)).first(), s.Houses[0], s.Fins, d)
}

// findUnique6 finds rectangles with two opposite corners that have other candidates,
// and a digit that in both lines of these is confined to the rectangle.
func findUnique6(p *Position, out *results) {
	for r, s := range p.deadly() {
		extra := p.extra(r, s)
		if extra.Len() != 2 || len(extra.houses()) > 0 {
			continue
		}
		corners := r.cells()
		for d := range s.All() {
			for _, kind := range [...]int{row, column} {
				first, second := housesOf[r.a][kind], housesOf[r.d][kind]
				one, two := p.in(first, d), p.in(second, d)
				if !one.Empty() && !two.Empty() && one.in(corners) && two.in(corners) && p.places[d].meets(extra) {
					step := rectangleStep(r, s)
					step.Eliminate, step.Fins, step.Houses = p.of(d, extra), extra, []House{first, second}
					if out.add(step) {
						return
					}
				}
			}
		}
	}
}

func unique6Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("%s; %d of %s is in two opposite corners, and if it were in %v, the other two would be %d: so it is not",
		rectangleWords(s, say), d, houseWords(s.Houses, say), s.Fins, (s.Digits &^ (1 << d)).first())
}

// findHiddenRectangle finds rectangles in which a digit is confined to the corners in
// both lines of the corner that is opposite to one with two candidates.
func findHiddenRectangle(p *Position, out *results) {
	for r, s := range p.deadly() {
		if extra := p.extra(r, s); extra.Len() < 2 {
			continue
		}
		corners := r.cells()
		for _, at := range [...][2]Cell{{r.a, r.d}, {r.b, r.c}, {r.c, r.b}, {r.d, r.a}} {
			if p.cells[at[0]]&^s != 0 {
				continue
			}
			far := at[1]
			for d := range s.All() {
				other := (s &^ (1 << d)).first()
				lines := []House{housesOf[far][row], housesOf[far][column]}
				inRow, inColumn := p.in(lines[row], d), p.in(lines[column], d)
				inRow.remove(far)
				inColumn.remove(far)
				if !p.Has(far, other) || inRow.Empty() || inColumn.Empty() || !inRow.in(corners) || !inColumn.in(corners) {
					continue
				}
				step := rectangleStep(r, s)
				step.Eliminate, step.Fins, step.Houses = []Candidate{{far, other}}, Cells(at[0]), lines
				if out.add(step) {
					return
				}
			}
		}
	}
}

func hiddenRectangleReason(s *Step, say Say) string {
	e := s.Eliminate[0]
	d := (s.Digits &^ (1 << e.Digit)).first()
	return say("%s; if %v were %d, the %d of %s would be in the two corners next to it, and %v would be %d, too",
		rectangleWords(s, say), e.Cell, e.Digit, d, houseWords(s.Houses, say), s.Fins, e.Digit)
}
