package compare

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

// A Cell is a cell of a grid. Rows and columns count from 0.
type Cell struct{ Row, Col int }

// A Step is one step of a solver: a digit is written into an empty cell (Assign),
// removed again (Backtrack) or excluded as a candidate (Prune), or the puzzle is
// Solved. The depth is the number of cells filled in.
type Step = csp.Step[Cell, int]

// A Solver is a way to solve a Sudoku. It is safe for concurrent use.
type Solver struct {
	Name        string
	Explanation string                                      // for users, one or more sentences
	run         func(g *sudoku.Grid, yield func(Step) bool) // returns if yield returns false
	unwatched   func(g *sudoku.Grid) time.Duration          // solves without steps, if these would take longer than solving; or nil
}

// Solvers returns the solvers, the simplest first.
func Solvers() []Solver { return slices.Clone(solvers) }

var solvers = []Solver{
	{"scan", "Fills in cells with one candidate until there are none. Solves only easy puzzles.",
		scan, nil},
	{"scan+guess", "Scans, then tries the candidates of the first empty cell and scans again.",
		scanAndGuess, nil},
	{"csp", "Backtracking: writes the first digit that fits into the first empty cell, row by row, and removes the last digit if none fits.",
		searchCSP(csp.Options{}), nil},
	{"csp+ac3", "As csp, but first makes all arcs consistent with AC-3: excludes every candidate that leaves a peer without candidates.",
		searchCSP(csp.Options{AC3: true}), nil},
	{"csp+ac3+fc", "As csp+ac3, with forward checking: excludes a digit in the peers of its cell, and backtracks as soon as a cell has no candidates.",
		searchCSP(csp.Options{AC3: true, ForwardChecking: true}), nil},
	{"csp+ac3+fc+mrv", "As csp+ac3+fc, with minimum remaining values: continues in the cell with the fewest candidates.",
		searchCSP(csp.Options{AC3: true, ForwardChecking: true, MRV: true}), nil},
	{"csp+ac3+fc+mrv+lcv", "As csp+ac3+fc+mrv, with least constraining value: first tries the digit that excludes the fewest candidates.",
		searchCSP(csp.Options{AC3: true, ForwardChecking: true, MRV: true, LCV: true}), nil},
	{"bthreads", "Runs a behavioral program: hundreds of small statecharts request and block moves. Where their strategies leave a choice, a search tries each move.",
		runThreads, nil},
	{"bitboard", "Finds hidden singles and locked candidates with bitboards, then naked singles and triples of a box and a line, and guesses, preferably in cells with two candidates. The game uses this solver.",
		bitboard, timeBitboard},
}

// Steps returns an iterator over the steps to the first solution. The last one is
// Solved, if the solver finds a solution. The search ends when the loop over it
// ends. A grid that is not valid does not have any steps.
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

// A Result is the result of a solver for a puzzle.
type Result struct {
	Solved                       bool
	Solution                     sudoku.Grid // with empty cells if not solved
	GaveUp                       bool        // whether the limit was reached
	Assigned, Pruned, Backtracks int         // numbers of these steps; Assigned are the nodes of the search tree
	Time                         time.Duration
}

// Solve searches the first solution. If limit is not 0, it gives up after so many
// steps: plain backtracking may take years. The error is the context's cause if
// ctx is cancelled.
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
