package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// doubleClick is the maximum time between the clicks of a double click.
const doubleClick = 400 * time.Millisecond

// A mouse is what the mouse has done before.
type mouse struct {
	down    tcell.ButtonMask // the buttons that are down
	cell    [2]int           // where the left one went down
	onCell  bool             // it went down on a cell, and has not been dragged from it
	clicked time.Time        // when the last click was
	on      [3]int           // its cell and note
	at      [2]int           // where the pointer is
}

// hover returns what is at the pointer, if a click would reach it.
func (p *Player) hover() spot {
	if !p.fits || p.windows.Top() != nil {
		return spot{}
	}
	return p.layout.at(p.mouse.at[0], p.mouse.at[1])
}

const wheels = tcell.WheelUp | tcell.WheelDown | tcell.WheelLeft | tcell.WheelRight

// mouseEvent carries out an event of the mouse. Buttons are reported repeatedly while they
// are down.
func (p *Player) mouseEvent(ev *tcell.EventMouse) {
	m := &p.mouse
	x, y := ev.Position()
	m.at = [2]int{x, y}
	before := m.down
	m.down = ev.Buttons() &^ wheels
	pressed := m.down &^ before
	wheel := 0
	switch {
	case ev.Buttons()&tcell.WheelUp != 0:
		wheel = -1
	case ev.Buttons()&tcell.WheelDown != 0:
		wheel = +1
	}
	if !p.fits {
		return
	}
	if p.windows.Top() != nil {
		m.onCell = false
		p.windows.Mouse(widget.Mouse{X: x, Y: y, Press: pressed&tcell.ButtonPrimary != 0, Wheel: wheel})
		return
	}
	if pressed != 0 || wheel != 0 {
		p.ForgetKey()
	}
	at := p.layout.at(x, y)
	if at.part != onCell {
		if pressed&tcell.ButtonPrimary != 0 {
			p.press(at, ev.When())
		}
		return
	}
	row, col := at.row, at.col
	cell := [2]int{row, col}
	switch {
	case pressed&tcell.ButtonPrimary != 0:
		m.cell = cell
		if m.onCell = ev.Modifiers()&tcell.ModCtrl == 0; m.onCell {
			p.SelectOnly(row, col)
		} else {
			p.input(game.Drag{Row: row, Col: col})
		}
	case before&m.down&tcell.ButtonPrimary != 0 && cell != m.cell:
		m.cell, m.onCell = cell, false
		p.input(game.Drag{Row: row, Col: col})
	case before&^m.down&tcell.ButtonPrimary != 0 && m.onCell:
		m.onCell = false
		p.click(at, ev.When())
	case pressed&tcell.ButtonSecondary != 0:
		p.SelectOnly(row, col)
		if c := p.View.Cells[row][col]; !c.Given && (c.Digit != 0 || c.Notes|c.Corner != 0) {
			p.PerformNamed("clear")
		} else {
			p.contextMenuAt(x, y)
		}
	case pressed&tcell.ButtonMiddle != 0:
		p.PerformNamed("solve")
	case wheel != 0:
		p.Wheel(row, col, -wheel)
	}
}

// click is a click on a cell, which is selected: it adds one to the digit; with another
// pen, and where the notes have places, it toggles a note, and twice makes it the digit; twice on
// a digit clears it.
func (p *Player) click(at spot, when time.Time) {
	c, pen := p.View.Cells[at.row][at.col], p.View.Pen
	switch {
	case c.Given:
	case pen == game.Digits:
		p.PerformNamed("tap")
	case c.Digit != 0 && pen != game.Colours:
		if p.isDouble(when, [3]int{at.row, at.col}) {
			p.Write(0)
		}
	case at.digit == 0 || !p.View.Can.Has(game.CanMark):
	case pen != game.Colours && p.isDouble(when, [3]int{at.row, at.col, at.digit}):
		p.Write(at.digit)
	default:
		p.input(game.Mark{Of: pen, Digit: at.digit})
	}
}

// press is a click outside the cells.
func (p *Player) press(at spot, when time.Time) {
	switch at.part {
	case onButton:
		p.PerformNamed(at.button)
	case onPaused:
		if p.isDouble(when, [3]int{-1}) {
			p.input(game.Resume{})
		}
	case onLeft:
		if p.View.Filter == at.digit {
			at.digit = 0
		}
		p.input(game.SetFilter(at.digit))
	case onFilter:
		p.input(game.SetFilter(0))
	case onPen:
		p.input(game.SetPen((p.View.Pen + 1) % (game.Colours + 1)))
	default:
		name := spotActions[at.part]
		if name == "hint" && !p.Action(name).Enabled(&p.View) {
			name = "whole-hint"
		}
		if name != "" {
			p.PerformNamed(name)
		}
	}
}

// spotActions are the actions of clicks on parts of the panel.
var spotActions = map[part]string{
	onPuzzle: "open", onTime: "pause", onValid: "valid", onSolvable: "solvable", onStatistics: "counts",
	onMoves: "savepoints", onHint: "hint", onSolver: "pause", onGenerating: "cancel",
}

// isDouble reports whether a click is the second one of a double click.
func (p *Player) isDouble(when time.Time, on [3]int) bool {
	m := &p.mouse
	if on == m.on && when.Sub(m.clicked) <= doubleClick {
		m.clicked = time.Time{}
		return true
	}
	m.clicked, m.on = when, on
	return false
}
