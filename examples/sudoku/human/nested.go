package human

import "slices"

// findNested finds a candidate that leads to a contradiction when chains within the
// chain are followed, to the least depth at which there is one. As they take long, it
// stops at the first. SukakuExplainer rates such chains from 9.5, 10.0 or 10.5 on, by
// what is nested, and picks the easiest; what is found here is about as hard with the
// base in the middle.
//
// Nothing is found for a puzzle that is not proper, as the search might not end.
func findNested(p *Position, out *results) {
	grid := p.Grid()
	solution, err := Solution(&grid)
	if err != nil {
		return
	}
	g := &out.chains().graph
	g.build(p)
	n, b := out.network(), out.boards()
	for depth := 1; depth < len(b); depth++ {
		n.reset(p, g, forcing{dynamic: true, patterns: true, nested: depth})
		for size := 2; size <= 9; size++ {
			for c := range p.empty.All() {
				if p.cells[c].Len() != size {
					continue
				}
				for d := range p.cells[c].All() {
					if solution[c/9][c%9] == d || !b.refutes(p, c, d, depth) {
						continue
					}
					r := n.from(stateOf(c, d, true))
					if r.clashOn < 0 {
						continue
					}
					length := n.ancestors(r, r.clashOn) + n.ancestors(r, r.clashOf) + r.nested
					out.add(Step{
						Rating: 95 + Rating(5*depth) + lengthRating(length), Eliminate: []Candidate{{c, d}},
						Digits: digits(d), Cells: []Cell{c}, Chains: n.clash(r),
					})
					return
				}
			}
		}
	}
}

// whenNested looks for a candidate that a chain within what is left contradicts, and
// tells whether there is one.
func (n *network) whenNested(r *propagation) bool {
	for size := 2; size <= 9; size++ {
		for c := range n.left.empty.All() {
			if n.left.cells[c].Len() != size {
				continue
			}
			for d := range n.left.cells[c].All() {
				if !n.boards.refutes(&n.left, c, d, n.forcing.nested-1) {
					continue
				}
				parents, length := n.causeNested(r, stateOf(c, d, true))
				if len(parents) == 0 {
					continue
				}
				off := stateOf(c, d, false)
				r.nested += length
				r.at[off] = r.add(off, parents...)
				n.queueOf = append(n.queueOf, r.at[off])
				return true
			}
		}
	}
	return false
}

// causeNested returns the eliminations that a nested chain needs, and its length.
func (n *network) causeNested(r *propagation, from state) (parents []int16, length int) {
	need := func(c Cell, d int) {
		if !n.p.Has(c, d) || n.left.Has(c, d) {
			return
		}
		if at := r.at[stateOf(c, d, false)]; !slices.Contains(parents, at) {
			parents = append(parents, at)
		}
	}
	if n.forcing.nested > 1 { // chains in chains in chains: everything so far
		for c := range n.p.empty.All() {
			for d := range (n.p.cells[c] &^ n.left.cells[c]).All() {
				need(c, d)
			}
		}
		return parents, 2 * len(parents)
	}
	in, g := ready(&n.inner), ready(&n.innerGraph)
	g.build(&n.left)
	in.reset(&n.left, g, forcing{dynamic: true})
	chain := in.from(from)
	for _, end := range [...]int16{chain.clashOn, chain.clashOf} {
		length += in.ancestors(chain, end)
		for i, s := range chain.order[:end+1] {
			if in.mark[i] != in.round || !s.on() || i == 0 {
				continue
			}
			var others Set // the places that the chain itself excludes
			from := chain.parentsOf(int16(i))
			inCell := len(from) > 0 || n.left.cells[s.cell()].Len() == 1
			for _, parent := range from {
				others.add(chain.order[parent].cell())
				inCell = inCell && chain.order[parent].cell() == s.cell()
			}
			if inCell {
				for d := range n.p.cells[s.cell()].All() {
					need(s.cell(), d)
				}
				continue
			}
			others.add(s.cell())
			for _, h := range housesOf[s.cell()] {
				if others.in(houses[h]) && n.left.in(h, s.digit()).in(others) {
					for c := range houses[h].All() {
						need(c, s.digit())
					}
					break
				}
			}
		}
	}
	return parents, length
}

func nestedReason(s *Step, say Say) string {
	return say("%s: a contradiction, if what is left there of other candidates is followed in the same way, so %s", list(s.Chains, func(c []Link) string { return chainWords(c, say) }, say), s.effect(say))
}
