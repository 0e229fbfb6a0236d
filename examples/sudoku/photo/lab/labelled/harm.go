package labelled

import (
	"context"
	"image"
	"math"
	"math/rand/v2"

	"golang.org/x/image/draw"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// A Harm makes photos worse, as light, cameras and printers do.
type Harm struct {
	Name string
	do   func(random *rand.Rand, img *image.RGBA) *image.RGBA
}

// Harms are those that a reader must not be deceived by, each as weak and as strong as it comes.
var Harms = []Harm{
	{"shadow", shadow},
	{"glare", glare},
	{"noise", noise},
	{"shadow and noise", func(random *rand.Rand, img *image.RGBA) *image.RGBA { return noise(random, shadow(random, img)) }},
	{"glare and noise", func(random *rand.Rand, img *image.RGBA) *image.RGBA { return noise(random, glare(random, img)) }},
	{"cells of 20 pixels", func(_ *rand.Rand, img *image.RGBA) *image.RGBA { return small(img) }},
	{"without thin lines", func(_ *rand.Rand, img *image.RGBA) *image.RGBA { return withoutThinLines(img) }},
}

// Put returns an image with the harm.
func (h *Harm) Put(random *rand.Rand, from image.Image) image.Image {
	img := image.NewRGBA(image.Rectangle{Max: from.Bounds().Size()})
	draw.Draw(img, img.Rect, from, from.Bounds().Min, draw.Src)
	return h.do(random, img)
}

func between(random *rand.Rand, a, b float64) float64 { return a + (b-a)*random.Float64() }

// light multiplies the light of each pixel and adds to it. s and t are its place, from 0 to 1.
func light(img *image.RGBA, f func(s, t float64) (factor, more float64)) *image.RGBA {
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			factor, more := f(float64(x)/float64(img.Rect.Dx()), float64(y)/float64(img.Rect.Dy()))
			pixel := img.Pix[y*img.Stride+4*x:]
			for k := range 3 {
				pixel[k] = level(float64(pixel[k])*factor + 255*more)
			}
		}
	}
	return img
}

func level(v float64) uint8 { return uint8(min(max(v+0.5, 0), 255)) }

// shadow darkens one side of a line, or an ellipse such as a hand's, with a sharp or a soft edge.
func shadow(random *rand.Rand, img *image.RGBA) *image.RGBA {
	dark, soft := between(random, 0.25, 0.75), math.Pow(10, between(random, -3, -1))
	s0, t0 := between(random, 0.25, 0.75), between(random, 0.25, 0.75)
	sin, cos := math.Sincos(between(random, 0, 2*math.Pi))
	radius := 0.0
	if random.IntN(2) == 0 {
		radius = between(random, 0.1, 0.3)
	}
	return light(img, func(s, t float64) (factor, more float64) {
		far := cos*(s-s0) + sin*(t-t0)
		if radius > 0 {
			across := cos*(t-t0) - sin*(s-s0)
			far = math.Hypot(far/1.6, across) - radius
		}
		return dark + (1-dark)/(1+math.Exp(-far/soft)), 0
	})
}

// glare adds light around a point: in its middle, paper and print may both be white.
func glare(random *rand.Rand, img *image.RGBA) *image.RGBA {
	bright, radius := between(random, 0.3, 1.2), between(random, 0.06, 0.25)
	s0, t0, wide := between(random, 0.25, 0.75), between(random, 0.25, 0.75), between(random, 0.6, 2)
	return light(img, func(s, t float64) (factor, more float64) {
		far := math.Hypot((s-s0)/wide, t-t0) / radius
		return 1, bright * math.Exp(-far*far)
	})
}

// noise is that of a small sensor in the dark: each channel has its own, and some of it is coarse.
func noise(random *rand.Rand, img *image.RGBA) *image.RGBA {
	fine, coarse := between(random, 0.02, 0.1), between(random, 0, 0.04)
	w := img.Rect.Dx()/2 + 1
	grains := make([]float64, w*(img.Rect.Dy()/2+1))
	for i := range grains {
		grains[i] = coarse * random.NormFloat64()
	}
	for i, v := range img.Pix {
		if x, y := i%img.Stride/4, i/img.Stride; i%4 < 3 {
			img.Pix[i] = level(float64(v) + 255*(fine*random.NormFloat64()+grains[y/2*w+x/2]))
		}
	}
	return img
}

// small makes a photo so small that the cells of its grid have 20 pixels a side.
func small(img *image.RGBA) *image.RGBA {
	_, w := lines(img)
	if w == nil {
		return img
	}
	by := 9 * 20 / math.Sqrt(w.Corners().Area())
	out := image.NewRGBA(image.Rect(0, 0, int(by*float64(img.Rect.Dx())), int(by*float64(img.Rect.Dy()))))
	draw.CatmullRom.Scale(out, out.Rect, img, img.Rect, draw.Src, nil)
	return out
}

// lines returns a warp from the grid to a frame of the picture, or nil if no grid is found.
func lines(img *image.RGBA) (*grid.Frame, *grid.Warp) {
	f := grid.NewFrame(context.Background(), img, img.Rect, max(img.Rect.Dx(), img.Rect.Dy()))
	if boards := grid.Find(context.Background(), f.Plane); len(boards) > 0 {
		return f, boards[0].Warp
	}
	return f, nil
}

// withoutThinLines paints the lines between the cells of a box with what is on either side of them.
func withoutThinLines(img *image.RGBA) *image.RGBA {
	f, w := lines(img)
	if w == nil {
		return img
	}
	const reach = 0.085 // of a cell
	from := image.NewRGBA(img.Rect)
	copy(from.Pix, img.Pix)
	at := func(u, v float64) []uint8 {
		p := f.ToImage(w.At(u, v))
		x := min(max(int(math.Round(p.X)), 0), img.Rect.Dx()-1)
		y := min(max(int(math.Round(p.Y)), 0), img.Rect.Dy()-1)
		return from.Pix[from.PixOffset(x, y):]
	}
	a, b := w.Corners()[0], w.Corners()[2]
	step := 0.5 * 9 / math.Hypot(b.X-a.X, b.Y-a.Y) // less than half a pixel
	for line := 1; line < 9; line++ {
		if line%3 == 0 {
			continue
		}
		for along := 0.0; along < 9; along += step {
			if box := math.Round(along/3) * 3; math.Abs(along-box) < 0.06 {
				continue // a thick line crosses here
			}
			for off := -reach; off <= reach; off += step {
				part := (off + reach) / (2 * reach)
				for _, turned := range []bool{false, true} {
					point := func(off float64) (u, v float64) {
						if turned {
							return float64(line) + off, along
						}
						return along, float64(line) + off
					}
					before, after := at(point(-reach)), at(point(reach))
					p := f.ToImage(w.At(point(off)))
					to := image.Pt(int(math.Round(p.X)), int(math.Round(p.Y)))
					if !to.In(img.Rect) {
						continue
					}
					for k := range 3 {
						img.Pix[img.PixOffset(to.X, to.Y)+k] = uint8(float64(before[k])*(1-part) + float64(after[k])*part)
					}
				}
			}
		}
	}
	return img
}
