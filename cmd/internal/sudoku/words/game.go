package words

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// Message returns a message of the game in words, or "" for none.
func (w *Words) Message(m game.Message) string {
	switch m.Code {
	case game.NotPlaying:
		return w.T("the game is not running")
	case game.GivenDigit:
		return w.T("this digit is given")
	case game.NothingToUndo:
		return w.T("nothing to undo")
	case game.NothingToRedo:
		return w.T("nothing to redo")
	case game.UnknownInput:
		return w.T("this key has no meaning")
	case game.Unsupported:
		return w.T("this chart does not have that")
	case game.NotNow:
		return w.T("not possible now")
	case game.Unavailable:
		what := m.Detail
		if key, ok := services[what]; ok {
			what = w.T(key)
		}
		return w.T("not available here: %s", what)
	case game.Failed:
		return w.T("failed: %s", m.Detail)
	case game.NoSolution:
		return w.T("the puzzle has no solution")
	case game.BadUpdate:
		return w.T("bad updateGUI: %s", m.Detail)
	case game.NoBoard:
		return w.T("the board appears with the first move: %s", m.Detail)
	case game.NotLoaded:
		return w.T("the chart does not continue the saved game")
	case game.NotRead:
		return w.T("not read: %s", m.Detail)
	case game.InUse:
		return w.T("not saved: another window has the games")
	case game.NotSaved:
		return w.T("not saved: %s", m.Detail)
	}
	return ""
}

// services are what the player misses, by the code of [game.Unavailable].
var services = map[string]Key{"generate": "new puzzles", "hint": "hints", "reveal": "revealing a cell", "solve": "solving"}

var states = [...]Key{
	game.Idle: "not started", game.Playing: "playing", game.Paused: "paused", game.Editing: "editing",
	game.Solving: "solving", game.Solved: "solved", game.GivenUp: "given up",
}

// State returns the name of a state, as in "playing".
func (w *Words) State(s game.State) string { return w.T(states[s]) }

var pens = [...]Key{game.Digits: "digits", game.Notes: "notes", game.Corner: "corner notes", game.Colours: "colours"}

// Pen returns the name of a pen, as in "notes".
func (w *Words) Pen(p game.Pen) string { return w.T(pens[p]) }

var levels = [...]Key{"", "beginner", "easy", "medium", "hard", "expert"}

// Level returns the name of a level from 1 to 5, or "" for another number.
func (w *Words) Level(level int) string {
	if level < 1 || level >= len(levels) {
		return ""
	}
	return w.T(levels[level])
}

// puzzle matches the name of a built-in puzzle: "04-beginner-1".
var puzzle = regexp.MustCompile(`^(\d\d-)([a-z-]+?)(-\d)?$`)

// Name translates a name that another package gives: of a built-in puzzle, of a symmetry, or
// the explanation of a solver. Without a translation it stays as it is.
func (w *Words) Name(name string) string {
	if _, ok := w.texts[name]; ok {
		return w.printer.Sprintf(name)
	}
	if m := puzzle.FindStringSubmatch(name); m != nil {
		return m[1] + w.Name(m[2]) + m[3]
	}
	return name
}

// Cell returns the short name of a cell, as in "r4c7". Both numbers are from 1.
func (w *Words) Cell(row, column int) string { return w.cells(fmt.Sprintf("r%dc%d", row, column)) }

// Hint returns a hint in words. That of a service without steps is in the words of the
// service.
func (w *Words) Hint(h *game.Hint) string {
	switch h.Found {
	case game.FoundWrong:
		var cells []string
		for _, c := range h.Causes {
			cells = append(cells, w.Cell(c.Row+1, c.Col+1))
		}
		switch len(cells) {
		case 0: // of the first stage
			return w.T("something that was entered is wrong")
		case 1:
			return w.T("%s is wrong", cells[0])
		}
		return w.T("these are wrong: %s", strings.Join(cells, ", "))
	case game.FoundUnsolvable:
		return w.T("the puzzle has no solution")
	case game.FoundNothing:
		return w.T("only guessing helps")
	}
	step, err := human.DecodeStep(h.Step)
	if err != nil {
		return h.Text
	}
	return step.Explain(human.Stage(h.Stage-1), w.say)
}

// Reason says why a solver has made its last change, or "" if it has no reason.
func (w *Words) Reason(s *game.Solver) string {
	step, err := human.DecodeStep(s.Step)
	if err != nil {
		return ""
	}
	return step.Explain(human.Full, w.say)
}
