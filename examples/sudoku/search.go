package sudoku

import "math/rand/v2"

// start sets up the first board from the givens. It returns false if they
// contradict each other.
func (s *Solver) start(g *Grid) bool {
	b := &s.stack[0]
	for i := range b.open {
		b.open[i] = allCells
	}
	b.solved = cellSet{}
	var given [9]cellSet
	for row := range g {
		for col, number := range &g[row] {
			if number == 0 {
				continue
			}
			digit, cell := number-1, row*9+col
			if uint(digit) >= 9 || b.open[digit].and(oneCell[cell]).empty() {
				s.depth = -1
				return false
			}
			b.open[digit] = b.open[digit].and(notPeers[cell])
			given[digit] = given[digit].or(oneCell[cell])
			b.solved = b.solved.or(oneCell[cell])
		}
	}
	for i := range b.open {
		b.open[i] = b.open[i].without(b.solved.without(given[i]))
	}
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
// solve it; randomly if random is not nil.
//
// The stack never has more than 82 boards, because each has at least one more
// solved cell than the one below it.
func (s *Solver) look(random *rand.Rand) finding {
	b := &s.stack[s.depth]
	few, ok := b.propagate()
	if !ok {
		s.depth--
		return contradiction
	}
	if b.solved == allCells {
		s.depth--
		return solution
	}
	var digit, cell int
	if random == nil {
		digit, cell = b.guess(few)
	} else {
		digit, cell = b.guessRandom(few, random)
	}
	s.depth++
	with := &s.stack[s.depth]
	*with = *b
	with.place(digit, cell)
	b.remove(digit, cell)
	return guessed
}

// guess chooses the candidate to try in one of a few cells. It chooses the digit
// that most of these cells have, and the cell that shares units with most of them
// and of the digit's other candidates. The more a guess changes, right or wrong,
// the fewer follow.
func (b *board) guess(few cellSet) (digit, cell int) {
	if few.empty() {
		few = b.fewest()
	}
	most := -1
	for i, open := range &b.open {
		if n := open.and(few).size(); n > most {
			most, digit = n, i
		}
	}
	most = -1
	open := b.open[digit]
	for set := few.and(open); !set.empty(); set = set.rest() {
		i := set.first()
		far := notPeers[i]
		if n := few.without(far).size() + open.without(far).size(); n > most {
			most, cell = n, i
		}
	}
	return digit, cell
}

// fewest returns the empty cells with the fewest candidates. In a nearly empty grid
// a guess in another cell may exclude all solutions, which the search may not
// discover in millions of boards.
func (b *board) fewest() (cells cellSet) {
	least := 10
	for set := allCells.without(b.solved); !set.empty(); set = set.rest() {
		cell := oneCell[set.first()]
		n := 0
		for i := range b.open {
			if !b.open[i].and(cell).empty() {
				n++
			}
		}
		if n < least {
			least, cells = n, cellSet{}
		}
		if n == least {
			cells = cells.or(cell)
		}
	}
	return cells
}

// solution copies the solution that next found.
func (s *Solver) solution(g *Grid) { s.stack[s.depth+1].write(g) }

// write copies the known digits.
func (b *board) write(g *Grid) {
	for digit, open := range &b.open {
		for known := open.and(b.solved); !known.empty(); known = known.rest() {
			cell := known.first()
			g[cell/9][cell%9] = digit + 1
		}
	}
}

// guessRandom chooses a random candidate.
func (b *board) guessRandom(few cellSet, random *rand.Rand) (digit, cell int) {
	if few.empty() {
		few = allCells.without(b.solved)
	}
	for range random.IntN(few.size()) {
		few = few.rest()
	}
	cell = few.first()
	var digits [9]int
	n := 0
	for digit, open := range &b.open {
		if !open.and(oneCell[cell]).empty() {
			digits[n] = digit
			n++
		}
	}
	return digits[random.IntN(n)], cell
}
