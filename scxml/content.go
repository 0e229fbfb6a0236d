package scxml

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An action is an element of executable content (REC 4). execute reports whether the next elements
// of its block are executed: it returns false when it has raised an error event.
type action interface {
	execute(s *Session) bool
	where() datamodel.Position // the element
}

// A block is the content of <onentry>, <onexit>, <transition>, <finalize> or of a branch of <if>.
type block []action

// execute runs the actions in document order. REC 4.9: "If the processing of
// an element of executable content causes an error to be raised, the processor
// MUST NOT process the remaining elements of the block."
func (b block) execute(s *Session) bool {
	var tell func(*Session, datamodel.Position)
	if t := s.tree.trace; t != nil {
		tell = t.Element
	}
	for _, a := range b {
		if tell != nil {
			tell(s, a.where())
		}
		if !a.execute(s) {
			return false
		}
	}
	return true
}

// raise is <raise> (REC 4.2).
type raise struct {
	pos   datamodel.Position
	event string
}

func (a *raise) where() datamodel.Position { return a.pos }

func (a *raise) execute(s *Session) bool {
	s.raiseName(a.event, datamodel.Internal)
	return true
}

// ifElse is <if> (REC 4.3).
type ifElse struct {
	pos      datamodel.Position
	branches []branch
}

type branch struct {
	pos  datamodel.Position
	cond datamodel.Expr // nil for <else>
	body block
}

func (a *ifElse) where() datamodel.Position { return a.pos }

func (a *ifElse) execute(s *Session) bool {
	for i := range a.branches {
		b := &a.branches[i]
		// REC 5.9.1: a condition that cannot be evaluated is false, so the block continues.
		if b.cond == nil || s.condition(b.cond, "if", b.pos) {
			return b.body.execute(s)
		}
	}
	return true
}

// foreach is <foreach> (REC 4.6).
type foreach struct {
	pos         datamodel.Position
	array       datamodel.Expr
	item, index string
	body        block
}

func (a *foreach) where() datamodel.Position { return a.pos }

func (a *foreach) execute(s *Session) bool {
	ok, left := true, s.tree.limits.ForeachItems
	err := s.data().Foreach(a.array, a.item, a.index, func() bool {
		left--
		ok = left >= 0 && a.body.execute(s)
		return ok
	})
	if err == nil && left < 0 {
		err = &LimitError{Limit: "ForeachItems", Value: s.tree.limits.ForeachItems}
	}
	if err != nil {
		return s.fail("foreach", a.pos, err)
	}
	return ok
}

// logAction is <log> (REC 4.7).
type logAction struct {
	pos   datamodel.Position
	label string
	expr  datamodel.Expr
}

func (a *logAction) where() datamodel.Position { return a.pos }

func (a *logAction) execute(s *Session) bool {
	var v datamodel.Value
	if a.expr != nil {
		var err error
		if v, err = s.data().Value(a.expr); err != nil {
			return s.fail("log", a.pos, err)
		}
	}
	const around = 64 // bytes written around it: a <log> without a value is a record too
	limit := s.tree.limits.LogSize
	size, _ := datamodel.Size(v, limit, datamodel.MaxDepth)
	if s.logged += around + len(a.label) + size; s.logged > limit {
		return s.fail("log", a.pos, &LimitError{Limit: "LogSize", Value: limit})
	}
	s.log(a.label, v)
	return true
}

// assign is <assign> (REC 5.4).
type assign struct {
	pos             datamodel.Position
	location, value datamodel.Expr
}

func (a *assign) where() datamodel.Position { return a.pos }

func (a *assign) execute(s *Session) bool {
	var err error
	if a.value == nil {
		err = s.data().AssignValue(a.location, nil)
	} else {
		err = s.data().Assign(a.location, a.value)
	}
	if err != nil {
		return s.fail("assign", a.pos, err)
	}
	return true
}

// script is <script> (REC 5.8).
type script struct {
	pos  datamodel.Position
	code datamodel.Expr
}

func (a *script) where() datamodel.Position { return a.pos }

func (a *script) execute(s *Session) bool {
	if err := s.data().Run(a.code); err != nil {
		return s.fail("script", a.pos, err)
	}
	return true
}

// cancel is <cancel> (REC 6.3).
type cancel struct {
	pos  datamodel.Position
	id   string
	expr datamodel.Expr
}

func (a *cancel) where() datamodel.Position { return a.pos }

func (a *cancel) execute(s *Session) bool {
	id, err := text{a.id, a.expr}.value(s)
	if err != nil {
		return s.fail("cancel", a.pos, err)
	}
	n := s.cancel(id)
	if t := s.tree.trace; t != nil && t.Cancel != nil {
		t.Cancel(s, id, n)
	}
	return true
}

// text is a literal or computed attribute, such as event or eventexpr.
type text struct {
	literal string
	expr    datamodel.Expr
}

func (t text) value(s *Session) (string, error) {
	if t.expr == nil {
		return t.literal, nil
	}
	v, err := s.data().Value(t.expr)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case nil, datamodel.NullType:
		return "", fmt.Errorf("the value of %q is %s: want a string", t.expr.Source().Text, datamodel.Text(v))
	}
	return datamodel.Text(v), nil
}

// param is a <param> or an entry of a namelist.
type param struct {
	pos   datamodel.Position
	name  string
	value datamodel.Expr // nil for undefined

	location bool // value can be assigned to
}

// content is a <content>.
type content struct {
	pos   datamodel.Position
	value datamodel.Expr // nil if empty
}

// values evaluates params into obj, or into a new object if obj is nil. It passes each error to
// failed and leaves that param out. Without any value it returns obj.
func (s *Session) values(ps []param, obj *datamodel.Object, failed func(p param, err error)) *datamodel.Object {
	for _, p := range ps {
		var v datamodel.Value
		if p.value != nil {
			var err error
			if v, err = s.data().Value(p.value); err != nil {
				failed(p, err)
				continue
			}
		}
		if obj == nil {
			obj = new(datamodel.Object)
		}
		obj.Set(p.name, v)
	}
	return obj
}

// doneData evaluates the <donedata> of a final state.
func (s *Session) doneData(d *donedata) datamodel.Value {
	if d == nil {
		return nil
	}
	if d.content != nil {
		if d.content.value == nil {
			return nil
		}
		v, err := s.data().Value(d.content.value)
		if err != nil {
			s.fail("content", d.content.pos, err)
			return "" // REC 5.6.2: the empty string replaces a value that fails
		}
		if err := s.tree.limits.checkData(v); err != nil {
			s.fail("content", d.content.pos, err)
			return ""
		}
		return v
	}
	// REC 5.7: a <param> that fails is left out.
	obj := s.values(d.params, nil, func(p param, err error) { s.fail("param", p.pos, err) })
	if obj == nil {
		return nil
	}
	if err := s.tree.limits.checkData(obj); err != nil {
		s.fail("donedata", s.chart.states[0].pos, err)
		return nil
	}
	return obj
}
