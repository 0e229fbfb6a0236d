package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// PlantUML writes a chart as a state diagram of PlantUML, for versions from 2020 on.
func PlantUML(d *diagram.Diagram) (text string, lost []string) {
	w := &boxWriter{boxSyntax: plantUML, names: names(d, "as", "end", "hide", "note", "scale", "skinparam", "state", "title")}
	w.line("@startuml")
	w.line("hide empty description")
	w.chart(d)
	w.line("@enduml")
	return w.String(), w.lost.lines()
}

var plantUML = boxSyntax{
	quote:   plantQuote,
	title:   func(w *boxWriter, title string) { w.line("title %s", plantQuote(title)) },
	state:   func(label, name string) string { return fmt.Sprintf(`state "%s" as %s`, label, name) },
	history: "histories are drawn as states with H or H* before their names",
	regions: "regions are drawn as states where transitions cross their borders",
}

// plantQuote writes a text so that PlantUML neither reads markup in it nor replaces anything. Most of
// its markup is a pair of the same characters.
func plantQuote(text string) string {
	var b strings.Builder
	runes := []rune(shown(text))
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	for i, r := range runes {
		special := strings.ContainsRune("\"~\\$%@", r)
		special = special || at(i-1) == r && strings.ContainsRune("*/_-=.'#:|[]{}<>", r)
		special = special || r == '\'' && at(i-1) == '/'
		special = special || i == 0 && strings.ContainsRune("*#=|-!'[<", r)
		special = special || strings.ContainsRune("<&", r) && !strings.ContainsRune(" =<&", at(i+1))
		if special {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A boxSyntax is what PlantUML and Mermaid write differently.
type boxSyntax struct {
	quote            func(text string) string
	title            func(w *boxWriter, title string)
	state            func(label, name string) string
	history, regions string // what is lost of histories and of regions
	lines            string // what divides lines in the label of a state with children, "" if it has them elsewhere
	edgesFirst       bool   // a state is in that in which it is named last, and never in itself
	flat             bool   // regions with states that have children are not divided
}

// A boxWriter writes state diagrams of PlantUML and Mermaid, which have nearly the same syntax.
type boxWriter struct {
	boxSyntax
	page
	names map[*diagram.Node]string
	edges map[*diagram.Node][]*diagram.Edge // by the state in which they are drawn
	cross map[*diagram.Node]bool            // <parallel> states with an edge that ends outside of one region
	forks int
}

func (w *boxWriter) chart(d *diagram.Diagram) {
	w.lost.cut(d)
	w.edges = make(map[*diagram.Node][]*diagram.Edge)
	w.cross = make(map[*diagram.Node]bool)
	for _, e := range d.Edges {
		w.place(e)
	}
	if len(inside(d.Root)) > 0 {
		w.node(d.Root)
		return
	}
	if t := title(d); t != "" {
		w.title(w, t)
	}
	w.content(d.Root)
}

// place finds the state in which an edge is drawn.
func (w *boxWriter) place(e *diagram.Edge) {
	if len(e.Targets) == 0 || isText(e) {
		return
	}
	in := e.Source
	if e.Kind != diagram.Initial && (w.edgesFirst || len(in.Children) == 0) {
		in = in.Parent
	}
	for _, t := range e.Targets {
		for in.Parent != nil && (!t.Within(in) || w.edgesFirst && t == in) {
			in = in.Parent
		}
	}
	w.edges[in] = append(w.edges[in], e)
	for _, n := range append([]*diagram.Node{e.Source}, e.Targets...) {
		for ; n != nil; n = n.Parent {
			if region(n) && !(in.Within(n) && in != n.Parent) {
				w.cross[n.Parent] = true
			}
		}
	}
}

func (w *boxWriter) node(n *diagram.Node) {
	w.lost.shortened(n)
	label := n.ID
	switch {
	case n.Parent == nil:
		label = cmp.Or(n.State.Element().Attr("name"), "scxml")
	case n.Kind == scxml.KindHistory:
		label = "H " + n.ID
		if n.Deep {
			label = "H* " + n.ID
		}
		w.lost.add(w.history, n.ID)
	}
	label = w.quote(label)
	lines := inside(n)
	if len(n.Children) == 0 {
		w.line("%s", w.state(label, w.names[n]))
	} else {
		if w.lines != "" {
			for _, l := range lines {
				label += w.lines + w.quote(l)
			}
			lines = nil
		}
		w.block(w.state(label, w.names[n])+" {", func() { w.content(n) }, "}")
	}
	for _, l := range lines {
		w.line("%s : %s", w.names[n], w.quote(l))
	}
	if n.Kind == scxml.KindFinal {
		w.line("%s --> [*]", w.names[n])
	}
}

func (w *boxWriter) content(n *diagram.Node) {
	divided := n.Kind == scxml.KindParallel && !w.cross[n] && (!w.flat || flat(n))
	if n.Kind == scxml.KindParallel && !divided {
		w.lost.add(w.regions, n.ID)
	}
	edges := func() {
		for _, e := range w.edges[n] {
			w.edge(e)
		}
	}
	if w.edgesFirst {
		edges()
	}
	for i, c := range n.Children {
		if divided && i > 0 {
			w.line("--")
		}
		w.node(c)
	}
	if !w.edgesFirst {
		edges()
	}
}

// flat reports whether the states in the regions of a <parallel> have no children.
func flat(parallel *diagram.Node) bool {
	for _, r := range parallel.Children {
		if slices.ContainsFunc(r.Children, func(n *diagram.Node) bool { return len(n.Children) > 0 }) {
			return false
		}
	}
	return true
}

func (w *boxWriter) edge(e *diagram.Edge) {
	source := w.names[e.Source]
	if e.Kind == diagram.Initial {
		source = "[*]"
	}
	label := w.quote(e.Label())
	if label != "" {
		label = " : " + label
	}
	if len(e.Targets) == 1 {
		w.line("%s --> %s%s", source, w.names[e.Targets[0]], label)
		return
	}
	w.forks++
	fork := fmt.Sprint("fork_", w.forks)
	w.line("state %s <<fork>>", fork)
	w.line("%s --> %s%s", source, fork, label)
	for _, t := range e.Targets {
		w.line("%s --> %s", fork, w.names[t])
	}
}
