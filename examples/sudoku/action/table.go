package tui

import (
	"cmp"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// An action is something that the player can do. The keys, the menus, the buttons, the
// key line and the help page are made from the table of actions.
type action struct {
	name  string    // for code and tests
	keys  string    // names of keys, see keyName
	vi    string    // the keys with --vi; empty: the same
	shown string    // what is shown instead of the first key
	label words.Key // in menus and on the help page; empty: nowhere
	short words.Key // on buttons and in the key line; empty: label
	menu  menuPart
	line  bool // there is a line before it in the menu
	brief bool // it is in the menu only while it is possible

	needs  game.Abilities                     // one of them; 0: none
	when   func(v *game.View) bool            // another condition; nil: none
	now    func(v *game.View) words.Key       // the label and short text for a view; nil: always the same
	on     func(p *Player, v *game.View) bool // whether its switch is on; nil: it is not a switch
	paused bool                               // also possible while the game is paused
	anyway bool                               // also possible in a window that is too small
	do     func(p *Player, key string)
}

// A menuPart is a menu of the bar, or a part of the help page.
type menuPart uint8

const (
	noMenu menuPart = iota
	gameMenu
	editMenu
	notesMenu
	helpMenu
	viewMenu
	moveKeys // only on the help page
)

// menuTitles are the titles of the bar, in its order.
var menuTitles = []struct {
	part  menuPart
	title words.Key
}{{gameMenu, "Game"}, {editMenu, "Edit"}, {notesMenu, "Notes"}, {helpMenu, "Help"}, {viewMenu, "View"}}

// input returns the do of an action that is an input of the game.
func input(in game.Input) func(*Player, string) {
	return func(p *Player, _ string) { p.input(in) }
}

// inState returns a condition.
func inState(states ...game.State) func(*game.View) bool {
	return func(v *game.View) bool {
		for _, s := range states {
			if v.State == s {
				return true
			}
		}
		return false
	}
}

// toggleLabel is what Toggle does now.
func toggleLabel(v *game.View) words.Key {
	switch {
	case stands(v), v.State != game.Solving && v.Can.Has(game.CanResume):
		return "Continue"
	case v.Can.Has(game.CanPause):
		return "Pause"
	case v.Can.Has(game.CanStart):
		return "Start"
	}
	return "Stop"
}

// actions returns the table. Of several actions with the same key the first that is
// possible is done.
func actions() []action {
	ofPlayer := func(v *game.View) bool { return v.State != game.Solving && v.State != game.Editing }
	pen := func(pen game.Pen) func(*Player, string) {
		return func(p *Player, _ string) {
			if p.view.Pen == pen {
				p.input(game.SetPen(game.Digits))
			} else {
				p.input(game.SetPen(pen))
			}
		}
	}
	penOn := func(pen game.Pen) func(*Player, *game.View) bool {
		return func(_ *Player, v *game.View) bool { return v.Pen == pen }
	}
	show := func(s game.Show) func(*Player, string) {
		return func(p *Player, _ string) { p.switchShow(s) }
	}
	shows := func(s game.Show) func(*Player, *game.View) bool {
		return func(_ *Player, v *game.View) bool { return v.Show&s != 0 }
	}
	move := func(rows, cols int) func(*Player, string) {
		return func(p *Player, _ string) { p.move(rows, cols) }
	}
	extend := func(rows, cols int) func(*Player, string) {
		return input(game.Extend{Rows: rows, Cols: cols})
	}
	return []action{
		// While the machine works or the player enters a puzzle, some keys mean something else.
		{name: "solver-faster", keys: "+ =", label: "faster", menu: helpMenu, brief: true, needs: game.CanStep, when: inState(game.Solving), do: func(p *Player, _ string) { p.solverSpeed(-1) }},
		{name: "solver-slower", keys: "-", label: "slower", menu: helpMenu, brief: true, needs: game.CanStep, when: inState(game.Solving), do: func(p *Player, _ string) { p.solverSpeed(+1) }},
		{name: "solver-step", keys: "Space Right", label: "one step", short: "step", menu: helpMenu, brief: true, needs: game.CanStep, when: inState(game.Solving), paused: true, do: func(p *Player, _ string) { p.solverStep() }},
		{name: "solver-stop", keys: "Esc A", label: "stop", menu: helpMenu, brief: true, needs: game.CanStop, when: inState(game.Solving), paused: true, do: input(game.GiveUp{})},
		{name: "fix", brief: true, keys: "Enter I", label: "Play the puzzle that was entered", short: "play it", menu: editMenu, needs: game.CanFix, when: inState(game.Editing), do: func(p *Player, _ string) { p.fix() }},
		{name: "leave-edit", brief: true, keys: "Esc", label: "Leave without it", short: "leave", menu: editMenu, needs: game.CanLeaveEdit, when: inState(game.Editing), do: func(p *Player, _ string) { p.leaveEdit() }},
		{name: "cancel", brief: true, keys: "Esc", label: "Stop making a puzzle", short: "cancel", menu: gameMenu, needs: game.CanCancel, when: func(v *game.View) bool { return v.Generating }, paused: true, do: input(game.Cancel{})},

		{name: "new", keys: "N", label: "New game…", short: "new", menu: gameMenu, needs: game.CanGenerate, paused: true, do: func(p *Player, _ string) { p.newGame() }},
		{name: "daily", keys: "D", label: "Puzzle of the day", menu: gameMenu, needs: game.CanGenerate, paused: true, do: func(p *Player, _ string) { p.daily() }},
		{name: "open", keys: "O", label: "Choose a puzzle…", short: "choose", menu: gameMenu, needs: game.CanChoose, paused: true, do: func(p *Player, _ string) { p.choose() }},
		{name: "previous", line: true, keys: "[", label: "Previous puzzle", short: "previous", menu: gameMenu, needs: game.CanChoose, paused: true, do: func(p *Player, _ string) { p.leaveFor(game.Next(-1)) }},
		{name: "next", keys: "]", label: "Next puzzle", short: "next", menu: gameMenu, needs: game.CanChoose, paused: true, do: func(p *Player, _ string) { p.leaveFor(game.Next(+1)) }},
		{name: "enter", keys: "I", label: "Enter a puzzle", menu: gameMenu, needs: game.CanEdit, do: func(p *Player, _ string) { p.leaveFor(game.Edit{}) }},
		{name: "start", line: true, keys: "S", label: "Start, pause and continue", short: "start", menu: gameMenu, paused: true, needs: game.CanStart | game.CanStop | game.CanPause | game.CanResume, when: func(v *game.View) bool { return v.State != game.Editing }, now: toggleLabel, do: func(p *Player, _ string) { p.toggle() }},
		{name: "restart", keys: "Shift+S", label: "Restart…", menu: gameMenu, needs: game.CanStop, paused: true, when: ofPlayer, do: func(p *Player, _ string) { p.restart() }},
		{name: "give-up", label: "Give up…", menu: gameMenu, needs: game.CanStop, paused: true, when: ofPlayer, do: func(p *Player, _ string) { p.giveUp() }},
		{name: "save", line: true, keys: "W Ctrl+S", label: "Save to a file…", menu: gameMenu, paused: true, do: func(p *Player, _ string) { p.saveFile() }},
		{name: "load", keys: "Ctrl+O", label: "Open a file…", menu: gameMenu, needs: game.CanChoose, paused: true, do: func(p *Player, _ string) { p.loadFile() }},
		{name: "export", keys: "E", label: "Export…", menu: gameMenu, do: func(p *Player, _ string) { p.export() }},
		{name: "print", keys: "Ctrl+P", label: "Print…", menu: gameMenu, do: func(p *Player, _ string) { p.print() }},
		{name: "statistics", line: true, keys: "T", label: "Times and counts", menu: gameMenu, paused: true, do: func(p *Player, _ string) { p.statistics() }},
		{name: "settings", line: true, keys: "F2", label: "Settings…", menu: viewMenu, paused: true, do: func(p *Player, _ string) { p.settingsDialog() }},
		{name: "suspend", keys: "Alt+Z", vi: "Ctrl+Z Alt+Z", label: "Back to the shell", menu: gameMenu, paused: true, anyway: true, do: func(p *Player, _ string) { p.suspend() }},
		{name: "quit", keys: "Q Ctrl+Q", label: "Quit", short: "quit", menu: gameMenu, paused: true, anyway: true, do: func(p *Player, _ string) { p.quitGame() }},

		{name: "set", keys: "1 2 3 4 5 6 7 8 9", shown: "1–9", label: "write a digit", short: "set", menu: moveKeys, needs: game.CanPut, do: func(p *Player, key string) { p.input(game.Put(key[0] - '0')) }},
		{name: "clear", keys: "Delete Backspace 0 .", vi: "X Delete Backspace .", shown: "Del", label: "Clear the cell", short: "clear", menu: editMenu, needs: game.CanPut, do: input(game.Put(0))},
		{name: "tap", keys: "Space Enter", shown: "Space", label: "Add one", short: "+1", menu: editMenu, needs: game.CanPut, do: input(game.Tap{})},
		{name: "undo", keys: "U Ctrl+Z", vi: "U", label: "Undo", short: "undo", menu: editMenu, needs: game.CanUndo, when: func(v *game.View) bool { return v.Undo != 0 }, do: input(game.Undo{})},
		{name: "redo", keys: "Ctrl+Y Ctrl+R Ctrl+Shift+Z", vi: "Ctrl+R Ctrl+Y", label: "Redo", short: "redo", menu: editMenu, needs: game.CanRedo, when: func(v *game.View) bool { return v.Redo != 0 }, do: input(game.Redo{})},
		{name: "reset", keys: "Ctrl+X", label: "Clear all entries", menu: editMenu, needs: game.CanReset, do: input(game.Reset{})},
		{name: "savepoints", line: true, keys: "B", label: "Save points…", menu: editMenu, needs: game.CanSavePoint, do: func(p *Player, _ string) { p.savePoints() }},

		{name: "note", keys: "Alt+1 Alt+2 Alt+3 Alt+4 Alt+5 Alt+6 Alt+7 Alt+8 Alt+9 Ctrl+1 Ctrl+2 Ctrl+3 Ctrl+4 Ctrl+5 Ctrl+6 Ctrl+7 Ctrl+8 Ctrl+9", shown: "Alt+1–9", label: "note a digit", short: "note", menu: moveKeys, needs: game.CanMark,
			do: func(p *Player, key string) { p.input(game.Mark{Of: game.Notes, Digit: int(key[len(key)-1] - '0')}) }},
		{name: "pen-notes", keys: "M", label: "Digits are notes", short: "notes", menu: notesMenu, needs: game.CanMark, on: penOn(game.Notes), do: pen(game.Notes)},
		{name: "pen-corner", keys: "Shift+M", label: "Digits are corner notes", short: "corner", menu: notesMenu, needs: game.CanMark, on: penOn(game.Corner), do: pen(game.Corner)},
		{name: "pen-colours", keys: "C", label: "Digits are colours", short: "colours", menu: notesMenu, needs: game.CanMark, on: penOn(game.Colours), do: pen(game.Colours)},
		{name: "candidates", line: true, keys: "H", vi: "Shift+H", label: "Note the candidates", short: "candidates", menu: notesMenu, needs: game.CanCandidates, do: input(game.Candidates{})},
		{name: "all-candidates", keys: "Shift+H Alt+H", vi: "Alt+H", label: "Note all candidates", menu: notesMenu, needs: game.CanCandidates, do: input(game.Candidates{All: true})},
		{name: "clean-up", line: true, keys: "Alt+C", label: "Clean up notes", menu: notesMenu, needs: game.CanCleanUp, on: func(p *Player, _ *game.View) bool { return p.settings.CleanUp }, do: func(p *Player, _ string) { p.switchCleanUp() }},

		{name: "hint", keys: "?", vi: "? Shift+K", label: "Explain the next step", short: "hint", menu: helpMenu, needs: game.CanHint, do: input(game.AskHint{})},
		{name: "whole-hint", keys: "?", vi: "? Shift+K", when: func(v *game.View) bool { return v.Hint != nil && v.Hint.Stage == 3 }, do: func(p *Player, _ string) { p.wholeHint() }},
		{name: "reveal", keys: "R", label: "Reveal a cell", short: "reveal", menu: helpMenu, needs: game.CanReveal, do: input(game.Reveal{})},
		{name: "watch", line: true, keys: "A", label: "Watch a solver…", short: "solve", menu: helpMenu, needs: game.CanSolve, do: func(p *Player, _ string) { p.watch() }},
		{name: "solve", keys: "Shift+A", label: "Solve at once…", menu: helpMenu, needs: game.CanSolve, do: func(p *Player, _ string) { p.solveAtOnce() }},
		{name: "keys", line: true, keys: "F1", label: "Keys and rules", short: "help", menu: helpMenu, paused: true, do: func(p *Player, _ string) { p.help() }},

		{name: "filter", keys: "F", label: "Highlight a digit…", short: "highlight", menu: viewMenu, on: func(_ *Player, v *game.View) bool { return v.Filter != 0 }, do: func(p *Player, _ string) { p.filter() }},
		{name: "valid", keys: "Alt+V", label: "Show conflicts", menu: viewMenu, on: shows(game.ShowValid), do: show(game.ShowValid)},
		{name: "solvable", keys: "Alt+S", label: "Show whether it can be solved", menu: viewMenu, on: shows(game.ShowSolvable), do: show(game.ShowSolvable)},
		{name: "counts", keys: "Alt+T", label: "Show how many are filled", menu: viewMenu, on: shows(game.ShowStatistics), do: show(game.ShowStatistics)},
		{name: "left", keys: "Alt+L", label: "Show the digits left", menu: viewMenu, on: shows(game.ShowLeft), do: show(game.ShowLeft)},
		{name: "peers", keys: "Alt+P", label: "Show row, column and box", menu: viewMenu, on: shows(game.ShowPeers), do: show(game.ShowPeers)},
		{name: "equal", keys: "Alt+E", label: "Show the same digit", menu: viewMenu, on: shows(game.ShowEqual), do: show(game.ShowEqual)},
		{name: "panel", line: true, keys: "Ctrl+F", label: "Side panel", menu: viewMenu, paused: true, on: func(p *Player, _ *game.View) bool { return p.settings.Panel }, do: func(p *Player, _ string) { p.switchPanel() }},
		{name: "theme", keys: "F3", label: "Next theme", menu: viewMenu, paused: true, do: func(p *Player, _ string) { p.nextTheme() }},
		{name: "redraw", line: true, keys: "Ctrl+L", label: "Draw the screen again", menu: viewMenu, paused: true, anyway: true, do: func(p *Player, _ string) { p.show = p.terminal.Screen.Sync }},

		{name: "pause", keys: "P", label: "pause and continue", short: "pause", menu: moveKeys, paused: true, needs: game.CanPause | game.CanResume,
			now: func(v *game.View) words.Key {
				if stands(v) {
					return "Continue"
				}
				return "Pause"
			}, do: func(p *Player, _ string) { p.togglePause() }},
		{name: "menu", keys: "F10", label: "Menu", short: "menu", menu: moveKeys, paused: true, do: func(p *Player, _ string) { p.menu() }},
		{name: "context", keys: "Shift+F10 Menu Alt+Enter", label: "menu of the cell", menu: moveKeys, do: func(p *Player, _ string) { p.contextMenu() }},
		{name: "up", keys: "Up", vi: "K Up", shown: "arrows", label: "move", short: "move", menu: moveKeys, do: move(-1, 0)},
		{name: "down", keys: "Down", vi: "J Down", do: move(+1, 0)},
		{name: "left-cell", keys: "Left", vi: "H Left", do: move(0, -1)},
		{name: "right-cell", keys: "Right", vi: "L Right", do: move(0, +1)},
		{name: "row-start", keys: "Home", vi: "Home 0 ^", label: "the first cell of the row", menu: moveKeys, do: func(p *Player, _ string) { p.moveTo(p.row, 0) }},
		{name: "row-end", keys: "End", vi: "End $", label: "the last cell of the row", menu: moveKeys, do: func(p *Player, _ string) { p.moveTo(p.row, 8) }},
		{name: "top", keys: "PgUp", label: "the first cell of the column", menu: moveKeys, do: func(p *Player, _ string) { p.moveTo(0, p.col) }},
		{name: "bottom", keys: "PgDn", label: "the last cell of the column", menu: moveKeys, do: func(p *Player, _ string) { p.moveTo(8, p.col) }},
		{name: "first", keys: "Ctrl+Home", vi: "GG Ctrl+Home", label: "the first cell", menu: moveKeys, do: func(p *Player, _ string) { p.moveTo(0, 0) }},
		{name: "last", keys: "Ctrl+End", vi: "Shift+G Ctrl+End", label: "the last cell", menu: moveKeys, do: func(p *Player, _ string) { p.moveTo(8, 8) }},
		{name: "next-empty", keys: "Tab", label: "the next empty cell", menu: moveKeys, do: func(p *Player, _ string) { p.nextEmpty(+1) }},
		{name: "previous-empty", keys: "Shift+Tab", label: "the previous empty cell", menu: moveKeys, do: func(p *Player, _ string) { p.nextEmpty(-1) }},
		{name: "extend-up", keys: "Shift+Up", shown: "Shift+arrows", label: "select several cells", menu: moveKeys, do: extend(-1, 0)},
		{name: "extend-down", keys: "Shift+Down", do: extend(+1, 0)},
		{name: "extend-left", keys: "Shift+Left", do: extend(0, -1)},
		{name: "extend-right", keys: "Shift+Right", do: extend(0, +1)},
		{name: "unselect", keys: "Esc", label: "select one cell only, end the hint", menu: moveKeys, do: func(p *Player, _ string) { p.unselect() }},
	}
}

// possible reports whether an action is possible now, whether or not the game is paused.
func (a *action) possible(v *game.View) bool {
	return (a.needs == 0 || v.Can&a.needs != 0) && (a.when == nil || a.when(v))
}

// labels returns the label and the short text for a view.
func (a *action) labels(v *game.View) (label, short words.Key) {
	if a.now != nil {
		return a.now(v), a.now(v)
	}
	return a.label, cmp.Or(a.short, a.label)
}

// keyNames returns the keys of an action, with or without those of vi.
func (a *action) keyNames(vi bool) []string {
	if vi && a.vi != "" {
		return strings.Fields(a.vi)
	}
	return strings.Fields(a.keys)
}

// A keymap has the actions of each key, in the order of the table.
type keymap map[string][]*action

// newKeymap returns the keys of the table, with or without those of vi.
func newKeymap(table []action, vi bool) keymap {
	keys := keymap{}
	for i := range table {
		for _, key := range table[i].keyNames(vi) {
			keys[key] = append(keys[key], &table[i])
		}
	}
	return keys
}

// find returns the action of a key: the first that is possible, or the first.
func (k keymap) find(key string, v *game.View) *action {
	all, ok := k[key]
	if !ok {
		all = k[strings.Replace(key, "Shift+", "", 1)] // a letter with Shift, or Caps Lock
	}
	for _, a := range all {
		if a.possible(v) {
			return a
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}
