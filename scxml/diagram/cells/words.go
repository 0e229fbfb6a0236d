package cells

import (
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

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
	marks           [diagram.Active + 1]string // by diagram.Mark

	branch, last, bar string // of a tree, with the space after them
	initial           string // replaces the end of branch and last, and the line after a corner of a box

	plain, region, final, lit, litRegion, litFinal [6]string // top left, top right, bottom left, bottom right, horizontal, vertical
}

var unicodeGlyphs = &glyphs{
	arrow: "→", ellipsis: "…", marks: [...]string{"", "✗ ", "✓ ", "▶ ", "● "},
	branch: "├─ ", last: "└─ ", bar: "│  ", initial: "→",
	plain:     [6]string{"╭", "╮", "╰", "╯", "─", "│"},
	region:    [6]string{"╭", "╮", "╰", "╯", "┄", "┆"},
	final:     [6]string{"╔", "╗", "╚", "╝", "═", "║"},
	lit:       [6]string{"┏", "┓", "┗", "┛", "━", "┃"},
	litRegion: [6]string{"┏", "┓", "┗", "┛", "┅", "┇"},
	litFinal:  [6]string{"╔", "╗", "╚", "╝", "═", "║"},
}

var asciiGlyphs = &glyphs{
	arrow: "->", ellipsis: "...", marks: [...]string{"", "! ", "v ", "@ ", "* "},
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

func (p *painter) active(n *diagram.Node) bool {
	return p.Active != nil && p.Active(n) || p.Marks[n.ID] == diagram.Active
}

// mark returns the mark of a state.
func (p *painter) mark(n *diagram.Node) []Span {
	m := p.Marks[n.ID]
	if p.active(n) {
		m = diagram.Active
	}
	if m == diagram.Plain {
		return nil
	}
	return []Span{p.span(n, Mark, p.glyphs.marks[m])}
}

// span returns a span without an edge.
func (p *painter) span(n *diagram.Node, kind Kind, text string) Span {
	text = visible(text)
	if p.ASCII {
		text = strings.ReplaceAll(text, "…", p.glyphs.ellipsis)
	}
	return Span{Text: text, Width: columns(text), Kind: kind, Node: n}
}

// title returns the name of a state and what kind of state it is.
func (p *painter) title(n *diagram.Node) []Span {
	name, note := n.ID, ""
	switch n.Kind {
	case scxml.KindScxml:
		name = p.diagram.Chart.Name()
		if name == "" {
			name = path.Base(p.diagram.Chart.File())
		}
	case scxml.KindParallel, scxml.KindFinal:
		note = n.Kind.String()
	case scxml.KindHistory:
		note = "history"
		if n.Deep {
			note = "deep history"
		}
	}
	all := append(p.mark(n), p.span(n, Name, strings.Join(strings.Fields(name), " ")))
	if n.State.ID() == "" && note == n.Kind.String() {
		note = "" // the name says it
	}
	if note != "" {
		all = append(all, p.span(n, Note, " ("+note+")"))
	}
	return all
}

// isInitial reports whether a state is entered when its parent is entered by default.
func isInitial(n *diagram.Node) bool {
	return n.Parent != nil && n.Parent.Kind != scxml.KindParallel && slices.ContainsFunc(n.Parent.Edges, func(e *diagram.Edge) bool {
		return e.Kind == diagram.Initial && slices.Contains(e.Targets, n)
	})
}

// texts returns what a state does, and its transitions, as lines of any length.
func (p *painter) texts(n *diagram.Node) [][]Span {
	var all [][]Span
	if p.Detail == Everything {
		lines := n.Lines
		for len(lines) > 0 {
			kind, count := lines[0].Kind, 1
			for count < len(lines) && lines[count].Kind == kind && kind != diagram.Invoke {
				count++
			}
			var row []Span
			switch kind {
			case diagram.Entry:
				row = append(row, p.span(n, Note, "entry / "))
			case diagram.Exit:
				row = append(row, p.span(n, Note, "exit / "))
			case diagram.Data:
				row = append(row, p.span(n, Note, "data "))
			}
			all = append(all, append(row, p.actions(n, lines[:count])...))
			lines = lines[count:]
		}
	}
	if p.Detail == States {
		return all
	}
	for _, e := range n.Edges {
		if row := p.transition(e); row != nil {
			all = append(all, row)
		}
	}
	return all
}

// transition returns the text of a transition, or nil if a mark says everything.
func (p *painter) transition(e *diagram.Edge) []Span {
	n := e.Source
	var row []Span
	add := func(kind Kind, text string) {
		if len(row) > 0 {
			row[len(row)-1] = p.span(n, row[len(row)-1].Kind, row[len(row)-1].Text+" ")
		}
		row = append(row, p.span(n, kind, text))
	}
	switch e.Kind {
	case diagram.Initial:
		if (len(e.Actions) == 0 || p.Detail != Everything) && len(e.Targets) == 1 && e.Targets[0].Parent == n {
			return nil
		}
		add(Note, "initial")
	case diagram.Default:
		add(Note, "default")
	}
	if e.Event != "" {
		add(Event, e.Event)
	}
	if cond := p.brief(e.Cond); cond != "" {
		add(Cond, "["+cond+"]")
	}
	if len(e.Targets) > 0 {
		add(Arrow, p.glyphs.arrow+" ")
		for i, t := range e.Targets {
			if i > 0 {
				row = append(row, p.span(n, Target, " "))
			}
			row = append(row, p.span(n, Target, t.ID))
		}
		if e.Internal {
			add(Note, "(internal)")
		}
	}
	if len(e.Actions) > 0 && p.Detail == Everything {
		add(Note, slash)
		row = append(row, p.actions(n, e.Actions)...)
	}
	if m := p.Marks[e.ID]; m != diagram.Plain {
		row = slices.Insert(row, 0, p.span(n, Mark, p.glyphs.marks[m]))
	}
	for i := range row {
		row[i].Edge = e
	}
	return row
}

// actions returns what elements do.
func (p *painter) actions(n *diagram.Node, lines []diagram.Line) []Span {
	var all []Span
	for i, l := range lines {
		text := strings.TrimSuffix(p.brief(l.Text), ";")
		if i < len(lines)-1 {
			text += "; "
		}
		all = append(all, p.span(n, Action, text))
	}
	return all
}

// brief returns a text on one line: whole if it has one line and there is room for it.
func (p *painter) brief(text diagram.Text) string {
	if !strings.Contains(text.Whole, "\n") && columns(text.Whole) <= p.most {
		return strings.Join(strings.Fields(text.Whole), " ")
	}
	return text.Short
}

// slash is between what enables a transition and what it does.
const slash = "/ "

// indented is the space before the second line of a text and the following ones.
const indented = 2

// wrap divides a text into lines of at most n columns, between words where it can.
func wrap(text []Span, n int) [][]Span {
	n = max(n, indented+2) // a wide character has room in each line
	var all [][]Span
	var line []Span
	used := 0
	put := func(s Span, text string) {
		if text == "" {
			return
		}
		s.Text, s.Width = text, columns(text)
		used += s.Width
		if last := len(line) - 1; last >= 0 && line[last].Kind == s.Kind {
			line[last].Text += s.Text
			line[last].Width += s.Width
			return
		}
		line = append(line, s)
	}
	feed := func(s Span) {
		all = append(all, line)
		line, used = nil, 0
		s.Kind = Blank
		put(s, strings.Repeat(" ", indented))
	}
	for _, word := range words(text, n-indented) {
		space := widthOf(word)
		if last := word[len(word)-1].Text; strings.HasSuffix(last, " ") {
			space--
		}
		if used > indented && used+space > n {
			feed(word[0])
		}
		for _, s := range word {
			for used+columns(strings.TrimRight(s.Text, " ")) > n {
				head, rest := cut(s.Text, n-used)
				put(s, head)
				feed(s)
				s.Text = rest
			}
			if used+columns(s.Text) > n { // only its space does not fit
				s.Text = strings.TrimRight(s.Text, " ")
			}
			put(s, s.Text)
		}
	}
	return append(all, line)
}

// words divides a text where a line may end: after a space, but not after an arrow or a slash, and in a
// condition or an action only if it has more than n columns.
func words(text []Span, n int) [][]Span {
	var all [][]Span
	open := false
	for _, s := range text {
		parts := strings.SplitAfter(s.Text, " ")
		if (s.Kind == Cond || s.Kind == Action) && columns(strings.TrimRight(s.Text, " ")) <= n {
			parts = []string{s.Text}
		}
		for _, part := range parts {
			if part == "" {
				continue
			}
			piece := s
			piece.Text, piece.Width = part, columns(part)
			if open {
				all[len(all)-1] = append(all[len(all)-1], piece)
			} else {
				all = append(all, []Span{piece})
			}
			open = !strings.HasSuffix(part, " ") || s.Kind == Arrow || part == slash
		}
	}
	return all
}

func widthOf(line []Span) int {
	w := 0
	for _, s := range line {
		w += s.Width
	}
	return w
}
