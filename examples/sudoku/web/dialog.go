package web

import (
	"encoding/json"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// A dialog is a window of the page. The page shows the one that was opened last; it is null
// without one.
type dialog struct {
	ID       int        `json:"id"`
	Title    string     `json:"title"`
	Controls []*control `json:"controls"`

	stays  bool // pressing a button does not close it
	closed func()
}

// A control is a part of a dialog. Kind says which fields it has:
//
//	text     text
//	lines    lines: a page to read
//	choice   label, options, at
//	check    label, on
//	field    label, text, number: only digits
//	list     label (of a field to search), text (if it is empty), rows, at: -1 if none is chosen
//	button   text, main: Enter presses it
type control struct {
	Kind    string   `json:"kind"`
	Label   string   `json:"label,omitempty"`
	Text    string   `json:"text,omitempty"`
	Options []string `json:"options,omitempty"`
	Rows    []row    `json:"rows,omitempty"`
	Lines   []line   `json:"lines,omitempty"`
	At      int      `json:"at"`
	On      bool     `json:"on,omitempty"`
	Number  bool     `json:"number,omitempty"`
	Main    bool     `json:"main,omitempty"`

	do      func()        // of a button or a list: it was pressed
	changed func()        // the value is another one; may be nil
	now     func() string // makes the text, if it is not nil
}

// A row is an entry of a list. Board has the 81 digits of a puzzle, or is empty, and Doubt question
// marks for those that may be wrong.
type row struct {
	Board string   `json:"board,omitempty"`
	Doubt string   `json:"doubt,omitempty"`
	Texts []string `json:"texts"`
}

// A line is one of a page to read.
type line struct {
	Head bool   `json:"head,omitempty"`
	Key  string `json:"key,omitempty"`
	Text string `json:"text,omitempty"`
}

// open opens a dialog.
func (p *player) open(title string, controls ...*control) *dialog {
	p.opened++
	d := &dialog{ID: p.opened, Title: title, Controls: controls}
	p.dialogs = append(p.dialogs, d)
	return d
}

// ask asks whether to do something. All texts are translated.
func (p *player) ask(title, about, yes string, do func()) {
	p.open(title, &control{Kind: "text", Text: about}, mainButton(yes, do), p.cancelButton())
}

// confirm asks in words of the table of translations.
func (p *player) confirm(do func(), title, about, yes words.Key) {
	p.ask(p.words.T(title), p.words.T(about), p.words.T(yes), do)
}

// message opens a dialog that has only a text to read.
func (p *player) message(text string, title words.Key) {
	p.open(p.words.T(title), &control{Kind: "text", Text: text}, mainButton(p.words.T("OK"), nil))
}

func mainButton(text string, do func()) *control {
	return &control{Kind: "button", Text: text, Main: true, do: do}
}

func (p *player) cancelButton() *control { return &control{Kind: "button", Text: p.words.T("Cancel")} }

// topDialog returns the dialog that the page shows, or nil.
func (p *player) topDialog() *dialog {
	if len(p.dialogs) == 0 {
		return nil
	}
	d := p.dialogs[len(p.dialogs)-1]
	for _, c := range d.Controls {
		if c.now != nil {
			c.Text = c.now()
		}
	}
	return d
}

// closeDialog closes a dialog.
func (p *player) closeDialog(d *dialog) {
	for i := range p.dialogs {
		if p.dialogs[i] == d {
			p.dialogs = append(p.dialogs[:i:i], p.dialogs[i+1:]...)
			if d.closed != nil {
				d.closed()
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
		p.closeDialog(d)
		return
	}
	if s.At < 0 || s.At >= len(d.Controls) {
		return
	}
	c := d.Controls[s.At]
	if s.Do == "press" {
		if c.Kind != "button" && c.do == nil {
			return
		}
		if !d.stays {
			p.closeDialog(d)
		}
		if c.do != nil {
			c.do()
		}
		return
	}
	if c.take(s.Value) && c.changed != nil {
		c.changed()
	}
}

// take takes a value of the page, and reports whether it is one for the control.
func (c *control) take(value json.RawMessage) bool {
	var number int
	switch c.Kind {
	case "check":
		return json.Unmarshal(value, &c.On) == nil
	case "field":
		return json.Unmarshal(value, &c.Text) == nil
	case "choice", "list":
		most := max(len(c.Options), len(c.Rows))
		if json.Unmarshal(value, &number) != nil || number < 0 || number >= most {
			return false
		}
		c.At = number
		return true
	}
	return false
}
