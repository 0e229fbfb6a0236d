package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
)

const benchHelp = `Bench measures how many puzzles are solved and made in a second, and writes a
table. Solved are the puzzles of the files, or else 500 that are made for it;
each is looked at until it is known whether its solution is the only one.

Where qqwing is installed it does the same in turn with us, its startup not
counted, and the last column says how many times as fast we are on one core.
qqwing stops at the first solution.`

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
			return o.run(cmd.Context(), cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().Var(&o.time, "time", "how long each measurement takes")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, an object a line")
	return cmd
}

// A measurement is a line of the table, and of --json. Rates are puzzles a second.
type measurement struct {
	What    string  `json:"what"`
	Puzzles int     `json:"puzzles,omitempty"` // that are solved again and again
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
	q := newQQWing()
	var all []measurement
	m, err := o.measure(ctx, func() func() {
		solver, i := &sudoku.Solver{}, 0
		return func() {
			solver.Solve(&grids[i%len(grids)])
			i++
		}
	}, func(n int) (time.Duration, error) { return q.solve(ctx, grids, n) })
	if err != nil {
		return stopped(err)
	}
	m.What, m.Puzzles = "solve", len(grids)
	all = append(all, m)
	for _, method := range generate.Methods() {
		var other func(n int) (time.Duration, error)
		if method.Name == "minimal" { // the same as qqwing makes
			other = func(n int) (time.Duration, error) { return q.generate(ctx, n) }
		}
		m, err := o.measure(ctx, func() func() {
			g, err := generate.New(generate.Options{Method: method.Name, Seed: 1})
			if err != nil {
				panic(err) // the method comes from the package
			}
			number := uint64(0)
			return func() {
				_, _ = g.Puzzle(ctx, number) // it fails when ctx ends, which is looked at elsewhere
				number++
			}
		}, other)
		if err != nil {
			return stopped(err)
		}
		m.What = "new --method " + method.Name
		all = append(all, m)
	}
	return o.write(w, all, q)
}

// benchGrids returns what there is to solve.
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

// rounds is how many times we and qqwing take turns.
const rounds = 5

// measure measures work, for which every core has a function of its own, and
// the same done n times by another program, in turn so that both see the
// same machine. other may be nil.
func (o *benchOptions) measure(ctx context.Context, work func() func(), other func(n int) (time.Duration, error)) (m measurement, err error) {
	span := time.Duration(o.time) / rounds
	one := work()
	var ours, theirs rate
	n := 20
	for range rounds {
		ours.add(repeat(ctx, one, span))
		if other == nil {
			continue
		}
		if r := theirs.perSecond(); r > 0 { // which the startup makes uncertain at first
			n = min(max(n, int(r*span.Seconds())), 10*n)
		}
		took, err := other(n)
		if errors.Is(err, errNoQQWing) {
			other = nil
			continue
		}
		if err != nil {
			return m, err
		}
		theirs.add(n, took)
	}
	m.One, m.QQWing = ours.perSecond(), theirs.perSecond()
	if m.QQWing > 0 {
		m.Ratio = m.One / m.QQWing
	}
	var cores sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		cores.Go(func() {
			var r rate
			r.add(repeat(ctx, work(), time.Duration(o.time)))
			mu.Lock()
			m.All += r.perSecond()
			mu.Unlock()
		})
	}
	cores.Wait()
	return m, context.Cause(ctx)
}

// A rate is how much was done in a time.
type rate struct {
	n    int
	took time.Duration
}

func (r *rate) add(n int, took time.Duration) {
	r.n += n
	r.took += took
}

func (r *rate) perSecond() float64 {
	if r.took <= 0 {
		return 0
	}
	return float64(r.n) / r.took.Seconds()
}

// repeat does something again and again for a while.
func repeat(ctx context.Context, work func(), span time.Duration) (n int, took time.Duration) {
	start := time.Now()
	for took < span && ctx.Err() == nil {
		for range 10 {
			work()
		}
		n += 10
		took = time.Since(start)
	}
	return n, took
}

func (o *benchOptions) write(w io.Writer, all []measurement, q *qqwing) error {
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
	if q.path == "" {
		_, err := fmt.Fprintln(w, "\nqqwing is not installed, so there is nothing to compare with.")
		return writeError("standard output", err)
	}
	return nil
}

var errNoQQWing = errors.New("qqwing is not installed")

// qqwing runs the program of that name.
type qqwing struct {
	path    string        // "" if there is none
	startup time.Duration // what a run costs without any puzzle
}

func newQQWing() *qqwing {
	path, err := exec.LookPath("qqwing")
	if err != nil {
		return &qqwing{}
	}
	return &qqwing{path: path}
}

// solve solves n puzzles, the given ones again and again.
func (q *qqwing) solve(ctx context.Context, grids []sudoku.Grid, n int) (time.Duration, error) {
	var in strings.Builder
	for i := range n {
		in.WriteString(grids[i%len(grids)].String() + "\n")
	}
	return q.run(ctx, in.String(), "--solve", "--one-line")
}

// generate makes n puzzles.
func (q *qqwing) generate(ctx context.Context, n int) (time.Duration, error) {
	return q.run(ctx, "", "--generate", fmt.Sprint(n), "--one-line")
}

func (q *qqwing) run(ctx context.Context, input string, args ...string) (time.Duration, error) {
	if q.path == "" {
		return 0, errNoQQWing
	}
	if q.startup == 0 && len(args) > 0 {
		q.startup = 1 // measured once, and this is that measurement
		took, err := q.run(ctx, "", "--version")
		if err != nil {
			return 0, err
		}
		q.startup = took
	}
	cmd := exec.CommandContext(ctx, q.path, args...)
	cmd.Stdin = strings.NewReader(input)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, firstError(context.Cause(ctx), &cli.Error{Status: cli.Failed, Err: fmt.Errorf("qqwing: %w: %.200s", err, out)})
	}
	return max(time.Since(start)-q.startup, time.Microsecond), nil
}
