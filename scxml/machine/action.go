package machine

import (
	"errors"
	"fmt"
)

// An Element is an element of another namespace among executable content (REC 4.10). It must not be modified.
type Element struct {
	Space, Local string
	Attrs        []Attr
	Text         string // outside of its children
	Children     []Element
}

// An Attr is an attribute of an [Element].
type Attr struct{ Space, Local, Value string }

// Attr returns the text of an attribute without a namespace, or "".
func (e *Element) Attr(name string) string {
	for _, a := range e.Attrs {
		if a.Local == name && a.Space == "" {
			return a.Value
		}
	}
	return ""
}

// An ActionCall is one execution of an [Element], for [Options]. It is valid during the call only.
type ActionCall struct {
	Element *Element
	At      string // the place of the element in the document, line:column

	node Node
}

// Raise puts an event into the internal queue, as <raise> does. The error is about the name or the data, which are what
// [Event] says.
func (c *ActionCall) Raise(name string, data any) error {
	if err := checkEventName(name); err != nil {
		return err
	}
	data, err := c.node.Accept(data)
	if err != nil {
		return fmt.Errorf("data of event %q: %w", name, err)
	}
	s := of(c.node)
	s.raise(entry{s.chart.Match(name), Internal, &Event{Name: name, Type: Internal, Data: data}})
	return nil
}

// evaluator is a [Node] with a data model at run time.
type evaluator interface {
	Evaluate(expr string) (any, error)
	AssignTo(location string, value any) error
}

var errNoEvaluator = errors.New("the chart was compiled without --dynamic: it evaluates no text at run time")

// Value evaluates an expression, which is compiled at each call. It fails in charts that were compiled without
// "--dynamic".
func (c *ActionCall) Value(expr string) (any, error) {
	if e, ok := c.node.(evaluator); ok {
		return e.Evaluate(expr)
	}
	return nil, errNoEvaluator
}

// Assign assigns any Go data to a location. It fails as Value does.
func (c *ActionCall) Assign(location string, value any) error {
	if e, ok := c.node.(evaluator); ok {
		return e.AssignTo(location, value)
	}
	return errNoEvaluator
}

// Act executes an element of another namespace, at a place in the document, and reports whether it has not failed.
func Act(n Node, e *Element, at string) bool {
	err := fmt.Errorf("no action for the element %q of namespace %q", e.Local, e.Space)
	if action := of(n).tree.options.Action; action != nil {
		err = action(&ActionCall{e, at, n})
	}
	if err != nil {
		Fail(n, e.Local, at, err.Error())
	}
	return err == nil
}
