package human

// A board follows assumptions with singles alone, quickly and without noting why. A
// digit that it places stays a candidate, the only one of its cell.
type board struct {
	cells  [81]Digits
	places [10]Set
	fixed  Set
	todo   []Candidate
}

func (b *board) start(p *Position) {
	b.cells, b.places, b.fixed, b.todo = p.cells, p.places, Set{}, b.todo[:0]
}

// assume places a digit, and what follows; it reports whether nothing contradicts that.
func (b *board) assume(c Cell, d int) bool {
	b.todo = append(b.todo, Candidate{c, d})
	return b.follow()
}

// exclude removes a candidate, and places what follows.
func (b *board) exclude(c Cell, d int) bool { return b.remove(c, d) && b.follow() }

func (b *board) follow() bool {
	for len(b.todo) > 0 {
		next := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if b.fixed.Has(next.Cell) {
			if !b.cells[next.Cell].Has(next.Digit) {
				return false
			}
			continue
		}
		b.fixed.add(next.Cell)
		for others := b.cells[next.Cell] &^ (1 << next.Digit); others != 0; others &= others - 1 {
			if !b.remove(next.Cell, others.first()) {
				return false
			}
		}
		for peer := range peers[next.Cell].and(b.places[next.Digit]).All() {
			if !b.remove(peer, next.Digit) {
				return false
			}
		}
	}
	return true
}

// remove removes a candidate, and notes singles that are left.
func (b *board) remove(c Cell, d int) bool {
	left := b.cells[c] &^ (1 << d)
	b.cells[c] = left
	b.places[d].remove(c)
	if left == 0 {
		return false
	}
	if left&(left-1) == 0 && !b.fixed.Has(c) {
		b.todo = append(b.todo, Candidate{c, left.first()})
	}
	for _, h := range housesOf[c] {
		places := b.places[d].and(houses[h])
		if places.low != 0 && (places.high != 0 || places.low&(places.low-1) != 0) {
			continue
		}
		if places.Empty() {
			return false
		}
		if places.high&(places.high-1) != 0 {
			continue
		}
		if at := places.first(); !b.fixed.Has(at) {
			b.todo = append(b.todo, Candidate{at, d})
		}
	}
	return true
}

// boards is memory for assumptions within assumptions.
type boards [5]board

// refutes tells whether singles contradict a candidate, or, to a depth above 0, singles
// together with what such refutations exclude.
func (b *boards) refutes(p *Position, c Cell, d, depth int) bool {
	b[depth].start(p)
	return !b[depth].assume(c, d) || depth > 0 && b.contradicts(depth)
}

// contradicts follows the board of a depth with refutations of lower depth.
func (b *boards) contradicts(depth int) bool {
	top, under := &b[depth], &b[depth-1]
	for progress := true; progress; {
		progress = false
		for c := range Cell(81) {
			if top.cells[c].Len() < 2 {
				continue
			}
			for d := range top.cells[c].All() {
				if !top.cells[c].Has(d) {
					continue // excluded by a single meanwhile
				}
				under.copy(top)
				if under.assume(c, d) && !(depth > 1 && b.contradicts(depth-1)) {
					continue
				}
				progress = true
				if !top.exclude(c, d) {
					return true
				}
			}
		}
	}
	return false
}

func (b *board) copy(from *board) {
	todo := b.todo[:0]
	*b = *from
	b.todo = todo
}

// findTrial finds candidates that singles contradict. It is Dynamic Forcing Chains in
// short: quicker to find, but without the chain.
func findTrial(p *Position, out *results) {
	b := out.boards()
	for c := range p.empty.All() {
		for d := range p.cells[c].All() {
			if b.refutes(p, c, d, 0) && out.add(Step{Eliminate: []Candidate{{c, d}}, Digits: digits(d), Cells: []Cell{c}}) {
				return
			}
		}
	}
}

func trialReason(s *Step, say Say) string {
	return say("with %v the singles that follow contradict each other", s.Eliminate[0])
}
