package widget

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// A Menu is a bar of pull-down menus, or a single one that pops up somewhere.
type Menu struct {
	Parts []Part
	Bar   bool // at the top of the screen, with the titles; otherwise it has one part
	X, Y  int  // where a single one pops up

	at     int // the part that is open
	item   int // its selected item
	scroll int // its first visible item
	titles []rect
	box    rect // the items, without the frame
	opened bool
}

// A Part is a menu of a bar.
type Part struct {
	Title string
	Items []Item
}

// An Item is an entry of a menu. One without a label is a line between others.
type Item struct {
	Label    string
	Key      string // that does the same without a menu
	Checked  bool
	Disabled bool
	Do       func() // called after the menu has been closed
}

func (m *Menu) items() []Item { return m.Parts[m.at].Items }

// open opens a part of the bar.
func (m *Menu) open(part int) {
	m.at = (part + len(m.Parts)) % len(m.Parts)
	m.item, m.scroll = -1, 0
	m.move(+1)
}

// move selects the next item that can be, in a direction.
func (m *Menu) move(by int) {
	items := m.items()
	for range items {
		m.item = (m.item + by + len(items)) % len(items)
		if items[m.item].Label != "" {
			return
		}
	}
}

func (m *Menu) draw(c canvas) {
	if !m.opened {
		m.opened = true
		m.open(m.at)
	}
	x, y := m.X, m.Y
	if m.Bar {
		x, y = m.drawBar(c), 1
	}
	g, items := c.look.glyphs(), m.items()
	marks, labels, keys := 0, 0, 0 // widths
	for _, item := range items {
		labels, keys = max(labels, Width(item.Label)), max(keys, Width(item.Key))
		if item.Checked {
			marks = 2
		}
	}
	if keys > 0 {
		keys += 2
	}
	w, h := min(marks+labels+keys+4, c.w), min(len(items)+2, c.h)
	if m.Bar {
		h = min(h, c.h-y)
	} else {
		y = max(min(y, c.h-h), 0)
	}
	x = max(min(x, c.w-w), 0)
	inside := c.sub(rect{x, y, w, h}).frame("")
	m.box = inside.rect
	m.scroll = max(min(m.scroll, m.item, len(items)-inside.h), m.item-inside.h+1, 0)
	for row := range inside.h {
		i := m.scroll + row
		if i >= len(items) {
			break
		}
		item := items[i]
		if item.Label == "" {
			for x := range inside.w {
				inside.rune(x, row, g.horizontal, c.look.Frame)
			}
			continue
		}
		style, keyStyle := c.look.Text, c.look.Dim
		if item.Disabled {
			style, keyStyle = c.look.Disabled, c.look.Disabled
		}
		if i == m.item {
			style, keyStyle = c.look.Selected, c.look.Selected
			if item.Disabled {
				style = style.Dim(true)
			}
			inside.sub(rect{0, row, inside.w, 1}).fill(style)
		}
		if item.Checked {
			inside.print(1, row, g.check, style)
		}
		room := inside.w - 2 - marks - Width(item.Key)
		if item.Key != "" {
			room--
		}
		inside.print(1+marks, row, Cut(item.Label, room, g.cut), style)
		inside.print(inside.w-1-Width(item.Key), row, item.Key, keyStyle)
	}
	inside.scrolled(m.scroll > 0, m.scroll+inside.h < len(items))
}

// drawBar draws the titles, and returns the column of the one that is open. Titles that
// do not fit are reached by moving to them.
func (m *Menu) drawBar(c canvas) (column int) {
	bar := c.sub(rect{0, 0, c.w, 1})
	bar.fill(c.look.Text)
	gap := 2
	for gap > 1 && m.barWidth(len(m.Parts)-1, gap) > c.w {
		gap--
	}
	first := 0
	for first < m.at && m.barWidth(m.at, gap)-m.barStart(first, gap) > c.w {
		first++
	}
	m.titles = make([]rect, len(m.Parts))
	for i := first; i < len(m.Parts); i++ {
		style := c.look.Text
		if i == m.at {
			style = c.look.Selected
		}
		start := m.barStart(i, gap) - m.barStart(first, gap)
		title := " " + m.Parts[i].Title + " "
		m.titles[i] = rect{start, 0, Width(title), 1}
		bar.print(start, 0, title, style)
		if i == m.at {
			column = start
		}
	}
	return column
}

// barStart returns the column of a title if the bar were long enough, and barWidth where
// it ends.
func (m *Menu) barStart(part, gap int) int {
	x := 0
	for _, p := range m.Parts[:part] {
		x += Width(p.Title) + gap
	}
	return x
}

func (m *Menu) barWidth(part, gap int) int {
	return m.barStart(part, gap) + Width(m.Parts[part].Title) + 2
}

func (m *Menu) key(ev *tcell.EventKey) outcome {
	switch ev.Key() {
	case tcell.KeyEscape, tcell.KeyF10:
		return outcome{close: true}
	case tcell.KeyUp, tcell.KeyBacktab:
		m.move(-1)
	case tcell.KeyDown, tcell.KeyTab:
		m.move(+1)
	case tcell.KeyHome, tcell.KeyPgUp:
		m.item = -1
		m.move(+1)
	case tcell.KeyEnd, tcell.KeyPgDn:
		m.item = 0
		m.move(-1)
	case tcell.KeyLeft:
		m.open(m.at - 1)
	case tcell.KeyRight:
		m.open(m.at + 1)
	case tcell.KeyEnter:
		return m.choose(m.item)
	case tcell.KeyRune:
		if ev.Rune() == ' ' {
			return m.choose(m.item)
		}
		return m.letter(ev.Rune())
	}
	return outcome{}
}

// letter selects the next item that begins with a letter, and chooses it if it is the
// only one.
func (m *Menu) letter(r rune) outcome {
	var found []int
	for i, item := range m.items() {
		if strings.HasPrefix(strings.ToLower(item.Label), string(unicode.ToLower(r))) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return outcome{}
	case 1:
		m.item = found[0]
		return m.choose(m.item)
	}
	next := slices.IndexFunc(found, func(i int) bool { return i > m.item })
	m.item = found[max(next, 0)]
	return outcome{}
}

func (m *Menu) choose(i int) outcome {
	if item := m.items()[i]; item.Label != "" && !item.Disabled {
		return outcome{true, item.Do}
	}
	return outcome{}
}

func (m *Menu) mouse(e Mouse) outcome {
	for i, title := range m.titles {
		if e.Press && title.contains(e.X, e.Y) {
			if i == m.at {
				return outcome{close: true}
			}
			m.open(i)
			return outcome{}
		}
	}
	i := m.scroll + e.Y - m.box.y
	inside := m.box.contains(e.X, e.Y) && i < len(m.items())
	switch {
	case e.Wheel != 0:
		m.move(e.Wheel)
	case e.Press && inside:
		return m.choose(i)
	case e.Press:
		return outcome{close: true}
	case inside && m.items()[i].Label != "":
		m.item = i
	}
	return outcome{}
}

func (m *Menu) paste(string) {}
