package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/durable"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// savedFiles are the files of --load and --save, or "".
type savedFiles struct{ load, save string }

// open returns the game to load; nil without one. It also checks that the game can be saved,
// before an hour of play.
func (f *savedFiles) open(parent context.Context) (*format.Game, error) {
	if f.save != "" {
		loaded, _ := os.Stat(f.load) // nil is another file
		if info, err := os.Stat(f.save); err == nil && !os.SameFile(info, loaded) {
			return nil, cli.Usagef("--save: %q exists; to continue its game, use --load %s", f.save, f.save)
		}
		out, err := durable.Replace(f.save, 0o644)
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

// write saves a game. Whatever happens, the file has the old game or the new one.
func (f *savedFiles) write(g *format.Game) error {
	var text bytes.Buffer
	w := format.NewWriter(&text, format.Saved)
	err := cmp.Or(w.Write(g), w.Close())
	if err == nil {
		err = durable.Write(f.save, text.Bytes(), 0o644)
	}
	return cli.Plain(err)
}

// error says why the game was not saved at the end; nil if it was.
func (f *savedFiles) error(err error) error {
	if err == nil {
		return nil
	}
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("--save: cannot write %q: %w", f.save, err)}
}
