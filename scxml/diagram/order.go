package diagram

import (
	"cmp"
	"slices"
)

// A neighbor is what a vertex is linked to in an adjacent layer.
type neighbor struct {
	vertex int
	dx     int // where the link ends at the neighbor, from its anchor
	own    int // and at the vertex
	link   *link
}

// span gives each arc a vertex in each layer that it passes.
func (g *graph) span() {
	g.channels = make([][]*link, len(g.layers))
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

// maxSweeps bounds the search for an order with few crossings.
const maxSweeps = 8

// order orders the vertices of each layer so that few links cross. It begins with the order of the
// document, which decides too where several orders are equal. It depends on no text.
func (g *graph) order(fixed func(v int) bool) {
	g.number()
	best, fewest := clone(g.layers), g.crossings()
	for sweep := 0; sweep < maxSweeps && fewest > 0; sweep++ {
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
	var free, slots []int
	for i, v := range layer {
		if count[i] > 0 && !fixed(v) {
			free = append(free, v)
			slots = append(slots, i)
		}
	}
	slices.SortStableFunc(free, func(a, b int) int {
		i, j := g.vertices[a].pos, g.vertices[b].pos
		return cmp.Compare(sum[i]*count[j], sum[j]*count[i])
	})
	for i, v := range free {
		layer[slots[i]] = v
	}
	for i, v := range layer {
		g.vertices[v].pos = i
	}
}

// crossings counts how many links cross.
func (g *graph) crossings() int {
	total := 0
	type ends struct{ upper, lower int }
	var all []ends
	var places, counts []int
	for _, channel := range g.channels {
		all, places = all[:0], places[:0]
		for _, k := range channel {
			e := ends{g.place(k.upper), g.place(k.lower)}
			all = append(all, e)
			places = append(places, e.lower)
		}
		slices.SortFunc(all, func(a, b ends) int {
			return cmp.Or(cmp.Compare(a.upper, b.upper), cmp.Compare(a.lower, b.lower))
		})
		slices.Sort(places)
		places = slices.Compact(places)
		counts = append(counts[:0], make([]int, len(places)+1)...)
		for n, e := range all { // a Fenwick tree counts the ends to the left
			i, _ := slices.BinarySearch(places, e.lower)
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
