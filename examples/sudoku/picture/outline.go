package picture

import (
	"math"

	"golang.org/x/image/font/sfnt"
)

// An outline is a sequence of lines and curves, in pixels. Each part begins with a move.
type outline []segment

func (o *outline) move(p point) { *o = append(*o, segment{sfnt.SegmentOpMoveTo, [3]point{p}}) }
func (o *outline) line(p point) { *o = append(*o, segment{sfnt.SegmentOpLineTo, [3]point{p}}) }
func (o *outline) quad(c, p point) {
	*o = append(*o, segment{sfnt.SegmentOpQuadTo, [3]point{c, p}})
}

// polygon returns the outline through some points.
func polygon(points ...point) (o outline) {
	o.move(points[0])
	for _, p := range points[1:] {
		o.line(p)
	}
	o.line(points[0])
	return o
}

// box returns a rectangle with rounded corners.
func box(x, y, width, height, radius float64) (o outline) {
	r, b := x+width, y+height
	o.move(point{x + radius, y})
	o.line(point{r - radius, y})
	o.quad(point{r, y}, point{r, y + radius})
	o.line(point{r, b - radius})
	o.quad(point{r, b}, point{r - radius, b})
	o.line(point{x + radius, b})
	o.quad(point{x, b}, point{x, b - radius})
	o.line(point{x, y + radius})
	o.quad(point{x, y}, point{x + radius, y})
	return o
}

// ring returns a circle.
func ring(c point, radius float64) (o outline) {
	const arcs = 8 // of parabolas
	reach := radius / math.Cos(math.Pi/arcs)
	at := func(angle, radius float64) point {
		return point{c.x + radius*math.Cos(angle), c.y + radius*math.Sin(angle)}
	}
	o.move(at(0, radius))
	for i := range arcs {
		angle := 2 * math.Pi * float64(i) / arcs
		o.quad(at(angle+math.Pi/arcs, reach), at(angle+2*math.Pi/arcs, radius))
	}
	return o
}

// flat returns the points of each part of an outline, with curves as short lines.
func (o outline) flat() (parts [][]point) {
	var at point
	for _, s := range o {
		end := s.points[operands(s.op)-1]
		if s.op == sfnt.SegmentOpMoveTo {
			parts = append(parts, nil)
		}
		last := &parts[len(parts)-1]
		if s.op == sfnt.SegmentOpQuadTo {
			for i := 1; i < 12; i++ {
				*last = append(*last, onCurve(at, s.points[0], end, float64(i)/12))
			}
		}
		*last = append(*last, end)
		at = end
	}
	return parts
}

// onCurve returns the point of a parabola at t from 0 to 1.
func onCurve(a, control, b point, t float64) point {
	u := 1 - t
	return point{u*u*a.x + 2*u*t*control.x + t*t*b.x, u*u*a.y + 2*u*t*control.y + t*t*b.y}
}

func (p point) plus(q point) point            { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point           { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point         { return point{p.x * f, p.y * f} }
func (p point) length() float64               { return math.Hypot(p.x, p.y) }
func (p point) toward(q point) point          { d := q.minus(p); return d.times(1 / max(d.length(), 1e-9)) }
func (p point) left() point                   { return point{p.y, -p.x} }
func (p point) from(q point, f float64) point { return q.plus(p.minus(q).times(f)) }

// stroked returns the area of a line along an outline, as polygons of one orientation.
// The line has gaps if dash is not 0.
func (o outline) stroked(width, dash float64) (area outline) {
	for _, points := range o.flat() {
		along := 0.0
		for i, b := range points[1:] {
			a := points[i]
			length := b.minus(a).length()
			side := a.toward(b).left().times(width / 2)
			for done := 0.0; done < length; {
				step, on := length-done, true
				if dash > 0 {
					phase := math.Mod(along, 2*dash)
					on = phase < dash
					step = min(step, dash-math.Mod(phase, dash)+1e-9)
				}
				if on {
					from, to := b.from(a, done/length), b.from(a, (done+step)/length)
					area = append(area, polygon(from.plus(side), to.plus(side), to.minus(side), from.minus(side))...)
				}
				done += step
				along += step
			}
			if dash == 0 && i+2 < len(points) {
				area = append(area, ring(b, width/2)...)
			}
		}
	}
	return area
}
