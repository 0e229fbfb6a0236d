package web

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// What the page knows of actions are the fields
//
//	menu      [{title, items: [{name, label, key, line}]}]: the menu; line: there is a line before it
//	cell      [{name, label, key, line}]: the menu of a cell, after its digits
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

// item returns an action in a menu.
func (p *player) item(a *action.Action, line bool) item {
	label, _ := a.Labels(&p.View)
	return item{a.Name, p.Words.T(label), p.ShownKey(a), line}
}

// showActions shows what can be done.
func (p *player) showActions(u *update) {
	v := &p.View
	key := menuKey{p.Words.Lang(), p.Settings.Vi, action.Stands(v), v.State, v.Can, v.Generating}
	if key != p.sent.menu {
		p.sent.menu = key
		var menu []part
		for _, t := range p.Menu() {
			m := part{Title: t.Title}
			for _, a := range t.Items {
				if p.Offers(a) {
					m.Items = append(m.Items, p.item(a, a.Line && len(m.Items) > 0))
				}
			}
			menu = append(menu, m)
		}
		u.set("menu", menu)
		var cell []item
		line := false
		for _, name := range action.CellMenu() {
			if a := p.Action(name); a != nil && p.Offers(a) {
				cell = append(cell, p.item(a, line || len(cell) == 0))
			}
			line = name == ""
		}
		u.set("cell", cell)
		names := buttons[v.State]
		if v.Generating {
			names = "cancel " + names
		}
		row := []item{}
		for name := range strings.FieldsSeq(names) {
			if a := p.Action(name); p.Offers(a) {
				_, short := a.Labels(v)
				row = append(row, item{Name: name, Label: p.Words.T(short), Key: p.ShownKey(a)})
			}
		}
		u.set("buttons", row)
		u.set("keys", p.Keys())
	}
	can, on := []string{}, []string{}
	for a := range p.Actions() {
		if a.Menu == action.MoveKeys && a.Name != "pause" && a.Name != "menu" {
			continue
		}
		if a.Enabled(v) {
			can = append(can, a.Name)
		}
		if a.On != nil && a.On(v, &p.Settings) {
			on = append(on, a.Name)
		}
	}
	u.set("can", can)
	u.set("on", on)
}
