package tui

import "github.com/scxmlrun/scxmlrun/examples/sudoku/game"

// ownActions returns what the actions of the table do that have no inputs.
func (p *Player) ownActions() map[string]func() {
	show := func(s game.Show) func() { return func() { p.switchShow(s) } }
	return map[string]func(){
		"fix": p.fix, "leave-edit": p.leaveEdit,

		"new": p.newGame, "daily": p.daily, "open": p.choose,
		"previous": func() { p.leaveFor(game.Next(-1)) },
		"next":     func() { p.leaveFor(game.Next(+1)) },
		"enter":    func() { p.leaveFor(game.Edit{}) },
		"start":    p.toggle, "restart": p.restart, "give-up": p.giveUp,
		"save": p.saveFile, "load": p.loadFile, "export": p.export, "print": p.print,
		"statistics": p.statistics, "settings": p.settingsDialog, "suspend": p.suspend, "quit": p.quitGame,

		"savepoints": p.savePoints, "clean-up": p.switchCleanUp,
		"whole-hint": p.wholeHint, "watch": p.watch, "solve": p.solveAtOnce, "keys": p.help,

		"filter": p.filter, "valid": show(game.ShowValid), "solvable": show(game.ShowSolvable), "counts": show(game.ShowStatistics),
		"left": show(game.ShowLeft), "peers": show(game.ShowPeers), "equal": show(game.ShowEqual),
		"panel": p.switchPanel, "theme": p.nextTheme, "redraw": func() { p.show = p.terminal.Screen.Sync },
		"menu": p.menu, "context": p.contextMenu,
	}
}
