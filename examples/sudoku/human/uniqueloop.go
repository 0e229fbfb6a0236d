package human

import (
	"cmp"
	"slices"
)

// findUniqueLoop finds loops of four or more cells with two common candidates that
// visit each house twice or never: without other candidates they could be swapped.
func findUniqueLoop(p *Position, out *results) {
	l := loops{p: p}
	for start := range p.with(2).All() {
		l.digits = p.cells[start]
		l.common = p.places[l.digits.first()].and(p.places[(l.digits &^ (1 << l.digits.first())).first()])
		if l.common.Len() >= 4 {
			l.path = l.path[:0]
			l.extend(start, -1, 2, 0)
		}
	}
	slices.SortStableFunc(l.found, func(a, b Step) int { return cmp.Compare(a.Rating, b.Rating) })
	for _, s := range l.found {
		if out.add(s) {
			return
		}
	}
}

type loops struct {
	p      *Position
	digits Digits
	common Set // the cells with both digits
	path   []Cell
	found  []Step
	seen   []Set
}

// extend continues the path to a cell that is reached through a kind of house. So many
// more cells may have other candidates that are not all the same.
func (l *loops) extend(c Cell, through, left int, other Digits) {
	l.path = append(l.path, c)
	defer func() { l.path = l.path[:len(l.path)-1] }()
	if len(l.path) > 14 {
		return
	}
	for kind := range 3 {
		if kind == through {
			continue
		}
		for next := range houses[housesOf[c][kind]].and(l.common).All() {
			if next == l.path[0] && len(l.path) >= 4 && len(l.path)%2 == 0 {
				l.close()
				continue
			}
			if slices.Contains(l.path, next) || next < l.path[0] && l.p.cells[next].Len() == 2 {
				continue
			}
			extra := l.p.cells[next] &^ l.digits
			all := other | extra
			switch {
			case extra == 0:
				l.extend(next, kind, left, other)
			case left > 0 || all.Len() == 1:
				l.extend(next, kind, left-1, all)
			}
		}
	}
}

func (l *loops) close() {
	var odd, even [27]bool
	for i, c := range l.path {
		visited := &even
		if i%2 == 1 {
			visited = &odd
		}
		for _, h := range housesOf[c] {
			if visited[h] {
				return
			}
			visited[h] = true
		}
	}
	cells := Cells(l.path...)
	if odd != even || slices.Contains(l.seen, cells) {
		return
	}
	l.seen = append(l.seen, cells)
	var extra Set
	var other Digits
	for c := range cells.All() {
		if s := l.p.cells[c] &^ l.digits; s != 0 {
			extra.add(c)
			other |= s
		}
	}
	base := Rating(45)
	switch n := len(l.path); {
	case n >= 10:
		base = 50
	case n == 8:
		base = 47
	case n == 6:
		base = 46
	}
	step := Step{Rating: base, Digits: l.digits, Cells: slices.Clone(l.path), Fins: extra}
	add := func(lose []Candidate) {
		if len(lose) > 0 {
			step.Eliminate = lose
			l.found = append(l.found, step)
		}
	}
	if extra.Len() == 1 {
		add(l.p.ofAll(l.digits, extra))
		return
	}
	if other.Len() == 1 {
		add(l.p.of(other.first(), extra.seen()))
	}
	if extra.Len() != 2 {
		return
	}
	for _, h := range extra.houses() {
		step.Houses = []House{h}
		for d := range l.digits.All() {
			if l.p.in(h, d).in(extra) {
				add(l.p.of((l.digits &^ (1 << d)).first(), extra))
			}
		}
	}
	if other.Len() < 2 {
		return
	}
	for _, h := range extra.houses() {
		step.Houses = []House{h}
		// Naked subsets with the other candidates.
		l.p.choose(houses[h].and(l.p.empty).not(extra).list(), other, Set{}, func(chosen Set, union Digits) verdict {
			if n := chosen.Len(); union.Len() == n+1 {
				step.Rating, step.Sets = base+Rating(n), []Locked{{chosen, union}}
				add(l.p.ofAll(union, houses[h].not(extra).not(chosen)))
				return skip
			}
			if union.Len() > 7 {
				return skip
			}
			return extend
		})
	}
}

func uniqueLoopReason(s *Step, say Say) string {
	cause := rectangleWords(s, say)
	switch {
	case len(s.Sets) > 0:
		return say("%s; so one of %v is another candidate, and together with %v it takes the digits %s of %v",
			cause, s.Fins, s.Sets[0].Cells, s.Sets[0].Digits.words("and", say), s.Houses[0])
	case s.Fins.Len() == 1:
		return say("%s; so %v is one of its other candidates", cause, s.Fins)
	case s.Digits.Has(s.Eliminate[0].Digit):
		d := s.Eliminate[0].Digit
		return say("%s; %d of %v is in one of %v, so neither of them is %d", cause, (s.Digits &^ (1 << d)).first(), s.Houses[0], s.Fins, d)
	}
	return say("%s; so one of %v is %d, and cells that see all of these are not", cause, s.Fins, s.Eliminate[0].Digit)
}
