package web

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// ownActions returns what the actions of the table do that have no inputs. The page does not have
// the others.
func (p *player) ownActions() map[string]func() {
	show := func(s game.Show) func() { return func() { p.switchShow(s) } }
	return map[string]func(){
		"fix": p.fix, "leave-edit": p.leaveEdit,

		"new": p.newGame, "daily": p.daily, "open": p.choose,
		"previous": func() { p.leaveFor(game.Next(-1)) },
		"next":     func() { p.leaveFor(game.Next(+1)) },
		"enter":    func() { p.leaveFor(game.Edit{}) },
		"start":    p.toggle, "restart": p.restart, "give-up": p.giveUp,
		"save": p.save, "load": p.load, "export": p.export,
		"print":      func() { p.say(bare{"print"}) },
		"statistics": p.statistics, "settings": p.openSettings,

		"savepoints": p.savePoints, "clean-up": p.switchCleanUp,
		"watch": p.watch, "solve": p.solveAtOnce, "keys": p.help,

		"filter": p.filter, "valid": show(game.ShowValid), "solvable": show(game.ShowSolvable), "counts": show(game.ShowStatistics),
		"left": show(game.ShowLeft), "peers": show(game.ShowPeers), "equal": show(game.ShowEqual),
		"theme": p.nextTheme, "menu": func() { p.say(bare{"menu"}) },
	}
}

// bare is a message without fields.
type bare struct {
	Type string `json:"type"`
}

// filter waits for the digit to highlight.
func (p *player) filter() {
	p.prefix = "F"
	p.answer("highlight which digit? 1 to 9; F: that of the cell")
}

func (p *player) filterBy(key string) {
	digit := 0
	if len(key) == 1 && '1' <= key[0] && key[0] <= '9' {
		digit = int(key[0] - '0')
	}
	if key == "F" && p.view.Filter == 0 {
		row, col := action.Selected(&p.view)
		digit = p.view.Cells[row][col].Digit
	}
	p.input(game.SetFilter(digit))
}

// toggle starts, pauses and continues the game, or a solver. On a chart that cannot pause it
// stops the game, after a question if entries are lost.
func (p *player) toggle() {
	v := &p.view
	if v.State != game.Solving && action.ToggleLabel(v) == "Stop" && v.Filled > 0 {
		p.confirm(func() { p.input(game.Toggle{}) }, "Stop", "The digits that you have entered remain visible, but the game is over.", "Stop")
		return
	}
	p.input(game.Toggle{})
}

func (p *player) restart() {
	if p.view.Filled == 0 {
		p.input(game.Restart{})
		return
	}
	p.confirm(func() { p.input(game.Restart{}) }, "Restart", "All your entries and moves are lost, and the clock begins again.", "Restart")
}

func (p *player) giveUp() {
	p.confirm(func() { p.input(game.GiveUp{}) }, "Give up", "The game is over, and counts as given up.", "Give up")
}

func (p *player) solveAtOnce() {
	p.confirm(func() { p.input(game.Solve{}) }, "Solve at once", "The game then counts as given up.", "Solve")
}

// leaveFor leaves the puzzle. If that loses entries, it asks before.
func (p *player) leaveFor(in game.Input) {
	p.leave(func() {
		p.input(game.SetPen(game.Digits))
		p.input(in)
	})
}

// playAnother leaves the puzzle for another one, and starts or continues that.
func (p *player) playAnother(in game.Input) {
	p.leave(func() {
		p.input(game.SetPen(game.Digits))
		p.input(in)
		p.session.Settle()
		switch v := p.game.View(); v.State {
		case game.Paused:
			p.input(game.Resume{})
		case game.Idle:
			p.input(game.Toggle{})
		}
	})
}

func (p *player) leave(do func()) {
	v := &p.view
	if !p.kept.readonly || v.Filled == 0 || v.State == game.Solved || v.State == game.GivenUp || v.State == game.Idle {
		do()
		return
	}
	p.confirm(do, "Leave this puzzle", "This game is not kept. Your entries are lost.", "Leave")
}

// daily plays the puzzle of the day.
func (p *player) daily() { p.leaveFor(game.Generate{Daily: time.Now().Format(time.DateOnly)}) }

// offer asks whether to play a puzzle or a saved game.
func (p *player) offer(g *format.Game, question words.Key) {
	about := p.words.T("It has %d digits.", 81-g.Givens.Empty())
	switch len(g.Givens.Solutions(2)) {
	case 0:
		about += " " + p.words.T("It does not have a solution.")
	case 2:
		about += " " + p.words.T("It has several solutions.")
	}
	p.ask(p.words.T(question), about, p.words.T("Play"), func() { p.playAnother(game.Open{Game: g}) })
}

// shows are the names of the switches in the settings.
var shows = []struct {
	show game.Show
	name string
}{
	{game.ShowValid, "valid"}, {game.ShowSolvable, "solvable"}, {game.ShowStatistics, "statistics"},
	{game.ShowLeft, "left"}, {game.ShowPeers, "peers"}, {game.ShowEqual, "equal"},
}

// switchShow turns a part of the feedback on or off, and remembers it.
func (p *player) switchShow(s game.Show) {
	p.input(game.Switch(s))
	p.settings.Show = []string{}
	for _, of := range shows {
		if (p.view.Show^s)&of.show != 0 {
			p.settings.Show = append(p.settings.Show, of.name)
		}
	}
	p.kept.saveSettings(p.settings)
}

func (p *player) switchCleanUp() {
	p.settings.CleanUp = !p.settings.CleanUp
	p.input(game.Options{CleanUp: p.settings.CleanUp})
	p.kept.saveSettings(p.settings)
}

// applySettings makes the game as the settings say.
func (p *player) applySettings() {
	v := p.game.View()
	if p.settings.Show != nil {
		for _, s := range shows {
			if wanted := slices.Contains(p.settings.Show, s.name); wanted != (v.Show&s.show != 0) {
				p.input(game.Switch(s.show))
			}
		}
	}
	if v.Has.Has(game.CanClock) {
		p.input(game.SetClock(true))
	}
	if v.Has.Has(game.CanCleanUp) {
		p.input(game.Options{CleanUp: p.settings.CleanUp})
	}
}

// fix plays the puzzle that was entered, if it has a single solution or the player insists.
func (p *player) fix() {
	var g sudoku.Grid
	for row := range 9 {
		for col := range 9 {
			g[row][col] = p.view.Cells[row][col].Digit
		}
	}
	do := func() { p.input(game.Fix{}) }
	switch len(g.Solutions(2)) {
	case 1:
		do()
	case 0:
		p.confirm(do, "Play the puzzle", "It does not have a solution.", "Play")
	default:
		p.confirm(do, "Play the puzzle", "It has several solutions.", "Play")
	}
}

// leaveEdit leaves the puzzle that is being entered.
func (p *player) leaveEdit() {
	if p.view.Empty == 81 {
		p.input(game.LeaveEdit{})
		return
	}
	p.confirm(func() { p.input(game.LeaveEdit{}) }, "Leave", "The digits that you have entered are lost.", "Leave")
}

// openFile plays the only game of a file, or lets the player choose one of its puzzles.
func (p *player) openFile(name string, data []byte) {
	if isPicture(data) {
		p.readPicture(name, data)
		return
	}
	var games []format.Game
	for g, err := range format.Read(name, strings.NewReader(string(data))) {
		if err != nil {
			p.message(err.Error(), "Not opened")
			return
		}
		if len(games) == maxPuzzles {
			break
		}
		games = append(games, g)
	}
	switch len(games) {
	case 0:
		p.message(p.words.T("There is no puzzle in %q.", name), "Not opened")
	case 1:
		p.playAnother(game.Open{Game: &games[0]})
	default:
		var all []puzzle
		for i := range games {
			name := games[i].Name
			if name == "" {
				name = fmt.Sprintf("%s %d", strings.TrimSuffix(path.Base(name), path.Ext(name)), i+1)
			}
			all = append(all, puzzle{name: name, game: &games[i], rating: games[i].Info.Rating})
		}
		p.chooseFrom(all, false)
	}
}

// maxPuzzles is the maximum number of puzzles of a file that can be chosen.
const maxPuzzles = 1000
