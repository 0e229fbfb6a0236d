package diagram

import (
	"cmp"
	"context"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// A box is a node while it is laid out. Its contents are a graph of their own.
type box struct {
	node     *Node
	parent   *box
	children []*box // their vertices have the same indices
	vertex   int    // in the graph of the parent
	region   bool   // of a parallel
	graph    *graph // nil without children
	title    string
	rows     []row
	loops    []*label // of transitions to itself
	ends     [2]int   // the number of arcs that end at its border from outside, by side

	head  Point // width and height of its name and rows
	size  Point // of the box itself
	extra int   // the width of its loops, to the right of it
	at    Point // its upper left corner in the picture
}

// A side is where an arc ends at the border of a box.
type side uint8

const (
	top side = iota
	bottom
)

// A vertexKind is the kind of a vertex.
type vertexKind uint8

const (
	child     vertexKind = iota
	dot                  // where an initial transition begins
	inscribed            // a label; an empty one joins arcs
	gate                 // a port of the container, in the first or last layer
	header               // the name of the container, in the first layer
	dummy                // where a long arc passes a layer
)

// A vertex is something in a container that has a place in a layer.
type vertex struct {
	kind  vertexKind
	box   *box   // of a child
	label *label // of an inscribed
	port  *port  // of a gate

	layer, pos  int
	x           int // of its anchor, where arcs go through
	left, right int // what it takes besides the anchor
	y, h        int
}

// A port is where an edge crosses the border of a container, or begins or ends there from within.
type port struct {
	box    *box
	side   side
	vertex int  // in the graph of the box
	hook   bool // the edge begins or ends at the outside of the border, around which it goes
}

// An end of an arc is at a vertex. If that is a child it is at the child's border, or at one of its ports.
type end struct {
	vertex int
	port   *port
	dx     int // from the anchor
}

// An arc is the part of an edge between two vertices of a container.
type arc struct {
	from, to end
	up       bool   // it leads to a layer above
	links    []link // from the upper end to the lower one
}

// A link is the part of an arc between two adjacent layers.
type link struct {
	upper, lower end
	track        int // its horizontal part, from above; -1 if it is straight
}

// A graph is the contents of a container.
type graph struct {
	vertices []vertex
	arcs     []*arc
	layers   [][]int
	heights  []int // of the layers
	tops     []int // of the layers, and of what comes after the last
	channels [][]*link
}

func (g *graph) add(v vertex) int {
	g.vertices = append(g.vertices, v)
	return len(g.vertices) - 1
}

func (g *graph) connect(from, to end) *arc {
	a := &arc{from: from, to: to}
	g.arcs = append(g.arcs, a)
	return a
}

// A label is the text of an edge, and while it is laid out the place where it has several targets.
type label struct {
	edge *Edge
	rows []row
	w, h int
	at   Point
	loop bool
}

func newLabel(e *Edge) *label {
	l := &label{edge: e, rows: labelRows(e)}
	if len(l.rows) > 0 {
		l.w, l.h = stepped(widest(l.rows)+8), len(l.rows)*lineHeight+2
	}
	return l
}

// A path is a part of an edge: a sequence of arcs in several containers.
type path struct {
	edge  *Edge
	parts []part
	arrow bool // it ends at a target
}

type part struct {
	box *box // whose graph has the arc
	arc *arc
}

// A plan is a layout that is being made.
type plan struct {
	boxes  []*box
	paths  []*path
	labels []*label
	ports  int // of climb, so far
}

// newPlan returns the boxes of a diagram with their graphs.
func newPlan(ctx context.Context, d *Diagram, most bounds) (*plan, error) {
	p := new(plan)
	for _, n := range d.Nodes {
		b := &box{node: n, title: n.ID, rows: stateRows(n)}
		if n.Kind == scxml.KindHistory {
			b.title = n.State.ID()
		}
		if n.Parent == nil {
			b.title = d.Chart.Name()
		}
		b.title = visible(short.Text(b.title, maxName))
		if n.Parent != nil {
			b.parent = p.boxes[n.Parent.Index]
			b.parent.children = append(b.parent.children, b)
			b.region = n.Parent.Kind == scxml.KindParallel && n.Kind != scxml.KindHistory
			b.vertex = b.parent.graph.add(vertex{kind: child, box: b})
		}
		if len(n.Children) > 0 {
			b.graph = new(graph)
		}
		p.boxes = append(p.boxes, b)
	}
	for _, e := range d.Edges {
		p.connect(e)
		if err := cmp.Or(ctx.Err(), tooLarge(p.ports, most.crossed, placesCrossed)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// connect adds the arcs of an edge to all containers that it passes: from the source outwards to the
// innermost container with the source and all targets, to its label there, and inwards to the targets.
func (p *plan) connect(e *Edge) {
	source := p.boxes[e.Source.Index]
	switch {
	case len(e.Targets) == 0:
		return
	case len(e.Targets) == 1 && e.Targets[0] == e.Source:
		source.loops = append(source.loops, newLabel(e))
		return
	}
	home := e.Source
	for slices.ContainsFunc(e.Targets, func(n *Node) bool { return !n.Within(home) }) {
		home = home.Parent
	}
	in := p.boxes[home.Index]
	g := in.graph
	way := &path{edge: e}
	var from end
	switch {
	case e.Kind == Initial:
		from.vertex = g.add(vertex{kind: dot, left: dotSize / 2, right: dotSize / 2, h: dotSize})
	case source == in:
		from.vertex = in.newPort(top, !e.StaysInside()).vertex
	default:
		from = p.climb(source, in, func(b *box, inner end, gate int) {
			way.parts = append(way.parts, part{b, b.graph.connect(inner, end{vertex: gate})})
		})
	}
	l := newLabel(e)
	split := len(l.rows) > 0 || len(e.Targets) > 1 || home.Kind == scxml.KindParallel
	if split {
		at := end{vertex: g.add(vertex{kind: inscribed, label: l, left: l.w / 2, right: l.w - l.w/2, h: l.h})}
		way.parts = append(way.parts, part{in, g.connect(from, at)})
		p.paths = append(p.paths, way)
		p.labels = append(p.labels, l)
		from = at
	}
	for _, n := range e.Targets {
		target := p.boxes[n.Index]
		var inwards []part
		var to end
		if target == in {
			to.vertex = in.newPort(bottom, true).vertex
		} else {
			to = p.climb(target, in, func(b *box, inner end, gate int) {
				inwards = append(inwards, part{b, b.graph.connect(end{vertex: gate}, inner)})
			})
		}
		if split {
			way = &path{edge: e}
		}
		way.parts = append(way.parts, part{in, g.connect(from, to)})
		slices.Reverse(inwards)
		way.parts = append(way.parts, inwards...)
		way.arrow = true
		p.paths = append(p.paths, way)
	}
}

// climb calls f for each container from that of b outwards to one in the container in, with the end
// at the child and the vertex of a new port. It returns the end at the child of in.
func (p *plan) climb(b, in *box, f func(b *box, inner end, gate int)) end {
	e := end{vertex: b.vertex}
	for b = b.parent; b != in; b = b.parent {
		p.ports++
		port := b.newPort(top, false)
		f(b, e, port.vertex)
		e = end{vertex: b.vertex, port: port}
	}
	return e
}

func (b *box) newPort(s side, hook bool) *port {
	p := &port{box: b, side: s, hook: hook}
	v := vertex{kind: gate, port: p}
	if hook {
		v.left = 2 * hookSize
	}
	p.vertex = b.graph.add(v)
	return p
}
