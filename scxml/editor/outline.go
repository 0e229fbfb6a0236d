package editor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Symbol is an entry of the outline of a document.
type Symbol struct {
	Kind     SymbolKind
	Name     string // never empty
	Detail   string // may be ""
	Span     Span   // the element
	NameSpan Span   // what to select: within Span
	Children []Symbol
}

// A SymbolKind says what a [Symbol] is.
type SymbolKind uint8

// The kinds of symbols.
const (
	ChartSymbol SymbolKind = iota
	StateSymbol
	ParallelSymbol
	FinalSymbol
	HistorySymbol
	TransitionSymbol
	DataSymbol
	InvokeSymbol
)

var symbolKinds = map[string]SymbolKind{
	"scxml": ChartSymbol, "state": StateSymbol, "parallel": ParallelSymbol, "final": FinalSymbol, "history": HistorySymbol,
	"transition": TransitionSymbol, "data": DataSymbol, "invoke": InvokeSymbol,
}

// Symbols returns the outline: the chart, in it its data items and states, and so on.
func (d *Document) Symbols() []Symbol { return d.symbols(d.roots) }

func (d *Document) symbols(nodes []*node) []Symbol {
	var all []Symbol
	for _, n := range nodes {
		kind, ok := symbolKinds[n.tag]
		if !ok || n.chart == nil {
			all = append(all, d.symbols(n.children)...) // such as those in <datamodel>
			continue
		}
		s := Symbol{Kind: kind, Name: n.tag, Span: n.span, NameSpan: n.name}
		attr := "id"
		switch kind {
		case ChartSymbol:
			attr = "name"
		case TransitionSymbol:
			attr = "event"
			s.Name = "always"
			if cond := d.attribute(n, "cond"); cond != nil {
				s.Name = "if " + brief(d.read(cond.value).text)
			}
			if target := d.attr(n, "target"); target != "" {
				s.Detail = "→ " + brief(target)
			}
		case DataSymbol:
			s.Detail = brief(d.attr(n, "expr"))
		case InvokeSymbol:
			s.Detail = brief(d.attr(n, "src"))
		}
		if a := d.attribute(n, attr); a != nil && strings.TrimSpace(d.at(a.value)) != "" {
			s.Name = brief(d.at(a.value))
			s.NameSpan = a.value
		}
		s.Children = d.symbols(n.children)
		all = append(all, s)
	}
	return all
}

// A Fold is a part of the text that can be folded.
type Fold struct {
	Span    Span // from the first line, which stays visible, to the last one
	Comment bool
}

// Folds returns the elements and comments of several lines, in document order.
func (d *Document) Folds() []Fold {
	var all []Fold
	add := func(s Span, comment bool) {
		if d.LineAt(s.Start) < d.LineAt(s.End) {
			all = append(all, Fold{s, comment})
		}
	}
	var visit func([]*node)
	visit = func(nodes []*node) {
		for _, n := range nodes {
			end := n.span.End
			if n.tail.End == 0 { // it may reach to the end of the document: without the white space there
				end = n.span.Start + len(strings.TrimRight(d.at(n.span), " \t\r\n"))
			}
			add(Span{n.span.Start, end}, false)
			visit(n.children)
		}
	}
	visit(d.roots)
	for _, c := range d.comments {
		add(c, true)
	}
	slices.SortStableFunc(all, func(a, b Fold) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all
}

// A Lens is a line with an action above an element.
type Lens struct {
	Span   Span // of the name of the element
	Title  string
	Action Action
	Places []Place // of ShowPlaces
}

// An Action is what happens when a [Lens] is clicked.
type Action string

// The actions of lenses.
const (
	Draw       Action = "draw"    // draw the chart
	Explore    Action = "explore" // search its states for errors
	ShowPlaces Action = "places"  // show Lens.Places
)

// Lenses returns the lenses in document order: draw and explore for the chart, and for each state
// the transitions that lead to it.
func (d *Document) Lenses() []Lens {
	var all []Lens
	if len(d.charts) > 0 && d.charts[0].root.tag == "scxml" {
		at := d.charts[0].root.name
		all = append(all, Lens{Span: at, Title: "draw", Action: Draw}, Lens{Span: at, Title: "explore", Action: Explore})
	}
	for _, c := range d.charts {
		places := map[string][]Place{}
		for i := range c.words {
			w := &c.words[i]
			if w.kind == stateWord && w.use == refers && w.node.tag == "transition" && !w.inner {
				places[w.name] = append(places[w.name], Place{Span: w.span})
			}
		}
		for _, s := range c.states {
			leads := places[s.id]
			if s.id == "" || c.byID[s.id] != s || len(leads) == 0 {
				continue
			}
			title := "1 transition leads here"
			if len(leads) > 1 {
				title = fmt.Sprintf("%d transitions lead here", len(leads))
			}
			all = append(all, Lens{Span: s.node.name, Title: title, Action: ShowPlaces, Places: leads})
		}
	}
	slices.SortStableFunc(all, func(a, b Lens) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all
}
