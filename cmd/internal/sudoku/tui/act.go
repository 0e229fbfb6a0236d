package tui

import (
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// front is the player as the actions see it.
type front struct{ *Player }

// Input gives the game an input.
func (f front) Input(in game.Input) { f.input(in) }

// Keeps reports whether the game can be continued after it was left.
func (f front) Keeps() bool {
	return f.shelf != nil && !f.shelf.Readonly() && f.View.Has.Has(game.CanLoad)
}

// Begun returns the games of the shelf.
func (f front) Begun() ([]shelf.Progress, error) {
	if f.shelf == nil {
		return nil, nil
	}
	return f.shelf.List()
}

// SaveSettings remembers the settings.
func (f front) SaveSettings() error {
	if f.shelf == nil {
		return nil
	}
	return f.shelf.SaveSettings(f.Settings)
}

// addOwn adds what only the terminal does.
func (p *Player) addOwn() {
	for name, do := range map[string]func(){
		"open": func() { p.Choose(p.folderPuzzles()) },
		"save": p.saveFile, "load": p.loadFile, "export": p.export, "print": p.print,
		"statistics": p.statistics, "settings": p.settingsDialog, "suspend": p.suspend,
		"quit":  func() { p.Leave(func() { p.Quit(terminal.ErrQuit) }) },
		"keys":  func() { p.OpenHelp(mouseLines) },
		"panel": p.switchPanel, "theme": p.nextTheme, "redraw": p.Redraw,
		"menu": p.menu, "context": p.contextMenu,
	} {
		p.Own[name] = do
	}
}

// suspend gives the terminal back to the shell until the program is continued.
func (p *Player) suspend() {
	p.Pause()
	p.Session.Settle()
	p.Suspend()
}

func (p *Player) switchPanel() {
	p.Settings.Panel = !p.Settings.Panel
	p.KeepSettings()
}

// statistics shows times, counts and streaks.
func (p *Player) statistics() {
	if p.shelf == nil {
		p.Answer("nothing is kept")
		return
	}
	all, err := p.shelf.Statistics()
	if err != nil {
		p.Fail(err)
	}
	p.OpenStatistics(all)
}
