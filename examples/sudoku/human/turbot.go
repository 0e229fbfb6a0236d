package human

// A pair is two cells of a house that are the only places for a digit there: when one
// of them is not the digit, the other is.
type pair struct {
	a, b  Cell
	house House
}

// pairs returns the houses in which a digit has two places.
func (p *Position) pairs(d int, buffer []pair) []pair {
	all := buffer[:0]
	for h := range House(27) {
		if places := p.in(h, d); places.Len() == 2 {
			a := places.first()
			places.remove(a)
			all = append(all, pair{a, places.first(), h})
		}
	}
	return all
}

func isSkyscraper(x, y pair, bridge House) bool {
	return x.house.kind() == y.house.kind() && x.house.kind() != box && bridge.kind() != box
}

func isKite(x, y pair, bridge House) bool {
	return x.house.kind() != y.house.kind() && x.house.kind() != box && y.house.kind() != box && bridge.kind() == box
}

func isTurbotFish(x, y pair, _ House) bool { return x.house.kind() == box || y.house.kind() == box }

// findTurbot finds two pairs with an end of each in one house, the bridge: these are
// not both true, so one of the other ends is.
func findTurbot(p *Position, fits func(x, y pair, bridge House) bool, out *results) {
	var buffer [27]pair
	for d := 1; d <= 9; d++ {
		all := p.pairs(d, buffer[:0])
		for i, x := range all {
			for _, y := range all[i+1:] {
				if x.a == y.a || x.a == y.b || x.b == y.a || x.b == y.b {
					continue
				}
				for k := range 4 { // which ends are bridged
					near1, far1, near2, far2 := x.a, x.b, y.a, y.b
					if k&1 != 0 {
						near1, far1 = far1, near1
					}
					if k&2 != 0 {
						near2, far2 = far2, near2
					}
					lose := peers[far1].and(peers[far2])
					if !peers[near1].Has(near2) || !lose.meets(p.places[d]) {
						continue
					}
					bridge := commonHouse(near1, near2)
					if !fits(x, y, bridge) {
						continue
					}
					if out.add(Step{
						Eliminate: p.of(d, lose), Digits: digits(d), Cells: []Cell{far1, near1, near2, far2},
						Houses: []House{x.house, y.house, bridge},
						Chains: [][]Link{alternating(node(far1, d), node(near1, d), node(near2, d), node(far2, d))},
					}) {
						return
					}
				}
			}
		}
	}
}

// commonHouse returns a house of two cells that see each other: the line, if they are
// in one.
func commonHouse(a, b Cell) House {
	for _, h := range housesOf[a] {
		if houses[h].Has(b) {
			return h
		}
	}
	panic("the cells do not see each other")
}

func turbotReason(s *Step, say Say) string {
	c := s.Cells
	return say("%v has two places in %v, %v and %v, and two in %v, %v and %v; %v and %v share %v, so at least one of %v and %v is %v, and cells that see both are not",
		s.Digits, s.Houses[0], c[0], c[1], s.Houses[1], c[2], c[3], c[1], c[2], s.Houses[2], c[0], c[3], s.Digits)
}
