package plain

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The commands that give the game an input.

// cells reads cells, or writes a value into them.
func (p *Player) cells(s drive.Session, cells []place, value string) {
	switch {
	case value == "" && p.view.State == game.Paused:
		p.say(p.state(&p.view))
	case value == "":
		for _, at := range cells {
			text := p.cell(&p.view, at)
			if at.in(&p.view).Conflict {
				text += ", " + p.words.T("in conflict")
			}
			p.say(sentence(text))
		}
	case value == "." || p.is(value, "empty"):
		p.put(s, cells, 0)
	case len(value) == 1 && '0' <= value[0] && value[0] <= '9':
		p.put(s, cells, int(value[0]-'0'))
	default:
		p.tell("%q is not a digit from 1 to 9, or 0 for an empty cell.", words.Printable(value))
	}
}

func (p *Player) put(s drive.Session, cells []place, digit int) {
	p.choose(s, cells)
	p.do(s, game.Put(digit))
	p.entered = true
}

// choose selects cells, which are told about afterwards.
func (p *Player) choose(s drive.Session, cells []place) {
	p.do(s, game.Unselect{})
	p.do(s, game.Select{Row: cells[0].row, Col: cells[0].col})
	for _, at := range cells[1:] {
		p.do(s, game.Drag{Row: at.row, Col: at.col})
	}
	p.asked = cells
}

func (p *Player) clear(s drive.Session, args string) {
	cells, rest := cellsOf(strings.ToLower(args))
	if cells == nil || rest != "" {
		p.which()
		return
	}
	p.put(s, cells, 0)
}

// which asks for a cell.
func (p *Player) which() {
	p.tell("Which cell? Write it as %s.", p.words.Cell(4, 7))
}

// mark returns the run function that notes digits, or colours, with a pen.
func mark(pen game.Pen) func(*Player, drive.Session, string) {
	return func(p *Player, s drive.Session, args string) {
		cells, rest := cellsOf(strings.ToLower(args))
		rest = strings.Trim(rest, " =:")
		switch {
		case args == "" && pen == game.Notes:
			p.showNotes()
		case cells == nil:
			p.which()
		case rest == "" || strings.Trim(rest, "123456789 ,") != "":
			p.tell("Which digits? Write them after the cell, such as 125.")
		default:
			p.choose(s, cells)
			for _, c := range rest {
				if c >= '1' {
					p.do(s, game.Mark{Of: pen, Digit: int(c - '0')})
				}
			}
		}
	}
}

func (p *Player) candidates(s drive.Session, args string) {
	cells, rest := cellsOf(strings.ToLower(args))
	switch {
	case args == "":
		p.do(s, game.Candidates{All: true})
	case cells == nil || rest != "":
		p.which()
	default:
		p.choose(s, cells)
		p.do(s, game.Candidates{})
	}
}

func (p *Player) start(s drive.Session, _ string) {
	switch {
	case p.view.State == game.Playing:
		p.tell("The game is running already.")
	case p.view.State == game.Paused:
		p.do(s, game.Resume{})
	case !p.view.Can.Has(game.CanStart):
		p.say(p.state(&p.view))
	default:
		p.do(s, game.Toggle{})
	}
}

func (p *Player) stop(s drive.Session, _ string) {
	switch {
	case p.view.State == game.Editing:
		p.leave(func() { p.do(s, game.LeaveEdit{}) })
	case !p.view.Can.Has(game.CanStop):
		p.tell("The game is not running.")
	default:
		p.askIf(p.loses(), p.words.T("This ends the game."), func() { p.do(s, game.GiveUp{}) })
	}
}

func (p *Player) restart(s drive.Session, _ string) {
	p.askIf(p.loses(), p.clears(), func() { p.do(s, game.Restart{}) })
}

// loses reports whether the end of the game, or of the editor, loses something.
func (p *Player) loses() bool {
	switch p.view.State {
	case game.Playing, game.Paused, game.Editing:
		return p.view.Filled > 0
	}
	return false
}

// leave does something that leaves the game. It asks first if the game is not kept.
func (p *Player) leave(do func()) {
	kept := p.shelf != nil && !p.shelf.Readonly() && p.view.State != game.Editing
	p.askIf(p.loses() && !kept, p.clears(), do)
}

func (p *Player) clears() string {
	return p.words.T("This clears the %d digits that you have entered.", p.view.Filled)
}

// leaving returns the run function of a command that leaves the game.
func leaving(in game.Input) func(*Player, drive.Session, string) {
	return func(p *Player, s drive.Session, _ string) { p.leave(func() { p.do(s, in) }) }
}

func (p *Player) save(s drive.Session, args string) {
	if args != "" {
		p.do(s, game.SavePoint(args))
		return
	}
	if len(p.view.SavePoints) == 0 {
		p.tell("There are no save points.")
	}
	for i, name := range p.view.SavePoints {
		p.tell("Save point %d: %s.", i+1, words.Printable(name))
	}
}

// onSavePoint returns the run function of a command for a save point.
func onSavePoint(in func(index int) game.Input) func(*Player, drive.Session, string) {
	return func(p *Player, s drive.Session, args string) {
		if n, ok := p.savePoint(args); ok {
			p.do(s, in(n))
		}
	}
}

// savePoint returns the index of a save point that is given by its number or its name.
func (p *Player) savePoint(args string) (index int, ok bool) {
	for i, name := range p.view.SavePoints {
		if args == strconv.Itoa(i+1) || strings.EqualFold(args, name) {
			return i, true
		}
	}
	if len(p.view.SavePoints) == 0 {
		p.tell("There are no save points.")
	} else {
		p.tell("Which save point? Write a number from 1 to %d, or its name.", len(p.view.SavePoints))
	}
	return 0, false
}

func (p *Player) cleanUp(s drive.Session, args string) {
	on, ok := p.onOff(args)
	if !ok {
		return
	}
	p.do(s, game.Options{CleanUp: on})
	if on {
		p.tell("A digit that you write is removed from the notes of its row, column and box.")
	} else {
		p.tell("Notes stay as they are.")
	}
}

// onOff reads on, which may be left out, or off.
func (p *Player) onOff(args string) (on, ok bool) {
	args = strings.ToLower(args)
	switch {
	case args == "" || p.is(args, "on"):
		return true, true
	case p.is(args, "off"):
		return false, true
	}
	p.tell("%q is not on or off.", words.Printable(args))
	return false, false
}

func (p *Player) check(s drive.Session, args string) {
	on, ok := p.onOff(args)
	if !ok {
		return
	}
	if on != (p.view.Show&game.ShowSolvable != 0) {
		p.do(s, game.Switch(game.ShowSolvable))
	}
	if on {
		p.checked = true
	} else {
		p.tell("Entries are no longer checked.")
	}
}

// solve solves with a method and a number of seconds between its steps, in any order.
func (p *Player) solve(s drive.Session, args string) {
	in := game.Solve{}
	for _, word := range strings.Fields(strings.ToLower(args)) {
		if delay, ok := seconds(word); ok {
			in.Delay = delay
		} else {
			in.Method = word
		}
	}
	in.Method = cmp.Or(in.Method, "human")
	p.askIf(p.loses(), p.words.T("The machine solves the puzzle, and the game is not won."), func() { p.do(s, in) })
}

func (p *Player) speed(s drive.Session, args string) {
	delay, ok := seconds(args)
	if !ok {
		p.tell("%q is not a number of seconds from 0 to 60.", words.Printable(args))
		return
	}
	p.do(s, game.SolverSpeed(delay))
}

// seconds reads a number of seconds, as in "0.5" or "0,5".
func seconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return time.Duration(n * float64(time.Second)), err == nil && 0 <= n && n <= 60
}

func (p *Player) cancel(s drive.Session, _ string) {
	if !p.view.Generating {
		p.tell("No puzzle is being made.")
		return
	}
	p.do(s, game.Cancel{})
}

// generate makes a puzzle. Of several words the first says which one, and the second may be
// a day or a symmetry.
func (p *Player) generate(s drive.Session, args string) {
	kind, more, _ := strings.Cut(strings.ToLower(args), " ")
	in := game.Generate{Symmetry: more}
	number, err := strconv.Atoi(kind)
	for level := 1; level <= 5; level++ {
		if number == level || p.is(kind, levels[level]) {
			in.Level = level
		}
	}
	switch {
	case in.Level > 0:
	case kind == "":
		in.Missing = 40
	case p.is(kind, "flash"):
		in.Flash = true
	case p.is(kind, "daily"):
		in.Daily, in.Symmetry = more, ""
		if more == "" {
			in.Daily = time.Now().Format(time.DateOnly)
		}
	case err == nil && 6 <= number && number <= 81:
		in.Missing = number
	default:
		p.tell("%q is not a kind of puzzle: write beginner, easy, medium, hard or expert, a number of empty cells from 6 to 81, daily or flash.", words.Printable(kind))
		return
	}
	p.leave(func() { p.do(s, in) })
}
