package raster

import (
	"image"
	"slices"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// ownFont returns the font of this package.
func ownFont(bold bool) (*opentype.Font, error) {
	if bold {
		return opentype.Parse(gobold.TTF)
	}
	return opentype.Parse(goregular.TTF)
}

// Missing returns the characters of a picture that it does not show as readers expect: those that neither
// the package's own font nor the given ones have, and letters that are joined or run from right to left,
// which are drawn one by one from left to right. Each is there once, in the order of the picture.
func Missing(l *diagram.Layout, fonts []*opentype.Font) ([]rune, error) {
	own, err := ownFont(false)
	if err != nil {
		return nil, err
	}
	all := append([]*opentype.Font{own}, fonts...)
	seen := make(map[rune]bool)
	var missing []rune
	for _, g := range l.Groups() {
		for _, s := range g.Shapes {
			for _, span := range s.Spans {
				for _, r := range span.Text {
					if !seen[r] && (unicode.In(r, joined...) || !slices.ContainsFunc(all, func(f *opentype.Font) bool { return Has(f, r) })) {
						missing = append(missing, r)
					}
					seen[r] = true
				}
			}
		}
	}
	return missing, nil
}

// joined are scripts whose letters change with their neighbours or run from right to left.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Mongolian,
}

// Has reports whether a font can draw a character.
func Has(f *opentype.Font, r rune) bool {
	var b sfnt.Buffer
	glyph, err := f.GlyphIndex(&b, r)
	if err == nil && glyph != 0 {
		_, err = f.LoadGlyph(&b, glyph, fixed.I(16), nil) // a colour picture has no outline
	}
	return err == nil && glyph != 0
}

// A face is several fonts of one size. It draws a character with the first font that has it.
type face struct {
	font.Face // of the first
	fonts     []*opentype.Font
	faces     []font.Face
	chosen    map[rune]font.Face
}

func newFace(size float64, fonts []*opentype.Font) (*face, error) {
	f := &face{fonts: fonts, chosen: make(map[rune]font.Face)}
	for _, one := range fonts {
		opened, err := opentype.NewFace(one, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			return nil, err
		}
		f.faces = append(f.faces, opened)
	}
	f.Face = f.faces[0]
	return f, nil
}

func (f *face) choose(r rune) font.Face {
	if f.chosen[r] == nil {
		i := slices.IndexFunc(f.fonts, func(one *opentype.Font) bool { return Has(one, r) })
		f.chosen[r] = f.faces[max(0, i)]
	}
	return f.chosen[r]
}

func (f *face) Glyph(dot fixed.Point26_6, r rune) (image.Rectangle, image.Image, image.Point, fixed.Int26_6, bool) {
	return f.choose(r).Glyph(dot, r)
}

func (f *face) GlyphAdvance(r rune) (fixed.Int26_6, bool) { return f.choose(r).GlyphAdvance(r) }
