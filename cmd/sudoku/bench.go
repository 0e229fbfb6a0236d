package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/bench"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

const benchHelp = `Bench measures how many puzzles are solved and made in a second, and prints a
table. It solves the puzzles of the files, or 500 that it makes first, and
proves for each whether its solution is the only one.

Where qqwing is installed, the two take turns on one core, and the last column
says how many times as fast this program is. All times are wall-clock times, those
of qqwing from its start to its end. qqwing stops at the first solution and
proves nothing. Levels are compared with what qqwing calls expert.`

type benchOptions struct {
	time timeSpan
	json bool
}

func newBenchCommand() *cobra.Command {
	o := &benchOptions{time: timeSpan(2 * time.Second)}
	cmd := &cobra.Command{
		Use:     "bench [FILE…|PUZZLE…]",
		Short:   "Measure how fast puzzles are solved and made",
		Long:    benchHelp,
		Example: "  sudoku bench\n  sudoku bench --time 10s top1465.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.time == 0 {
				return cli.Usagef("--time must be more than 0")
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().Var(&o.time, "time", "how long each measurement takes")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, one object per line")
	cmd.AddCommand(newBenchRatingsCommand())
	return cmd
}

// A measurement is a line of the table and of --json. Rates are in puzzles per second.
type measurement struct {
	What    string  `json:"what"`
	Puzzles int     `json:"puzzles,omitempty"` // that are solved repeatedly
	One     float64 `json:"one_core"`          // rate
	All     float64 `json:"all_cores"`         // rate
	QQWing  float64 `json:"qqwing,omitempty"`  // rate
	Ratio   float64 `json:"ratio,omitempty"`   // one core to qqwing
}

func (o *benchOptions) run(parent context.Context, w io.Writer, args []string) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	grids, err := benchGrids(ctx, args)
	if err != nil {
		return stopped(err)
	}
	c := bench.Config{QQWing: bench.FindQQWing(), Time: time.Duration(o.time)}
	var makes []generate.Options
	for _, m := range generate.Methods() {
		if m.Name != "level" {
			makes = append(makes, generate.Options{Method: m.Name, Seed: 1})
		}
	}
	for _, l := range rate.Levels() {
		makes = append(makes, generate.Options{Level: l, Seed: 1})
	}
	progress := cli.NewProgress()
	defer progress.Working("")()
	progress.Write(fmt.Sprintf("1 of %d: solving", 1+len(makes)))
	r, err := bench.Solve(ctx, grids, c)
	if err != nil {
		return stopped(err)
	}
	all := []measurement{{"solve", len(grids), r.OneCore, r.AllCores, r.QQWing, r.Ratio()}}
	for i, options := range makes {
		what := "new --method " + options.Method
		if options.Level != 0 {
			what = fmt.Sprintf("new --level %d", options.Level)
		}
		progress.Write(fmt.Sprintf("%d of %d: %s", i+2, 1+len(makes), what))
		r, err := bench.Generate(ctx, options, c)
		if err != nil {
			return stopped(err)
		}
		all = append(all, measurement{what, 0, r.OneCore, r.AllCores, r.QQWing, r.Ratio()})
	}
	progress.Clear()
	return o.write(w, all, c.QQWing != "")
}

// benchGrids returns the puzzles to solve.
func benchGrids(ctx context.Context, args []string) (grids []sudoku.Grid, err error) {
	if len(args) == 0 {
		g, err := generate.New(generate.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		for i := range uint64(500) {
			p, err := g.Puzzle(ctx, i)
			if err != nil {
				return nil, err
			}
			grids = append(grids, p.Grid)
		}
		return grids, nil
	}
	in, err := newInput(ctx, args)
	if err != nil {
		return nil, err
	}
	for g, err := range in.games() {
		if err != nil {
			return nil, err
		}
		grids = append(grids, g.Givens)
	}
	return grids, nil
}

func (o *benchOptions) write(w io.Writer, all []measurement, compared bool) error {
	if o.json {
		encoder := json.NewEncoder(w)
		for _, m := range all {
			if err := encoder.Encode(m); err != nil {
				return writeError("standard output", err)
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\tone core\t%d cores\tqqwing\tratio\t\n", runtime.GOMAXPROCS(0))
	for _, m := range all {
		name := m.What
		if m.Puzzles > 0 {
			name += fmt.Sprintf(" (%s)", thousands(m.Puzzles))
		}
		fmt.Fprintf(table, "%s\t%s/s\t%s/s\t", name, thousands(int(m.One)), thousands(int(m.All)))
		if m.QQWing > 0 {
			fmt.Fprintf(table, "%s/s\t%.1f\t", thousands(int(m.QQWing)), m.Ratio)
		} else {
			fmt.Fprint(table, "\t\t")
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return writeError("standard output", err)
	}
	note := "qqwing is not installed, so there is nothing to compare with."
	if compared {
		note = "By the wall clock. The ratio is one core to qqwing, which stops at the first solution."
	}
	_, err := fmt.Fprintln(w, "\n"+note)
	return writeError("standard output", err)
}
