package human

// findAlignedPair finds two cells whose candidates are tried in pairs: a pair is
// impossible when the cells see each other and the digits are the same, or when it
// takes both candidates of a cell that both see. What is in no possible pair goes.
func findAlignedPair(p *Position, out *results) {
	two := p.with(2)
	for a := range p.empty.All() {
		for b := range p.empty.All() {
			if b <= a {
				continue
			}
			common := two.and(peers[a]).and(peers[b])
			if common.Empty() {
				continue
			}
			var bad [10]Digits // the digits that are impossible in one cell with a digit in the other
			if peers[a].Has(b) {
				for d := range bad {
					bad[d] = 1 << d
				}
			}
			for c := range common.All() {
				x := p.cells[c].first()
				y := (p.cells[c] &^ (1 << x)).first()
				bad[x] |= 1 << y
				bad[y] |= 1 << x
			}
			var goA, goB, used Digits
			for d := 1; d <= 9; d++ {
				if p.cells[b]&^bad[d] == 0 {
					goA |= 1 << d
				}
				if p.cells[a]&^bad[d] == 0 {
					goB |= 1 << d
				}
			}
			if p.cells[a]&goA|p.cells[b]&goB == 0 {
				continue
			}
			lose := append(p.ofAll(goA, Cells(a)), p.ofAll(goB, Cells(b))...)
			for _, c := range lose {
				used |= 1 << c.Digit
			}
			if out.add(Step{Eliminate: lose, Digits: used, Cells: []Cell{a, b}, Fins: common}) {
				return
			}
		}
	}
}

func alignedPairReason(s *Step, say Say) string {
	return say("each pair of digits for %v and %v with one of the eliminated candidates either has a digit twice in a house or leaves one of %v without a candidate",
		s.Cells[0], s.Cells[1], s.Fins)
}
