package film

import (
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The size of a cell in pixels, and that of the font: its letters are 0.6 em wide.
const (
	cellWidth  = 10
	cellHeight = 20
	baseline   = 16
	fontSize   = cellWidth / 0.6
)

// A painter paints frames.
type painter struct {
	image  *image.RGBA
	levels int // of a glyph's edge: how many blends of ink and paper there are
	faces  [2]font.Face
	masks  map[glyph]*image.Alpha
}

// A glyph is a character in a face.
type glyph struct {
	text string
	bold bool
}

func newPainter(levels int) *painter {
	p := &painter{image: image.NewRGBA(image.Rectangle{}), levels: levels, masks: map[glyph]*image.Alpha{}}
	for i, ttf := range [][]byte{gomono.TTF, gomonobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err == nil {
			p.faces[i], err = opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72, Hinting: font.HintingFull})
		}
		if err != nil {
			panic(err) // the fonts are part of the program
		}
	}
	return p
}

// paint paints an area of a frame, and returns its pixels. The picture grows to the size of
// the frame; it does not shrink.
func (p *painter) paint(f *Frame, area image.Rectangle) image.Rectangle {
	if size := image.Rect(0, 0, f.Width*cellWidth, f.Height*cellHeight); !size.In(p.image.Bounds()) {
		old := p.image
		p.image = image.NewRGBA(size.Union(old.Bounds()))
		draw.Draw(p.image, p.image.Bounds(), image.Black, image.Point{}, draw.Src)
		draw.Draw(p.image, old.Bounds(), old, image.Point{}, draw.Src)
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			p.cell(x*cellWidth, y*cellHeight, &f.Cells[y*f.Width+x])
		}
	}
	return image.Rect(area.Min.X*cellWidth, area.Min.Y*cellHeight, area.Max.X*cellWidth, area.Max.Y*cellHeight)
}

// cell paints a cell whose upper left corner is at x, y.
func (p *painter) cell(x, y int, c *Cell) {
	box := image.Rect(x, y, x+cellWidth, y+cellHeight)
	draw.Draw(p.image, box, image.NewUniform(c.Paper), image.Point{}, draw.Src)
	if c.empty() {
		return
	}
	fill := func(left, top, right, bottom int, ink color.RGBA) {
		draw.Draw(p.image, image.Rect(left, top, right, bottom).Add(box.Min).Intersect(box), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	if !figure(c, fill) {
		mask := p.mask(glyph{c.Text, c.Bold})
		for dy := range cellHeight {
			for dx := range cellWidth {
				if a := int(mask.Pix[dy*mask.Stride+dx]); a > 0 {
					p.image.SetRGBA(x+dx, y+dy, blend(c.Paper, c.Ink, a, p.levels))
				}
			}
		}
	}
	if c.Underline {
		fill(0, cellHeight-3, cellWidth, cellHeight-2, c.Ink)
	}
	if c.Strike {
		fill(0, cellHeight/2, cellWidth, cellHeight/2+1, c.Ink)
	}
}

// blend returns the mixture of two colours with part of so many parts of the second.
func blend(a, b color.RGBA, part, of int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(of-part) + int(b)*part) / of) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// similar replaces characters that the fonts do not have.
var similar = strings.NewReplacer("▾", "▼", "▴", "▲", "▸", "►", "◂", "◄", "✓", "√", "✗", "x", "⌫", "←", "⏎", "←", "★", "*", "☆", "*")

// mask returns how much of each pixel of a cell a glyph covers, from 0 to p.levels.
func (p *painter) mask(g glyph) *image.Alpha {
	if m, ok := p.masks[g]; ok {
		return m
	}
	face := p.faces[0]
	if g.bold {
		face = p.faces[1]
	}
	m := image.NewAlpha(image.Rect(0, 0, cellWidth, cellHeight))
	for _, r := range similar.Replace(g.text) { // marks are painted over the character
		d := font.Drawer{Dst: m, Src: image.Opaque, Face: face, Dot: fixed.P(0, baseline)}
		d.DrawString(string(r))
	}
	for i, a := range m.Pix {
		m.Pix[i] = uint8((int(a)*p.levels + 127) / 255)
	}
	p.masks[g] = m
	return m
}
