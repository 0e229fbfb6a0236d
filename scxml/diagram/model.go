package diagram

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Diagram is what a picture of a chart shows. It is shared and must not be modified.
type Diagram struct {
	Chart *scxml.Chart
	Root  *Node   // the <scxml> element
	Nodes []*Node // in document order, Root first
	Edges []*Edge // by source in document order; first of each source its [Initial]

	nodes map[scxml.State]*Node
	edges map[datamodel.Position]*Edge
}

// A Node is a state: <scxml>, <state>, <parallel>, <final> or <history>.
type Node struct {
	// ID is the name of the state, which no other state has: its id or, without one, a name such as
	// "state#7". Elements of an SVG picture have it as data-state.
	ID       string
	State    scxml.State
	Kind     scxml.StateKind
	Deep     bool // a <history type="deep">
	Index    int  // in Diagram.Nodes
	Parent   *Node
	Children []*Node
	Lines    []Line  // what the state does, in document order within each kind
	Edges    []*Edge // that leave it

	last  int  // Index of the last descendant
	whole bool // a picture shows all of its Lines: the diagram is a part for this state
}

// An EdgeKind is the kind of an [Edge].
type EdgeKind uint8

// The kinds of edges.
const (
	// Transition: a <transition> that events or its condition enable.
	Transition EdgeKind = iota
	// Initial: what <scxml> and a compound state enter by default. Pictures draw it from a dot
	// inside of the source.
	Initial
	// Default: where a history leads that has nothing to remember.
	Default
)

// An Edge is a transition.
type Edge struct {
	// ID is the name of the source, "/" and the number of the transition among those of the source,
	// from 1, or "initial" for an Initial or Default. Elements of an SVG picture have it as
	// data-transition.
	ID         string
	Kind       EdgeKind
	Transition scxml.Transition
	Index      int // in Diagram.Edges
	Source     *Node
	Targets    []*Node // none for a targetless transition
	// Beyond are targets that are not in a [Diagram.Part], as nodes of the whole diagram, and those of a
	// wrong transition. A node for a state that does not exist has only an ID.
	Beyond   []*Node
	Internal bool // type="internal"

	Event   string // the event descriptors as written, "" for an eventless transition
	Cond    Text   // of the guard
	Actions []Line // its content
}

// A Text is shown shortened where there is little room, and whole on demand.
type Text struct {
	Short string // one line of at most 32 characters; ends in "…" if something is missing
	Whole string // one or more lines
}

// A LineKind is the kind of a [Line].
type LineKind uint8

// The kinds of lines.
const (
	Entry   LineKind = iota // an element of <onentry>
	Exit                    // an element of <onexit>
	Invoke                  // an <invoke>
	Done                    // the <donedata> of a <final>
	Data                    // a <data>
	Action                  // an element of a <transition>
	More                    // how many states in it a [Diagram.Part] leaves out
	Problem                 // an error of the document, before all other lines
)

// A Line is something that a state or a transition does.
type Line struct {
	Kind LineKind
	Text
	// Delay is the delay of a delayed <send> as written, or its expression. Pictures draw a clock.
	Delay string
	Pos   datamodel.Position // of the element
}

// New returns the diagram of a chart. That of a document with errors, which [scxml.Sketch] reads, shows them:
// see [Diagram.Marks].
func New(chart *scxml.Chart) *Diagram {
	d := &Diagram{Chart: chart, nodes: make(map[scxml.State]*Node), edges: make(map[datamodel.Position]*Edge)}
	for i, s := range chart.States() {
		n := &Node{ID: s.Name(), State: s, Kind: s.Kind(), Deep: s.Deep(), Index: i, Lines: stateLines(s.Element())}
		if p, ok := s.Parent(); ok {
			n.Parent = d.nodes[p]
			n.Parent.Children = append(n.Parent.Children, n)
		}
		d.nodes[s] = n
		d.Nodes = append(d.Nodes, n)
	}
	d.finish()
	for _, n := range d.Nodes {
		if t, ok := n.State.Initial(); ok {
			kind := Initial
			if n.Kind == scxml.KindHistory {
				kind = Default
			}
			d.addEdge(n, t, kind, "initial")
		}
		for i, t := range n.State.Transitions() {
			d.addEdge(n, t, Transition, strconv.Itoa(i+1))
		}
	}
	d.addProblems()
	return d
}

// finish finds out where the descendants of each node end.
func (d *Diagram) finish() {
	d.Root = d.Nodes[0]
	for i, n := range slices.Backward(d.Nodes) {
		if n.last = max(n.last, i); n.Parent != nil {
			n.Parent.last = max(n.Parent.last, n.last)
		}
	}
}

func (d *Diagram) addEdge(source *Node, t scxml.Transition, kind EdgeKind, name string) {
	e := &Edge{
		ID: source.ID + "/" + name, Kind: kind, Transition: t, Index: len(d.Edges), Source: source, Internal: t.Internal(),
		Event: strings.Join(t.Events(), " "), Cond: newText(t.Cond()),
	}
	for _, s := range t.Targets() {
		e.Targets = append(e.Targets, d.nodes[s])
	}
	if x := t.Element(); x != nil {
		e.Actions = lines(Action, x.Children)
		d.edges[x.Pos] = e
	}
	source.Edges = append(source.Edges, e)
	d.Edges = append(d.Edges, e)
}

// Node returns the node of a state of the chart.
func (d *Diagram) Node(s scxml.State) *Node { return d.nodes[s] }

// Edge returns the edge of the <transition> element at a position, or nil.
func (d *Diagram) Edge(at datamodel.Position) *Edge { return d.edges[at] }

// IsRound reports whether pictures draw a circle.
func (n *Node) IsRound() bool { return n.Kind == scxml.KindHistory }

// Within reports whether n is m or a descendant of m.
func (n *Node) Within(m *Node) bool {
	return n != nil && m != nil && n.Index >= m.Index && n.Index <= m.last
}

// Label returns the texts of the edge in UML's notation, shortened, on one line:
// "event [cond] / action; action".
func (e *Edge) Label() string {
	text := e.head(e.Cond.Short)
	for i, a := range e.Actions {
		text += [...]string{" / ", "; "}[min(i, 1)] + a.Short
	}
	return strings.TrimPrefix(text, " ")
}

// Whole returns the texts of the edge whole, on a line for the event and the condition and more for
// the actions.
func (e *Edge) Whole() string {
	all := []string{e.head(e.Cond.Whole)}
	if all[0] == "" {
		all = nil
	}
	for _, a := range e.Actions {
		all = append(all, "/ "+indent(a.Whole))
	}
	return strings.Join(all, "\n")
}

// head returns what comes before the actions.
func (e *Edge) head(cond string) string {
	text := e.Event
	if cond != "" {
		text += " [" + cond + "]"
	}
	if e.StaysInside() {
		text += " (internal)"
	}
	for _, n := range e.Beyond {
		text += " → " + n.ID
	}
	return strings.TrimPrefix(text, " ")
}

// StaysInside reports whether the transition does not exit its source because it is internal. REC 3.13:
// that is so if the source is a compound state and all targets are descendants of it.
func (e *Edge) StaysInside() bool {
	outside := func(n *Node) bool { return n == e.Source || !n.Within(e.Source) }
	return e.Internal && e.Source.Kind == scxml.KindCompound && len(e.Targets) > 0 && !slices.ContainsFunc(e.Targets, outside)
}
