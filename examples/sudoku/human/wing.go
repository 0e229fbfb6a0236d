package human

// findWings finds n-1 cells of a house with n candidates, and another cell with two of
// these, x and z, that sees each place for x in them: z is in one of the n cells.
func findWings(p *Position, n int, out *results) {
	var found []Step
	two := p.with(2)
	for h := range House(27) {
		var cells [9]Cell
		open := p.open(h, n, cells[:0])
		if len(open) < n-1 {
			continue
		}
		p.choose(open, 0, Set{}, func(chosen Set, union Digits) verdict {
			switch {
			case union.Len() > n:
				return skip
			case chosen.Len() < n-1:
				return extend
			}
			if _, inLine := crossing(h, chosen); union.Len() == n && !(inLine && h.kind() == box) {
				wingsWith(p, n, h, union, chosen, two, &found)
			}
			return skip
		})
	}
	out.addSorted(found)
}

func wingsWith(p *Position, n int, h House, union Digits, chosen, two Set, found *[]Step) {
	for c := range two.not(chosen).All() {
		s := p.cells[c]
		if s&^union != 0 {
			continue
		}
		for x := range s.All() {
			z := (s &^ (1 << x)).first()
			seesX := chosen.and(p.places[x]).in(peers[c])
			seesZ := chosen.and(p.places[z]).in(peers[c])
			if !seesX || seesZ && x > z {
				continue
			}
			whole := chosen
			whole.add(c)
			var lose []Candidate
			for d := range union.All() { // both links: every digit of the cells is locked in them
				if d == z || seesZ {
					holders := whole.and(p.places[d])
					lose = append(lose, p.of(d, holders.seen().not(whole))...)
				}
			}
			if len(lose) == 0 {
				continue
			}
			*found = append(*found, Step{
				Rating: wingRating(p, n, chosen), Eliminate: lose, Digits: s, Cells: append([]Cell{c}, chosen.list()...), Houses: []House{h},
				Sets:   []Locked{{Cells(c), s}, {chosen, union}},
				Chains: [][]Link{alternating(node(c, z), node(c, x), Node{x, chosen.and(p.places[x])}, Node{z, chosen.and(p.places[z])})},
			})
		}
	}
}

// wingRating depends on the largest number of candidates of the cells in the house.
func wingRating(p *Position, n int, chosen Set) Rating {
	largest := 0
	for c := range chosen.All() {
		largest = max(largest, p.cells[c].Len())
	}
	middle := (n + 2) / 2
	switch n {
	case 4:
		return Rating(55 + n - middle - abs(middle-largest))
	case 5:
		return Rating(62 + n - middle - abs(middle-largest))
	case 6:
		return 66
	}
	return 75
}

func abs(n int) int { return max(n, -n) }

func wingsReason(s *Step, say Say) string {
	chain := s.Chains[0]
	x, z := chain[0].To.Digit, chain[0].From.Digit
	set := s.Sets[1]
	return say("%v have the digits %s only; if %v is %d, they lose it and hold one each of the others; so %d is in %v or in them, and what sees all these places loses it",
		set.Cells, set.Digits.words("and", say), s.Cells[0], x, z, s.Cells[0])
}
