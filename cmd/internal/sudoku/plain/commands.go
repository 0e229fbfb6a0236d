package plain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A command is a line that begins with one of its names.
type command struct {
	names []words.Key // the first one is shown
	args  words.Key   // an example
	help  words.Key
	needs game.Abilities // of the chart
	run   func(p *Player, s drive.Session, args string)
}

// commands returns the commands, in the order of the help page.
func commands() []command {
	return []command{
		{[]words.Key{"board"}, "", "show the board; so does an empty line", 0, (*Player).showBoard},
		{[]words.Key{"row"}, "4", "read a row", 0, read(row)},
		{[]words.Key{"column"}, "7", "read a column", 0, read(column)},
		{[]words.Key{"box"}, "2", "read a box", 0, read(box)},
		{[]words.Key{"digit"}, "5", "tell where the digit is, and how many are left", 0, (*Player).digit},
		{[]words.Key{"statistics"}, "", "count cells and digits, and tell the time", 0, (*Player).statistics},
		{[]words.Key{"check"}, "", "tell whether there still is a solution, now and later; check off ends that", 0, (*Player).check},

		{[]words.Key{"start"}, "", "start the game", game.CanStart, (*Player).start},
		{[]words.Key{"pause"}, "", "pause the game, or a solver", game.CanPause, simple(game.Pause{})},
		{[]words.Key{"resume", "continue"}, "", "continue it", game.CanResume, simple(game.Resume{})},
		{[]words.Key{"restart"}, "", "begin the puzzle again", game.CanStop, (*Player).restart},
		{[]words.Key{"stop"}, "", "end the game, the editor or a solver", game.CanStop, (*Player).stop},

		{[]words.Key{"clear"}, "r4c7 r12c3", "empty cells; r12c3 means r1c3 and r2c3", game.CanPut, (*Player).clear},
		{[]words.Key{"note", "notes"}, "r4c7 125", "note digits, or remove them; without cells show all notes", game.CanMark, mark(game.Notes)},
		{[]words.Key{"corner"}, "r4c7 12", "the same in the corners of cells", game.CanMark, mark(game.Corner)},
		{[]words.Key{"colour", "color"}, "r4c7 3", "give cells a colour from 1 to 9, or remove it", game.CanMark, mark(game.Colours)},
		{[]words.Key{"candidates"}, "r4c7", "note all digits that are possible; without cells everywhere", game.CanCandidates, (*Player).candidates},
		{[]words.Key{"undo"}, "", "take back the last move", game.CanUndo, simple(game.Undo{})},
		{[]words.Key{"redo"}, "", "make it again", game.CanRedo, simple(game.Redo{})},
		{[]words.Key{"reset"}, "", "clear everything that you have entered", game.CanReset, simple(game.Reset{})},
		{[]words.Key{"save"}, "my guess", "make a save point; without a name list them", game.CanSavePoint, (*Player).save},
		{[]words.Key{"restore"}, "1", "return to save point 1", game.CanRestore, onSavePoint(func(i int) game.Input { return game.Restore(i) })},
		{[]words.Key{"forget"}, "1", "remove save point 1", game.CanRestore, onSavePoint(func(i int) game.Input { return game.Forget(i) })},
		{[]words.Key{"cleanup"}, "on", "remove the digits that you write from notes; cleanup off ends that", game.CanCleanUp, (*Player).cleanUp},

		{[]words.Key{"hint"}, "", "explain the next step; again for more", game.CanHint, simple(game.AskHint{})},
		{[]words.Key{"lesson"}, "X-Wing 2", "explain a technique, or that of the hint; with a number from 1 to 3 begin a lesson in it", game.CanLoad, (*Player).lesson},
		{[]words.Key{"reveal"}, "", "show the digit of an empty cell", game.CanReveal, simple(game.Reveal{})},
		{[]words.Key{"solve"}, "human 2", "solve the puzzle: the method, and seconds for each step", game.CanSolve, (*Player).solve},
		{[]words.Key{"step"}, "", "make the next step of a solver that is paused", game.CanStep, simple(game.SolverStep{})},
		{[]words.Key{"speed"}, "0.5", "set the seconds between the steps of a solver", game.CanStep, (*Player).speed},

		{[]words.Key{"new"}, "medium", "make a puzzle: beginner to expert, daily, flash, or 45 empty cells", game.CanGenerate, (*Player).generate},
		{[]words.Key{"cancel"}, "", "stop making it", game.CanCancel, (*Player).cancel},
		{[]words.Key{"setup"}, "5", "choose a puzzle by number or name, or give one as 81 characters", game.CanChoose, (*Player).setup},
		{[]words.Key{"list"}, "easy", "list the puzzles with this word in their name, or all", game.CanChoose, (*Player).list},
		{[]words.Key{"next"}, "", "choose the next puzzle", game.CanChoose, leaving(game.Next(+1))},
		{[]words.Key{"previous"}, "", "choose the previous puzzle", game.CanChoose, leaving(game.Next(-1))},
		{[]words.Key{"copy"}, "", "write the puzzle and the board as 81 characters", 0, (*Player).copy},
		{[]words.Key{"edit"}, "", "enter a puzzle cell by cell", game.CanEdit, leaving(game.Edit{})},
		{[]words.Key{"fix"}, "", "play the puzzle that you have entered", game.CanFix, simple(game.Fix{})},

		{[]words.Key{"help", "?"}, "", "list the commands", 0, (*Player).help},
		{[]words.Key{"quit", "q"}, "", "leave; so does the end of input", 0, func(p *Player, _ drive.Session, _ string) { p.quit(errQuit) }},
	}
}

// simple returns the run function of a command that is an input.
func simple(in game.Input) func(*Player, drive.Session, string) {
	return func(p *Player, s drive.Session, args string) {
		if args != "" {
			p.tell("This command stands alone on its line.")
			return
		}
		p.do(s, in)
	}
}

// line carries out a line.
func (p *Player) line(s drive.Session, text string) {
	if p.echo {
		p.write(words.Printable(text) + "\n")
	}
	p.waiting, p.said, p.answers = false, false, false
	confirmed := p.confirm
	p.confirm = nil
	text = strings.Join(strings.Fields(text), " ")
	lower := strings.ToLower(text)
	word, args, _ := strings.Cut(text, " ")
	if cells, rest := cellsOf(lower); cells != nil {
		p.cells(s, cells, strings.Trim(rest, " =:"))
		return
	}
	switch c := p.command(strings.ToLower(word)); {
	case text == "":
		p.showBoard(s, "")
	case confirmed != nil && p.is(lower, "yes", "y"):
		confirmed()
	case confirmed != nil && p.is(lower, "no", "n"):
		p.tell("The game continues.")
	case c == nil && len(text) == 81:
		p.setup(s, text)
	case c == nil:
		p.tell("%q is not a command; help lists them.", words.Printable(text))
	case !p.view.Has.Has(c.needs):
		p.tell("This chart does not have %s.", words.Printable(word))
	default:
		c.run(p, s, args)
	}
}

// is reports whether a word is one of the names, in English or the player's language.
func (p *Player) is(word string, names ...words.Key) bool {
	return slices.ContainsFunc(names, func(name words.Key) bool { return word == string(name) || word == p.words.T(name) })
}

// command returns the command with a name, or nil.
func (p *Player) command(name string) *command {
	for _, c := range commands() {
		if p.is(name, c.names...) {
			return &c
		}
	}
	return nil
}

// help lists what the chart supports.
func (p *Player) help(drive.Session, string) {
	lines := [][2]string{
		{p.words.Cell(4, 7), p.words.T("read a cell")},
		{p.words.Cell(4, 7) + " 5", p.words.T("write 5 into row 4, column 7; 0 empties it")},
	}
	for _, c := range commands() {
		if p.view.Has.Has(c.needs) {
			name := p.words.T(c.names[0])
			if c.args != "" {
				name += " " + p.words.T(c.args)
			}
			lines = append(lines, [2]string{name, p.words.T(c.help)})
		}
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-20s  %s\n", l[0], l[1])
	}
	p.say(strings.TrimSuffix(b.String(), "\n"))
}

// do gives the game an input. The answer is shown at rest.
func (p *Player) do(s drive.Session, in game.Input) {
	p.answers = true
	if err := p.game.Do(s, in); err != nil {
		p.quit(game.Over(drive.End{}, err))
	}
}

// askIf carries something out: at once or, if it loses something, if the next line is yes.
func (p *Player) askIf(loses bool, question string, do func()) {
	if !loses {
		do()
		return
	}
	p.say(question + " " + p.words.T("Type yes to do it."))
	p.confirm = do
}
