package game_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The entry that broke a puzzle is named, however many came later, and also in a game that
// was loaded.
func TestSolvable(t *testing.T) {
	puzzle := sudoku.Puzzles()[5]
	cells, _ := missing(puzzle)
	file := &store{t: t}
	p := file.open(load(t, charts.FS, "sudoku.scxml"), []sudoku.Puzzle{puzzle}, nil)
	p.do(game.Toggle{})
	if v := p.View(); v.Solvable != game.Unsure {
		t.Errorf("got %v although it is not asked for", v.Solvable)
	}
	p.do(game.Switch(game.ShowSolvable))
	put := func(c [3]int, digit int) { p.do(game.Select{Row: c[0], Col: c[1]}, game.Put(digit)) }
	shows := func(want game.Answer, row, col int) {
		t.Helper()
		v := p.View()
		if v.Solvable != want || v.BrokenRow != row || v.BrokenCol != col {
			t.Errorf("got %v, %d, %d, want %v, %d, %d", v.Solvable, v.BrokenRow, v.BrokenCol, want, row, col)
		}
		for r, line := range v.Cells {
			for c, cell := range line {
				if cell.Broken != (r == row && c == col) {
					t.Errorf("cell %d, %d: broken is %v", r, c, cell.Broken)
				}
			}
		}
	}
	put(cells[20], cells[20][2])
	shows(game.Yes, -1, -1)
	put(cells[10], cells[10][2]%9+1)
	shows(game.No, cells[10][0], cells[10][1])
	put(cells[5], cells[5][2])
	put(cells[2], cells[2][2]%9+1)
	put(cells[30], cells[30][2])
	shows(game.No, cells[10][0], cells[10][1])
	p.quit(nil)
	p.over()
	p = file.open(load(t, charts.FS, "sudoku.scxml"), nil, file.game())
	p.do(game.Switch(game.ShowSolvable), game.Toggle{})
	shows(game.No, cells[10][0], cells[10][1])
	p.do(game.Undo{}, game.Undo{}, game.Undo{})
	shows(game.No, cells[10][0], cells[10][1])
	p.do(game.Undo{})
	shows(game.Yes, -1, -1)

	p = play(t, nil, one("impossible", sudoku.Grid{{1, 1}}), drive.Config{})
	p.do(game.Switch(game.ShowSolvable), game.Toggle{}, game.Select{Row: 5}, game.Put(3))
	shows(game.No, -1, -1)
}

// A player who enters a puzzle learns whether it has no, one, or several solutions.
func TestSolutionsWhileEditing(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	p := play(t, nil, []sudoku.Puzzle{puzzle}, drive.Config{})
	p.do(game.Toggle{}, game.Edit{})
	p.showsState(game.Editing)
	if v := p.View(); v.Solutions != 2 || v.Given != 0 || v.Empty != 81 {
		t.Errorf("got %d solutions, %d given", v.Solutions, v.Given)
	}
	for row, line := range puzzle.Grid {
		for col, digit := range line {
			p.do(game.Select{Row: row, Col: col}, game.Put(digit))
		}
	}
	if got := p.View().Solutions; got != 1 {
		t.Errorf("got %d solutions, want 1", got)
	}
	cells, _ := missing(puzzle)
	p.do(game.Select{Row: cells[0][0], Col: cells[0][1]}, game.Put(cells[0][2]%9+1))
	if got := p.View().Solutions; got != 0 {
		t.Errorf("got %d solutions, want 0", got)
	}
	p.do(game.Undo{}, game.Fix{})
	p.showsState(game.Idle)
	if v := p.View(); v.Given != 81-len(cells) || v.Solutions != -1 {
		t.Errorf("got %d given, %d solutions", v.Given, v.Solutions)
	}
	p.do(game.Edit{}, game.LeaveEdit{})
	p.showsState(game.Idle)
	p.showsGrid(puzzle.Grid)
	p.do(game.Toggle{}, game.Edit{}, game.Put(1), game.LeaveEdit{})
	p.showsState(game.Paused)
	p.showsGrid(puzzle.Grid)
	for _, grid := range []sudoku.Grid{{{1}}, {8: {8: 2}}} { // the second one while the first is entered
		p.do(game.Edit{Grid: grid})
		p.showsState(game.Editing)
		p.showsGrid(grid)
	}
	p.do(game.LeaveEdit{})
	p.showsState(game.Paused)
	p.showsGrid(puzzle.Grid)
}

// Feedback can be switched off, and on again.
func TestSwitches(t *testing.T) {
	p := play(t, nil, one("mine", sudoku.Grid{{5, 0, 5}, 8: {8: 5}}), drive.Config{})
	all := game.ShowValid | game.ShowLeft | game.ShowPeers | game.ShowEqual | game.ShowStatistics
	p.do(game.Switch(p.View().Show^all), game.Select{})
	v := p.View()
	if v.Show != all || v.Conflicts != 2 || v.Left[5] != 6 || v.Left[1] != 9 || !v.Cells[0][1].Peer || !v.Cells[8][8].Equal || v.Given != 3 || v.Filled != 0 || v.Empty != 78 {
		t.Errorf("got %+v", v)
	}
	p.do(game.Switch(all))
	v = p.View()
	if v.Show != 0 || v.Conflicts != 0 || v.Left != [10]int{} || v.Cells[0][1].Peer || v.Cells[8][8].Equal || v.Cells[0][0].Conflict {
		t.Errorf("got %+v", v)
	}
	p.do(game.Switch(game.ShowEqual), game.Select{Row: 4, Col: 4}, game.SetFilter(5))
	if v := p.View(); v.Filter != 5 || !v.Cells[0][0].Equal || v.Cells[0][1].Equal {
		t.Errorf("got %+v", v)
	}
}

// All wrong entries are marked as soon as they are written, if that is wanted, and no others.
func TestWrongAtOnce(t *testing.T) {
	puzzle := sudoku.Puzzles()[5]
	cells, _ := missing(puzzle)
	p := play(t, load(t, charts.FS, "sudoku.scxml"), []sudoku.Puzzle{puzzle}, drive.Config{})
	p.do(game.Toggle{})
	put := func(c [3]int, digit int) { p.do(game.Select{Row: c[0], Col: c[1]}, game.Put(digit)) }
	marks := func(want ...int) {
		t.Helper()
		for row, line := range p.View().Cells {
			for col, cell := range line {
				wanted := false
				for _, i := range want {
					wanted = wanted || cells[i][0] == row && cells[i][1] == col
				}
				if cell.Wrong != wanted {
					t.Errorf("cell %d, %d: wrong is %v", row, col, cell.Wrong)
				}
			}
		}
	}
	put(cells[10], cells[10][2]%9+1)
	marks()
	p.do(game.Switch(game.ShowWrong))
	marks(10)
	put(cells[5], cells[5][2])
	put(cells[2], cells[2][2]%9+1)
	marks(2, 10)
	p.do(game.Select{Row: cells[10][0], Col: cells[10][1]}, game.Put(0))
	marks(2)
}
