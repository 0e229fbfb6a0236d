package human

// findHidden finds n digits with n places together in a house.
func findHidden(p *Position, n int, out *results) {
	for i := range House(27) {
		h := (i + 18) % 27
		if out.skips(h, 0) || houses[h].and(p.empty).Len() <= n {
			continue
		}
		var few [9]int
		digits := p.few(h, n, few[:0])
		if len(digits) >= n && hiddenIn(p, h, digits, n, 0, Set{}, func(chosen Digits, places Set) bool {
			lose := p.ofAll(allDigits&^chosen, places)
			return lose != nil && out.add(Step{Eliminate: lose, Digits: chosen, Cells: places.list(), Houses: []House{h}})
		}) {
			return
		}
	}
}

// few adds the digits with two to n places in a house.
func (p *Position) few(h House, n int, digits []int) []int {
	for d := 1; d <= 9; d++ {
		if k := p.in(h, d).Len(); k >= 2 && k <= n {
			digits = append(digits, d)
		}
	}
	return digits
}

// hiddenIn chooses the remaining n digits of a hidden subset and calls found with
// each one that is complete, until that returns true.
func hiddenIn(p *Position, h House, open []int, n int, chosen Digits, places Set, found func(Digits, Set) bool) bool {
	size := chosen.Len() + n
	for i, d := range open[:max(0, len(open)-n+1)] {
		all := places.or(p.in(h, d))
		if all.Len() > size {
			continue
		}
		if n == 1 {
			if all.Len() == size && found(chosen|1<<d, all) {
				return true
			}
		} else if hiddenIn(p, h, open[i+1:], n-1, chosen|1<<d, all, found) {
			return true
		}
	}
	return false
}

func hiddenReason(s *Step, say Say) string {
	return say("in %v the digits %s have no places but %v, as many as there are digits: these cells have no room for others",
		s.Houses[0], s.Digits.words("and", say), Cells(s.Cells...))
}
