package compare

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

// A Cell is a cell of a grid; both numbers count from 0.
type Cell struct{ Row, Col int }

// A Step is one step of a solver: a digit is written into an empty cell (Assign),
// taken back (Backtrack) or ruled out as a candidate (Prune); or the puzzle is
// Solved. The depth is the number of cells that have been filled in.
type Step = csp.Step[Cell, int]

// A Solver is a way to solve a Sudoku. It may be used by several goroutines.
type Solver struct {
	Name        string
	Explanation string                                      // a sentence or more, to show to a user
	run         func(g *sudoku.Grid, yield func(Step) bool) // returns when yield is false
	unwatched   func(g *sudoku.Grid) time.Duration          // the time to report if watching takes longer than solving, or nil
}

// Solvers returns the solvers, the simplest first.
func Solvers() []Solver { return slices.Clone(solvers) }

var solvers = []Solver{
	{"scan", "Fills in the cells that have one candidate until none is left. It solves easy puzzles only.",
		scan, nil},
	{"scan+guess", "Scans; where that leads no further, tries the candidates of the first empty cell and scans again.",
		scanAndGuess, nil},
	{"csp", "Backtracking: writes the first digit that fits into the first empty cell, row by row, and takes the last one back where none fits.",
		searchCSP(csp.Options{}), nil},
	{"csp+ac3", "As csp, but first makes all arcs consistent with AC-3: rules out every candidate that leaves some peer without any.",
		searchCSP(csp.Options{AC3: true}), nil},
	{"csp+ac3+fc", "As csp+ac3, with forward checking: rules a digit out in the peers of its cell, and goes back as soon as a cell has no candidate.",
		searchCSP(csp.Options{AC3: true, ForwardChecking: true}), nil},
	{"csp+ac3+fc+mrv", "As csp+ac3+fc, with minimum remaining values: goes on in the cell with the fewest candidates.",
		searchCSP(csp.Options{AC3: true, ForwardChecking: true, MRV: true}), nil},
	{"csp+ac3+fc+mrv+lcv", "As csp+ac3+fc+mrv, with least constraining value: tries first the digit that rules out the fewest candidates.",
		searchCSP(csp.Options{AC3: true, ForwardChecking: true, MRV: true, LCV: true}), nil},
	{"bitboard", "Finds hidden singles and locked candidates with bitboards, then naked singles, and guesses, best in cells with two candidates. It is the solver of the game.",
		bitboard, timeBitboard},
}

// Steps is the search for the first solution as a sequence of steps. The last
// one is Solved, if there is a solution and the solver can find it. The search
// ends when the loop over it does. A grid that is not valid has no steps.
func (s Solver) Steps(g *sudoku.Grid) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		if !g.Valid() {
			return
		}
		s.run(g, func(step Step) bool {
			return yield(step) && step.Kind != csp.Solved
		})
	}
}

// A Result is what a solver has done with a puzzle.
type Result struct {
	Solved                       bool
	Solution                     sudoku.Grid // as far as it has come
	GaveUp                       bool        // the limit was reached
	Assigned, Pruned, Backtracks int         // the numbers of these steps; Assigned are the nodes of the search tree
	Time                         time.Duration
}

// Solve looks for the first solution. It gives up after limit steps, if the
// limit is not 0: row by row, a puzzle may take years. The error is the context's
// cause when ctx is cancelled.
func (s Solver) Solve(ctx context.Context, g *sudoku.Grid, limit int) (Result, error) {
	r := Result{Solution: *g}
	start, steps := time.Now(), 0
	for step := range s.Steps(g) {
		r.add(step)
		if steps++; steps == limit && !r.Solved {
			r.GaveUp = true
			break
		}
		if steps%1024 == 0 && ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
	}
	r.Time = time.Since(start)
	if s.unwatched != nil {
		r.Time = s.unwatched(g)
	}
	return r, nil
}

func (r *Result) add(step Step) {
	cell := step.Variable
	switch step.Kind {
	case csp.Assign:
		r.Assigned++
		r.Solution[cell.Row][cell.Col] = step.Value
	case csp.Prune:
		r.Pruned++
	case csp.Backtrack:
		r.Backtracks++
		r.Solution[cell.Row][cell.Col] = 0
	case csp.Solved:
		r.Solved = true
	}
}
