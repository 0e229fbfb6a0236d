package cells

import "github.com/scxmlrun/scxmlrun/scxml/diagram"

// Options configure [Tree] and [Boxes]. The zero value draws everything.
type Options struct {
	// Width is the number of columns that a drawing may have. 0 is 80 for boxes, and for a tree as
	// many as its longest line takes. A tree may be wider if its branches are.
	Width int
	// Detail says how much of the states and transitions is shown.
	Detail Detail
	// ASCII draws with the characters of ASCII alone. Names of the chart remain as they are.
	ASCII bool
	// Active reports whether a state is to be marked as active. It may be nil.
	Active func(*diagram.Node) bool
	// Marks marks states and transitions by their IDs.
	Marks map[string]diagram.Mark
	// Steady leaves room in each box for the mark of an active state, so that nothing moves when
	// another state becomes active.
	Steady bool
}

// A Detail says how much is shown.
type Detail uint8

// The details.
const (
	Everything  Detail = iota // states, transitions, and what they do
	Transitions               // states and transitions
	States                    // states
)

// A painter draws a diagram.
type painter struct {
	Options
	diagram *diagram.Diagram
	glyphs  *glyphs
	grid    *Grid

	textWidth int // of boxes
	most      int // columns of a text that is not shortened
}

// glyphs are what lines and marks are drawn with.
type glyphs struct {
	arrow, ellipsis string
	marks           [diagram.Wrong + 1]string // by diagram.Mark

	branch, last, bar string // of a tree, with the space after them
	initial           string // replaces the end of branch and last, and the line after a corner of a box

	plain, region, final, lit, litRegion, litFinal [6]string // top left, top right, bottom left, bottom right, horizontal, vertical
}

var unicodeGlyphs = &glyphs{
	arrow: "→", ellipsis: "…", marks: [...]string{"", "✗ ", "✓ ", "▶ ", "● ", "✗ "},
	branch: "├─ ", last: "└─ ", bar: "│  ", initial: "→",
	plain:     [6]string{"╭", "╮", "╰", "╯", "─", "│"},
	region:    [6]string{"╭", "╮", "╰", "╯", "┄", "┆"},
	final:     [6]string{"╔", "╗", "╚", "╝", "═", "║"},
	lit:       [6]string{"┏", "┓", "┗", "┛", "━", "┃"},
	litRegion: [6]string{"┏", "┓", "┗", "┛", "┅", "┇"},
	litFinal:  [6]string{"╔", "╗", "╚", "╝", "═", "║"},
}

var asciiGlyphs = &glyphs{
	arrow: "->", ellipsis: "...", marks: [...]string{"", "! ", "v ", "@ ", "* ", "! "},
	branch: "+- ", last: "+- ", bar: "|  ", initial: ">",
	plain:     [6]string{"+", "+", "+", "+", "-", "|"},
	region:    [6]string{"+", "+", "+", "+", ".", ":"},
	final:     [6]string{"+", "+", "+", "+", "=", "|"},
	lit:       [6]string{"#", "#", "#", "#", "#", "#"},
	litRegion: [6]string{"#", "#", "#", "#", "#", "#"},
	litFinal:  [6]string{"#", "#", "#", "#", "=", "#"},
}

func newPainter(d *diagram.Diagram, opts Options) *painter {
	p := &painter{Options: opts, diagram: d, glyphs: unicodeGlyphs}
	if opts.ASCII {
		p.glyphs = asciiGlyphs
	}
	return p
}
