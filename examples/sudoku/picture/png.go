package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// Sizes in pixels at scale 1. The lines of the board are on whole pixels.
const (
	cellPixels   = 48
	marginPixels = 6
	sizePixels   = boardSize*cellPixels + 2*marginPixels
)

// MaxScale is the largest scale of a PNG.
const MaxScale = 4

// A Ground is what a picture is drawn on.
type Ground bool

const (
	Transparent Ground = false
	White       Ground = true
)

// PNG writes a picture of a game: the board, digits and notes on a transparent ground,
// or on a white one. At scale 1 it has 447 by 447 pixels. The scale is 1 to [MaxScale].
func PNG(w io.Writer, g *format.Game, scale int, ground Ground) error {
	p, err := newPixels(scale, ground)
	if err != nil {
		return err
	}
	regular, bold := faces()
	b := board{p, regular, bold}
	b.draw(float64(marginPixels*scale), float64(marginPixels*scale), float64(cellPixels*scale), g)
	return png.Encode(w, p.image)
}

// pixels is the canvas of a PNG.
type pixels struct {
	image      *image.RGBA
	rasterizer vector.Rasterizer
}

// newPixels returns an empty picture.
func newPixels(scale int, ground Ground) (*pixels, error) {
	if scale < 1 || scale > MaxScale {
		return nil, fmt.Errorf("picture: %d is not a scale: want 1 to %d", scale, MaxScale)
	}
	size := sizePixels * scale
	p := &pixels{image: image.NewRGBA(image.Rect(0, 0, size, size))}
	if ground == White {
		draw.Draw(p.image, p.image.Bounds(), image.White, image.Point{}, draw.Src)
	}
	return p, nil
}

func (p *pixels) rectangle(x, y, width, height float64, c colour) {
	r := image.Rect(int(math.Round(x)), int(math.Round(y)), int(math.Round(x+width)), int(math.Round(y+height)))
	draw.Draw(p.image, r, image.NewUniform(c.opaque()), image.Point{}, draw.Src)
}

func (c colour) opaque() color.RGBA { return color.RGBA{c.r, c.g, c.b, 0xff} }

func (p *pixels) text(x, y, size float64, f *face, text string, c colour) {
	for _, r := range text {
		g := f.glyph(r)
		p.fill(x, y, size, g, c)
		x += g.advance * size
	}
}

func (p *pixels) notes(at point, cell float64, digits human.Digits, f *face, c colour) {
	b := board{canvas: p}
	for d := range digits.All() {
		at := at.plus(noteAt(d).times(cell))
		b.digit(at.x, at.y, noteSize*cell, f, d, c)
	}
}

func (p *pixels) circle(at point, radius float64, fill *colour, width float64, edge colour) {
	p.figure(ring(at, radius), fill, width, edge)
}

func (p *pixels) figure(o outline, fill *colour, width float64, edge colour) {
	if fill != nil {
		p.area(o, *fill)
	}
	if width > 0 {
		p.stroke(o, width, 0, edge)
	}
}

func (p *pixels) stroke(o outline, width, dash float64, c colour) { p.area(o.stroked(width, dash), c) }

// area fills an outline.
func (p *pixels) area(o outline, c colour) {
	if len(o) == 0 {
		return
	}
	g := &glyph{segments: o, min: o[0].points[0], max: o[0].points[0]}
	for _, s := range o {
		for _, q := range s.points[:operands(s.op)] {
			g.min, g.max = point{min(g.min.x, q.x), min(g.min.y, q.y)}, point{max(g.max.x, q.x), max(g.max.y, q.y)}
		}
	}
	p.fill(0, 0, 1, g, c)
}

// fill draws a glyph. It rasterizes only the rectangle around it.
func (p *pixels) fill(x, y, size float64, g *glyph, c colour) {
	left, top := math.Floor(x+g.min.x*size), math.Floor(y+g.min.y*size)
	p.rasterizer.Reset(int(math.Ceil(x+g.max.x*size)-left), int(math.Ceil(y+g.max.y*size)-top))
	at := func(q point) (float32, float32) {
		return float32(x + q.x*size - left), float32(y + q.y*size - top)
	}
	for _, s := range g.segments {
		ax, ay := at(s.points[0])
		bx, by := at(s.points[1])
		cx, cy := at(s.points[2])
		switch s.op {
		case sfnt.SegmentOpMoveTo:
			p.rasterizer.ClosePath()
			p.rasterizer.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			p.rasterizer.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			p.rasterizer.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			p.rasterizer.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	p.rasterizer.ClosePath()
	where := p.rasterizer.Bounds().Add(image.Pt(int(left), int(top)))
	p.rasterizer.Draw(p.image, where, image.NewUniform(c.opaque()), image.Point{})
}
