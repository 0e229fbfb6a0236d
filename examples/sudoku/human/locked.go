package human

// findConfined finds houses of a kind in which a digit is confined to one of another: boxes
// in which it is confined to a line (pointing), and lines in which to a box (claiming).
func findConfined(p *Position, in houseRange, out *results) {
	for h := in.from; h < in.to; h++ {
		if out.skips(h, 0) {
			continue
		}
		for d := 1; d <= 9; d++ {
			if out.skips(h, d) {
				continue
			}
			places := p.in(h, d)
			if n := places.Len(); n < 2 || n > 3 {
				continue
			}
			other, ok := crossing(h, places)
			if !ok {
				continue
			}
			if lose := p.of(d, houses[other].not(places)); lose != nil {
				if out.add(Step{Eliminate: lose, Digits: digits(d), Cells: places.list(), Houses: []House{h}, Cover: []House{other}}) {
					return
				}
			}
		}
	}
}

// crossing returns the house of another kind that holds all cells, too: for cells of
// a box the line, for those of a line the box.
func crossing(h House, cells Set) (House, bool) {
	for _, other := range housesOf[cells.first()] {
		if other.kind() != h.kind() && (h.kind() == box || other.kind() == box) && cells.in(houses[other]) {
			return other, true
		}
	}
	return 0, false
}

func lockedReason(s *Step, say Say) string {
	return say("in %v all places for %v are in %v, too: it is in %s, and nowhere else in %v",
		s.Houses[0], s.Digits, s.Cover[0], oneOf(Cells(s.Cells...), say), s.Cover[0])
}
