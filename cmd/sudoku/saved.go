package main

import (
	"context"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// savedFiles are the files of --load and --save, or "". They are a store that keeps one
// game in the file of --save, and those of other puzzles on the shelf.
type savedFiles struct {
	load, save string

	*shelf.Shelf
	kept *format.Game // in the file; nil until it has begun
}

// open returns the game to load; nil without one. It also checks that the game can be saved,
// before an hour of play.
func (f *savedFiles) open(parent context.Context) (*format.Game, error) {
	if f.save != "" {
		loaded, _ := os.Stat(f.load) // nil is another file
		if info, err := os.Stat(f.save); err == nil && !os.SameFile(info, loaded) {
			return nil, cli.Usagef("--save: %q exists; to continue its game, use --load %s", f.save, f.save)
		}
		out, err := durable.Replace(f.save, 0o600)
		if err != nil {
			return nil, cli.Usagef("--save: cannot write %q: %v", f.save, cli.Plain(err))
		}
		out.Discard()
	}
	switch f.load {
	case "":
		return nil, nil
	case stdinName:
		return nil, cli.Usagef("--load: want the name of a file; the player writes on standard input")
	}
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	in, err := newInput(ctx, []string{f.load})
	if err != nil {
		return nil, err
	}
	var games []format.Game
	for g, err := range in.games() {
		if err != nil {
			return nil, err
		}
		if games = append(games, g); len(games) > 1 {
			return nil, cli.Usagef("--load: %q has more than one game; to play its puzzles, use --open %s", f.load, f.load)
		}
	}
	return &games[0], nil
}

// keep makes a game be kept in the file of --save; saved is that of --load, or nil.
func (f *savedFiles) keep(g *game.Game, saved *format.Game, other *shelf.Shelf) error {
	f.Shelf = other
	g.Keep(f)
	if saved == nil {
		return nil
	}
	f.kept = saved
	return g.Open(saved)
}

// Save keeps a game. Whatever happens, the file has the old game or the new one. The game
// of another puzzle does not replace it.
func (f *savedFiles) Save(g *format.Game) error {
	if f.kept != nil && f.kept.Givens != g.Givens {
		return f.Shelf.Save(g)
	}
	text, err := format.Encode(g)
	if err == nil {
		err = durable.Write(f.save, text, 0o600)
	}
	if err == nil && g.Progress != nil {
		f.GivenUp(f.kept, g)
		f.kept = g
	}
	return cli.Plain(err)
}

// Find returns the game of a puzzle.
func (f *savedFiles) Find(givens sudoku.Grid) (*format.Game, error) {
	if f.kept != nil && f.kept.Givens == givens {
		return f.kept, nil
	}
	return f.Shelf.Find(givens)
}
