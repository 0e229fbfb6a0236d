package web

import (
	"encoding/json"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
)

// The page shows the dialog that was opened last; it is null without one. The fields are those of
// [action.Dialog].

// Open opens a dialog.
func (p *player) Open(d *action.Dialog) {
	p.opened++
	d.ID = p.opened
	p.dialogs = append(p.dialogs, d)
}

// topDialog returns the dialog that the page shows, or nil.
func (p *player) topDialog() *action.Dialog {
	if len(p.dialogs) == 0 {
		return nil
	}
	d := p.dialogs[len(p.dialogs)-1]
	for _, c := range d.Controls {
		if c.Now != nil {
			c.Text = c.Now()
		}
		c.Off = c.Live != nil && !c.Live()
	}
	return d
}

// Close closes a dialog if it is open.
func (p *player) Close(d *action.Dialog) {
	for i := range p.dialogs {
		if p.dialogs[i] == d {
			p.dialogs = append(p.dialogs[:i:i], p.dialogs[i+1:]...)
			if d.Closed != nil {
				d.Closed()
			}
			return
		}
	}
}

// dialogSaid carries out what the page says of a dialog. One that is not on top any more does
// nothing: the player was faster than the page.
func (p *player) dialogSaid(s *said) {
	d := p.topDialog()
	if d == nil || d.ID != s.Dialog {
		return
	}
	if s.Do == "close" {
		p.Close(d)
		return
	}
	if s.At < 0 || s.At >= len(d.Controls) {
		p.refuse("control %d of %d", s.At, len(d.Controls))
		return
	}
	c := d.Controls[s.At]
	if s.Do == "press" {
		if c.Kind != action.Button && c.Do == nil {
			return
		}
		p.Close(d)
		if c.Do != nil {
			c.Do()
		}
		return
	}
	switch {
	case !take(c, s.Value):
		p.refuse("value %.100s of control %d, a %s", s.Value, s.At, c.Kind)
	case c.Changed != nil:
		c.Changed()
	}
}

// take takes a value of the page, and reports whether it is one for the control.
func take(c *action.Control, value json.RawMessage) bool {
	var number int
	switch c.Kind {
	case action.Check:
		return json.Unmarshal(value, &c.On) == nil
	case action.Field:
		return json.Unmarshal(value, &c.Text) == nil
	case action.Choice, action.List:
		least, most := 0, len(c.Options)
		if c.Kind == action.List {
			least, most = -1, len(c.Rows)
		}
		if json.Unmarshal(value, &number) != nil || number < least || number >= most {
			return false
		}
		c.At = number
		return true
	case action.Board:
		var correction struct {
			Cell    int
			Digit   int
			Written *bool
		}
		if read(value, &correction) != nil || correction.Cell < 0 || correction.Cell > 80 || correction.Digit < 0 || correction.Digit > 9 {
			return false
		}
		row, col := correction.Cell/9, correction.Cell%9
		if correction.Written == nil {
			c.Board.Set(row, col, correction.Digit)
		} else {
			c.Board.Written[row][col] = *correction.Written && c.Board.Digits[row][col] > 0
		}
		return true
	}
	return false
}
