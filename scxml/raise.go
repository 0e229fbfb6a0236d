package scxml

import (
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// raise puts an event into the internal queue.
func (s *Session) raise(ev Event) {
	if slot := s.raised(); slot != nil {
		*slot = ev
		s.traceRaise(slot)
	}
}

// raiseName is raise for an event that has only a name and a type.
func (s *Session) raiseName(name string, typ datamodel.EventType) {
	if slot := s.raised(); slot != nil {
		slot.Name, slot.Type = name, typ
		s.traceRaise(slot)
	}
}

// raised returns a new slot in the internal queue, or nil if it is full.
func (s *Session) raised() *Event {
	if limit := s.tree.limits.InternalQueue; s.internal.len() >= limit {
		s.limit = &LimitError{Limit: "InternalQueue", Value: limit}
		return nil
	}
	if s.ctx == nil { // not in its own turn
		s.tree.mu.Lock()
		s.tree.mark(s)
		s.tree.mu.Unlock()
	}
	return s.internal.add()
}

func (s *Session) traceRaise(ev *Event) {
	if t := s.tree.trace; t != nil && t.Raise != nil {
		t.Raise(s, ev)
	}
}

// fail raises error.execution and returns false, which ends the block.
func (s *Session) fail(element string, pos datamodel.Position, err error) bool {
	return s.raiseError(&ExecutionError{Event: "error.execution", Element: element, Pos: pos, Msg: err.Error(), Err: err})
}

func (s *Session) failSend(pos datamodel.Position, sendID string, err error) bool {
	return s.raiseError(&ExecutionError{Event: "error.execution", Element: "send", Pos: pos, Msg: err.Error(), SendID: sendID, Err: err})
}

// outcome is raiseError for failures outside the session tree.
func (s *Session) outcome(e *ExecutionError) {
	if t := s.tree.trace; t != nil && t.Outcome != nil {
		t.Outcome(s, e)
	}
	s.raiseError(e)
}

func (s *Session) raiseError(e *ExecutionError) bool {
	s.exceeded(e.Err)
	var eval *datamodel.EvalError
	if errors.As(e.Err, &eval) {
		e.Stack = eval.Stack
		if eval.Pos.IsValid() {
			e.Pos = eval.Pos
		}
	}
	e.Msg = short.Bytes(e.Msg, maxMessage)
	s.needScratch()
	if s.errors++; s.errors <= s.tree.limits.ErrorReports {
		s.report(e)
	}
	s.raise(Event{
		Name: e.Event, Type: datamodel.Platform, SendID: e.SendID, InvokeID: e.InvokeID,
		Data: datamodel.NewObject("message", e.Msg, "element", e.Element, "at", e.Pos.String()),
	})
	return false
}

// maxMessage bounds the bytes kept of an error message: a script can throw any text, and a million
// events may hold it.
const maxMessage = 4096

func (s *Session) report(e *ExecutionError) {
	if effect := s.tree.effect(); effect != nil {
		effect.Errors = append(effect.Errors, e)
	}
	if t := s.tree.trace; t != nil && t.Error != nil {
		t.Error(s, e)
	}
	if l := s.tree.logger; l != nil {
		attrs := []any{"event", e.Event, "element", e.Element, "at", e.Pos.String(), "session", s.ID()}
		if p := (*PanicError)(nil); errors.As(e.Err, &p) {
			attrs = append(attrs, "panic", p.Value, "stack", string(p.Stack))
		}
		l.Warn(e.Msg, attrs...)
	}
}

// endReports reports how many errors of the macrostep were not reported.
func (s *Session) endReports() {
	if s.scratch == nil {
		return
	}
	limit := s.tree.limits.ErrorReports
	if left := s.errors - limit; left > 0 {
		s.report(&ExecutionError{
			Event: "error", Element: "scxml", Pos: s.chart.states[0].pos, Err: &LimitError{Limit: "ErrorReports", Value: limit},
			Msg: fmt.Sprintf("%d more errors of this macrostep are not reported: the limit ErrorReports is %d", left, limit),
		})
	}
	s.errors = 0
}

// condition evaluates a condition. REC 5.9.1: one that cannot be evaluated is false and raises
// error.execution.
func (s *Session) condition(cond datamodel.Expr, element string, pos datamodel.Position) bool {
	ok, err := s.data().Condition(cond)
	if err != nil {
		return s.fail(element, pos, err)
	}
	return ok
}

func (s *Session) log(label string, v datamodel.Value) {
	if t := s.tree.trace; t != nil && t.Log != nil {
		t.Log(s, label, v)
	}
	if l := s.tree.logger; l != nil {
		l.Info("log", "label", label, "value", datamodel.Text(v), "session", s.ID())
	}
}
