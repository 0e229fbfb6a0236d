package bthreads

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A game is a b-program that has started and waits for the givens of a puzzle.
type game struct {
	program *behavioral.Program
	start   []byte // its state
	players sync.Pool
}

// A player plays a puzzle after the other.
type player struct {
	*behavioral.System
	game *game
}

func newGame() (*game, error) {
	program, err := newProgram()
	if err != nil {
		return nil, err
	}
	g := &game{program: program}
	p, err := g.borrow()
	if err != nil {
		return nil, err
	}
	defer p.giveBack()
	if err := p.System.Start(context.Background()); err != nil {
		return nil, err
	}
	g.start, err = p.AppendState(nil)
	return g, err
}

// latest is the game in which all puzzles are played, because a program remembers how its b-threads
// react. When it knows too much, another one takes its place.
var latest struct {
	sync.Mutex
	game *game
}

// maxStates is how many states of b-threads a game remembers. With all that they lead to each takes about
// 1 KB, and as much again for each player.
const maxStates = 50_000

// current returns the game for the next puzzle.
func current() (*game, error) {
	latest.Lock()
	defer latest.Unlock()
	if latest.game == nil || latest.game.program.Known() > maxStates {
		g, err := newGame()
		if err != nil {
			return nil, err
		}
		latest.game = g
	}
	return latest.game, nil
}

// borrow returns a player, which is to be given back.
func (g *game) borrow() (*player, error) {
	if p, ok := g.players.Get().(*player); ok {
		return p, nil
	}
	system, err := g.program.System()
	if err != nil {
		return nil, err
	}
	return &player{system.(*behavioral.System), g}, nil
}

func (p *player) giveBack() { p.game.players.Put(p) }

// begin makes the given moves. If they contradict each other the player is pruned.
func (p *player) begin(ctx context.Context, g *sudoku.Grid) error {
	if err := p.LoadState(p.game.start); err != nil {
		return err
	}
	var inputs []explore.Input
	for row := range g {
		for column, number := range g[row] {
			if number == 0 {
				continue
			}
			given := explore.Input{Event: "Given", Data: Move{number, row, column}.data()}
			if err := p.Apply(ctx, given); err != nil {
				return err
			}
			if inputs = p.AppendInputs(inputs[:0]); len(inputs) != 1 {
				return fmt.Errorf("bthreads: %d moves are possible before the givens are made: want 1", len(inputs))
			}
			if err := p.Apply(ctx, inputs[0]); err != nil || p.Prune() {
				return err
			}
		}
	}
	return p.Apply(ctx, explore.Input{Event: "Begin"})
}

// Apply selects an event. A b-thread that makes a mistake is an error here.
func (p *player) Apply(ctx context.Context, in explore.Input) error {
	err := p.System.Apply(ctx, in)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("bthreads: %w", err)
	}
	if wrong := p.Violations(); wrong != nil {
		return errors.New("bthreads: " + wrong[0].String())
	}
	return nil
}

// won reports whether the puzzle is solved.
func won(s explore.System) bool { return s.In("DetectWin/won") }
