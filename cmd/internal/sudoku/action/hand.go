package action

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A Front is what the actions need of a front end.
type Front interface {
	// Input gives the game an input.
	Input(in game.Input)
	// Open opens a dialog over the others.
	Open(d *Dialog)
	// Close closes a dialog if it is open.
	Close(d *Dialog)
	// Keeps reports whether a game that is left can be continued later.
	Keeps() bool
	// Begun returns the games that are kept, the one that was saved last first.
	Begun() ([]shelf.Progress, error)
	// SaveSettings remembers the settings.
	SaveSettings() error
	// Rate rates puzzles and tells their ratings, in inputs, while a dialog is open. It leaves out
	// empty grids. Hard puzzles take a while.
	Rate(d *Dialog, puzzles []sudoku.Grid, rated func(puzzle int, rating string))
}

// A Hand carries out the actions for a front end, whose goroutine it needs. A front end embeds it,
// shows View and Note, and tells it about keys.
type Hand struct {
	Front    Front
	Game     *game.Game
	Session  drive.Session // while an input is carried out
	View     game.View     // what the front end shows
	Words    *words.Words
	Settings shelf.Settings
	Note     string            // answers the last input, instead of the message of the view
	Own      map[string]func() // what actions without Inputs do, by name

	table    []Action
	keymap   Keymap
	reserved []string
	prefix   string // the key that waits for another one
	answered bool   // the key before has an answer
	posts    chan func()
}

// Init prepares a hand whose Front, Game, Words and Settings are set. Keys that are reserved have no
// meaning. The front end adds to Own what only it can do.
func (h *Hand) Init(reserved ...string) {
	h.table, h.reserved, h.Own, h.posts = Table(), reserved, h.own(), make(chan func())
	h.SetKeys()
}

// SetKeys makes the keys those of the settings.
func (h *Hand) SetKeys() {
	h.keymap = NewKeymap(h.table, h.Settings.Vi)
	for _, name := range h.reserved {
		delete(h.keymap, name)
	}
}

// Action returns the action with a name, or nil.
func (h *Hand) Action(name string) *Action {
	i := slices.IndexFunc(h.table, func(a Action) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &h.table[i]
}

// Actions returns all actions, in the order of the table.
func (h *Hand) Actions() iter.Seq[*Action] {
	return func(yield func(*Action) bool) {
		for i := range h.table {
			if !yield(&h.table[i]) {
				return
			}
		}
	}
}

// does reports whether the front end has an action.
func (h *Hand) does(a *Action) bool { return a.Inputs != nil || h.Own[a.Name] != nil }

// Offers reports whether an action can ever be done: the front end has it, and the chart.
func (h *Hand) Offers(a *Action) bool {
	return h.does(a) && (a.Needs == 0 || h.View.Has&a.Needs != 0)
}

// Keys returns the names of the keys that have a meaning.
func (h *Hand) Keys() []string {
	names := []string{}
	for name := range h.keymap {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Find returns the action of a key, see [Keymap.Find].
func (h *Hand) Find(key string) *Action { return h.keymap.Find(key, &h.View) }

// ForgetKey forgets a key that waits for another one, and the last answer.
func (h *Hand) ForgetKey() {
	h.answered = h.Note != "" || h.View.Message.Code != game.Nothing
	h.prefix, h.Note = "", ""
}

// Key carries out a key, or answers why it does nothing.
func (h *Hand) Key(name string) {
	prefix := h.prefix
	h.ForgetKey()
	switch {
	case prefix == "F":
		h.filterBy(name)
		return
	case prefix == "" && name == "G" && h.Settings.Vi:
		h.prefix = name
		return
	}
	a := h.Find(prefix + name)
	known := a != nil && h.does(a)
	switch {
	case h.View.State == game.Paused && !(known && slices.Contains(PausedKeys(), a.Name)):
		h.Answer("P continues, F10 opens the menu")
	case !known:
		h.Front.Input(game.Unknown{})
	default:
		h.Perform(a, name)
	}
}

// Perform carries out an action if it is possible, or says why it is not. key is the key that was
// pressed, or empty.
func (h *Hand) Perform(a *Action, key string) {
	v := &h.View
	switch {
	case v.State == game.Paused && !a.Paused: // the board is not visible
	case a.Possible(v) && a.Inputs != nil:
		for _, in := range a.Inputs(v, key) {
			h.Front.Input(in)
		}
		switch {
		case !h.same() || a.Name == "unselect" && h.answered: // the answer has gone away
		case a.Name == "undo":
			h.answerCode(game.NothingToUndo)
		default:
			h.Answer("nothing to change here")
		}
	case a.Possible(v):
		if do := h.Own[a.Name]; do != nil {
			do()
		}
	case a.Needs != 0 && v.Has&a.Needs == 0:
		h.answerCode(game.Unsupported)
	case a.Needs != 0 && v.Can&a.Needs == 0 && v.State == game.GivenUp && v.Can.Has(game.CanResume):
		h.Answer("S: continue")
	case a.Needs != 0 && v.Can&a.Needs == 0 && v.Can.Has(game.CanStart):
		h.Answer("press S to start")
	case a.Name == "undo" && v.Can.Has(game.CanPut):
		h.answerCode(game.NothingToUndo)
	case a.Name == "redo" && v.Can.Has(game.CanPut):
		h.answerCode(game.NothingToRedo)
	default:
		h.answerCode(game.NotNow)
	}
}

// same reports whether the game looks as it did before an input, and does not say why.
func (h *Hand) same() bool {
	h.Session.Settle()
	now, was := h.Game.View(), h.View
	was.Message, was.Time = game.Message{}, now.Time
	return !h.Game.Waits() && now.Cells == was.Cells && reflect.DeepEqual(now, was)
}

// PerformNamed carries out the action with a name, if there is one.
func (h *Hand) PerformNamed(name string) {
	if a := h.Action(name); a != nil {
		h.Perform(a, "")
	}
}

// Answer answers the last input.
func (h *Hand) Answer(key words.Key, args ...any) { h.Note = h.Words.T(key, args...) }

// Fail answers the last input with an error.
func (h *Hand) Fail(err error) { h.Note = strings.TrimPrefix(err.Error(), "sudoku: ") }

func (h *Hand) answerCode(code game.Code) { h.Note = h.Words.Message(game.Message{Code: code}) }

// keyTexts are the names of keys that are translated.
var keyTexts = map[string]words.Key{
	"Space": "Space", "arrows": "arrows", "Shift+arrows": "Shift+arrows", "Right": "Right",
}

// keyText returns a key as it is shown.
func (h *Hand) keyText(key string) string {
	if text, ok := keyTexts[key]; ok {
		return h.Words.T(text)
	}
	return strings.ReplaceAll(strings.Replace(key, "GG", "gg", 1), "Delete", "Del")
}

// keyNames returns the keys of an action that are not reserved.
func (h *Hand) keyNames(a *Action) []string {
	return slices.DeleteFunc(a.KeyNames(h.Settings.Vi), func(name string) bool { return slices.Contains(h.reserved, name) })
}

// ShownKey returns the key of an action that is shown, or "".
func (h *Hand) ShownKey(a *Action) string {
	names := h.keyNames(a)
	switch {
	case a.Shown != "" && (!h.Settings.Vi || a.Vi == ""):
		return h.keyText(a.Shown)
	case len(names) > 0:
		return h.keyText(names[0])
	}
	return ""
}

// ShownKeys returns the first three keys of an action as they are shown, or "".
func (h *Hand) ShownKeys(a *Action) string {
	names := h.keyNames(a)
	if a.Shown != "" {
		names = nil
	}
	var shown []string
	if key := h.ShownKey(a); key != "" {
		shown = append(shown, key)
	}
	for _, name := range names[min(1, len(names)):min(3, len(names))] {
		shown = append(shown, h.keyText(name))
	}
	return strings.Join(shown, ", ")
}

// A MenuPart is a menu of the bar.
type MenuPart struct {
	Title string
	Items []*Action
}

// Menu returns the menu: the actions that the front end has.
func (h *Hand) Menu() (menu []MenuPart) {
	for _, t := range Titles() {
		part := MenuPart{Title: h.Words.T(t.Text)}
		for i := range h.table {
			if a := &h.table[i]; a.Menu == t.Menu && h.does(a) && (!a.Brief || a.Enabled(&h.View)) {
				part.Items = append(part.Items, a)
			}
		}
		menu = append(menu, part)
	}
	return menu
}

// CellMenu returns the names of the actions in the menu of a cell, after the digits. An empty name
// is a line.
func CellMenu() []string {
	return []string{"clear", "candidates", "pen-notes", "pen-corner", "pen-colours", "", "hint", "reveal", "filter", "", "undo", "redo", "", "menu"}
}
