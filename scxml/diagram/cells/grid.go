package cells

import (
	"image"
	"iter"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// A Kind says what a [Span] shows.
type Kind uint8

// The kinds of spans.
const (
	Blank  Kind = iota // space
	Border             // lines of boxes and of the tree
	Name               // of a state
	Mark               // a sign before a state or transition that is marked, such as an active state
	Note               // what kind of state it is, and other words of the drawing
	Action             // what a state or a transition does
	Event              // the events of a transition
	Cond               // the condition of a transition
	Arrow              // to the targets of a transition
	Target             // the targets of a transition
)

// A Span is characters next to each other that belong together.
type Span struct {
	Text  string // without control characters
	Width int    // in columns
	Kind  Kind
	Node  *diagram.Node // the innermost state that it is in; nil outside of all
	Edge  *diagram.Edge // the transition that it is part of, or nil
}

// A Grid is a drawing in characters. It is shared and must not be modified.
type Grid struct {
	Width int
	// Hidden is the number of states that were left out because there was no room for them.
	Hidden int

	rows   [][]Span
	bounds map[*diagram.Node]image.Rectangle
}

// Height returns the number of rows.
func (g *Grid) Height() int { return len(g.rows) }

// Row returns the spans of a row, from column 0 on without gaps, up to the last one that shows something.
func (g *Grid) Row(y int) []Span { return g.rows[y] }

// At returns the span at a column and a row. It is the zero Span where there is none.
func (g *Grid) At(x, y int) Span {
	if y < 0 || y >= len(g.rows) || x < 0 {
		return Span{}
	}
	for _, s := range g.rows[y] {
		if x -= s.Width; x < 0 {
			return s
		}
	}
	return Span{}
}

// Bounds returns the columns and rows of a state: those of its box, or of its branch of a tree, with all that
// is in it. It is empty if the state is not shown.
func (g *Grid) Bounds(n *diagram.Node) image.Rectangle { return g.bounds[n] }

// Lines returns the rows as text, without space at their ends.
func (g *Grid) Lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, row := range g.rows {
			var b strings.Builder
			for _, s := range row {
				b.WriteString(s.Text)
			}
			if !yield(strings.TrimRight(b.String(), " ")) {
				return
			}
		}
	}
}

// String returns the rows as lines of text.
func (g *Grid) String() string {
	var b strings.Builder
	for line := range g.Lines() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// columns returns how many columns of a terminal a text takes.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is what the commands have in cmd/internal/widget, which this package cannot import.
func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// cut splits a text after at most n columns.
func cut(text string, n int) (head, rest string) {
	for i, r := range text {
		if n -= runeColumns(r); n < 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// maxName is the greatest number of characters of a name.
const maxName = 1000

// visible returns a text in which everything can be seen, shortened.
func visible(text string) string { return datamodel.Visible(short.Text(text, maxName), nil) }
