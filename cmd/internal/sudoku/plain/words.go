package plain

import (
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// maxTold is how many changed cells are told one by one.
const maxTold = 3

// levels are the names of the levels in English.
var levels = [...]words.Key{"", "beginner", "easy", "medium", "hard", "expert"}

// tell writes a text in the player's language.
func (p *Player) tell(key words.Key, args ...any) { p.say(p.words.T(key, args...)) }

// show tells what has changed since the last view.
func (p *Player) show(v game.View) {
	was, asked, answers, checked, state := p.view, p.asked, p.answers, p.checked, p.entered
	p.view, p.asked, p.answers, p.checked, p.entered = v, nil, false, false, false
	if !p.began {
		p.began = true
		p.say(p.whole(&v) + "\n" + p.words.T("Type help for the commands."))
		return
	}
	var written, marked []place
	for at := range places {
		now, before := at.in(&v), at.in(&was)
		switch {
		case now.Digit != before.Digit:
			state = state || v.State != game.Solving
			written = append(written, at)
		case len(asked) <= maxTold && slices.Contains(asked, at):
			written = append(written, at)
		case now.Notes != before.Notes || now.Corner != before.Corner || now.Colours != before.Colours:
			marked = append(marked, at)
		}
	}
	message := ""
	if answers {
		message = p.message(&v)
	}
	switch {
	case v.Message.Code == game.Made && was.Message.Code != game.Made:
		p.say(p.whole(&v) + "\n" + sentence(p.words.Message(v.Message)))
	case v.Puzzle != was.Puzzle || v.Number != was.Number || len(written) > maxTold || was.State == game.Paused && v.State == game.Playing:
		if v.State != was.State && v.State == game.Playing {
			p.tell("Playing.")
		}
		if v.State != was.State && v.State == game.Editing {
			p.tell("Enter a puzzle. Type fix to play it, or stop to leave it.")
		}
		p.say(p.whole(&v))
	case message != "":
		p.say(message)
	case v.State != was.State || v.Solver != was.Solver || len(written) > 0 || len(marked) > 0:
		p.say(p.changes(&was, &v, written, marked, state || v.State != was.State || v.Solver.Paused != was.Solver.Paused))
	}
	if v.Hint != nil && (was.Hint == nil || v.Hint.Stage != was.Hint.Stage || v.Hint.Text != was.Hint.Text) {
		p.say(sentence(words.Printable(p.words.Hint(v.Hint))))
	}
	switch n := len(v.SavePoints); {
	case v.Puzzle != was.Puzzle || v.Number != was.Number:
	case n > len(was.SavePoints):
		p.tell("Save point %d: %s.", n, words.Printable(v.SavePoints[n-1]))
	case n < len(was.SavePoints):
		p.tell("%d save points.", n)
	}
	if checked || v.Solvable == game.No && was.Solvable != game.No {
		p.say(p.solvable(&v))
	}
	switch {
	case !answers || p.said:
	case v.State == game.Playing:
		p.tell("Nothing has changed.")
	default:
		p.say(p.state(&v))
	}
}

// whole describes the game: the board, unless the game is paused, and the state.
func (p *Player) whole(v *game.View) string {
	if v.State == game.Paused {
		return p.title(v) + "\n" + p.state(v)
	}
	return p.board(v) + "\n" + p.state(v)
}

// changes describes cells that have changed, and perhaps the state.
func (p *Player) changes(was, v *game.View, written, marked []place, state bool) string {
	var told []string
	for _, at := range written {
		told = append(told, sentence(p.cell(v, at)))
	}
	if len(written)+len(marked) <= maxTold {
		for _, at := range marked {
			told = append(told, sentence(p.cell(v, at)))
		}
	} else if len(marked) > 0 {
		told = append(told, p.words.T("The notes of %d cells have changed.", len(marked)))
	}
	if v.State == game.Solving && v.Solver.Done > was.Solver.Done {
		told = append(told, p.words.T("Step %d of %d.", v.Solver.Done, v.Solver.Total))
		if reason := p.words.Reason(&v.Solver); reason != "" {
			told = append(told, sentence(reason))
		}
	}
	if v.State == game.Playing && was.State != game.Playing {
		told = append(told, p.words.T("Playing."))
	}
	if state {
		told = append(told, p.state(v))
	}
	return strings.Join(told, " ")
}

// state describes the state of the game, and says what to type.
func (p *Player) state(v *game.View) string {
	switch v.State {
	case game.Idle:
		return p.words.T("The game is not running. Type start.")
	case game.Paused:
		return p.words.T("The game is paused. Type resume.")
	case game.GivenUp:
		text := p.words.T("The game is given up.")
		if v.Empty == 0 {
			text = p.words.T("The machine has solved the puzzle.")
		}
		return text + " " + p.words.T("Type resume to continue, start to begin again, or next for the next puzzle.")
	case game.Solving:
		if v.Solver.Paused {
			return p.words.T("The solver waits. Type step, resume or stop.")
		}
		return p.words.T("A solver is at work. Type pause, step, speed or stop.")
	case game.Solved:
		text := p.words.T("Solved!")
		if v.Clock && v.Time >= time.Second {
			text += " " + p.words.T("Your time is %s.", words.Clock(v.Time))
		}
		return text + " " + p.words.T("Type next for the next puzzle, or start to play this one again.")
	}
	text := p.words.T("%d cells are empty.", v.Empty)
	var conflicts []string
	for at := range places {
		if at.in(v).Conflict {
			conflicts = append(conflicts, p.words.Cell(at.row+1, at.col+1))
		}
	}
	switch n := len(conflicts); {
	case n > 6:
		text += " " + p.words.T("%d cells are in conflict.", n)
	case n > 0:
		text += " " + p.words.T("In conflict: %s.", strings.Join(conflicts, ", "))
	}
	if v.State == game.Editing {
		switch v.Solutions {
		case 0:
			text += " " + p.words.T("The puzzle has no solution.")
		case 1:
			text += " " + p.words.T("The puzzle has one solution. Type fix to play it.")
		case 2:
			text += " " + p.words.T("The puzzle has several solutions.")
		}
	}
	return text
}

// solvable answers check.
func (p *Player) solvable(v *game.View) string {
	switch v.Solvable {
	case game.Yes:
		return p.words.T("The entries lead to a solution.")
	case game.No:
		return p.words.T("There has not been a solution since the entry in row %d, column %d.", v.BrokenRow+1, v.BrokenCol+1)
	}
	return p.words.T("It is not known whether the entries lead to a solution.")
}

// message returns the message of the view in words.
func (p *Player) message(v *game.View) string {
	switch c := v.Message.Code; {
	case c == game.Nothing:
		return ""
	case c == game.NotPlaying || c == game.NotNow && v.State != game.Playing:
		return p.state(v)
	}
	return sentence(words.Printable(p.words.Message(v.Message)))
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string { return words.Capital(text) + "." }
