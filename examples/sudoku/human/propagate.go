package human

// A propagation is what follows from one assumption: states in the order in which they
// are found, each with the states that it follows from.
type propagation struct {
	done    bool
	order   []state
	first   []int32 // where the parents of a state begin
	parents []int16 // as places in order
	at      [states]int16
	clashOn int16 // a true state that contradicts a false one; -1 for none
	clashOf int16 // the false one
	nested  int   // the lengths of the chains within
}

func (r *propagation) start(s state) {
	for _, known := range r.order {
		r.at[known] = -1
	}
	r.order, r.first, r.parents = r.order[:0], r.first[:0], r.parents[:0]
	r.clashOn, r.clashOf, r.nested, r.done = -1, -1, 0, true
	r.at[s] = r.add(s)
}

func newPropagation() *propagation {
	r := new(propagation)
	for i := range r.at {
		r.at[i] = -1
	}
	return r
}

// add adds a state whose parents have been added since the last one.
func (r *propagation) add(s state, parents ...int16) int16 {
	r.first = append(r.first, int32(len(r.parents)))
	r.parents = append(r.parents, parents...)
	r.order = append(r.order, s)
	return int16(len(r.order) - 1)
}

func (r *propagation) parentsOf(i int16) []int16 {
	end := int32(len(r.parents))
	if int(i)+1 < len(r.first) {
		end = r.first[i+1]
	}
	return r.parents[r.first[i]:end]
}

// has returns the place of a state in the order, or -1.
func (r *propagation) has(s state) int16 { return r.at[s] }

// A forcing says how far an assumption is followed.
type forcing struct {
	digitOnly bool // within one digit (nishio)
	dynamic   bool // with what is left after the eliminations so far
	patterns  bool // with simple patterns that these leave
	nested    int  // through nested chains, so deep
}

// A network makes the propagations of the candidates of a position.
type network struct {
	p       *Position // as it is
	left    Position  // as the propagation leaves it
	forcing forcing
	graph   *graph
	runs    [states]*propagation
	queueOn []int16
	queueOf []int16
	mark    [states]uint32
	round   uint32
	stack   []int16

	looked [4][10]Set // what was left when each kind of patterns was looked for
	gone   [10]Set

	boards     boards
	inner      *network // for chains within
	innerGraph *graph
}

// reset prepares for another position or way of forcing. The graph is that of the position.
func (n *network) reset(p *Position, g *graph, f forcing) {
	n.p, n.graph, n.forcing = p, g, f
	for _, r := range n.runs {
		if r != nil {
			r.done = false
		}
	}
}

// from returns what follows from a state.
func (n *network) from(s state) *propagation {
	r := n.runs[s]
	if r == nil {
		r = newPropagation()
		n.runs[s] = r
	}
	if r.done {
		return r
	}
	r.start(s)
	n.queueOn, n.queueOf = n.queueOn[:0], n.queueOf[:0]
	if s.on() {
		n.queueOn = append(n.queueOn, 0)
	} else {
		n.queueOf = append(n.queueOf, 0)
	}
	if n.forcing.dynamic {
		n.left = *n.p
		for k := range n.looked {
			n.looked[k] = n.p.places
		}
	}
	on, off := 0, 0
	for {
		switch {
		case on < len(n.queueOn):
			on++
			if n.whenTrue(r, n.queueOn[on-1]) {
				return r
			}
		case off < len(n.queueOf):
			off++
			if n.whenFalse(r, n.queueOf[off-1]) {
				return r
			}
		case n.forcing.patterns && n.whenStuck(r):
		case n.forcing.nested > 0 && n.whenNested(r):
		default:
			return r
		}
	}
}

// whenTrue infers what is false when a candidate is true, and tells whether that
// contradicts what is known.
func (n *network) whenTrue(r *propagation, i int16) (clash bool) {
	s := r.order[i]
	c := s.candidate()
	links := n.graph.weak[c]
	if n.forcing.digitOnly {
		links = links[n.graph.weakCell[c]:]
	}
	for _, q := range links {
		off := state(2 * q)
		if r.at[off] >= 0 || n.forcing.dynamic && !n.left.Has(off.cell(), off.digit()) {
			continue
		}
		if other := r.has(off.not()); other >= 0 {
			r.clashOn, r.clashOf = other, r.add(off, i)
			return true
		}
		r.at[off] = r.add(off, i)
		n.queueOf = append(n.queueOf, r.at[off])
	}
	return false
}

// whenFalse infers what is true when a candidate is false.
func (n *network) whenFalse(r *propagation, i int16) (clash bool) {
	s := r.order[i]
	if !n.forcing.dynamic {
		for _, q := range n.graph.strong[s.candidate()] {
			if n.infer(r, state(2*q+1), i, Set{}, 0) {
				return true
			}
		}
		return false
	}
	c, d := s.cell(), s.digit()
	p := &n.left
	if n.last(c, d) {
		r.clashOn, r.clashOf = r.add(s.not()), i
		return true
	}
	if !n.forcing.digitOnly && p.cells[c].Len() == 2 {
		other := (p.cells[c] &^ (1 << d)).first()
		if n.infer(r, stateOf(c, other, true), i, Set{}, n.p.cells[c]&^p.cells[c]) {
			return true
		}
	}
	for _, kind := range [...]int{box, row, column} {
		h := housesOf[c][kind]
		if places := p.in(h, d); places.Len() == 2 {
			gone := n.p.in(h, d).not(places)
			places.remove(c)
			if n.infer(r, stateOf(places.first(), d, true), i, gone, 0) {
				return true
			}
		}
	}
	p.Eliminate(c, d)
	return false
}

// last tells whether a candidate is the only one of its cell or of a house. That it is
// true follows from nothing in the propagation: the position has a single there.
func (n *network) last(c Cell, d int) bool {
	if n.left.cells[c].Len() == 1 && !n.forcing.digitOnly {
		return true
	}
	for _, h := range housesOf[c] {
		if n.left.in(h, d).Len() == 1 {
			return true
		}
	}
	return false
}

// infer adds a true candidate that follows from a false one, from the absence of its
// digit in other cells, and from that of other digits in its cell.
func (n *network) infer(r *propagation, on state, i int16, gone Set, digits Digits) (clash bool) {
	if r.at[on] >= 0 {
		return false
	}
	at := r.add(on, i)
	for c := range gone.All() {
		r.parents = append(r.parents, r.at[stateOf(c, on.digit(), false)])
	}
	for d := range digits.All() {
		r.parents = append(r.parents, r.at[stateOf(on.cell(), d, false)])
	}
	if other := r.has(on.not()); other >= 0 {
		r.clashOn, r.clashOf = at, other
		return true
	}
	r.at[on] = at
	n.queueOn = append(n.queueOn, at)
	return false
}

// simplePatterns are the kinds of patterns that whenStuck looks for.
var simplePatterns = [4][]struct {
	technique Technique
	find      finder
}{
	{{Pointing, with(findConfined, boxes)}, {Claiming, with(findConfined, lines)}},
	{{HiddenPair, with(findHidden, 2)}},
	{{LockedPair, with(findNaked, nakedKind{2, true})}, {NakedPair, with(findNaked, nakedKind{2, false})}},
	{{XWing, with(findFish, fishKind{size: 2})}},
}

// whenStuck looks for simple patterns in what is left, and tells whether that helps.
func (n *network) whenStuck(r *propagation) bool {
	queued := len(n.queueOf)
	for k, kind := range simplePatterns {
		// Only what has gone since the last look can have left a new pattern.
		gone := &n.gone
		gone[0] = Set{}
		for d := 1; d <= 9; d++ {
			gone[d] = n.looked[k][d].not(n.left.places[d])
			gone[0] = gone[0].or(gone[d])
		}
		n.looked[k] = n.left.places
		out := results{only: gone}
		for _, of := range kind {
			out.technique = of.technique
			of.find(&n.left, &out)
		}
		for _, s := range out.steps {
			parents := n.cause(r, &s)
			if len(parents) == 0 {
				continue
			}
			for _, c := range s.Eliminate {
				off := stateOf(c.Cell, c.Digit, false)
				if r.at[off] < 0 {
					r.at[off] = r.add(off, parents...)
					n.queueOf = append(n.queueOf, r.at[off])
				}
			}
		}
		if len(n.queueOf) > queued {
			return true
		}
	}
	return false
}

// cause returns the eliminations that a pattern needs: the candidates of the position
// that are not left where the pattern says that there are none.
func (n *network) cause(r *propagation, s *Step) (parents []int16) {
	lack := func(d int, cells Set) {
		for c := range cells.and(n.p.places[d]).not(n.left.places[d]).All() {
			parents = append(parents, r.at[stateOf(c, d, false)])
		}
	}
	switch s.Technique {
	case NakedPair, LockedPair:
		for _, c := range s.Cells {
			for d := range (n.p.cells[c] &^ n.left.cells[c]).All() {
				parents = append(parents, r.at[stateOf(c, d, false)])
			}
		}
	default:
		for d := range s.Digits.All() {
			for _, h := range s.Houses {
				lack(d, houses[h])
			}
		}
	}
	return parents
}

// ancestors returns the number of states that a state follows from, and itself.
func (n *network) ancestors(r *propagation, i int16) int {
	n.round++
	count := 0
	n.stack = append(n.stack[:0], i)
	n.mark[i] = n.round
	for len(n.stack) > 0 {
		at := n.stack[len(n.stack)-1]
		n.stack = n.stack[:len(n.stack)-1]
		count++
		for _, parent := range r.parentsOf(at) {
			if n.mark[parent] != n.round {
				n.mark[parent] = n.round
				n.stack = append(n.stack, parent)
			}
		}
	}
	return count
}

// chain returns the links by which a state follows from the assumption.
func (n *network) chain(r *propagation, i int16) (chain []Link) {
	n.ancestors(r, i)
	for at, s := range r.order[:i+1] {
		if n.mark[at] == n.round {
			for _, parent := range r.parentsOf(int16(at)) {
				chain = append(chain, link(r.order[parent], s))
			}
		}
	}
	return chain
}

// clash returns the chains to the two states that contradict each other; a state that
// the position has anyway needs none.
func (n *network) clash(r *propagation) (chains [][]Link) {
	for _, end := range [...]int16{r.clashOn, r.clashOf} {
		if chain := n.chain(r, end); len(chain) > 0 {
			chains = append(chains, chain)
		}
	}
	return chains
}
