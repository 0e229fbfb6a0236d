package human

// findFullHouse finds houses with one empty cell.
func findFullHouse(p *Position, out *results) {
	for h := range House(27) {
		open := houses[h].and(p.empty)
		if open.Len() != 1 {
			continue
		}
		c := open.first()
		if s := p.cells[c]; s.Len() == 1 {
			if out.add(Step{Place: []Candidate{{c, s.first()}}, Digits: s, Cells: []Cell{c}, Houses: []House{h}}) {
				return
			}
		}
	}
}

func fullHouseReason(s *Step, say Say) string {
	return say("%v is the last empty cell of %v, which lacks %d", s.Cells[0], s.Houses[0], s.Place[0].Digit)
}

// findHiddenSingle finds digits with one place in a house: boxes first, as they are
// the easiest to look through.
func findHiddenSingle(p *Position, out *results) {
	for i := range House(27) {
		h := (i + 18) % 27
		for d := 1; d <= 9; d++ {
			places := p.in(h, d)
			if places.low&(places.low-1) != 0 || places.Len() != 1 || houses[h].and(p.empty).Len() == 1 {
				continue
			}
			rating := Rating(15)
			if h.kind() == box {
				rating = 12
			}
			c := places.first()
			if out.add(Step{Rating: rating, Place: []Candidate{{c, d}}, Digits: digits(d), Cells: []Cell{c}, Houses: []House{h}}) {
				return
			}
		}
	}
}

func hiddenSingleReason(s *Step, say Say) string {
	return say("%d has no other place in %v than %v", s.Place[0].Digit, s.Houses[0], s.Cells[0])
}

// Supports reports whether a single follows from a filled cell of the position, besides others:
// a full house from those of the house, a hidden single from those that leave its digit no other
// place, and a naked one from those that the cell sees.
func (s *Step) Supports(p *Position, filled Cell) bool {
	switch d := p.Digit(filled); s.Technique {
	case FullHouse:
		return d != 0 && houses[s.Houses[0]].Has(filled)
	case HiddenSingle:
		return s.Digits.Has(d) && peers[filled].meets(p.empty.and(houses[s.Houses[0]]))
	case NakedSingle:
		return d != 0 && filled.Sees(s.Cells[0])
	}
	return false
}

// findNakedSingle finds cells with one candidate.
func findNakedSingle(p *Position, out *results) {
	for c := range p.empty.All() {
		if s := p.cells[c]; s.Len() == 1 {
			if out.add(Step{Place: []Candidate{{c, s.first()}}, Digits: s, Cells: []Cell{c}}) {
				return
			}
		}
	}
}

func nakedSingleReason(s *Step, say Say) string {
	return say("%v can be nothing but %d: its row, column and box leave no other digit", s.Cells[0], s.Place[0].Digit)
}
