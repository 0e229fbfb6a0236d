package main

import (
	"fmt"
	"image"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// A typeface has the outlines of the ten digits.
type typeface struct {
	name   string
	glyphs [10]outline
}

// An outline is a path whose y axis points down. It is 1 high and begins at the top, and its middle
// is at x = 0.
type outline []sfnt.Segment

const unit = 64 * 1024 // of the coordinates of outlines

// newTypeface reads a font. The digits of some fonts are not all of the same height, or hang below
// the line; each keeps its place, relative to the digit 1.
func newTypeface(name string, data []byte) (*typeface, error) {
	f, err := sfnt.Parse(data)
	if err != nil {
		return nil, err
	}
	t := &typeface{name: name}
	var b sfnt.Buffer
	const ppem = 1024
	for d := range t.glyphs {
		index, err := f.GlyphIndex(&b, rune('0'+d))
		if err != nil || index == 0 {
			return nil, fmt.Errorf("%s does not have the digit %d", name, d)
		}
		segments, err := f.LoadGlyph(&b, index, fixed.I(ppem), &sfnt.LoadGlyphOptions{})
		if err != nil {
			return nil, err
		}
		t.glyphs[d] = slices.Clone(outline(segments))
		if len(segments) == 0 {
			return nil, fmt.Errorf("%s draws nothing for the digit %d", name, d)
		}
	}
	box := t.glyphs[8].bounds()
	height := float64(box.Max.Y - box.Min.Y)
	if height <= 0 {
		return nil, fmt.Errorf("%s draws nothing for the digit 8", name)
	}
	for d, o := range t.glyphs {
		own := o.bounds()
		middle := float64(own.Max.X+own.Min.X) / 2
		for i := range o {
			for j := range o[i].Args {
				a := &o[i].Args[j]
				a.X = fixed.Int26_6((float64(a.X) - middle) / height * unit)
				a.Y = fixed.Int26_6((float64(a.Y) - float64(box.Min.Y)) / height * unit)
			}
		}
		t.glyphs[d] = o
	}
	return t, nil
}

// dots is a typeface of 3x5 dots, with a row in an octal digit, as terminals and old displays have.
var dots = func() *typeface {
	t := &typeface{name: "dots"}
	for d, rows := range [10]int{0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71111, 0o75757, 0o75717} {
		const side = unit / 5
		for y := range 5 {
			for x := range 3 {
				if rows>>(3*(4-y)+2-x)&1 != 0 {
					left, top := fixed.Int26_6(side*x-side*3/2), fixed.Int26_6(side*y)
					t.glyphs[d] = append(t.glyphs[d], rectangle(left, top, left+side, top+side)...)
				}
			}
		}
	}
	return t
}()

func rectangle(x0, y0, x1, y1 fixed.Int26_6) outline {
	to := func(op sfnt.SegmentOp, x, y fixed.Int26_6) sfnt.Segment {
		return sfnt.Segment{Op: op, Args: [3]fixed.Point26_6{{X: x, Y: y}}}
	}
	return outline{to(sfnt.SegmentOpMoveTo, x0, y0), to(sfnt.SegmentOpLineTo, x1, y0), to(sfnt.SegmentOpLineTo, x1, y1), to(sfnt.SegmentOpLineTo, x0, y1)}
}

func (o outline) bounds() fixed.Rectangle26_6 { return sfnt.Segments(o).Bounds() }

// typefaces are fonts, in the order of their names.
type typefaces struct {
	printed []*typeface
	byHand  []*typeface // those that look handwritten
	unknown []*typeface // more of them, which the network does not learn: they measure it
}

// readTypefaces reads the fonts in a folder and below. Those that no Sudoku is in are left out.
func readTypefaces(folder string) (*typefaces, error) {
	var faces typefaces
	seen := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if extension := filepath.Ext(name); extension != ".ttf" && extension != ".otf" || seen[name] || contains(name, unusual) {
			return nil
		}
		seen[name] = true
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		face, err := newTypeface(name, data)
		switch {
		case err != nil: // it does not have digits
		case contains(name, unknown):
			faces.unknown = append(faces.unknown, face)
		case contains(name, byHand):
			faces.byHand = append(faces.byHand, face)
		default:
			faces.printed = append(faces.printed, face)
		}
		return nil
	})
	for _, list := range [][]*typeface{faces.printed, faces.byHand, faces.unknown} {
		slices.SortFunc(list, func(a, b *typeface) int { return strings.Compare(a.name, b.name) })
	}
	return &faces, err
}

// Parts of the names of fonts, in lower case.
var (
	unusual = []string{"symbol", "d050000l", "thin", "hairline", "extralight", "math", "biolinum_k", "libertine_m", "libertine_d", "script-", "scriptstd", "z003", "chorus",
		"italic", "oblique", "bdita", "bi.", "ptf56", "ptf76", "pts56", "pts76", "ri.", "rbi", "rz", "_i.", "basi."}
	byHand  = []string{"breip", "becausewe", "ecolier", "humor-sans", "klee", "kristi", "yuseimagic", "dkg", "setofont"}
	unknown = []string{"delphine", "femkeklaver", "kiloji", "rufscript", "stevehand"}
)

func contains(name string, parts []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// A shape says how a digit differs from its outline: it is stretched sideways, it leans, and it
// wobbles by an amount, as waves that begin at a phase.
type shape struct{ wide, slant, wobble, phase float64 }

// draw mixes a tone into the plane wherever the outline covers it. The outline's top middle is at
// (x, y), and it is height pixels high.
func (o outline) draw(p *grid.Plane, x, y, height float64, s shape, tone float32) {
	left, top := int(x-height*1.2)-2, int(y-height*0.4)-2
	w, h := int(height*2.4)+4, int(height*1.8)+4
	r := vector.NewRasterizer(w, h)
	at := func(a fixed.Point26_6) (float32, float32) {
		gx, gy := float64(a.X)/unit, float64(a.Y)/unit
		wx := s.wobble * math.Sin(5*gy+s.phase)
		wy := s.wobble * math.Sin(7*gx+1.7*s.phase)
		return float32(x + height*(gx*s.wide+s.slant*(0.5-gy)+wx) - float64(left)), float32(y + height*(gy+wy) - float64(top))
	}
	for _, segment := range o {
		ax, ay := at(segment.Args[0])
		bx, by := at(segment.Args[1])
		cx, cy := at(segment.Args[2])
		switch segment.Op {
		case sfnt.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			r.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			r.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			r.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	r.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	r.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	for j := max(0, -top); j < h && top+j < p.H; j++ {
		for i := max(0, -left); i < w && left+i < p.W; i++ {
			if a := float32(mask.Pix[j*mask.Stride+i]) / 255; a > 0 {
				v := &p.V[(top+j)*p.W+left+i]
				*v += a * (*v*tone - *v)
			}
		}
	}
}
