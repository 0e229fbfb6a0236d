package human

// findPivot finds a cell, the pivot, that sees two cells with two candidates, the
// pincers: whichever digit the pivot takes, one of the cells of the wing is z.
func findPivot(p *Position, size int, out *results) {
	two := p.with(2)
	for pivot := range p.empty.All() {
		have := p.cells[pivot]
		if have.Len() != size {
			continue
		}
		near := two.and(peers[pivot])
		for a := range near.All() {
			sa := p.cells[a]
			if size == 3 && sa&^have != 0 || (sa&have).Len() != size-1 {
				continue
			}
			for b := range near.All() {
				sb := p.cells[b]
				if b <= a || sb == sa || (sa|sb|have).Len() != 3 || (sa&sb).Len() != 1 || (sb&have).Len() != size-1 {
					continue
				}
				if size == 2 && sa&sb&have != 0 {
					continue
				}
				z := (sa & sb).first()
				lose := peers[a].and(peers[b])
				if size == 3 {
					lose = lose.and(peers[pivot])
				}
				if !lose.meets(p.places[z]) {
					continue
				}
				x, y := (sa &^ (1 << z)).first(), (sb &^ (1 << z)).first()
				if out.add(Step{
					Eliminate: p.of(z, lose), Digits: sa | sb, Cells: []Cell{pivot, a, b},
					Chains: [][]Link{alternating(node(a, z), node(a, x), node(pivot, x), node(pivot, y), node(b, y), node(b, z))},
				}) {
					return
				}
			}
		}
	}
}

func wingReason(s *Step, say Say) string {
	chain := s.Chains[0]
	x, y, z := chain[0].To.Digit, chain[4].From.Digit, chain[0].From.Digit
	pivot, a, b := s.Cells[0], s.Cells[1], s.Cells[2]
	if s.Technique == XYZWing {
		return say("%v is %d, %d or %d: %d makes %v %d, %d makes %v %d, so one of the three cells is %d, and cells that see all three are not",
			pivot, x, y, z, x, a, z, y, b, z, z)
	}
	return say("%v is %d or %d: %d makes %v %d, %d makes %v %d, so one of %v and %v is %d, and cells that see both are not",
		pivot, x, y, x, a, z, y, b, z, a, b, z)
}
