package scxml

import (
	"encoding/xml"
	"fmt"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// An Action executes an element of a foreign namespace among executable content (REC 4.10), see
// [WithAction]. The owner of the session calls it inside the step. An error becomes error.execution
// and ends the block. A panic reaches the caller that drives the session.
type Action func(call *ActionCall) error

// WithAction makes action execute the elements with the given name. An element without an action is
// error.execution, see [WithMissing].
func WithAction(name xml.Name, action Action) Option {
	return option(func(c *config) {
		if c.actions == nil {
			c.actions = make(map[xml.Name]Action)
		}
		c.actions[name] = action
	})
}

// An ActionCall is one execution of a foreign element. It is valid during the call only.
type ActionCall struct {
	Session *Session
	Element *datamodel.Node // with its attributes and children; must not be modified

	action *customAction
}

// Attr returns the text of an attribute, or "".
func (c *ActionCall) Attr(name string) string { return attr(c.Element, name) }

func attr(element *datamodel.Node, name string) string {
	for _, a := range element.Attrs {
		if a.Local == name && a.Space == "" {
			return a.Value
		}
	}
	return ""
}

// Value evaluates the expression in an attribute and returns a copy of the result. The error is a
// [*datamodel.EvalError], or says that the attribute is missing.
func (c *ActionCall) Value(attr string) (datamodel.Value, error) {
	e, err := c.expr(c.Element, datamodel.ValueExpr, attr)
	if err != nil {
		return nil, err
	}
	return c.Session.data().Value(e)
}

// Params evaluates the <param> children of the element, each with expr or location, and returns them
// in document order. They belong to the namespace of SCXML or to that of the element. Other children
// are left out. The error, about the first param that fails, is that of Value.
func (c *ActionCall) Params() ([]Param, error) {
	var params []Param
	for _, child := range c.Element.Children {
		if child.Type != datamodel.ElementNode || child.Local != "param" || child.Space != doc.Namespace && child.Space != c.Element.Space {
			continue
		}
		name := attr(child, "name")
		if name == "" {
			return nil, fmt.Errorf("%s: attribute \"name\" of <param> is missing", child.Pos)
		}
		kind, from := datamodel.ValueExpr, "expr"
		if attr(child, "location") != "" {
			kind, from = datamodel.Location, "location"
		}
		e, err := c.expr(child, kind, from)
		if err != nil {
			return nil, fmt.Errorf("param %q: %w", name, err)
		}
		v, err := c.Session.data().Value(e)
		if err != nil {
			return nil, err
		}
		params = append(params, Param{name, v})
	}
	return params, nil
}

// Assign assigns v, any Go data (see [datamodel.From]), to the location in an attribute. Its errors
// are those of Value and From.
func (c *ActionCall) Assign(attr string, v any) error {
	e, err := c.expr(c.Element, datamodel.Location, attr)
	if err != nil {
		return err
	}
	neutral, err := datamodel.From(v)
	if err != nil {
		return err
	}
	return c.Session.data().AssignValue(e, neutral)
}

// Raise puts an event into the internal queue, as <raise> does. The name must satisfy
// [datamodel.CheckEventName]; the data may be any Go data.
func (c *ActionCall) Raise(name string, data any) error {
	if err := datamodel.CheckEventName(name); err != nil {
		return err
	}
	neutral, err := datamodel.From(data)
	if err != nil {
		return err
	}
	c.Session.raise(Event{Name: name, Type: datamodel.Internal, Data: neutral})
	return nil
}

// expr compiles the text of an attribute of the element, or of a child, once per chart.
func (c *ActionCall) expr(of *datamodel.Node, kind datamodel.Kind, name string) (datamodel.Expr, error) {
	text := attr(of, name)
	if text == "" {
		return nil, fmt.Errorf("attribute %q is missing", name)
	}
	key := exprKey{of, kind, name}
	if e, ok := c.action.exprs.Load(key); ok {
		return e.(datamodel.Expr), nil
	}
	// The expression keeps a syntax error.
	e, _ := c.Session.chart.language.Compile(kind, datamodel.Source{Text: text, Pos: of.Pos})
	c.action.exprs.Store(key, e)
	return e, nil
}

type exprKey struct {
	of   *datamodel.Node
	kind datamodel.Kind
	attr string
}

// customAction is an element of another namespace that an [Action] executes.
type customAction struct {
	pos   datamodel.Position
	name  xml.Name
	node  *datamodel.Node
	exprs sync.Map // exprKey → datamodel.Expr; shared by all sessions
}

func (a *customAction) where() datamodel.Position { return a.pos }

func (a *customAction) execute(s *Session) bool {
	action := s.tree.actions[a.name]
	if action == nil {
		return s.fail(a.name.Local, a.pos, fmt.Errorf("no action for the element %q of namespace %q", a.name.Local, a.name.Space))
	}
	s.looked(datamodel.LookHost, a.pos)
	if err := action(&ActionCall{s, a.node, a}); err != nil {
		return s.fail(a.name.Local, a.pos, err)
	}
	return true
}
