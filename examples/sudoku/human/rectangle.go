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

// A uniqueness is a rectangle that must not be left with two digits alone.
type uniqueness struct {
	rectangle
	p      *Position
	digits Digits
	extra  Set // the corners with other candidates
	out    *results
}

// findUnique finds the rectangles to which a rule applies.
func findUnique(p *Position, rule func(*uniqueness) (enough bool), out *results) {
	for r, s := range p.deadly() {
		if rule(&uniqueness{r, p, s, p.extra(r, s), out}) {
			return
		}
	}
}

func (u *uniqueness) step(lose []Candidate, fins Set, in ...House) Step {
	step := rectangleStep(u.rectangle, u.digits)
	step.Eliminate, step.Fins, step.Houses = lose, fins, in
	return step
}

// add adds a step, if something is lost.
func (u *uniqueness) add(lose []Candidate, fins Set, in ...House) (enough bool) {
	return len(lose) > 0 && u.out.add(u.step(lose, fins, in...))
}

// other returns the other of the two digits.
func (u *uniqueness) other(d int) int { return (u.digits &^ (1 << d)).first() }

// unique1 is for rectangles with one corner that has other candidates.
func unique1(u *uniqueness) (enough bool) {
	return u.extra.Len() == 1 && u.add(u.p.ofAll(u.digits, u.extra), u.extra)
}

func unique1Reason(s *Step, say Say) string {
	return say("%s; so %v is one of its other candidates", rectangleWords(s, say), s.Fins)
}

// unique2 is for rectangles with two corners in one line that have the same one other
// candidate, and unique5 for those with other such corners.
func unique2(u *uniqueness) (enough bool) { return u.oneOther(true) }
func unique5(u *uniqueness) (enough bool) { return u.oneOther(false) }

func (u *uniqueness) oneOther(inLine bool) (enough bool) {
	n, other := u.extra.Len(), u.p.union(u.extra)&^u.digits
	if n < 2 || other.Len() != 1 || inLine != (n == 2 && len(u.extra.houses()) > 0) {
		return false
	}
	return u.add(u.p.of(other.first(), u.extra.seen()), u.extra)
}

func unique2Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("%s; so %s is %d, and cells that see all of these are not", rectangleWords(s, say), oneOf(s.Fins, say), d)
}

// unique3 is for rectangles with two corners in a house whose other candidates, as if they
// were one cell, form a naked subset with cells of the house.
func unique3(u *uniqueness) (enough bool) {
	if u.extra.Len() != 2 {
		return false
	}
	p, others := u.p, u.p.union(u.extra)&^u.digits
	for _, h := range u.extra.houses() {
		if p.choose(houses[h].and(p.empty).not(u.cells()).list(), others, Set{}, func(chosen Set, union Digits) verdict {
			all, n := u.extra.or(chosen), chosen.Len()
			if union.Len() == n+1 {
				house := houses[h]
				if line, ok := crossing(h, all); ok {
					house = house.or(houses[line])
				}
				if lose := p.ofAll(union, house.not(all).and(all.seen())); len(lose) > 0 {
					step := u.step(lose, u.extra, h)
					step.Rating, step.Sets = Rating(45+n), []Locked{{chosen, union}}
					if u.out.add(step) {
						return stop
					}
				}
			}
			if union.Len() > 6 {
				return skip
			}
			return extend
		}) {
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

// unique4 is for rectangles with two corners in a house that is to have one of the digits
// there: then the other digit is in neither.
func unique4(u *uniqueness) (enough bool) {
	if u.extra.Len() != 2 {
		return false
	}
	for _, h := range u.extra.houses() {
		for d := range u.digits.All() {
			if u.p.in(h, d).in(u.extra) && u.p.places[d].meets(u.extra) && u.add(u.p.of(u.other(d), u.extra), u.extra, h) {
				return true
			}
		}
	}
	return false
}

func unique4Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("%s; %d of %v is in one of %v, so neither of them is %d",
		rectangleWords(s, say), (s.Digits &^ (1 << d)).first(), s.Houses[0], s.Fins, d)
}

// unique6 is for rectangles with two opposite corners that have other candidates, and a
// digit that in both lines of these is confined to the rectangle.
func unique6(u *uniqueness) (enough bool) {
	if u.extra.Len() != 2 || len(u.extra.houses()) > 0 {
		return false
	}
	for d := range u.digits.All() {
		for _, kind := range [...]int{row, column} {
			first, second := housesOf[u.a][kind], housesOf[u.d][kind]
			one, two := u.p.in(first, d), u.p.in(second, d)
			if !one.Empty() && !two.Empty() && one.or(two).in(u.cells()) && u.add(u.p.of(d, u.extra), u.extra, first, second) {
				return true
			}
		}
	}
	return false
}

func unique6Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("%s; %d of %s is in two opposite corners, and if it were in %v, the other two would be %d: so it is not",
		rectangleWords(s, say), d, houseWords(s.Houses, say), s.Fins, (s.Digits &^ (1 << d)).first())
}

// hiddenRectangle is for rectangles in which a digit is confined to the corners in both
// lines of the corner that is opposite to one with two candidates.
func hiddenRectangle(u *uniqueness) (enough bool) {
	if u.extra.Len() < 2 {
		return false
	}
	for _, at := range [...][2]Cell{{u.a, u.d}, {u.b, u.c}, {u.c, u.b}, {u.d, u.a}} {
		near, far := at[0], at[1]
		if u.extra.Has(near) {
			continue
		}
		for d := range u.digits.All() {
			other, lines := u.other(d), []House{housesOf[far][row], housesOf[far][column]}
			inRow, inColumn := u.p.in(lines[row], d), u.p.in(lines[column], d)
			inRow.remove(far)
			inColumn.remove(far)
			if u.p.Has(far, other) && !inRow.Empty() && !inColumn.Empty() && inRow.or(inColumn).in(u.cells()) &&
				u.add([]Candidate{{far, other}}, Cells(near), lines...) {
				return true
			}
		}
	}
	return false
}

func hiddenRectangleReason(s *Step, say Say) string {
	e := s.Eliminate[0]
	d := (s.Digits &^ (1 << e.Digit)).first()
	return say("%s; if %v were %d, the %d of %s would be in the two corners next to it, and %v would be %d, too",
		rectangleWords(s, say), e.Cell, e.Digit, d, houseWords(s.Houses, say), s.Fins, e.Digit)
}
