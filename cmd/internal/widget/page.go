package widget

import "github.com/gdamore/tcell/v2"

// A Page is a text to read that can be scrolled.
type Page struct {
	Lines []Line

	scroll        int
	height, total int // of the last drawing
}

// A Line is a paragraph of a page, after a key or another term if it has one.
type Line struct {
	Key, Text string
	Head      bool // it is a heading
}

// pageLine is a line as it is on the screen.
type pageLine struct {
	key, text string
	x         int // of the text
	head      bool
}

// minText is the minimum width of texts in the same column.
const minText = 20

// layout breaks the lines. Texts begin in the same column, unless the page is too narrow.
func (p *Page) layout(width int) (lines []pageLine) {
	keys := 0
	for _, line := range p.Lines {
		keys = max(keys, Width(line.Key))
	}
	indent := keys + 2
	narrow := width-indent < minText
	if narrow {
		indent = 2
	}
	for _, line := range p.Lines {
		if line.Key == "" {
			for _, text := range Wrap(line.Text, width) {
				lines = append(lines, pageLine{text: text, head: line.Head})
			}
			continue
		}
		key := line.Key
		if narrow {
			lines = append(lines, pageLine{key: key})
			key = ""
		}
		for _, text := range Wrap(line.Text, width-indent) {
			lines = append(lines, pageLine{key: key, text: text, x: indent})
			key = ""
		}
	}
	return lines
}

func (p *Page) size(width int) (w, h, least int) {
	for _, line := range p.layout(min(width-2, 76)) {
		w = max(w, line.x+max(Width(line.text), minText), Width(line.key))
	}
	h = len(p.layout(width - 2))
	return w + 2, h, min(h, 4)
}

func (p *Page) takesFocus() bool { return true }

func (p *Page) draw(c canvas, _ bool) {
	lines := p.layout(c.w - 2)
	p.height, p.total = c.h, len(lines)
	p.move(0)
	for y := range min(c.h, len(lines)-p.scroll) {
		line := lines[p.scroll+y]
		style := c.look.Text
		if line.head {
			style = c.look.Title
		}
		c.print(0, y, line.key, c.look.Key)
		c.print(line.x, y, line.text, style)
	}
	c.scrolled(p.scroll > 0, p.scroll+c.h < len(lines))
}

func (p *Page) move(by int) { p.scroll = max(min(p.scroll+by, p.total-p.height), 0) }

func (p *Page) key(ev *tcell.EventKey) (outcome, bool) {
	switch {
	case ev.Key() == tcell.KeyUp:
		p.move(-1)
	case ev.Key() == tcell.KeyDown:
		p.move(+1)
	case ev.Key() == tcell.KeyPgUp:
		p.move(-max(p.height-1, 1))
	case ev.Key() == tcell.KeyPgDn, ev.Key() == tcell.KeyRune && ev.Rune() == ' ':
		p.move(+max(p.height-1, 1))
	case ev.Key() == tcell.KeyHome:
		p.move(-p.total)
	case ev.Key() == tcell.KeyEnd:
		p.move(+p.total)
	default:
		return outcome{}, false
	}
	return outcome{}, true
}

func (p *Page) mouse(_, _ int, m Mouse) outcome {
	p.move(3 * m.Wheel)
	return outcome{}
}
