package game_test

import (
	"errors"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A folder is a store of several games.
type folder struct {
	games   map[sudoku.Grid]*format.Game
	results []game.Result
	failed  error
}

func (f *folder) Save(g *format.Game) error {
	f.games[g.Givens] = g
	return nil
}

func (f *folder) Find(givens sudoku.Grid) (*format.Game, error) { return f.games[givens], f.failed }

func (f *folder) Solved(_ *format.Game, r game.Result) { f.results = append(f.results, r) }

// keep plays the puzzles with a folder.
func keep(t *testing.T, puzzles []sudoku.Puzzle) (*player, *folder) {
	t.Helper()
	g, err := game.New(load(t, charts.FS, "sudoku.scxml"), puzzles)
	if err != nil {
		t.Fatal(err)
	}
	f := &folder{games: map[sudoku.Grid]*format.Game{}}
	g.Keep(f)
	return begin(t, g, drive.Config{}), f
}

// A puzzle that was left continues when the player comes back, paused, with everything that
// was entered.
func TestPuzzleThatWasLeft(t *testing.T) {
	first, second := sudoku.Grid{{1}}, sudoku.Grid{{2}}
	for name, back := range map[string]game.Input{
		"next": game.Next(-1), "choose": game.Choose(1), "open": game.Open{Game: &format.Game{Givens: first}},
	} {
		t.Run(name, func(t *testing.T) {
			p, f := keep(t, append(one("first", first), one("second", second)...))
			p.do(game.Toggle{}, game.Select{Col: 3}, game.Put(7), game.Mark{Of: game.Colours, Digit: 2}, game.SavePoint("x"), game.Put(8), game.Undo{})
			p.do(game.Next(+1))
			p.showsState(game.Idle)
			p.showsGrid(second)
			p.do(game.Undo{})
			p.says(game.NotPlaying)
			if mode := f.games[first].Progress.Mode; mode != format.Paused {
				t.Errorf("got mode %q", mode)
			}
			p.do(game.Toggle{}, game.Select{Col: 3}, game.Put(9), game.Select{Col: 5}, game.Put(9))
			p.do(back)
			p.showsState(game.Paused)
			p.showsGrid(sudoku.Grid{{1, 0, 0, 7}})
			p.showsPuzzle("first", 1, 2)
			p.do(game.Toggle{}, game.Redo{})
			p.showsGrid(sudoku.Grid{{1, 0, 0, 8}})
			if v := p.View(); v.Cells[0][3].Colours != 1<<2 || len(v.SavePoints) != 1 || v.Undo != 3 {
				t.Errorf("got %+v", v)
			}
			if got := f.games[second].Board(); got != (sudoku.Grid{{2, 0, 0, 9, 0, 9}}) {
				t.Errorf("got %v", got)
			}
		})
	}
}

// A puzzle is shown even if the store fails, and the message says why nothing was found.
func TestStoreThatFails(t *testing.T) {
	p, f := keep(t, append(one("first", sudoku.Grid{{1}}), one("second", sudoku.Grid{{2}})...))
	f.failed = errors.New("the disk is broken")
	p.do(game.Next(+1))
	p.says(game.NotRead)
	p.showsGrid(sudoku.Grid{{2}})
}

// What is found but cannot be loaded is not replaced.
func TestFoundGameThatDoesNotFit(t *testing.T) {
	first, second := sudoku.Grid{{1}}, sudoku.Grid{{2}}
	p, f := keep(t, append(one("first", first), one("second", second)...))
	bad := &format.Game{Givens: second, Progress: &format.Progress{Board: sudoku.Grid{{3}}}}
	f.games[second] = bad
	p.do(game.Next(+1))
	p.says(game.NotLoaded)
	p.showsGrid(second)
	p.do(game.Toggle{}, game.Select{Col: 3}, game.Put(7))
	p.settle()
	if f.games[second] != bad {
		t.Error("the game was replaced")
	}
	p.do(game.Next(+1), game.Toggle{}, game.Select{Col: 3}, game.Put(7))
	p.settle()
	if f.games[first].Board() != (sudoku.Grid{{1, 0, 0, 7}}) {
		t.Error("no other game is saved any more")
	}
}

// The store is told once that a game was solved: not when a solved game is shown again.
func TestSolvedOnce(t *testing.T) {
	puzzles := sudoku.Puzzles()[:2]
	p, f := keep(t, puzzles)
	p.do(game.Open{Game: &format.Game{Givens: puzzles[0].Grid, Info: format.Info{Level: "3", Rating: "2.6"}}}, game.Toggle{})
	cells, _ := missing(puzzles[0])
	for _, c := range cells {
		p.do(game.Select{Row: c[0], Col: c[1]}, game.Put(c[2]))
	}
	p.showsState(game.Solved)
	if v := p.View(); v.Level != 3 || v.ER != 2.6 {
		t.Errorf("got level %d, ER %v", v.Level, v.ER)
	}
	p.do(game.Next(+1), game.Next(-1), game.Move{Rows: 1})
	p.showsState(game.Solved)
	if want := (game.Result{Level: 3, ER: 2.6}); len(f.results) != 1 || f.results[0] != want {
		t.Errorf("got %+v", f.results)
	}
}
