package game

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The inputs that are moves.

// penNames are the values of the field of in changes and marks.
var penNames = [...]string{Notes: "notes", Corner: "corner", Colours: "colours"}

func (in Point) do(s drive.Session, g *Game) error {
	if err := Select(in).do(s, g); err != nil || g.told.initial[in.Row][in.Col] != 0 {
		return err
	}
	return g.tap(s, 1)
}

func (Tap) do(s drive.Session, g *Game) error { return g.tap(s, 1) }

func (in Put) do(s drive.Session, g *Game) error {
	digit, now := int(in), g.told.current[g.row][g.col]
	switch {
	case g.pen != Digits && digit != 0:
		return Mark{g.pen, digit}.do(s, g)
	case !reactsTo(g.chart, "set"):
		return g.tap(s, (digit-now+10)%10)
	case g.several():
		return g.putAll(s, digit)
	case !g.mayWrite() || digit == now && (digit != 0 || !g.hasMarks()):
		return nil
	}
	return g.submit(s, 1, "set", setData{g.row, g.col, digit})
}

// putAll writes a digit into all marked cells.
func (g *Game) putAll(s drive.Session, digit int) error {
	if !g.mayDo("tap") {
		return nil
	}
	cells := slices.DeleteFunc(g.markedCells(), func(c cellData) bool { return g.told.initial[c.X][c.Y] != 0 })
	if len(cells) == 0 {
		g.message.Code = GivenDigit
		return nil
	}
	return g.submit(s, 1, "set", setCellsData{cells, digit})
}

// hasMarks reports whether the selected cell has marks.
func (g *Game) hasMarks() bool {
	m := &g.told.marks
	return m.Notes[g.row][g.col]|m.Corner[g.row][g.col]|m.Colours[g.row][g.col] != 0
}

// mayWrite reports whether the selected cell can be changed now, and sets the message if not.
func (g *Game) mayWrite() bool {
	if !g.mayDo("tap") {
		return false
	}
	if g.told.initial[g.row][g.col] != 0 {
		g.message.Code = GivenDigit
		return false
	}
	return true
}

// tap taps the selected cell n times, as one move of the player.
func (g *Game) tap(s drive.Session, n int) error {
	if !g.mayWrite() {
		return nil
	}
	return g.submit(s, n, "tap", cellData{g.row, g.col})
}

func (in Mark) do(s drive.Session, g *Game) error {
	switch {
	case in.Of == Digits || int(in.Of) >= len(penNames):
		return Unknown{}.do(s, g)
	case in.Of != Colours && !g.several() && !g.mayWrite():
		return nil
	}
	return g.request(s, "mark", markData{g.markedCells(), penNames[in.Of], in.Digit})
}

func (in Candidates) do(s drive.Session, g *Game) error {
	if in.All {
		return g.request(s, "candidates", nil)
	}
	if !g.several() && !g.mayWrite() {
		return nil
	}
	return g.request(s, "candidates", fields{"cells": g.markedCells()})
}

// An undo takes back all taps of the last move. A game that was given up continues.
func (Undo) do(s drive.Session, g *Game) error {
	switch {
	case g.state() == GivenUp && g.reactsTo("resume"):
		return g.submit(s, 1, "resume", nil)
	case !g.mayDo("undo"):
		return nil
	case g.introduced && g.told.marks.Undo == 0:
		g.message.Code = NothingToUndo
		return nil
	}
	n := 1
	if last := len(g.moves) - 1; last >= 0 && !g.introduced {
		n = g.moves[last]
		g.moves = g.moves[:last]
	}
	return g.submit(s, n, "undo", nil)
}

func (Redo) do(s drive.Session, g *Game) error {
	if g.introduced && g.told.marks.Redo == 0 && g.mayDo("redo") {
		g.message.Code = NothingToRedo
		return nil
	}
	return g.request(s, "redo", nil)
}

func (Reset) do(s drive.Session, g *Game) error { return g.request(s, "reset", nil) }

func (in SavePoint) do(s drive.Session, g *Game) error {
	return g.request(s, "savepoint", fields{"name": string(in)})
}

func (in Restore) do(s drive.Session, g *Game) error {
	return g.request(s, "restore", fields{"index": int(in)})
}

func (in Forget) do(s drive.Session, g *Game) error {
	if !g.mayDo("restore") { // which is possible in the same states
		return nil
	}
	return g.submit(s, 1, "forget", fields{"index": int(in)})
}
