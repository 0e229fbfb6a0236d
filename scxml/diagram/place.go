package diagram

import (
	"cmp"
	"math"
	"slices"
)

// separation returns the least distance of the anchors of two adjacent vertices of a layer.
func (g *graph) separation(u, v int) int {
	a, b := &g.vertices[u], &g.vertices[v]
	gap := 16
	switch {
	case a.kind == dummy && b.kind == dummy, a.kind == gate && b.kind == gate:
		gap = portGap
	case a.kind == child && b.kind == child:
		gap = 28
	}
	return a.right + gap + b.left
}

// placeAll gives the vertices their x, after Brandes and Köpf, "Fast and Simple Horizontal Coordinate
// Assignment": long edges are straight, and other vertices are above one of their median neighbors.
// The result is the mean of four such placements, or the leftmost if the vertices are to be packed.
func (g *graph) placeAll(packed bool) {
	n := len(g.vertices)
	above, below := make([][]neighbor, n), make([][]neighbor, n)
	one := make([]neighbor, 2*n) // most vertices have one neighbor on each side
	for v := range n {
		above[v], below[v] = one[2*v:2*v:2*v+1], one[2*v+1:2*v+1:2*v+2]
	}
	for _, channel := range g.channels {
		for _, k := range channel {
			u, l := k.upper, k.lower
			above[l.vertex] = append(above[l.vertex], neighbor{vertex: u.vertex, dx: u.dx, own: l.dx, link: k})
			below[u.vertex] = append(below[u.vertex], neighbor{vertex: l.vertex, dx: l.dx, own: u.dx, link: k})
		}
	}
	conflicts := g.conflicts(above)
	if packed {
		for v, x := range g.align(g.layers, above, conflicts, false, true) {
			g.vertices[v].x = x
		}
		return
	}
	var four [4][]int
	narrowest, least := 0, 0
	for i := range four {
		layers, neighbors := g.layers, above
		if i&1 != 0 {
			layers, neighbors = slices.Clone(layers), below
			slices.Reverse(layers)
		}
		four[i] = g.align(layers, neighbors, conflicts, i&2 != 0, false)
		lo, hi := g.bounds(four[i])
		if i == 0 || hi-lo < least {
			narrowest, least = i, hi-lo
		}
	}
	low, high := g.bounds(four[narrowest])
	for i := range four {
		lo, hi := g.bounds(four[i])
		shift := low - lo
		if i&2 != 0 {
			shift = high - hi
		}
		for v := range four[i] {
			four[i][v] += shift
		}
	}
	for v := range g.vertices {
		x := []int{four[0][v], four[1][v], four[2][v], four[3][v]}
		slices.Sort(x)
		g.vertices[v].x = (x[1] + x[2]) >> 1
	}
}

// bounds returns the leftmost and the rightmost that the vertices take.
func (g *graph) bounds(x []int) (low, high int) {
	for i, v := range g.vertices {
		if i == 0 || x[i]-v.left < low {
			low = x[i] - v.left
		}
		if i == 0 || x[i]+v.right > high {
			high = x[i] + v.right
		}
	}
	return low, high
}

// conflicts returns the links that cross one between two dummies, which shall be straight.
func (g *graph) conflicts(above [][]neighbor) map[*link]bool {
	found := make(map[*link]bool)
	for l := 1; l < len(g.layers); l++ {
		upper, lower := g.layers[l-1], g.layers[l]
		first, left := 0, 0
		for i, v := range lower {
			right := len(upper) - 1
			inner := g.vertices[v].kind == dummy && g.vertices[above[v][0].vertex].kind == dummy
			if inner {
				right = g.vertices[above[v][0].vertex].pos
			} else if i < len(lower)-1 {
				continue
			}
			for ; first <= i; first++ {
				for _, n := range above[lower[first]] {
					if at := g.vertices[n.vertex].pos; at < left || at > right {
						found[n.link] = true
					}
				}
			}
			left = right
		}
	}
	return found
}

// align places the vertices in blocks with one x. It prefers the left of two median neighbors and
// places to the left, or all mirrored.
func (g *graph) align(layers [][]int, neighbors [][]neighbor, conflicts map[*link]bool, mirrored, packed bool) []int {
	n := len(g.vertices)
	sign := 1
	if mirrored {
		sign = -1
	}
	root, next, shift := make([]int, n), make([]int, n), make([]int, n)
	for v := range root {
		root[v], next[v] = v, v
	}
	var sorted []neighbor
	for _, layer := range layers {
		last := -1
		for i := range layer {
			v := layer[i]
			if mirrored {
				v = layer[len(layer)-1-i]
			}
			sorted = append(sorted[:0], neighbors[v]...)
			pos := func(u int) int {
				if mirrored {
					return len(g.layers[g.vertices[u].layer]) - 1 - g.vertices[u].pos
				}
				return g.vertices[u].pos
			}
			slices.SortStableFunc(sorted, func(a, b neighbor) int {
				return cmp.Or(cmp.Compare(pos(a.vertex), pos(b.vertex)), cmp.Compare(sign*a.dx, sign*b.dx))
			})
			for m := (len(sorted) - 1) / 2; m >= 0 && m <= len(sorted)/2 && m < len(sorted) && next[v] == v; m++ {
				u := sorted[m]
				if conflicts[u.link] || pos(u.vertex) <= last {
					continue
				}
				last = pos(u.vertex)
				next[u.vertex] = v
				root[v] = root[u.vertex]
				next[v] = root[v]
				shift[v] = shift[u.vertex] + sign*(u.dx-u.own)
			}
		}
	}
	return g.compact(root, shift, sign, packed)
}

// compact places blocks as far to the left as they can be, and then, unless they are to be packed, those
// with something to their right next to it.
func (g *graph) compact(root, shift []int, sign int, packed bool) []int {
	n := len(g.vertices)
	type gap struct{ block, distance int }
	after := make([][]gap, n)
	before := make([]int, n)
	x := make([]int, n)
	for v := range g.vertices {
		left := g.vertices[v].left
		if sign < 0 {
			left = g.vertices[v].right
		}
		x[root[v]] = max(x[root[v]], left-shift[v])
	}
	for _, layer := range g.layers {
		for i := 1; i < len(layer); i++ {
			u, v := layer[i-1], layer[i]
			distance := g.separation(u, v)
			if sign < 0 {
				u, v = v, u
			}
			after[root[u]] = append(after[root[u]], gap{root[v], distance + shift[u] - shift[v]})
			before[root[v]]++
		}
	}
	var order []int
	for v := range root {
		if root[v] == v && before[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		u := order[i]
		for _, s := range after[u] {
			x[s.block] = max(x[s.block], x[u]+s.distance)
			if before[s.block]--; before[s.block] == 0 {
				order = append(order, s.block)
			}
		}
	}
	for i := len(order) - 1; i >= 0 && !packed; i-- {
		u := order[i]
		room := math.MaxInt
		for _, s := range after[u] {
			room = min(room, x[s.block]-s.distance)
		}
		if len(after[u]) > 0 {
			x[u] = max(x[u], room)
		}
	}
	all := make([]int, n)
	for v := range all {
		all[v] = sign * (x[root[v]] + shift[v])
	}
	return all
}
