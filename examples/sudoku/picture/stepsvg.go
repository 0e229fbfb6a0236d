package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A stepSVG is the surface of an SVG of a step. It is written to be small: what has the
// same colour is in one element, glyphs and sets of candidates are defined once, and
// numbers have one decimal.
type stepSVG struct {
	defs *svgDefs
	body strings.Builder
	open string // the end of the open element
	look string // its attributes
}

// svgDefs are the definitions of one or more pictures.
type svgDefs struct {
	ids   map[string]bool
	sizes []float64
	text  strings.Builder

	plain  bool // digits are text
	themed bool // colours are names of a style sheet
}

// begin continues the open element if it ends and looks like this, or begins one.
func (s *stepSVG) begin(start, look, end string) {
	if s.open == end && s.look == look {
		return
	}
	s.end()
	s.open, s.look = end, look
	fmt.Fprintf(&s.body, start, look)
}

// end ends the open element.
func (s *stepSVG) end() {
	s.body.WriteString(s.open)
	s.open = ""
}

// picture returns the elements of the picture.
func (s *stepSVG) picture() string {
	s.end()
	return s.body.String()
}

func (s *stepSVG) rectangle(x, y, width, height float64, c colour) {
	s.begin(`<path %s d="`, s.defs.paint("fill", c), "\"/>\n")
	fmt.Fprintf(&s.body, "M%s %sh%sv%sh%sz", short(x), short(y), short(width), short(height), short(-width))
}

// group begins a group of digits.
func (s *stepSVG) group(look string) { s.begin("<g %s>", look, "</g>\n") }

func (s *stepSVG) text(x, y, size float64, f *face, text string, c colour) {
	if s.defs.plain {
		s.group(s.defs.paint("fill", c) + s.defs.font(f, size))
		middle := x + f.width(text)*size/2
		fmt.Fprintf(&s.body, `<text x="%s" y="%s">%s</text>`, short(middle), short(y), text)
		return
	}
	s.group(s.defs.paint("fill", c))
	for _, r := range text {
		s.body.WriteString(use(s.defs.sized(f, r, size), point{x, y}))
		x += f.glyph(r).advance * size
	}
}

// font returns the attributes of digits that are text.
func (d *svgDefs) font(f *face, size float64) string {
	weight := ""
	if f.name == "b" {
		weight = ` font-weight="700"`
	}
	return fmt.Sprintf(` font-size="%s"%s`, short(size), weight)
}

func use(id string, at point) string {
	return fmt.Sprintf(`<use href="#%s" x="%s" y="%s"/>`, id, short(at.x), short(at.y))
}

func (s *stepSVG) notes(at point, cell float64, digits human.Digits, f *face, c colour) {
	if digits == 0 {
		return
	}
	look := s.defs.paint("fill", c)
	if s.defs.plain {
		look += s.defs.font(f, noteSize*cell)
	}
	s.group(look)
	s.body.WriteString(use(s.defs.notes(cell, digits, f), at))
}

func (s *stepSVG) circle(at point, radius float64, fill *colour, width float64, edge colour) {
	s.end()
	fmt.Fprintf(&s.body, `<circle cx="%s" cy="%s" r="%s" %s/>`+"\n", short(at.x), short(at.y), short(radius), s.defs.edged(fill, width, edge))
}

func (s *stepSVG) figure(o outline, fill *colour, width float64, edge colour) {
	s.end()
	fmt.Fprintf(&s.body, `<path d="%sz" %s/>`+"\n", pathData(o, 10), s.defs.edged(fill, width, edge))
}

func (s *stepSVG) stroke(o outline, width, dash float64, c colour) {
	s.end()
	gaps := ""
	if dash > 0 {
		gaps = fmt.Sprintf(` stroke-dasharray="%s"`, short(dash))
	}
	fmt.Fprintf(&s.body, `<path d="%s" %s%s/>`+"\n", pathData(o, 10), s.defs.edged(nil, width, c), gaps)
}

// edged returns the attributes of a figure.
func (d *svgDefs) edged(fill *colour, width float64, edge colour) string {
	text := `fill="none"`
	if fill != nil {
		text = d.paint("fill", *fill)
	}
	if width > 0 {
		text += fmt.Sprintf(` %s stroke-width="%s"`, d.paint("stroke", edge), short(width))
	}
	return text
}

// paint returns the attribute with a colour.
func (d *svgDefs) paint(attribute string, c colour) string {
	value := c.hex()
	if d.themed {
		value = fmt.Sprintf("var(--%s)", value[1:])
	}
	return fmt.Sprintf(`%s="%s"`, attribute, value)
}

// define adds a definition, unless it is there, and returns its id.
func (d *svgDefs) define(id string, element func(id string) string) string {
	if !d.ids[id] {
		d.ids[id] = true
		text := element(id) // what it uses is defined first
		d.text.WriteString(text)
	}
	return id
}

// stepEm is the size of the defined glyphs.
const stepEm = 500

// sized defines a glyph of a size.
func (d *svgDefs) sized(f *face, r rune, size float64) string {
	at := 0
	for at < len(d.sizes) && d.sizes[at] != size {
		at++
	}
	if at == len(d.sizes) {
		d.sizes = append(d.sizes, size)
	}
	name := f.name + strconv.FormatInt(int64(r), 16)
	glyph := d.define(name, func(id string) string {
		g := f.glyph(r)
		o := make(outline, len(g.segments))
		for i, s := range g.segments {
			o[i] = segment{op: s.op}
			for j, p := range s.points {
				o[i].points[j] = p.times(stepEm)
			}
		}
		return fmt.Sprintf("<path id=%q d=\"%sz\"/>\n", id, pathData(o, 1))
	})
	return d.define(name+string(rune('a'+at)), func(id string) string {
		return fmt.Sprintf(`<use id="%s" href="#%s" transform="scale(%s)"/>`+"\n", id, glyph, number(size/stepEm))
	})
}

// notes defines the candidates of a cell.
func (d *svgDefs) notes(cell float64, digits human.Digits, f *face) string {
	return d.define("n"+digits.String(), func(id string) string {
		text := fmt.Sprintf(`<g id="%s">`, id)
		for digit := range digits.All() {
			if d.plain {
				at := noteAt(digit).plus(point{0, f.digitHeight() * noteSize / 2}).times(cell)
				text += fmt.Sprintf(`<text x="%s" y="%s">%d</text>`, short(at.x), short(at.y), digit)
				continue
			}
			r, q := rune('0'+digit), noteAt(digit).times(cell)
			half := point{-f.glyph(r).advance, f.digitHeight()}.times(noteSize * cell / 2)
			text += use(d.sized(f, r, noteSize*cell), q.plus(half))
		}
		return text + "</g>\n"
	})
}

// pathData writes an outline with relative coordinates, in parts of a pixel.
func pathData(o outline, parts float64) string {
	var d strings.Builder
	last, lastOp := byte(0), byte(0)
	write := func(op byte, numbers ...float64) {
		if op != lastOp || op == 'M' {
			d.WriteByte(op)
			last, lastOp = op, op
		}
		for _, n := range numbers {
			text := strconv.FormatFloat(n/parts, 'f', -1, 64)
			if last >= '0' && last <= '9' && text[0] != '-' {
				d.WriteByte(' ')
			}
			d.WriteString(text)
			last = '0'
		}
	}
	var at point // in whole parts
	round := func(p point) point { return point{math.Round(p.x * parts), math.Round(p.y * parts)} }
	for _, s := range o {
		p := round(s.points[0])
		end := round(s.points[operands(s.op)-1])
		by := end.minus(at)
		switch {
		case s.op == sfnt.SegmentOpMoveTo:
			write('M', p.x, p.y)
		case s.op == sfnt.SegmentOpQuadTo:
			write('q', p.x-at.x, p.y-at.y, by.x, by.y)
		case s.op == sfnt.SegmentOpCubeTo:
			c := round(s.points[1])
			write('c', p.x-at.x, p.y-at.y, c.x-at.x, c.y-at.y, by.x, by.y)
		case by == point{}:
		case by.y == 0:
			write('h', by.x)
		case by.x == 0:
			write('v', by.y)
		default:
			write('l', by.x, by.y)
		}
		at = end
	}
	return d.String()
}

// short formats a number with at most one decimal.
func short(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64)
}
