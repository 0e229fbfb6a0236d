package scxml

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime/debug"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A Chart is a compiled SCXML document. It is immutable: any number of sessions and goroutines may
// share it.
type Chart struct {
	file        string
	source      string // see Source
	name        string
	hash        []byte // see doc.Document.Hash
	hashText    string // in hexadecimal
	language    datamodel.Language
	late        bool // binding="late"
	warnings    []Diagnostic
	errors      []Diagnostic // see Errors
	states      []state
	rows        []row // by state: what the algorithm reads most
	atomic      table.Set
	candidates  []candidate // of all states, in document order within each
	indexed     map[indexKey][]transID
	plans       *plans
	entries     []entry // static entry lists; first, by state, those of one state
	byName      map[string]table.State
	transitions []transition
	sends       []SendInfo
	own         map[string]bool // the events that it raises, or sends to itself
	children    *children
	// fromChildren returns the events that the documents that the chart invokes send to their
	// parent. It loads and compiles them once.
	fromChildren func() map[string]bool
	elements     func() map[datamodel.Position]*Element
	needs        func() []need           // what it expects of its host
	takesFuncs   func() error            // why it cannot be given functions
	items        []string                // variables that its <foreach> declare
	dataExprs    func() []datamodel.Expr // expressions for the top-level data items
	scripts      []*script               // of <scxml>
	exprs        []datamodel.Expr        // all compiled expressions, see datamodel.Saver
	withData     []table.State           // states that have data items
	events       table.Events
	config       chartConfig
	limits       Limits // of its sessions, unless they set others
	histories    int    // number of <history> elements

	hasInvokes   bool // it has an <invoke>
	autoforwards bool // and one of them has autoforward
	hasEventless bool // it has a transition without event
	usesData     bool // it has something to evaluate
}

// Load reads and compiles the document name in fsys. It reads the scripts and data files that the
// document names relative to the folder of the document. The name must satisfy [fs.ValidPath]. To
// load a document from anywhere on the disk, write
//
//	scxml.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file))
//
// If the document is not a legal chart, the error is a [*DocumentError].
func Load(fsys fs.FS, name string, opts ...ChartOption) (*Chart, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("scxml: cannot read the document: %q is not a valid path in an fs.FS: want a relative path without . and .. elements", name)
	}
	source, dir, err := newChartConfig(opts).load(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("scxml: cannot read the document %s: %w", name, err)
	}
	return Parse(name, source, append([]ChartOption{WithLoader(dir)}, opts...)...)
}

// Parse compiles a document. The name is used in diagnostics only. If the document is not a legal
// chart, the error is a [*DocumentError].
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
		ecmascript.New(ecmascript.WithMaxScript(l.ExprSize), ecmascript.WithMaxDepth(l.ExprDepth), ecmascript.WithMaxItems(l.ArrayItems),
			ecmascript.WithMaxString(l.StringLength)),
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

// chart compiles a document unless it has errors.
func (cfg *chartConfig) chart(document *doc.Document, problems []doc.Diagnostic) (*Chart, error) {
	for _, d := range problems {
		if d.Severity == doc.Error {
			return nil, &DocumentError{cfg.lint(document, problems, LintOptions{}, doc.Warning)}
		}
	}
	c, warnings := compile(document, cfg)
	c.makeRows()
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

// File returns the name that Load or Parse was given.
func (c *Chart) File() string { return c.file }

// Source returns the text of the document as UTF-8, without a byte order mark. It is the text that
// positions refer to: that of the whole document for a chart that is an element of it (<content> of
// <invoke>), and "" for one that a session made of an XML value.
func (c *Chart) Source() string { return c.source }

// Hash returns the SHA-256 of the document and of all scripts and data that it loads, in hexadecimal,
// as snapshots have it. It is "" for a chart that is an element of another document.
func (c *Chart) Hash() string { return c.hashText }

// Limits returns the limits of the chart's sessions, see [WithLimits].
func (c *Chart) Limits() Limits { return c.limits.withDefaults() }

// Loader returns what the scripts and data that the document names are read from, see [WithLoader], or nil.
func (c *Chart) Loader() fs.FS { return c.config.loader }

// Name returns the name attribute of <scxml>, or "".
func (c *Chart) Name() string { return c.name }

// Language returns the data model of the chart.
func (c *Chart) Language() datamodel.Language { return c.language }

// Datamodel returns the name of the chart's data model.
func (c *Chart) Datamodel() string { return c.language.Name() }

// Warnings returns the warnings about the document in document order. [Lint] checks more. The result
// must not be modified.
func (c *Chart) Warnings() []Diagnostic { return c.warnings }

// Root returns the <scxml> element.
func (c *Chart) Root() State { return State{c, 0} }

// States returns the states of the chart in document order: the <scxml> element first, histories
// included.
func (c *Chart) States() []State {
	all := make([]State, len(c.states))
	for i := range all {
		all[i] = State{c, table.State(i)}
	}
	return all
}

// State returns the state with the given id or name.
func (c *Chart) State(name string) (State, bool) {
	s, ok := c.byName[name]
	return State{c, s}, ok
}

// Transitions returns the <transition> elements in document order, except those of <initial> and
// <history>.
func (c *Chart) Transitions() []Transition {
	var all []Transition
	for i := range c.transitions {
		if c.transitions[i].selectable {
			all = append(all, Transition{c, transID(i)})
		}
	}
	return all
}

// Sends returns the <send> elements in document order. The result must not be modified.
func (c *Chart) Sends() []SendInfo { return c.sends }

// Data returns the ids of the top-level data items in document order.
func (c *Chart) Data() []string { return c.Root().Data() }

// AllData returns the ids of all data items, those of the states after the top-level ones, in document
// order.
func (c *Chart) AllData() []string {
	var ids []string
	for st := range c.states {
		ids = append(ids, State{c, table.State(st)}.Data()...)
	}
	return ids
}

// DataPos returns the position of a top-level data item, or the zero Position if there is none with
// this id.
func (c *Chart) DataPos(id string) datamodel.Position {
	for _, d := range c.states[0].data {
		if d.id == id {
			return d.pos
		}
	}
	return datamodel.Position{}
}

// A StateKind is the kind of a [State].
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

// A State is a state of a [Chart]: <scxml>, <state>, <parallel>, <final> or <history>. Compare
// states of one chart with ==.
type State struct {
	chart *Chart
	id    table.State
}

// ID returns the id attribute, or "".
func (s State) ID() string { return s.chart.states[s.id].id }

// Name returns the id. For a state without one it returns the element and its number in document
// order, for example "state#7".
func (s State) Name() string { return s.chart.states[s.id].name }

// String returns the name.
func (s State) String() string { return s.Name() }

// Kind returns the kind of the state.
func (s State) Kind() StateKind { return StateKind(s.chart.states[s.id].kind) }

// IsAtomic reports whether the state is a <final> or a <state> without child states.
func (s State) IsAtomic() bool { return s.chart.states[s.id].atomic() }

// Parent returns the parent state; ok is false for the root.
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

// Initial returns the default transition of the state: of <scxml> and a compound state that to its
// initial states, whether an element, an attribute or nothing says so, and of a history that which is
// taken when there is nothing to remember. ok is false for other states.
func (s State) Initial() (t Transition, ok bool) {
	st := &s.chart.states[s.id]
	id := max(st.initial, st.defaultHist)
	return Transition{s.chart, id}, id != noTransition
}

// Deep reports whether the state is a <history type="deep">.
func (s State) Deep() bool { return s.chart.states[s.id].deep }

// Data returns the ids of the data items of the state in document order.
func (s State) Data() []string {
	var ids []string
	for _, d := range s.chart.states[s.id].data {
		ids = append(ids, d.id)
	}
	return ids
}

// Pos returns the position of the element.
func (s State) Pos() datamodel.Position { return s.chart.states[s.id].pos }

// A Transition is a <transition> of a [Chart].
type Transition struct {
	chart *Chart
	id    transID
}

// Source returns the state that the transition belongs to.
func (t Transition) Source() State { return State{t.chart, t.chart.transitions[t.id].source} }

// Events returns the event descriptors as written, none for an eventless transition.
func (t Transition) Events() []string { return t.chart.transitions[t.id].events }

// Cond returns the text of the condition, or "".
func (t Transition) Cond() string {
	if c := t.chart.transitions[t.id].cond; c != nil {
		return c.Source().Text
	}
	return ""
}

// Targets returns the targets as written, none for a targetless transition.
func (t Transition) Targets() []State {
	var all []State
	for _, s := range t.chart.transitions[t.id].targets {
		all = append(all, State{t.chart, s})
	}
	return all
}

// Internal reports whether the transition has type="internal".
func (t Transition) Internal() bool { return t.chart.transitions[t.id].internal }

// Pos returns the position of the element.
func (t Transition) Pos() datamodel.Position { return t.chart.transitions[t.id].pos }

// String returns the source, the events and the targets, such as "closed push -> open".
func (t Transition) String() string {
	text := t.Source().Name()
	for _, e := range t.Events() {
		text += " " + e
	}
	if targets := t.Targets(); len(targets) > 0 {
		text += " ->"
		for _, target := range targets {
			text += " " + target.Name()
		}
	}
	return text
}

// A SendInfo describes a <send> element.
type SendInfo struct {
	Event  string        // "" if computed
	Target string        // "" if missing or computed
	Type   string        // "" if missing or computed
	Params []string      // the entries of namelist, then the names of the params
	Delay  time.Duration // 0 if missing or computed
	Pos    datamodel.Position
}

// load reads a document, with one byte more than the limit allows so that the parser reports it, and
// opens its folder.
func (cfg *chartConfig) load(fsys fs.FS, name string) (source []byte, dir fs.FS, err error) {
	defer func() {
		if x := recover(); x != nil {
			source, dir, err = nil, nil, &PanicError{Value: x, Stack: debug.Stack(), What: "loader"}
		}
	}()
	f, err := doc.OpenFile(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if source, err = io.ReadAll(io.LimitReader(f, int64(cfg.limits.withDefaults().DocumentSize)+1)); err != nil {
		return nil, nil, err
	}
	dir, err = doc.Folder(fsys, path.Dir(name))
	return source, dir, err
}
