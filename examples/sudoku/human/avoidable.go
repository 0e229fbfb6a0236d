package human

// findAvoidable1 finds rectangles with three corners that are filled, but not given,
// with two digits: the fourth does not complete a pattern that could be swapped.
func findAvoidable1(p *Position, out *results) {
	for _, r := range rectangles {
		corners := r.cells()
		if corners.meets(p.given) || corners.and(p.empty).Len() != 1 {
			continue
		}
		for _, t := range [...]rectangle{r, {r.b, r.a, r.d, r.c}, {r.c, r.d, r.a, r.b}, {r.d, r.c, r.b, r.a}} {
			d := p.value[t.d] // which is opposite to the empty corner
			if p.value[t.a] != 0 || p.value[t.b] != p.value[t.c] || !p.Has(t.a, int(d)) {
				continue
			}
			step := rectangleStep(r, digits(int(d), int(p.value[t.b])))
			step.Eliminate, step.Fins = []Candidate{{t.a, int(d)}}, Cells(t.a)
			if out.add(step) {
				return
			}
		}
	}
}

func avoidable1Reason(s *Step, say Say) string {
	return say("none of %v is given, and with %d in %v their digits %s could be swapped, and the puzzle would have two solutions",
		Cells(s.Cells...), s.Eliminate[0].Digit, s.Fins, s.Digits.words("and", say))
}

// findAvoidable2 finds rectangles with two corners that are filled, but not given, and
// two that could complete a pattern with one other candidate each, the same one.
func findAvoidable2(p *Position, out *results) {
	for _, r := range rectangles {
		corners := r.cells()
		if corners.meets(p.given) || corners.and(p.empty).Len() != 2 {
			continue
		}
		// Filled are a and b, which are in one line.
		for _, t := range [...]rectangle{r, {r.c, r.d, r.a, r.b}, {r.a, r.c, r.b, r.d}, {r.b, r.d, r.a, r.c}} {
			x, y := int(p.value[t.a]), int(p.value[t.b])
			if x == 0 || y == 0 || !p.Has(t.c, y) || !p.Has(t.d, x) {
				continue
			}
			other := (p.cells[t.c] &^ (1 << y)) | (p.cells[t.d] &^ (1 << x))
			lose := peers[t.c].and(peers[t.d])
			if p.cells[t.c].Len() != 2 || p.cells[t.d].Len() != 2 || other.Len() != 1 || !lose.meets(p.places[other.first()]) {
				continue
			}
			step := rectangleStep(r, digits(x, y))
			step.Eliminate, step.Fins = p.of(other.first(), lose), Cells(t.c, t.d)
			if out.add(step) {
				return
			}
		}
	}
}

func avoidable2Reason(s *Step, say Say) string {
	d := s.Eliminate[0].Digit
	return say("none of %v is given, and if neither of %v were %d, their digits %s could be swapped, and the puzzle would have two solutions; so one is, and cells that see both are not",
		Cells(s.Cells...), s.Fins, d, s.Digits.words("and", say))
}
