// Package sudoku is the front end with the Sudoku board, on a screen or in lines of text,
// for charts that speak its protocol.
package sudoku

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/player"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/plain"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// InitState is the data item with the puzzle, which the board sets itself.
const InitState = "initState"

// Config says what to play.
type Config struct {
	Open      []string        // files with puzzles
	MaxFile   int64           // their maximum size
	InitState datamodel.Value // the first puzzle; undefined: the first of the list
	Plain     bool            // the board is lines of text
	Load      string          // the file of a saved game, or ""
	Saved     []byte          // its content
	Files     *player.Files   // of the player
}

// A Player plays a game until it ends, see [tui.Player].
type Player interface {
	Run(context.Context) (drive.End, error)
}

// New returns a player of the chart with its session, see [tui.New]. The error is a
// [*cli.Error], or says why the session cannot be created.
func New(chart *scxml.Chart, cfg Config, driver drive.Config) (Player, error) {
	ui := map[bool]string{false: "sudoku", true: "plain"}[cfg.Plain]
	if !game.Speaks(chart) {
		return nil, cli.Usagef("--ui %s: this chart does not speak the protocol of the Sudoku board: it needs transitions for the events tap, undo, setup, start and stop, and a <send> of updateGUI with the params currentState and initState; use --ui line", ui)
	}
	puzzles, err := openPuzzles(cfg.Open, cfg.MaxFile)
	if err != nil {
		return nil, err
	}
	if cfg.InitState != nil {
		puzzle, err := givenPuzzle(cfg.InitState)
		if err != nil {
			return nil, err
		}
		if puzzles == nil {
			puzzles = sudoku.Puzzles()
		}
		puzzles = slices.Insert(puzzles, 0, puzzle)
	}
	if !cfg.Plain && !cli.IsTerminal(os.Stdout) {
		return nil, cli.Usagef("--ui sudoku needs a terminal, and standard output is not one; use --ui plain, --ui line or --ui json")
	}
	g, err := game.New(chart, puzzles)
	if err != nil {
		return nil, err
	}
	switch {
	case cfg.Load != "":
		saved, err := savedGame(cfg.Load, cfg.Saved)
		if err == nil {
			err = cfg.Files.KeepLoaded(g, saved)
		}
		if err != nil {
			return nil, &cli.Error{Status: cli.Usage, Err: fmt.Errorf("--load: %s", strings.TrimPrefix(err.Error(), "sudoku: "))}
		}
	case driver.Saved == nil && driver.Save == nil:
		if err := cfg.Files.Keep(g, puzzles); err != nil {
			return nil, err
		}
	}
	cfg.Files.Tell("scxmlrun")
	driver.Options = append(service.Options(), driver.Options...)
	if cfg.Plain {
		p, err := plain.New(g, driver, os.Stdin, os.Stdout)
		if err == nil {
			p.Use(cfg.Files.Words, cfg.Files.Shelf)
		}
		return p, err
	}
	return tui.New(g, cfg.Files.Screen(driver))
}

// givenPuzzle returns the value of --data initState as a puzzle.
func givenPuzzle(v datamodel.Value) (sudoku.Puzzle, error) {
	puzzle := sudoku.Puzzle{Name: InitState}
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

// savedGame reads the only game of a file, in any format.
func savedGame(name string, content []byte) (*format.Game, error) {
	var saved *format.Game
	for g, err := range format.Read(name, bytes.NewReader(content)) {
		switch {
		case err != nil:
			return nil, err
		case saved != nil:
			return nil, fmt.Errorf("%q has more than one game; to play its puzzles, use --open %s", name, name)
		}
		saved = &g
	}
	return saved, nil
}

// openPuzzles reads the files of --open, in order.
func openPuzzles(files []string, maxFile int64) ([]sudoku.Puzzle, error) {
	var all []sudoku.Puzzle
	for _, name := range files {
		source, err := cli.Read(name, maxFile)
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
