package diagram

import (
	"cmp"
	"context"
	"slices"
)

// A neighbor is what a vertex is linked to in an adjacent layer.
type neighbor struct {
	vertex int
	dx     int // where the link ends at the neighbor, from its anchor
	own    int // and at the vertex
	link   *link
}

// passed returns how many layers the arcs pass.
func (g *graph) passed() int {
	n := 0
	for _, a := range g.arcs {
		n += abs(g.vertices[a.from.vertex].layer-g.vertices[a.to.vertex].layer) - 1
	}
	return n
}

// span gives each arc a vertex in each layer that it passes.
func (g *graph) span() {
	g.channels = make([][]*link, len(g.layers))
	g.vertices = slices.Grow(g.vertices, g.passed())
	for _, a := range g.arcs {
		upper, lower := a.from, a.to
		if a.up {
			upper, lower = lower, upper
		}
		last := g.vertices[lower.vertex].layer
		first := g.vertices[upper.vertex].layer
		a.links = make([]link, 0, last-first)
		for l := first + 1; l <= last; l++ {
			next := lower
			if l < last {
				next = end{vertex: g.add(vertex{kind: dummy, layer: l})}
			}
			a.links = append(a.links, link{upper: upper, lower: next})
			upper = next
		}
		for i := range a.links {
			l := &a.links[i]
			channel := g.vertices[l.upper.vertex].layer
			g.channels[channel] = append(g.channels[channel], l)
		}
	}
	for i, v := range g.vertices {
		g.layers[v.layer] = append(g.layers[v.layer], i)
	}
}

// maxSweeps bounds the search for an order with few crossings, and manyVertices is how many halve it.
const (
	maxSweeps    = 8
	manyVertices = 10_000
)

// order orders the vertices of each layer so that few links cross. It begins with the order of the
// document, which decides too where several orders are equal. It depends on no text. It ends early when the
// context is done.
func (g *graph) order(ctx context.Context, fixed func(v int) bool) {
	g.number()
	best, fewest := clone(g.layers), g.crossings()
	sweeps := maxSweeps
	if len(g.vertices) > manyVertices {
		sweeps /= 2
	}
	for sweep := 0; sweep < sweeps && fewest > 0 && ctx.Err() == nil; sweep++ {
		if sweep%2 == 0 {
			for l := 1; l < len(g.layers); l++ {
				g.sortLayer(l, g.channels[l-1], true, fixed)
			}
		} else {
			for l := len(g.layers) - 2; l >= 0; l-- {
				g.sortLayer(l, g.channels[l], false, fixed)
			}
		}
		if n := g.crossings(); n < fewest {
			best, fewest = clone(g.layers), n
		}
	}
	g.layers = best
	g.number()
}

func clone(layers [][]int) [][]int {
	c := make([][]int, len(layers))
	for i, l := range layers {
		c[i] = slices.Clone(l)
	}
	return c
}

// number tells the vertices their positions.
func (g *graph) number() {
	for _, layer := range g.layers {
		for i, v := range layer {
			g.vertices[v].pos = i
		}
	}
}

// place is where a link ends, in thousands of positions: the ports of a child follow each other. It
// depends on no text either.
func (g *graph) place(e end) int {
	v := &g.vertices[e.vertex]
	at := v.pos * 1000
	if e.port == nil {
		return at + 450
	}
	inner := e.port.box.graph
	gate := &inner.vertices[e.port.vertex]
	return at + 900*gate.pos/len(inner.layers[gate.layer])
}

// sortLayer moves the vertices of a layer to the means of their neighbors.
func (g *graph) sortLayer(l int, channel []*link, above bool, fixed func(v int) bool) {
	layer := g.layers[l]
	sum, count := make([]int, len(layer)), make([]int, len(layer))
	for _, k := range channel {
		mine, other := k.upper, k.lower
		if above {
			mine, other = other, mine
		}
		i := g.vertices[mine.vertex].pos
		sum[i] += g.place(other)
		count[i]++
	}
	// Vertices without neighbors stay where they are, and the others change places.
	type mean struct{ vertex, pos, sum, count int }
	var free []mean
	for i, v := range layer {
		if count[i] > 0 && !fixed(v) {
			free = append(free, mean{v, i, sum[i], count[i]})
		}
	}
	sorted := slices.Clone(free)
	slices.SortFunc(sorted, func(a, b mean) int {
		return cmp.Or(cmp.Compare(a.sum*b.count, b.sum*a.count), cmp.Compare(a.pos, b.pos))
	})
	for i, m := range sorted {
		layer[free[i].pos] = m.vertex
		g.vertices[m.vertex].pos = free[i].pos
	}
}

// crossings counts how many links cross.
func (g *graph) crossings() int {
	total := 0
	var ends []int64 // places of both ends of a link
	var places, counts []int
	for _, channel := range g.channels {
		ends, places = ends[:0], places[:0]
		for _, k := range channel {
			lower := g.place(k.lower)
			ends = append(ends, int64(g.place(k.upper))<<32|int64(lower))
			places = append(places, lower)
		}
		slices.Sort(ends)
		slices.Sort(places)
		places = slices.Compact(places)
		counts = append(counts[:0], make([]int, len(places)+1)...)
		for n, e := range ends { // a Fenwick tree counts the ends to the left
			i, _ := slices.BinarySearch(places, int(e&(1<<32-1)))
			left := 0
			for j := i + 1; j > 0; j -= j & -j {
				left += counts[j]
			}
			total += n - left
			for j := i + 1; j <= len(places); j += j & -j {
				counts[j]++
			}
		}
	}
	return total
}
