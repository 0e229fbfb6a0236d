package picture

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// SVG writes the same picture of a game as PNG at scale 1. Its title is the name of
// the game, or "Sudoku", and its description is the board as 81 characters.
func SVG(w io.Writer, g *format.Game) error {
	s := &svg{}
	regular, bold := faces()
	b := board{s, regular, bold}
	b.draw(marginPixels, marginPixels, cellPixels, g)
	title := g.Name
	if title == "" {
		title = "Sudoku"
	}
	grid := g.Board()
	slices.Sort(s.defs)
	return writeSVG(w, "", title, grid.String(), "", strings.Join(s.defs, ""), s.body.String())
}

// writeSVG writes a picture of the size of a board, with what is behind it.
func writeSVG(w io.Writer, attributes, title, description, ground, defs, body string) error {
	size := number(sizePixels)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%[1]s" viewBox="0 0 %[1]s %[1]s" role="img"%s>`+"\n<title>", size, attributes)
	_ = xml.EscapeText(&out, []byte(title)) // a strings.Builder does not fail
	out.WriteString("</title>\n<desc>")
	_ = xml.EscapeText(&out, []byte(description))
	fmt.Fprintf(&out, "</desc>\n%s<defs>\n%s</defs>\n%s</svg>\n", ground, defs, body)
	_, err := io.WriteString(w, out.String())
	return err
}

// svg is the canvas of an SVG. It defines each glyph once.
type svg struct {
	defs []string
	ids  map[string]bool
	body strings.Builder
}

func (s *svg) rectangle(x, y, width, height float64, c colour) {
	fmt.Fprintf(&s.body, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", number(x), number(y), number(width), number(height), c.hex())
}

func (c colour) hex() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

func (s *svg) text(x, y, size float64, f *face, text string, c colour) {
	for _, r := range text {
		id := f.name + strconv.FormatInt(int64(r), 16)
		s.define(id, f.glyph(r))
		fmt.Fprintf(&s.body, `<use href="#%s" fill="%s" transform="translate(%s %s) scale(%s)"/>`+"\n", id, c.hex(), number(x), number(y), number(size/svgEm))
		x += f.glyph(r).advance * size
	}
}

// svgEm is the size of the defined glyphs.
const svgEm = 1000

// define defines a glyph with integer coordinates.
func (s *svg) define(id string, g *glyph) {
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	if s.ids[id] {
		return
	}
	s.ids[id] = true
	var d strings.Builder
	for _, seg := range g.segments {
		d.WriteByte("MLQC"[seg.op])
		for i, p := range seg.points[:operands(seg.op)] {
			if i > 0 {
				d.WriteByte(' ')
			}
			fmt.Fprintf(&d, "%.0f %.0f", p.x*svgEm, p.y*svgEm)
		}
	}
	s.defs = append(s.defs, fmt.Sprintf("<path id=%q d=\"%sZ\"/>\n", id, d.String()))
}

// number formats a number with at most 4 decimals.
func number(x float64) string {
	text := strings.TrimRight(strconv.FormatFloat(x, 'f', 4, 64), "0")
	text = strings.TrimSuffix(text, ".")
	if text == "-0" {
		return "0"
	}
	return text
}
