package human

// findEmptyRectangle finds boxes in which the places of a digit lie in a row and a
// column, and a pair with one end in one of these: the other end and the other line
// take the digit from the cell where they meet.
func findEmptyRectangle(p *Position, out *results) {
	var buffer [27]pair
	for d := 1; d <= 9; d++ {
		all := p.pairs(d, buffer[:0])
		for b := House(18); b < 27; b++ {
			places := p.in(b, d)
			if n := places.Len(); n < 2 || n > 5 {
				continue
			}
			for _, center := range cellsOf[b] {
				r, c := housesOf[center][row], housesOf[center][column]
				inRow, inColumn := places.and(houses[r]), places.and(houses[c])
				if !places.in(inRow.or(inColumn)) || inRow.not(houses[c]).Empty() || inColumn.not(houses[r]).Empty() {
					continue
				}
				for _, pr := range all {
					if houses[b].Has(pr.a) || houses[b].Has(pr.b) || pr.house.kind() == box {
						continue
					}
					for range 2 {
						pr.a, pr.b = pr.b, pr.a
						line, arm, other, otherArm := r, inRow, c, inColumn // the line with an end of the pair
						if pr.house.kind() == row {
							line, arm, other, otherArm = c, inColumn, r, inRow
						}
						if !houses[line].Has(pr.a) {
							continue
						}
						lose := houses[other].and(peers[pr.b]).not(houses[b]).and(houses[parallel(pr.b, line)])
						if !lose.meets(p.places[d]) {
							continue
						}
						if out.add(Step{
							Eliminate: p.of(d, lose), Digits: digits(d), Cells: append(places.list(), pr.a, pr.b),
							Houses: []House{b, pr.house, line, other},
							Chains: [][]Link{alternating(Node{d, otherArm}, Node{d, arm}, node(pr.a, d), node(pr.b, d))},
						}) {
							return
						}
					}
				}
			}
		}
	}
}

// parallel returns the line of a cell that has the same direction as another line.
func parallel(c Cell, line House) House { return housesOf[c][line.kind()] }

func emptyRectangleReason(s *Step, say Say) string {
	n := len(s.Cells)
	a, b := s.Cells[n-2], s.Cells[n-1]
	return say("in %v all places for %v are in %v or %v, and in %v there are two, %v and %v: if %v is not %v, %v is, and %v keeps the places in %v; in both cases the cell where that meets the other line of %v is not %v",
		s.Houses[0], s.Digits, s.Houses[2], s.Houses[3], s.Houses[1], a, b, b, s.Digits, a, s.Houses[0], s.Houses[3], b, s.Digits)
}
