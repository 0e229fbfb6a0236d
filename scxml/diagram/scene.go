package diagram

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Group is what a picture shows of one node or edge.
type Group struct {
	Node   *Node // or nil
	Edge   *Edge // or nil
	Title  string
	Shapes []Shape
}

// A ShapeKind is the kind of a [Shape].
type ShapeKind uint8

// The kinds of shapes.
const (
	Box    ShapeKind = iota // a rectangle with rounded corners
	Circle                  // in Rect
	Stroke                  // through Points, with rounded corners
	Arrow                   // the head of an arrow whose last two Points are given
	Words                   // Spans, from Points[0] on the baseline or around it
)

// A Shape is something that a picture consists of.
type Shape struct {
	Kind   ShapeKind
	Class  string // what [Theme.Paint] knows
	Rect   Rect
	Radius int // of corners
	Points []Point
	Spans  []Span
	Size   int  // of text
	Middle bool // Points[0] is the middle of the text
}

// A Span is a text of one style.
type Span struct {
	Class, Text string
	Bold        bool
}

// Groups returns what is drawn, in the order in which it is.
func (l *Layout) Groups() []Group {
	var all []Group
	for _, b := range l.boxes {
		all = append(all, b.draw())
	}
	for _, b := range l.boxes {
		if b.node.Kind == scxml.KindParallel && b.graph != nil {
			all = append(all, Group{Shapes: b.dividers()})
		}
	}
	for i := range l.Routes {
		if r := &l.Routes[i]; len(r.Paths) > 0 {
			all = append(all, r.draw())
		}
	}
	return all
}

func (b *box) draw() Group {
	g := Group{Node: b.node, Title: hover(b.node)}
	r := Rect{b.at.X, b.at.Y, b.size.X, b.size.Y}
	add := func(s ...Shape) { g.Shapes = append(g.Shapes, s...) }
	name := b.title
	switch {
	case b.node.Parent == nil:
		add(words("title", Point{r.X + padding, r.Y + 26}, name, nameSize+2, true))
		g.text(b.rows, r.X+padding, r.Y+nameHeight+12)
		return g
	case b.node.Kind == scxml.KindHistory:
		sign := "H"
		if b.node.Deep {
			sign = "H*"
		}
		add(Shape{Kind: Circle, Class: "box", Rect: r}, Shape{
			Kind: Words, Points: []Point{{r.X + r.W/2, r.Y + r.H/2 + 4}}, Spans: []Span{{"name", sign, true}}, Size: textSize, Middle: true,
		})
		if name != "" {
			add(words("note", Point{r.right() + 5, r.Y + r.H/2 + 4}, name, textSize, false))
		}
		return g
	case b.region:
		add(Shape{Kind: Box, Class: "region", Rect: r, Radius: 6})
	default:
		class := "box"
		if b.graph != nil {
			class = "frame"
		}
		add(Shape{Kind: Box, Class: class, Rect: r, Radius: 8})
	}
	if b.node.Kind == scxml.KindFinal {
		add(Shape{Kind: Box, Class: "inner", Rect: Rect{r.X + 3, r.Y + 3, r.W - 6, r.H - 6}, Radius: 6})
	}
	at := Point{r.X + r.W/2, r.Y + 20}
	inner := b.graph != nil || b.region
	switch {
	case inner:
		at.X = r.X + 12
	case len(b.rows) == 0:
		at.Y = r.Y + r.H/2 + 5
	}
	if b.node.Kind == scxml.KindParallel {
		for i := range 2 {
			x := at.X + 2 + 5*i
			add(Shape{Kind: Stroke, Class: "sign", Points: []Point{{x, at.Y - 10}, {x, at.Y}}})
		}
		at.X += 15
	}
	if name != "" {
		s := words("name", at, name, nameSize, true)
		s.Middle = !inner
		add(s)
	}
	if len(b.rows) > 0 {
		if b.graph == nil && !b.region {
			add(Shape{Kind: Stroke, Class: "rule", Points: []Point{{r.X, r.Y + nameHeight}, {r.right(), r.Y + nameHeight}}})
		}
		g.text(b.rows, r.X+10, r.Y+nameHeight+15)
	}
	return g
}

// dividers returns the lines between the regions of a parallel: above each row of them, below one if
// edges end there, and between those of a row.
func (b *box) dividers() []Shape {
	var all []Shape
	add := func(class string, from, to Point) {
		all = append(all, Shape{Kind: Stroke, Class: class, Points: []Point{from, to}})
	}
	class := "rule"
	for l, layer := range b.graph.layers {
		var row []*box
		below := false
		for _, v := range layer {
			if c := b.graph.vertices[v].box; c != nil && c.region {
				row = append(row, c)
				below = below || c.ends[bottom] > 0
			}
		}
		if len(row) == 0 {
			continue
		}
		y := b.at.Y + b.graph.tops[l]
		end := y + b.graph.heights[l]
		add(class, Point{b.at.X, y}, Point{b.at.X + b.size.X, y})
		class = "divider"
		if below {
			add(class, Point{b.at.X, end}, Point{b.at.X + b.size.X, end})
		}
		if border := b.at.Y + b.size.Y; border-end <= padding {
			end = border
		}
		for i := 1; i < len(row); i++ {
			left, right := row[i-1], row[i]
			x := (left.at.X + left.size.X + left.extra + right.at.X) / 2
			add(class, Point{x, y}, Point{x, end})
		}
	}
	return all
}

func (r *Route) draw() Group {
	g := Group{Edge: r.Edge, Title: r.Edge.Whole()}
	if r.Edge.Kind == Initial {
		at := r.Paths[0][0]
		d := Rect{at.X - dotSize/2, at.Y - dotSize, dotSize, dotSize}
		g.Shapes = append(g.Shapes, Shape{Kind: Circle, Class: "dot", Rect: d})
	}
	for i, p := range r.Paths {
		if len(p) < 2 {
			continue
		}
		if r.Arrows[i] {
			g.Shapes = append(g.Shapes, Shape{Kind: Stroke, Class: "edge", Points: shortened(p)}, Shape{Kind: Arrow, Class: "arrow", Points: p[len(p)-2:]})
		} else {
			g.Shapes = append(g.Shapes, Shape{Kind: Stroke, Class: "edge", Points: p})
		}
	}
	if r.label != nil {
		if len(r.label.rows) == 0 && len(r.Paths) > 1 {
			g.Shapes = append(g.Shapes, Shape{Kind: Circle, Class: "dot", Rect: Rect{r.Label.X - 3, r.Label.Y - 3, 6, 6}})
		}
		for i, row := range r.label.rows {
			at := Point{r.Label.X + r.Label.W/2, r.Label.Y + 12 + i*lineHeight}
			if r.label.loop {
				at.X = r.Label.X
			}
			g.row(row, at, !r.label.loop)
		}
	}
	return g
}

// arrowLength is the length of the head of an arrow.
const arrowLength = 8

// shortened returns a path that ends where the head of its arrow begins.
func shortened(p []Point) []Point {
	p = append([]Point(nil), p...)
	last := &p[len(p)-1]
	from := p[len(p)-2]
	last.X -= sign(last.X-from.X) * min(arrowLength-1, abs(last.X-from.X))
	last.Y -= sign(last.Y-from.Y) * min(arrowLength-1, abs(last.Y-from.Y))
	return p
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

func abs(n int) int { return max(n, -n) }

func words(class string, at Point, text string, size int, bold bool) Shape {
	return Shape{Kind: Words, Points: []Point{at}, Spans: []Span{{class, text, bold}}, Size: size}
}

// text adds rows, the first with its baseline at y.
func (g *Group) text(rows []row, x, y int) {
	for i, r := range rows {
		g.row(r, Point{x, y + i*lineHeight}, false)
	}
}

// row adds a row that begins at a point, or has its middle there.
func (g *Group) row(r row, at Point, middle bool) {
	end := at.X + r.width()
	if middle {
		end -= r.width() / 2
	}
	if r.clock {
		if end -= clockSize; middle {
			at.X -= clockSize / 2
		}
	}
	g.Shapes = append(g.Shapes, Shape{Kind: Words, Points: []Point{at}, Spans: r.spans, Size: textSize, Middle: middle})
	if r.clock {
		c := Point{end + 8, at.Y - 4}
		g.Shapes = append(g.Shapes,
			Shape{Kind: Circle, Class: "clock", Rect: Rect{c.X - 4, c.Y - 4, 9, 9}},
			Shape{Kind: Stroke, Class: "sign", Points: []Point{{c.X, c.Y - 2}, {c.X, c.Y}, {c.X + 2, c.Y}}})
	}
}

// hover returns what is shown when the pointer rests on a state.
func hover(n *Node) string {
	words := map[LineKind]string{Entry: "entry / ", Exit: "exit / "}
	all := []string{n.Kind.String() + " " + n.ID}
	for _, l := range n.Lines {
		all = append(all, words[l.Kind]+indent(l.Whole))
	}
	for _, e := range n.Edges {
		if len(e.Targets) == 0 {
			all = append(all, e.Whole())
		}
	}
	return strings.Join(all, "\n")
}
