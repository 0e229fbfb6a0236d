package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// photograph takes a bad picture of a page, with cells of about the given size, and returns it with
// the corners of the grid. It is not level, not sharp, lit unevenly, noisy and compressed.
func photograph(random *rand.Rand, p *page, cell float64) (*grid.Plane, grid.Quad) {
	side := 10.6 * cell
	turn := random.NormFloat64() * 0.03
	sin, cos := math.Sincos(turn)
	tilt := func() float64 { return random.NormFloat64() * 0.012 }
	tiltX, tiltY, bend := tilt(), tilt(), random.NormFloat64()*0.04
	if chance(random, 0.5) {
		bend = 0
	}
	bendAt, bendAlong := between(random, 0.25, 0.6), chance(random, 0.5)
	// toPage maps the picture to grid coordinates.
	toPage := func(x, y float64) (u, v float64) {
		x, y = (x-side/2)/cell, (y-side/2)/cell
		x, y = cos*x-sin*y, sin*x+cos*y
		z := 1 + tiltX*x + tiltY*y
		u, v = 4.5+x/z, 4.5+y/z
		if bendAlong {
			v += bend * math.Sin(bendAt*u+bendAt)
		} else {
			u += bend * math.Sin(bendAt*v+bendAt)
		}
		return u, v
	}
	picture := grid.NewPlane(int(side), int(side))
	for y := range picture.H {
		for x := range picture.W {
			u, v := toPage(float64(x), float64(y))
			picture.V[y*picture.W+x] = p.At((u+1)*p.cell-0.5, (v+1)*p.cell-0.5)
		}
	}
	var corners grid.Quad
	for i, c := range []grid.Point{{X: 0, Y: 0}, {X: 9, Y: 0}, {X: 9, Y: 9}, {X: 0, Y: 9}} {
		x, y := side/2, side/2
		for range 30 { // toward the point that is the corner
			u, v := toPage(x, y)
			x, y = x+(c.X-u)*cell*0.9, y+(c.Y-v)*cell*0.9
		}
		corners[i] = grid.Point{X: x + random.NormFloat64()*0.05*cell, Y: y + random.NormFloat64()*0.05*cell}
	}

	light(random, picture)
	if chance(random, 0.8) {
		sigma := math.Pow(random.Float64(), 1.2) * 0.16 * p.height * cell
		blur(picture, sigma*between(random, 0.7, 1.3), sigma*between(random, 0.7, 1.3))
	}
	if chance(random, 0.7) {
		noise(random, picture, math.Pow(random.Float64(), 2.5)*0.05)
	}
	if chance(random, 0.3) {
		sharpen(picture, between(random, 0.3, 1.2), between(random, 1, 2.5))
	}
	if chance(random, 0.6) {
		compress(picture, 10+random.IntN(80))
	}
	return picture, corners
}

// light makes a picture darker on one side, with less contrast, and sometimes throws a shadow on it.
func light(random *rand.Rand, p *grid.Plane) {
	gx, gy := random.NormFloat64()*0.25, random.NormFloat64()*0.25
	level := between(random, 0.45, 1)
	haze := between(random, 0, 0.25)
	shadow, at, slope, soft := 1.0, 0.0, 0.0, 1.0
	if chance(random, 0.25) {
		shadow, at, slope, soft = between(random, 0.4, 0.9), between(random, -0.5, 0.5), random.NormFloat64(), between(random, 2, 60)
	}
	for y := range p.H {
		for x := range p.W {
			s, t := float64(x)/float64(p.W)-0.5, float64(y)/float64(p.H)-0.5
			k := level * math.Max(0.3, 1+gx*s+gy*t)
			if shadow < 1 {
				k *= shadow + (1-shadow)/(1+math.Exp(-soft*(s+slope*t-at)))
			}
			v := &p.V[y*p.W+x]
			*v = float32(k * (haze + (1-haze)*float64(*v)))
		}
	}
}

// blur is a Gaussian blur, of three box blurs in each direction.
func blur(p *grid.Plane, sigmaX, sigmaY float64) {
	line := make([]float32, max(p.W, p.H))
	for range 3 {
		for y := range p.H {
			box(p.V[y*p.W:], line[:p.W], 1, sigmaX)
		}
		for x := range p.W {
			box(p.V[x:], line[:p.H], p.W, sigmaY)
		}
	}
}

// box replaces each value of a line by the mean around it, of a width that has a third of the
// variance sigma*sigma. The values at the ends of the window count in part.
func box(v, line []float32, stride int, sigma float64) {
	half := float32((math.Sqrt(4*sigma*sigma+1) - 1) / 2)
	whole := int(half)
	part := half - float32(whole)
	n := len(line)
	for i := range line {
		line[i] = v[i*stride]
	}
	get := func(i int) float32 { return line[min(max(i, 0), n-1)] }
	sum := float32(0)
	for i := -whole; i <= whole; i++ {
		sum += get(i)
	}
	for i := range line {
		v[i*stride] = (sum + part*(get(i-whole-1)+get(i+whole+1))) / (2*half + 1)
		sum += get(i+whole+1) - get(i-whole)
	}
}

// noise adds noise: grains of one pixel and more.
func noise(random *rand.Rand, p *grid.Plane, amount float64) {
	n := grid.NewPlane(p.W, p.H)
	for i := range n.V {
		n.V[i] = float32(random.NormFloat64() * amount)
	}
	if chance(random, 0.5) {
		sigma := between(random, 0.5, 2)
		blur(n, sigma, sigma)
		for i := range n.V {
			n.V[i] *= float32(2 * sigma)
		}
	}
	for i := range p.V {
		p.V[i] = min(max(p.V[i]+n.V[i], 0), 1)
	}
}

// sharpen adds the difference to a blurred picture, as cameras do.
func sharpen(p *grid.Plane, amount, sigma float64) {
	soft := grid.NewPlane(p.W, p.H)
	copy(soft.V, p.V)
	blur(soft, sigma, sigma)
	for i, v := range p.V {
		p.V[i] = min(max(v+float32(amount)*(v-soft.V[i]), 0), 1)
	}
}

// compress leaves what JPEG keeps.
func compress(p *grid.Plane, quality int) {
	gray := image.NewGray(image.Rect(0, 0, p.W, p.H))
	for i, v := range p.V {
		gray.Pix[i] = uint8(min(max(v, 0), 1)*255 + 0.5)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, gray, &jpeg.Options{Quality: quality}); err != nil {
		panic(err) // a buffer takes everything
	}
	img, err := jpeg.Decode(&b)
	if err != nil {
		panic(err)
	}
	for i := range p.V {
		p.V[i] = float32(img.(*image.Gray).GrayAt(i%p.W, i/p.W).Y) / 255
	}
}
