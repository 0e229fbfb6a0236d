package diagram

import (
	"math"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// layer puts the vertices of a container and of the containers in it into layers. What is in the
// first and the last of them are the ports of the container.
func (b *box) layer() {
	g := b.graph
	if b.node.Kind == scxml.KindParallel {
		b.layerRegions()
	} else {
		g.layerByArcs()
	}
	last := 0
	for _, v := range g.vertices {
		last = max(last, v.layer)
	}
	for i := range g.vertices {
		if v := &g.vertices[i]; v.kind == gate {
			v.layer = 0
			if v.port.side == bottom {
				v.layer = last + 1
			}
		}
	}
	g.numberLayers()
	for _, a := range g.arcs {
		a.up = g.vertices[a.from.vertex].layer > g.vertices[a.to.vertex].layer
		g.attach(a.from, !a.up)
		g.attach(a.to, a.up)
	}
	for _, c := range b.children {
		if c.graph != nil {
			c.layer()
		}
	}
}

// attach tells a child on which side of it an arc ends.
func (g *graph) attach(e end, below bool) {
	s := top
	if below {
		s = bottom
	}
	if e.port != nil {
		e.port.side = s
	} else if v := g.vertices[e.vertex]; v.kind == child {
		v.box.ends[s]++
	}
}

// layerRegions puts the regions of a parallel into rows, and the labels of what connects them
// between the rows.
func (b *box) layerRegions() {
	g := b.graph
	columns := len(b.children)
	if columns > 4 {
		columns = min(maxChildren, int(math.Ceil(math.Sqrt(float64(columns)*1.5))))
	}
	for i := range b.children {
		g.vertices[i].layer = 2 + i/columns*2
	}
	for _, a := range g.arcs {
		from, to := &g.vertices[a.from.vertex], &g.vertices[a.to.vertex]
		if from.kind == child && to.kind == inscribed {
			to.layer = from.layer + 1
		} else if to.kind == inscribed {
			to.layer = 1
		}
	}
}

// layerByArcs lets arcs lead downwards as far as they do not form cycles.
func (g *graph) layerByArcs() {
	n := len(g.vertices)
	out, in := make([][]reach, n), make([][]reach, n)
	for _, a := range g.arcs {
		from, to := g.vertices[a.from.vertex], g.vertices[a.to.vertex]
		if from.kind == gate || to.kind == gate || a.from.vertex == a.to.vertex {
			continue
		}
		length := 1
		if from.kind == child && to.kind == child {
			length = 2
		}
		out[a.from.vertex] = append(out[a.from.vertex], reach{a.to.vertex, length})
	}
	g.acyclic(out)
	for v := range out {
		for _, s := range out[v] {
			in[s.to] = append(in[s.to], reach{v, s.length})
		}
	}
	order := topological(out, in)
	for _, v := range order {
		layer := 1
		if g.vertices[v].kind == child {
			layer = 2
		}
		for _, s := range in[v] {
			layer = max(layer, g.vertices[s.to].layer+s.length)
		}
		g.vertices[v].layer = layer
	}
	g.tighten(order, out, in)
}

// A reach is an arc to a vertex that is at least length layers below.
type reach struct{ to, length int }

// acyclic reverses the arcs that lead back on the ways from the initial transition, and then from the
// children in document order, and those that lead to the initial state from what is not above it anyway.
func (g *graph) acyclic(out [][]reach) {
	const (
		unseen = iota
		open
		initial // what leads here leads back
		done
	)
	state := make([]uint8, len(out))
	back := make([][]reach, len(out))
	entering := g.entering(out)
	var visit func(v int)
	visit = func(v int) {
		state[v] = open
		kept := out[v][:0]
		for _, s := range out[v] {
			if g.vertices[s.to].kind == inscribed && len(out[s.to]) == 1 && state[s.to] == unseen {
				// A label is between what it connects, whichever is above.
				if t := out[s.to][0]; state[t.to] == open || state[t.to] == initial {
					back[t.to] = append(back[t.to], reach{s.to, t.length})
					back[s.to] = append(back[s.to], reach{v, s.length})
					out[s.to], state[s.to] = nil, done
					continue
				}
			}
			if state[s.to] == unseen {
				visit(s.to)
			}
			if state[s.to] == open || state[s.to] == initial && !entering[v] {
				back[s.to] = append(back[s.to], reach{v, s.length})
			} else {
				kept = append(kept, s)
			}
		}
		out[v] = kept
		state[v] = done
	}
	for v := range out {
		if g.vertices[v].kind == dot {
			visit(v)
			for _, s := range out[v] {
				state[s.to] = initial
			}
		}
	}
	for v := range out {
		if state[v] == unseen {
			visit(v)
		}
	}
	for v := range out {
		out[v] = append(out[v], back[v]...)
	}
}

// entering tells the vertices that only what comes from outside of the container leads to: labels, and
// histories.
func (g *graph) entering(out [][]reach) []bool {
	arcs, inner := make([]int, len(out)), make([]int, len(out))
	for v := range out {
		for _, s := range out[v] {
			arcs[s.to]++
		}
	}
	for v := range out {
		for _, s := range out[v] {
			if g.vertices[v].kind != inscribed || arcs[v] > 0 {
				inner[s.to]++
			}
		}
	}
	entering := make([]bool, len(out))
	for i, v := range g.vertices {
		entering[i] = v.kind == inscribed && arcs[i] == 0 || v.kind == child && v.box.node.IsRound() && inner[i] == 0
	}
	return entering
}

// topological returns the vertices in an order in which arcs lead forwards.
func topological(out, in [][]reach) []int {
	order := make([]int, 0, len(out))
	left := make([]int, len(out))
	for v := range in {
		if left[v] = len(in[v]); left[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, s := range out[order[i]] {
			if left[s.to]--; left[s.to] == 0 {
				order = append(order, s.to)
			}
		}
	}
	return order
}

// tighten moves vertices to where their arcs are shorter.
func (g *graph) tighten(order []int, out, in [][]reach) {
	last := 0
	for _, v := range order {
		last = max(last, g.vertices[v].layer)
	}
	ports := make([]int, len(g.vertices)) // arcs from above less those to below
	for _, a := range g.arcs {
		if p := g.vertices[a.from.vertex].port; p != nil {
			ports[a.to.vertex] += 1 - 2*int(p.side)
		}
		if p := g.vertices[a.to.vertex].port; p != nil {
			ports[a.from.vertex] += 1 - 2*int(p.side)
		}
	}
	for range 3 {
		for i := len(order) - 1; i >= 0; i-- {
			v := order[i]
			at := &g.vertices[v]
			if at.kind == gate || len(out[v])+len(in[v]) == 0 {
				continue
			}
			lowest := last
			for _, s := range out[v] {
				lowest = min(lowest, g.vertices[s.to].layer-s.length)
			}
			highest := 1
			if at.kind == child {
				highest = 2
			}
			for _, s := range in[v] {
				highest = max(highest, g.vertices[s.to].layer+s.length)
			}
			if len(out[v]) == 0 {
				lowest = at.layer
			}
			switch pull := len(out[v]) - len(in[v]) - ports[v]; {
			case pull > 0:
				at.layer = lowest
			case pull < 0:
				at.layer = highest
			case at.kind == inscribed:
				at.layer = (lowest + highest) / 2
			}
		}
	}
}

// A layer with more labels or children than this is divided, which makes the container narrower:
// labels alternate between rows, so that each has room next to lines, and children fill row after row.
const (
	maxLabels   = 4
	maxChildren = 7
)

// numberLayers renumbers the layers that have vertices, and divides those that have too many. The first is
// for the ports at the top and the last for those at the bottom.
func (g *graph) numberLayers() {
	last := 0
	for _, v := range g.vertices {
		last = max(last, v.layer)
	}
	labels, children, others := make([]int, last+1), make([]int, last+1), make([]int, last+1)
	for _, v := range g.vertices {
		switch v.kind {
		case inscribed:
			labels[v.layer]++
		case child:
			children[v.layer]++
		default:
			others[v.layer]++
		}
	}
	first, rows := make([]int, last+1), make([]int, last+1)
	next := 0
	for l := range first {
		first[l] = next
		rows[l] = max((labels[l]+maxLabels-1)/maxLabels, (children[l]+maxChildren-1)/maxChildren)
		if l == 0 || others[l] > 0 {
			rows[l] = max(rows[l], 1)
		}
		next += rows[l]
	}
	seenLabels, seenChildren := make([]int, last+1), make([]int, last+1)
	for i := range g.vertices {
		v := &g.vertices[i]
		l := v.layer
		v.layer = first[l]
		switch v.kind {
		case inscribed:
			v.layer += seenLabels[l] % rows[l]
			seenLabels[l]++
		case child:
			v.layer += seenChildren[l] * rows[l] / children[l]
			seenChildren[l]++
		case dot:
			v.layer += rows[l] - 1
		}
	}
	g.layers = make([][]int, next)
}
