package grid

import (
	"context"
	"image"
	"image/draw"
	"math"
)

// A Plane is a gray picture: w*h values, from 0 for black to 1 for white, row by row. The center of
// the pixel in column x and row y is at (x, y).
type Plane struct {
	W, H int
	V    []float32
}

func NewPlane(w, h int) *Plane { return &Plane{w, h, make([]float32, w*h)} }

// At returns the value at (x, y), interpolated between pixels. Outside the plane it is the value at
// the border.
func (p *Plane) At(x, y float64) float32 {
	x = min(max(x, 0), float64(p.W-1))
	y = min(max(y, 0), float64(p.H-1))
	i, j := min(int(x), max(p.W-2, 0)), min(int(y), max(p.H-2, 0))
	fx, fy := float32(x-float64(i)), float32(y-float64(j))
	right, below := min(1, p.W-1), min(1, p.H-1)*p.W
	v := p.V[j*p.W+i:]
	top := v[0] + fx*(v[right]-v[0])
	bottom := v[below] + fx*(v[below+right]-v[below])
	return top + fy*(bottom-top)
}

// Inverted returns the negative, in which a dark theme becomes dark ink on light paper.
func (p *Plane) Inverted() *Plane {
	n := NewPlane(p.W, p.H)
	for i, v := range p.V {
		n.V[i] = 1 - v
	}
	return n
}

// A Frame is a gray picture of a part of an image, and how to get from one to the other: a point of
// the image is origin + scale * a point of the plane.
type Frame struct {
	*Plane
	origin Point
	scale  float64
}

// ToImage returns the point of the image that a point of the plane shows.
func (f *Frame) ToImage(p Point) Point {
	return Point{f.origin.X + f.scale*p.X, f.origin.Y + f.scale*p.Y}
}

// FromImage is the reverse of ToImage.
func (f *Frame) FromImage(p Point) Point {
	return Point{(p.X - f.origin.X) / f.scale, (p.Y - f.origin.Y) / f.scale}
}

// Inverted returns the frame with the negative.
func (f *Frame) Inverted() *Frame { return &Frame{f.Plane.Inverted(), f.origin, f.scale} }

// NewFrame makes the gray picture of a part of an image, reduced so that no side is longer than
// limit pixels. A pixel is the mean of its luminance and of its darkest channel: digits are often
// printed in red, which has much luminance, and none at all in two of the channels. The picture is not
// complete if ctx is done before.
func NewFrame(ctx context.Context, img image.Image, part image.Rectangle, limit int) *Frame {
	part = part.Intersect(img.Bounds())
	long := max(part.Dx(), part.Dy())
	k := max(1, long/limit) // k*k pixels become one, exactly; the rest is left to shrink
	p := NewPlane(max(1, part.Dx()/k), max(1, part.Dy()/k))
	strip := image.NewRGBA(image.Rect(0, 0, part.Dx(), k))
	inverse := 1 / float32(k*k*2*255*256)
	for y := range p.H {
		if ctx.Err() != nil {
			break
		}
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src) // under what is transparent
		draw.Draw(strip, strip.Rect, img, image.Pt(part.Min.X, part.Min.Y+y*k), draw.Over)
		for x := range p.W {
			sum := 0
			for j := range k {
				row := strip.Pix[j*strip.Stride+x*k*4:]
				for i := 0; i < min(k*4, len(row)-3); i += 4 {
					r, g, b := int(row[i]), int(row[i+1]), int(row[i+2])
					sum += 77*r + 150*g + 29*b + 256*min(r, g, b)
				}
			}
			p.V[y*p.W+x] = float32(sum) * inverse
		}
	}
	f := &Frame{p, Point{float64(part.Min.X) + float64(k-1)/2, float64(part.Min.Y) + float64(k-1)/2}, float64(k)}
	if long = max(p.W, p.H); long > limit {
		f.shrink(float64(long) / float64(limit))
	}
	return f
}

// shrink reduces the plane by a factor from 1 to 2. It averages over four points, the width of one
// new pixel.
func (f *Frame) shrink(by float64) {
	p := NewPlane(max(1, int(float64(f.W)/by)), max(1, int(float64(f.H)/by)))
	shift, quarter := (by-1)/2, by/4
	for y := range p.H {
		for x := range p.W {
			cx, cy := float64(x)*by+shift, float64(y)*by+shift
			p.V[y*p.W+x] = (f.At(cx-quarter, cy-quarter) + f.At(cx+quarter, cy-quarter) +
				f.At(cx-quarter, cy+quarter) + f.At(cx+quarter, cy+quarter)) / 4
		}
	}
	f.origin = f.ToImage(Point{shift, shift})
	f.Plane, f.scale = p, f.scale*by
}

// sums returns the integral image: the entry for column x and row y is the sum of all values above
// and to the left, of (w+1)*(h+1) entries.
func (p *Plane) sums() []float64 {
	s := make([]float64, (p.W+1)*(p.H+1))
	for y := range p.H {
		row := 0.0
		above, here := s[y*(p.W+1):(y+1)*(p.W+1)], s[(y+1)*(p.W+1):]
		for x, v := range p.V[y*p.W : (y+1)*p.W] {
			row += float64(v)
			here[x+1] = above[x+1] + row
		}
	}
	return s
}

// darkness returns how much darker each pixel is than the mean of the square of 2r+1 pixels around
// it.
func (p *Plane) darkness(sums []float64, r int) *Plane {
	d := NewPlane(p.W, p.H)
	for y := range p.H {
		top, bottom := max(0, y-r)*(p.W+1), min(p.H, y+r+1)*(p.W+1)
		rows := float64(min(p.H, y+r+1) - max(0, y-r))
		for x := range p.W {
			left, right := max(0, x-r), min(p.W, x+r+1)
			mean := (sums[bottom+right] - sums[bottom+left] - sums[top+right] + sums[top+left]) / (rows * float64(right-left))
			d.V[y*p.W+x] = float32(mean) - p.V[y*p.W+x]
		}
	}
	return d
}

// deviation returns the root mean square of the values.
func (p *Plane) deviation() float32 {
	sum := 0.0
	for _, v := range p.V {
		sum += float64(v) * float64(v)
	}
	return float32(math.Sqrt(sum / float64(max(1, len(p.V)))))
}

// Scale returns the number of pixels of the image that are one of the plane, along a side.
func (f *Frame) Scale() float64 { return f.scale }
