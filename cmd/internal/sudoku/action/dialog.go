package action

import "github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"

// A Dialog is a window with controls below each other. A front end shows it as it likes; that of the
// page gets it as JSON.
type Dialog struct {
	ID       int        `json:"id"` // for the front end
	Title    string     `json:"title"`
	Controls []*Control `json:"controls"`

	Closed func() `json:"-"` // called after it was closed; may be nil
}

// A Control is a part of a dialog. Its kind says which fields it has. All texts are translated.
type Control struct {
	Kind    Kind     `json:"kind"`
	Label   string   `json:"label,omitempty"`
	Text    string   `json:"text,omitempty"`
	Options []string `json:"options,omitempty"`
	Rows    []Row    `json:"rows,omitempty"`
	Lines   []Line   `json:"lines,omitempty"`
	At      int      `json:"at"`
	On      bool     `json:"on,omitempty"`
	Max     int      `json:"max,omitempty"`
	Number  bool     `json:"number,omitempty"`
	Main    bool     `json:"main,omitempty"`
	Dim     bool     `json:"dim,omitempty"`
	Link    bool     `json:"link,omitempty"` // of a text: it is an address, and Label says what is there
	Board   *Read    `json:"board,omitempty"`
	Off     bool     `json:"off,omitempty"` // it does not count now, see Live

	Do      func()        `json:"-"` // of a button or a list: called after it was pressed and the dialog closed
	Changed func()        `json:"-"` // called after the player has changed it; may be nil
	Now     func() string `json:"-"` // returns the text instead, if it is not nil
	Live    func() bool   `json:"-"` // of a choice or a field: whether it counts; nil: always
}

// A Kind is the kind of a control.
type Kind string

// The kinds of controls.
const (
	Text   Kind = "text"   // Text or Now, Dim: it is less important, Link with Label
	Lines  Kind = "lines"  // Lines: a page to read
	Choice Kind = "choice" // Label, Options, At
	Check  Kind = "check"  // Label, On
	Field  Kind = "field"  // Label, Text, Max characters (0: any number), Number: only digits
	List   Kind = "list"   // Label of a field to search, Text if it is empty, Rows, At: -1 if none is chosen, Do
	Button Kind = "button" // Text, Main: Enter presses it, Do
	Board  Kind = "board"  // Board, Options: the texts of buttons (next doubt, handwritten, empty)
)

// A Row is an entry of a list. Board has the 81 digits of a puzzle, or is empty.
type Row struct {
	Board string   `json:"board,omitempty"`
	Texts []string `json:"texts"`
}

// A Line is one of a page to read.
type Line struct {
	Head bool   `json:"head,omitempty"`
	Key  string `json:"key,omitempty"`
	Text string `json:"text,omitempty"`

	Count bool `json:"count,omitempty"` // Text is a value of what Key names
}

// Ask asks whether to do something. All texts are translated.
func (h *Hand) Ask(title, about, yes string, do func()) {
	h.OpenWith(title, &Control{Kind: Text, Text: about}, MainButton(yes, do), h.Cancel())
}

// confirm asks in words of the table of translations.
func (h *Hand) confirm(do func(), title, about, yes words.Key) {
	h.Ask(h.Words.T(title), h.Words.T(about), h.Words.T(yes), do)
}

// Message opens a dialog that has only a text to read.
func (h *Hand) Message(text string, title words.Key) {
	h.OpenWith(h.Words.T(title), &Control{Kind: Text, Text: text}, h.ok())
}

// OpenWith opens a dialog with some controls.
func (h *Hand) OpenWith(title string, controls ...*Control) *Dialog {
	d := &Dialog{Title: title, Controls: controls}
	h.Front.Open(d)
	return d
}

// MainButton returns the button that Enter presses.
func MainButton(text string, do func()) *Control {
	return &Control{Kind: Button, Text: text, Main: true, Do: do}
}

func (h *Hand) ok() *Control { return MainButton(h.Words.T("OK"), nil) }

// Cancel returns a button that does nothing.
func (h *Hand) Cancel() *Control { return &Control{Kind: Button, Text: h.Words.T("Cancel")} }
