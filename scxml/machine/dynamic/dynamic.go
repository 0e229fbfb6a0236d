// Package dynamic is for charts that are compiled with --dynamic: it keeps their data in the script
// engine, and evaluates their expressions there. All its exported names are for generated code, which a
// program uses as it uses any machine:
//
//	//go:generate scxmlrun gen go door.scxml --dynamic -o door_gen.go
//
//	m := New(Hooks{})
//	err := m.Start(time.Now())
//	value, ok := m.Item("failures") // a data item, copied out of the script engine
package dynamic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// An Expr is an expression of a chart, and its place.
type Expr struct {
	Kind      datamodel.Kind
	Line, Col int
	Text      string
	Nodes     []*datamodel.Node // of inline XML
}

// A Program is all expressions of a chart. It is immutable.
type Program struct {
	language datamodel.Language
	exprs    []datamodel.Expr
}

// Compile compiles the expressions of a chart. Evaluating one with a syntax error fails.
func Compile(name string, exprs []Expr) *Program {
	p := &Program{language: ecmascript.New()}
	for _, e := range exprs {
		// The expression keeps its error.
		x, _ := p.language.Compile(e.Kind, datamodel.Source{Text: e.Text, Pos: datamodel.Position{Line: e.Line, Col: e.Col}, Nodes: e.Nodes})
		p.exprs = append(p.exprs, x)
	}
	return p
}

// A Store has the data of one machine. Each method notes its error in Err. Expressions are given by their
// number in the [Program].
type Store struct {
	Err string

	node    machine.Node
	store   datamodel.Store
	program *Program
	exprs   []datamodel.Expr
	event   datamodel.Event
}

// Open makes the data of a machine that starts.
func (s *Store) Open(n machine.Node, p *Program) {
	store, err := p.language.NewStore(host{n})
	if err != nil {
		panic(fmt.Sprintf("dynamic: %v", err)) // the runtime cannot be made
	}
	s.node, s.store, s.program, s.exprs = n, store, p, p.exprs
	store.Begin(context.Background())
}

// failed notes an error.
func (s *Store) failed(err error) {
	if err != nil {
		s.Err = cmp.Or(withoutPlace(err).Error(), "the expression has failed")
	}
}

// withoutPlace returns an error without the place of the expression: the machine has that of the element.
func withoutPlace(err error) error {
	if e := (*datamodel.EvalError)(nil); errors.As(err, &e) {
		return errors.New(e.Msg)
	}
	return err
}

// Evaluate returns the value of an expression that is not in the program, for [machine.ActionCall].
func (s *Store) Evaluate(text string) (any, error) {
	// The expression keeps its error.
	e, _ := s.program.language.Compile(datamodel.ValueExpr, datamodel.Source{Text: text})
	v, err := s.store.Value(e)
	if err != nil {
		return nil, withoutPlace(err)
	}
	return v, nil
}

// AssignTo assigns any Go data to a location that is not in the program, for [machine.ActionCall].
func (s *Store) AssignTo(location string, value any) error {
	v, err := datamodel.From(neutral(value))
	if err != nil {
		return err
	}
	e, _ := s.program.language.Compile(datamodel.Location, datamodel.Source{Text: location})
	if err := s.store.AssignValue(e, v); err != nil {
		return withoutPlace(err)
	}
	return nil
}

// Declare declares a data item without a value.
func (s *Store) Declare(id string) { s.failed(s.store.Declare(id)) }

// Set declares a data item with a value that the host gives.
func (s *Store) Set(id string, v any) { s.initFailed(id, s.store.Set(id, neutral(v))) }

// Init declares a data item with the value of an expression.
func (s *Store) Init(id string, expr int) { s.initFailed(id, s.store.Init(id, s.exprs[expr])) }

// FailInit notes why a data item has no value.
func (s *Store) FailInit(id, msg string) { s.initFailed(id, errors.New(msg)) }

// initFailed notes an error unless the item cannot be declared: that was reported.
func (s *Store) initFailed(id string, err error) {
	if err != nil && s.store.Declare(id) == nil {
		s.failed(err)
	}
}

// Data returns a copy of the value of a data item, or of any other name that scripts see. ok is false for
// another name, and before the machine starts.
func (s *Store) Data(id string) (v datamodel.Value, ok bool) {
	if s.store == nil {
		return nil, false
	}
	e, err := s.program.language.Compile(datamodel.ValueExpr, datamodel.Source{Text: id})
	if err != nil {
		return nil, false
	}
	v, err = s.store.Value(e)
	return v, err == nil
}

// Condition evaluates a condition; one that fails is false.
func (s *Store) Condition(expr int) bool {
	ok, err := s.store.Condition(s.exprs[expr])
	s.failed(err)
	return ok && err == nil
}

// Value evaluates an expression; the value of one that fails is nil.
func (s *Store) Value(expr int) any {
	v, err := s.store.Value(s.exprs[expr])
	s.failed(err)
	return v
}

// Text is Value for an attribute such as eventexpr.
func (s *Store) Text(expr int) string {
	v, err := s.store.Value(s.exprs[expr])
	if err == nil {
		switch v := v.(type) {
		case string:
			return v
		case nil, datamodel.NullType:
			err = fmt.Errorf("the value of %q is %s: want a string", s.exprs[expr].Source().Text, datamodel.Text(v))
		}
	}
	s.failed(err)
	return datamodel.Text(v)
}

// Delay is Value for delayexpr.
func (s *Store) Delay(expr int) time.Duration {
	v, err := s.store.Value(s.exprs[expr])
	var d time.Duration
	if err == nil {
		if d, err = machine.ParseDelay(datamodel.Text(v)); err != nil {
			err = fmt.Errorf("delayexpr: %w", err)
		}
	}
	s.failed(err)
	return d
}

// Assign assigns the value of an expression to a location.
func (s *Store) Assign(location, value int) {
	s.failed(s.store.Assign(s.exprs[location], s.exprs[value]))
}

// AssignValue assigns a value to a location.
func (s *Store) AssignValue(location int, v any) {
	s.failed(s.store.AssignValue(s.exprs[location], neutral(v)))
}

// Run runs a script.
func (s *Store) Run(script int) { s.failed(s.store.Run(s.exprs[script])) }

// Foreach calls body for each item, until it returns false.
func (s *Store) Foreach(array int, item, index string, body func() bool) {
	s.failed(s.store.Foreach(s.exprs[array], item, index, body))
}

// SetEvent sets _event.
func (s *Store) SetEvent(ev *machine.Event) {
	s.event = datamodel.Event{
		Name: ev.Name, Type: datamodel.EventType(ev.Type), SendID: ev.SendID, Origin: ev.Origin,
		OriginType: ev.OriginType, InvokeID: ev.InvokeID, Data: neutral(ev.Data), Raw: ev.Raw,
	}
	s.store.SetEvent(&s.event)
}

// Accept is [machine.Node.Accept]: it takes any Go data, see [datamodel.From].
func Accept(data any) (any, error) { return datamodel.From(neutral(data)) }

// Object returns fields as an object of the data model, or nil if there are none.
func Object(fields machine.Fields) any {
	if fields == nil {
		return nil
	}
	return neutral(fields)
}

// Raw writes fields as a form does.
func Raw(fields machine.Fields) string {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(f.Name) + "=" + url.QueryEscape(datamodel.Text(neutral(f.Value))))
	}
	return b.String()
}

// neutral returns data of package machine as data of a data model.
func neutral(v any) datamodel.Value {
	switch v := v.(type) {
	case machine.NullType:
		return datamodel.Null
	case machine.Fields:
		obj := new(datamodel.Object)
		for _, f := range v {
			obj.Set(f.Name, neutral(f.Value))
		}
		return obj
	}
	return v
}

// host is a machine as its data model sees it.
type host struct{ node machine.Node }

func (h host) In(state string) bool {
	_, chart, regs := h.node.Machine()
	return chart.ActiveID(regs, state)
}

func (h host) Name() string {
	_, chart, _ := h.node.Machine()
	return chart.Name
}

func (h host) SessionID() string { return machine.SessionID(h.node) }

func (h host) IOProcessors() []datamodel.IOProcessor {
	id := machine.SessionID(h.node)
	all := []datamodel.IOProcessor{{Type: machine.SCXMLEventProcessor, Location: "#_scxml_" + id}}
	if host := machine.OptionsOf(h.node).Host; host != nil {
		for _, uri := range host.Processors() {
			all = append(all, datamodel.IOProcessor{Type: uri, Location: host.Location(id, uri)})
		}
	}
	return all
}

func (h host) Now() time.Time               { return machine.Now(h.node) }
func (h host) Random() float64              { return rand.Float64() }
func (h host) ScriptTime() time.Duration    { return 5 * time.Second }
func (h host) MacrostepTime() time.Duration { return 0 }
func (h host) CallDepth() int               { return 2000 }
