package notation

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// DOT writes a chart in the language of Graphviz. Its program dot draws it:
//
//	dot -Tsvg chart.dot -o chart.svg
//
// A state with children is a cluster. Regions have dashed borders. Pictures in SVG show shortened
// texts whole while the mouse rests on them.
func DOT(d *diagram.Diagram) (text string, lost []string) {
	w := &dotWriter{d: d, anchors: make(map[*diagram.Node]bool)}
	for _, e := range d.Edges {
		for _, t := range e.Targets {
			if e.Kind != diagram.Initial {
				w.anchors[e.Source] = true
			}
			w.anchors[t] = true
		}
	}
	w.lost.cut(d)
	for _, n := range d.Nodes {
		long := len(wholeNode(n)) > mostLines
		for _, e := range n.Edges {
			long = long || len(e.Whole()) > mostLines
		}
		if long {
			w.lost.add("long texts are shortened", n.ID)
		}
	}
	name := title(d)
	w.block("digraph "+dotQuote(name)+" {", func() {
		w.line(`compound=true; newrank=true;`) // without newrank, dot 2.42 loses edges and crashes
		w.line(`fontname="Helvetica"; node [fontname="Helvetica" fontsize=11 shape=box style=rounded]; edge [fontname="Helvetica" fontsize=10];`)
		if lines := inside(d.Root); name != "" || len(lines) > 0 {
			w.line(`label=<%s>; labeljust=l; labelloc=t;`, dotLines(name, lines))
		}
		w.children(d.Root)
		for _, e := range d.Edges {
			if !isText(e) {
				w.edge(e)
			}
		}
	}, "}")
	return w.String(), w.lost.lines()
}

type dotWriter struct {
	page
	d       *diagram.Diagram
	anchors map[*diagram.Node]bool // the states at which edges begin or end
}

func (w *dotWriter) children(n *diagram.Node) {
	for _, e := range n.Edges {
		if e.Kind == diagram.Initial {
			w.line(`%s [shape=point width=0.12];`, dotQuote(e.ID))
		}
	}
	for _, c := range n.Children {
		w.node(c)
	}
}

func (w *dotWriter) node(n *diagram.Node) {
	style := "rounded"
	if region(n) {
		style = "rounded,dashed"
	}
	switch {
	case n.Kind == scxml.KindHistory:
		text := "H"
		if n.Deep {
			text = "H*"
		}
		w.line(`%s [shape=circle style=solid fixedsize=true width=0.3 label="%s" xlabel=%s];`, dotQuote(n.ID), text, dotQuote(n.ID))
	case len(n.Children) == 0:
		extra := ""
		if n.Kind == scxml.KindFinal {
			extra = " peripheries=2"
		}
		w.line(`%s [label=<%s> style=%s%s%s];`, dotQuote(n.ID), dotTable(n.ID, inside(n)), dotQuote(style), extra, tooltip(wholeNode(n)))
	default:
		w.block("subgraph "+dotQuote("cluster "+n.ID)+" {", func() {
			w.line(`label=<%s>; labeljust=l; style=%s;%s`, dotLines(n.ID, inside(n)), dotQuote(style), tooltip(wholeNode(n)))
			if w.anchors[n] {
				w.line(`%s [shape=point width=0.05];`, dotQuote(n.ID))
			}
			w.children(n)
		}, "}")
	}
}

// edge writes an edge, one with several targets in pieces that meet at a point.
func (w *dotWriter) edge(e *diagram.Edge) {
	label := ""
	if text := e.Label(); text != "" {
		label = "label=" + dotQuote(shown(text)) + strings.Replace(tooltip(e.Whole()), "tooltip", "edgetooltip", 1)
	}
	switch len(e.Targets) {
	case 0: // written in the state
	case 1:
		w.arrow(e.Source, e, e.Targets[0], label)
	default:
		fork := e.ID
		if e.Kind != diagram.Initial {
			fork += " fork"
			w.line(`%s [shape=point width=0.08];`, dotQuote(fork))
			w.line(`%s -> %s [%s arrowhead=none%s];`, dotQuote(w.tail(e)), dotQuote(fork), label, w.clip("ltail", e.Source, nil))
			label = ""
		}
		for _, t := range e.Targets {
			w.line(`%s -> %s [%s%s];`, dotQuote(fork), dotQuote(t.ID), label, w.clip("lhead", t, nil))
			label = ""
		}
	}
}

func (w *dotWriter) arrow(source *diagram.Node, e *diagram.Edge, target *diagram.Node, label string) {
	clip := w.clip("lhead", target, source)
	if e.Kind == diagram.Initial {
		clip = w.clip("lhead", target, nil)
	} else {
		clip += w.clip("ltail", source, target)
	}
	w.line(`%s -> %s [%s%s];`, dotQuote(w.tail(e)), dotQuote(target.ID), label, clip)
}

// tail returns where an edge begins.
func (w *dotWriter) tail(e *diagram.Edge) string {
	if e.Kind == diagram.Initial {
		return e.ID
	}
	return e.Source.ID
}

// clip cuts an edge off at the border of a state with children, unless its other end is in there.
func (w *dotWriter) clip(attribute string, n, other *diagram.Node) string {
	if len(n.Children) == 0 || other.Within(n) {
		return ""
	}
	return fmt.Sprintf(" %s=%s", attribute, dotQuote("cluster "+n.ID))
}

// dotTable is the label of a state without children: its name over a line, and what it does.
func dotTable(name string, lines []string) string {
	if len(lines) == 0 {
		return "<b>" + dotHTML(name) + "</b>"
	}
	all := []string{`<table border="0" cellborder="0" cellspacing="0"><tr><td><b>`, dotHTML(name), `</b></td></tr><hr/>`}
	for _, l := range lines {
		all = append(all, `<tr><td align="left">`, dotHTML(l), `</td></tr>`)
	}
	return strings.Join(append(all, "</table>"), "")
}

// dotLines is the label of a cluster.
func dotLines(name string, lines []string) string {
	const end = `<br align="left"/>`
	all := []string{"<b>" + dotHTML(name) + "</b>"}
	for _, l := range lines {
		all = append(all, dotHTML(l))
	}
	return strings.Join(all, end) + end
}

// dotHTML writes a text in a label that is markup. An empty one is not allowed.
func dotHTML(text string) string {
	if text = shown(text); text == "" {
		return " "
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}

// dotQuote writes a text as a string. Graphviz reads character entities in it.
func dotQuote(text string) string {
	return `"` + strings.NewReplacer("&", "&amp;", `\`, `\\`, `"`, `\"`, "\n", `\l`).Replace(text) + `"`
}

func tooltip(text string) string {
	if text == "" {
		return ""
	}
	return " tooltip=" + strings.ReplaceAll(dotQuote(shownLines(text)), `\l`, `&#10;`)
}

// wholeNode returns what a state does, not shortened.
func wholeNode(n *diagram.Node) string {
	all := []string{n.ID}
	for _, l := range n.Lines {
		all = append(all, l.Whole)
	}
	for _, e := range n.Edges {
		if len(e.Targets) == 0 {
			all = append(all, e.Whole())
		}
	}
	return strings.Join(all, "\n")
}
