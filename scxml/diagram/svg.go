package diagram

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// SVGOptions are options of [Layout.WriteSVG]. The zero value is good.
type SVGOptions struct {
	Theme Theme
	// NoStyle leaves out the style sheet. The page around the picture then has that of [Theme.CSS].
	NoStyle bool
	// Marks colours nodes and edges by their IDs.
	Marks map[string]Mark
	// Link returns where a click on a node leads, or "". It may be nil.
	Link func(*Node) string
	// Movable writes what is in a <g> as if it were at the origin, with a transform that moves it to its
	// place. A page that shows a picture like the one before can then move what is elsewhere.
	Movable bool
}

// WriteSVG writes the picture as SVG. The same layout with the same options gives the same bytes.
//
// The picture of each node is a <g> with the class "node" and the attribute data-state, that of each
// edge one with the class "edge" and data-transition. Their marks are classes too, so that a page
// can change them: [Mark.String].
func (l *Layout) WriteSVG(w io.Writer, opts SVGOptions) error {
	var b bytes.Buffer
	role := "img"
	if opts.Link != nil {
		role = "group" // an image has no links for screen readers
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="%s" aria-label="%s">`+"\n",
		l.Width, l.Height, role, escape(visible(strings.TrimSpace("chart "+l.Diagram.Chart.Name()))))
	if !opts.NoStyle {
		last := Active
		for _, m := range opts.Marks {
			last = max(last, m)
		}
		fmt.Fprintf(&b, "<style>\n%s</style>\n", opts.Theme.css(last))
	}
	fmt.Fprintf(&b, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", l.Width, l.Height)
	for _, g := range l.Groups() {
		link := ""
		if opts.Link != nil && g.Node != nil {
			link = opts.Link(g.Node)
		}
		if link != "" {
			fmt.Fprintf(&b, `<a href="%s">`, escape(link))
		}
		b.WriteString("<g")
		switch {
		case g.Node != nil:
			fmt.Fprintf(&b, ` class="%s" data-state="%s"`, group("node", opts.Marks[g.Node.ID]), escape(g.Node.ID))
		case g.Edge != nil:
			fmt.Fprintf(&b, ` class="%s" data-transition="%s"`, group("transition", opts.Marks[g.Edge.ID]), escape(g.Edge.ID))
		}
		var origin Point
		if opts.Movable && len(g.Shapes) > 0 {
			origin = g.Shapes[0].place()
			fmt.Fprintf(&b, ` transform="translate(%d %d)"`, origin.X, origin.Y)
		}
		b.WriteByte('>')
		if g.Title != "" {
			fmt.Fprintf(&b, "<title>%s</title>", escape(visible(g.Title)))
		}
		b.WriteByte('\n')
		for _, s := range g.Shapes {
			s.from(origin).writeSVG(&b)
		}
		b.WriteString("</g>")
		if link != "" {
			b.WriteString("</a>")
		}
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// group returns the class attribute of a <g>.
func group(class string, m Mark) string { return strings.TrimSpace(class + " " + m.String()) }

func escape(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a builder has no errors
	}
	return strings.ReplaceAll(b.String(), "&#xA;", "\n")
}

// place returns where a shape begins.
func (s Shape) place() Point {
	if len(s.Points) > 0 {
		return s.Points[0]
	}
	return Point{s.Rect.X, s.Rect.Y}
}

// from returns the shape as it is seen from a point.
func (s Shape) from(p Point) Shape {
	s.Rect.X, s.Rect.Y = s.Rect.X-p.X, s.Rect.Y-p.Y
	s.Points = slices.Clone(s.Points)
	for i := range s.Points {
		s.Points[i].X, s.Points[i].Y = s.Points[i].X-p.X, s.Points[i].Y-p.Y
	}
	return s
}

func (s Shape) writeSVG(b *bytes.Buffer) {
	switch s.Kind {
	case Box:
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, s.Class, s.Rect.X, s.Rect.Y, s.Rect.W, s.Rect.H, s.Radius)
	case Circle:
		fmt.Fprintf(b, `<circle class="%s" cx="%g" cy="%g" r="%g"/>`, s.Class, float64(s.Rect.X)+float64(s.Rect.W)/2, float64(s.Rect.Y)+float64(s.Rect.H)/2, float64(s.Rect.W)/2)
	case Stroke:
		fmt.Fprintf(b, `<path class="%s" d="%s"/>`, s.Class, pathData(s.Points))
	case Arrow:
		p := s.Head()
		fmt.Fprintf(b, `<path class="%s" d="M%d %dL%d %dL%d %dZ"/>`, s.Class, p[0].X, p[0].Y, p[1].X, p[1].Y, p[2].X, p[2].Y)
	case Words:
		anchor := ""
		if s.Middle {
			anchor = ` text-anchor="middle"`
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" font-size="%d"%s>`, s.Points[0].X, s.Points[0].Y, s.Size, anchor)
		for _, span := range s.Spans {
			fmt.Fprintf(b, `<tspan class="%s">%s</tspan>`, span.Class, escape(span.Text))
		}
		b.WriteString("</text>")
	}
	b.WriteByte('\n')
}

// cornerRadius is the radius of the corners of lines.
const cornerRadius = 6

// A Corner is a corner of a rounded line: the line leads to From, and a quadratic curve with the
// control point At from there to To.
type Corner struct{ From, At, To Point }

// Corners returns the corners between the first and the last point.
func (s Shape) Corners() []Corner { return corners(s.Points) }

func corners(p []Point) []Corner {
	var all []Corner
	for i := 1; i < len(p)-1; i++ {
		a, c := toward(p[i], p[i-1]), toward(p[i], p[i+1])
		all = append(all, Corner{a, p[i], c})
	}
	return all
}

// toward returns the point on the way from a to b where a corner at a ends.
func toward(a, b Point) Point {
	r := min(cornerRadius, (abs(b.X-a.X)+abs(b.Y-a.Y))/2)
	return Point{a.X + sign(b.X-a.X)*r, a.Y + sign(b.Y-a.Y)*r}
}

func pathData(p []Point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", p[0].X, p[0].Y)
	for _, c := range corners(p) {
		fmt.Fprintf(&b, "L%d %dQ%d %d %d %d", c.From.X, c.From.Y, c.At.X, c.At.Y, c.To.X, c.To.Y)
	}
	last := p[len(p)-1]
	fmt.Fprintf(&b, "L%d %d", last.X, last.Y)
	return b.String()
}

// Head returns the corners of the head of an arrow, its point first.
func (s Shape) Head() [3]Point {
	from, at := s.Points[len(s.Points)-2], s.Points[len(s.Points)-1]
	dx, dy := sign(at.X-from.X), sign(at.Y-from.Y)
	back := Point{at.X - dx*arrowLength, at.Y - dy*arrowLength}
	return [3]Point{at, {back.X - dy*4, back.Y + dx*4}, {back.X + dy*4, back.Y - dx*4}}
}
