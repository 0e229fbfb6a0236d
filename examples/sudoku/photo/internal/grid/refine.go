package grid

import (
	"math"
	"slices"
)

// An edge is the border between two cells, or between a cell and the paper around the grid, as it
// is found in a picture: 180 of them make a grid.
type edge struct {
	offset   float64 // how far the line is from where the warp has it, in cells
	strength float64 // how much darker than its surroundings, as a part of their brightness
}

// steps is the number of places on either side of an edge at which it is looked for.
const steps = 10

// look looks for the line from (u, v) to (u+1, v), or to (u, v+1) if it is vertical, at most reach
// cells away from there.
func (w *Warp) look(p *Plane, u, v float64, vertical bool, reach float64) edge {
	const samples = 7
	var profile [2*steps + 1]float64
	along, across := Point{0.7 / (samples - 1), 0}, Point{0, reach / steps}
	start := Point{u + 0.15, v - reach}
	if vertical {
		along, across = Point{0, along.X}, Point{across.Y, 0}
		start = Point{u - reach, v + 0.15}
	}
	// The warp is nearly linear near an edge: three of its points give all the others.
	o := w.At(start.X, start.Y)
	a, b := w.At(start.X+samples*along.X, start.Y+samples*along.Y), w.At(start.X+2*steps*across.X, start.Y+2*steps*across.Y)
	ax, ay := (a.X-o.X)/samples, (a.Y-o.Y)/samples
	bx, by := (b.X-o.X)/(2*steps), (b.Y-o.Y)/(2*steps)
	for i := range profile {
		x, y := o.X+float64(i)*bx, o.Y+float64(i)*by
		sum := float32(0)
		for range samples {
			sum += p.At(x, y)
			x, y = x+ax, y+ay
		}
		profile[i] = float64(sum) / samples
	}
	best := steps
	for i := steps / 3; i < len(profile)-steps/3; i++ {
		if profile[i] < profile[best] {
			best = i
		}
	}
	before, after := 0.0, 0.0 // the brightest place on either side of the line
	for i, v := range profile {
		if i < best {
			before = max(before, v)
		} else {
			after = max(after, v)
		}
	}
	shift := 0.0 // of the lowest point of the parabola through the three places
	if best > 0 && best < len(profile)-1 {
		if c := profile[best-1] - 2*profile[best] + profile[best+1]; c > 0 {
			shift = (profile[best-1] - profile[best+1]) / (2 * c)
		}
	}
	white := math.Min(before, after)
	return edge{
		offset:   (float64(best) + shift - steps) * reach / steps,
		strength: (white - profile[best]) / math.Max(white, 0.05),
	}
}

// edges are those of a whole grid. horizontal[i][j] is on line i from the top, between columns j and
// j+1 of crossings; vertical[i][j] is on line i from the left.
type edges struct{ horizontal, vertical [10][9]edge }

// lookAtAll looks for all edges.
func (w *Warp) lookAtAll(p *Plane, reach float64) *edges {
	var e edges
	for i := range 10 {
		if w.boxes && i%3 > 0 {
			continue
		}
		for j := range 9 {
			e.horizontal[i][j] = w.look(p, float64(j), float64(i), false, reach)
			e.vertical[i][j] = w.look(p, float64(i), float64(j), true, reach)
		}
	}
	return &e
}

// weight returns how much an edge counts for where the lines are.
func (e *edge) weight() float64 { return min(max(e.strength, 0), 0.2) }

// An edge is seen if it is dark enough and near where it should be.
const (
	visible = 0.03
	near    = 0.07
)

func (e *edge) seen() bool { return e.strength >= visible && math.Abs(e.offset) <= near }

// A match says how well a warp agrees with the lines of a picture.
type match struct {
	seen  int     // the number of edges, of 180, that are seen
	thick int     // of these: around boxes, of 72
	lost  int     // the number of lines between cells, of 16, with less than half of their edges
	sum   float64 // of the strengths of edges that are seen
}

func (e *edges) match() (m match) {
	for _, lines := range []*[10][9]edge{&e.horizontal, &e.vertical} {
		for i := range lines {
			seen := 0
			for j := range lines[i] {
				if lines[i][j].seen() {
					seen++
					m.sum += math.Min(lines[i][j].strength, 0.3)
				}
			}
			m.seen += seen
			if i%3 == 0 {
				m.thick += seen
			}
			if i > 0 && i < 9 && seen < 5 {
				m.lost++
			}
		}
	}
	return m
}

// isGrid reports whether there is a grid: nearly all lines are there. The outermost lines may be
// missing, if the picture ends there, and so may two that a tinted row or column hides.
func (m match) isGrid() bool { return m.seen >= 125 && m.lost <= 2 }

// isBoxes reports whether the lines around the boxes are there, but for the outermost ones on two sides: the
// picture may end within them. A board that is taken to be a box further has 51 at most.
func (m match) isBoxes() bool { return m.thick >= 54 }

// score compares matches: the number of edges matters most.
func (m match) score() float64 { return float64(m.seen) + 20*math.Min(m.sum/180, 0.3) }

// follow moves the lines of a warp onto edges, by a change of its polynomials' first terms.
func (w *Warp) follow(e *edges, terms int) {
	var horizontal, vertical []sample
	for i := range 10 {
		for j := range 9 {
			line, middle := float64(i), float64(j)+0.5
			h, v := &e.horizontal[i][j], &e.vertical[i][j]
			horizontal = append(horizontal, sample{middle, line, h.offset, h.weight()})
			vertical = append(vertical, sample{line, middle, v.offset, v.weight()})
		}
	}
	du, dv := fit(vertical, terms), fit(horizontal, terms)
	for i := range w.du {
		w.du[i] += du[i]
		w.dv[i] += dv[i]
	}
}

// bend moves each crossing onto the edges that meet there, for what polynomials cannot follow.
func (w *Warp) bend(e *edges) {
	for i := range 10 {
		for j := range 10 {
			w.bends[i][j].X += meet(&e.vertical[j], i)
			w.bends[i][j].Y += meet(&e.horizontal[i], j)
		}
	}
}

// meet returns the offset of a line at crossing i: the mean of the edges before and after it. Edges
// that are not clear count little, and so leave the line where it is.
func meet(line *[9]edge, i int) float64 {
	sum, weights := 0.0, 0.05
	for _, e := range line[max(0, i-1):min(i+1, 9)] {
		sum += e.weight() * e.offset
		weights += e.weight()
	}
	return sum / weights
}

// Faint returns how strong the lines around each cell are, relative to those of the page: light that
// falls onto the picture makes them and the print fainter. It is 1 where the page does not have lines.
func Faint(p *Plane, w *Warp) (ratios [81]float64) {
	e := w.lookAtAll(p, 0.1)
	var usual [2]float64 // of lines within boxes, and around them
	for kind := range usual {
		var all []float64
		for _, lines := range []*[10][9]edge{&e.horizontal, &e.vertical} {
			for i := range lines {
				if (i%3 == 0) == (kind == 1) {
					for _, edge := range lines[i] {
						all = append(all, edge.strength)
					}
				}
			}
		}
		slices.Sort(all)
		usual[kind] = all[len(all)/2]
	}
	for c := range ratios {
		x, y := c%9, c/9
		sum, count := 0.0, 0.0
		add := func(i int, e *edge) {
			kind := 0
			if i%3 == 0 {
				kind = 1
			}
			if usual[kind] >= 2*visible {
				sum += min(e.strength/usual[kind], 1.5)
				count++
			}
		}
		for i := range 2 {
			add(y+i, &e.horizontal[y+i][x])
			add(x+i, &e.vertical[x+i][y])
		}
		ratios[c] = 1
		if count > 0 {
			ratios[c] = sum / count
		}
	}
	return ratios
}
