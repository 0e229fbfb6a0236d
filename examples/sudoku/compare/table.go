package compare

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Row is the result of a solver for a list of puzzles. Times and numbers of steps
// are totals that include the puzzles on which the solver gave up.
type Row struct {
	Solver                       Solver
	Puzzles, Solved, GaveUp      int
	Assigned, Pruned, Backtracks int
	Time                         time.Duration
}

// A Table has a row for each of the Solvers.
type Table []Row

// Run solves each puzzle with each solver. Solvers give up after limit steps. If
// progress is not nil, it is called after each puzzle with the number of puzzles
// done by all solvers. The error is the context's cause if ctx is cancelled.
func Run(ctx context.Context, grids []sudoku.Grid, limit int, progress func(done int)) (Table, error) {
	var t Table
	for _, solver := range solvers {
		row := Row{Solver: solver, Puzzles: len(grids)}
		for i := range grids {
			r, err := solver.Solve(ctx, &grids[i], limit)
			if err != nil {
				return nil, err
			}
			if r.Solved {
				row.Solved++
			}
			if r.GaveUp {
				row.GaveUp++
			}
			row.Assigned += r.Assigned
			row.Pruned += r.Pruned
			row.Backtracks += r.Backtracks
			row.Time += r.Time
			if progress != nil {
				progress(len(t)*len(grids) + i + 1)
			}
		}
		t = append(t, row)
	}
	return t, nil
}

// String returns the table as text. Steps and times are averages for one puzzle;
// nodes are assignments.
func (t Table) String() string {
	const line = "%-20s%8s%9s%12s%12s%12s%11s\n"
	var text strings.Builder
	fmt.Fprintf(&text, line, "solver", "solved", "gave up", "nodes", "pruned", "backtracks", "time")
	for _, r := range t {
		n := max(r.Puzzles, 1)
		average := func(steps int) string { return fmt.Sprintf("%.1f", float64(steps)/float64(n)) }
		fmt.Fprintf(&text, line, r.Solver.Name, fmt.Sprint(r.Solved), fmt.Sprint(r.GaveUp),
			average(r.Assigned), average(r.Pruned), average(r.Backtracks), (r.Time / time.Duration(n)).Round(100*time.Nanosecond))
	}
	return text.String()
}
