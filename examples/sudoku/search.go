package sudoku

import "math/rand/v2"

// start sets up the first board from the givens. It returns false if they
// contradict each other.
func (s *Solver) start(g *Grid) bool {
	// The loop does not branch, because no processor could predict which cells are
	// empty: 0 is a number like the others. It changes between the bands because an
	// addition to memory has to wait for the last one to the same place.
	var bands [3][16]uint64 // for each number, the cells with it
	numbers := 0
	for row := range 3 {
		for col := range 9 {
			cell := uint64(1) << (9*row + col)
			a, b, c := g[row][col], g[row+3][col], g[row+6][col]
			numbers |= a | b | c
			bands[0][a&15] |= cell
			bands[1][b&15] |= cell
			bands[2][c&15] |= cell
		}
	}
	empty := cellSet{bands[0][0] | bands[1][0]<<32, bands[2][0]}
	b := &s.stack[0]
	var all, twice cellSet // all givens, and those that are not the first in their row
	for digit := range b.ab {
		given := cellSet{bands[0][digit+1] | bands[1][digit+1]<<32, bands[2][digit+1]}
		all = all.or(given)
		rows := given.rows()
		twice.ab |= given.ab & (given.ab - rows.ab)
		twice.c |= given.c & (given.c - rows.c)
		// Boxes and columns follow from that: see lock.
		b.set(digit, empty.without(cellSet{rows.ab * rowBits, rows.c * rowBits}).or(given))
	}
	if numbers>>4 != 0 || all.or(empty) != allCells || !twice.empty() {
		s.depth = -1
		return false
	}
	b.solved = all
	b.dirty = 1<<9 - 1
	s.depth = 0
	return true
}

// next finds the next solution and leaves it in the board at s.depth+1. It returns
// false if there are no more.
func (s *Solver) next() bool {
	for s.depth >= 0 {
		if s.look(nil) == solution {
			return true
		}
	}
	return false
}

// A finding is the result of look.
type finding int

const (
	guessed       finding = iota // the stack has two boards: one with the guess, one without it
	contradiction                // the board was removed from the stack
	solution                     // the board was removed; it is just above the top of the stack
)

// look propagates the board on top of the stack, and guesses if that does not
// solve it; randomly if random is not nil. Then it does without triples, because
// the grid of a seed depends on every board.
//
// The stack never has more than 82 boards, because each has at least one more
// solved cell than the one below it.
func (s *Solver) look(random *rand.Rand) finding {
	b := &s.stack[s.depth]
	few, ok := b.propagate(random == nil)
	if !ok {
		s.depth--
		return contradiction
	}
	if b.solved == allCells {
		s.depth--
		return solution
	}
	var g guess
	if random == nil {
		g = b.guess(few)
	} else {
		g = b.guessRandom(few, random)
	}
	s.depth++
	with := &s.stack[s.depth]
	*with = *b
	with.try(g)
	b.exclude(g)
	return guessed
}

// solution copies the solution that next found.
func (s *Solver) solution(g *Grid) { s.stack[s.depth+1].write(g) }

// write copies the known digits.
func (b *board) write(g *Grid) {
	for digit := range b.ab {
		for known := b.open(digit).and(b.solved); !known.empty(); known = known.rest() {
			cell := known.first()
			g[cell/9][cell%9] = digit + 1
		}
	}
}
