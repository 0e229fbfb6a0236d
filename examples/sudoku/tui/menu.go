package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// keyTexts are the names of keys that are translated.
var keyTexts = map[string]words.Key{
	"Space": "Space", "arrows": "arrows", "Shift+arrows": "Shift+arrows", "Right": "Right",
}

// keyText returns a key as it is shown.
func (p *Player) keyText(key string) string {
	if text, ok := keyTexts[key]; ok {
		return p.words.T(text)
	}
	return strings.ReplaceAll(strings.Replace(key, "GG", "gg", 1), "Delete", "Del")
}

// shownKey returns the key of an action that is shown, or "".
func (p *Player) shownKey(a *action.Action) string {
	names := a.KeyNames(p.settings.Vi)
	switch {
	case a.Shown != "" && (!p.settings.Vi || a.Vi == ""):
		return p.keyText(a.Shown)
	case len(names) > 0:
		return p.keyText(names[0])
	}
	return ""
}

// action returns the action with a name.
func (p *Player) action(name string) *action.Action {
	for i := range p.actions {
		if p.actions[i].Name == name {
			return &p.actions[i]
		}
	}
	panic("no action " + name)
}

// item returns the entry of an action in a menu.
func (p *Player) item(a *action.Action) widget.Item {
	label, _ := a.Labels(&p.view)
	return widget.Item{
		Label: p.words.T(label), Key: p.shownKey(a), Disabled: !a.Enabled(&p.view),
		Checked: a.On != nil && a.On(&p.view, &p.settings), Do: func() { p.perform(a, "") },
	}
}

// menu opens the menu.
func (p *Player) menu() {
	m := &widget.Menu{Bar: true}
	for _, t := range action.Titles() {
		part := widget.Part{Title: p.words.T(t.Text)}
		for i := range p.actions {
			a := &p.actions[i]
			if a.Menu != t.Menu || a.Brief && !a.Enabled(&p.view) {
				continue
			}
			if a.Line && len(part.Items) > 0 {
				part.Items = append(part.Items, widget.Item{})
			}
			part.Items = append(part.Items, p.item(a))
		}
		m.Parts = append(m.Parts, part)
	}
	p.windows.Open(m)
}

// contextMenu opens the menu of the selected cell beside it.
func (p *Player) contextMenu() {
	cell := p.layout.cell(p.row, p.col)
	p.contextMenuAt(cell.x, cell.y+cell.h)
}

func (p *Player) contextMenuAt(x, y int) {
	var items []widget.Item
	for d := 1; d <= 9; d++ {
		item := widget.Item{Label: fmt.Sprint(d), Disabled: !p.action("set").Enabled(&p.view), Do: func() { p.input(game.Put(d)) }}
		item.Checked = p.view.Cells[p.row][p.col].Digit == d
		items = append(items, item)
	}
	items = append(items, widget.Item{})
	for _, name := range []string{"clear", "candidates", "pen-notes", "pen-corner", "pen-colours", "", "hint", "reveal", "filter", "", "undo", "redo", "", "menu"} {
		if name == "" {
			items = append(items, widget.Item{})
			continue
		}
		items = append(items, p.item(p.action(name)))
	}
	p.windows.Open(&widget.Menu{X: x, Y: y, Parts: []widget.Part{{Items: items}}})
}

// keyLines are the actions of the key line by the state of the game, the most important
// first.
var keyLines = map[game.State]string{
	game.Idle:    "start menu new quit keys open next up",
	game.Playing: "pause menu undo set hint pen-notes quit note clear keys tap redo candidates new up",
	game.Paused:  "pause menu quit keys",
	game.Editing: "fix leave-edit set menu clear undo keys up quit",
	game.Solving: "solver-stop pause solver-step solver-faster solver-slower menu quit",
	game.Solved:  "new menu next quit start statistics open",
	game.GivenUp: "new menu next quit start open",
}

// panelButtons are the actions of the buttons in the side panel.
var panelButtons = map[game.State]string{
	game.Paused:  "pause menu keys quit",
	game.Editing: "fix leave-edit undo redo clear menu",
	game.Solving: "solver-stop pause solver-step solver-faster solver-slower menu",
}

const otherButtons = "start undo redo pen-notes hint new menu"

// buttons returns buttons for those actions that the chart supports.
func (p *Player) buttons(names string) (all []button) {
	for name := range strings.FieldsSeq(names) {
		a := p.action(name)
		if a.Needs != 0 && p.view.Has&a.Needs == 0 {
			continue
		}
		_, short := a.Labels(&p.view)
		label := p.words.T(short)
		if a.Now != nil { // it is the text of the menu, too
			label = uncapital(label)
		}
		all = append(all, button{
			name: name, key: p.shownKey(a), label: label,
			dim: !a.Enabled(&p.view), on: a.On != nil && a.On(&p.view, &p.settings),
		})
	}
	return all
}

// scene returns what is drawn.
func (p *Player) scene() *scene {
	keys := keyLines[p.view.State]
	if !p.view.Can.Has(game.CanPause) && p.view.State == game.Playing {
		keys = "start " + keys
	}
	if p.view.Generating {
		keys = "cancel " + keys
	}
	return &scene{
		view: p.view, words: p.words, styles: p.styles, cells: p.settings.Cells, panel: p.settings.Panel,
		note: p.note, keys: p.buttons(keys), buttons: p.buttons(cmp.Or(panelButtons[p.view.State], otherButtons)), hover: p.hover(), glow: p.glowAge(),
	}
}
