package human

// findWWing finds two cells with the same two candidates, and a house in which the
// only places for one of them are seen by one each: then one of the cells is the other.
func findWWing(p *Position, out *results) {
	var buffer [27]pair
	two := p.with(2)
	for a := range two.All() {
		for b := range two.All() {
			s := p.cells[a]
			if b <= a || p.cells[b] != s || peers[a].Has(b) {
				continue
			}
			both := peers[a].and(peers[b])
			for z := range s.All() {
				if !both.meets(p.places[z]) {
					continue
				}
				x := (s &^ (1 << z)).first()
				for _, pr := range p.pairs(x, buffer[:0]) {
					for range 2 {
						pr.a, pr.b = pr.b, pr.a
						if !peers[a].Has(pr.a) || !peers[b].Has(pr.b) {
							continue
						}
						if out.add(Step{
							Eliminate: p.of(z, both), Digits: s, Cells: []Cell{a, b, pr.a, pr.b}, Houses: []House{pr.house},
							Chains: [][]Link{alternating(node(a, z), node(a, x), node(pr.a, x), node(pr.b, x), node(b, x), node(b, z))},
						}) {
							return
						}
					}
				}
			}
		}
	}
}

func wWingReason(s *Step, say Say) string {
	x, z := s.Chains[0][0].To.Digit, s.Chains[0][0].From.Digit
	c := s.Cells
	return say("%v and %v are both %d or %d; %d is in %v or %v of %v, and takes it from one of them, so one of %v and %v is %d, and cells that see both are not",
		c[0], c[1], x, z, x, c[2], c[3], s.Houses[0], c[0], c[1], z)
}
