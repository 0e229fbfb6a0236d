package widget

import (
	"slices"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// A Field is a line of text that the player writes.
type Field struct {
	Label   string // before the text
	Text    string
	Max     int             // characters; 0: 200
	Accepts func(rune) bool // which characters; nil: all that can be printed
	Off     bool            // only the label is visible
	Changed func()          // called after a change; may be nil
	Options []string        // texts that PgUp and PgDn write
	Replace bool            // the first character that is written replaces the text

	cursor int // characters before it
	opened bool
}

func (f *Field) open() {
	if !f.opened {
		f.opened, f.cursor = true, len([]rune(f.Text))
	}
	f.cursor = min(f.cursor, len([]rune(f.Text)))
}

func (f *Field) max() int {
	if f.Max > 0 {
		return f.Max
	}
	return 200
}

func (f *Field) label() int {
	if f.Label == "" {
		return 0
	}
	return Width(f.Label) + 1
}

func (f *Field) size(int) (w, h, least int) { return f.label() + min(f.max(), 40) + 1, 1, 1 }

func (f *Field) takesFocus() bool { return !f.Off }

func (f *Field) draw(c canvas, focused bool) {
	if f.Off {
		c.print(0, 0, f.Label, c.look.Dim)
		return
	}
	f.open()
	x := 0
	if f.Label != "" {
		x = c.print(0, 0, f.Label, c.look.Text) + 1
	}
	box := c.sub(rect{x, 0, c.w - x, 1})
	style := c.look.Field
	box.fill(style)
	text := []rune(f.Text)
	first := 0 // visible character
	for first < f.cursor && Width(string(text[first:f.cursor])) >= box.w {
		first++
	}
	box.print(0, 0, string(text[first:]), style)
	if focused {
		at := Width(string(text[first:f.cursor]))
		r := ' '
		if f.cursor < len(text) {
			r = text[f.cursor]
		}
		box.rune(at, 0, r, c.look.Selected)
		if box.visible.contains(box.x+at, box.y) {
			c.screen.ShowCursor(box.x+at, box.y)
		}
	}
}

// insert writes characters at the cursor.
func (f *Field) insert(text string) {
	f.open()
	if f.Replace {
		f.Replace, f.cursor = false, 0
		f.Text = ""
	}
	now := []rune(f.Text)
	for _, r := range text {
		if unicode.IsPrint(r) && (f.Accepts == nil || f.Accepts(r)) && len(now) < f.max() {
			now = append(now[:f.cursor:f.cursor], append([]rune{r}, now[f.cursor:]...)...)
			f.cursor++
		}
	}
	f.set(now)
}

func (f *Field) set(text []rune) {
	if string(text) == f.Text {
		return
	}
	f.Text = string(text)
	if f.Changed != nil {
		f.Changed()
	}
}

func (f *Field) key(ev *tcell.EventKey) (outcome, bool) {
	f.open()
	f.Replace = f.Replace && ev.Key() == tcell.KeyRune
	text := []rune(f.Text)
	switch ev.Key() {
	case tcell.KeyLeft:
		f.cursor = max(f.cursor-1, 0)
	case tcell.KeyRight:
		f.cursor = min(f.cursor+1, len(text))
	case tcell.KeyHome, tcell.KeyCtrlA:
		f.cursor = 0
	case tcell.KeyEnd, tcell.KeyCtrlE:
		f.cursor = len(text)
	case tcell.KeyBackspace:
		if f.cursor > 0 {
			f.cursor--
			f.set(append(text[:f.cursor:f.cursor], text[f.cursor+1:]...))
		}
	case tcell.KeyDelete:
		if f.cursor < len(text) {
			f.set(append(text[:f.cursor:f.cursor], text[f.cursor+1:]...))
		}
	case tcell.KeyPgUp, tcell.KeyPgDn:
		n := len(f.Options)
		if n == 0 {
			return outcome{}, false
		}
		by := 1
		if ev.Key() == tcell.KeyPgUp {
			by = n - 1
		}
		at := slices.Index(f.Options, f.Text)
		if at < 0 && by > 1 {
			at = 0
		}
		text := []rune(f.Options[(at+by)%n])
		f.cursor = len(text)
		f.set(text)
	case tcell.KeyCtrlU:
		f.cursor = 0
		f.set(nil)
	case tcell.KeyRune:
		if ev.Modifiers()&(tcell.ModAlt|tcell.ModCtrl) != 0 {
			return outcome{}, false
		}
		f.insert(string(ev.Rune()))
	default:
		return outcome{}, false
	}
	return outcome{}, true
}

func (f *Field) mouse(x, _ int, m Mouse) outcome {
	if m.Press {
		f.cursor = max(min(x-f.label(), len([]rune(f.Text))), 0)
	}
	return outcome{}
}
