package scxml

import (
	"cmp"
	"encoding/hex"
	"encoding/xml"
	"slices"
	"strconv"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// transID is the number of a transition in Chart.transitions. Transitions with an element come
// first, in document order, so comparing their numbers compares their places in the document.
type transID int32

const noTransition transID = -1

// state is the compiled form of a state. What the algorithm needs most is also in a row.
type state struct {
	id, name string
	doneName string // of its done event; "" if there is none
	kind     doc.StateKind
	parent   table.State
	last     table.State // its last descendant in document order, or itself
	pos      datamodel.Position

	transitions []transID // in document order
	eventless   []transID
	evented     []transID
	initial     transID // of <scxml> and compound states

	histories   []table.State // its <history> children
	deep        bool          // of a history
	history     int           // of a history: its place in Session.history
	defaultHist transID       // of a history: its default transition

	onentry, onexit []block
	data            []dataItem
	donedata        *donedata
	invokes         []*invoke
}

func (s *state) atomic() bool    { return s.kind == doc.Atomic || s.kind == doc.Final }
func (s *state) isHistory() bool { return s.kind == doc.History }

// transition is the compiled form of a transition. What each microstep reads comes first, in one
// cache line.
type transition struct {
	source     table.State
	domain     table.State
	internal   bool
	selectable bool // not a transition of <initial> or <history>
	toHistory  bool // a target is a history, so its domain depends on what that remembers
	static     bool // what it enters is known: see Chart.entries, firstEntry and lenEntry
	plain      bool // static, and nothing below its domain has a history or an invoke
	firstEntry int32
	lenEntry   int32
	cond       datamodel.Expr
	body       block

	pos     datamodel.Position
	events  []string
	descs   []table.Descriptor
	targets []table.State
}

// dataItem is a <data>. Without init its value is undefined.
type dataItem struct {
	id   string
	init datamodel.Expr
	err  error // why its file could not be loaded
	pos  datamodel.Position
}

// donedata is a <donedata>: either content or params.
type donedata struct {
	content *content
	params  []param
}

type compiler struct {
	chart    *Chart
	warnings []doc.Diagnostic
	needs    []need
}

// compile turns a document into tables, except for those that makeRows makes. It also returns the syntax errors of its
// expressions as warnings; evaluating such an expression is error.execution.
func compile(d *doc.Document, cfg *chartConfig) (*Chart, []doc.Diagnostic) {
	c := &compiler{chart: &Chart{
		file:     d.File,
		source:   d.Source,
		name:     d.Name,
		hash:     d.Hash,
		hashText: hex.EncodeToString(d.Hash),
		language: cfg.language(d.Datamodel),
		config:   *cfg,
		limits:   cfg.limits.withDefaults(),
		children: new(children),
		own:      make(map[string]bool),
		late:     d.Late,
		states:   make([]state, len(d.States)),
		byName:   make(map[string]table.State, len(d.States)),
	}}
	c.states(d)
	for _, s := range d.Scripts {
		c.chart.scripts = append(c.chart.scripts, c.script(s))
	}
	for i, s := range d.States {
		c.contents(&c.chart.states[i], s)
	}
	c.transitions(d)
	c.chart.events.Seal()
	c.chart.dataExprs = sync.OnceValue(c.chart.compileData)
	c.chart.fromChildren = sync.OnceValue(c.chart.eventsFromChildren)
	c.chart.elements = c.chart.readElements()
	c.chart.takesFuncs = sync.OnceValue(c.chart.checkTakesFuncs)
	c.chart.needs = sync.OnceValue(func() []need { return c.chart.findNeeds(c.needs) })
	slices.SortStableFunc(c.chart.sends, func(a, b SendInfo) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return c.chart, c.warnings
}

// doneName returns the name of the done event of a state.
func doneName(state string) string { return "done.state." + state }

func (c *compiler) states(d *doc.Document) {
	for i, s := range d.States {
		def := &c.chart.states[i]
		def.id = s.ID
		def.name = s.ID
		if s.ID == "" || d.ByID[s.ID] != s { // the id is taken in a document with errors
			def.name = s.Kind.String() + "#" + strconv.Itoa(i)
		}
		def.kind = s.Kind
		def.pos = s.Pos
		def.parent = table.None
		def.last = table.State(i)
		def.initial, def.defaultHist = noTransition, noTransition
		if s.Parent != nil {
			def.parent = table.State(s.Parent.Index)
		}
		if s.Kind == doc.History {
			def.deep = s.Deep
			def.history = c.chart.histories
			c.chart.histories++
			parent := &c.chart.states[def.parent]
			parent.histories = append(parent.histories, table.State(i))
		}
		if def.name == s.ID {
			c.chart.byName[s.ID] = table.State(i)
		}
	}
	// A generated name must not hide an id of the document.
	for i := range c.chart.states {
		def := &c.chart.states[i]
		if def.name != def.id {
			if _, taken := c.chart.byName[def.name]; !taken {
				c.chart.byName[def.name] = table.State(i)
			}
		}
		if def.kind == doc.Parallel {
			def.doneName = doneName(def.name)
		} else if def.kind == doc.Final && i > 0 {
			parent := &c.chart.states[def.parent]
			parent.doneName = doneName(parent.name)
		}
	}
	for i := len(c.chart.states) - 1; i > 0; i-- {
		def := &c.chart.states[i]
		parent := &c.chart.states[def.parent]
		parent.last = max(parent.last, def.last)
	}
}

func (c *compiler) contents(def *state, s *doc.State) {
	def.onentry = c.blocks(s.OnEntry)
	def.onexit = c.blocks(s.OnExit)
	for _, inv := range s.Invokes {
		def.invokes = append(def.invokes, c.invoke(inv))
	}
	for _, d := range s.Data {
		c.chart.usesData = true
		item := dataItem{id: d.ID, pos: d.Pos, err: d.LoadErr}
		switch {
		case d.Expr != nil:
			item.init = c.expr(datamodel.ValueExpr, d.Expr)
		case d.Content != nil:
			item.init = c.expr(datamodel.Content, d.Content)
		}
		def.data = append(def.data, item)
	}
	if len(def.data) > 0 {
		c.chart.withData = append(c.chart.withData, table.State(s.Index))
	}
	if s.Donedata != nil {
		def.donedata = &donedata{content: c.content(s.Donedata.Content), params: c.params(s.Donedata.Params)}
	}
}

// transitions numbers the transitions: first those with an element, in document order, then those
// of initial attributes.
func (c *compiler) transitions(d *doc.Document) {
	withElement := 0
	each := func(f func(t *doc.Transition)) {
		for _, s := range d.States {
			if s.Initial != nil {
				f(s.Initial)
			}
			for _, t := range s.Transitions {
				f(t)
			}
		}
	}
	n, nEvents, nTargets := 0, 0, 0
	each(func(t *doc.Transition) {
		withElement = max(withElement, t.Index+1)
		n, nEvents, nTargets = n+1, nEvents+len(t.Events), nTargets+len(t.Targets)
	})
	c.chart.transitions = make([]transition, withElement, n)
	// All transitions and states share a few large lists.
	descs, targets := make([]table.Descriptor, nEvents), make([]table.State, nTargets)
	all, evented, eventless := make([]transID, n), make([]transID, n), make([]transID, n)
	for i, s := range d.States {
		if n := len(s.Transitions); n > 0 {
			def := &c.chart.states[i]
			def.transitions, def.evented, def.eventless = carve(&all, n), carve(&evented, n), carve(&eventless, n)
		}
	}
	events := &c.chart.events
	each(func(t *doc.Transition) {
		id := transID(t.Index)
		if t.Index < 0 {
			id = transID(len(c.chart.transitions))
			c.chart.transitions = append(c.chart.transitions, transition{})
		}
		def := &c.chart.states[t.Source.Index]
		tr := &c.chart.transitions[id]
		*tr = transition{
			source:   table.State(t.Source.Index),
			domain:   table.None,
			pos:      t.Pos,
			events:   t.Events,
			cond:     c.expr(datamodel.Condition, t.Cond),
			internal: t.Internal,
			body:     c.block(t.Body),
			descs:    carve(&descs, len(t.Events)),
			targets:  carve(&targets, len(t.Targets)),
		}
		for _, e := range t.Events {
			tr.descs = append(tr.descs, events.Add(e))
		}
		for _, target := range t.Targets {
			tr.targets = append(tr.targets, table.State(target.Index))
			tr.toHistory = tr.toHistory || target.Kind == doc.History
		}
		switch {
		case t == t.Source.Initial:
			def.initial = id
		case t.Source.Kind == doc.History:
			def.defaultHist = id
		default:
			tr.selectable = true
			def.transitions = append(def.transitions, id)
			if len(t.Events) == 0 {
				c.chart.hasEventless = true
				def.eventless = append(def.eventless, id)
			} else {
				def.evented = append(def.evented, id)
			}
		}
		if len(tr.targets) > 0 && !tr.toHistory {
			tr.domain = c.chart.transitionDomain(tr, tr.targets)
		}
	})
}

// carve cuts a list for n items from a large one.
func carve[T any](from *[]T, n int) []T {
	list := (*from)[:0:n]
	*from = (*from)[n:]
	return list
}

// expr compiles src, if it is not nil.
func (c *compiler) expr(kind datamodel.Kind, src *datamodel.Source) datamodel.Expr {
	if src == nil {
		return nil
	}
	c.chart.usesData = true
	e, err := c.chart.language.Compile(kind, *src)
	if err != nil {
		c.warnings = append(c.warnings, doc.SyntaxWarning(kind, *src, err))
	}
	c.chart.exprs = append(c.chart.exprs, e)
	return e
}

func (c *compiler) blocks(blocks []*doc.Block) []block {
	var all []block
	for _, b := range blocks {
		if len(b.Body) > 0 {
			all = append(all, c.block(b.Body))
		}
	}
	return all
}

func (c *compiler) block(body []doc.Exec) block {
	var b block
	for _, e := range body {
		b = append(b, c.action(e))
	}
	return b
}

func (c *compiler) action(e doc.Exec) action {
	switch e := e.(type) {
	case *doc.Raise:
		c.own(e.Event)
		return &raise{e.Pos, e.Event}
	case *doc.If:
		a := &ifElse{pos: e.Pos}
		for _, b := range e.Branches {
			a.branches = append(a.branches, branch{b.Pos, c.expr(datamodel.Condition, b.Cond), c.block(b.Body)})
		}
		return a
	case *doc.Foreach:
		c.chart.items = append(c.chart.items, e.Item, e.Index)
		return &foreach{e.Pos, c.expr(datamodel.ValueExpr, e.Array), e.Item, e.Index, c.block(e.Body)}
	case *doc.Log:
		return &logAction{e.Pos, e.Label, c.expr(datamodel.ValueExpr, e.Expr)}
	case *doc.Assign:
		value := c.expr(datamodel.ValueExpr, e.Expr)
		if e.Content != nil {
			value = c.expr(datamodel.Content, e.Content)
		}
		return &assign{e.Pos, c.expr(datamodel.Location, e.Location), value}
	case *doc.Script:
		return c.script(e)
	case *doc.Send:
		return c.send(e)
	case *doc.Cancel:
		return &cancel{e.Pos, e.SendID, c.expr(datamodel.ValueExpr, e.Expr)}
	case *doc.Foreign:
		c.chart.usesData = true // its action may evaluate attributes
		c.need("WithAction", e.Name.Local, e.Name, e.Pos)
		return &customAction{pos: e.Pos, name: e.Name, node: e.Node}
	}
	panic("scxml: unknown executable content")
}

func (c *compiler) script(e *doc.Script) *script {
	return &script{e.Pos, c.expr(datamodel.Script, &e.Code)}
}

// compileData compiles an expression for each top-level data item.
func (c *Chart) compileData() (exprs []datamodel.Expr) {
	for _, id := range c.Data() {
		expr, _ := c.language.Compile(datamodel.ValueExpr, datamodel.Source{Text: id}) // it keeps its error
		exprs = append(exprs, expr)
	}
	return exprs
}

// own notes an event that the chart raises, or sends to itself.
func (c *compiler) own(event string) { c.chart.own[event] = true }

func (c *compiler) send(e *doc.Send) action {
	a := &send{
		pos:        e.Pos,
		event:      text{e.Event, c.expr(datamodel.ValueExpr, e.EventExpr)},
		target:     text{e.Target, c.expr(datamodel.ValueExpr, e.TargetExpr)},
		typ:        text{e.Type, c.expr(datamodel.ValueExpr, e.TypeExpr)},
		id:         e.ID,
		idLocation: c.expr(datamodel.Location, e.IDLocation),
		delayExpr:  c.expr(datamodel.ValueExpr, e.DelayExpr),
		namelist:   c.namelist(e.Namelist),
		params:     c.params(e.Params),
		content:    c.content(e.Content),
		retry:      (*Retry)(e.Retry),
	}
	if e.Delay != "" {
		a.delay, _ = delay.Parse(e.Delay) // the parser has checked it
	}
	if e.TypeExpr == nil {
		c.need("WithIOProcessor", e.Type, xml.Name{}, e.Pos)
	}
	info := SendInfo{Event: e.Event, Target: e.Target, Type: e.Type, Delay: a.delay, Pos: e.Pos}
	for _, n := range e.Namelist {
		info.Params = append(info.Params, n.Text)
	}
	for _, p := range e.Params {
		info.Params = append(info.Params, p.Name)
	}
	c.chart.sends = append(c.chart.sends, info)
	if e.Event != "" && (e.Target == "" && e.TargetExpr == nil || e.Target == "#_internal") {
		c.own(e.Event)
	}
	return a
}

func (c *compiler) invoke(e *doc.Invoke) *invoke {
	inv := &invoke{
		pos:         e.Pos,
		typ:         text{e.Type, c.expr(datamodel.ValueExpr, e.TypeExpr)},
		src:         text{e.Src, c.expr(datamodel.ValueExpr, e.SrcExpr)},
		id:          e.ID,
		idLocation:  c.expr(datamodel.Location, e.IDLocation),
		namelist:    c.namelist(e.Namelist),
		params:      c.params(e.Params),
		autoforward: e.Autoforward,
		retry:       (*Retry)(e.Retry),
	}
	if e.TypeExpr == nil {
		c.need("WithInvoker", e.Type, xml.Name{}, e.Pos)
	}
	if e.Finalize != nil {
		inv.finalize = c.block(e.Finalize.Body)
		inv.updates = len(e.Finalize.Body) == 0
	}
	if e.Content != nil && e.Content.Scxml() {
		// It is compiled when it is first invoked: its errors belong to the invocation, not to the
		// document around it.
		content, cfg := e.Content, &c.chart.config
		inv.inline = sync.OnceValues(func() (*Chart, error) { return cfg.chart(content.Parse(cfg.docOptions())) })
	}
	if inv.inline == nil || !doc.IsSCXMLType(e.Type) || e.TypeExpr != nil {
		inv.content = c.content(e.Content)
	}
	return inv
}

// namelist makes params of the entries of a namelist.
func (c *compiler) namelist(srcs []*datamodel.Source) []param {
	var all []param
	for _, src := range srcs {
		all = append(all, param{src.Pos, src.Text, c.expr(datamodel.Location, src), true})
	}
	return all
}

func (c *compiler) params(ps []*doc.Param) []param {
	var all []param
	for _, p := range ps {
		value := c.expr(datamodel.ValueExpr, p.Expr)
		if p.Location != nil {
			value = c.expr(datamodel.Location, p.Location)
		}
		all = append(all, param{p.Pos, p.Name, value, p.Location != nil})
	}
	return all
}

func (c *compiler) content(ct *doc.Content) *content {
	if ct == nil {
		return nil
	}
	value := c.expr(datamodel.ValueExpr, ct.Expr)
	if ct.Inline != nil {
		value = c.expr(datamodel.Content, ct.Inline)
	}
	return &content{ct.Pos, value}
}

// transitionDomain is getTransitionDomain of Appendix D for the given effective targets.
func (c *Chart) transitionDomain(t *transition, targets []table.State) table.State {
	if len(targets) == 0 {
		return table.None
	}
	inside := func(s table.State) bool {
		for _, target := range targets {
			if !c.isDescendant(target, s) {
				return false
			}
		}
		return true
	}
	if t.internal && c.states[t.source].kind == doc.Compound && inside(t.source) {
		return t.source
	}
	// findLCCA: the closest proper ancestor of the source that is compound or the root and contains
	// all targets.
	for s := c.states[t.source].parent; s != table.None; s = c.states[s].parent {
		if k := c.states[s].kind; (k == doc.Compound || k == doc.Scxml) && inside(s) {
			return s
		}
	}
	return 0 // the root, for transitions of <scxml> itself
}

func (c *Chart) isDescendant(s, ancestor table.State) bool {
	return ancestor < s && s <= c.states[ancestor].last
}
