// Package action has everything that the player of a Sudoku can do, for all front ends with a screen.
//
//	type player struct {
//		action.Hand
//		…
//	}
//	p.Front, p.Game, p.Words, p.Settings = p, game, words, settings
//	p.Init()
//	p.Own["quit"] = p.quit // what only this front end can do
//	…
//	p.Key("Ctrl+Z")
//
// The keys, the menus, the buttons and the help page of a front end are made from the table of
// actions, see [Table]. What an action does is its Inputs. Those without Inputs need more than the
// game: a [Hand] does them by their names, and opens dialogs, which are values that a front end shows
// as it likes.
//
// # Implementation
//
// table.go has the table and action.go what is in it. hand.go carries out keys and actions; leave.go
// has those that leave the puzzle, and questions. dialog.go says what a dialog is; newgame.go,
// settings.go, puzzles.go, pages.go and read.go make them.
package action

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// An Action is something that the player can do.
type Action struct {
	Name  string    // for code and tests
	Keys  string    // names of keys, such as "Ctrl+Shift+Z", "PgUp" and "?"
	Vi    string    // the keys with --vi; empty: the same
	Shown string    // what is shown instead of the first key
	Label words.Key // in menus and on the help page; empty: nowhere
	Short words.Key // on buttons and in the key line; empty: Label
	Menu  Menu
	Line  bool // there is a line before it in the menu
	Brief bool // it is in the menu only while it is possible

	Needs  game.Abilities                              // one of them; 0: none
	When   func(v *game.View) bool                     // another condition; nil: none
	Now    func(v *game.View) words.Key                // the label and short text for a view; nil: always the same
	On     func(v *game.View, s *shelf.Settings) bool  // whether its switch is on; nil: it is not a switch
	Paused bool                                        // also possible while the game is paused
	Anyway bool                                        // also possible in a window that is too small
	Inputs func(v *game.View, key string) []game.Input // what it does; nil: see the package
}

// A Menu is a menu of the bar, or a part of the help page.
type Menu uint8

// The menus.
const (
	NoMenu Menu = iota
	GameMenu
	EditMenu
	NotesMenu
	HelpMenu
	ViewMenu
	MoveKeys // only on the help page
)

// A Title is the title of a menu.
type Title struct {
	Menu Menu
	Text words.Key
}

// Titles returns the titles of the bar, in its order.
func Titles() []Title {
	return []Title{{GameMenu, "Game"}, {EditMenu, "Edit"}, {NotesMenu, "Notes"}, {HelpMenu, "Help"}, {ViewMenu, "View"}}
}

// HelpTitles returns the titles of the help page, in its order.
func HelpTitles() []Title {
	return []Title{{MoveKeys, "Moving and writing"}, {EditMenu, "Edit"}, {NotesMenu, "Notes"}, {HelpMenu, "Help"}, {GameMenu, "Game"}, {ViewMenu, "View"}}
}

// Possible reports whether an action is possible now, whether or not the game is paused.
func (a *Action) Possible(v *game.View) bool {
	return (a.Needs == 0 || v.Can&a.Needs != 0) && (a.When == nil || a.When(v))
}

// Enabled reports whether an action is possible now.
func (a *Action) Enabled(v *game.View) bool {
	return a.Possible(v) && (a.Paused || v.State != game.Paused)
}

// Labels returns the label and the short text for a view.
func (a *Action) Labels(v *game.View) (label, short words.Key) {
	if a.Now != nil {
		return a.Now(v), a.Now(v)
	}
	return a.Label, cmp.Or(a.Short, a.Label)
}

// KeyNames returns the keys of an action, with or without those of vi.
func (a *Action) KeyNames(vi bool) []string {
	if vi && a.Vi != "" {
		return strings.Fields(a.Vi)
	}
	return strings.Fields(a.Keys)
}

// A Keymap has the actions of each key, in the order of the table.
type Keymap map[string][]*Action

// NewKeymap returns the keys of a table, with or without those of vi.
func NewKeymap(table []Action, vi bool) Keymap {
	keys := Keymap{}
	for i := range table {
		for _, key := range table[i].KeyNames(vi) {
			keys[key] = append(keys[key], &table[i])
		}
	}
	return keys
}

// Find returns the action of a key: the first that is possible, or the first; nil if the key has
// no meaning.
func (k Keymap) Find(key string, v *game.View) *Action {
	all, ok := k[key]
	if !ok {
		all = k[strings.Replace(key, "Shift+", "", 1)] // a letter with Shift, or Caps Lock
	}
	for _, a := range all {
		if a.Possible(v) {
			return a
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// PausedKeys are the names of the actions whose keys have an effect while the game is paused.
func PausedKeys() []string {
	return []string{"pause", "start", "new", "open", "daily", "menu", "keys", "quit", "suspend", "redraw"}
}

// Stands reports whether a game is paused, or a solver.
func Stands(v *game.View) bool {
	return v.State == game.Paused || v.State == game.Solving && v.Solver.Paused
}

// ToggleLabel is what [game.Toggle] does now.
func ToggleLabel(v *game.View) words.Key {
	switch {
	case Stands(v), v.State != game.Solving && v.Can.Has(game.CanResume):
		return "Continue"
	case v.Can.Has(game.CanPause):
		return "Pause"
	case v.Can.Has(game.CanStart):
		return "Start"
	}
	return "Stop"
}

// input returns the Inputs of an action that is an input of the game.
func input(in game.Input) func(*game.View, string) []game.Input {
	return func(*game.View, string) []game.Input { return []game.Input{in} }
}

// withDigit returns the Inputs of an action with the digit at the end of its key; without a key there
// are none.
func withDigit(in func(digit int) game.Input) func(*game.View, string) []game.Input {
	return func(_ *game.View, key string) []game.Input {
		if key == "" {
			return nil
		}
		return []game.Input{in(int(key[len(key)-1] - '0'))}
	}
}

// inState returns a condition.
func inState(states ...game.State) func(*game.View) bool {
	return func(v *game.View) bool { return slices.Contains(states, v.State) }
}

// nextEmpty selects the next empty cell in a direction, row by row.
func nextEmpty(by int) func(*game.View, string) []game.Input {
	return func(v *game.View, _ string) []game.Input {
		row, col := v.Selected()
		at := row*9 + col
		for range 80 {
			at = (at + by + 81) % 81
			if v.Cells[at/9][at%9].Digit == 0 {
				break
			}
		}
		return []game.Input{game.Select{Row: at / 9, Col: at % 9}}
	}
}

// unselect leaves one cell selected, and makes the message, the hint and the filter go away.
func unselect(v *game.View, _ string) []game.Input {
	inputs := []game.Input{game.Unselect{}, game.HideHint{}}
	if v.Filter != 0 {
		inputs = append(inputs, game.SetFilter(0))
	}
	return inputs
}

// Speeds returns the times between the changes of a solver, from fast to slow.
func Speeds() []time.Duration {
	return []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second}
}

// speed makes the solver slower by so many speeds.
func speed(by int) func(*game.View, string) []game.Input {
	return func(v *game.View, _ string) []game.Input {
		all, at := Speeds(), 0
		for i, s := range all {
			if s <= v.Solver.Delay {
				at = i
			}
		}
		return []game.Input{game.SolverSpeed(all[max(min(at+by, len(all)-1), 0)])}
	}
}

// solverStep makes the solver do one change, and pauses it before.
func solverStep(v *game.View, _ string) []game.Input {
	if !v.Solver.Paused && v.State == game.Solving {
		return []game.Input{game.Pause{}, game.SolverStep{}}
	}
	return []game.Input{game.SolverStep{}}
}
