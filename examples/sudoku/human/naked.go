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
		open := p.open(h, n, cells[:0])
		if len(open) < n {
			continue
		}
		if p.choose(open, 0, Set{}, func(chosen Set, union Digits) verdict {
			switch k := chosen.Len(); {
			case union.Len() <= n && k < n:
				return extend
			case k == n && nakedFound(p, h, union, chosen, kind.locked, out):
				return stop
			}
			return skip
		}) {
			return
		}
	}
}

// open adds the cells of a house with two to n candidates.
func (p *Position) open(h House, n int, cells []Cell) []Cell {
	for _, c := range cellsOf[h] {
		if k := p.cells[c].Len(); k >= 2 && k <= n {
			cells = append(cells, c)
		}
	}
	return cells
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

// A verdict says how [Position.choose] continues.
type verdict int

const (
	extend verdict = iota // with this choice and more cells
	skip                  // with other choices
	stop                  // not at all
)

// choose tries all choices of some open cells, with their candidates and those of union: each
// choice before those that add cells to it.
func (p *Position) choose(open []Cell, union Digits, chosen Set, try func(chosen Set, union Digits) verdict) (end bool) {
	for i, c := range open {
		with, u := chosen, union|p.cells[c]
		with.add(c)
		if v := try(with, u); v == stop || v == extend && p.choose(open[i+1:], u, with, try) {
			return true
		}
	}
	return false
}

func nakedReason(s *Step, say Say) string {
	return say("%v have no candidates but %s, as many as there are cells: no other cell of %s can have them",
		Cells(s.Cells...), s.Digits.words("and", say), houseWords(s.Houses, say))
}
