package tui

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// status returns the parts of the status line, the important ones first.
func status(v game.View) []string {
	var parts []string
	switch v.State {
	case game.Playing:
		parts = []string{"playing"}
	case game.Solved:
		parts = []string{"*** SOLVED ***", "N: next", "S: again"}
	default:
		parts = []string{"idle, unsolved", "press S to start"}
	}
	if v.Message.Code != game.Nothing {
		parts = append(parts[:1], messageText(v.Message))
	}
	if v.State == game.Playing {
		parts = append(parts, fmt.Sprintf("%d empty", v.Empty))
		if v.Conflicts > 0 {
			parts = append(parts, fmt.Sprintf("%d in conflict", v.Conflicts))
		}
	}
	return parts
}

// messageText returns a message in words.
func messageText(m game.Message) string {
	switch m.Code {
	case game.NotPlaying:
		return "press S to start"
	case game.GivenDigit:
		return "this digit is given"
	case game.NothingToUndo:
		return "nothing to undo"
	case game.UnknownInput:
		return "the keys are shown below"
	case game.BadUpdate:
		return "bad updateGUI: " + m.Detail
	case game.NoBoard:
		return "the board appears with the first move: " + m.Detail
	case game.NotLoaded:
		return "the chart does not continue the saved game"
	case game.NotSaved:
		return "not saved: " + m.Detail
	}
	return ""
}

// puzzleName returns the name of the visible puzzle, if it is known.
func puzzleName(v game.View) string {
	if v.Number == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%d of %d)", v.Puzzle, v.Number, v.Puzzles)
}
