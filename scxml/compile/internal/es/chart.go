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
	Field func(id string) string        // a variable for a data item, or for a variable of a script
	In    func(state string) string     // a bool, for the id of a state; "" for an id that no state has
	Named func(idText string) string    // the same for an id that is the value of a Go expression; nil for none
	Of    func(processor string) string // a string: the location in _ioprocessors; nil or "" for one that it does not have

	Name, SessionID string // strings

	Present func() string             // a bool: whether there is an event
	Event   func(field string) string // a string: name, type, sendid, origin, origintype or invokeid; "" for undefined
	Data    func() string             // a variable of type js.Value: the data of the event; see [js.ObjectValue]
	Member  func(name string) string  // a variable of type js.Value: that member of the data, if it is an object
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
	inits    []*Expr // by item; nil for none
	items    []Item
	exprs    []*Expr
	flows    []*flow
	scripts  int // global ones, so far
	problems []Problem
	solving  bool            // types are not known yet, and problems are not noted
	uses     map[string]Type // of members of _event.data, see MemberType
}

// A variable is a data item or a variable of scripts.
type variable struct {
	name  string
	typ   Type
	order int // of the initialisation of a data item, from 0
	item  bool

	// Of a variable of scripts:
	from     int            // the phase from which it exists
	local    map[*Expr]bool // where it exists otherwise: in content scripts that declare it
	constant bool
	kind     string // of its first declaration: var, let or const

	readers []*flow // whose types depend on it
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

	assigned bool // it is a location that is assigned to
}

// The phases of a session: data items are initialised, global scripts run one after the other, and the
// rest comes in any order.
const (
	initPhase = 0
	lastPhase = 1 << 30
)

// A flow is an assignment to a variable.
type flow struct {
	location *Expr // what it is assigned to, if that is an expression
	to       *variable
	typ      Type // what is assigned, without an expression
	expr     *Expr
	x        tree.Expr   // of expr: what is evaluated; nil if it is not an expression
	value    func() code // of x
	fails    bool        // to stays undefined if the value fails

	reads  []*variable
	queued bool
}

// New returns the expressions of a chart with these data items, in the order in which they are
// initialised: those of <scxml> first, then those of states in document order.
func New(items []Item, names Names) *Chart {
	c := &Chart{names: names, vars: map[string]*variable{}, items: items}
	for i, it := range items {
		v := c.vars[it.ID]
		if v == nil {
			v = &variable{name: it.ID, item: true, order: i}
			c.vars[it.ID] = v
		}
		if v.order = max(v.order, i); it.Late || it.Init == nil || it.Fails {
			v.typ |= Undefined
		}
		v.typ |= it.Given
		if err := ecmascript.CheckVariable(it.ID); err != nil {
			c.problem(it.Pos, "%s", err)
		}
	}
	for i, it := range items {
		if it.Init == nil || it.Fails {
			c.inits = append(c.inits, nil)
			continue
		}
		e := c.add(it.Kind, it.Init)
		if !it.Late {
			e.phase, e.order = initPhase, i
		}
		c.inits = append(c.inits, e)
		v := c.vars[it.ID]
		f := c.flow(v, e)
		f.fails = true
	}
	return c
}

// Add adds an expression or a location. There is an event whenever it is evaluated if event is set: in a
// transition with an event, for example.
func (c *Chart) Add(kind datamodel.Kind, src *datamodel.Source, event bool) *Expr {
	e := c.add(kind, src)
	e.event = event
	return e
}

func (c *Chart) add(kind datamodel.Kind, src *datamodel.Source) *Expr {
	e := &Expr{kind: kind, src: src, phase: lastPhase, order: -1}
	code, err := ecmascript.Tree(kind, *src)
	if err != nil {
		e.err = err.Error()
	}
	e.code = code
	c.exprs = append(c.exprs, e)
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
		c.declare(e, e.code.Script, global, true)
	}
	return e
}

// AddAssign says that a value is assigned to a location.
func (c *Chart) AddAssign(location, value *Expr) {
	location.assigned = true
	c.flow(nil, value).location = location
}

func (c *Chart) flow(to *variable, value *Expr) *flow {
	f := &flow{to: to, expr: value, value: func() code { return c.sink(value) }}
	if value.code != nil {
		f.x = value.code.Expr
	}
	c.flows = append(c.flows, f)
	return f
}

// AddValue says that a value of such types, which is not that of an expression, is assigned to a location.
func (c *Chart) AddValue(location *Expr, typ Type) {
	location.assigned = true
	c.flows = append(c.flows, &flow{location: location, typ: typ})
}

// target returns the variable that a location names, or nil.
func (c *Chart) target(location *Expr) *variable {
	if location.code == nil {
		return nil
	}
	if name, ok := location.code.Expr.(*tree.Name); ok {
		return c.lookup(location, name.Name)
	}
	return nil
}

// lookup returns the variable that a name means in an expression, or nil.
func (c *Chart) lookup(e *Expr, name string) *variable {
	v := c.vars[name]
	if v == nil || v.item || e.phase >= v.from || v.local[e] {
		return v
	}
	return nil
}

// Solve finds out what types the data items have, and returns all that cannot be compiled, in the order of
// the document. All expressions have been added.
func (c *Chart) Solve() []Problem {
	c.solving = true
	c.scriptFlows()
	c.flows = slices.DeleteFunc(c.flows, func(f *flow) bool {
		if f.location != nil {
			f.to = c.target(f.location)
		}
		return f.to == nil
	})
	for _, f := range c.flows {
		if f.x == nil {
			f.to.typ |= f.typ
			if f.fails {
				f.to.typ |= Undefined
			}
			continue
		}
		c.eachName(f.expr, f.x, func(v *variable) {
			if f.expr.order >= 0 && v.item && v.order >= f.expr.order {
				v.typ |= Undefined // it is read before it is initialised
			}
			if n := len(v.readers); n == 0 || v.readers[n-1] != f {
				v.readers = append(v.readers, f)
				f.reads = append(f.reads, v)
			}
		})
	}
	c.infer(c.flows)
	for { // to what is assigned nothing but what always fails
		var rest []*flow
		for _, v := range c.vars {
			if v.typ == 0 {
				v.typ = Undefined
				rest = append(rest, v.readers...)
			}
		}
		if rest == nil {
			break
		}
		c.infer(rest)
	}
	c.solving = false
	for _, e := range c.exprs {
		switch {
		case e.code == nil:
		case e.kind == datamodel.Script:
			c.Script(e)
		case e.assigned:
			c.checkLocation(e)
		default:
			c.emitter(e).value(e.code.Expr)
		}
	}
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Msg, b.Msg))
	})
	return slices.Compact(c.problems)
}

// infer adds the types that the values of flows have to the variables. Types only grow, so this ends.
func (c *Chart) infer(flows []*flow) {
	var queue []*flow
	add := func(list []*flow) {
		for _, f := range list {
			if !f.queued && f.x != nil {
				f.queued = true
				queue = append(queue, f)
			}
		}
	}
	add(flows)
	for len(queue) > 0 {
		f := queue[0]
		queue, f.queued = queue[1:], false
		if slices.ContainsFunc(f.reads, func(v *variable) bool { return v.typ == 0 }) {
			continue // until that has a type
		}
		v := f.value()
		typ := f.to.typ | v.typ&^Object
		if f.fails && v.fails {
			typ |= Undefined
		}
		if typ != f.to.typ {
			f.to.typ = typ
			add(f.to.readers)
		}
	}
}

func (c *Chart) problem(pos datamodel.Position, format string, args ...any) {
	if !c.solving {
		c.problems = append(c.problems, Problem{pos, fmt.Sprintf(format, args...)})
	}
}

// Type returns the types that a data item, or a variable of a script, can have.
func (c *Chart) Type(id string) Type { return c.vars[id].typ }

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
	return v.kind, v.from > lastPhase
}
