package human

// Players see some eliminations and the single that follows from them as one, without
// writing candidates. A step of these techniques places the single.

// findDirectLocked finds boxes that confine a digit to a line, which leaves another box on
// the line with one place for it, or lines that confine a digit to a box, which leaves
// another such line of the box with one place for it.
func findDirectLocked(p *Position, in houseRange, out *results) {
	for h := in.from; h < in.to; h++ {
		for d := 1; d <= 9; d++ {
			places := p.in(h, d)
			if n := places.Len(); n < 2 || n > 3 {
				continue
			}
			other, ok := crossing(h, places)
			if !ok || !houses[other].not(places).meets(p.places[d]) {
				continue
			}
			for g := h / 9 * 9; g < h/9*9+9; g++ {
				if g == h || !houses[g].meets(houses[other]) {
					continue
				}
				there := p.in(g, d)
				if left := there.not(houses[other]); left.Len() == 1 && there != left {
					if out.add(Step{
						Place: []Candidate{{left.first(), d}}, Digits: digits(d), Cells: places.list(),
						Houses: []House{h}, Cover: []House{other, g},
					}) {
						return
					}
				}
			}
		}
	}
}

func directLockedReason(s *Step, say Say) string {
	return say("%s; that leaves %v as the only place for %v in %v", lockedReason(s, say), s.Place[0].Cell, s.Digits, s.Cover[1])
}

// findDirectHidden finds n digits that take n cells of a house, which leaves another
// digit with one place in the house.
func findDirectHidden(p *Position, n int, out *results) {
	for i := range House(27) {
		h := (i + 18) % 27
		if houses[h].and(p.empty).Len() <= n {
			continue
		}
		var few [9]int
		open := p.few(h, n, few[:0])
		if len(open) >= n && hiddenIn(p, h, open, n, 0, Set{}, func(chosen Digits, places Set) bool {
			for d := 1; d <= 9; d++ {
				there := p.in(h, d)
				if left := there.not(places); !chosen.Has(d) && left.Len() == 1 && left != there {
					if out.add(Step{
						Place: []Candidate{{left.first(), d}}, Digits: chosen, Cells: places.list(), Houses: []House{h},
					}) {
						return true
					}
				}
			}
			return false
		}) {
			return
		}
	}
}

func directHiddenReason(s *Step, say Say) string {
	return say("%s; that leaves %v as the only place for %d in %v", hiddenReason(s, say), s.Place[0].Cell, s.Place[0].Digit, s.Houses[0])
}
