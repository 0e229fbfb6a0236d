package diagram

// straighten moves the labels and the bends of arcs to where they need fewer horizontal lines, if there
// is room: below what is above them, or above what is below them. What an arc passes one below the other
// moves together.
func (g *graph) straighten(downwards bool) {
	above, below := make([]*link, len(g.vertices)), make([]*link, len(g.vertices))
	forked := make([]bool, len(g.vertices))
	for _, channel := range g.channels {
		for _, k := range channel {
			u, l := k.upper.vertex, k.lower.vertex
			forked[u] = forked[u] || below[u] != nil
			forked[l] = forked[l] || above[l] != nil
			below[u], above[l] = k, k
		}
	}
	movable := func(v int) bool {
		switch at := &g.vertices[v]; at.kind {
		case inscribed, dummy:
			return !forked[v] && above[v] != nil && below[v] != nil
		case gate:
			return !forked[v] && !at.port.hook && (above[v] != nil || below[v] != nil)
		}
		return false
	}
	width := g.width()
	for _, layer := range g.layers {
		for _, first := range layer {
			if !movable(first) {
				continue
			}
			x := g.vertices[first].x
			up, down := x, x // where its ends want to be
			if k := above[first]; k != nil {
				if movable(k.upper.vertex) && g.vertices[k.upper.vertex].x == x {
					continue // it has moved with that
				}
				up = g.vertices[k.upper.vertex].x + k.upper.dx - k.lower.dx
			}
			run := []int{first}
			last := first
			for below[last] != nil {
				next := below[last].lower.vertex
				if !movable(next) || g.vertices[next].x != x {
					break
				}
				last = next
				run = append(run, last)
			}
			if k := below[last]; k != nil {
				down = g.vertices[k.lower.vertex].x + k.lower.dx - k.upper.dx
			}
			if above[first] == nil {
				up = down
			} else if below[last] == nil {
				down = up
			}
			lo, hi := g.room(run, width)
			fits := func(to int) bool { return to >= lo && to <= hi }
			// The end that is at a box may follow, so it is worth to move away from it.
			if down != x && fits(down) && (downwards || up != x && !fits(up)) {
				x = down
			} else if up != x && fits(up) && (!downwards || down != x) {
				x = up
			} else {
				continue
			}
			for _, v := range run {
				g.vertices[v].x = x
			}
		}
	}
}

// room returns where all of some vertices can be without a change of the others or of the width.
func (g *graph) room(run []int, width int) (lo, hi int) {
	lo, hi = -1<<30, 1<<30
	for _, v := range run {
		at := &g.vertices[v]
		layer := g.layers[at.layer]
		if at.pos > 0 {
			u := layer[at.pos-1]
			lo = max(lo, g.vertices[u].x+g.separation(u, v))
		} else {
			lo = max(lo, padding+at.left)
		}
		if at.pos < len(layer)-1 {
			u := layer[at.pos+1]
			hi = min(hi, g.vertices[u].x-g.separation(v, u))
		} else {
			hi = min(hi, max(at.x, width-at.right))
		}
	}
	return lo, hi
}
