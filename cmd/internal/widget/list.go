package widget

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// A List has rows of which one is selected. Typing shows only those that contain what was
// typed.
type List struct {
	Rows   []Row
	At     int    // index of the selected row; -1: none
	Empty  string // shown if there are no rows
	Find   string // shown before what was typed
	Do     func() // called after Enter or a click on the selected row has closed the dialog
	Moved  func() // called after another row was selected; may be nil
	Delete func() // called for the key Delete; may be nil

	typed  string
	shown  []int // the rows that contain it
	scroll int
	height int // of the last drawing
}

// A Row is an entry of a list. Its texts are the columns; the last ones are left out where
// the screen is too narrow.
type Row []string

// filter computes which rows are shown, and keeps a row selected.
func (l *List) filter() {
	l.shown = l.shown[:0]
	for i, row := range l.Rows {
		if text := strings.ToLower(strings.Join(row, " ")); l.typed == "" || strings.Contains(text, strings.ToLower(l.typed)) {
			l.shown = append(l.shown, i)
		}
	}
	if !slices.Contains(l.shown, l.At) {
		l.At = -1
		if len(l.shown) > 0 {
			l.At = l.shown[0]
		}
		l.moved()
	}
}

func (l *List) moved() {
	if l.Moved != nil {
		l.Moved()
	}
}

// columns returns the widths of those columns that fit.
func (l *List) columns(width int) (columns []int) {
	used := 0
	for i := 0; ; i++ {
		w := -1
		for _, row := range l.Rows {
			if i < len(row) {
				w = max(w, Width(row[i]))
			}
		}
		if i > 0 {
			used += 2
		}
		if w < 0 || i > 0 && used+w > width {
			return columns
		}
		columns = append(columns, min(w, width))
		used += w
	}
}

func (l *List) size(width int) (w, h, least int) {
	for i, column := range l.columns(width - 1) {
		if i > 0 {
			w += 2
		}
		w += column
	}
	return max(w+1, Width(l.Empty), Width(l.Find)+12), max(len(l.Rows), 1) + 1, 4
}

func (l *List) takesFocus() bool { return true }

func (l *List) draw(c canvas, focused bool) {
	l.filter()
	if l.typed != "" {
		x := c.print(0, 0, l.Find, c.look.Dim)
		if l.Find != "" {
			x++
		}
		x = c.print(x, 0, l.typed, c.look.Field)
		if focused {
			c.screen.ShowCursor(c.x+x, c.y)
		}
	} else {
		c.print(0, 0, l.Find, c.look.Dim)
	}
	body := c.sub(rect{0, 1, c.w, c.h - 1})
	if len(l.shown) == 0 {
		body.print(0, 0, l.Empty, c.look.Dim)
		return
	}
	l.height = body.h
	at := max(slices.Index(l.shown, l.At), 0)
	l.scroll = max(min(l.scroll, at, len(l.shown)-body.h), at-body.h+1, 0)
	columns := l.columns(body.w - 1)
	for y := range min(body.h, len(l.shown)-l.scroll) {
		i := l.shown[l.scroll+y]
		style, other := c.look.Text, c.look.Dim
		if i == l.At {
			style, other = c.look.Field, c.look.Field
			if focused {
				style, other = c.look.Selected, c.look.Selected
			}
			body.sub(rect{0, y, body.w - 1, 1}).fill(style)
		}
		x := 0
		for j, column := range columns {
			if j < len(l.Rows[i]) {
				body.print(x, y, Cut(l.Rows[i][j], column, c.look.glyphs().cut), style)
			}
			x, style = x+column+2, other
		}
	}
	body.scrolled(l.scroll > 0, l.scroll+body.h < len(l.shown))
}

func (l *List) move(by int) {
	if l.filter(); len(l.shown) == 0 {
		return
	}
	at := max(slices.Index(l.shown, l.At), 0)
	to := l.shown[max(min(at+by, len(l.shown)-1), 0)]
	if to != l.At {
		l.At = to
		l.moved()
	}
}

func (l *List) choose() outcome {
	if l.At < 0 || l.Do == nil {
		return outcome{}
	}
	return outcome{true, l.Do}
}

func (l *List) key(ev *tcell.EventKey) (outcome, bool) {
	switch ev.Key() {
	case tcell.KeyUp:
		l.move(-1)
	case tcell.KeyDown:
		l.move(+1)
	case tcell.KeyPgUp:
		l.move(-max(l.height-1, 1))
	case tcell.KeyPgDn:
		l.move(+max(l.height-1, 1))
	case tcell.KeyHome:
		l.move(-len(l.Rows))
	case tcell.KeyEnd:
		l.move(+len(l.Rows))
	case tcell.KeyEnter:
		if l.At < 0 || l.Do == nil {
			return outcome{}, false
		}
		return l.choose(), true
	case tcell.KeyEscape:
		if l.typed == "" {
			return outcome{}, false
		}
		l.typed = ""
	case tcell.KeyBackspace:
		if text := []rune(l.typed); len(text) > 0 {
			l.typed = string(text[:len(text)-1])
		}
	case tcell.KeyDelete:
		if l.Delete == nil || l.At < 0 {
			return outcome{}, false
		}
		return outcome{do: l.Delete}, true
	case tcell.KeyRune:
		if !unicode.IsPrint(ev.Rune()) || ev.Modifiers()&(tcell.ModAlt|tcell.ModCtrl) != 0 {
			return outcome{}, false
		}
		l.typed += string(ev.Rune())
		l.filter()
	default:
		return outcome{}, false
	}
	return outcome{}, true
}

func (l *List) mouse(_, y int, m Mouse) outcome {
	i := l.scroll + y - 1
	switch {
	case m.Wheel != 0:
		l.move(m.Wheel)
	case m.Press && 1 <= y && i < len(l.shown):
		if l.shown[i] == l.At {
			return l.choose()
		}
		l.At = l.shown[i]
		l.moved()
	}
	return outcome{}
}
