package diagram

import (
	"cmp"
	"context"
)

// A Layout is where everything is in the picture of a [Diagram]. It is shared and must not be modified.
type Layout struct {
	Diagram *Diagram
	Width   int // of the picture
	Height  int
	Boxes   []Rect  // of the nodes, by Node.Index
	Routes  []Route // of the edges, by Edge.Index

	boxes []*box
}

// A Route is the way of an edge through the picture. It is empty for a targetless transition, which
// the box of its source shows.
type Route struct {
	Edge   *Edge
	Label  Rect      // its text; empty if it has none
	Paths  [][]Point // polylines of horizontal and vertical lines
	Arrows []bool    // by path: whether it ends at a target

	label *label
}

// Layout places the nodes and edges. It fails with a [*TooLargeError] before it begins if it would take long
// and nobody could read the picture: draw a [Diagram.Part]. It also ends when the context is done, with
// the error of that.
func (d *Diagram) Layout(ctx context.Context) (*Layout, error) { return d.layout(ctx, defaultBounds) }

// plan returns what a layout begins with, or a [*TooLargeError].
func (d *Diagram) plan(ctx context.Context, most bounds) (*plan, error) {
	if err := cmp.Or(tooLarge(len(d.Nodes)-1, most.states, "states"), tooLarge(len(d.Edges), most.transitions, "transitions")); err != nil {
		return nil, err
	}
	p, err := newPlan(ctx, d, most)
	if err != nil {
		return nil, err
	}
	root := p.boxes[0]
	if root.graph != nil {
		root.layer()
	}
	passed := p.ports
	for _, b := range p.boxes {
		if b.graph != nil {
			passed += b.graph.passed()
		}
	}
	return p, tooLarge(passed, most.crossed, placesCrossed)
}

func (d *Diagram) layout(ctx context.Context, most bounds) (*Layout, error) {
	p, err := d.plan(ctx, most)
	if err != nil {
		return nil, err
	}
	root := p.boxes[0]
	if err := root.arrange(ctx); err != nil {
		return nil, err
	}
	root.set(Point{})
	l := &Layout{Diagram: d, Width: root.size.X, Height: root.size.Y, boxes: p.boxes, Routes: make([]Route, len(d.Edges))}
	for _, b := range p.boxes {
		l.Boxes = append(l.Boxes, Rect{b.at.X, b.at.Y, b.size.X, b.size.Y})
	}
	for i, e := range d.Edges {
		l.Routes[i].Edge = e
	}
	for _, b := range p.boxes {
		l.addLoops(b)
	}
	for _, label := range p.labels {
		r := &l.Routes[label.edge.Index]
		r.label = label
		r.Label = Rect{label.at.X, label.at.Y, label.w, label.h}
	}
	for _, w := range p.paths {
		var points []Point
		for _, part := range w.parts {
			points = append(points, part.box.points(part.arc)...)
		}
		r := &l.Routes[w.edge.Index]
		r.Paths = append(r.Paths, hooked(w, simplified(points)))
		r.Arrows = append(r.Arrows, w.arrow)
	}
	return l, nil
}

// hookSize is how far an edge goes outside of the border that it leaves and enters again.
const hookSize = 8

// hooked adds to a path its ways around borders.
func hooked(w *path, points []Point) []Point {
	first, last := w.parts[0], w.parts[len(w.parts)-1]
	if p := first.box.graph.vertices[first.arc.from.vertex].port; p != nil && p.hook {
		at := points[0]
		points = append([]Point{{at.X - 2*hookSize, at.Y}, {at.X - 2*hookSize, at.Y - hookSize}, {at.X, at.Y - hookSize}}, points...)
	}
	if p := last.box.graph.vertices[last.arc.to.vertex].port; p != nil && p.hook {
		at := points[len(points)-1]
		points = append(points, Point{at.X, at.Y + hookSize}, Point{at.X - 2*hookSize, at.Y + hookSize}, Point{at.X - 2*hookSize, at.Y})
	}
	return simplified(points)
}

// simplified drops the points between others on a line.
func simplified(points []Point) []Point {
	kept := points[:0:0]
	for _, p := range points {
		for n := len(kept); n > 0 && kept[n-1] == p; n = len(kept) {
			kept = kept[:n-1]
		}
		if n := len(kept); n > 1 && (kept[n-2].X == kept[n-1].X && kept[n-1].X == p.X || kept[n-2].Y == kept[n-1].Y && kept[n-1].Y == p.Y) {
			kept = kept[:n-1]
		}
		kept = append(kept, p)
	}
	return kept
}

// addLoops places the transitions from a state to itself to the right of its box.
func (l *Layout) addLoops(b *box) {
	x, y := b.at.X+b.size.X, b.at.Y+(b.size.Y-b.loopHeight())/2
	for _, loop := range b.loops {
		h := loop.loopHeight()
		middle := y + h/2
		y += h
		loop.at = Point{x + loopWidth, middle - loop.h/2}
		r := &l.Routes[loop.edge.Index]
		r.label, loop.loop = loop, true
		r.Label = Rect{loop.at.X, loop.at.Y, loop.w, loop.h}
		r.Paths = [][]Point{{{x, middle - 7}, {x + 16, middle - 7}, {x + 16, middle + 7}, {x, middle + 7}}}
		r.Arrows = []bool{true}
	}
}
