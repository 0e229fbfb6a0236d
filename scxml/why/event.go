package why

import (
	"context"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// An Answer says what an event would do.
type Answer struct {
	Handled bool // it would enable a transition
	Certain bool // see [scxml.Trial]
	// Verdicts are on the transitions of the active states that the event matches, in document order.
	Verdicts []Verdict
	// Elsewhere are the transitions of states that are not active, and of invoked sessions, if no active
	// state has one.
	Elsewhere []scxml.Transition
}

// A Verdict says what becomes of a transition.
type Verdict struct {
	scxml.Candidate
	// Reads are the values that its condition reads, as far as the text tells.
	Reads []Read
}

// A Read is a variable, or a property of one, with its value.
type Read struct {
	Name  string
	Value datamodel.Value
}

// Event says what an event would do to a session that is at rest: see [scxml.Session.Try], whose errors
// it has. To look at the values it evaluates paths such as cart.total, which runs accessors: give it a
// copy, see package history. Only the owner of the session may call it.
func Event(ctx context.Context, s *scxml.Session, ev scxml.Event) (*Answer, error) {
	trial, err := s.Try(ctx, ev)
	if err != nil {
		return nil, err
	}
	a := &Answer{Handled: trial.Handled, Certain: trial.Certain}
	for _, c := range trial.Candidates {
		if c.Verdict == scxml.NoMatch {
			continue
		}
		v := Verdict{Candidate: c}
		if cond := c.Transition.Cond(); cond != "" && c.Verdict != scxml.NotReached {
			v.Reads = reads(ctx, c.Session, datamodel.Condition, cond, &ev)
		}
		a.Verdicts = append(a.Verdicts, v)
	}
	if len(a.Verdicts) == 0 {
		for _, in := range s.Sessions() {
			for _, t := range taking(in.Chart(), ev.Name) {
				if in != s && !slices.Contains(a.Elsewhere, t) || in == s && !s.In(t.Source().Name()) {
					a.Elsewhere = append(a.Elsewhere, t)
				}
			}
		}
	}
	return a, nil
}

// taking returns the transitions of a chart that an event matches.
func taking(chart *scxml.Chart, event string) (all []scxml.Transition) {
	for _, st := range chart.States() {
		for _, t := range st.Transitions() {
			if slices.ContainsFunc(t.Events(), func(d string) bool { return table.Matches(d, event) }) {
				all = append(all, t)
			}
		}
	}
	return all
}

// reads returns what code reads, and the values. The event, if there is one, is not that of the session.
func reads(ctx context.Context, s *scxml.Session, kind datamodel.Kind, code string, ev *scxml.Event) (all []Read) {
	analyzer, ok := s.Chart().Language().(datamodel.Analyzer)
	if !ok {
		return nil
	}
	for _, path := range analyzer.Reads(kind, code, s.Chart().AllData()...) {
		name := strings.Join(path, ".")
		value, ok := ofEvent(name, ev)
		if !ok {
			var err error
			if value, err = s.Eval(ctx, name); err != nil {
				continue
			}
			if _, isFunction := value.(datamodel.Function); isFunction {
				continue
			}
		}
		all = append(all, Read{name, value})
	}
	return all
}

// ofEvent returns the value of a path into the event, which the session has not taken yet.
func ofEvent(path string, ev *scxml.Event) (v datamodel.Value, ok bool) {
	keys := strings.Split(path, ".")
	if ev == nil || keys[0] != "_event" {
		return nil, false
	}
	data, err := datamodel.From(ev.Data)
	if err != nil {
		data = nil
	}
	v = datamodel.NewObject("name", ev.Name, "type", "external", "data", data)
	for _, key := range keys[1:] {
		o, isObject := v.(*datamodel.Object)
		if !isObject {
			return nil, true
		}
		v, _ = o.Get(key)
	}
	return v, true
}
