package game

import (
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// Begin makes the puzzle that is shown begin by itself, unless a saved game continues, and from
// now on each that Next, Choose, Open and Fix show. The clock of such a game runs from its first
// move, and before that it is not a game that was left. Call it in an input, after Resume.
func (g *Game) Begin(s drive.Session) error {
	g.begins = true
	if g.Resumes() {
		return nil
	}
	return g.begin(s)
}

// begin starts a puzzle that has not been played.
func (g *Game) begin(s drive.Session) error {
	if !g.begins {
		return nil
	}
	if s.Settle(); g.state() != Idle || !g.reactsTo("start") {
		return nil
	}
	g.untouched, g.moves, g.told.time = true, nil, 0
	if err := g.setClock(s); err != nil {
		return err
	}
	return g.submit(s, 1, "start", nil)
}

// touch makes the game one that is played, before its first move.
func (g *Game) touch(s drive.Session) error {
	if !g.untouched {
		return nil
	}
	g.untouched = false
	return g.setClock(s)
}

// setClock turns the chart's clock on or off.
func (g *Game) setClock(s drive.Session) error {
	if !g.has.Has(CanClock) {
		return nil
	}
	return g.submit(s, 1, "clock", fields{"on": g.clock && !g.untouched})
}

// selectEmpty selects the first empty cell, if there is one.
func (g *Game) selectEmpty() {
	for row, col := range sudoku.Cells {
		if g.told.current[row][col] == 0 {
			g.row, g.col, g.marked = row, col, [9][9]bool{}
			return
		}
	}
}
