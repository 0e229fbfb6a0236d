package sudoku

import (
	"context"
	"iter"
	"math/rand/v2"
)

// A Solver finds the solutions of puzzles quickly and without allocating. The zero
// value is ready to use. Each call overwrites its 26 KB of working memory: reuse a
// Solver, and make one for each goroutine.
//
// A grid must not change while a method uses it. If its givens contradict each
// other, or are not from 1 to 9, it does not have a solution. Solutions always come
// in the same, unspecified order.
type Solver struct {
	stack [82]board
	depth int // of the next board to look at; -1 if there is none
}

// First returns a solution of a puzzle, and whether there is one.
func (s *Solver) First(g *Grid) (solution Grid, ok bool) {
	if s.start(g) && s.next() {
		s.solution(&solution)
		return solution, true
	}
	return Grid{}, false
}

// Solve returns the first solution of a puzzle and the number of solutions: 0, 1,
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

// Count returns the number of solutions of a puzzle, but at most limit. If ctx is
// cancelled, it returns the number so far and the context's cause.
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

// All returns an iterator over the solutions of a puzzle. Do not use the solver
// otherwise until the loop ends.
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

// Random returns a random solution of a puzzle, and whether there is one. For an
// empty grid that is a random filled one. Not all solutions are equally likely.
// The same random numbers give the same solution.
func (s *Solver) Random(g *Grid, random *rand.Rand) (solved Grid, ok bool) {
	// Early random guesses may be wrong, and it can take millions of boards to
	// find out. Starting again is faster.
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

// Boards returns an iterator over the boards of the search for all solutions: the
// known cells of each, and whether it is a solution. A guess leads to a board with
// more known cells, a wrong guess back to one with fewer. Do not use the solver
// otherwise until the loop ends.
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

// Solutions returns at most limit solutions of a puzzle.
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
