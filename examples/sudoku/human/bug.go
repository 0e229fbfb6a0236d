package human

// findBUG1 finds positions in which every empty cell has two candidates and every
// digit two places in a house, but for one cell. Without its third candidate all
// digits could be swapped, so that one it is.
func findBUG1(p *Position, out *results) {
	extra, ok := p.grave()
	if !ok || len(extra) != 1 {
		return
	}
	c, d := extra[0].Cell, extra[0].Digit
	out.add(Step{Eliminate: p.ofAll(p.cells[c]&^(1<<d), Cells(c)), Digits: digits(d), Cells: []Cell{c}})
}

// grave returns the candidates without which every empty cell would have two
// candidates, and every digit two places in each house that lacks it; ok is false when
// there are no such candidates.
func (p *Position) grave() (extra []Candidate, ok bool) {
	many := p.empty.not(p.with(2))
	if n := many.Len(); n == 0 || n > 9 {
		return nil, false
	}
	for c := range many.All() {
		if p.cells[c].Len() < 3 {
			return nil, false
		}
	}
	// A digit with three places or more in a house is one too many in the only of these
	// cells that has other candidates to live on.
	q := *p
	for h := range House(27) {
		for d := 1; d <= 9; d++ {
			places := p.in(h, d)
			if n := places.Len(); n == 0 || n == 2 {
				continue
			}
			bad := places.and(many)
			switch bad.Len() {
			case 0:
				return nil, false
			case 1:
				if q.Eliminate(bad.first(), d) {
					extra = append(extra, Candidate{bad.first(), d})
				}
			}
		}
	}
	for c := range q.empty.All() {
		if q.cells[c].Len() != 2 {
			return nil, false
		}
	}
	for h := range House(27) {
		for d := 1; d <= 9; d++ {
			if n := q.in(h, d).Len(); n != 0 && n != 2 {
				return nil, false
			}
		}
	}
	return extra, true
}

func bug1Reason(s *Step, say Say) string {
	return say("without %v in %v every empty cell would have two candidates and every digit two places in its houses: the puzzle would have two solutions or none, so %v is %v",
		s.Digits, s.Cells[0], s.Cells[0], s.Digits)
}

// findBUGs finds positions that lack several candidates to such a pattern: in types 2
// to 4 one of these is right, and something follows from all of them.
func findBUGs(p *Position, out *results) {
	extra, ok := p.grave()
	if !ok || len(extra) < 2 {
		return
	}
	var cells Set
	var values Digits
	for _, c := range extra {
		cells.add(c.Cell)
		values |= 1 << c.Digit
	}
	step := Step{Digits: values, Cells: cells.list()}
	seen := cells.seen()
	if values.Len() == 1 {
		d := values.first()
		if seen.meets(p.places[d]) {
			step.Eliminate = p.of(d, seen)
			if out.add(step) {
				return
			}
		}
	}
	shared := cells.houses()
	if cells.Len() == 2 { // A digit that both cells could be: then it is in one of them.
		a, b := step.Cells[0], step.Cells[1]
		if common := p.cells[a] & p.cells[b] &^ values; common.Len() == 1 && len(shared) > 0 {
			keep := values | common
			lose := p.ofAll(p.cells[a]&^keep, Cells(a))
			lose = append(lose, p.ofAll(p.cells[b]&^keep, Cells(b))...)
			if len(lose) > 0 {
				four := step
				four.Eliminate, four.Fins, four.Houses = lose, cells, shared[:1]
				if out.add(four) {
					return
				}
			}
		}
	}
	if values.Len() < 2 {
		return
	}
	for _, h := range shared {
		step.Houses = []House{h}
		if p.choose(houses[h].and(p.empty).not(cells).list(), values, Set{}, func(chosen Set, union Digits) verdict {
			lose := houses[h].not(cells).not(chosen)
			if n := chosen.Len(); union.Len() == n+1 && meetsAny(p, union, lose) {
				step.Eliminate, step.Sets, step.Rating = p.ofAll(union, lose), []Locked{{chosen, union}}, Rating(57+n)
				if out.add(step) {
					return stop
				}
			}
			return extend
		}) {
			return
		}
	}
}

func bugReason(s *Step, say Say) string {
	cause := say("without the extra candidates %s of %v every empty cell would have two candidates and every digit two places in its houses: the puzzle would have two solutions or none",
		s.Digits.words("and", say), Cells(s.Cells...))
	switch {
	case len(s.Sets) > 0:
		return say("%s; so one of these is right, and with %v it takes the digits %s of %v", cause, s.Sets[0].Cells, s.Sets[0].Digits.words("and", say), s.Houses[0])
	case !s.Fins.Empty():
		return say("%s; so one of the two cells is such a candidate, and the other the digit that they share", cause)
	}
	return say("%s; so one of these is right, and cells that see all of them are not %v", cause, s.Digits)
}
