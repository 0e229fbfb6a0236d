package cells

import (
	"fmt"
	"image"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// Measures of boxes, in columns.
const (
	defaultWidth = 80
	frame        = 4  // of a box: its left and right border, and a space next to each
	leastBox     = 16 // of a box in which others have room
	markWidth    = 2  // of a mark
)

// textWidths are the columns at which texts are wrapped, unless the boxes below them are wider. A narrower
// one counts if it saves a tenth of the rows, since more boxes are then next to each other.
var textWidths = []int{40, 34, 28, 22}

// A box is a state with all that is in it.
type box struct {
	node *diagram.Node
	kids []*box

	title []Span
	lines [][]Span

	hidden int // states in it for which there is no room

	x, y, w, h int // within the parent box; the borders included
}

// Boxes draws a diagram as boxes in boxes. Boxes are next to each other where there is room, in document
// order; those of the regions of a parallel state have dashed borders. Where there is no room for the
// states in a box, it has their number.
func Boxes(d *diagram.Diagram, opts Options) *Grid {
	if opts.Width <= 0 {
		opts.Width = defaultWidth
	}
	p := newPainter(d, opts)
	var b *box
	for _, w := range textWidths {
		p.textWidth = w
		if c := p.measure(d.Root, max(opts.Width, leastBox)); b == nil || c.h < b.h*9/10 {
			b = c
		}
	}
	p.grid = &Grid{Width: b.w, rows: make([][]Span, b.h), bounds: make(map[*diagram.Node]image.Rectangle)}
	b.stretch()
	p.paint(b, 0, 0)
	return p.grid
}

// measure decides about the size of a box of at most so many columns, and where the boxes in it are.
func (p *painter) measure(n *diagram.Node, width int) *box {
	b := &box{node: n, title: p.title(n)}
	inner := width - frame
	texts := p.texts(n)
	gap := 1
	if n.Kind == scxml.KindParallel {
		gap = 0
	}
	wide, below := 0, 0
	if len(n.Children) > 0 && inner < leastBox {
		b.hidden = hidden(n)
		texts = append(texts, []Span{p.span(n, Note, fmt.Sprintf("… %d states", b.hidden))})
	} else {
		x, y := 0, 0
		for _, child := range n.Children {
			kid := p.measure(child, inner)
			if x > 0 && x+kid.w > inner {
				x, y = 0, below
			}
			kid.x, kid.y = x, y
			x += kid.w + gap
			wide, below = max(wide, kid.x+kid.w), max(below, kid.y+kid.h)
			b.kids = append(b.kids, kid)
		}
	}
	for _, text := range texts {
		for _, line := range wrap(text, min(inner, max(wide, p.textWidth))) {
			b.lines = append(b.lines, line)
			wide = max(wide, widthOf(line))
		}
	}
	title := widthOf(b.title) + 1
	if p.Steady && p.mark(n) == nil {
		title += markWidth
	}
	wide = max(wide, min(inner, title))
	b.w, b.h = wide+frame, 2+len(b.lines)+below
	return b
}

// hidden counts the states in a state, which are not shown.
func hidden(n *diagram.Node) int {
	count := len(n.Children)
	for _, child := range n.Children {
		count += hidden(child)
	}
	return count
}

// stretch gives the regions of parallel states all the room that there is.
func (b *box) stretch() {
	if b.node.Kind == scxml.KindParallel {
		bottom := b.h - 2 - len(b.lines)
		for i := len(b.kids) - 1; i >= 0; i-- {
			kid := b.kids[i]
			if i == len(b.kids)-1 || b.kids[i+1].y > kid.y { // the last one of a row
				kid.w = b.w - frame - kid.x
				if i < len(b.kids)-1 {
					bottom = b.kids[i+1].y
				}
			}
			kid.h = bottom - kid.y
		}
	}
	for _, kid := range b.kids {
		kid.stretch()
	}
}

// paint draws a box with its left upper corner at x and y. Boxes are drawn from left to right, so that
// rows grow at their ends.
func (p *painter) paint(b *box, x, y int) {
	n := b.node
	p.grid.bounds[n] = image.Rect(x, y, x+b.w, y+b.h)
	p.grid.Hidden += b.hidden
	g := p.border(n)
	line := func(row int, text string) {
		p.pad(row, x, n.Parent)
		p.put(row, Span{Text: text, Width: columns(text), Kind: Border, Node: n})
	}
	first := g[4]
	if isInitial(n) {
		first = p.glyphs.initial
	}
	line(y, g[0]+first+" ")
	for _, s := range p.fit(b.title, b.w-frame-1) {
		p.put(y, s)
	}
	p.put(y, p.span(n, Border, " "))
	p.put(y, p.span(n, Border, strings.Repeat(g[4], x+b.w-1-widthOf(p.grid.rows[y]))+g[1]))
	for i := 1; i < b.h-1; i++ {
		line(y+i, g[5])
		p.pad(y+i, x+frame/2, n)
		if i <= len(b.lines) {
			for _, s := range b.lines[i-1] {
				p.put(y+i, s)
			}
		}
	}
	line(y+b.h-1, g[2]+strings.Repeat(g[4], b.w-2)+g[3])
	for _, kid := range b.kids {
		p.paint(kid, x+frame/2+kid.x, y+1+len(b.lines)+kid.y)
	}
	for i := 1; i < b.h-1; i++ {
		p.pad(y+i, x+b.w-1, n)
		p.put(y+i, Span{Text: g[5], Width: 1, Kind: Border, Node: n})
	}
}

func (p *painter) border(n *diagram.Node) [6]string {
	lit := p.active(n)
	region := n.Parent != nil && n.Parent.Kind == scxml.KindParallel
	switch {
	case n.Kind == scxml.KindFinal && lit:
		return p.glyphs.litFinal
	case n.Kind == scxml.KindFinal:
		return p.glyphs.final
	case region && lit:
		return p.glyphs.litRegion
	case region:
		return p.glyphs.region
	case lit:
		return p.glyphs.lit
	}
	return p.glyphs.plain
}

// put adds a span to a row.
func (p *painter) put(row int, s Span) {
	if s.Text != "" {
		p.grid.rows[row] = append(p.grid.rows[row], s)
	}
}

// pad adds space to a row, up to column x, which belongs to n.
func (p *painter) pad(row, x int, n *diagram.Node) {
	p.put(row, Span{Text: strings.Repeat(" ", max(x-widthOf(p.grid.rows[row]), 0)), Width: x - widthOf(p.grid.rows[row]), Node: n})
}

// fit shortens a line to at most n columns.
func (p *painter) fit(line []Span, n int) []Span {
	if widthOf(line) <= n {
		return line
	}
	var all []Span
	n -= columns(p.glyphs.ellipsis)
	for _, s := range line {
		s.Text, _ = cut(s.Text, n)
		s.Width = columns(s.Text)
		n -= s.Width
		all = append(all, s)
		if n <= 0 {
			break
		}
	}
	return append(all, p.span(line[0].Node, Note, p.glyphs.ellipsis))
}
