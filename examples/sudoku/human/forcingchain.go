package human

import (
	"cmp"
	"slices"
)

// The kinds of links that a chain may use: those of one digit in houses, or those of
// cells as well. A chain of cells only continues from a false candidate in its cell.
type chainMode struct {
	cells, houses bool
	cycle, chain  Rating // of the shortest cycles and chains
	order         int    // among those that are equally long
}

var chainModes = [...]chainMode{{false, true, 65, 66, 2}, {true, false, 65, 0, 3}, {true, true, 70, 70, 4}}

// lengthRating returns what a chain's length, in states, adds to its rating: a tenth
// above 4, 6, 8, 12, 16, 24 … states besides the first and the last.
func lengthRating(length int) (add Rating) {
	length -= 2
	for limit, odd := 4, false; length > limit; odd = !odd {
		add++
		if odd {
			limit = limit * 4 / 3
		} else {
			limit = limit * 3 / 2
		}
	}
	return add
}

// A chainSearch looks for cycles and chains in a graph.
type chainSearch struct {
	graph
	found    []chainStep
	best     bool          // only the easiest step is wanted
	kept     map[state]int // else the places of the steps that conclude a state
	parent   [states]state
	seen     [states]uint32
	depth    [states]int16
	round    uint32
	on, next []int16
}

// A chainStep is a step with what steps are compared by.
type chainStep struct {
	Step
	length, order int
}

func compareChains(a, b chainStep) int {
	return cmp.Or(cmp.Compare(a.Rating, b.Rating), cmp.Compare(a.length, b.length), cmp.Compare(a.order, b.order))
}

// start begins a search for the best step, or for all.
func (s *chainSearch) start(p *Position, best bool) {
	s.build(p)
	s.found, s.best = s.found[:0], best
	if s.kept == nil {
		s.kept = map[state]int{}
	}
	clear(s.kept)
}

// wants tells whether a chain would be kept.
func (s *chainSearch) wants(base Rating, length, order int) bool {
	return !s.best || len(s.found) == 0 || s.found[0].above(base, length, order)
}

// wantsFor tells whether a chain to a conclusion would be kept.
func (s *chainSearch) wantsFor(conclusion state, base Rating, length, order int) bool {
	if i, ok := s.kept[conclusion]; ok && !s.best {
		return s.found[i].above(base, length, order)
	}
	return s.wants(base, length, order)
}

// above tells whether a step is harder than another one.
func (c *chainStep) above(base Rating, length, order int) bool {
	return cmp.Or(cmp.Compare(base+lengthRating(length), c.Rating), cmp.Compare(length, c.length), cmp.Compare(order, c.order)) < 0
}

func (s *chainSearch) add(step Step, length, order int) {
	if s.best {
		s.found = s.found[:0]
	}
	s.found = append(s.found, chainStep{step, length, order})
}

// addFor adds the step to a conclusion, in the place of a harder one.
func (s *chainSearch) addFor(conclusion state, step Step, length, order int) {
	if i, ok := s.kept[conclusion]; ok && !s.best {
		s.found[i] = chainStep{step, length, order}
		return
	}
	s.kept[conclusion] = len(s.found)
	s.add(step, length, order)
}

// report adds what was found to the results.
func (s *chainSearch) report(out *results) {
	slices.SortStableFunc(s.found, compareChains)
	for _, f := range s.found {
		if out.add(f.Step) {
			return
		}
	}
}

// findCycle finds cycles of links that hold in both directions.
func findCycle(p *Position, out *results) {
	findChains(p, out, func(s *chainSearch, mode chainMode, c int16) {
		if mode.houses || s.strongCell[c] > 0 {
			s.cycles(mode, c)
		}
	})
}

// findForcingChain finds candidates that imply the opposite of themselves.
func findForcingChain(p *Position, out *results) {
	findChains(p, out, func(s *chainSearch, mode chainMode, c int16) {
		if mode.houses {
			s.chain(mode, state(2*c+1))
			s.chain(mode, state(2*c))
		}
	})
}

func findChains(p *Position, out *results, search func(*chainSearch, chainMode, int16)) {
	s := out.chains()
	s.start(p, out.limit == 1)
	for _, mode := range chainModes {
		for _, c := range s.candidates {
			search(s, mode, c)
		}
	}
	s.report(out)
}

// weakLinks and strongLinks return the links that a mode allows.
func (s *chainSearch) weakLinks(mode chainMode, c int16) []int16 {
	if mode.cells {
		return s.weak[c]
	}
	return s.weak[c][s.weakCell[c]:]
}

func (s *chainSearch) strongLinks(mode chainMode, c int16) []int16 {
	switch {
	case mode.cells && mode.houses:
		return s.strong[c]
	case mode.cells:
		return s.strong[c][:s.strongCell[c]]
	}
	return s.strong[c][s.strongCell[c]:]
}

// chain looks for the shortest chain from a state to its opposite.
func (s *chainSearch) chain(mode chainMode, source state) {
	s.round++
	s.on = s.on[:0]
	s.seen[source], s.depth[source] = s.round, 1
	if source.on() {
		s.on = append(s.on, int16(source/2))
	} else if s.offToOn(mode, int16(source/2), source) {
		return
	}
	for len(s.on) > 0 {
		level := s.on
		s.on = s.next[:0]
		for _, p := range level {
			from := state(2*p + 1)
			length := int(s.depth[from]) + 1
			if !s.wants(mode.chain, length, mode.order) {
				s.next = level
				return
			}
			for _, q := range s.weakLinks(mode, p) {
				off := state(2 * q)
				if s.seen[off] == s.round {
					continue
				}
				if off == source.not() || len(s.strongLinks(mode, q)) > 0 {
					s.seen[off], s.parent[off], s.depth[off] = s.round, from, int16(length)
					if off == source.not() {
						s.addChain(mode, off, length)
						s.next = level
						return
					}
					if s.offToOn(mode, q, source) {
						s.next = level
						return
					}
				}
			}
		}
		s.next = level
	}
}

// offToOn infers what is true when a candidate is false, and tells whether that is the
// opposite of the source.
func (s *chainSearch) offToOn(mode chainMode, q int16, source state) (done bool) {
	off := state(2 * q)
	for _, r := range s.strongLinks(mode, q) {
		on := state(2*r + 1)
		if s.seen[on] == s.round {
			continue
		}
		s.seen[on], s.parent[on], s.depth[on] = s.round, off, s.depth[off]+1
		if on == source.not() {
			s.addChain(mode, on, int(s.depth[on]))
			return true
		}
		s.on = append(s.on, r)
	}
	return false
}

func (s *chainSearch) addChain(mode chainMode, target state, length int) {
	if !s.wantsFor(target, mode.chain, length, mode.order) {
		return
	}
	step := Step{Rating: mode.chain + lengthRating(length)}
	var chain []Link
	for at := target; at != target.not(); at = s.parent[at] {
		chain = append(chain, link(s.parent[at], at))
	}
	slices.Reverse(chain)
	step.Chains = [][]Link{chain}
	for _, l := range chain {
		step.Digits |= 1<<l.From.Digit | 1<<l.To.Digit
	}
	step.conclude(target)
	s.addFor(target, step, length, mode.order)
}

// cycles looks for cycles through a candidate. The parent of a true candidate is the
// true one two links before, as a false one may be on several paths; the place for the
// parent of its opposite notes the false one between them.
func (s *chainSearch) cycles(mode chainMode, source int16) {
	s.round++
	start := state(2*source + 1)
	s.seen[start], s.depth[start], s.parent[start] = s.round, 1, -1
	s.on = append(s.on[:0], source)
	for len(s.on) > 0 {
		level := s.on
		s.on = s.next[:0]
		for _, p := range level {
			from := state(2*p + 1)
			length := int(s.depth[from]) + 1 // of a cycle that closes from here
			if !s.wants(mode.cycle, length, mode.order) {
				s.next = level
				return
			}
			for _, q := range s.weakLinks(mode, p) {
				links := s.strongLinks(mode, q)
				if len(links) == 0 || s.isAncestor(from, state(2*q)) {
					continue
				}
				for _, r := range links {
					on := state(2*r + 1)
					if r == source && length >= 4 {
						s.addCycle(mode, start, from, state(2*q), length)
					}
					if s.seen[on] == s.round {
						continue
					}
					s.seen[on], s.parent[on], s.depth[on] = s.round, from, s.depth[from]+2
					s.parent[on.not()] = state(2 * q)
					s.on = append(s.on, r)
				}
			}
		}
		s.next = level
	}
}

func (s *chainSearch) isAncestor(on, off state) bool {
	for on >= 0 {
		if parent := s.parent[on]; parent >= 0 && s.parent[on.not()] == off {
			return true
		}
		on = s.parent[on]
	}
	return false
}

// addCycle adds a cycle that goes from the start to a true candidate, and from there
// through a false one back.
func (s *chainSearch) addCycle(mode chainMode, start, from, through state, length int) {
	if !s.wants(mode.cycle, length, mode.order) {
		return
	}
	var line []state // backwards
	line = append(line, start, through)
	for at := from; at != start; at = s.parent[at] {
		line = append(line, at, s.parent[at.not()])
	}
	// True candidates take their digit from cells in one direction, false ones in the
	// other: what both see is lost in any case.
	var cells Set
	var ons, offs [10]Set
	for _, at := range line {
		cells.add(at.cell())
		if at.on() {
			ons[at.digit()] = ons[at.digit()].or(peers[at.cell()])
		} else {
			offs[at.digit()] = offs[at.digit()].or(peers[at.cell()])
		}
	}
	step := Step{Rating: mode.cycle + lengthRating(length)}
	for d := 1; d <= 9; d++ {
		step.Eliminate = append(step.Eliminate, s.p.of(d, ons[d].and(offs[d]).not(cells))...)
	}
	if len(step.Eliminate) == 0 {
		return
	}
	slices.Reverse(line)
	chain := []Link{link(start, line[0])}
	for i := 1; i < len(line); i++ {
		chain = append(chain, link(line[i-1], line[i]))
	}
	for _, l := range chain {
		step.Digits |= 1 << l.From.Digit
	}
	step.Cells, step.Chains = cells.list(), [][]Link{chain}
	s.add(step, length, mode.order)
}

func forcingChainReason(s *Step, say Say) string {
	chain := s.Chains[0]
	if len(s.Place) > 0 {
		return say("%s: a candidate that follows from its own absence is right", chainWords(chain, say))
	}
	return say("%s: a candidate that excludes itself is wrong", chainWords(chain, say))
}

func cycleReason(s *Step, say Say) string {
	return say("%s: the cycle holds in both directions, so of each two neighbors one is right, and what both exclude is wrong",
		chainWords(s.Chains[0], say))
}
