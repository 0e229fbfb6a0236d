package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// defaultDelay is how long --watch and --film show each step.
const defaultDelay = 30 * time.Millisecond

// timeSpan is the value of a flag that takes a duration.
type timeSpan time.Duration

func (t *timeSpan) Type() string   { return "TIME" }
func (t *timeSpan) String() string { return time.Duration(*t).String() }

func (t *timeSpan) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New(`write a time with its unit, for example "50ms" or "2s"`)
	}
	*t = timeSpan(d)
	return nil
}

// runFilm makes a film of the steps of the method.
func (o *solveOptions) runFilm(ctx context.Context, in *input, out *output) error {
	if name := film.Existing(o.film); name != "" && !o.force {
		return exists("--film", name)
	}
	f, err := film.Create(o.film)
	if err != nil {
		return cli.Usagef("--film: %v", err)
	}
	err = o.runSteps(ctx, in, out, &solverFilm{Film: f, delay: time.Duration(o.delay)})
	failed := f.Close()
	switch {
	case failed != nil && err == nil:
		return &cli.Error{Status: cli.Failed, Err: failed}
	case failed == nil:
		tellWritten(o.film)
	}
	return err
}

// runSteps writes each step of the method, shows it, or adds it to a film.
func (o *solveOptions) runSteps(ctx context.Context, in *input, out *output, film *solverFilm) error {
	method, verdict := o.solver(), verdict{method: o.method.Value}
	fast, window := &sudoku.Solver{}, &window{}
	if !o.watch { // its steps take as long as --delay says
		defer newProgress(in, out).end()
	}
	in.wait = func() { out.Flush() } // an error comes again
	for g, err := range in.games() {
		if err != nil {
			return err
		}
		board, steps, done := g.Givens, 0, false
		if film != nil {
			if err := film.show(&g.Givens, &board, compare.Step{Kind: csp.Solved}, o.method.Value); err != nil {
				return err
			}
		}
		for step := range method.Steps(&g.Givens) {
			steps++
			switch cell := step.Variable; step.Kind {
			case csp.Assign:
				board[cell.Row][cell.Col] = step.Value
			case csp.Backtrack:
				board[cell.Row][cell.Col] = 0
			case csp.Solved:
				done = true
			}
			switch {
			case film != nil:
				err = film.show(&g.Givens, &board, step, o.caption(steps, step))
			case o.watch:
				err = o.show(ctx, out, window, &board, step, steps)
			case o.json:
				err = json.NewEncoder(out).Encode(stepRecord{step.Kind.String(), step.Variable.Row + 1, step.Variable.Col + 1, step.Value, step.Depth})
			default:
				_, err = out.WriteString(stepText(step) + "\n")
			}
			if film == nil {
				err = writeError("the output", err)
			}
			if err = cmp.Or(context.Cause(ctx), err); err != nil {
				return err
			}
			if steps == o.limit && !done {
				break
			}
		}
		if o.watch {
			window.leave(out)
		}
		s := solution{first: board, solutions: 1}
		if !done {
			_, ok := fast.First(&g.Givens)
			s = solution{unsolved: ok}
		}
		verdict.add(s)
	}
	return verdict.error()
}

// A stepRecord is a line of --steps --json. Rows and columns count from 1.
type stepRecord struct {
	Step   string `json:"step"`
	Row    int    `json:"row,omitempty"`
	Column int    `json:"column,omitempty"`
	Digit  int    `json:"digit,omitempty"`
	Depth  int    `json:"depth"`
}

// stepText writes a step: r1c2=3 for a digit, r1c2<>3 for a digit that is ruled out.
func stepText(step compare.Step) string {
	cell := fmt.Sprintf("r%dc%d", step.Variable.Row+1, step.Variable.Col+1)
	switch step.Kind {
	case csp.Assign:
		return fmt.Sprintf("%s=%d", cell, step.Value)
	case csp.Backtrack:
		return fmt.Sprintf("back from %s=%d", cell, step.Value)
	case csp.Prune:
		return fmt.Sprintf("%s<>%d", cell, step.Value)
	}
	return step.Kind.String()
}

// caption describes a step, which has a number.
func (o *solveOptions) caption(number int, step compare.Step) string {
	return fmt.Sprintf("%s: step %s, %s", o.method.Value, thousands(number), stepText(step))
}

// show draws the grid over the previous one, and waits a while.
func (o *solveOptions) show(ctx context.Context, out *output, w *window, board *sudoku.Grid, step compare.Step, number int) error {
	lines := strings.Split(strings.TrimSuffix(format.Rows(board), "\n"), "\n")
	lines = append(lines, "", o.caption(number, step))
	w.draw(out, lines)
	if err := out.Flush(); err != nil {
		return err
	}
	select {
	case <-time.After(time.Duration(o.delay)):
	case <-ctx.Done():
		w.leave(out)
	}
	return nil
}

// A window is a number of lines of the terminal that are drawn repeatedly.
type window struct{ width, height, lines int }

// draw draws the lines, as far as they fit, and moves the cursor back to the first.
func (w *window) draw(out *output, lines []string) {
	width, height := cli.TerminalSize(os.Stdout)
	if w.width > 0 && (w.width != width || w.height != height) {
		out.WriteString("\x1b[H\x1b[2J") // after a change of size the position of the lines is unknown
	}
	w.width, w.height, w.lines = width, height, min(len(lines), height-1)
	for _, line := range lines[:w.lines] {
		line = "  " + line
		out.WriteString(line[:min(len(line), width-1)] + "\x1b[K\n")
	}
	if w.lines > 0 {
		fmt.Fprintf(out, "\x1b[%dA", w.lines)
	}
}

// leave moves the cursor below the lines.
func (w *window) leave(out *output) { out.WriteString(strings.Repeat("\n", w.lines+1)) }

// runCompare writes a table of all methods.
func (o *solveOptions) runCompare(ctx context.Context, in *input, out *output) error {
	var grids []sudoku.Grid
	fast, verdict := &sudoku.Solver{}, verdict{method: defaultMethod}
	for g, err := range in.games() {
		if err != nil {
			return err
		}
		grids = append(grids, g.Givens)
		_, solutions := fast.Solve(&g.Givens)
		verdict.add(solution{solutions: solutions})
	}
	progress := newProgress(in, out)
	defer progress.end()
	table, err := compare.Run(ctx, grids, o.limit, func(done int) {
		progress.count = done
		progress.show()
	})
	if err != nil {
		return err
	}
	if !o.json {
		if _, err := out.WriteString(table.String()); err != nil {
			return writeError("the output", err)
		}
		return verdict.error()
	}
	for _, row := range table {
		err := json.NewEncoder(out).Encode(compareRecord{row.Solver.Name, row.Puzzles, row.Solved, row.GaveUp, row.Assigned, row.Pruned, row.Backtracks, row.Time.Seconds()})
		if err != nil {
			return writeError("the output", err)
		}
	}
	return verdict.error()
}

// A compareRecord is a line of --compare --json. The numbers are totals of all
// puzzles.
type compareRecord struct {
	Method     string  `json:"method"`
	Puzzles    int     `json:"puzzles"`
	Solved     int     `json:"solved"`
	GaveUp     int     `json:"gave_up"`
	Assigned   int     `json:"assigned"`
	Pruned     int     `json:"pruned"`
	Backtracks int     `json:"backtracks"`
	Seconds    float64 `json:"seconds"`
}
