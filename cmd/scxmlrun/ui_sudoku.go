package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// errPlayedOut is the cause of a game that --timeout ended.
var errPlayedOut = errors.New("stopped: the time given by --timeout passed")

// runSudoku plays a chart on the Sudoku board.
func runSudoku(ctx context.Context, chart *scxml.Chart, initial []dataValue, saved []byte, o *runOptions) error {
	if !tui.Speaks(chart) {
		return cli.Usagef("--ui sudoku: this chart does not speak the protocol of the Sudoku board: it needs transitions for the events tap, undo, setup, start and stop, and a <send> of updateGUI with the params currentState and initState; use --ui line")
	}
	if err := o.checkSudoku(); err != nil {
		return err
	}
	puzzles, err := openPuzzles(o.open)
	if err != nil {
		return err
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(o.timeout), errPlayedOut)
		defer cancel()
	}
	last, trace := ending{}, scxml.Trace{}
	last.watch(&trace)
	options := []scxml.Option{scxml.WithTrace(&trace)}
	if o.seedGiven {
		options = append(options, scxml.WithSeed(o.seed))
	}
	for _, d := range initial {
		if d.id != "initState" {
			options = append(options, scxml.WithData(d.id, d.value))
			continue
		}
		puzzle, err := givenPuzzle(d.value)
		if err != nil {
			return err
		}
		if puzzles == nil {
			puzzles = sudoku.Puzzles()
		}
		puzzles = slices.Insert(puzzles, 0, puzzle)
	}
	if !cli.IsTerminal(os.Stdout) {
		return cli.Usagef("--ui sudoku needs a terminal, and standard output is none; use --ui json or --ui line")
	}
	var saveErr error
	err = tui.Run(ctx, chart, tui.Config{
		Puzzles: puzzles, Options: options, Saved: saved, Timers: o.timerPolicy(),
		AtEnd: func(s *scxml.Session) {
			last.note(s)
			saveErr = o.saveSession(s)
		},
	})
	var refused *tui.SessionError
	var signal *tui.SignalError
	switch {
	case errors.As(err, &refused):
		return o.sessionError(refused.Err)
	case errors.As(err, &signal):
		return &cli.Error{Status: cli.Interrupted, Err: saveErr}
	case saveErr != nil:
		return &cli.Error{Status: cli.Failed, Err: saveErr}
	case errors.Is(err, errPlayedOut):
		return &cli.Error{Status: cli.Timeout, Err: err}
	case err != nil && !errors.Is(err, tui.ErrChartEnded):
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return last.check(chart, o.expect)
}

// givenPuzzle makes the value of --data initState the puzzle to begin with:
// the board gives the chart its puzzles itself.
func givenPuzzle(v datamodel.Value) (sudoku.Puzzle, error) {
	puzzle := sudoku.Puzzle{Name: "initState"}
	err := datamodel.Decode(v, &puzzle.Grid)
	for _, row := range puzzle.Grid {
		if slices.Min(row[:]) < 0 || slices.Max(row[:]) > 9 {
			err = errors.New("another number")
		}
	}
	if rows, ok := v.([]datamodel.Value); err != nil || !ok || len(rows) != len(puzzle.Grid) {
		return puzzle, cli.Usagef("--data initState: the Sudoku board needs 9 rows of 9 numbers from 0 to 9, 0 for an empty cell")
	}
	return puzzle, nil
}

// openPuzzles reads the files of --open, in order.
func openPuzzles(files []string) ([]sudoku.Puzzle, error) {
	var all []sudoku.Puzzle
	for _, name := range files {
		source, err := file.Read(name, maxFile)
		if err != nil {
			return nil, cli.Usagef("--open: cannot read %q: %v", name, cli.Plain(err))
		}
		puzzles, err := format.Puzzles(name, source)
		if err != nil {
			return nil, &cli.Error{Status: cli.Usage, Err: fmt.Errorf("--open: %w", err)}
		}
		all = append(all, puzzles...)
	}
	return all, nil
}
