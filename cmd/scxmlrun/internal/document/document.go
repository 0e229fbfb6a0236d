// Package document writes documentation of a chart, from what the chart does and from the comments in
// it.
package document

import (
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
)

// A Page is what the documentation of a chart says.
type Page struct {
	Title, File, Datamodel string

	Intro    []Block
	Counts   string
	Tree     string
	Received []Group // the events that the chart takes
	Sent     []Event // the events that it sends to others
	Data     []Item
	Scripts  []Item
	Declared []Item // the functions and variables of scripts, as far as their types are known
	Services []Item // what it invokes
	States   []State
	Used     []Limit // what the document uses
	Allowed  []Limit // what a session may use
	Problems []scxml.Diagnostic

	diagram *diagram.Diagram
}

// A Ref leads to a state of the page.
type Ref struct{ Name, Anchor string }

// A Group is events that come from the same place.
type Group struct {
	From   string
	Events []Event
}

// An Event is an event that the chart takes or sends.
type Event struct {
	Name   string
	Data   []Field
	To     []string // where it is sent
	Delays []string
	States []Ref // that take or send it
	Notes  []string

	known map[Ref]bool // States
}

// A Field is a part of the data of an event.
type Field struct{ Name, What string }

// An Item is something that a chart has besides states and transitions.
type Item struct {
	Name, Text string
	Fields     []Field
	State      *Ref // that it belongs to; nil for the chart
	Note       string
	Types, Go  string // what values it has in ECMAScript, and its type in Go; "" if that is not known
}

// A State is a state with what it does.
type State struct {
	Ref
	Kind        string
	Within      []Ref // outermost first
	Initial     bool  // entered when its parent is entered by default
	About       []Block
	Lines       []Line
	Transitions []Transition
	Children    []Ref
}

// A Line is what a state does at a time.
type Line struct{ When, Text string }

var whens = map[diagram.LineKind]string{
	diagram.Entry: "on entry", diagram.Exit: "on exit", diagram.Invoke: "while active", diagram.Done: "result", diagram.Data: "data",
	diagram.Problem: "error",
}

// A Transition is a transition of a state.
type Transition struct {
	Event, Cond string
	Kind        string // "initial" or "default", "" otherwise
	Internal    bool
	Targets     []Ref
	Actions     string
	Note        string
}

// A Limit is a limit, and how much of it is used or allowed.
type Limit struct{ Name, Used, Allowed string }

// A writer of pages knows the chart.
type writer struct {
	chart    *scxml.Chart
	diagram  *diagram.Diagram
	nodes    map[datamodel.Position]*diagram.Node
	takes    map[string]bool // what event descriptors begin with, except those for all events
	lines    []string        // of the document
	line     int             // the number of one of them, the last that was needed in runes
	runes    []rune
	elements []*scxml.Element
	previous map[*scxml.Element]*scxml.Element // siblings
	numbers  map[eventIn]int                   // of events in their lists
	page     *Page
}

// New returns the page about a chart. Its files are read from folder.
func New(chart *scxml.Chart, folder fs.FS) *Page {
	w := &writer{
		chart: chart, diagram: diagram.New(chart), lines: strings.Split(chart.Source(), "\n"),
		nodes: make(map[datamodel.Position]*diagram.Node), takes: make(map[string]bool), previous: make(map[*scxml.Element]*scxml.Element),
		numbers: make(map[eventIn]int),
	}
	for _, n := range w.diagram.Nodes {
		w.nodes[n.State.Pos()] = n
	}
	for _, e := range w.diagram.Edges {
		for _, descriptor := range strings.Fields(e.Event) {
			w.takes[prefix(descriptor)] = true
		}
	}
	w.collect(chart.Element(), false)
	w.page = &Page{
		Title: chart.Name(), File: path.Base(chart.File()), Datamodel: chart.Datamodel(),
		Intro: blocks(chart.Element().Comment), diagram: w.diagram,
		Tree:     cells.Tree(w.diagram, cells.Options{Marks: w.diagram.Marks()}).String(),
		Problems: scxml.Lint(path.Base(chart.File()), []byte(chart.Source()), scxml.LintOptions{}, scxml.WithLoader(folder)),
	}
	if w.page.Title == "" {
		w.page.Title = strings.TrimSuffix(w.page.File, path.Ext(w.page.File))
	}
	w.events(folder)
	w.items(folder)
	for _, n := range w.diagram.Nodes[1:] {
		w.page.States = append(w.page.States, w.state(n))
	}
	w.limits()
	w.page.Counts = strings.Join([]string{
		text.Count(len(w.diagram.Nodes)-1, "state"), text.Count(len(chart.Transitions()), "transition"),
		text.Count(len(w.page.Data), "data item"), text.Count(len(w.page.Services), "invocation"),
	}, ", ")
	show(reflect.ValueOf(w.page))
	return w.page
}

// collect collects the elements in document order. The documents in <content> are data.
func (w *writer) collect(e *scxml.Element, data bool) {
	if !data {
		w.elements = append(w.elements, e)
	}
	for i, child := range e.Children {
		if i > 0 {
			w.previous[child] = e.Children[i-1]
		}
		w.collect(child, data || e.Name == "content" || e.Name == "data")
	}
}

// state returns what the page says about a state.
func (w *writer) state(n *diagram.Node) State {
	s := State{Ref: ref(n), Kind: n.Kind.String(), About: blocks(w.comment(n.State.Element()))}
	if n.Deep {
		s.Kind = "deep history"
	}
	for p := n.Parent; p.Parent != nil; p = p.Parent {
		s.Within = append(s.Within, ref(p))
	}
	slices.Reverse(s.Within)
	for _, e := range n.Parent.Edges {
		s.Initial = s.Initial || e.Kind == diagram.Initial && slices.Contains(e.Targets, n) && n.Parent.Kind != scxml.KindParallel
	}
	for _, l := range n.Lines {
		when := whens[l.Kind]
		text := strings.TrimPrefix(l.Whole, when+": ")
		if last := len(s.Lines) - 1; last >= 0 && s.Lines[last].When == when {
			s.Lines[last].Text += "\n" + text
		} else {
			s.Lines = append(s.Lines, Line{when, text})
		}
	}
	for _, child := range n.Children {
		s.Children = append(s.Children, ref(child))
	}
	for _, e := range n.Edges {
		t := Transition{Event: e.Event, Cond: e.Cond.Whole, Internal: e.Internal && len(e.Targets) > 0}
		switch e.Kind {
		case diagram.Initial:
			if n.Kind == scxml.KindParallel || e.Transition.Element() == nil {
				continue // the states in it say it
			}
			t.Kind = "initial"
		case diagram.Default:
			t.Kind = "default"
		}
		for _, target := range e.Targets {
			t.Targets = append(t.Targets, ref(target))
		}
		var actions []string
		for _, a := range e.Actions {
			actions = append(actions, a.Whole)
		}
		t.Actions = strings.Join(actions, "\n")
		t.Note = w.notes(e.Transition.Element())
		s.Transitions = append(s.Transitions, t)
	}
	return s
}

func ref(n *diagram.Node) Ref { return Ref{n.ID, fmt.Sprintf("state-%d", n.Index)} }

// owner returns the state that an element belongs to, or nil if that is the chart.
func (w *writer) owner(e *scxml.Element) *Ref {
	for ; e.Parent != nil; e = e.Parent {
		if n := w.nodes[e.Pos]; n != nil {
			r := ref(n)
			return &r
		}
	}
	return nil
}

// items collects data items, scripts and invocations.
func (w *writer) items(folder fs.FS) {
	types, _ := compile.Types(folder, w.page.File, []byte(w.chart.Source())) // without them the page has the rest
	ofData := map[[2]int]compile.Inferred{}                                  // by line and column
	for _, t := range types {
		switch t.Kind {
		case "data":
			ofData[[2]int{t.Pos.Line, t.Pos.Col}] = t
		case "function", "variable":
			w.page.Declared = append(w.page.Declared, Item{Name: t.Name, Types: t.Types, Go: t.Go})
		}
	}
	for _, e := range w.elements {
		switch {
		case e.Name == "data":
			t := ofData[[2]int{e.Pos.Line, e.Pos.Col}]
			w.page.Data = append(w.page.Data, Item{Name: e.Attr("id"), Text: w.value(e), State: w.owner(e), Note: inline(w.comment(e)), Types: t.Types, Go: t.Go})
		case e.Name == "script" && e.Parent.Parent == nil:
			item := Item{Name: e.Attr("src"), Note: inline(w.comment(e))}
			if item.Name == "" {
				item.Text = undent(e.Text)
			}
			w.page.Scripts = append(w.page.Scripts, item)
		case e.Name == "invoke":
			item := Item{Name: first(e.Attr("id"), e.Attr("idlocation")), Text: first(e.Attr("type"), e.Attr("typeexpr"), "scxml"), State: w.owner(e), Note: inline(w.comment(e))}
			if src := first(e.Attr("src"), e.Attr("srcexpr")); src != "" {
				item.Fields = append(item.Fields, Field{"src", src})
			}
			item.Fields = append(item.Fields, w.params(e)...)
			w.page.Services = append(w.page.Services, item)
		}
	}
}

// params returns what <param>, namelist and <content> say.
func (w *writer) params(e *scxml.Element) []Field {
	var all []Field
	for _, name := range strings.Fields(e.Attr("namelist")) {
		all = append(all, Field{Name: name})
	}
	for _, x := range e.Children {
		switch x.Name {
		case "param":
			all = append(all, Field{x.Attr("name"), first(x.Attr("expr"), x.Attr("location"))})
		case "content":
			all = append(all, Field{"", w.value(x)})
		}
	}
	return all
}

// value returns what an element has as an expression, a file or its content.
func (w *writer) value(e *scxml.Element) string {
	if value := first(e.Attr("expr"), e.Attr("src"), undent(e.Text)); value != "" || len(e.Children) == 0 {
		return value
	}
	return w.source(e.Children[0].Pos, e.Children[len(e.Children)-1].End)
}

// source returns the text of the document between two positions.
func (w *writer) source(from, to datamodel.Position) string {
	if !from.IsValid() || to.Line > len(w.lines) {
		return ""
	}
	lines := slices.Clone(w.lines[from.Line-1 : to.Line])
	last := []rune(lines[len(lines)-1])
	lines[len(lines)-1] = string(last[:min(to.Col-1, len(last))]) // an element that is not closed ends later
	lines[0] = string([]rune(lines[0])[from.Col-1:])
	return strings.Join(lines, "\n")
}

// first returns the first text that is not "".
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
