package sudoku

import (
	"context"
	"iter"
	"math/rand/v2"
)

// A Solver finds the solutions of puzzles, quickly and without allocating. The
// zero value is ready. It has 14 KB of working memory that each call overwrites:
// make one for each goroutine, and use it again and again.
//
// Its methods look at a grid as a puzzle for as long as they run; a grid whose
// givens contradict each other, or are not from 1 to 9, has no solution. They
// find solutions always in the same order, but it is no particular one.
type Solver struct {
	stack [82]board
	depth int // of the board to look at next; -1 when there is none
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
	if !s.start(g) {
		return 0, nil
	}
	n := 0
	for boards := 1; s.depth >= 0 && n < limit; boards++ {
		if s.look(nil) == solution {
			n++
		}
		if boards%1024 == 0 && ctx.Err() != nil {
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
func (s *Solver) Random(g *Grid, random *rand.Rand) (solved Grid, ok bool) {
	// Random guesses may go wrong early, and it can take millions of boards to
	// find out. Then others are better.
	for patience := 100; s.start(g); patience *= 2 {
		for boards := 0; s.depth >= 0 && boards < patience; boards++ {
			if s.look(random) == solution {
				s.solution(&solved)
				return solved, true
			}
		}
		if s.depth < 0 {
			break
		}
	}
	return Grid{}, false
}

// Boards returns the search for all solutions as the boards that it looks at,
// each with what it knows there, and whether that is a solution. A guess leads
// to a board with more cells filled in, or, once it has proved wrong, to one
// with fewer. The solver belongs to the loop until that ends.
func (s *Solver) Boards(g *Grid) iter.Seq2[Grid, bool] {
	return func(yield func(known Grid, isSolution bool) bool) {
		for more := s.start(g); more && s.depth >= 0; {
			b := &s.stack[s.depth]
			found := s.look(nil)
			var known Grid
			b.write(&known)
			if !yield(known, found == solution) {
				return
			}
		}
	}
}

// Solutions returns the solutions of a puzzle, at most limit of them.
func (g *Grid) Solutions(limit int) []Grid {
	if limit <= 0 {
		return nil
	}
	var found []Grid
	for solution := range new(Solver).All(g) {
		found = append(found, solution)
		if len(found) == limit {
			break
		}
	}
	return found
}
