package cells

import (
	"image"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

const (
	leastText = 16 // columns at which a text of a tree is wrapped at least
	mostText  = 80 // columns of a text that is not shortened
)

// Tree draws a diagram as a tree. A line is about one thing, so that the trees of two versions of a
// chart can be compared line by line.
func Tree(d *diagram.Diagram, opts Options) *Grid {
	p := newPainter(d, opts)
	p.most = mostText
	p.grid = &Grid{bounds: make(map[*diagram.Node]image.Rectangle)}
	p.tree(d.Root, "", "")
	for _, row := range p.grid.rows {
		p.grid.Width = max(p.grid.Width, widthOf(row))
	}
	return p.grid
}

// tree draws a state after branch, and below it what it does and the states in it after bar.
func (p *painter) tree(n *diagram.Node, branch, bar string) {
	top := len(p.grid.rows)
	put := func(prefix string, line []Span) {
		if prefix != "" {
			line = append([]Span{p.span(n, Border, prefix)}, line...)
		}
		p.grid.rows = append(p.grid.rows, line)
	}
	put(branch, p.title(n))
	below := bar
	if len(n.Children) > 0 {
		below += p.glyphs.bar
	} else if n.Parent != nil {
		below += "   "
	}
	for _, text := range p.texts(n) {
		lines := [][]Span{text}
		if p.Width > 0 {
			lines = wrap(text, max(p.Width-columns(below), leastText))
		}
		for _, line := range lines {
			put(below, line)
		}
	}
	for i, kid := range n.Children {
		branch, inner := p.glyphs.branch, p.glyphs.bar
		if i == len(n.Children)-1 {
			branch, inner = p.glyphs.last, "   "
		}
		if isInitial(kid) {
			_, size := utf8.DecodeRuneInString(branch)
			branch = branch[:size] + p.glyphs.initial + " "
		}
		p.tree(kid, bar+branch, bar+inner)
	}
	right := 0
	for _, row := range p.grid.rows[top:] {
		right = max(right, widthOf(row))
	}
	p.grid.bounds[n] = image.Rect(columns(bar), top, right, len(p.grid.rows))
}
