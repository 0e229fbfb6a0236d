package picture

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A face has the outlines of a font. It is not safe for concurrent use.
type face struct {
	name   string // in a document
	font   *sfnt.Font
	buffer sfnt.Buffer
	glyphs map[rune]*glyph
}

// A glyph is the outline of a character in units of 1 em, relative to its origin on
// the baseline, with y downwards.
type glyph struct {
	advance  float64
	segments []segment
	min, max point // a rectangle around all points
}

// A segment leads from the end of the previous one to the last of its points.
type segment struct {
	op     sfnt.SegmentOp
	points [3]point // the number used depends on op
}

type point struct{ x, y float64 }

// faces returns the two faces of all text.
func faces() (regular, bold *face) {
	return newFace("r", goregular.TTF), newFace("b", gobold.TTF)
}

func newFace(name string, ttf []byte) *face {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return &face{name: name, font: f, glyphs: map[rune]*glyph{}}
}

// glyph returns the outline of a character, or a box if the font does not have it.
func (f *face) glyph(r rune) *glyph {
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	em := fixed.I(int(f.font.UnitsPerEm()))
	scale := 1 / float64(em)
	index, err := f.font.GlyphIndex(&f.buffer, r)
	if err != nil {
		index = 0
	}
	g := &glyph{}
	if advance, err := f.font.GlyphAdvance(&f.buffer, index, em, font.HintingNone); err == nil {
		g.advance = float64(advance) * scale
	}
	segments, err := f.font.LoadGlyph(&f.buffer, index, em, nil)
	if err != nil {
		segments = nil
	}
	for _, s := range segments {
		made := segment{op: s.Op}
		for i, p := range s.Args[:operands(s.Op)] {
			q := point{float64(p.X) * scale, float64(p.Y) * scale}
			made.points[i] = q
			g.min, g.max = point{min(g.min.x, q.x), min(g.min.y, q.y)}, point{max(g.max.x, q.x), max(g.max.y, q.y)}
		}
		g.segments = append(g.segments, made)
	}
	f.glyphs[r] = g
	return g
}

// width returns the width of a text of size 1.
func (f *face) width(text string) (width float64) {
	for _, r := range text {
		width += f.glyph(r).advance
	}
	return width
}

// fit cuts a text that is too wide and appends "…".
func (f *face) fit(text string, size, width float64) string {
	if f.width(text)*size <= width {
		return text
	}
	used := f.glyph('…').advance * size
	for i, r := range text {
		if used += f.glyph(r).advance * size; used > width {
			return text[:i] + "…"
		}
	}
	return text
}

// digitHeight returns the height of digits of size 1.
func (f *face) digitHeight() float64 { return -f.glyph('1').min.y }

// operands returns the number of points of a segment.
func operands(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	}
	return 1
}
