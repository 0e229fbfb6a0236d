// Package raster draws the pictures of package [diagram] with pixels. It is a package of its own so
// that programs without it link neither a font nor the packages for images.
//
//	layout, err := diagram.New(chart).Layout(ctx)
//	…
//	err = raster.WritePNG(w, layout, raster.Options{})
package raster

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// MaxScale is the greatest [Options.Scale].
const MaxScale = 4

// maxPixels is how many pixels a picture has at most: 400 MB.
const maxPixels = 100_000_000

// Options are options of [WritePNG] and [Draw].
type Options struct {
	Theme diagram.Theme
	Marks map[string]diagram.Mark // by the IDs of nodes and edges
	Scale int                     // pixels of the image for a pixel of the layout, 1 to MaxScale; 0 is 2
	Fonts []*opentype.Font        // for characters that Go's own font lacks; see [Missing]
}

// WritePNG writes the picture of a layout as PNG. It fails if the picture has more than a hundred
// million pixels.
func WritePNG(w io.Writer, l *diagram.Layout, opts Options) error {
	picture, err := Draw(l, opts)
	if err != nil {
		return err
	}
	return png.Encode(w, picture)
}

// Draw returns the picture of a layout. Its errors are those of WritePNG.
func Draw(l *diagram.Layout, opts Options) (*image.RGBA, error) {
	if opts.Scale == 0 {
		opts.Scale = 2
	}
	if opts.Scale < 1 || opts.Scale > MaxScale {
		return nil, fmt.Errorf("raster: %d is not a scale: want 1 to %d", opts.Scale, MaxScale)
	}
	width, height := l.Width*opts.Scale, l.Height*opts.Scale
	if width > maxPixels/max(height, 1) {
		return nil, fmt.Errorf("raster: a picture of %d by %d pixels is too large: want at most %d pixels; try a smaller scale, or SVG", width, height, maxPixels)
	}
	c := &canvas{image: image.NewRGBA(image.Rect(0, 0, width, height)), scale: float64(opts.Scale), fonts: opts.Fonts, faces: make(map[faceOf]font.Face)}
	draw.Draw(c.image, c.image.Bounds(), image.NewUniform(colour(opts.Theme.Paint("paper", diagram.Plain).Fill)), image.Point{}, draw.Src)
	for _, g := range l.Groups() {
		mark := diagram.Plain
		if g.Node != nil {
			mark = opts.Marks[g.Node.ID]
		} else if g.Edge != nil {
			mark = opts.Marks[g.Edge.ID]
		}
		for _, s := range g.Shapes {
			if s.Kind == diagram.Words {
				if err := c.words(s, opts.Theme, mark); err != nil {
					return nil, err
				}
				continue
			}
			c.shape(s, opts.Theme.Paint(s.Class, mark))
		}
	}
	return c.image, nil
}

// A canvas is an image that is being drawn. Its points are in pixels of the layout.
type canvas struct {
	image      *image.RGBA
	scale      float64
	rasterizer vector.Rasterizer
	fonts      []*opentype.Font
	faces      map[faceOf]font.Face
}

type faceOf struct {
	size int
	bold bool
}

// A point is a place in the picture of the layout.
type point struct{ x, y float64 }

func at(p diagram.Point) point { return point{float64(p.X), float64(p.Y)} }

func colour(hex string) color.RGBA {
	n, err := strconv.ParseUint(hex[1:], 16, 24)
	if err != nil {
		panic(err) // a theme is at fault
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

func (c *canvas) shape(s diagram.Shape, p diagram.Paint) {
	var outline []point
	closed := true
	switch s.Kind {
	case diagram.Box:
		outline = roundRect(s.Rect, float64(s.Radius))
	case diagram.Circle:
		r := float64(s.Rect.W) / 2
		outline = arc(point{float64(s.Rect.X) + r, float64(s.Rect.Y) + r}, r, 0, 2*math.Pi)
	case diagram.Stroke:
		outline, closed = rounded(s), false
	case diagram.Arrow:
		for _, q := range s.Head() {
			outline = append(outline, at(q))
		}
	}
	if p.Fill != "" {
		c.fill(outline, colour(p.Fill))
	}
	if p.Stroke == "" {
		return
	}
	if closed {
		outline = append(outline, outline[0])
	}
	if p.Dashed {
		c.dashes(outline, p)
		return
	}
	for i := 1; i < len(outline); i++ {
		c.line(outline[i-1], outline[i], p.Width, colour(p.Stroke))
	}
}

// line draws a straight line. Its ends are round, so that lines form corners.
func (c *canvas) line(a, b point, width float64, stroke color.RGBA) {
	r := width / 2
	if a.x == b.x || a.y == b.y {
		c.fill([]point{
			{min(a.x, b.x) - r, min(a.y, b.y) - r}, {max(a.x, b.x) + r, min(a.y, b.y) - r},
			{max(a.x, b.x) + r, max(a.y, b.y) + r}, {min(a.x, b.x) - r, max(a.y, b.y) + r},
		}, stroke)
		return
	}
	angle := math.Atan2(b.y-a.y, b.x-a.x)
	c.fill(append(arc(b, r, angle-math.Pi/2, angle+math.Pi/2), arc(a, r, angle+math.Pi/2, angle+3*math.Pi/2)...), stroke)
}

// dashes draws a horizontal or vertical line with dashes.
func (c *canvas) dashes(line []point, p diagram.Paint) {
	a, b := line[0], line[len(line)-1]
	length := math.Hypot(b.x-a.x, b.y-a.y)
	for d := 0.0; d < length; d += 8 {
		on := func(d float64) point {
			d = min(d, length) / length
			return point{a.x + (b.x-a.x)*d, a.y + (b.y-a.y)*d}
		}
		c.line(on(d), on(d+4), p.Width, colour(p.Stroke))
	}
}

// fill fills a polygon. It rasterizes only the rectangle around it.
func (c *canvas) fill(outline []point, fill color.RGBA) {
	low, high := outline[0], outline[0]
	for _, p := range outline {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	left, top := math.Floor(low.x*c.scale), math.Floor(low.y*c.scale)
	c.rasterizer.Reset(int(math.Ceil(high.x*c.scale)-left), int(math.Ceil(high.y*c.scale)-top))
	for i, p := range outline {
		x, y := float32(p.x*c.scale-left), float32(p.y*c.scale-top)
		if i == 0 {
			c.rasterizer.MoveTo(x, y)
		} else {
			c.rasterizer.LineTo(x, y)
		}
	}
	c.rasterizer.ClosePath()
	c.rasterizer.Draw(c.image, c.rasterizer.Bounds().Add(image.Pt(int(left), int(top))), image.NewUniform(fill), image.Point{})
}

// arc returns points on a circle.
func arc(center point, r, from, to float64) []point {
	const steps = 32 // of a whole circle
	n := max(2, int(math.Ceil((to-from)/(2*math.Pi)*steps)))
	var all []point
	for i := range n + 1 {
		angle := from + (to-from)*float64(i)/float64(n)
		all = append(all, point{center.x + r*math.Cos(angle), center.y + r*math.Sin(angle)})
	}
	return all
}

func roundRect(r diagram.Rect, radius float64) []point {
	left, top := float64(r.X)+radius, float64(r.Y)+radius
	right, bottom := float64(r.X+r.W)-radius, float64(r.Y+r.H)-radius
	all := arc(point{right, top}, radius, -math.Pi/2, 0)
	all = append(all, arc(point{right, bottom}, radius, 0, math.Pi/2)...)
	all = append(all, arc(point{left, bottom}, radius, math.Pi/2, math.Pi)...)
	return append(all, arc(point{left, top}, radius, math.Pi, 3*math.Pi/2)...)
}

// rounded returns the points of a line with its corners.
func rounded(s diagram.Shape) []point {
	all := []point{at(s.Points[0])}
	for _, k := range s.Corners() {
		a, b, d := at(k.From), at(k.At), at(k.To)
		const steps = 6
		for i := range steps + 1 {
			t := float64(i) / steps
			u := 1 - t
			all = append(all, point{u*u*a.x + 2*u*t*b.x + t*t*d.x, u*u*a.y + 2*u*t*b.y + t*t*d.y})
		}
	}
	return append(all, at(s.Points[len(s.Points)-1]))
}

// words draws a text.
func (c *canvas) words(s diagram.Shape, theme diagram.Theme, mark diagram.Mark) error {
	d := font.Drawer{Dst: c.image}
	pen := fixed.Point26_6{X: fixed.Int26_6(float64(s.Points[0].X) * c.scale * 64), Y: fixed.Int26_6(float64(s.Points[0].Y) * c.scale * 64)}
	if s.Middle {
		for _, span := range s.Spans {
			face, err := c.face(s.Size, span.Bold)
			if err != nil {
				return err
			}
			d.Face = face
			pen.X -= d.MeasureString(span.Text) / 2
		}
	}
	for _, span := range s.Spans {
		face, err := c.face(s.Size, span.Bold)
		if err != nil {
			return err
		}
		d.Face, d.Dot = face, pen
		d.Src = image.NewUniform(colour(theme.Paint(span.Class, mark).Fill))
		d.DrawString(span.Text)
		pen = d.Dot
	}
	return nil
}

func (c *canvas) face(size int, bold bool) (font.Face, error) {
	key := faceOf{size, bold}
	if f := c.faces[key]; f != nil {
		return f, nil
	}
	own, err := ownFont(bold)
	if err != nil {
		return nil, err
	}
	f, err := newFace(float64(size)*c.scale, append([]*opentype.Font{own}, c.fonts...))
	c.faces[key] = f
	return f, err
}
