package reference

import (
	"errors"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// executeContent executes a block and reports whether it was completed. REC 4.9: an error ends the
// block and nothing else.
func (s *Session) executeContent(body []doc.Exec) bool {
	for _, x := range body {
		if !s.execute(x) {
			return false
		}
	}
	return true
}

// execute executes one element; false ends its block.
func (s *Session) execute(x doc.Exec) bool {
	switch x := x.(type) {
	case *doc.Raise:
		s.raise(datamodel.Event{Name: x.Event, Type: datamodel.Internal})
	case *doc.If:
		for _, b := range x.Branches {
			// A condition that fails is false (REC 5.9.1); the block continues.
			if b.Cond == nil || s.condition("if", b.Cond) {
				return s.executeContent(b.Body)
			}
		}
	case *doc.Foreach:
		through, items := true, 0
		err := s.store.Foreach(s.chart.compile(datamodel.ValueExpr, x.Array), x.Item, x.Index, func() bool {
			if items++; items > s.world.Limits.ForeachItems {
				through = false
				s.error("foreach", "", errors.New("too many items"))
				return false
			}
			through = s.executeContent(x.Body)
			return through
		})
		if err != nil {
			return s.error("foreach", "", err)
		}
		return through
	case *doc.Log:
		var v datamodel.Value
		if x.Expr != nil {
			var err error
			if v, err = s.value(x.Expr); err != nil {
				return s.error("log", "", err)
			}
		}
		s.tell("log", x.Label, s.world.Value(v))
	case *doc.Assign:
		location := s.chart.compile(datamodel.Location, x.Location)
		var err error
		switch {
		case x.Expr != nil:
			err = s.store.Assign(location, s.chart.compile(datamodel.ValueExpr, x.Expr))
		case x.Content != nil:
			err = s.store.Assign(location, s.chart.compile(datamodel.Content, x.Content))
		default:
			err = s.store.AssignValue(location, nil)
		}
		if err != nil {
			return s.error("assign", "", err)
		}
	case *doc.Script:
		if err := s.store.Run(s.chart.compile(datamodel.Script, &x.Code)); err != nil {
			return s.error("script", "", err)
		}
	case *doc.Send:
		return s.send(x)
	case *doc.Cancel:
		id, err := s.text(x.SendID, x.Expr)
		if err != nil {
			return s.error("cancel", "", err)
		}
		s.cancel(id)
	case *doc.Foreign:
		return s.error(x.Name.Local, "", errors.New("no action for this element"))
	}
	return true
}

// condition evaluates a condition. REC 5.9.1: one that cannot be evaluated is false and an error.
func (s *Session) condition(element string, cond *datamodel.Source) bool {
	ok, err := s.store.Condition(s.chart.compile(datamodel.Condition, cond))
	if err != nil {
		s.error(element, "", err)
		return false
	}
	return ok
}

func (s *Session) value(expr *datamodel.Source) (datamodel.Value, error) {
	return s.store.Value(s.chart.compile(datamodel.ValueExpr, expr))
}

// text evaluates a literal or computed attribute.
func (s *Session) text(literal string, expr *datamodel.Source) (string, error) {
	if expr == nil {
		return literal, nil
	}
	v, err := s.value(expr)
	if err == nil && (v == nil || v == datamodel.Null) {
		err = errors.New("the value is not a string")
	}
	return datamodel.Text(v), err
}

// param evaluates a <param>.
func (s *Session) param(p *doc.Param) (datamodel.Value, error) {
	switch {
	case p.Expr != nil:
		return s.value(p.Expr)
	case p.Location != nil:
		return s.store.Value(s.chart.compile(datamodel.Location, p.Location))
	}
	return nil, nil
}

// namelistAndParams evaluates the arguments of a <send> or <invoke>. It evaluates all of them and
// returns the first error.
func (s *Session) namelistAndParams(namelist []*datamodel.Source, params []*doc.Param) (obj *datamodel.Object, err error) {
	obj = new(datamodel.Object)
	set := func(name string, v datamodel.Value, e error) {
		if e == nil {
			obj.Set(name, v)
		} else if err == nil {
			err = e
		}
	}
	for _, n := range namelist {
		v, e := s.store.Value(s.chart.compile(datamodel.Location, n))
		set(n.Text, v, e)
	}
	for _, p := range params {
		v, e := s.param(p)
		set(p.Name, v, e)
	}
	if err == nil && obj.Len() > 0 {
		err = s.tooLarge(obj)
	}
	return obj, err
}

func (s *Session) contentValue(c *doc.Content) (datamodel.Value, error) {
	if c.Expr != nil {
		return s.value(c.Expr)
	}
	return s.store.Value(s.chart.compile(datamodel.Content, c.Inline))
}

// tooLarge compares data with the limit.
func (s *Session) tooLarge(v datamodel.Value) error {
	limit := s.world.Limits.DataSize
	text, isText := v.(string)
	if size, _ := datamodel.Size(v, limit, datamodel.MaxDepth); size > limit && !(isText && len(text) <= limit) {
		s.world.TooLarge = true
		return errors.New("too much data")
	}
	return nil
}

// evaluateDonedata is REC 5.5 with 5.6.2 (content that fails is the empty string) and 5.7.2 (a
// param that fails is left out).
func (s *Session) evaluateDonedata(state *doc.State) datamodel.Value {
	d := state.Donedata
	switch {
	case d == nil:
		return nil
	case d.Content != nil:
		v, err := s.contentValue(d.Content)
		if err == nil {
			err = s.tooLarge(v)
		}
		if err != nil {
			s.error("content", "", err)
			return ""
		}
		return v
	}
	obj := new(datamodel.Object)
	for _, p := range d.Params {
		v, err := s.param(p)
		if err != nil {
			s.error("param", "", err)
			continue
		}
		obj.Set(p.Name, v)
	}
	if obj.Len() == 0 {
		return nil
	}
	if err := s.tooLarge(obj); err != nil {
		s.error("donedata", "", err)
		return nil
	}
	return obj
}

// raise puts an event into the internal queue.
func (s *Session) raise(ev datamodel.Event) {
	s.InternalQueue = append(s.InternalQueue, ev)
	s.tellEvent("raise", ev)
}

// error raises error.execution and returns false.
func (s *Session) error(element, sendID string, err error) bool {
	return s.errorEvent("error.execution", element, sendID, err)
}

func (s *Session) errorEvent(name, element, sendID string, err error) bool {
	s.tell("error", name, element, sendID)
	s.raise(datamodel.Event{
		Name: name, Type: datamodel.Platform, SendID: sendID,
		Data: datamodel.NewObject("message", err.Error(), "element", element, "at", ""),
	})
	return false
}
