//go:build unix

package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
)

// An evening of play: a new game, half of it, a kill, the other half.
func TestNewGameIsSolvedAfterKill(t *testing.T) {
	command := buildCommand(t)
	home := t.TempDir()
	begin := func() *program {
		return start(t, []string{shelf.Variable + "=" + home}, command, "charts/sudoku.scxml")
	}
	// kept returns the game that was saved last.
	kept := func() *format.Game {
		t.Helper()
		last, err := shelf.Read(home, home).Last()
		if err != nil || last == nil {
			t.Fatalf("got %v, %v", last, err)
		}
		return last
	}
	// fill fills in some empty cells of a game.
	fill := func(p *program, g *format.Game, cells int) {
		t.Helper()
		solution := g.Givens.Solutions(1)[0]
		board := g.Board()
		for i := range 81 {
			row, col := i/9, i%9
			if board[row][col] != 0 || cells == 0 {
				continue
			}
			cells--
			p.keys("\x1b[H\x1b[5~" + strings.Repeat("\x1b[B", row) + strings.Repeat("\x1b[C", col) + fmt.Sprint(solution[row][col]))
		}
	}

	p := begin()
	p.shows("press S to start")
	p.keys("n")
	p.shows("New game")
	p.keys("\r")
	p.shows("playing")
	game := kept() // as soon as it is shown, or a moment later
	for game.Givens == sudoku.Puzzles()[0].Grid {
		game = kept()
	}
	empty := game.Givens.Empty()
	fill(p, game, empty/2)
	p.shows(fmt.Sprintf("%d empty", empty-empty/2))
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.ended

	p = begin()
	p.shows("PAUSED")
	game = kept()
	board := game.Board()
	if left := board.Empty(); left < empty-empty/2 || left > empty-empty/2+1 {
		t.Errorf("%d cells were empty, and after the kill it is %d", empty-empty/2, left)
	}
	p.keys("p")
	p.shows("playing")
	fill(p, game, 81)
	p.shows("SOLVED")
	p.keys("q")
	if code := p.end().ExitCode(); code != 0 {
		t.Errorf("got exit status %d, want 0", code)
	}
	if results, err := shelf.Read(home, home).Results(); err != nil || len(results) != 1 || results[0].GivenUp || results[0].Level == 0 || results[0].Time == 0 {
		t.Errorf("the results are %+v, %v", results, err)
	}
}
