package tui

import (
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// at returns the middle of a cell on the screen.
func (d *desk) middle(row, col int) (x, y int) {
	d.t.Helper()
	return d.layout().digit(row, col)
}

// hold moves the mouse to a cell with buttons down.
func (d *desk) hold(row, col int, buttons tcell.ButtonMask) {
	d.t.Helper()
	x, y := d.middle(row, col)
	d.screen.InjectMouse(x, y, buttons, tcell.ModNone)
	synctest.Wait()
}

// A click adds one from the first on, and is one press of the button, however often it is
// reported. On a given it only selects.
func TestClick(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine", Grid: sudoku.Grid{{0, 5}}}}}, func(t *testing.T, d *desk) {
		for _, buttons := range []tcell.ButtonMask{tcell.ButtonPrimary, tcell.ButtonPrimary, tcell.ButtonNone, tcell.ButtonNone} {
			d.hold(0, 0, buttons)
		}
		d.showsGrid(sudoku.Grid{{1, 5}})
		d.clickCell(0, 0)
		d.showsGrid(sudoku.Grid{{2, 5}})
		d.clickCell(0, 1)
		if got := d.selected(); got != [2]int{0, 1} {
			t.Errorf("selected %v", got)
		}
		d.showsGrid(sudoku.Grid{{2, 5}})
		d.click(0, 0) // not on the board
		d.click(d.layout().x(3)-1, d.layout().y(0))
		d.showsGrid(sudoku.Grid{{2, 5}})
	})
}

// The right button clears a cell, and opens the menu of one that has nothing to clear.
func TestRightClick(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		d.keys("7")
		d.hold(0, 0, tcell.ButtonSecondary)
		d.hold(0, 0, tcell.ButtonNone)
		d.showsGrid(sudoku.Grid{})
		d.hold(3, 3, tcell.ButtonSecondary)
		d.hold(3, 3, tcell.ButtonNone)
		d.shows("Clear the cell", "Undo")
		d.keys("8") // of the menu
		d.showsGrid(sudoku.Grid{3: {3: 8}})
		d.keys("shift+f10")
		d.shows("Clear the cell")
		d.clickText("Clear the cell")
		d.showsGrid(sudoku.Grid{})
	})
}

// The middle button lets the machine solve the puzzle, after a question.
func TestMiddleClick(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	_, solution := missing(puzzle)
	play(t, setting{config: serviced, puzzles: []sudoku.Puzzle{puzzle}}, func(t *testing.T, d *desk) {
		d.hold(4, 4, tcell.ButtonMiddle)
		d.hold(4, 4, tcell.ButtonNone)
		d.shows("Solve at once", "counts as given up")
		d.keys("enter")
		d.showsGrid(solution)
	})
}

func TestWheel(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine", Grid: sudoku.Grid{{0, 5}}}}}, func(t *testing.T, d *desk) {
		for _, step := range []struct {
			wheel tcell.ButtonMask
			want  int
		}{{tcell.WheelUp, 1}, {tcell.WheelUp, 2}, {tcell.WheelDown, 1}, {tcell.WheelDown, 0}, {tcell.WheelDown, 9}} {
			d.hold(0, 0, step.wheel)
			d.showsGrid(sudoku.Grid{{step.want, 5}})
		}
		d.hold(0, 1, tcell.WheelUp)
		d.showsGrid(sudoku.Grid{{9, 5}})
	})
}

// Dragging selects several cells, and is not a click.
func TestDrag(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		_, before := d.cell(2, 2)
		for col := range 3 {
			d.hold(2, col, tcell.ButtonPrimary)
		}
		d.hold(2, 2, tcell.ButtonNone)
		d.hold(5, 5, tcell.ButtonNone) // only a movement
		d.showsGrid(sudoku.Grid{})
		_, first := d.cell(2, 0)
		if _, middle := d.cell(2, 1); first != middle || middle == before {
			t.Error("the cells do not look selected")
		}
		if got := d.selected(); got != [2]int{2, 2} {
			t.Errorf("the cursor is at %v", got)
		}
	})
}

// The cell that a click would reach looks different, and only that one.
func TestPointerIsVisible(t *testing.T) {
	play(t, setting{}, func(t *testing.T, d *desk) {
		_, before := d.cell(4, 7)
		d.hold(4, 7, tcell.ButtonNone)
		if _, there := d.cell(4, 7); there == before {
			t.Error("the cell under the pointer looks like any other")
		}
		d.hold(4, 8, tcell.ButtonNone)
		if _, after := d.cell(4, 7); after != before {
			t.Error("the pointer has left the cell, which still looks different")
		}
		d.keys("p")
		d.hold(4, 7, tcell.ButtonNone)
		d.shows("PAUSED")
	})
}
