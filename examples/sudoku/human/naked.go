package human

// A nakedKind says which subsets are looked for.
type nakedKind struct {
	size   int
	locked bool
}

// findNaked finds n cells of a house with n candidates together. When they are in two
// houses and both lose candidates, the subset is locked; it is found either as that or
// as a naked one.
func findNaked(p *Position, kind nakedKind, out *results) {
	n := kind.size
	for h := range House(27) {
		if out.skips(h, 0) || houses[h].and(p.empty).Len() <= n {
			continue
		}
		var cells [9]Cell
		open := cells[:0]
		for _, c := range cellsOf[h] {
			if k := p.cells[c].Len(); k >= 2 && k <= n {
				open = append(open, c)
			}
		}
		if len(open) < n {
			continue
		}
		if nakedIn(p, h, open, n, 0, Set{}, kind.locked, out) {
			return
		}
	}
}

// nakedIn chooses the remaining n cells of a subset.
func nakedIn(p *Position, h House, open []Cell, n int, union Digits, chosen Set, locked bool, out *results) (enough bool) {
	if n == 0 {
		return nakedFound(p, h, union, chosen, locked, out)
	}
	size := chosen.Len() + n
	for i, c := range open[:max(0, len(open)-n+1)] {
		if u := union | p.cells[c]; u.Len() <= size {
			with := chosen
			with.add(c)
			if nakedIn(p, h, open[i+1:], n-1, u, with, locked, out) {
				return true
			}
		}
	}
	return false
}

func nakedFound(p *Position, h House, union Digits, cells Set, locked bool, out *results) (enough bool) {
	if union.Len() != cells.Len() {
		return false
	}
	seen := cells.seen()
	if !meetsAny(p, union, seen) {
		return false
	}
	other, two := crossing(h, cells)
	if two && h.kind() == box {
		return false // found in the line
	}
	both := two && cells.Len() <= 3 && meetsAny(p, union, seen.and(houses[h])) && meetsAny(p, union, seen.and(houses[other]))
	if both != locked {
		return false
	}
	in := []House{h}
	if two {
		in = append(in, other)
	}
	return out.add(Step{Eliminate: p.ofAll(union, seen), Digits: union, Cells: cells.list(), Houses: in})
}

// meetsAny tells whether one of the digits is a candidate in the cells.
func meetsAny(p *Position, s Digits, cells Set) bool {
	for d := range s.All() {
		if p.places[d].meets(cells) {
			return true
		}
	}
	return false
}

func nakedReason(s *Step, say Say) string {
	return say("%v have no candidates but %s, as many as there are cells: no other cell of %s can have them",
		Cells(s.Cells...), s.Digits.words("and", say), houseWords(s.Houses, say))
}
