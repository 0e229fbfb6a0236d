package web

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// Input gives the game an input. An error has stopped the session, which the driver sees.
func (p *player) Input(in game.Input) { _ = p.Game.Do(p.Session, in) }

// Keeps reports whether this page keeps games: another one may.
func (p *player) Keeps() bool { return p.kept.closed == nil }

// Begun returns the games that are kept.
func (p *player) Begun() ([]shelf.Progress, error) { return p.kept.list(), nil }

// SaveSettings remembers the settings.
func (p *player) SaveSettings() error {
	p.kept.saveSettings(p.Settings)
	return nil
}

// addOwn adds what only the page does. It does not have the other actions without inputs.
func (p *player) addOwn() {
	for name, do := range map[string]func(){
		"save": p.save, "load": p.load, "export": p.export,
		"print":       func() { p.say(fields{"type": "print"}) },
		"statistics":  func() { p.OpenStatistics(shelf.Summary(p.kept.results)) },
		"settings":    p.openSettings,
		"keys":        func() { p.OpenHelp(mouseLines) },
		"theme":       p.nextTheme,
		"full-screen": func() { p.say(fields{"type": "fullscreen"}) },
		"draw": func() {
			p.Settings.Draw = !p.Settings.Draw
			p.KeepSettings()
		},
		"menu":    func() { p.say(fields{"type": "menu"}) },
		"context": func() { p.openCellMenu(p.View.Selected()) },
	} {
		p.Own[name] = do
	}
}

// mouseLines say what the mouse does, and a finger.
var mouseLines = []action.MouseLine{
	{Key: "click", Text: "select the cell"},
	{Key: "double click", Text: "on a note: make it the digit; on a digit that you have written: clear it"},
	{Key: "right click", Text: "the menu of the cell; so does a long press"},
	{Key: "middle click", Text: "solve the puzzle, after a question"},
	{Key: "wheel", Text: "add or subtract one"},
	{Key: "drag", Text: "select several cells; so does Ctrl and a click"},
	{Key: "pen", Text: "draw a digit into a cell; a finger does with a switch in the menu Notes"},
}

// press carries out a click on something that is shown besides the board, as in the terminal.
func (p *player) press(part string) {
	switch {
	case part == "highlight":
		p.Input(game.SetFilter(0))
	case part == "hint" && !p.Action("hint").Enabled(&p.View):
		p.perform("whole-hint")
	default:
		p.perform(part)
	}
}

// openCellMenu makes the page open the menu of a cell.
func (p *player) openCellMenu(row, col int) {
	p.say(fields{"type": "context", "at": 9*row + col})
}

// fields are those of a message.
type fields map[string]any

// openFile plays the only game of a file, or lets the player choose one of its puzzles.
func (p *player) openFile(name string, data []byte) {
	if isPicture(data) {
		p.readPicture(name, data)
		return
	}
	var games []format.Game
	for g, err := range format.Read(name, strings.NewReader(string(data))) {
		if err != nil {
			p.Message(err.Error(), "Not opened")
			return
		}
		games = append(games, g)
		if len(games) == action.MaxPuzzles {
			break
		}
	}
	p.PlayFile(name, games)
}
