package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// maxPlayed is how many puzzles of an input are taken into the game.
const maxPlayed = 100_000

const playHelp = `Play is the game in the terminal, of at least 31 by 15 characters. Arrow keys
or the mouse select a cell, digits and Backspace fill it in, Space, Enter or a
second click counts it up, U takes a move back, S starts and stops, N or Tab
shows the next puzzle, Q quits.

Without anything else there are 24 puzzles, the easiest first. --open plays
those of a file, and --missing, --method, --level, --symmetry and --seed make
new ones. The rules are those of a state chart, which scxmlrun can run, too.`

func newPlayCommand() *cobra.Command {
	var flags generateFlags
	var open []string
	var count int
	cmd := &cobra.Command{
		Use:   "play [FILE…|PUZZLE…]",
		Short: "Play in the terminal",
		Long:  playHelp,
		Example: `  sudoku play
  sudoku play --open book.sdk
  sudoku play --missing 30
  sudoku play --method scan --level 4`,
	}
	cmd.Flags().StringArrayVar(&open, "open", nil, "play the puzzles of this `FILE`, as FILE alone does; may be repeated")
	cmd.Flags().IntVar(&count, "count", 24, "make `N` new puzzles")
	flags.bind(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		makes := false
		for _, flag := range []string{"missing", "method", "level", "symmetry", "seed", "count"} {
			makes = makes || cmd.Flags().Changed(flag)
		}
		files := append(open, args...)
		switch {
		case makes && len(files) > 0:
			return cli.Usagef("play either the puzzles of %q or new ones", files[0])
		case count < 1 || count > maxPlayed:
			return cli.Usagef("--count: expected a number from 1 to %d, found %d", maxPlayed, count)
		case !cli.IsTerminal(os.Stdout):
			return cli.Usagef("play needs a terminal, and standard output is none")
		}
		var puzzles []sudoku.Puzzle // none: those that come with the game
		var err error
		switch {
		case len(files) > 0:
			puzzles, err = openPuzzles(cmd.Context(), files)
		case makes:
			puzzles, err = makePuzzles(cmd.Context(), &flags, count)
		}
		if err != nil {
			return err
		}
		return play(cmd.Context(), puzzles)
	}
	return cmd
}

// play plays puzzles until the player quits.
func play(ctx context.Context, puzzles []sudoku.Puzzle) error {
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		return err
	}
	g, err := game.New(chart, puzzles)
	if err != nil {
		return err
	}
	player, err := tui.New(g, drive.Config{})
	if err != nil {
		return err
	}
	_, err = player.Run(ctx)
	var signal *tui.SignalError
	switch {
	case errors.As(err, &signal):
		return &cli.Error{Status: cli.Interrupted}
	case err != nil:
		return &cli.Error{Status: cli.Failed, Err: errors.New(strings.TrimPrefix(err.Error(), "sudoku: "))}
	}
	return nil
}

// openPuzzles reads puzzles with names to show.
func openPuzzles(parent context.Context, files []string) ([]sudoku.Puzzle, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	in, err := newInput(ctx, files)
	if err != nil {
		return nil, err
	}
	var puzzles []sudoku.Puzzle
	for g, err := range in.games() {
		switch {
		case err != nil:
			return nil, err
		case len(puzzles) == maxPlayed:
			return nil, cli.Usagef("there are more than %s puzzles; that is enough for a life", thousands(maxPlayed))
		case g.Name == "":
			g.Name = fmt.Sprintf("puzzle %d", len(puzzles)+1)
		}
		puzzles = append(puzzles, sudoku.Puzzle{Name: g.Name, Grid: g.Givens})
	}
	return puzzles, nil
}

// makePuzzles makes new puzzles.
func makePuzzles(ctx context.Context, flags *generateFlags, count int) ([]sudoku.Puzzle, error) {
	generator, err := flags.generator()
	if err != nil {
		return nil, err
	}
	g := generator()
	puzzles := make([]sudoku.Puzzle, count)
	for i := range puzzles {
		made, err := g.Puzzle(ctx, uint64(i))
		if err != nil {
			return nil, err
		}
		puzzles[i] = sudoku.Puzzle{Name: fmt.Sprintf("%s, seed %d", flags.options.Method, flags.options.Seed), Grid: made.Grid}
	}
	return puzzles, nil
}
