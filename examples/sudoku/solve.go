package sudoku

import (
	"context"
	"iter"
	"math/bits"
	"math/rand/v2"
)

// A Solver finds the solutions of puzzles, quickly and without allocating. The
// zero value is ready. It has 16 KB of working memory that each call overwrites:
// make one for each goroutine, and use it again and again.
//
// Its methods look at a grid as a puzzle for as long as they run; a grid whose
// givens contradict each other, or are not from 1 to 9, has no solution. They
// find solutions always in the same order, but it is no particular one.
type Solver struct {
	stack  [maxGuesses + 1]board
	depth  int        // of the board to look at next; -1 when there is none
	random *rand.Rand // chooses what to guess, unless it is nil
}

// First returns a solution of a puzzle, and whether there is one.
func (s *Solver) First(g *Grid) (solution Grid, ok bool) {
	if s.start(g) && s.next() {
		s.solution(&solution)
		return solution, true
	}
	return Grid{}, false
}

// Solve returns the first solution of a puzzle, and how many there are: 0, 1,
// or 2 for more than one. A proper puzzle has exactly one.
func (s *Solver) Solve(g *Grid) (first Grid, solutions int) {
	if !s.start(g) || !s.next() {
		return Grid{}, 0
	}
	s.solution(&first)
	if s.next() {
		return first, 2
	}
	return first, 1
}

// Count returns the number of solutions of a puzzle, but at most limit. It ends
// early with the number so far and the context's cause when ctx is cancelled.
func (s *Solver) Count(ctx context.Context, g *Grid, limit int) (int, error) {
	n := 0
	for more := s.start(g); more && n < limit && s.next(); n++ {
		// A solution takes a microsecond, so not each one is worth a look.
		if n%1024 == 0 && ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
	}
	return n, nil
}

// All returns the solutions of a puzzle one by one. The solver belongs to the
// loop until that ends.
func (s *Solver) All(g *Grid) iter.Seq[Grid] {
	return func(yield func(Grid) bool) {
		for more := s.start(g); more && s.next(); {
			var solution Grid
			s.solution(&solution)
			if !yield(solution) {
				return
			}
		}
	}
}

// Random returns one of the solutions of a puzzle by chance, and whether there
// is one; an empty grid becomes a random filled one. Not all of them are
// equally likely. The same random numbers lead to the same solution.
func (s *Solver) Random(g *Grid, random *rand.Rand) (solution Grid, ok bool) {
	s.random = random
	defer func() { s.random = nil }()
	return s.First(g)
}

// Boards returns the search for all solutions as the boards that it looks at,
// each with what it knows there, and whether that is a solution. A guess leads
// to a board with more cells filled in, or, once it has proved wrong, to one
// with fewer. The solver belongs to the loop until that ends.
func (s *Solver) Boards(g *Grid) iter.Seq2[Grid, bool] {
	return func(yield func(known Grid, isSolution bool) bool) {
		for more := s.start(g); more && s.depth >= 0; {
			b := &s.stack[s.depth]
			found := s.look()
			var known Grid
			b.write(&known)
			if !yield(known, found == solved) {
				return
			}
		}
	}
}

// Solutions returns the solutions of a puzzle, at most limit of them.
func (g *Grid) Solutions(limit int) []Grid {
	var found []Grid
	if limit <= 0 {
		return nil
	}
	for solution := range new(Solver).All(g) {
		found = append(found, solution)
		if len(found) == limit {
			break
		}
	}
	return found
}

// maxGuesses bounds the depth of a search: each guess fixes a cell.
const maxGuesses = 81

// start sets the first board from the givens; it is false if they contradict
// each other.
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

// next goes on to the next solution, which is then in the board at s.depth+1;
// it is false when there is no more.
func (s *Solver) next() bool {
	for s.depth >= 0 {
		if s.look() == solved {
			return true
		}
	}
	return false
}

// What look has found.
type finding int

const (
	open   finding = iota // the board has been copied, with a guess made in the copy and excluded in the original
	dead                  // the board is a contradiction, and gone from the stack
	solved                // the board is a solution, and gone from the stack
)

// look draws the conclusions from the board on top of the stack.
func (s *Solver) look() finding {
	b := &s.stack[s.depth]
	pairs, ok := b.propagate()
	if !ok {
		s.depth--
		return dead
	}
	if b.solved == allCells {
		s.depth--
		return solved
	}
	var digit, cell int
	if s.random == nil {
		digit, cell = b.guess(pairs)
	} else {
		digit, cell = b.guessRandom(pairs, s.random)
	}
	s.depth++
	with := &s.stack[s.depth]
	*with = *b
	with.place(digit, cell)
	b.remove(digit, cell)
	return open
}

// guess chooses the candidate to try, in one of the cells with two candidates
// if there are any.
func (b *board) guess(pairs cellSet) (digit, cell int) {
	if pairs.empty() {
		pairs = allCells.without(b.solved)
	}
	cell = pairs.first()
	for b.open[digit].and(oneCell[cell]).empty() {
		digit++
	}
	return digit, cell
}

// solution copies the solution that next has found.
func (s *Solver) solution(g *Grid) { s.stack[s.depth+1].write(g) }

// write copies the digits that are known.
func (b *board) write(g *Grid) {
	for digit, open := range &b.open {
		for known := open.and(b.solved); !known.empty(); {
			cell := known.first()
			known = known.without(oneCell[cell])
			g[cell/9][cell%9] = digit + 1
		}
	}
}

// guessRandom is guess by chance.
func (b *board) guessRandom(pairs cellSet, random *rand.Rand) (digit, cell int) {
	rest := pairs
	if pairs.empty() {
		rest = allCells.without(b.solved)
	}
	for range random.IntN(bits.OnesCount64(rest.ab) + bits.OnesCount64(rest.c)) {
		rest = rest.without(oneCell[rest.first()])
	}
	cell = rest.first()
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
