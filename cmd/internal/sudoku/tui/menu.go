package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// item returns the entry of an action in a menu.
func (p *Player) item(a *action.Action) widget.Item {
	label, _ := a.Labels(&p.View)
	return widget.Item{
		Label: p.Words.T(label), Key: p.ShownKey(a), Disabled: !a.Enabled(&p.View),
		Checked: a.On != nil && a.On(&p.View, &p.Settings), Do: func() { p.Perform(a, "") },
	}
}

// menu opens the menu.
func (p *Player) menu() {
	m := &widget.Menu{Bar: true}
	for _, part := range p.Menu() {
		shown := widget.Part{Title: part.Title}
		for _, a := range part.Items {
			if a.Line && len(shown.Items) > 0 {
				shown.Items = append(shown.Items, widget.Item{})
			}
			shown.Items = append(shown.Items, p.item(a))
		}
		m.Parts = append(m.Parts, shown)
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
		item := widget.Item{Label: fmt.Sprint(d), Disabled: !p.Action("set").Enabled(&p.View), Do: func() { p.input(game.Put(d)) }}
		item.Checked = p.View.Cells[p.row][p.col].Digit == d
		items = append(items, item)
	}
	items = append(items, widget.Item{})
	for _, name := range action.CellMenu() {
		if name == "" {
			items = append(items, widget.Item{})
			continue
		}
		items = append(items, p.item(p.Action(name)))
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
		a := p.Action(name)
		if a.Needs != 0 && p.View.Has&a.Needs == 0 {
			continue
		}
		_, short := a.Labels(&p.View)
		label := p.Words.T(short)
		if a.Now != nil { // it is the text of the menu, too
			label = uncapital(label)
		}
		all = append(all, button{
			name: name, key: p.ShownKey(a), label: label,
			dim: !a.Enabled(&p.View), on: a.On != nil && a.On(&p.View, &p.Settings),
		})
	}
	return all
}

// scene returns what is drawn.
func (p *Player) scene() *scene {
	keys := keyLines[p.View.State]
	if !p.View.Can.Has(game.CanPause) && p.View.State == game.Playing {
		keys = "start " + keys
	}
	if h := p.View.Hint; h != nil && h.Found == game.FoundStep && p.View.State == game.Playing {
		keys = "hint lesson " + strings.Replace(keys, " hint", "", 1)
	}
	if p.View.Generating {
		keys = "cancel " + keys
	}
	return &scene{
		view: p.View, words: p.Words, styles: p.styles, cells: p.Settings.Cells, zero: p.digitZero(), panel: p.Settings.Panel,
		note: p.Note, keys: p.buttons(keys), buttons: p.buttons(cmp.Or(panelButtons[p.View.State], otherButtons)), hover: p.hover(), glow: p.glowAge(),
	}
}
