package diagram

import (
	"context"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Sizes in pixels.
const (
	dotSize     = 12
	historySize = 24
	padding     = 16 // inside of a container
	nameHeight  = 30 // of a state without rows
	loopWidth   = 22
	portGap     = 12 // between the ends of arcs
	aboveTracks = 13 // between layers
	belowTracks = 16 // the head of an arrow is there
)

// measure finds out the sizes of what is in a box besides its children.
func (b *box) measure() {
	name := textWidth(b.title, nameSize, true)
	b.head.X = stepped(max(name+20, widest(b.rows)+20))
	b.head.Y = nameHeight
	switch {
	case b.node.Kind == scxml.KindHistory:
		b.size = Point{historySize, historySize}
		b.extra = stepped(textWidth(b.title, textSize, false) + 6)
		return
	case b.node.Kind == scxml.KindParallel || b.node.Kind == scxml.KindFinal:
		b.head.X += step // for the sign
	case b.title == "":
		b.head = Point{0, padding}
	}
	if len(b.rows) > 0 {
		b.head.Y += len(b.rows)*lineHeight + 8
	}
	for _, l := range b.loops {
		b.extra = max(b.extra, loopWidth+l.w)
	}
	if b.graph == nil {
		ends := max(b.ends[top], b.ends[bottom])
		b.size = Point{max(b.head.X, 3*step, stepped((ends+1)*14)), max(b.head.Y, 36, b.loopHeight())}
	}
}

// loopHeight returns the height that the loops of a box need.
func (b *box) loopHeight() int {
	h := 0
	for _, l := range b.loops {
		h += l.loopHeight()
	}
	return h
}

func (l *label) loopHeight() int { return max(l.h, lineHeight) + 8 }

// arrange places all that is in a box, from the inside out, and finds out its size.
func (b *box) arrange(ctx context.Context) error {
	b.measure()
	g := b.graph
	if g == nil {
		return nil
	}
	for i, c := range b.children {
		if err := c.arrange(ctx); err != nil {
			return err
		}
		v := &g.vertices[i]
		v.left = c.size.X / 2
		v.right = c.size.X - v.left + c.extra
		v.h = c.size.Y
	}
	name := g.add(vertex{kind: header, right: b.head.X, h: b.head.Y})
	g.span()
	first := g.layers[0]
	copy(first[1:], first[:len(first)-1])
	first[0] = name
	parallel := b.node.Kind == scxml.KindParallel
	g.order(ctx, func(v int) bool {
		return g.vertices[v].kind == header || parallel && g.vertices[v].kind == child
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	g.spread(false)
	g.fork()
	g.placeAll(parallel)
	g.shift(name)
	for i := range 4 {
		g.spread(true)
		g.straighten(i%2 == 1)
	}
	g.spread(true)
	g.stack()
	b.size = Point{max(g.width()+padding, b.head.X, 4*step), max(g.tops[len(g.layers)], b.loopHeight())}
	g.stretch()
	return nil
}

// shift moves the contents to the left edge.
func (g *graph) shift(name int) {
	x := make([]int, len(g.vertices))
	for i, v := range g.vertices {
		x[i] = v.x
	}
	low, _ := g.bounds(x)
	for i := range g.vertices {
		g.vertices[i].x += padding - low
	}
	g.vertices[name].x = 0
}

// width returns how far to the right the contents reach.
func (g *graph) width() int {
	w := 0
	for _, v := range g.vertices {
		w = max(w, v.x+v.right)
	}
	return w
}

// stack gives the layers their heights, and the space between them what the links need.
func (g *graph) stack() {
	g.heights = make([]int, len(g.layers))
	g.tops = make([]int, len(g.layers)+1)
	for _, v := range g.vertices {
		g.heights[v.layer] = max(g.heights[v.layer], v.h)
	}
	y := 0
	for l := range g.layers {
		g.tops[l] = y
		y += g.heights[l]
		tracks := g.tracks(g.channels[l])
		space := 10
		if len(g.channels[l]) > 0 {
			space = g.space(g.channels[l])
		}
		if l == len(g.layers)-1 {
			space = 0
			if g.heights[l] > 0 {
				space = padding
			}
		}
		y += space + max(0, tracks-1)*trackGap
	}
	g.tops[len(g.layers)] = y
	for i := range g.vertices {
		v := &g.vertices[i]
		v.y = g.tops[v.layer] + (g.heights[v.layer]-v.h)/2
		if v.kind == dummy || v.kind == gate {
			v.y, v.h = g.tops[v.layer], g.heights[v.layer]
		}
	}
}

// space returns the distance of two layers whose links need one line or none.
func (g *graph) space(channel []*link) int {
	space := 12
	for _, k := range channel {
		if g.vertices[k.lower.vertex].kind == child || g.vertices[k.upper.vertex].kind == child {
			space = max(space, 22)
		}
		if k.track >= 0 {
			space = max(space, aboveTracks+belowTracks)
		}
	}
	return space
}

// stretch makes the regions of a row equally high.
func (g *graph) stretch() {
	for i := range g.vertices {
		if v := &g.vertices[i]; v.kind == child && v.box.region {
			v.y, v.h = g.tops[v.layer], g.heights[v.layer]
			v.box.size.Y = v.h
		}
	}
}

// set places a box and all in it in the picture.
func (b *box) set(at Point) {
	b.at = at
	if b.graph == nil {
		return
	}
	for i := range b.graph.vertices {
		v := &b.graph.vertices[i]
		switch v.kind {
		case child:
			v.box.set(Point{at.X + v.x - v.left, at.Y + v.y})
		case inscribed:
			v.label.at = Point{at.X + v.x - v.left, at.Y + v.y}
		}
	}
}

// dip returns how far the border of a vertex recedes from its upper or lower edge.
func (v *vertex) dip(dx int) int {
	if v.kind == child && v.box.node.IsRound() {
		return dx * dx / historySize
	}
	return 0
}

// x returns the place of a port from the left edge of its box.
func (p *port) x() int { return p.box.graph.vertices[p.vertex].x }

// points returns the way of an arc in the picture, in its direction.
func (b *box) points(a *arc) []Point {
	g := b.graph
	var all []Point
	add := func(x, y int) { all = append(all, Point{b.at.X + x, b.at.Y + y}) }
	for _, k := range a.links {
		u, l := &g.vertices[k.upper.vertex], &g.vertices[k.lower.vertex]
		from, to := u.x+k.upper.dx, l.x+k.lower.dx
		if u.kind == gate {
			add(from, 0)
		} else {
			add(from, u.y+u.h-u.dip(k.upper.dx))
		}
		if k.track >= 0 {
			y := g.tops[u.layer] + g.heights[u.layer] + aboveTracks + k.track*trackGap
			add(from, y)
			add(to, y)
		}
		if l.kind == gate {
			add(to, b.size.Y)
		} else {
			add(to, l.y+l.dip(k.lower.dx))
		}
	}
	if a.up {
		slices.Reverse(all)
	}
	return all
}
