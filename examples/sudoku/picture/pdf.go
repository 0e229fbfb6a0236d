package picture

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font/sfnt"
)

// A pdf writes a PDF 1.4 (see ISO 32000-1) page by page. It keeps only the offsets
// of objects until the end.
type pdf struct {
	w       io.Writer
	err     error // the first write error
	written int
	offsets []int // of objects, by number; 0 is not used
	pages   []int // object numbers of pages
	fonts   []*pdfFont
	paper   Paper
}

// The objects with fixed numbers.
const (
	pdfCatalog = 1 + iota
	pdfPages
	pdfFonts // and following numbers
)

func newPDF(w io.Writer, paper Paper, faces ...*face) *pdf {
	d := &pdf{w: w, paper: paper, offsets: make([]int, pdfFonts+len(faces))}
	for i, f := range faces {
		font := &pdfFont{face: f, object: pdfFonts + i, codes: map[rune]byte{}}
		font.encode("0123456789?") // reserve codes for these
		d.fonts = append(d.fonts, font)
	}
	d.print("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	return d
}

func (d *pdf) print(text string) {
	if d.err == nil {
		var n int
		n, d.err = io.WriteString(d.w, text)
		d.written += n
	}
}

// add returns the number of a new object.
func (d *pdf) add() int {
	d.offsets = append(d.offsets, 0)
	return len(d.offsets) - 1
}

// object writes an object.
func (d *pdf) object(number int, content string) {
	d.offsets[number] = d.written
	d.print(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number, content))
}

// stream writes a compressed stream.
func (d *pdf) stream(number int, content string) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = io.WriteString(z, content) // a bytes.Buffer does not fail
	_ = z.Close()
	d.object(number, fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.String()))
}

// page writes a page.
func (d *pdf) page(p *pdfPage) {
	content, page := d.add(), d.add()
	d.stream(content, p.content.String())
	d.object(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /Contents %d 0 R >>", pdfPages, content))
	d.pages = append(d.pages, page)
}

// close writes the fonts and the end of the document.
func (d *pdf) close() error {
	var fonts, kids strings.Builder
	for _, f := range d.fonts {
		f.write(d)
		fmt.Fprintf(&fonts, " /%s %d 0 R", f.face.name, f.object)
	}
	for _, page := range d.pages {
		fmt.Fprintf(&kids, " %d 0 R", page)
	}
	d.object(pdfPages, fmt.Sprintf("<< /Type /Pages /Count %d /MediaBox [0 0 %s %s] /Resources << /Font <<%s >> >>\n/Kids [%s ] >>",
		len(d.pages), number(d.paper.Width), number(d.paper.Height), fonts.String(), kids.String()))
	d.object(pdfCatalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", pdfPages))
	start := d.written
	d.print(fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)))
	for _, offset := range d.offsets[1:] {
		d.print(fmt.Sprintf("%010d 00000 n \n", offset))
	}
	d.print(fmt.Sprintf("trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(d.offsets), pdfCatalog, start))
	return d.err
}

// A pdfPage is the canvas of a page. In a PDF y grows upwards.
type pdfPage struct {
	pdf     *pdf
	content strings.Builder
	colour  *colour // the current one
}

func (p *pdfPage) paint(c colour) {
	if p.colour == nil || *p.colour != c {
		p.colour = &c
		fmt.Fprintf(&p.content, "%s %s %s rg\n", number(float64(c.r)/255), number(float64(c.g)/255), number(float64(c.b)/255))
	}
}

func (p *pdfPage) rectangle(x, y, width, height float64, c colour) {
	p.paint(c)
	fmt.Fprintf(&p.content, "%s %s %s %s re f\n", number(x), number(p.pdf.paper.Height-y-height), number(width), number(height))
}

func (p *pdfPage) text(x, y, size float64, f *face, text string, c colour) {
	if text == "" {
		return
	}
	p.paint(c)
	i := slices.IndexFunc(p.pdf.fonts, func(font *pdfFont) bool { return font.face == f })
	fmt.Fprintf(&p.content, "BT /%s %s Tf %s %s Td <%x> Tj ET\n", f.name, number(size), number(x), number(p.pdf.paper.Height-y), p.pdf.fonts[i].encode(text))
}

// A pdfFont is a font of type 3, whose glyphs are drawings. The document has only
// the used ones.
type pdfFont struct {
	face   *face
	object int
	codes  map[rune]byte
}

// pdfEm is the size of the glyphs.
const pdfEm = 1000

// encode returns the codes of the characters. A font has at most 255 different ones;
// further ones become question marks.
func (f *pdfFont) encode(text string) (codes []byte) {
	for _, r := range text {
		if _, ok := f.codes[r]; !ok && len(f.codes) < 255 {
			f.codes[r] = byte(len(f.codes) + 1)
		} else if !ok {
			r = '?'
		}
		codes = append(codes, f.codes[r])
	}
	return codes
}

// write writes the font, its glyphs and their characters.
func (f *pdfFont) write(d *pdf) {
	used := slices.SortedFunc(maps.Keys(f.codes), func(a, b rune) int { return cmp.Compare(f.codes[a], f.codes[b]) })
	var procs, names, widths, unicode strings.Builder
	for _, r := range used {
		g, code := f.face.glyph(r), f.codes[r]
		object := d.add()
		d.stream(object, g.pdf())
		fmt.Fprintf(&procs, " /g%d %d 0 R", code, object)
		fmt.Fprintf(&names, " /g%d", code)
		fmt.Fprintf(&widths, " %s", number(g.advance*pdfEm))
		fmt.Fprintf(&unicode, "<%02x> <%s>\n", code, utf16Hex(r))
	}
	toUnicode := d.add()
	d.stream(toUnicode, fmt.Sprintf("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"+
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"+
		"1 begincodespacerange\n<00> <ff>\nendcodespacerange\n%sendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n", ranges(unicode.String())))
	d.object(f.object, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [%s 0 0 %s 0 0]\n/CharProcs <<%s >>\n"+
		"/Encoding << /Type /Encoding /Differences [1%s] >>\n/FirstChar 1 /LastChar %d /Widths [%s ]\n/Resources << >> /ToUnicode %d 0 R >>",
		number(1.0/pdfEm), number(1.0/pdfEm), procs.String(), names.String(), len(used), widths.String(), toUnicode))
}

// ranges splits lines of a CMap into sections of at most 100 lines.
func ranges(lines string) string {
	var out strings.Builder
	for part := range slices.Chunk(slices.Collect(strings.Lines(lines)), 100) {
		fmt.Fprintf(&out, "%d beginbfchar\n%sendbfchar\n", len(part), strings.Join(part, ""))
	}
	return out.String()
}

// utf16Hex writes a character as UTF-16, high byte first.
func utf16Hex(r rune) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(&out, "%04x", unit)
	}
	return out.String()
}

// pdf draws a glyph.
func (g *glyph) pdf() string {
	var out strings.Builder
	scaled := func(p point) string { return fmt.Sprintf("%.0f %.0f ", p.x*pdfEm, -p.y*pdfEm) }
	fmt.Fprintf(&out, "%s 0 %s%sd1\n", number(g.advance*pdfEm), scaled(point{g.min.x, g.max.y}), scaled(point{g.max.x, g.min.y}))
	var last point
	for _, s := range g.segments {
		p := s.points
		switch s.op {
		case sfnt.SegmentOpMoveTo:
			out.WriteString(scaled(p[0]) + "m\n")
		case sfnt.SegmentOpLineTo:
			out.WriteString(scaled(p[0]) + "l\n")
		case sfnt.SegmentOpQuadTo: // as a cubic curve, since a PDF does not have quadratic ones
			a := point{last.x + 2*(p[0].x-last.x)/3, last.y + 2*(p[0].y-last.y)/3}
			b := point{p[1].x + 2*(p[0].x-p[1].x)/3, p[1].y + 2*(p[0].y-p[1].y)/3}
			out.WriteString(scaled(a) + scaled(b) + scaled(p[1]) + "c\n")
		case sfnt.SegmentOpCubeTo:
			out.WriteString(scaled(p[0]) + scaled(p[1]) + scaled(p[2]) + "c\n")
		}
		last = p[operands(s.op)-1]
	}
	return out.String() + "f\n"
}
