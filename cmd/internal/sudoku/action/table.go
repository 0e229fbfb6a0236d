package action

import (
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// Table returns all actions. Of several actions with the same key the first that is possible
// is done.
func Table() []Action {
	ofPlayer := func(v *game.View) bool { return v.State != game.Solving && v.State != game.Editing }
	pen := func(pen game.Pen) func(*game.View, string) []game.Input {
		return func(v *game.View, _ string) []game.Input {
			if v.Pen == pen {
				return []game.Input{game.SetPen(game.Digits)}
			}
			return []game.Input{game.SetPen(pen)}
		}
	}
	penOn := func(pen game.Pen) func(*game.View, *shelf.Settings) bool {
		return func(v *game.View, _ *shelf.Settings) bool { return v.Pen == pen }
	}
	shows := func(s game.Show) func(*game.View, *shelf.Settings) bool {
		return func(v *game.View, _ *shelf.Settings) bool { return v.Show&s != 0 }
	}
	extend := func(rows, cols int) func(*game.View, string) []game.Input {
		return input(game.Extend{Rows: rows, Cols: cols})
	}
	return []Action{
		// While the machine works or the player enters a puzzle, some keys mean something else.
		{Name: "solver-faster", Keys: "+ =", Label: "faster", Menu: HelpMenu, Brief: true, Needs: game.CanStep, When: inState(game.Solving), Inputs: speed(-1)},
		{Name: "solver-slower", Keys: "-", Label: "slower", Menu: HelpMenu, Brief: true, Needs: game.CanStep, When: inState(game.Solving), Inputs: speed(+1)},
		{Name: "solver-step", Keys: "Space Right", Label: "one step", Short: "step", Menu: HelpMenu, Brief: true, Needs: game.CanStep, When: inState(game.Solving), Paused: true, Inputs: solverStep},
		{Name: "solver-stop", Keys: "Esc A", Label: "stop", Menu: HelpMenu, Brief: true, Needs: game.CanStop, When: inState(game.Solving), Paused: true, Inputs: input(game.GiveUp{})},
		{Name: "fix", Brief: true, Keys: "Enter I", Label: "Play the puzzle that was entered", Short: "play it", Menu: EditMenu, Needs: game.CanFix, When: inState(game.Editing)},
		{Name: "leave-edit", Brief: true, Keys: "Esc", Label: "Leave without it", Short: "leave", Menu: EditMenu, Needs: game.CanLeaveEdit, When: inState(game.Editing)},
		{Name: "cancel", Brief: true, Keys: "Esc", Label: "Stop making a puzzle", Short: "cancel", Menu: GameMenu, Needs: game.CanCancel, When: func(v *game.View) bool { return v.Generating }, Paused: true, Inputs: input(game.Cancel{})},

		{Name: "new", Keys: "N", Label: "New game…", Short: "new", Menu: GameMenu, Needs: game.CanGenerate, Paused: true},
		{Name: "daily", Keys: "D", Label: "Puzzle of the day", Menu: GameMenu, Needs: game.CanGenerate, Paused: true},
		{Name: "open", Keys: "O", Label: "Choose a puzzle…", Short: "choose", Menu: GameMenu, Needs: game.CanChoose, Paused: true},
		{Name: "previous", Line: true, Keys: "[", Label: "Previous puzzle", Short: "previous", Menu: GameMenu, Needs: game.CanChoose, Paused: true},
		{Name: "next", Keys: "]", Label: "Next puzzle", Short: "next", Menu: GameMenu, Needs: game.CanChoose, Paused: true},
		{Name: "enter", Keys: "I", Label: "Enter a puzzle", Menu: GameMenu, Needs: game.CanEdit},
		{Name: "start", Line: true, Keys: "S", Label: "Start, pause and continue", Short: "start", Menu: GameMenu, Paused: true, Needs: game.CanStart | game.CanStop | game.CanPause | game.CanResume, When: func(v *game.View) bool { return v.State != game.Editing }, Now: ToggleLabel},
		{Name: "restart", Keys: "Shift+S", Label: "Restart…", Menu: GameMenu, Needs: game.CanStop, Paused: true, When: ofPlayer},
		{Name: "give-up", Keys: "G", Vi: "Alt+G", Label: "Give up…", Menu: GameMenu, Needs: game.CanStop, Paused: true, When: ofPlayer},
		{Name: "save", Line: true, Keys: "W Ctrl+S", Label: "Save to a file…", Menu: GameMenu, Paused: true},
		{Name: "load", Keys: "Ctrl+O", Label: "Open a file…", Menu: GameMenu, Needs: game.CanChoose, Paused: true},
		{Name: "export", Keys: "E", Label: "Export…", Menu: GameMenu},
		{Name: "print", Keys: "Ctrl+P", Label: "Print…", Menu: GameMenu},
		{Name: "statistics", Line: true, Keys: "T", Label: "Times and counts", Menu: GameMenu, Paused: true},
		{Name: "settings", Line: true, Keys: "F2", Label: "Settings…", Menu: ViewMenu, Paused: true},
		{Name: "suspend", Keys: "Alt+Z", Vi: "Ctrl+Z Alt+Z", Label: "Back to the shell", Menu: GameMenu, Paused: true, Anyway: true},
		{Name: "quit", Keys: "Q Ctrl+Q", Label: "Quit", Short: "quit", Menu: GameMenu, Paused: true, Anyway: true},

		{Name: "set", Keys: "1 2 3 4 5 6 7 8 9", Shown: "1-9", Label: "write a digit", Short: "set", Menu: MoveKeys, Needs: game.CanPut,
			Inputs: withDigit(func(digit int) game.Input { return game.Put(digit) })},
		{Name: "clear", Keys: "Delete Backspace 0 .", Vi: "X Delete Backspace .", Shown: "Del", Label: "Clear the cell", Short: "clear", Menu: EditMenu, Needs: game.CanPut, Inputs: input(game.Put(0))},
		{Name: "tap", Keys: "Space Enter", Shown: "Space", Label: "Add one", Short: "+1", Menu: EditMenu, Needs: game.CanPut, Inputs: input(game.Tap{})},
		{Name: "undo", Keys: "U Ctrl+Z", Vi: "U", Label: "Undo", Short: "undo", Menu: EditMenu, Needs: game.CanUndo, When: func(v *game.View) bool { return v.Undo != 0 }, Inputs: input(game.Undo{})},
		{Name: "redo", Keys: "Ctrl+Y Ctrl+R Ctrl+Shift+Z", Vi: "Ctrl+R Ctrl+Y", Label: "Redo", Short: "redo", Menu: EditMenu, Needs: game.CanRedo, When: func(v *game.View) bool { return v.Redo != 0 }, Inputs: input(game.Redo{})},
		{Name: "reset", Keys: "Ctrl+X", Label: "Clear all entries", Menu: EditMenu, Needs: game.CanReset, Inputs: input(game.Reset{})},
		{Name: "savepoints", Line: true, Keys: "B", Label: "Save points…", Menu: EditMenu, Needs: game.CanSavePoint},

		{Name: "note", Keys: "Alt+1 Alt+2 Alt+3 Alt+4 Alt+5 Alt+6 Alt+7 Alt+8 Alt+9 Ctrl+1 Ctrl+2 Ctrl+3 Ctrl+4 Ctrl+5 Ctrl+6 Ctrl+7 Ctrl+8 Ctrl+9", Shown: "Alt+1-9", Label: "note a digit", Short: "note", Menu: MoveKeys, Needs: game.CanMark,
			Inputs: withDigit(func(digit int) game.Input { return game.Mark{Of: game.Notes, Digit: digit} })},
		{Name: "pen-notes", Keys: "M", Label: "Digits are notes", Short: "notes", Menu: NotesMenu, Needs: game.CanMark, On: penOn(game.Notes), Inputs: pen(game.Notes)},
		{Name: "pen-corner", Keys: "Shift+M", Label: "Digits are corner notes", Short: "corner", Menu: NotesMenu, Needs: game.CanMark, On: penOn(game.Corner), Inputs: pen(game.Corner)},
		{Name: "pen-colours", Keys: "C", Label: "Digits are colours", Short: "colours", Menu: NotesMenu, Needs: game.CanMark, On: penOn(game.Colours), Inputs: pen(game.Colours)},
		{Name: "draw", Label: "Draw digits with a finger", Menu: NotesMenu, Needs: game.CanPut, On: func(_ *game.View, s *shelf.Settings) bool { return s.Draw }},
		{Name: "candidates", Line: true, Keys: "H", Vi: "Shift+H", Label: "Note the candidates", Short: "candidates", Menu: NotesMenu, Needs: game.CanCandidates, Inputs: input(game.Candidates{})},
		{Name: "all-candidates", Keys: "Shift+H Alt+H", Vi: "Alt+H", Label: "Note all candidates", Menu: NotesMenu, Needs: game.CanCandidates, Inputs: input(game.Candidates{All: true})},
		{Name: "clean-up", Line: true, Keys: "Alt+C", Label: "Clean up notes", Menu: NotesMenu, Needs: game.CanCleanUp, On: func(_ *game.View, s *shelf.Settings) bool { return s.CleanUp }},

		{Name: "hint", Keys: "?", Vi: "? Shift+K", Label: "Explain the next step", Short: "hint", Menu: HelpMenu, Needs: game.CanHint, Inputs: input(game.AskHint{})},
		{Name: "whole-hint", Keys: "?", Vi: "? Shift+K", When: func(v *game.View) bool { return v.Hint != nil && v.Hint.Stage == 3 }},
		{Name: "lesson", Keys: "L Alt+K", Vi: "Alt+K", Label: "Techniques and lessons…", Short: "lesson", Menu: HelpMenu, Needs: game.CanHint | game.CanLoad, When: func(v *game.View) bool { return v.Has.Has(game.CanHint | game.CanLoad) }},
		{Name: "reveal", Keys: "R", Label: "Reveal a cell", Short: "reveal", Menu: HelpMenu, Needs: game.CanReveal, Inputs: input(game.Reveal{})},
		{Name: "watch", Line: true, Keys: "A", Label: "Watch a solver…", Short: "solve", Menu: HelpMenu, Needs: game.CanSolve},
		{Name: "solve", Keys: "Shift+A", Label: "Solve at once…", Menu: HelpMenu, Needs: game.CanSolve},
		{Name: "keys", Line: true, Keys: "F1", Label: "Keys and rules", Short: "help", Menu: HelpMenu, Paused: true},

		{Name: "filter", Keys: "F", Label: "Highlight a digit…", Short: "highlight", Menu: ViewMenu, On: func(v *game.View, _ *shelf.Settings) bool { return v.Filter != 0 }},
		{Name: "valid", Keys: "Alt+V", Label: "Show conflicts", Menu: ViewMenu, On: shows(game.ShowValid)},
		{Name: "solvable", Keys: "Alt+S", Label: "Show whether it can be solved", Menu: ViewMenu, On: shows(game.ShowSolvable)},
		{Name: "wrong", Keys: "Alt+W", Label: "Check digits at once", Menu: ViewMenu, On: shows(game.ShowWrong)},
		{Name: "counts", Keys: "Alt+T", Label: "Show how many are filled", Menu: ViewMenu, On: shows(game.ShowStatistics)},
		{Name: "left", Keys: "Alt+L", Label: "Show the digits left", Menu: ViewMenu, On: shows(game.ShowLeft)},
		{Name: "peers", Keys: "Alt+P", Label: "Show row, column and box", Menu: ViewMenu, On: shows(game.ShowPeers)},
		{Name: "equal", Keys: "Alt+E", Label: "Show the same digit", Menu: ViewMenu, On: shows(game.ShowEqual)},
		{Name: "panel", Line: true, Keys: "Ctrl+F", Label: "Side panel", Menu: ViewMenu, Paused: true, On: func(_ *game.View, s *shelf.Settings) bool { return s.Panel }},
		{Name: "full-screen", Keys: "F11", Label: "Full screen", Menu: ViewMenu, Paused: true},
		{Name: "theme", Keys: "F3", Label: "Next theme", Menu: ViewMenu, Paused: true},
		{Name: "redraw", Line: true, Keys: "Ctrl+L", Label: "Draw the screen again", Menu: ViewMenu, Paused: true, Anyway: true},

		{Name: "pause", Keys: "P", Label: "pause and continue", Short: "pause", Menu: MoveKeys, Paused: true, Needs: game.CanPause | game.CanResume,
			Now: func(v *game.View) words.Key {
				if Stands(v) {
					return "Continue"
				}
				return "Pause"
			},
			Inputs: func(v *game.View, _ string) []game.Input {
				if Stands(v) {
					return []game.Input{game.Resume{}}
				}
				return []game.Input{game.Pause{}}
			}},
		{Name: "menu", Keys: "F10", Label: "Menu", Short: "menu", Menu: MoveKeys, Paused: true},
		{Name: "context", Keys: "Shift+F10 Menu Alt+Enter", Label: "menu of the cell", Menu: MoveKeys},
		{Name: "up", Keys: "Up", Vi: "K Up", Shown: "arrows", Label: "move", Short: "move", Menu: MoveKeys, Inputs: input(game.Move{Rows: -1})},
		{Name: "down", Keys: "Down", Vi: "J Down", Inputs: input(game.Move{Rows: +1})},
		{Name: "left-cell", Keys: "Left", Vi: "H Left", Inputs: input(game.Move{Cols: -1})},
		{Name: "right-cell", Keys: "Right", Vi: "L Right", Inputs: input(game.Move{Cols: +1})},
		{Name: "row-start", Keys: "Home", Vi: "Home 0 ^", Label: "the first cell of the row", Menu: MoveKeys, Inputs: input(game.Move{Cols: -8})},
		{Name: "row-end", Keys: "End", Vi: "End $", Label: "the last cell of the row", Menu: MoveKeys, Inputs: input(game.Move{Cols: +8})},
		{Name: "top", Keys: "PgUp", Label: "the first cell of the column", Menu: MoveKeys, Inputs: input(game.Move{Rows: -8})},
		{Name: "bottom", Keys: "PgDn", Label: "the last cell of the column", Menu: MoveKeys, Inputs: input(game.Move{Rows: +8})},
		{Name: "first", Keys: "Ctrl+Home", Vi: "GG Ctrl+Home", Label: "the first cell", Menu: MoveKeys, Inputs: input(game.Move{Rows: -8, Cols: -8})},
		{Name: "last", Keys: "Ctrl+End", Vi: "Shift+G Ctrl+End", Label: "the last cell", Menu: MoveKeys, Inputs: input(game.Move{Rows: +8, Cols: +8})},
		{Name: "next-empty", Keys: "Tab Ctrl+Right", Label: "the next empty cell", Menu: MoveKeys, Inputs: nextEmpty(+1)},
		{Name: "previous-empty", Keys: "Shift+Tab Ctrl+Left", Label: "the previous empty cell", Menu: MoveKeys, Inputs: nextEmpty(-1)},
		{Name: "extend-up", Keys: "Shift+Up", Shown: "Shift+arrows", Label: "select several cells", Menu: MoveKeys, Inputs: extend(-1, 0)},
		{Name: "extend-down", Keys: "Shift+Down", Inputs: extend(+1, 0)},
		{Name: "extend-left", Keys: "Shift+Left", Inputs: extend(0, -1)},
		{Name: "extend-right", Keys: "Shift+Right", Inputs: extend(0, +1)},
		{Name: "unselect", Keys: "Esc", Label: "select one cell only, end the hint", Menu: MoveKeys, Inputs: unselect},
	}
}
