package web

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// What the page knows of actions are the fields
//
//	menu      [{title, items: [{name, label, key, line}]}]: the menu; line: there is a line before it
//	buttons   [{name, label, key}]: for the state of the game, the most important first
//	can       the names of the actions in menu and buttons that are possible now
//	on        the names of those that are switched on
//	keys      the keys that have a meaning; the others are the browser's

// part is a menu.
type part struct {
	Title string `json:"title"`
	Items []item `json:"items"`
}

// item is an action in a menu, or a button.
type item struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Key   string `json:"key,omitempty"`
	Line  bool   `json:"line,omitempty"`
}

// menuKey is what the texts of the actions depend on.
type menuKey struct {
	lang       string
	vi, stands bool
	state      game.State
	can        game.Abilities
	generating bool
}

// buttons are the actions of the buttons by the state of the game.
var buttons = map[game.State]string{
	game.Idle:    "start new daily open enter load",
	game.Playing: "undo redo pen-notes pen-corner pen-colours hint",
	game.Paused:  "pause new daily open",
	game.Editing: "fix leave-edit undo redo",
	game.Solving: "solver-stop pause solver-step solver-slower solver-faster",
	game.Solved:  "new daily next open export statistics",
	game.GivenUp: "new start next open",
}

// browserKeys are keys of the table that a browser needs itself: to leave the board, to load the
// page again, to change to another page.
var browserKeys = strings.Fields("Tab Shift+Tab Ctrl+R Ctrl+L Ctrl+F Ctrl+Q Ctrl+1 Ctrl+2 Ctrl+3 Ctrl+4 Ctrl+5 Ctrl+6 Ctrl+7 Ctrl+8 Ctrl+9")

// newKeymap returns the keys of the table without those of the browser.
func newKeymap(table []action.Action, vi bool) action.Keymap {
	keys := action.NewKeymap(table, vi)
	for _, name := range browserKeys {
		delete(keys, name)
	}
	return keys
}

// keyNames returns the keys of an action that the page has.
func (p *player) keyNames(a *action.Action) []string {
	return slices.DeleteFunc(a.KeyNames(p.settings.Vi), func(name string) bool { return slices.Contains(browserKeys, name) })
}

// offered reports whether the page has an action.
func (p *player) offered(a *action.Action) bool {
	return (a.Inputs != nil || p.own[a.Name] != nil) && (a.Needs == 0 || p.view.Has&a.Needs != 0)
}

// action returns the action with a name, or nil.
func (p *player) action(name string) *action.Action {
	i := slices.IndexFunc(p.actions, func(a action.Action) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &p.actions[i]
}

// showActions shows what can be done.
func (p *player) showActions(u *update) {
	v := &p.view
	key := menuKey{p.words.Lang(), p.settings.Vi, action.Stands(v), v.State, v.Can, v.Generating}
	if key != p.sent.menu {
		p.sent.menu = key
		var menu []part
		for _, t := range action.Titles() {
			m := part{Title: p.words.T(t.Text)}
			for i := range p.actions {
				a := &p.actions[i]
				if a.Menu == t.Menu && p.offered(a) && (!a.Brief || a.Enabled(v)) {
					label, _ := a.Labels(v)
					m.Items = append(m.Items, item{a.Name, p.words.T(label), p.shownKey(a), a.Line && len(m.Items) > 0})
				}
			}
			menu = append(menu, m)
		}
		u.set("menu", menu)
		names := buttons[v.State]
		if v.Generating {
			names = "cancel " + names
		}
		row := []item{}
		for name := range strings.FieldsSeq(names) {
			if a := p.action(name); p.offered(a) {
				_, short := a.Labels(v)
				row = append(row, item{Name: name, Label: p.words.T(short), Key: p.shownKey(a)})
			}
		}
		u.set("buttons", row)
		keys := []string{}
		for name := range p.keymap {
			keys = append(keys, name)
		}
		slices.Sort(keys)
		u.set("keys", keys)
	}
	can, on := []string{}, []string{}
	for i := range p.actions {
		a := &p.actions[i]
		if a.Menu == action.MoveKeys && a.Name != "pause" {
			continue
		}
		if a.Enabled(v) {
			can = append(can, a.Name)
		}
		if a.On != nil && a.On(v, &p.settings) {
			on = append(on, a.Name)
		}
	}
	u.set("can", can)
	u.set("on", on)
}

// keyTexts are the names of keys that are translated.
var keyTexts = map[string]words.Key{
	"Space": "Space", "arrows": "arrows", "Shift+arrows": "Shift+arrows", "Right": "Right",
}

// keyText returns a key as it is shown.
func (p *player) keyText(key string) string {
	if text, ok := keyTexts[key]; ok {
		return p.words.T(text)
	}
	return strings.ReplaceAll(strings.Replace(key, "GG", "gg", 1), "Delete", "Del")
}

// shownKey returns the key of an action that is shown, or "".
func (p *player) shownKey(a *action.Action) string {
	names := p.keyNames(a)
	switch {
	case a.Shown != "" && (!p.settings.Vi || a.Vi == ""):
		return p.keyText(a.Shown)
	case len(names) > 0:
		return p.keyText(names[0])
	}
	return ""
}

// key carries out a key.
func (p *player) key(name string) {
	prefix := p.prefix
	p.prefix = ""
	switch {
	case prefix == "F":
		p.filterBy(name)
		return
	case prefix == "" && name == "G" && p.settings.Vi:
		p.prefix = name
		return
	}
	a := p.keymap.Find(prefix+name, &p.view)
	switch {
	case a == nil || !p.offered(a):
		if p.view.State != game.Paused {
			p.input(game.Unknown{})
		}
	case p.view.State == game.Paused && !slices.Contains(action.PausedKeys(), a.Name):
		p.answer("P continues, F10 opens the menu")
	default:
		p.perform(a, name)
	}
}

// perform carries out an action if it is possible, or says why it is not.
func (p *player) perform(a *action.Action, key string) {
	v := &p.view
	switch {
	case v.State == game.Paused && !a.Paused: // the board is not visible
	case a.Possible(v) && a.Inputs != nil:
		for _, in := range a.Inputs(v, key) {
			p.input(in)
		}
	case a.Possible(v):
		if do := p.own[a.Name]; do != nil {
			do()
		}
	case a.Needs != 0 && v.Has&a.Needs == 0:
		p.note = p.words.Message(game.Message{Code: game.Unsupported})
	case a.Needs != 0 && v.Can&a.Needs == 0 && v.State == game.GivenUp && v.Can.Has(game.CanResume):
		p.answer("S: continue")
	case a.Needs != 0 && v.Can&a.Needs == 0 && v.Can.Has(game.CanStart):
		p.answer("press S to start")
	case a.Name == "undo" && v.Can.Has(game.CanPut):
		p.note = p.words.Message(game.Message{Code: game.NothingToUndo})
	case a.Name == "redo" && v.Can.Has(game.CanPut):
		p.note = p.words.Message(game.Message{Code: game.NothingToRedo})
	default:
		p.note = p.words.Message(game.Message{Code: game.NotNow})
	}
}
