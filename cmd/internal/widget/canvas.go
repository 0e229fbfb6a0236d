package widget

import "github.com/gdamore/tcell/v2"

// A rect is a part of the screen, in its columns and rows.
type rect struct{ x, y, w, h int }

func (r rect) contains(x, y int) bool {
	return r.x <= x && x < r.x+r.w && r.y <= y && y < r.y+r.h
}

func (r rect) intersect(o rect) rect {
	x, y := max(r.x, o.x), max(r.y, o.y)
	return rect{x, y, max(min(r.x+r.w, o.x+o.w)-x, 0), max(min(r.y+r.h, o.y+o.h)-y, 0)}
}

// A canvas is a part of the screen to draw on. Positions are relative to it. Nothing is
// drawn outside it and outside those that it is a part of.
type canvas struct {
	screen tcell.Screen
	look   *Look
	rect
	visible rect
}

func newCanvas(screen tcell.Screen, look *Look) canvas {
	w, h := screen.Size()
	all := rect{0, 0, w, h}
	return canvas{screen, look, all, all}
}

// sub returns a part of the canvas.
func (c canvas) sub(r rect) canvas {
	r.x, r.y = c.x+r.x, c.y+r.y
	r.w, r.h = max(r.w, 0), max(r.h, 0)
	c.rect, c.visible = r, c.visible.intersect(r)
	return c
}

func (c canvas) rune(x, y int, r rune, style tcell.Style) {
	if x, y = c.x+x, c.y+y; c.visible.contains(x, y) {
		c.screen.SetContent(x, y, r, nil, style)
	}
}

// print writes as much of a text as fits, and returns the column after it.
func (c canvas) print(x, y int, text string, style tcell.Style) int {
	text = Cut(printable(text), min(c.w, c.visible.x+c.visible.w-c.x)-x, c.look.glyphs().cut)
	if c.visible.contains(c.x+x, c.y+y) {
		c.screen.PutStrStyled(c.x+x, c.y+y, text, style)
	}
	return x + Width(text)
}

func (c canvas) fill(style tcell.Style) {
	for y := range c.h {
		for x := range c.w {
			c.rune(x, y, ' ', style)
		}
	}
}

// frame draws a frame with a title, and returns what is inside it.
func (c canvas) frame(title string) canvas {
	g, style := c.look.glyphs(), c.look.Frame
	c.fill(c.look.Text)
	for x := range c.w {
		c.rune(x, 0, g.horizontal, style)
		c.rune(x, c.h-1, g.horizontal, style)
	}
	for y := range c.h {
		c.rune(0, y, g.vertical, style)
		c.rune(c.w-1, y, g.vertical, style)
	}
	for i, r := range g.corners {
		c.rune(i%2*(c.w-1), i/2*(c.h-1), r, style)
	}
	if title != "" {
		title = " " + Cut(printable(title), c.w-6, g.cut) + " "
		c.print((c.w-Width(title))/2, 0, title, c.look.Title)
	}
	return c.sub(rect{1, 1, c.w - 2, c.h - 2})
}

// scrolled marks in the last column that there is more above or below.
func (c canvas) scrolled(above, below bool) {
	g := c.look.glyphs()
	if above {
		c.print(c.w-1, 0, g.up, c.look.Dim)
	}
	if below {
		c.print(c.w-1, c.h-1, g.down, c.look.Dim)
	}
}
