package player

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// Keep makes a game be kept, if its chart can continue it, and continue where the player has
// left: with the last game, if it is one of the puzzles, or with the first puzzle of the game.
// No puzzles mean the built-in ones, or any other.
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
	first, err := f.Find(g.Puzzle().Grid)
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
	if f.Film != nil {
		if problem := f.Film.Close(); problem != nil && err == nil {
			err = &cli.Error{Status: cli.Failed, Err: fmt.Errorf("--film: %w", cli.Plain(problem))}
		}
	}
	if unsaved == nil {
		return err
	}
	failure := &cli.Error{Status: cli.Failed}
	errors.As(err, &failure) // with the status of an interrupt
	return &cli.Error{Status: failure.Status, Err: fmt.Errorf("the game is not saved: %w", unsaved)}
}
