package game_test

import (
	"reflect"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The view describes each cell.
func TestCells(t *testing.T) {
	p := play(t, nil, one("looks", sudoku.Grid{
		0: {5},
		3: {4: 5},
		4: {6: 1},
	}), drive.Config{})
	p.do(game.Toggle{})
	p.goTo(8, 8)
	p.do(game.Put(4))
	p.goTo(8, 6)
	p.do(game.Put(4))
	p.goTo(0, 0)
	for _, test := range []struct {
		row, col int
		want     game.Cell
	}{
		{0, 0, game.Cell{Digit: 5, Given: true, Selected: true}},
		{0, 8, game.Cell{Peer: true}},
		{8, 0, game.Cell{Peer: true}},
		{2, 2, game.Cell{Peer: true}},
		{3, 3, game.Cell{}},
		{3, 4, game.Cell{Digit: 5, Given: true, Equal: true}},
		{4, 6, game.Cell{Digit: 1, Given: true}},
		{8, 8, game.Cell{Digit: 4, Conflict: true}},
		{8, 6, game.Cell{Digit: 4, Conflict: true}},
	} {
		if got := p.View().Cells[test.row][test.col]; got != test.want {
			t.Errorf("cell %d, %d: got %+v, want %+v", test.row, test.col, got, test.want)
		}
	}
	p.goTo(0, 8)
	p.do(game.Put(5))
	v := p.View()
	if want := (game.Cell{Digit: 5, Given: true, Conflict: true, Peer: true, Equal: true}); v.Cells[0][0] != want {
		t.Errorf("a given in conflict: got %+v, want %+v", v.Cells[0][0], want)
	}
	if v.Conflicts != 4 || v.Empty != 81-6 {
		t.Errorf("got %d conflicts and %d empty cells, want 4 and 75", v.Conflicts, v.Empty)
	}
	p.do(game.Put(0))
	if got := p.View().Conflicts; got != 2 {
		t.Errorf("got %d conflicts, want 2", got)
	}
}

// An empty cell has no equals.
func TestEmptyCellsAreNotEqual(t *testing.T) {
	p := play(t, nil, one("empty", sudoku.Grid{}), drive.Config{})
	if p.View().Cells[5][5].Equal {
		t.Error("an empty cell is equal to the selected one")
	}
}

func TestViewsThatLookTheSameAreEqual(t *testing.T) {
	p := play(t, nil, nil, drive.Config{})
	p.do(game.Toggle{})
	before := p.View()
	p.do(game.Move{Rows: 1})
	if reflect.DeepEqual(p.View(), before) {
		t.Error("another cell is selected, and nothing is to be seen of it")
	}
	p.do(game.Move{Rows: -1})
	if got := p.View(); !reflect.DeepEqual(got, before) {
		t.Errorf("got %+v, want %+v", got, before)
	}
}

// In a chart with other names of states, a game is running while it can be stopped.
func TestStateByWhatCanBeDone(t *testing.T) {
	p := play(t, parse(t, `<transition event="start"/>`), nil, drive.Config{})
	p.showsState(game.Playing)
}

// Data set by the user takes precedence over the first puzzle.
func TestUserData(t *testing.T) {
	grid := sudoku.Grid{{0, 0, 3}}
	p := play(t, nil, nil, drive.Config{Options: []scxml.Option{scxml.WithData("initState", grid)}})
	p.showsGrid(grid)
	p.showsPuzzle("", 0, len(sudoku.Puzzles()))
	if got := p.View().Title; got != "Sudoku" {
		t.Errorf("got title %q", got)
	}
}

// updateGUI may not contain a grid, and grids may contain any number.
func TestBadUpdate(t *testing.T) {
	p := play(t, parse(t, `<onentry><assign location="grid" expr="'none'"/></onentry><transition event="start"/>`), nil, drive.Config{})
	p.do(game.Undo{})
	p.says(game.BadUpdate)
	if p.View().Message.Detail == "" {
		t.Error("the message has no detail")
	}
	p.do(game.Move{})
	p.says(game.Nothing)

	p = play(t, parse(t, `<onentry><script>for (var x = 0; x &lt; 9; x++) grid[x] = [10, -1, 3, 0, 0, 0, 0, 0, 0];</script></onentry><transition event="start"/>`), nil, drive.Config{})
	p.do(game.Undo{})
	if got := p.View().Cells[4]; got[0].Digit != 10 || got[1].Digit != -1 || !got[2].Conflict {
		t.Errorf("got %+v, want what the chart sent", got)
	}
}
