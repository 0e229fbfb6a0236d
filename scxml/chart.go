package scxml

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A Chart is a compiled SCXML document. It is immutable: any number of
// sessions and goroutines may share it.
type Chart struct {
	file        string
	name        string
	hash        []byte // see doc.Document.Hash
	language    datamodel.Language
	late        bool // binding="late"
	warnings    []Diagnostic
	states      []state
	rows        []row       // by state: what the algorithm looks at most
	candidates  []candidate // of all states, in document order within each
	crowded     map[inCrowd][]transID
	entries     []entry // static entry lists; first, by state, those of one state
	byName      map[string]table.State
	transitions []transition
	sends       []SendInfo
	scripts     []*script        // of <scxml>
	exprs       []datamodel.Expr // everything that is compiled, see datamodel.Saver
	withData    []table.State    // the states that have data items
	events      table.Events
	config      chartConfig
	limits      Limits // of its sessions, unless they have some of their own
	children    *children
	histories   int // how many <history> there are

	hasInvokes   bool // there is an <invoke>
	autoforwards bool // and one has autoforward
	hasEventless bool // there is a transition without event
	usesData     bool // there is something to evaluate
}

// Load reads and compiles the document called name in fsys. Scripts and data
// files that it names are read relative to its folder. The name is a path as
// package fs has them (see [fs.ValidPath]): a document anywhere on the disk is
//
//	scxml.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file))
//
// The error for a document that is no legal chart is a [*DocumentError].
func Load(fsys fs.FS, name string, opts ...ChartOption) (*Chart, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("scxml: cannot read the document: %q is no path in a file system of Go: it may not begin with / or have . or .. among its elements", name)
	}
	f, err := doc.OpenFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("scxml: cannot read the document %s: %w", name, err)
	}
	defer f.Close()
	cfg := newChartConfig(opts)
	source, err := cfg.read(f)
	if err != nil {
		return nil, fmt.Errorf("scxml: cannot read the document %s: %w", name, err)
	}
	dir, err := doc.Folder(fsys, path.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("scxml: cannot open the folder of the document: %w", err)
	}
	return Parse(name, source, append([]ChartOption{WithLoader(dir)}, opts...)...)
}

// Parse compiles a document. The name stands in diagnostics only. The error
// for a document that is no legal chart is a [*DocumentError].
func Parse(name string, source []byte, opts ...ChartOption) (*Chart, error) {
	cfg := newChartConfig(opts)
	return cfg.chart(doc.Parse(name, source, cfg.docOptions()))
}

func newChartConfig(opts []ChartOption) *chartConfig {
	cfg := new(chartConfig)
	for _, opt := range opts {
		opt.applyToChart(cfg)
	}
	l := cfg.limits.withDefaults()
	builtIn := []datamodel.Language{
		ecmascript.New(ecmascript.WithMaxScript(l.ExprSize), ecmascript.WithMaxDepth(l.ExprDepth)),
		null.New(),
	}
	cfg.languages = append(builtIn, cfg.languages...)
	return cfg
}

// docOptions says how to parse a document.
func (cfg *chartConfig) docOptions() doc.Options {
	l := cfg.limits.withDefaults()
	return doc.Options{
		Languages: func(name string) bool { return cfg.language(name) != nil },
		Loader:    cfg.loader,
		Limits:    doc.Limits{Size: l.DocumentSize, Depth: l.DocumentDepth, Elements: l.Elements, Attributes: l.Attributes},
	}
}

// chart compiles a document, unless its problems refuse it.
func (cfg *chartConfig) chart(document *doc.Document, problems []doc.Diagnostic) (*Chart, error) {
	for _, d := range problems {
		if d.Severity == doc.Error {
			return nil, &DocumentError{cfg.lint(document, problems, LintOptions{})}
		}
	}
	c, warnings := compile(document, cfg)
	c.warnings = publicDiagnostics(append(problems, warnings...))
	return c, nil
}

func (cfg *chartConfig) language(name string) datamodel.Language {
	for i := len(cfg.languages) - 1; i >= 0; i-- {
		if cfg.languages[i].Name() == name {
			return cfg.languages[i]
		}
	}
	return nil
}

// File returns the name that the document was given when it was read.
func (c *Chart) File() string { return c.file }

// Name returns the attribute name of <scxml>, "" without one.
func (c *Chart) Name() string { return c.name }

// Datamodel returns the name of the chart's data model.
func (c *Chart) Datamodel() string { return c.language.Name() }

// Warnings returns what is odd in the document but does not refuse it, in
// document order. [Lint] looks closer.
func (c *Chart) Warnings() []Diagnostic { return c.warnings }

// Root returns the <scxml> element.
func (c *Chart) Root() State { return State{c, 0} }

// States returns the states of the chart in document order, the <scxml>
// element first and histories included.
func (c *Chart) States() []State {
	all := make([]State, len(c.states))
	for i := range all {
		all[i] = State{c, table.State(i)}
	}
	return all
}

// State returns the state of the given id or name.
func (c *Chart) State(name string) (State, bool) {
	s, ok := c.byName[name]
	return State{c, s}, ok
}

// Transitions returns the <transition> elements in document order, those of
// <initial> and <history> left out.
func (c *Chart) Transitions() []Transition {
	var all []Transition
	for i := range c.transitions {
		if c.transitions[i].selectable {
			all = append(all, Transition{c, transID(i)})
		}
	}
	return all
}

// Sends returns the <send> elements in document order.
func (c *Chart) Sends() []SendInfo { return c.sends }

// Data returns the ids of the top-level data items in document order.
func (c *Chart) Data() []string {
	var ids []string
	for _, d := range c.states[0].data {
		ids = append(ids, d.id)
	}
	return ids
}

// StateKind says what a [State] is.
type StateKind uint8

// The kinds of states. A <state> is atomic or compound.
const (
	KindScxml    = StateKind(doc.Scxml)
	KindAtomic   = StateKind(doc.Atomic)
	KindCompound = StateKind(doc.Compound)
	KindParallel = StateKind(doc.Parallel)
	KindFinal    = StateKind(doc.Final)
	KindHistory  = StateKind(doc.History)
)

// String returns the name of the element: "state" for atomic and compound states.
func (k StateKind) String() string { return doc.StateKind(k).String() }

// A State is a state of a [Chart]: <scxml>, <state>, <parallel>, <final> or
// <history>. States of one chart can be compared with ==.
type State struct {
	chart *Chart
	id    table.State
}

// ID returns the attribute id, "" without one.
func (s State) ID() string { return s.chart.states[s.id].id }

// Name returns the id, or for a state without one its element and its number
// in document order, for example "state#7".
func (s State) Name() string { return s.chart.states[s.id].name }

// Kind says what the state is.
func (s State) Kind() StateKind { return StateKind(s.chart.states[s.id].kind) }

// IsAtomic reports whether the state has no child states: an atomic or a final state.
func (s State) IsAtomic() bool { return s.chart.states[s.id].atomic() }

// Parent returns the parent. ok is false for the root.
func (s State) Parent() (parent State, ok bool) {
	p := s.chart.states[s.id].parent
	return State{s.chart, p}, p != table.None
}

// Children returns the child states in document order, histories included.
func (s State) Children() []State {
	var all []State
	for c := s.id + 1; c <= s.chart.states[s.id].last; c = s.chart.states[c].last + 1 {
		all = append(all, State{s.chart, c})
	}
	return all
}

// Transitions returns the transitions of the state in document order.
func (s State) Transitions() []Transition {
	var all []Transition
	for _, t := range s.chart.states[s.id].transitions {
		all = append(all, Transition{s.chart, t})
	}
	return all
}

// Pos returns where the element stands.
func (s State) Pos() datamodel.Position { return s.chart.states[s.id].pos }

// A Transition is a <transition> of a [Chart].
type Transition struct {
	chart *Chart
	id    transID
}

// Source returns the state that the transition belongs to.
func (t Transition) Source() State { return State{t.chart, t.chart.transitions[t.id].source} }

// Events returns the event descriptors as written; none for an eventless transition.
func (t Transition) Events() []string { return t.chart.transitions[t.id].events }

// Cond returns the text of the condition, "" without one.
func (t Transition) Cond() string {
	if c := t.chart.transitions[t.id].cond; c != nil {
		return c.Source().Text
	}
	return ""
}

// Targets returns the targets as written; none for a targetless transition.
func (t Transition) Targets() []State {
	var all []State
	for _, s := range t.chart.transitions[t.id].targets {
		all = append(all, State{t.chart, s})
	}
	return all
}

// Internal reports whether the transition has type="internal".
func (t Transition) Internal() bool { return t.chart.transitions[t.id].internal }

// Pos returns where the element stands.
func (t Transition) Pos() datamodel.Position { return t.chart.transitions[t.id].pos }

// A SendInfo describes a <send> element.
type SendInfo struct {
	Event  string        // "" if it is computed
	Target string        // "" if there is none or it is computed
	Type   string        // "" if there is none or it is computed
	Params []string      // the entries of namelist, then the names of the params
	Delay  time.Duration // 0 if there is none or it is computed
	Pos    datamodel.Position
}

// read reads all of a document, or a little more than is allowed, so that the
// parser says so.
func (cfg *chartConfig) read(r io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, int64(cfg.limits.withDefaults().DocumentSize)+1))
}
