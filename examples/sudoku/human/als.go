package human

import "slices"

// An als is an almost locked set: cells of a house with one candidate more than cells.
type als struct {
	Locked
	house  House
	places [10]Set // of each digit
	seen   [10]Set // the cells that see all places of a digit
}

// almostLocked returns the almost locked sets of a position, which several techniques use.
func (s *scratch) almostLocked(p *Position) []als {
	if s.setsOf != *p {
		s.setsOf, s.sets, s.links = *p, p.almostLocked(), nil
	}
	return s.sets
}

// An alsLink says that an almost locked set has digits in common with another one that only
// one of them can hold.
type alsLink struct {
	set    int // the other one
	common Digits
}

// alsLinks returns the links of each almost locked set of a position.
func (s *scratch) alsLinks(p *Position) [][]alsLink {
	all := s.almostLocked(p)
	if s.links != nil {
		return s.links
	}
	s.links = make([][]alsLink, len(all))
	for i := range all {
		for j := range i {
			if all[i].Digits&all[j].Digits == 0 {
				continue
			}
			if x := restricted(&all[i], &all[j]); x != 0 {
				s.links[i] = append(s.links[i], alsLink{j, x})
				s.links[j] = append(s.links[j], alsLink{i, x})
			}
		}
	}
	return s.links
}

// almostLocked returns the almost locked sets of a position, from the smallest to the
// largest, each once.
func (p *Position) almostLocked() []als {
	var all []als
	known := map[Set]bool{}
	for h := range House(27) {
		var cells [9]Cell
		open := p.open(h, 9, cells[:0])
		for subset := 1; subset < 1<<len(open)-1; subset++ {
			chosen, union := p.choice(open, subset)
			if union.Len() != chosen.Len()+1 || known[chosen] {
				continue
			}
			known[chosen] = true
			a := als{Locked: Locked{chosen, union}, house: h}
			for d := range union.All() {
				a.places[d] = chosen.and(p.places[d])
				a.seen[d] = a.places[d].seen()
			}
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b als) int { return a.Cells.Len() - b.Cells.Len() })
	return all
}

// restricted returns the digits that only one of two sets can hold: all their places
// in one see all those in the other. Sets may overlap, but not in such a digit.
func restricted(a, b *als) (common Digits) {
	overlap := a.Cells.and(b.Cells)
	for d := range (a.Digits & b.Digits).All() {
		if a.places[d].in(b.seen[d]) && !overlap.meets(a.places[d]) {
			common |= 1 << d
		}
	}
	return common
}

// words returns a set as in "r1c25 with 137".
func (l Locked) words(say Say) string { return say("%v with %v", l.Cells, l.Digits) }

// findALSXZ finds two almost locked sets with a digit x that only one of them can
// hold: the other is locked, and so one of them has each other digit z that they share.
// Two such digits x lock both.
func findALSXZ(p *Position, out *results) {
	all := out.almostLocked(p)
	for i := range all {
		for j := range i {
			a, b := &all[j], &all[i]
			if a.Cells.in(b.Cells) || b.Cells.in(a.Cells) || (a.Digits&b.Digits).Len() < 2 {
				continue
			}
			x := restricted(a, b)
			if x == 0 {
				continue
			}
			step := Step{Digits: x, Sets: []Locked{a.Locked, b.Locked}, Houses: []House{a.house, b.house}, Cells: a.Cells.or(b.Cells).list()}
			var lose []Candidate
			both := a.Cells.or(b.Cells)
			for z := range (a.Digits & b.Digits).All() {
				if x.Len() > 1 || !x.Has(z) {
					lose = append(lose, p.of(z, a.seen[z].and(b.seen[z]).not(both))...)
				}
			}
			if x.Len() > 1 && !a.Cells.meets(b.Cells) {
				for _, set := range [...]*als{a, b} {
					for d := range (set.Digits &^ x).All() {
						lose = append(lose, p.of(d, set.seen[d].not(both))...)
					}
				}
			}
			lose = unique(lose)
			if len(lose) == 0 {
				continue
			}
			step.Eliminate = lose
			if out.add(step) {
				return
			}
		}
	}
}

// unique removes candidates that are in a list more than once.
func unique(list []Candidate) []Candidate {
	kept := list[:0]
	for _, c := range list {
		if !slices.Contains(kept, c) {
			kept = append(kept, c)
		}
	}
	return kept
}

func alsXZReason(s *Step, say Say) string {
	sets := say("%s and %s lack one digit each to be locked", s.Sets[0].words(say), s.Sets[1].words(say))
	if s.Digits.Len() > 1 {
		return say("%s; each of %s can only be in one of them, so they have one each, and all their digits are locked in them", sets, s.Digits.words("and", say))
	}
	return say("%s; %v can only be in one of them, so the other is locked, and cells that see all places of another common digit lose it", sets, s.Digits)
}

// findALSXYWing finds an almost locked set, the pivot, with two others: it can hold
// neither x together with the first nor y together with the second, so that one of
// these is locked, and has each digit z that both have.
func findALSXYWing(p *Position, out *results) {
	all, links := out.almostLocked(p), out.alsLinks(p)
	for c := range all {
		for i, first := range links[c] {
			for _, second := range links[c][:i] {
				a, b := &all[second.set], &all[first.set]
				if (second.common|first.common).Len() < 2 || a.Cells.in(b.Cells) || b.Cells.in(a.Cells) {
					continue
				}
				common := a.Digits & b.Digits
				if common == 0 {
					continue
				}
				for x := range second.common.All() {
					for y := range (first.common &^ (1 << x)).All() {
						var lose []Candidate
						for z := range (common &^ (1<<x | 1<<y)).All() {
							lose = append(lose, p.of(z, a.seen[z].and(b.seen[z]))...)
						}
						if len(lose) == 0 {
							continue
						}
						if out.add(Step{
							Eliminate: lose, Digits: digits(x, y), Cells: all[c].Cells.list(),
							Sets: []Locked{all[c].Locked, a.Locked, b.Locked}, Houses: []House{all[c].house, a.house, b.house},
							Chains: [][]Link{{{Node{x, a.places[x]}, Node{x, all[c].places[x]}, Weak}, {Node{x, all[c].places[x]}, Node{y, all[c].places[y]}, Strong},
								{Node{y, all[c].places[y]}, Node{y, b.places[y]}, Weak}}},
						}) {
							return
						}
					}
				}
			}
		}
	}
}

func alsXYWingReason(s *Step, say Say) string {
	chain := s.Chains[0]
	return say("%s lacks one digit to be locked: %d can be in it or in %s, %d in it or in %s; so one of the latter two is locked, and cells that see all places of a digit of both lose it",
		s.Sets[0].words(say), chain[0].From.Digit, s.Sets[1].words(say), chain[2].From.Digit, s.Sets[2].words(say))
}
