package diagram

import (
	"cmp"
	"slices"
)

// spread places the ends of arcs at the borders of children, above or below what they are linked to
// if they can be.
func (g *graph) spread(exact bool) {
	type place struct {
		e      *end
		wanted int
		key    int
	}
	ends := make([][2][]place, len(g.vertices))
	for _, channel := range g.channels {
		for _, k := range channel {
			for s, both := range [2][2]*end{{&k.upper, &k.lower}, {&k.lower, &k.upper}} {
				e, other := both[0], both[1]
				if g.vertices[e.vertex].kind != child {
					continue
				}
				side := 1 - s // the upper end is at the bottom of its child
				o := &g.vertices[other.vertex]
				ends[e.vertex][side] = append(ends[e.vertex][side], place{e, o.x + other.dx - g.vertices[e.vertex].x, g.place(*other)})
			}
		}
	}
	for v := range g.vertices {
		at := &g.vertices[v]
		if at.kind != child {
			continue
		}
		for _, list := range ends[v] {
			slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(a.key, b.key) })
			// The ports of the child have their places, and the others come between them.
			own := list[:0:0]
			var taken []int
			for _, p := range list {
				if p.e.port != nil {
					p.e.dx = p.e.port.x() - at.left
					taken = append(taken, p.e.dx)
				} else {
					own = append(own, p)
				}
			}
			if len(own) == 0 {
				continue
			}
			lo, hi := -at.left+10, at.box.size.X-at.left-10
			if at.box.node.IsRound() {
				lo, hi = -7, 7
			}
			d := portGap
			if len(own) > 1 {
				d = min(d, (hi-lo)/(len(own)-1))
			}
			wanted := make([]int, len(own))
			for i, p := range own {
				wanted[i] = min(max(p.wanted, lo), hi) - i*d
				if !exact {
					wanted[i] = (hi+lo)/2 - (len(own)-1)*d/2
				}
			}
			isotonic(wanted)
			for i, p := range own {
				x := min(max(wanted[i], lo), hi-(len(own)-1)*d) + i*d
				for _, t := range taken {
					if x > t-6 && x < t+6 {
						if x < t || t+6 > hi {
							x = max(t-6, lo)
						} else {
							x = min(t+6, hi)
						}
					}
				}
				p.e.dx = x
			}
		}
	}
}

// fork separates the lines that end at one side of a label: those that lead to it are together, and
// those that leave it.
func (g *graph) fork() {
	type side struct {
		ends [2][]*end // to the label, and from it
		sum  [2]int    // of the places where they come from
	}
	labels := make([][2]side, len(g.vertices))
	for _, a := range g.arcs {
		for i, e := range [2]end{a.to, a.from} {
			if g.vertices[e.vertex].kind != inscribed {
				continue
			}
			k, below := &a.links[0], true
			near, far := &k.upper, &k.lower
			if (i == 0) != a.up {
				k, below = &a.links[len(a.links)-1], false
				near, far = &k.lower, &k.upper
			}
			s := &labels[e.vertex][0]
			if below {
				s = &labels[e.vertex][1]
			}
			s.ends[i] = append(s.ends[i], near)
			s.sum[i] += g.place(*far)
		}
	}
	for v, sides := range labels {
		for _, s := range sides {
			if len(s.ends[0]) == 0 || len(s.ends[1]) == 0 {
				continue
			}
			d := min(10, max(0, g.vertices[v].left-4))
			if s.sum[0]*len(s.ends[1]) > s.sum[1]*len(s.ends[0]) {
				d = -d
			}
			for _, e := range s.ends[0] {
				e.dx = -d
			}
			for _, e := range s.ends[1] {
				e.dx = d
			}
		}
	}
}

// isotonic replaces numbers by the ascending ones that are nearest to them.
func isotonic(x []int) {
	type block struct{ sum, count int }
	var blocks []block
	for _, v := range x {
		b := block{v, 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].sum*b.count >= b.sum*blocks[len(blocks)-1].count {
			last := blocks[len(blocks)-1]
			b = block{b.sum + last.sum, b.count + last.count}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for range b.count {
			x[i] = b.sum / b.count
			i++
		}
	}
}

// trackGap is the distance of two horizontal lines.
const trackGap = 8

// A bend is a link with a horizontal line, and where that begins and ends.
type bend struct {
	*link
	from, to int
}

// tracks gives the links between two layers a horizontal line each, unless they are straight. It
// returns the number of lines.
func (g *graph) tracks(channel []*link) int {
	var bends []bend
	for _, k := range channel {
		from, to := g.vertices[k.upper.vertex].x+k.upper.dx, g.vertices[k.lower.vertex].x+k.lower.dx
		k.track = -1
		if from != to {
			bends = append(bends, bend{k, from, to})
		}
	}
	// Of two lines to the right, the one that begins further right is above, or they would cross. To
	// the left it is the other way round.
	slices.SortStableFunc(bends, func(a, b bend) int {
		right, other := a.to > a.from, b.to > b.from
		switch {
		case right && other:
			return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(b.to, a.to))
		case !right && !other:
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		case right:
			return -1
		}
		return 1
	})
	if len(bends) <= maxSifted {
		bends = sift(bends)
	}
	type interval struct{ lo, hi int }
	var tracks [][]interval
	for _, b := range bends {
		lo, hi := min(b.from, b.to)-6, max(b.from, b.to)+6
		t := len(tracks)
		for t > 0 && !slices.ContainsFunc(tracks[t-1], func(i interval) bool { return i.lo < hi && lo < i.hi }) {
			t--
		}
		if t == len(tracks) {
			tracks = append(tracks, nil)
		}
		tracks[t] = append(tracks[t], interval{lo, hi})
		b.track = t
	}
	return len(tracks)
}

// maxSifted bounds the time that sift takes.
const maxSifted = 300

// sift inserts each line where it crosses and covers the fewest others.
func sift(bends []bend) []bend {
	sorted := make([]bend, 0, len(bends))
	for _, b := range bends {
		// The cost of a place is compared with that of being below all.
		best, least, cost := len(sorted), 0, 0
		for i := len(sorted) - 1; i >= 0; i-- {
			cost += costAbove(b, sorted[i]) - costAbove(sorted[i], b)
			if cost < least {
				best, least = i, cost
			}
		}
		sorted = slices.Insert(sorted, best, b)
	}
	return sorted
}

// costAbove says how bad it is if a is above b: how often they cross, and more if one runs on the
// other.
func costAbove(a, b bend) int {
	cost := 0
	if within(b.from, a) {
		cost++
	}
	if within(a.to, b) {
		cost++
	}
	if abs(a.to-b.from) < 6 {
		cost += 20
	}
	return cost
}

func within(x int, b bend) bool { return x > min(b.from, b.to) && x < max(b.from, b.to) }
