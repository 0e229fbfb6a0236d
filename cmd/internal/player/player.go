package player

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// Flags are the flags of the board.
type Flags struct {
	Fresh bool
	lang  cli.Choice
	vi    bool
	names []string
	cmd   *cobra.Command
}

// Bind adds the flags to a command.
func (f *Flags) Bind(cmd *cobra.Command) {
	f.cmd, f.lang.All = cmd, words.Languages()
	f.names = []string{"fresh", "lang", "vi"}
	cmd.Flags().BoolVar(&f.Fresh, "fresh", false, "on the Sudoku board, neither continue nor keep a game, and use no settings")
	f.lang.Flag(cmd, "lang", "language of the Sudoku board: en or nl (default: by the settings, or else the locale)")
	cmd.Flags().BoolVar(&f.vi, "vi", false, "on the Sudoku board, h, j, k and l move the selection")
}

// Given returns the name of a flag of the board that was given, or "".
func (f *Flags) Given() string {
	for _, name := range f.names {
		if f.cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// Files are the files of a player, see [Flags.Open].
type Files struct {
	*shelf.Shelf
	Settings shelf.Settings // with the flags
	Words    *words.Words
	notes    []error
}

// Open opens the files of the player, none with --fresh. Call End at the end.
func (f *Flags) Open() (*Files, error) {
	state, config := "", ""
	files := &Files{}
	if !f.Fresh {
		var err error
		if state, config, err = shelf.Folders(); err != nil {
			files.note(fmt.Errorf("cannot keep games: %w", err))
		}
	}
	files.Shelf, _ = shelf.Open(state, config) // Save tells why games are not kept
	var err error
	files.Settings, err = files.Shelf.Settings()
	files.note(err)
	if f.lang.Value != "" {
		files.Settings.Lang = f.lang.Value
	}
	if f.cmd.Flags().Changed("vi") {
		files.Settings.Vi = f.vi
	}
	if files.Words, err = words.New(files.Settings.Lang); err != nil {
		files.note(fmt.Errorf("the settings: %w", err))
		files.Words, err = words.New("")
	}
	return files, err
}

func (f *Files) note(err error) {
	if err != nil {
		f.notes = append(f.notes, err)
	}
}

// Tell writes what is wrong with the files to standard error.
func (f *Files) Tell(command string) {
	for _, err := range f.notes {
		fmt.Fprintf(os.Stderr, "%s: %s\n", command, cli.Visible(err.Error(), cli.KeepNewlines))
	}
}

// Keep makes a game be kept, if its chart can continue it, and continue where the player has
// left: with the last game, if it is one of the puzzles, or with the first puzzle. No
// puzzles mean the built-in ones, or any other.
func (f *Files) Keep(g *game.Game, puzzles []sudoku.Puzzle) error {
	if !g.View().Has.Has(game.CanLoad) {
		return nil
	}
	g.Keep(f.Shelf)
	last, err := f.Last()
	f.note(err)
	if last != nil && (len(puzzles) == 0 || slices.ContainsFunc(puzzles, func(p sudoku.Puzzle) bool { return p.Grid == last.Givens })) {
		return g.Open(last)
	}
	if f.Readonly() { // perhaps it is played in another window
		return nil
	}
	if len(puzzles) == 0 {
		puzzles = sudoku.Puzzles()
	}
	first, err := f.Find(puzzles[0].Grid)
	f.note(err)
	if first != nil {
		return g.Open(first)
	}
	return nil
}

// KeepLoaded makes a game be kept that continues a game of another file. If there is a
// different game of the same puzzle, it gets another name.
func (f *Files) KeepLoaded(g *game.Game, loaded *format.Game) error {
	if err := g.Open(loaded); err != nil || !g.View().Has.Has(game.CanLoad) {
		return err
	}
	g.Keep(f.Shelf)
	kept, err := f.Find(loaded.Givens)
	f.note(err)
	if kept != nil && kept.Progress != nil && !(loaded.Progress != nil && sameGame(kept.Progress, loaded.Progress)) {
		f.note(f.SetAside(loaded.Givens))
	}
	return nil
}

// sameGame reports whether the progress of two games is the same for the player.
func sameGame(a, b *format.Progress) bool {
	x, y := *a, *b
	x.Snapshot, y.Snapshot = nil, nil
	x.Mode, y.Mode = "", ""
	return reflect.DeepEqual(x, y)
}

// End closes the files. It returns err, the error of the game, unless it has to say that
// a game is not kept; saveErr is that of the end of the session.
func (f *Files) End(err, saveErr error) error {
	unsaved := cmp.Or(f.Close(), saveErr)
	if unsaved == nil {
		return err
	}
	failure := &cli.Error{Status: cli.Failed}
	errors.As(err, &failure) // with the status of an interrupt
	return &cli.Error{Status: failure.Status, Err: fmt.Errorf("the game is not saved: %w", unsaved)}
}
