package grid

import (
	"cmp"
	"math"
	"slices"
)

// How lines are voted for.
const (
	ballot    = 480 // the greatest side of the picture that votes
	angles    = 180 // directions of a line, a degree apart
	slant     = 20  // degrees that lines of a family may differ from its direction
	mostPeaks = 80  // lines that are looked at
	mostPairs = 12  // pairs of borders of a family that are tried
)

// A ruled line consists of the points whose projection on its normal is at, from the middle of the picture.
type ruled struct {
	angle, at, votes float64 // radians, pixels, dark pixels
}

// votedQuads returns the corners of what may be grids, the likeliest first: where ten lines cross ten
// others and all are about as far from the next. Lines are found by votes of dark pixels (the Hough
// transform), so they need not be connected, nor be complete within the picture.
func votedQuads(p *Plane) []Quad {
	by := max(1, float64(max(p.W, p.H))/ballot)
	small := (&Frame{Plane: p, scale: 1}).reduced(by)
	middle := Point{float64(small.W-1) / 2, float64(small.H-1) / 2}
	peaks := small.lines(middle)
	if len(peaks) == 0 {
		return nil
	}
	rows, columns := families(peaks)
	type candidate struct {
		quad Quad
		seen int
	}
	var candidates []candidate
	least := float64(min(small.W, small.H)) / 5
	for _, r := range borders(rows, least) {
		for _, c := range borders(columns, least) {
			var q Quad
			ok := true
			for i, cross := range [4][2]ruled{{r.first, c.first}, {r.first, c.last}, {r.last, c.last}, {r.last, c.first}} {
				at, crosses := intersection(cross[0], cross[1])
				q[i] = Point{(at.X+middle.X)*by + (by-1)/2, (at.Y+middle.Y)*by + (by-1)/2}
				ok = ok && crosses
			}
			if q, square := upright(q); ok && square {
				candidates = append(candidates, candidate{q, r.seen + c.seen})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.seen, a.seen) })
	var quads []Quad
	for _, c := range candidates[:min(len(candidates), 60)] {
		quads = append(quads, c.quad)
	}
	return quads
}

// reduced returns the frame made smaller by a factor.
func (f *Frame) reduced(by float64) *Plane {
	for ; by > 2; by /= 2 {
		f.shrink(2)
	}
	if by > 1 {
		f.shrink(by)
	}
	return f.Plane
}

// lines returns the lines that most dark pixels are on, and few next to them, the best first.
func (p *Plane) lines(middle Point) []ruled {
	d := p.darkness(p.sums(), max(3, max(p.W, p.H)/40))
	threshold := 0.6 * d.deviation()
	reach := int(math.Hypot(float64(p.W), float64(p.H))/2) + 2
	size := 2*reach + 1
	votes := make([]float32, angles*size)
	var sin, cos [angles]float32
	for a := range angles {
		s, c := math.Sincos(float64(a) * math.Pi / angles)
		sin[a], cos[a] = float32(s), float32(c)
	}
	for i, v := range d.V {
		if v <= threshold {
			continue
		}
		x, y := float32(float64(i%p.W)-middle.X), float32(float64(i/p.W)-middle.Y)
		for a := range angles {
			votes[a*size+int(x*cos[a]+y*sin[a]+float32(reach)+0.5)]++
		}
	}
	var peaks []ruled
	best := 0.0
	for a := range angles {
		row := votes[a*size : (a+1)*size]
		for at := 5; at < size-5; at++ {
			clear := float64(row[at]) - float64(row[at-5]+row[at+5])/2 // text is dark on both sides, too
			if clear < 20 || !isPeak(votes, size, a, at) {
				continue
			}
			peaks = append(peaks, ruled{float64(a) * math.Pi / angles, float64(at - reach), clear})
			best = max(best, clear)
		}
	}
	peaks = slices.DeleteFunc(peaks, func(l ruled) bool { return l.votes < best/5 })
	slices.SortStableFunc(peaks, func(a, b ruled) int { return cmp.Compare(b.votes, a.votes) })
	return peaks[:min(len(peaks), mostPeaks)]
}

// isPeak reports whether no line near this one has more votes.
func isPeak(votes []float32, size, a, at int) bool {
	own := votes[a*size+at]
	for da := -3; da <= 3; da++ {
		b, turned := a+da, false
		if b < 0 || b >= angles {
			b, turned = (b+angles)%angles, true
		}
		for d := -3; d <= 3; d++ {
			other := at + d
			if turned {
				other = size - 1 - other
			}
			if other < 0 || other >= size {
				continue
			}
			if v := votes[b*size+other]; v > own || v == own && (da < 0 || da == 0 && d < 0) {
				return false
			}
		}
	}
	return true
}

// families returns the lines of the direction and of those across it that have most votes together.
func families(lines []ruled) (rows, columns []ruled) {
	within := func(direction float64) (all []ruled, votes float64) {
		for _, l := range lines {
			// A line may also be described by the opposite normal.
			turn := math.Round((l.angle - direction) / math.Pi)
			l.angle -= turn * math.Pi
			if int(turn)%2 != 0 {
				l.at = -l.at
			}
			if math.Abs(l.angle-direction) <= slant*math.Pi/angles {
				all = append(all, l)
				votes += l.votes
			}
		}
		slices.SortFunc(all, func(a, b ruled) int { return cmp.Compare(a.at, b.at) })
		return all, votes
	}
	best := -1.0
	for degree := 0; degree < 90; degree += 5 {
		direction := float64(degree) * math.Pi / 180
		a, some := within(direction)
		b, others := within(direction + math.Pi/2)
		if votes := min(some, others); votes > best {
			best, rows, columns = votes, a, b
		}
	}
	return rows, columns
}

// A border is two lines of a family with eight others between them.
type border struct {
	first, last ruled
	seen        int // how many of the eight
}

// borders returns pairs of lines that may be borders of a grid, the likeliest first.
func borders(family []ruled, least float64) []border {
	var all []border
	for i, first := range family {
		for _, last := range family[i+1:] {
			width := last.at - first.at
			if width < least {
				continue
			}
			b := border{first, last, 0}
			for k := 1; k < 9; k++ {
				want := first.at + float64(k)*width/9
				if slices.ContainsFunc(family, func(l ruled) bool { return math.Abs(l.at-want) < width/30 }) {
					b.seen++
				}
			}
			if b.seen >= 5 {
				all = append(all, b)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b border) int {
		return cmp.Or(cmp.Compare(b.seen, a.seen), cmp.Compare(b.last.at-b.first.at, a.last.at-a.first.at))
	})
	return all[:min(len(all), mostPairs)]
}

// intersection returns where two lines cross, from the middle of the picture.
func intersection(a, b ruled) (Point, bool) {
	sa, ca := math.Sincos(a.angle)
	sb, cb := math.Sincos(b.angle)
	det := ca*sb - sa*cb
	if math.Abs(det) < 0.3 {
		return Point{}, false
	}
	return Point{(a.at*sb - b.at*sa) / det, (b.at*ca - a.at*cb) / det}, true
}
