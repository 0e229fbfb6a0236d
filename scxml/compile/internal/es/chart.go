package es

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// Names are the Go expressions that the generated code has for what expressions see. Each is a field or a
// chain of them; results of functions may be any operand, such as m.d.coins or m.in(3).
type Names struct {
	Err   string                        // a variable of type string: why an expression has failed, or ""
	Depth string                        // a variable of type int: how many functions have been called inside of each other
	Field func(id string) string        // a variable for a data item, or for a variable of a script
	Func  func(id string, n int) string // a method for a function of a script; n is the number of one that is made more than once
	Shape func(names []string) string   // a variable of type *js.Shape
	In    func(state string) string     // a bool, for the id of a state; "" for an id that no state has
	Named func(idText string) string    // the same for an id that is the value of a Go expression; nil for none
	Of    func(processor string) string // a string: the location in _ioprocessors; nil or "" for one that it may not have
	Host  func(processor string) string // a js.Value: what _ioprocessors has for such a one; nil for undefined

	Name, SessionID string // strings
	Now, Random     string // float64s: Date.now() and Math.random(); "" for none

	Present func() string             // a bool: whether there is an event
	Event   func(field string) string // a string: name, type, sendid, origin, origintype or invokeid; "" for undefined
	Data    func() string             // a variable of type js.Value: the data of the event; see [Chart.Whole]
	Member  func(name string) string  // a variable of type js.Value: that member of the data, unless Whole

	Line func(pos datamodel.Position) string // a comment before a statement that is at pos in the chart; may be nil
}

// An Item is a <data>.
type Item struct {
	ID    string
	Pos   datamodel.Position
	Init  *datamodel.Source // nil for undefined
	Kind  datamodel.Kind    // of Init: ValueExpr or Content
	Late  bool              // it gets its value when its state is entered
	Given Type              // what the host, or the parent of the session, may give instead; 0 for nothing
	Fails bool              // Init cannot be had: the item stays undefined
	Type  Type              // Bool, Number or String: what the chart declares it to be; 0 for nothing
}

// A Problem is something of the chart that cannot be compiled.
type Problem struct {
	Pos datamodel.Position
	Msg string
}

// A Chart has all expressions of a chart. See the documentation of the package.
type Chart struct {
	names    Names
	vars     map[string]*variable
	all      []*variable // with local ones
	funcs    map[string]*function
	methods  []*function // of funcs, in order
	closures map[*tree.Func]*function
	scopes   map[tree.Node]*scope
	inits    []*Expr // by item; nil for none
	items    []Item
	exprs    []*Expr
	units    []*unit
	scripts  int // global ones, so far
	problems []Problem
	uses     []Use                     // see Uses
	divided  map[string]bool           // see Divide
	called   map[*function][]*function // by what calls them, nil for expressions; since types are known
	assigned []assigned                // see checkDeclared
	foreachs []foreach
	noted    bool
	whole    bool
	deep     bool // functions count their calls

	anyArg, anyResult *variable // of functions that are called as values

	// While types are not known yet:
	solving bool
	unit    *unit // the one that is being emitted
	at      spot  // what is being emitted
	unknown int   // how many variables without a type have been read
	guess   bool  // results of functions without a type do not count among them
	queue   []*unit
}

// A variable is a data item or a variable of scripts.
type variable struct {
	name  string
	typ   Type
	order int // of the initialisation of a data item, from 0
	item  bool

	declared Type // its only type, or 0

	// Of a variable of scripts:
	from     int            // the phase from which it exists
	local    map[*Expr]bool // where it exists otherwise: in content that declares it
	constant bool
	grown    []Place // see Places
	kind     string  // of its first declaration: var, let or const

	// Of a local one:
	text    string // its name in Go; "" for others
	lexical bool   // declared with let or const
	hoisted bool   // and Go needs it from the beginning of its block
	outside bool   // it is declared before its block, which is a case of a switch
	early   bool   // a function can read it before its declaration
	result  bool   // it is the result of a function

	readers []*unit // what depends on its type
}

// An Expr is an expression, a location or a script that was added to a chart.
type Expr struct {
	kind  datamodel.Kind
	src   *datamodel.Source
	code  *tree.Code
	err   string // a syntax error: what every evaluation fails with
	phase int    // when it is evaluated: see [Chart.New]
	order int    // of the data item that it initialises, or -1
	event bool   // there is an event whenever it is evaluated
	scope *scope // of its own; may be nil

	assigned bool // it is a location that is assigned to
	rich     bool // it needs Go code that can panic, see emission

	copies [][]tree.Stmt // see addMethod
}

// The phases of a session: data items are initialised, global scripts run one after the other, and the
// rest comes in any order.
const (
	initPhase = 0
	lastPhase = 1 << 30
)

// A unit is code whose emission shows the types of variables that it assigns to.
type unit struct {
	emit   func()
	queued bool
}

// New returns the expressions of a chart with these data items, in the order in which they are
// initialised: those of <scxml> first, then those of states in document order.
func New(items []Item, names Names) *Chart {
	c := &Chart{names: names, vars: map[string]*variable{}, funcs: map[string]*function{},
		called: map[*function][]*function{}, closures: map[*tree.Func]*function{}, scopes: map[tree.Node]*scope{}, items: items}
	c.anyArg, c.anyResult = &variable{typ: Any}, &variable{typ: Any}
	for i, it := range items {
		v := c.vars[it.ID]
		if v == nil {
			v = c.variable(&variable{name: it.ID, item: true, order: i})
		}
		switch {
		case it.Type == 0:
		case v.declared != 0 && v.declared != it.Type:
			c.problem(it.Pos, "%s is declared as %s and as %s: change one of them", it.ID, v.declared.Words(), it.Type.Words())
		default:
			v.typ, v.declared = it.Type, it.Type
		}
		if v.order = max(v.order, i); it.Late || it.Init == nil || it.Fails {
			c.growAt(v, Undefined, it.Pos)
		}
		c.growAt(v, it.Given, it.Pos)
		if err := ecmascript.CheckVariable(it.ID); err != nil {
			c.problem(it.Pos, "%s", err)
		}
	}
	for i, it := range items {
		if it.Init == nil || it.Fails {
			c.inits = append(c.inits, nil)
			continue
		}
		e := c.newExpr(it.Kind, it.Init)
		if !it.Late {
			e.phase, e.order = initPhase, i
		}
		c.inits = append(c.inits, e)
		v := c.vars[it.ID]
		c.add(func() {
			c.at = spot{e: e}
			c.grow(v, func() Type {
				x := c.expr(e)
				if x.fails {
					x.typ |= Undefined
				}
				return x.typ
			})
		})
	}
	return c
}

// variable adds a variable of the chart.
func (c *Chart) variable(v *variable) *variable {
	c.vars[v.name] = v
	c.all = append(c.all, v)
	return v
}

// Add adds an expression or a location. There is an event whenever it is evaluated if event is set: in a
// transition with an event, for example.
func (c *Chart) Add(kind datamodel.Kind, src *datamodel.Source, event bool) *Expr {
	e := c.newExpr(kind, src)
	e.event = event
	return e
}

func (c *Chart) newExpr(kind datamodel.Kind, src *datamodel.Source) *Expr {
	e := &Expr{kind: kind, src: src, phase: lastPhase, order: -1}
	code, err := ecmascript.Tree(kind, *src)
	if err != nil {
		e.err = err.Error()
	}
	e.code = code
	c.exprs = append(c.exprs, e)
	if code != nil && kind != datamodel.Script {
		c.resolve(e)
	}
	return e
}

// AddScript adds a script. Global ones are added in document order.
func (c *Chart) AddScript(src *datamodel.Source, global, event bool) *Expr {
	e := c.Add(datamodel.Script, src, event)
	if global {
		c.scripts++
		e.phase = c.scripts
	}
	if e.code != nil {
		c.declare(e, global)
		c.resolve(e)
	}
	return e
}

// AddAssign says that a value is assigned to a location.
func (c *Chart) AddAssign(location, value *Expr) {
	location.assigned = true
	c.assigned = append(c.assigned, assigned{location, value, 0})
	c.add(func() {
		if to, _ := c.target(location); to != nil {
			c.at = spot{e: value}
			c.grow(to, func() Type { return c.expr(value).typ })
		}
	})
}

// AddValue says that a value of such types, which is not that of an expression, is assigned to a location.
func (c *Chart) AddValue(location *Expr, typ Type) {
	location.assigned = true
	c.assigned = append(c.assigned, assigned{location, nil, typ})
	c.add(func() {
		if to, _ := c.target(location); to != nil {
			c.at = spot{e: location}
			c.grow(to, func() Type { return typ })
		}
	})
}

// AddForeach says that a <foreach> goes through an array, with variables for the item and, unless it is "", the index.
// Use adds the expressions inside of it.
func (c *Chart) AddForeach(array *Expr, item, index string, use func()) {
	first := len(c.exprs)
	use()
	for i, name := range []string{item, index} {
		typ := []Type{Any, Number}[i]
		if name == "" || ecmascript.CheckVariable(name) != nil {
			continue
		}
		v := c.vars[name]
		if v == nil {
			v = c.variable(&variable{name: name, from: lastPhase + 1, local: map[*Expr]bool{}, typ: Undefined, kind: "data"})
		}
		if !v.item && v.local != nil {
			for _, e := range c.exprs[first:] {
				v.local[e] = true
			}
		}
		c.foreachs = append(c.foreachs, foreach{array, v, typ})
		c.add(func() { c.at = spot{e: array}; c.grow(v, func() Type { return typ }) })
	}
}

// An assigned is a location that a value, or one of some types, is assigned to.
type assigned struct {
	location, value *Expr
	typ             Type
}

// A foreach is a variable of a <foreach>.
type foreach struct {
	array *Expr
	v     *variable
	typ   Type
}

func (c *Chart) add(emit func()) *unit {
	u := &unit{emit: emit}
	c.units = append(c.units, u)
	return u
}

// target returns the variable that a location names, or nil. If perhaps is true, it may not exist.
func (c *Chart) target(location *Expr) (v *variable, perhaps bool) {
	if location.code == nil {
		return nil, false
	}
	if name, ok := location.code.Expr.(*tree.Name); ok {
		if v := c.lookup(location, location.phase, name.Name); v != nil {
			return v, false
		}
		v = c.perhaps(location.phase, name.Name)
	}
	return v, v != nil
}

// lookup returns the variable that a name means in an expression that is evaluated in a phase, or nil.
func (c *Chart) lookup(e *Expr, phase int, name string) *variable {
	v := c.vars[name]
	if v == nil || v.item || phase >= v.from || v.local[e] {
		return v
	}
	return nil
}

// Solve finds out what types the data items have, and returns all that cannot be compiled, in the order of
// the document. All expressions have been added.
func (c *Chart) Solve() []Problem {
	c.solving = true
	for _, e := range c.exprs {
		switch {
		case e.code == nil:
		case e.kind == datamodel.Script:
			c.add(func() { c.Script(e) })
		case acts(e.code.Expr):
			c.add(func() { c.at = spot{e: e}; c.check(e) })
		}
	}
	for _, f := range c.methods {
		f.unit = c.add(func() { c.body(f) })
	}
	c.infer(c.units)
	for c.settle() {
	}
	for _, e := range c.exprs { // for what they show besides types of variables
		c.check(e)
	}
	c.solving = false
	for _, e := range c.exprs {
		c.check(e)
	}
	c.mark()
	for _, f := range c.methods {
		c.body(f)
	}
	c.dropUncalled()
	c.checkDeclared()
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(comparePos(a.Pos, b.Pos), cmp.Compare(a.Msg, b.Msg))
	})
	return slices.Compact(c.problems)
}

// acts reports whether an expression can show something about variables: it calls something, or assigns.
func acts(x tree.Expr) bool {
	switch x.(type) {
	case *tree.Call, *tree.Assign, *tree.Update, *tree.Func:
		return true
	}
	return slices.ContainsFunc(tree.Children(x), acts)
}

// check emits an expression for the problems that it has.
func (c *Chart) check(e *Expr) {
	switch {
	case e.code == nil:
	case e.kind == datamodel.Script:
		c.Script(e)
	case e.assigned:
		c.checkLocation(e)
	default:
		c.expr(e)
	}
}

// infer emits units until the types of variables do not grow.
func (c *Chart) infer(units []*unit) {
	c.enqueue(units)
	for len(c.queue) > 0 {
		u := c.queue[0]
		c.queue, u.queued = c.queue[1:], false
		c.unit = u
		u.emit()
		c.unit = nil
	}
}

func (c *Chart) enqueue(units []*unit) {
	for _, u := range units {
		if !u.queued {
			u.queued = true
			c.queue = append(c.queue, u)
		}
	}
}

// settle gives a type to variables that still have none: to which is assigned nothing but what always fails, or what
// depends on the result of a function that calls itself. It reports whether there were any.
func (c *Chart) settle() bool {
	readers := func(which func(*variable) bool) (all []*unit, found bool) {
		for _, v := range c.all {
			if v.typ == 0 && which(v) {
				all, found = append(all, v.readers...), true
			}
		}
		return all, found
	}
	rest, _ := readers(func(v *variable) bool { return v.result })
	c.guess = true
	c.infer(rest)
	c.guess = false
	rest, found := readers(func(v *variable) bool { return true })
	for _, v := range c.all {
		if v.typ == 0 {
			v.typ = Undefined
		}
	}
	c.infer(rest)
	return found
}

// grow adds the types of a value to a variable. Types only grow, so inference ends. A value that depends on a
// variable without a type has none yet.
func (c *Chart) grow(v *variable, value func() Type) {
	before, at := c.unknown, c.at
	typ := value()
	if c.at = at; c.unknown == before {
		c.growTo(v, typ)
	}
}

func (c *Chart) growTo(v *variable, typ Type) {
	if c.solving && v.typ|typ != v.typ && v.declared == 0 {
		c.growAt(v, typ, c.at.pos())
		c.enqueue(v.readers)
	}
}

func (c *Chart) growAt(v *variable, typ Type, at datamodel.Position) {
	if typ&^v.typ != 0 && v.declared == 0 {
		v.typ |= typ
		v.grown = append(v.grown, Place{typ, at})
	}
}

// A Place is where values of some types come from.
type Place struct {
	Type Type
	Pos  datamodel.Position
}

// A spot is a statement or, without a node, an expression.
type spot struct {
	e    *Expr
	node tree.Node
}

func (s spot) pos() datamodel.Position {
	switch {
	case s.e == nil:
		return datamodel.Position{}
	case s.node == nil:
		return s.e.src.Pos
	}
	return s.e.code.Position(s.node)
}

// reads notes that what is being emitted depends on the type of v.
func (m emitter) reads(v *variable) {
	early := m.e.order >= 0 && v.item && v.order >= m.e.order
	if early {
		m.checkEarly(v)
	}
	if !m.solving {
		return
	}
	if early {
		m.growTo(v, Undefined) // it is read before it is initialised
	}
	if v.typ == 0 && !(v.result && m.guess) {
		m.unknown++
	}
	if n := len(v.readers); m.unit != nil && (n == 0 || v.readers[n-1] != m.unit) && !slices.Contains(v.readers, m.unit) {
		v.readers = append(v.readers, m.unit)
	}
}

func (c *Chart) problem(pos datamodel.Position, format string, args ...any) {
	if !c.solving {
		c.problems = append(c.problems, Problem{pos, fmt.Sprintf(format, args...)})
	}
}

// Whole reports whether expressions read the data of events as a whole, and not only members of them.
func (c *Chart) Whole() bool { return c.whole }

// Type returns the types that a data item, or a variable of a script, can have.
func (c *Chart) Type(id string) Type { return c.vars[id].typ }

// Places returns, for a data item or a variable of a script, places from which it has its types, in their order.
func (c *Chart) Places(id string) []Place {
	places := slices.Clone(c.vars[id].grown)
	slices.SortStableFunc(places, func(a, b Place) int { return comparePos(a.Pos, b.Pos) })
	for i := len(places) - 1; i > 0; i-- {
		if places[i].Pos == places[i-1].Pos {
			places[i-1].Type |= places[i].Type
			places = slices.Delete(places, i, i+1)
		}
	}
	return places
}

func comparePos(a, b datamodel.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// Vars returns the variables of scripts, sorted. They have fields as data items have.
func (c *Chart) Vars() []string {
	var list []string
	for name, v := range c.vars {
		if !v.item {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Declared returns how a variable of scripts is declared, by var, let or const, and whether only executable content
// declares it.
func (c *Chart) Declared(id string) (kind string, late bool) {
	v := c.vars[id]
	return v.kind, v.late()
}

func (v *variable) late() bool { return !v.item && v.from > lastPhase }

// Declare returns a statement that declares a variable, or "" for one that is not late.
func (c *Chart) Declare(id string) string {
	if !c.vars[id].late() {
		return ""
	}
	return "js.Declare(&" + c.names.Field(id) + ")\n"
}

// declareAll declares the late variables of a script.
func (c *Chart) declareAll(script *Expr) (text string) {
	if c.solving {
		return ""
	}
	for _, id := range c.Vars() {
		if c.vars[id].local[script] {
			text += c.Declare(id)
		}
	}
	return text
}
