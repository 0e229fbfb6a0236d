package words

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// messages have a verb for the detail of those that have one.
var messages = [...]Key{
	game.Nothing:       "",
	game.NotPlaying:    "the game is not running",
	game.GivenDigit:    "this digit is given",
	game.NothingToUndo: "nothing to undo",
	game.NothingToRedo: "nothing to redo",
	game.UnknownInput:  "this key has no meaning",
	game.Unsupported:   "this chart does not have that",
	game.NotNow:        "not possible now",
	game.Unavailable:   "not available here: %s",
	game.Failed:        "failed: %s",
	game.NoSolution:    "the puzzle has no solution",
	game.BadUpdate:     "bad updateGUI: %s",
	game.NoBoard:       "the board appears with the first move: %s",
	game.NotLoaded:     "the chart does not continue the saved game",
	game.NotRead:       "not read: %s",
	game.NotSaved:      "not saved: %s",
	game.InUse:         "not saved: another window has the games",
	game.Made:          "made in %s",
}

// Message returns a message of the game in words, or "" for none.
func (w *Words) Message(m game.Message) string {
	key, detail := messages[m.Code], m.Detail
	if service, ok := services[detail]; ok && m.Code == game.Unavailable {
		detail = w.T(service)
	}
	if strings.Contains(string(key), "%s") {
		return w.T(key, detail)
	}
	return w.T(key)
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

// Rated returns the name of the level of the visible puzzle with its rating, as far as they are
// known.
func (w *Words) Rated(v *game.View) string {
	level := w.Level(v.Level)
	if level != "" && v.ER > 0 {
		return w.T("%s, ER %.1f", level, v.ER)
	}
	return level
}

// Puzzle returns the name of the visible puzzle, or "" if it is not known.
func (w *Words) Puzzle(v *game.View) string {
	if v.Number == 0 {
		return w.Name(v.Puzzle)
	}
	return w.T("%s (%d of %d)", w.Name(v.Puzzle), v.Number, v.Puzzles)
}

// Valid says whether there are conflicts.
func (w *Words) Valid(v *game.View) (text string, bad bool) {
	if v.Conflicts > 0 {
		return w.T("no, %d in conflict", v.Conflicts), true
	}
	return w.T("yes"), false
}

// Solvable says whether the entries lead to a solution.
func (w *Words) Solvable(v *game.View) (text string, bad bool) {
	switch v.Solvable {
	case game.Yes:
		return w.T("yes"), false
	case game.No:
		return w.T("no, since %s", w.Cell(v.BrokenRow+1, v.BrokenCol+1)), true
	}
	return w.T("not known yet"), false
}

// Solutions says how many solutions there are; 2 are several, and less than 0 is not known.
func (w *Words) Solutions(n int) string {
	if n < 0 {
		return w.T("not known yet")
	}
	return w.T([]Key{"no solution", "one solution", "several solutions"}[n])
}

// puzzle matches the name of a built-in puzzle: "04-beginner-1".
var puzzle = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d\d-)([a-z-]+?)(-\d)?$`) })

// Name translates a name that another package gives: of a built-in puzzle, of a symmetry, or
// the explanation of a solver. Without a translation it stays as it is.
func (w *Words) Name(name string) string {
	if _, ok := w.texts[name]; ok {
		return w.printer.Sprintf(name)
	}
	if m := puzzle().FindStringSubmatch(name); m != nil {
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
