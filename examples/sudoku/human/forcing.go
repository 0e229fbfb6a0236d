package human

// findForced finds what follows from an assumption that contradicts itself, from both
// states of a candidate, from all candidates of a cell, or from all places of a digit
// in a house.
func findForced(p *Position, f forcing, out *results) {
	s := out.chains()
	s.start(p, out.limit == 1)
	n := out.network()
	n.reset(p, &s.graph, f)
	w := forcedSearch{network: n, chains: s, base: out.rating}
	for c := range p.empty.All() {
		size := p.cells[c].Len()
		if size < 2 || size == 2 && !f.dynamic {
			continue
		}
		w.cell(c, size)
	}
	s.report(out)
}

type forcedSearch struct {
	*network
	chains *chainSearch
	base   Rating
}

func (w *forcedSearch) cell(c Cell, size int) {
	var runs, all [9]*propagation
	k := 0
	for d := range w.p.cells[c].All() {
		on := w.from(stateOf(c, d, true))
		runs[k] = on
		k++
		if w.forcing.dynamic {
			w.contradiction(on)
			off := w.from(stateOf(c, d, false))
			w.contradiction(off)
			if size > 2 && !w.forcing.digitOnly {
				w.common([]*propagation{on, off}, 1, Step{Cells: []Cell{c}, Digits: digits(d)})
			}
		}
		if w.forcing.digitOnly {
			continue
		}
		for _, kind := range [...]int{box, row, column} {
			h := housesOf[c][kind]
			places := w.p.in(h, d)
			if n := places.Len(); n < 2 || places.first() != c {
				continue
			}
			m := 0
			for other := range places.All() {
				all[m] = w.from(stateOf(other, d, true))
				m++
			}
			w.common(all[:m], 6, Step{Cells: places.list(), Digits: digits(d), Houses: []House{h}})
		}
	}
	if !w.forcing.digitOnly {
		w.common(runs[:k], 5, Step{Cells: []Cell{c}, Digits: w.p.cells[c]})
	}
}

// contradiction adds the opposite of an assumption from which a state and its opposite follow.
func (w *forcedSearch) contradiction(r *propagation) {
	if r.clashOn < 0 {
		return
	}
	on, off := r.clashOn, r.clashOf
	length := w.ancestors(r, on) + w.ancestors(r, off)
	w.conclude(r.order[0].not(), length, 1, Step{Cells: []Cell{r.order[0].cell()}, Digits: digits(r.order[0].digit())}, func() [][]Link { return w.clash(r) })
}

// common adds the states that follow from all assumptions.
func (w *forcedSearch) common(runs []*propagation, order int, step Step) {
	least := runs[0]
	for _, r := range runs {
		if len(r.order) < len(least.order) {
			least = r
		}
	}
next:
	for _, s := range least.order {
		if least.at[s] < 0 {
			continue
		}
		for _, r := range runs {
			if r.at[s] < 0 {
				continue next
			}
		}
		length := 0
		for _, r := range runs {
			if length += w.ancestors(r, r.at[s]); !w.chains.wantsFor(s, w.base, length, order) {
				continue next
			}
		}
		w.conclude(s, length, order, step, func() (all [][]Link) {
			for _, r := range runs {
				if chain := w.chain(r, r.at[s]); len(chain) > 0 {
					all = append(all, chain)
				}
			}
			return all
		})
	}
}

func (w *forcedSearch) conclude(s state, length, order int, step Step, chains func() [][]Link) {
	if !w.chains.wantsFor(s, w.base, length, order) {
		return
	}
	step.Rating = w.base + lengthRating(length)
	step.conclude(s)
	step.Chains = chains()
	w.chains.addFor(s, step, length, order)
}

func forcedReason(s *Step, say Say) string {
	lines := list(s.Chains, func(c []Link) string { return chainWords(c, say) }, say)
	result := s.effect(say)
	switch {
	case len(s.Houses) > 0:
		return say("%v is in one of %v in %v; %s; so in any case %s", s.Digits, Cells(s.Cells...), s.Houses[0], lines, result)
	case s.Digits.Len() > 1:
		return say("%v is %s; %s; so in any case %s", s.Cells[0], s.Digits.words("or", say), lines, result)
	case len(s.Chains) < 2 || s.Chains[0][0].Kind.from() == s.Chains[1][0].Kind.from():
		return say("%s: a contradiction, so %s", lines, result)
	}
	return say("%v is either %v or not; %s; so in any case %s", s.Cells[0], s.Digits, lines, result)
}
