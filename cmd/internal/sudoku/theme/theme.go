package theme

import "github.com/gdamore/tcell/v2"

// A Theme is a look, as its file describes it. It is immutable.
type Theme struct {
	Name string // "Paper"
	// Width and Height are the preferred size of a cell in columns and rows; 0: the
	// largest that fits.
	Width, Height int

	faces  [numRoles]face
	lines  string // a key of lineStyles
	blocks bool   // large digits are drawn in blocks
	glyphs [numGlyphs]rune
}

// A face is the look of a role.
type face struct {
	ink, paper                               color
	bold, underline, reverse, italic, strike bool
}

// A Glyph is a character that a theme chooses.
type Glyph uint8

// The glyphs.
const (
	Empty     Glyph = iota // an empty cell where there are no lines around cells
	Bar                    // one digit of those left, in a bar
	Dot                    // between the parts of a line
	numGlyphs int   = iota
)

var (
	glyphNames  = [numGlyphs]string{"empty", "bar", "dot"}
	asciiGlyphs = [numGlyphs]rune{'.', '#', '-'}
)

// dark reports whether the theme has light ink on dark paper.
func (t *Theme) dark() bool {
	ink, paper := t.faces[Text].ink, t.faces[Text].paper
	return ink.kind != rgb || paper.kind != rgb || luminance(ink.value) > luminance(paper.value)
}

// has reports whether the theme has a color of one of the kinds.
func (t *Theme) has(kinds ...colorKind) bool {
	for _, f := range t.faces {
		for _, kind := range kinds {
			if f.ink.kind == kind || f.paper.kind == kind {
				return true
			}
		}
	}
	return false
}

// Styles are a theme on one kind of terminal. They are immutable.
type Styles struct {
	Theme *Theme
	// Colours reports whether there are any. Without, marks must show what colours show
	// elsewhere.
	Colours bool
	// Glows reports whether lines can glow: there are colours enough.
	Glows bool
	// ASCII reports whether the terminal has no other characters.
	ASCII bool
	// Blocks reports whether large digits are drawn in half blocks, and not in ASCII.
	Blocks bool

	faces  [numRoles]face
	colors [numRoles]struct{ ink, paper tcell.Color }
	styles [numRoles]tcell.Style
	lines  *lineRunes
	glyphs [numGlyphs]rune
}

// For adapts the theme to a terminal with that many colours, 0 meaning none, and with or
// without the characters of Unicode.
func (t *Theme) For(colors int, utf8 bool) *Styles {
	look := t
	switch {
	case colors < 8:
		look = builtin("mono")
	case colors < 256 && t.has(rgb):
		look = builtin("ansi-light")
		if t.dark() {
			look = builtin("ansi-dark")
		}
	}
	s := &Styles{
		Theme: t, Colours: look.has(palette, rgb), Glows: colors > 256 && look.has(rgb), Blocks: t.blocks && utf8, ASCII: !utf8,
		faces: look.faces, lines: lineStyles[t.lines], glyphs: t.glyphs,
	}
	if !utf8 {
		s.lines, s.glyphs = lineStyles["ascii"], asciiGlyphs
	}
	for r, f := range s.faces {
		s.colors[r].ink, s.colors[r].paper = f.ink.on(colors), f.paper.on(colors)
	}
	for r := range s.faces {
		s.styles[r] = s.On(Role(r), Role(r))
	}
	return s
}

// Of returns the style of a role on the background of the screen.
func (s *Styles) Of(r Role) tcell.Style { return s.styles[r] }

// On returns the style of an ink on a paper. What the paper leaves open, the ink decides, and
// then Text. Both have their attributes.
func (s *Styles) On(paper, ink Role) tcell.Style {
	p, i := &s.faces[paper], &s.faces[ink]
	from := func(p, i color) Role {
		switch {
		case p.kind != unset:
			return paper
		case i.kind != unset:
			return ink
		}
		return Text
	}
	return tcell.StyleDefault.
		Foreground(s.colors[from(p.ink, i.ink)].ink).
		Background(s.colors[from(p.paper, i.paper)].paper).
		Bold(p.bold || i.bold).Underline(p.underline || i.underline).Reverse(p.reverse || i.reverse).
		Italic(p.italic || i.italic).StrikeThrough(p.strike || i.strike)
}

// Off returns the style of what is not possible now, in a menu or a dialog or on Text.
func (s *Styles) Off(r Role) tcell.Style {
	style := s.Of(r).Foreground(s.colors[Disabled].ink)
	if !s.Colours {
		style = style.Dim(true)
	}
	return style
}

// Glowing returns the style of a line with a part of the glow, from 0 to 1.
func (s *Styles) Glowing(line tcell.Style, part float64) tcell.Style {
	ink, _, _ := line.Decompose()
	return line.Foreground(mix(ink, s.colors[Glow].ink, part))
}

// Glyph returns a character of the theme.
func (s *Styles) Glyph(g Glyph) rune { return s.glyphs[g] }

// Boxes returns the style of the lines between boxes in a state of the game. They have the
// color of its badge, if there are enough colors to make it readable. Without colors they are
// reversed when the puzzle is solved.
func (s *Styles) Boxes(state Role) tcell.Style {
	style := s.On(Cell, BoxLine)
	if s.faces[state].paper.kind == rgb && state != Idle {
		return style.Foreground(s.colors[state].paper)
	}
	return style.Reverse(!s.Colours && state == Solved)
}
