package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// errPlayedOut is the cause of a game that --timeout ended.
var errPlayedOut = errors.New("stopped: the time given by --timeout passed")

// runSudoku plays a chart on the Sudoku board.
func runSudoku(ctx context.Context, chart *scxml.Chart, initial []dataValue, o *runOptions) error {
	if !sudoku.Speaks(chart) {
		return usageErrorf("--ui sudoku: this chart does not speak the protocol of the Sudoku board: it needs transitions for the events tap, undo, setup, start and stop, and a <send> of updateGUI with the params currentState and initState; use --ui line")
	}
	if err := o.checkSudoku(); err != nil {
		return err
	}
	puzzles, err := openPuzzles(o.open)
	if err != nil {
		return err
	}
	if !isTerminal(os.Stdout) {
		return usageErrorf("--ui sudoku needs a terminal, and standard output is none; use --ui json or --ui line")
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
		options = append(options, scxml.WithData(d.id, d.value))
	}
	err = tui.Run(ctx, chart, tui.Config{Puzzles: puzzles, Options: options})
	var signal *tui.SignalError
	switch {
	case errors.As(err, &signal):
		return &statusError{statusInterrupted, nil}
	case errors.Is(err, errPlayedOut):
		return &statusError{statusTimeout, err}
	case err != nil && !errors.Is(err, tui.ErrChartEnded):
		return &statusError{statusFailed, err}
	}
	return last.check(chart, o.expect)
}

// openPuzzles reads the files of --open, in order.
func openPuzzles(files []string) ([]sudoku.Puzzle, error) {
	var all []sudoku.Puzzle
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, usageErrorf("--open: cannot read %q: %v", name, plain(err))
		}
		puzzles, err := sudoku.Read(name, source)
		if err != nil {
			return nil, &statusError{statusUsage, fmt.Errorf("--open: %w", err)}
		}
		all = append(all, puzzles...)
	}
	return all, nil
}
