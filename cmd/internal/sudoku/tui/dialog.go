package tui

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// Open opens a dialog as a window.
func (f front) Open(d *action.Dialog) {
	window := &widget.Dialog{Title: d.Title}
	closed := func() {
		delete(f.opened, d)
		if d.Closed != nil {
			d.Closed()
		}
	}
	window.Cancel = closed
	var fresh []func() // show values that another control has changed
	changed := func(c *action.Control) {
		if c.Changed != nil {
			c.Changed()
		}
		for _, show := range fresh {
			show()
		}
	}
	pressed := func(c *action.Control) func() {
		return func() {
			closed()
			if c.Do != nil {
				c.Do()
			}
		}
	}
	for i, c := range d.Controls {
		var shown widget.Control
		switch c.Kind {
		case action.Text:
			shown = &widget.Label{Text: c.Text, Now: c.Now, Dim: c.Dim}
		case action.Lines:
			page := &widget.Page{}
			for i, l := range c.Lines {
				if l.Head && i > 0 {
					page.Lines = append(page.Lines, widget.Line{})
				}
				page.Lines = append(page.Lines, widget.Line{Key: l.Key, Text: l.Text, Head: l.Head})
			}
			shown = page
		case action.Choice:
			choice := &widget.Choice{Label: c.Label, Options: c.Options, At: c.At}
			choice.Changed = func() {
				c.At = choice.At
				changed(c)
			}
			fresh = append(fresh, func() { choice.At, choice.Off = c.At, c.Live != nil && !c.Live() })
			shown = choice
		case action.Check:
			check := &widget.Check{Label: c.Label, On: c.On}
			check.Changed = func() {
				c.On = check.On
				changed(c)
			}
			shown = check
		case action.Field:
			field := &widget.Field{Label: c.Label, Text: c.Text, Max: c.Max}
			if c.Number {
				field.Accepts = func(r rune) bool { return '0' <= r && r <= '9' }
			}
			field.Changed = func() {
				c.Text = field.Text
				changed(c)
			}
			fresh = append(fresh, func() { field.Off = c.Live != nil && !c.Live() })
			shown = field
		case action.List:
			list := &widget.List{At: c.At, Find: c.Label, Empty: c.Text, Do: pressed(c)}
			for _, row := range c.Rows {
				list.Rows = append(list.Rows, row.Texts)
			}
			list.Moved = func() {
				c.At = list.At
				changed(c)
			}
			shown = list
		case action.Board:
			boards := map[*action.Read]*widget.Board{}
			fresh = append(fresh, func() {
				r := c.Board
				if boards[r] == nil {
					board := &widget.Board{Digits: r.Digits, Doubt: r.Doubt, Written: r.Written, Pictures: r.Pictures}
					board.Changed = func() {
						r.Digits, r.Doubt, r.Written = board.Digits, board.Doubt, board.Written
						changed(c)
					}
					boards[r] = board
				}
				window.Controls[i] = boards[r]
			})
		case action.Button:
			shown = &widget.Button{Text: c.Text, Do: pressed(c)}
		}
		window.Controls = append(window.Controls, shown)
	}
	for _, show := range fresh {
		show()
	}
	f.opened[d] = window
	f.windows.Open(window)
}

// Close closes a dialog.
func (f front) Close(d *action.Dialog) {
	if window := f.opened[d]; window != nil {
		f.windows.Close(window)
		delete(f.opened, d)
	}
}

// cancelButton returns a button that does nothing.
func (p *Player) cancelButton() *widget.Button { return &widget.Button{Text: p.Words.T("Cancel")} }

// saveFile asks for the name of a file and saves the game to it.
func (p *Player) saveFile() {
	if g := p.Saved(); g != nil {
		p.fileDialog(func(name string) { p.write(name, g, false) }, export.Name(g, ".json"), "Save to a file", "The ending .json keeps everything.", "Save")
	}
}

// export asks for the name of a file and writes the game as it is shown.
func (p *Player) export() {
	if g := p.Saved(); g != nil {
		p.fileDialog(func(name string) { p.write(name, g, false) }, export.Name(g, ".pdf"),
			"Export", "The ending says what the file becomes: .csv .txt .png .svg .pdf .sdk …", "Export")
	}
}

// open opens a window.
func (p *Player) open(title string, controls ...widget.Control) {
	p.windows.Open(&widget.Dialog{Title: title, Controls: controls})
}

// fileDialog asks for the name of a file.
func (p *Player) fileDialog(do func(name string), name string, title, about, yes words.Key) {
	field := &widget.Field{Label: p.Words.T("File:"), Text: name}
	p.open(p.Words.T(title), field, &widget.Label{Text: p.Words.T(about), Dim: true},
		&widget.Button{Text: p.Words.T(yes), Do: func() { do(field.Text) }}, p.cancelButton())
}

// write writes a file, and asks before it replaces another.
func (p *Player) write(name string, g *format.Game, replace bool) {
	err := export.File(name, g, replace)
	switch {
	case errors.Is(err, fs.ErrExist) && !replace:
		p.Ask(p.Words.T("Replace"), p.Words.T("The file %q exists.", name), p.Words.T("Replace"), func() { p.write(name, g, true) })
	case err != nil:
		p.Message(err.Error(), "Not written")
	default:
		p.Answer("written: %s", name)
	}
}

// print prints the game.
func (p *Player) print() {
	g := p.Saved()
	if g == nil {
		return
	}
	w := p.Words
	p.Ask(w.T("Print"), w.T("The puzzle is printed on the default printer."), w.T("Print"), func() {
		p.Answer("printing…")
		go func() { // a printer may take its time
			err := export.Print(p.Context, g)
			p.Post(p.Context, func() {
				if err != nil {
					p.Message(err.Error(), "Not printed")
					return
				}
				p.Answer("printed")
			})
		}()
	})
}

// loadFile asks for the name of a file and opens it. It lists the pictures in the folder of that file.
func (p *Player) loadFile() {
	field := &widget.Field{Label: p.Words.T("File:")}
	list := &widget.List{Find: p.Words.T("Find:"), Empty: p.Words.T("There are no pictures in this folder.")}
	var folder string
	field.Changed = func() {
		written, _ := filepath.Split(field.Text)
		if now := cmp.Or(written, "."); now != folder {
			folder, list.Rows, list.At = now, nil, -1
			for _, name := range pictures(folder) {
				list.Rows = append(list.Rows, widget.Row{name})
			}
		}
	}
	field.Changed()
	list.Do = func() { p.openFile(filepath.Join(folder, list.Rows[list.At][0])) }
	p.open(p.Words.T("Open a file"), field,
		&widget.Label{Text: p.Words.T("A saved game, puzzles in any format, or a picture of a puzzle."), Dim: true}, list,
		&widget.Button{Text: p.Words.T("Open"), Do: func() { p.openFile(field.Text) }}, p.cancelButton())
}

// openFile opens the only game of a file or a picture, or lets the player choose one of its puzzles.
func (p *Player) openFile(name string) {
	file, err := export.Open(name)
	if err != nil {
		p.Message(err.Error(), "Not opened")
		return
	}
	header := make([]byte, photo.SignatureSize)
	n, _ := file.ReadAt(header, 0) // a shorter file is not a picture
	if photo.IsPicture(header[:n]) {
		p.openPicture(name, file)
		return
	}
	file.Close()
	games, err := export.Load(name)
	if err != nil {
		p.Message(err.Error(), "Not opened")
		return
	}
	p.PlayFile(name, games)
}
