package sudoku

import (
	"math/bits"
	"math/rand/v2"
)

// A guess is the choice of a candidate to try.
type guess struct {
	digit, cell int
	digits      uint32 // all candidates of the cell, from bit 0
}

// guess chooses one of a few cells: that with the most peers that have one of its
// candidates. A peer that is itself one of the few counts three times, because it is
// decided when it loses a candidate. The more a guess changes, right or wrong, the
// fewer follow.
func (b *board) guess(few cellSet) guess {
	if few.empty() {
		few = b.fewest()
	}
	var best guess
	most := -1
	for set := few; !set.empty(); set = set.rest() {
		cell := set.first()
		digits := b.digits(cell)
		lowest := bits.TrailingZeros32(digits)
		affected := b.open(lowest)
		for rest := digits & (digits - 1); rest != 0; rest &= rest - 1 {
			affected = affected.or(b.open(bits.TrailingZeros32(rest)))
		}
		affected = affected.and(peersOf[cell])
		if impact := affected.size() + 2*affected.and(few).size(); impact > most {
			most, best = impact, guess{lowest, cell, digits}
		}
	}
	return best
}

// digits returns the candidates of a cell.
func (b *board) digits(cell int) uint32 {
	w, bit := &b.ab, cell+cell/27*5
	if cell >= 54 {
		w, bit = &b.c, cell-54
	}
	bit &= 63
	return uint32(w[0]>>bit&1 | w[1]>>bit&1<<1 | w[2]>>bit&1<<2 |
		w[3]>>bit&1<<3 | w[4]>>bit&1<<4 | w[5]>>bit&1<<5 |
		w[6]>>bit&1<<6 | w[7]>>bit&1<<7 | w[8]>>bit&1<<8)
}

// try makes a guess.
func (b *board) try(g guess) {
	for rest := g.digits &^ (1 << g.digit); rest != 0; rest &= rest - 1 {
		b.remove(bits.TrailingZeros32(rest), oneCell[g.cell])
	}
	b.remove(g.digit, peersOf[g.cell])
	b.solved = b.solved.or(oneCell[g.cell])
}

// exclude removes the candidate of a guess. If the cell has one other candidate it
// also removes that from the peers, which saves propagate the search for it.
func (b *board) exclude(g guess) {
	b.remove(g.digit, oneCell[g.cell])
	if rest := g.digits &^ (1 << g.digit); rest&(rest-1) == 0 {
		b.remove(bits.TrailingZeros32(rest), peersOf[g.cell])
	}
}

// fewest returns the empty cells with the fewest candidates. In a nearly empty grid
// a guess in another cell may exclude all solutions, which the search may not
// discover in millions of boards.
func (b *board) fewest() (cells cellSet) {
	least := 10
	for set := allCells.without(b.solved); !set.empty(); set = set.rest() {
		cell := set.first()
		n := bits.OnesCount32(b.digits(cell))
		if n < least {
			least, cells = n, cellSet{}
		}
		if n == least {
			cells = cells.or(oneCell[cell])
		}
	}
	return cells
}

// guessRandom chooses a random candidate.
func (b *board) guessRandom(few cellSet, random *rand.Rand) guess {
	if few.empty() {
		few = allCells.without(b.solved)
	}
	for range random.IntN(few.size()) {
		few = few.rest()
	}
	g := guess{cell: few.first()}
	g.digits = b.digits(g.cell)
	rest := g.digits
	for range random.IntN(bits.OnesCount32(rest)) {
		rest &= rest - 1
	}
	g.digit = bits.TrailingZeros32(rest)
	return g
}
