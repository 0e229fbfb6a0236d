package why

import (
	"cmp"
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A Write is what has given an expression its value.
type Write struct {
	Position    int             // that the value has since, see [history.History]
	Was, Value  datamodel.Value // before and after; Was is nil at the start
	WasErr, Err error           // why there is no value
	// At is the element of executable content that has changed it. It is the zero Position if nothing
	// but the start did: the value is the initial one, or an invocation or the platform has set it.
	At datamodel.Position
	// Reads are the values that its code has read, as far as the text tells.
	Reads []Read
	Event string // that was being processed; "" for none
}

// Data finds what has given an expression, such as the id of a data item, the value that it has in the
// root session at position n. It goes over all positions up to n, and may be interrupted by ctx. The
// expression must not change anything: the error is also that of [scxml.Chart.CheckLook].
func Data(ctx context.Context, h *history.History, n int, expr string) (*Write, error) {
	if err := h.Chart().CheckLook(expr); err != nil {
		return nil, fmt.Errorf("why: %q: %w", expr, err)
	}
	w := &Write{Position: -1}
	var last string
	err := h.Walk(ctx, h.First(), n, 0, func(at history.Position) error {
		v, err := at.Session.Eval(ctx, expr)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if text := show(v, err); text != last || w.Position < 0 {
			w.Position, last = at.N, text
			w.Was, w.WasErr, w.Value, w.Err = w.Value, w.Err, v, err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if w.Position == h.First() && w.Position > 0 {
		return nil, fmt.Errorf("why: %s has had its value since before position %d, which is the first one that is known", expr, w.Position)
	}
	return w, w.find(ctx, h, expr)
}

// show returns a text that differs for values that differ.
func show(v datamodel.Value, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return datamodel.Text(v)
}

// find takes the step again, and looks after each element.
func (w *Write) find(ctx context.Context, h *history.History, expr string) error {
	began := false
	var seen string           // the last value
	var at datamodel.Position // of the last element
	var read []Read           // by it
	var event string
	look := func(s *scxml.Session) {
		if !began {
			return
		}
		v, err := s.Sessions()[0].Eval(ctx, expr)
		if text := show(v, err); text != seen {
			seen = text
			w.At, w.Reads, w.Event = at, read, event
		}
	}
	outside := func(s *scxml.Session) {
		look(s)
		at, read = datamodel.Position{}, nil
	}
	take := func(s *scxml.Session, ev *scxml.Event) {
		outside(s)
		event = ev.Name
	}
	trace := &scxml.Trace{
		Event:         take,
		InternalEvent: take,
		Transition:    func(s *scxml.Session, _ scxml.Transition) { outside(s) },
		Element: func(s *scxml.Session, p datamodel.Position) {
			if !began {
				return
			}
			if loop := nextItem(s.Chart(), p, expr); loop != nil && at != loop.Pos {
				at, read = loop.Pos, readBy(ctx, s, loop.Pos) // it has written after the last element of its body
			}
			look(s)
			at, read = p, readBy(ctx, s, p)
		},
		Enter:  func(s *scxml.Session, _ scxml.State) { outside(s) },
		Exit:   func(s *scxml.Session, _ scxml.State) { outside(s) },
		Stable: look,
		Done:   look,
	}
	begin := func(s *scxml.Session) {
		began = true
		if s.Status() == scxml.Running {
			v, err := s.Eval(ctx, expr)
			seen = show(v, err)
		}
	}
	_, err := h.Repeat(ctx, w.Position, begin, trace)
	return err
}

// nextItem returns the <foreach> that has gone to its next item just before its first child, the element at
// a position, if an expression reads its item or index.
func nextItem(chart *scxml.Chart, at datamodel.Position, expr string) *scxml.Element {
	e := chart.ElementAt(at)
	if e == nil || e.Parent == nil || e.Parent.Name != "foreach" || e.Parent.Children[0] != e {
		return nil
	}
	analyzer, ok := chart.Language().(datamodel.Analyzer)
	if !ok {
		return nil
	}
	for _, path := range analyzer.Reads(datamodel.ValueExpr, expr) {
		if path[0] == e.Parent.Attr("item") || path[0] == e.Parent.Attr("index") {
			return e.Parent
		}
	}
	return nil
}

// readBy returns what the element at a position is going to read.
func readBy(ctx context.Context, s *scxml.Session, at datamodel.Position) []Read {
	e := s.Chart().ElementAt(at)
	if e == nil {
		return nil
	}
	if expr := cmp.Or(e.Attr("expr"), e.Attr("array")); expr != "" {
		return reads(ctx, s, datamodel.ValueExpr, expr, nil)
	}
	if e.Name == "script" {
		return reads(ctx, s, datamodel.Script, e.Text, nil)
	}
	return nil
}
