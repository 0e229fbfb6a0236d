package words

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// Message returns a message of the game in words, or "" for none.
func (w *Words) Message(m game.Message) string {
	switch m.Code {
	case game.NotPlaying:
		return w.T("press S to start")
	case game.GivenDigit:
		return w.T("this digit is given")
	case game.NothingToUndo:
		return w.T("nothing to undo")
	case game.UnknownInput:
		return w.T("the keys are shown below")
	case game.BadUpdate:
		return w.T("bad updateGUI: %s", m.Detail)
	case game.NoBoard:
		return w.T("the board appears with the first move: %s", m.Detail)
	case game.NotLoaded:
		return w.T("the chart does not continue the saved game")
	case game.NotSaved:
		return w.T("not saved: %s", m.Detail)
	}
	return ""
}

// levels are the names of the levels, by number.
var levels = [...]Key{"", "beginner", "easy", "medium", "hard", "expert"}

// Level returns the name of a level from 1 to 5, or "" for another number.
func (w *Words) Level(level int) string {
	if level < 1 || level >= len(levels) {
		return ""
	}
	return w.T(levels[level])
}

// Cell returns the short name of a cell, as in "r4c7". Both numbers are from 1.
func (w *Words) Cell(row, column int) string { return w.cells(fmt.Sprintf("r%dc%d", row, column)) }
