package cells

import (
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

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
			for count < len(lines) && lines[count].Kind == kind && kind != diagram.Invoke && kind != diagram.Problem {
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
	if targets := slices.Concat(e.Targets, e.Beyond); len(targets) > 0 {
		add(Arrow, p.glyphs.arrow+" ")
		for i, t := range targets {
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
