package human

// A state is a candidate that is assumed or inferred to be true or false: the number of
// the candidate, 9 times the cell and the digit less one, times two, and one more when
// it is true. Chains are lines of states that follow from each other.
type state int16

const states = 2 * 729

func stateOf(c Cell, d int, on bool) state {
	s := state(2 * (9*int(c) + d - 1))
	if on {
		s++
	}
	return s
}

func (s state) on() bool       { return s&1 != 0 }
func (s state) not() state     { return s ^ 1 }
func (s state) cell() Cell     { return Cell(s / 18) }
func (s state) digit() int     { return int(s/2%9) + 1 }
func (s state) candidate() int { return int(s / 2) }
func (s state) node() Node     { return node(s.cell(), s.digit()) }

// link returns the link from a state to one that follows from it.
func link(from, to state) Link {
	kind := Weak
	switch {
	case to.on():
		kind = Strong
	case !from.on():
		kind = Pattern
	}
	return Link{from.node(), to.node(), kind}
}

// A graph holds for each candidate of a position the candidates that are false when it
// is true (weak links), and those that are true when it is false (strong links): first
// those of the same cell, then those of the box, the row and the column.
type graph struct {
	p          *Position
	candidates []int16
	weak       [729][]int16
	strong     [729][]int16
	weakCell   [729]int8 // how many of the weak links are in the cell
	strongCell [729]int8
	memory     []int16
}

// build makes the graph of a position, in the memory of the one before.
func (g *graph) build(p *Position) {
	g.p = p
	g.candidates, g.memory = g.candidates[:0], g.memory[:0]
	for c := range p.empty.All() {
		for d := range p.cells[c].All() {
			n := 9*int(c) + d - 1
			g.candidates = append(g.candidates, int16(n))
			from := len(g.memory)
			for e := range (p.cells[c] &^ (1 << d)).All() {
				g.memory = append(g.memory, int16(9*int(c)+e-1))
			}
			g.weakCell[n] = int8(len(g.memory) - from)
			places := p.places[d].and(peers[c])
			inBox := houses[housesOf[c][box]]
			for _, cells := range [...]Set{places.and(inBox), places.not(inBox).and(houses[housesOf[c][row]]), places.not(inBox).and(houses[housesOf[c][column]])} {
				for other := range cells.All() {
					g.memory = append(g.memory, int16(9*int(other)+d-1))
				}
			}
			g.weak[n] = g.memory[from:len(g.memory):len(g.memory)]
			from = len(g.memory)
			g.strongCell[n] = 0
			if p.cells[c].Len() == 2 {
				g.memory = append(g.memory, g.weak[n][0])
				g.strongCell[n] = 1
			}
			for _, kind := range [...]int{box, row, column} {
				if others := places.and(houses[housesOf[c][kind]]); others.Len() == 1 {
					g.memory = append(g.memory, int16(9*int(others.first())+d-1))
				}
			}
			g.strong[n] = g.memory[from:len(g.memory):len(g.memory)]
		}
	}
}
