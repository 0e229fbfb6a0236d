package game_test

import (
	"os"
	"reflect"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// Notes, corner marks and colours are seen in the view, and each is a move.
func TestMarks(t *testing.T) {
	p := play(t, nil, one("mine", sudoku.Grid{{1}}), drive.Config{})
	p.do(game.Toggle{}, game.Select{Row: 4, Col: 4},
		game.Mark{Of: game.Notes, Digit: 2}, game.Mark{Of: game.Notes, Digit: 9}, game.Mark{Of: game.Corner, Digit: 1}, game.Mark{Of: game.Colours, Digit: 3})
	v := p.View()
	if c := v.Cells[4][4]; c.Notes != 1<<2|1<<9 || c.Corner != 1<<1 || c.Colours != 1<<3 || v.Undo != 4 || v.Redo != 0 {
		t.Errorf("got %+v, %d, %d", c, v.Undo, v.Redo)
	}
	p.do(game.Put(0)) // the notes, and then the colours
	if c := p.View().Cells[4][4]; c.Notes != 0 || c.Corner != 0 || c.Colours == 0 {
		t.Errorf("got %+v", c)
	}
	p.do(game.Undo{}, game.Undo{}, game.Undo{})
	if v := p.View(); v.Cells[4][4] != (game.Cell{Selected: true, Notes: 1<<2 | 1<<9}) || v.Undo != 2 || v.Redo != 3 {
		t.Errorf("got %+v, %d, %d", v.Cells[4][4], v.Undo, v.Redo)
	}
	p.do(game.Redo{}, game.Redo{}, game.Redo{})
	p.says(game.Nothing)
	p.do(game.Redo{})
	p.says(game.NothingToRedo)
	p.do(game.Mark{Of: game.Digits, Digit: 1})
	p.says(game.UnknownInput)
}

// The pen decides what a digit key writes.
func TestPen(t *testing.T) {
	p := play(t, nil, one("mine", sudoku.Grid{{1}}), drive.Config{})
	p.do(game.Toggle{}, game.Select{Row: 4, Col: 4})
	for _, test := range []struct {
		pen  game.Pen
		want game.Cell
	}{
		{game.Digits, game.Cell{Selected: true, Digit: 5}}, {game.Notes, game.Cell{Selected: true, Notes: 1 << 5}},
		{game.Corner, game.Cell{Selected: true, Corner: 1 << 5}}, {game.Colours, game.Cell{Selected: true, Colours: 1 << 5}},
	} {
		p.do(game.SetPen(test.pen), game.Put(5))
		if v := p.View(); v.Cells[4][4] != test.want || v.Pen != test.pen {
			t.Errorf("%d: got %+v", test.pen, v.Cells[4][4])
		}
		p.do(game.Undo{})
	}
}

// Inputs change all cells that are marked.
func TestSeveralCells(t *testing.T) {
	p := play(t, nil, one("mine", sudoku.Grid{{1}}), drive.Config{})
	p.do(game.Toggle{}, game.Select{}, game.Extend{Cols: 1}, game.Extend{Rows: 1}, game.Drag{Row: 8, Col: 8})
	v := p.View()
	marked := [][2]int{}
	for row, cells := range v.Cells {
		for col, c := range cells {
			if c.Marked {
				marked = append(marked, [2]int{row, col})
			}
		}
	}
	if !reflect.DeepEqual(marked, [][2]int{{0, 0}, {0, 1}, {1, 1}, {8, 8}}) || p.selected() != [2]int{8, 8} {
		t.Errorf("got %v", marked)
	}
	p.do(game.Mark{Of: game.Notes, Digit: 7})
	p.do(game.Put(4)) // not into the given
	p.showsGrid(sudoku.Grid{{1, 4}, {0, 4}, 8: {8: 4}})
	p.do(game.Undo{})
	if v := p.View(); v.Cells[0][1].Notes != 1<<7 || v.Cells[8][8].Notes != 1<<7 || v.Cells[0][0].Notes != 0 || v.Undo != 1 {
		t.Errorf("got %+v", v.Cells)
	}
	p.do(game.Candidates{})
	if got := p.View().Cells[1][1].Notes; got != 0b1111111100 {
		t.Errorf("got %b", got)
	}
	p.do(game.Unselect{}, game.Put(5))
	p.showsGrid(sudoku.Grid{{1}, 8: {8: 5}})
	p.do(game.Select{}, game.Extend{}, game.Put(2))
	p.says(game.GivenDigit)
	p.do(game.Move{Cols: 1})
	if p.View().Cells[0][0].Marked {
		t.Error("moving leaves cells marked")
	}
	p.do(game.Candidates{All: true})
	if v := p.View(); v.Cells[7][7].Notes != 0b1111011110 || v.Cells[7][0].Notes != 0b1111111100 {
		t.Errorf("got %b, %b", v.Cells[7][7].Notes, v.Cells[7][0].Notes)
	}
}

// Setting a digit cleans up the notes of its peers, if the player wants that.
func TestCleanUp(t *testing.T) {
	p := play(t, nil, one("mine", sudoku.Grid{}), drive.Config{})
	for on, want := range map[bool]uint16{true: 0, false: 1 << 5} {
		p.do(game.Options{CleanUp: on}, game.Restart{}, game.Select{Row: 0, Col: 8}, game.Mark{Of: game.Notes, Digit: 5}, game.Select{}, game.Put(5))
		if v := p.View(); v.Cells[0][8].Notes != want || v.Undo != 2 {
			t.Errorf("%v: got %b, %d moves", on, v.Cells[0][8].Notes, v.Undo)
		}
	}
}

// Save points have names, and returning to one is a move. Reset is one too.
func TestSavePoints(t *testing.T) {
	p := play(t, nil, one("mine", sudoku.Grid{}), drive.Config{})
	p.do(game.Toggle{}, game.Put(1), game.SavePoint("one"), game.Put(2), game.SavePoint("two"), game.Restore(0))
	p.showsGrid(sudoku.Grid{{1}})
	p.do(game.Reset{})
	p.showsGrid(sudoku.Grid{})
	p.do(game.Undo{}, game.Undo{})
	p.showsGrid(sudoku.Grid{{2}})
	p.do(game.Forget(0))
	if got := p.View().SavePoints; !reflect.DeepEqual(got, []string{"two"}) {
		t.Errorf("got %q", got)
	}
}

// What the chart does not have is not possible, and changes nothing.
func TestUnsupported(t *testing.T) {
	p := play(t, load(t, os.DirFS("testdata"), "taponly.scxml"), nil, drive.Config{})
	const six = game.CanStart | game.CanStop | game.CanPut | game.CanUndo | game.CanChoose
	if v := p.View(); v.Has != six || v.Can != game.CanStart|game.CanChoose || v.Undo != -1 {
		t.Errorf("has %b, can %b, undo %d", v.Has, v.Can, v.Undo)
	}
	p.do(game.Toggle{})
	if v := p.View(); v.Can != game.CanStop|game.CanPut|game.CanUndo|game.CanChoose {
		t.Errorf("playing: can %b", v.Can)
	}
	before := p.View()
	for _, in := range []game.Input{
		game.Mark{Of: game.Notes, Digit: 1}, game.Candidates{}, game.Redo{}, game.Reset{}, game.SavePoint("x"), game.Restore(0), game.Forget(0),
		game.Pause{}, game.Resume{}, game.AskHint{}, game.Reveal{}, game.Solve{}, game.SolverStep{}, game.SolverSpeed(1), game.Edit{}, game.Fix{},
		game.LeaveEdit{}, game.Generate{Level: 1}, game.Cancel{}, game.Open{Game: full()}, game.SetClock(true), game.Options{},
	} {
		p.do(in)
		p.says(game.Unsupported)
		v := p.View()
		if v.Message.Code = game.Nothing; !reflect.DeepEqual(v, before) {
			t.Errorf("%T changes the view", in)
		}
	}
}

// The view says what is possible in each state.
func TestCan(t *testing.T) {
	p := play(t, load(t, charts.FS, "sudoku.scxml"), one("mine", sudoku.Grid{{1}}), drive.Config{})
	const always = game.CanChoose | game.CanLoad | game.CanClock | game.CanCleanUp | game.CanGenerate
	const play = always | game.CanPut | game.CanMark | game.CanCandidates | game.CanSavePoint | game.CanPause | game.CanStop |
		game.CanHint | game.CanReveal | game.CanSolve | game.CanEdit | game.CanUndo | game.CanRedo
	for _, step := range []struct {
		inputs []game.Input
		want   game.Abilities
	}{
		{nil, always | game.CanStart | game.CanEdit | game.CanSolve},
		{[]game.Input{game.Toggle{}}, play},
		{[]game.Input{game.Select{Col: 1}, game.Put(2)}, play | game.CanReset},
		{[]game.Input{game.Undo{}}, play},
		{[]game.Input{game.SavePoint("x")}, play | game.CanRestore},
		{[]game.Input{game.Toggle{}}, always | game.CanResume | game.CanStop | game.CanSolve | game.CanEdit},
		{[]game.Input{game.GiveUp{}}, always | game.CanResume | game.CanStart | game.CanSolve | game.CanEdit | game.CanUndo},
		{[]game.Input{game.Edit{}}, always | game.CanPut | game.CanUndo | game.CanRedo | game.CanFix | game.CanLeaveEdit},
	} {
		p.do(step.inputs...)
		v := p.View()
		if v.Can != step.want {
			t.Errorf("after %T: can %b, want %b", step.inputs, v.Can, step.want)
		}
		if v.Has&v.Can != v.Can {
			t.Errorf("after %T: what is possible is not supported", step.inputs)
		}
	}
}
