package compare

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Row is what a solver has done with a list of puzzles. The times and the
// numbers of steps are those of all puzzles together, also of those that the
// solver gave up.
type Row struct {
	Solver                       Solver
	Puzzles, Solved, GaveUp      int
	Assigned, Pruned, Backtracks int
	Time                         time.Duration
}

// A Table has a row for each of the Solvers.
type Table []Row

// Run solves each of the puzzles with each solver. Solvers give a puzzle up
// after limit steps. If progress is not nil, it is called after each puzzle
// with the number of puzzles that are done, those of all solvers together. The
// error is the context's cause when ctx is cancelled.
func Run(ctx context.Context, grids []sudoku.Grid, limit int, progress func(done int)) (Table, error) {
	var t Table
	for _, solver := range Solvers() {
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

// String returns the table as text, with the steps and the time of one puzzle
// on average.
func (t Table) String() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "solver\tsolved\tgave up\tassigned\tpruned\tbacktracks\ttime\t")
	for _, r := range t {
		n := max(r.Puzzles, 1)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%v\t\n", r.Solver.Name, r.Solved, r.GaveUp,
			r.Assigned/n, r.Pruned/n, r.Backtracks/n, (r.Time / time.Duration(n)).Round(100*time.Nanosecond))
	}
	w.Flush()
	return text.String()
}
