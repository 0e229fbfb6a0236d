package grid

import "math"

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

// A match says how well a warp agrees with the lines of a picture.
type match struct {
	seen  int     // the number of edges, of 180, at which there is a line
	least int     // of the 9 edges of a line between cells, for the line that has fewest
	sum   float64 // of the strengths of edges that are seen
}

// An edge is seen if it is dark enough and near where it should be.
const (
	visible = 0.03
	near    = 0.07
)

// isGrid reports whether there is a grid: nearly all lines are there. The outermost lines may be
// missing, if the picture ends there.
func (m match) isGrid() bool { return m.seen >= 125 && m.least >= 4 }

// better compares two matches: the number of edges matters most.
func (m match) better(n match) bool { return m.score() > n.score() }

func (m match) score() float64 { return float64(m.seen) + 20*math.Min(m.sum/180, 0.3) }

// add counts an edge, and returns 1 if it is seen.
func (m *match) add(e edge) int {
	if e.strength < visible || math.Abs(e.offset) > near {
		return 0
	}
	m.seen++
	m.sum += math.Min(e.strength, 0.3)
	return 1
}

// weight returns how much an edge counts for where the lines are.
func (e *edge) weight() float64 { return min(max(e.strength, 0), 0.2) }

// refine moves the lines of a warp onto the lines of the picture: the polynomial gets the given
// number of terms. It returns how well the lines agreed before.
func (w *Warp) refine(p *Plane, reach float64, degree int) match {
	var horizontal, vertical []sample
	m := match{least: 9}
	for i := range 10 {
		line, seenH, seenV := float64(i), 0, 0
		for j := range 9 {
			middle := float64(j) + 0.5
			h := w.look(p, float64(j), line, false, reach)
			v := w.look(p, line, float64(j), true, reach)
			horizontal = append(horizontal, sample{middle, line, h.offset, h.weight()})
			vertical = append(vertical, sample{line, middle, v.offset, v.weight()})
			seenH += m.add(h)
			seenV += m.add(v)
		}
		if i > 0 && i < 9 {
			m.least = min(m.least, seenH, seenV)
		}
	}
	if degree > 0 {
		du, dv := fit(vertical, degree), fit(horizontal, degree)
		for i := range w.du {
			w.du[i] += du[i]
			w.dv[i] += dv[i]
		}
	}
	return m
}
