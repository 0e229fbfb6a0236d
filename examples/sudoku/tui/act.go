package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// say answers the last key.
func (p *Player) say(key words.Key, args ...any) { p.note = p.words.T(key, args...) }

// fail answers the last key with an error.
func (p *Player) fail(err error) { p.note = strings.TrimPrefix(err.Error(), "sudoku: ") }

// moveTo selects a cell, and no others.
func (p *Player) moveTo(row, col int) {
	p.row, p.col = row, col
	p.input(game.Unselect{})
	p.input(game.Select{Row: row, Col: col})
}

// put writes a digit, whatever the pen is.
func (p *Player) put(digit int) {
	p.input(game.SetPen(game.Digits))
	p.input(game.Put(digit))
	p.input(game.SetPen(p.view.Pen))
}

// filter waits for the digit to highlight.
func (p *Player) filter() {
	p.prefix = "F"
	p.say("highlight which digit? 1 to 9; F: that of the cell")
}

func (p *Player) filterBy(key string) {
	digit := 0
	if len(key) == 1 && '1' <= key[0] && key[0] <= '9' {
		digit = int(key[0] - '0')
	}
	if key == "F" && p.view.Filter == 0 {
		digit = p.view.Cells[p.row][p.col].Digit
	}
	p.input(game.SetFilter(digit))
}

// pause pauses the game if it is played.
func (p *Player) pause() {
	if p.view.State == game.Playing && p.view.Can.Has(game.CanPause) {
		p.input(game.Pause{})
	}
}

// toggle starts, pauses and continues the game. On a chart that cannot pause it stops the
// game, after a question if entries are lost.
func (p *Player) toggle() {
	if p.view.State == game.Solving {
		p.performNamed("pause")
		return
	}
	if action.ToggleLabel(&p.view) == "Stop" && p.view.Filled > 0 {
		p.confirm(func() { p.input(game.Toggle{}) }, "Stop", "The digits that you have entered remain visible, but the game is over.", "Stop")
		return
	}
	p.input(game.Toggle{})
}

func (p *Player) restart() {
	if p.view.Filled == 0 {
		p.input(game.Restart{})
		return
	}
	p.confirm(func() { p.input(game.Restart{}) }, "Restart", "All your entries and moves are lost, and the clock begins again.", "Restart")
}

func (p *Player) giveUp() {
	p.confirm(func() { p.input(game.GiveUp{}) }, "Give up", "The game is over, and counts as given up.", "Give up")
}

func (p *Player) solveAtOnce() {
	p.confirm(func() { p.input(game.Solve{}) }, "Solve at once", "The game then counts as given up.", "Solve")
}

// kept reports whether the game can be continued after it was left.
func (p *Player) kept() bool {
	return p.shelf != nil && !p.shelf.Readonly() && p.view.Has.Has(game.CanLoad)
}

// leaveFor leaves the puzzle. If that loses entries, it asks before.
func (p *Player) leaveFor(in game.Input) {
	p.leave(func() {
		p.input(game.SetPen(game.Digits))
		p.input(in)
	})
}

// playAnother leaves the puzzle for another one, and starts or continues that.
func (p *Player) playAnother(in game.Input) {
	p.leave(func() {
		p.input(game.SetPen(game.Digits))
		p.input(in)
		p.session.Settle()
		switch v := p.game.View(); {
		case v.State == game.Paused:
			p.input(game.Resume{})
		case v.State == game.Idle:
			p.input(game.Toggle{})
		}
	})
}

func (p *Player) leave(do func()) {
	if p.kept() || p.view.Filled == 0 || p.view.State == game.Solved || p.view.State == game.GivenUp || p.view.State == game.Idle {
		do()
		return
	}
	p.confirm(do, "Leave this puzzle", "This game is not kept. Your entries are lost.", "Leave")
}

// quitGame quits. If the game cannot be continued, it asks before.
func (p *Player) quitGame() {
	p.leave(func() { p.quit(errQuit) })
}

// suspend gives the terminal back to the shell until the program is continued.
func (p *Player) suspend() {
	p.pause()
	p.session.Settle()
	if err := p.terminal.Suspend(); err != nil {
		p.quit(fmt.Errorf("sudoku: cannot use the terminal again: %w", err))
	}
	p.show = p.terminal.Screen.Sync
}

// daily plays the puzzle of the day.
func (p *Player) daily() {
	p.leaveFor(game.Generate{Daily: time.Now().Format(time.DateOnly)})
}

// paste offers to play a puzzle that was pasted.
func (p *Player) paste(text string) {
	for g, err := range format.Read("", strings.NewReader(text)) {
		if err != nil {
			break
		}
		p.offer(&g, "Play the puzzle that was pasted?")
		return
	}
	p.say("what was pasted is not a puzzle: want 81 digits, with a dot for each empty cell")
}

// offer asks whether to play a puzzle or a saved game.
func (p *Player) offer(g *format.Game, question words.Key) {
	about := p.words.T("It has %d digits.", 81-g.Givens.Empty())
	switch len(g.Givens.Solutions(2)) {
	case 0:
		about += " " + p.words.T("It does not have a solution.")
	case 2:
		about += " " + p.words.T("It has several solutions.")
	}
	p.ask(p.words.T(question), about, p.words.T("Play"), func() { p.playAnother(game.Open{Game: g}) })
}

// switchShow turns a part of the feedback on or off, and remembers it.
func (p *Player) switchShow(s game.Show) {
	p.input(game.Switch(s))
	p.settings.Show = showNames(p.view.Show ^ s)
	p.saveSettings()
}

// shows are the names of the switches in the settings.
var shows = []struct {
	show game.Show
	name string
}{
	{game.ShowValid, "valid"}, {game.ShowSolvable, "solvable"}, {game.ShowStatistics, "statistics"},
	{game.ShowLeft, "left"}, {game.ShowPeers, "peers"}, {game.ShowEqual, "equal"},
}

func showNames(set game.Show) []string {
	names := []string{}
	for _, s := range shows {
		if set&s.show != 0 {
			names = append(names, s.name)
		}
	}
	return names
}

// saveSettings remembers the settings.
func (p *Player) saveSettings() {
	if p.shelf == nil {
		return
	}
	if err := p.shelf.SaveSettings(p.settings); err != nil {
		p.fail(err)
	}
}

// applySettings makes the game as the settings say.
func (p *Player) applySettings() {
	v := p.game.View()
	if p.settings.Show != nil {
		for _, s := range shows {
			if wanted := contains(p.settings.Show, s.name); wanted != (v.Show&s.show != 0) {
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

func contains(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return false
}

func (p *Player) switchCleanUp() {
	p.settings.CleanUp = !p.settings.CleanUp
	p.input(game.Options{CleanUp: p.settings.CleanUp})
	p.saveSettings()
}

func (p *Player) switchPanel() {
	p.settings.Panel = !p.settings.Panel
	p.saveSettings()
}

// fix plays the puzzle that was entered, if it has a single solution or the player insists.
func (p *Player) fix() {
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
func (p *Player) leaveEdit() {
	if p.view.Empty == 81 {
		p.input(game.LeaveEdit{})
		return
	}
	p.confirm(func() { p.input(game.LeaveEdit{}) }, "Leave", "The digits that you have entered are lost.", "Leave")
}
