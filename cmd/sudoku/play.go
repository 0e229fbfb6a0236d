package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/player"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/plain"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// maxPlayed is the maximum number of puzzles in a game.
const maxPlayed = 100_000

const playHelp = `Play shows the game in a terminal of at least 30 by 16 characters. A puzzle begins by
itself, and its clock runs from the first move. The arrow keys or the mouse select a
cell, digits write, Backspace clears, Space or a click adds one. Alt and a digit notes
a candidate, and M makes all digits notes. U takes a move back, ? explains the next
step, P pauses and continues, N makes a new puzzle, Q quits. F10 opens a menu with
everything else, and F1 a page with all keys.

With --ui plain the game is lines of text, for screen readers and pipes:
"r4c7 5" writes a digit, and "help" lists the commands. A terminal that cannot
move the cursor gets that, too.

There are 24 puzzles, the easiest first; a new player gets an easy one. --open plays those of a file, and
--level, --needs, --method, --symmetry, --missing and --seed make new ones, as in
sudoku new. The rules are those of a statechart, which scxmlrun can run as well. With
--compiled the game is the same, and its chart runs compiled to Go instead of interpreted.

Each change is saved at once, and the next start continues where you left. A puzzle
that you leave keeps its progress, too. The games, results and settings are in
$XDG_STATE_HOME/scxmlrun/sudoku and $XDG_CONFIG_HOME/scxmlrun/sudoku (by default in
~/.local/state and ~/.config), on macOS in ~/Library/Application Support, on Windows
in %LocalAppData% and %AppData%, or all in the folder that SUDOKU_HOME names. A second
window plays unsaved. --fresh neither reads nor writes any of this.

--save FILE keeps the game in a file of its own instead, and --load FILE continues it,
or a game of another program, in each format that convert lists.`

func newPlayCommand() *cobra.Command {
	var flags generateFlags
	var open []string
	var count int
	var useCompiled bool
	var files savedFiles
	var board player.Flags
	cmd := &cobra.Command{
		Use:   "play [FILE…|PUZZLE…]",
		Short: "Play in the terminal",
		Long:  playHelp,
		Example: `  sudoku play
  sudoku play --open book.sdk
  sudoku play --level medium
  sudoku play --missing 30
  sudoku play --fresh --lang nl
  sudoku play --save game.json
  sudoku play --load game.json --save game.json`,
	}
	ui := cli.Choice{Value: "auto", All: []string{"auto", "screen", "plain"}}
	ui.Flag(cmd, "ui", "front end: auto, screen or plain")
	cmd.Flags().StringArrayVar(&open, "open", nil, "play the puzzles of this `FILE`, like the argument FILE; may be repeated")
	cmd.Flags().StringVar(&files.load, "load", "", "continue the game of this `FILE`")
	cmd.Flags().StringVar(&files.save, "save", "", "save the game to this `FILE` after each change")
	cmd.Flags().IntVar(&count, "count", 24, "make `N` new puzzles")
	cmd.Flags().BoolVar(&useCompiled, "compiled", false, "play the chart compiled to Go instead of interpreted")
	board.Bind(cmd)
	flags.bind(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		makes := false
		for _, flag := range append([]string{"count"}, generateFlagNames...) {
			makes = makes || cmd.Flags().Changed(flag)
		}
		for _, flag := range []string{"load", "save"} {
			if f := cmd.Flags().Lookup(flag); f.Changed && f.Value.String() == "" {
				return cli.Usagef("--%s: the name of the file is empty", flag)
			}
		}
		names := append(open, args...)
		switch {
		case makes && len(names) > 0:
			return cli.Usagef("cannot play both the puzzles of %q and new ones", names[0])
		case count < 1 || count > maxPlayed:
			return cli.Usagef("--count: expected a number from 1 to %d, found %d", maxPlayed, count)
		case ui.Value == "auto" && cli.IsTerminal(os.Stdin) && cli.IsTerminal(os.Stdout) && !cli.CanMoveCursor(os.Stdout):
			ui.Value = "plain"
		case ui.Value != "plain" && !cli.IsTerminal(os.Stdout):
			return cli.Usagef("play needs a terminal, and standard output is not one; use --ui plain")
		}
		saved, err := files.open(cmd.Context())
		if err != nil {
			return err
		}
		var puzzles []sudoku.Puzzle // none: the built-in ones
		switch {
		case len(names) > 0:
			puzzles, err = openPuzzles(cmd.Context(), names)
		case makes:
			puzzles, err = makePuzzles(cmd.Context(), &flags, count)
		}
		if err != nil {
			return err
		}
		chart, err := scxml.Load(charts.FS, "sudoku.scxml")
		if err != nil {
			return err
		}
		g, err := game.New(chart, puzzles)
		if err != nil {
			return err
		}
		if useCompiled {
			g.Use(compiled.NewDriver)
		}
		kept, err := board.Open(ui.Value == "plain")
		if err != nil {
			return err
		}
		var saveErr error
		switch {
		case files.save != "":
			err = files.keep(g, saved, kept.Shelf)
		case saved != nil:
			err = kept.KeepLoaded(g, saved)
		default:
			err = kept.Keep(g, puzzles)
		}
		if err == nil {
			kept.Tell(cmd.Root().Name())
			saveErr, err = play(cmd.Context(), g, kept, ui.Value == "plain")
		}
		switch {
		case saveErr != nil && files.save != "":
			saveErr = fmt.Errorf("--save: cannot write %q: %w", files.save, saveErr)
		case kept.Readonly(): // the player knows
			saveErr = nil
		}
		return kept.End(err, saveErr)
	}
	return cmd
}

// play plays a game until the player quits. saveErr says why it was not saved at the end.
func play(ctx context.Context, g *game.Game, kept *player.Files, inLines bool) (saveErr, err error) {
	cfg := drive.Config{Options: service.Options()}
	end := drive.End{}
	if inLines {
		ctx, cancel := cli.Interruptible(ctx, nil, nil)
		defer cancel(nil)
		var player *plain.Player
		if player, err = plain.New(g, cfg, os.Stdin, os.Stdout); err == nil {
			player.Use(kept.Words, kept.Shelf)
			end, err = player.Run(ctx)
		}
	} else {
		var player *tui.Player
		if player, err = tui.New(g, kept.Screen(cfg)); err == nil {
			end, err = player.Run(ctx)
		}
	}
	if errors.As(err, new(*cli.Interrupt)) || errors.As(err, new(*terminal.SignalError)) {
		return end.SaveErr, &cli.Error{Status: cli.Interrupted}
	}
	return end.SaveErr, gameError(err)
}

// gameError says why a game has ended by itself.
func gameError(err error) error {
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path) && path.Path == os.Stdout.Name():
		return cli.Printed(0, err)
	}
	return &cli.Error{Status: cli.Failed, Err: errors.New(strings.TrimPrefix(err.Error(), "sudoku: "))}
}

// openPuzzles reads puzzles and gives each a name.
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
			return nil, cli.Usagef("too many puzzles: a game has at most %s", thousands(maxPlayed))
		case g.Name == "":
			g.Name = fmt.Sprintf("puzzle %d", len(puzzles)+1)
		}
		puzzles = append(puzzles, sudoku.Puzzle{Name: g.Name, Grid: g.Givens})
	}
	return puzzles, nil
}

// makePuzzles makes new puzzles.
func makePuzzles(ctx context.Context, flags *generateFlags, count int) ([]sudoku.Puzzle, error) {
	progress := &search{progress: newProgress(nil, nil)}
	defer progress.end()
	generator, err := flags.generator(progress.tried)
	if err != nil {
		return nil, err
	}
	g := generator()
	puzzles := make([]sudoku.Puzzle, count)
	for i := range puzzles {
		made, err := g.Puzzle(ctx, uint64(i))
		if err != nil {
			return nil, searchError(err)
		}
		progress.made()
		name := flags.options.Method
		if made.Rating.ER != 0 {
			name = fmt.Sprintf("%v, ER %v", made.Rating.Level(), made.Rating.ER)
		}
		puzzles[i] = sudoku.Puzzle{Name: fmt.Sprintf("%s, seed %d", name, flags.options.Seed), Grid: made.Grid}
	}
	return puzzles, nil
}
