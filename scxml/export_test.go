package scxml

import (
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// This file shows the tests on random charts the inside of a session.

// CompileDocument compiles a document without errors.
func CompileDocument(d *doc.Document, loader fs.FS) *Chart {
	c, _ := compile(d, newChartConfig([]ChartOption{WithLoader(loader)}))
	c.makeRows()
	return c
}

// Remembered yields the histories with what they remember, in document order.
func (s *Session) Remembered() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for i := range s.chart.states {
			if def := &s.chart.states[i]; def.kind == doc.History && !yield(def.name, s.names(s.history[def.history])) {
				return
			}
		}
	}
}

func (s *Session) names(states []table.State) []string {
	var names []string
	for _, st := range states {
		names = append(names, s.chart.states[st].name)
	}
	return names
}

// Internal and External yield the events in the queues.
func (s *Session) Internal() iter.Seq[Event] { return s.internal.all() }
func (s *Session) External() iter.Seq[Event] { return s.external.all() }

func (q *queue) all() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for i := range q.len() {
			if !yield(*q.at(i)) {
				return
			}
		}
	}
}

// Data yields the data items of the chart with their values; expr compiles the name of one.
func (s *Session) Data(expr func(id string) datamodel.Expr) iter.Seq2[string, datamodel.Value] {
	return func(yield func(string, datamodel.Value) bool) {
		for _, st := range s.chart.withData {
			for _, d := range s.chart.states[st].data {
				v, err := s.store.Value(expr(d.id))
				if err != nil {
					v = err.Error()
				}
				if !yield(d.id, v) {
					return
				}
			}
		}
	}
}

// Pending yields the delayed events of the session tree in the order in which they are due.
func (s *Session) Pending() iter.Seq2[time.Time, Event] {
	return func(yield func(time.Time, Event) bool) {
		all := slices.Clone(s.tree.timers)
		slices.SortFunc(all, func(a, b *timer) int {
			if c := a.due.Compare(b.due); c != 0 {
				return c
			}
			return int(a.seq) - int(b.seq)
		})
		for _, tm := range all {
			if !yield(tm.due, tm.msg.Event) {
				return
			}
		}
	}
}

// PlanAtOnce makes the session use plans from its first microstep on.
func (s *Session) PlanAtOnce() {
	s.needScratch()
	s.strayed = 100
}

// NeverPlan makes the sessions of the chart work out each microstep.
func (c *Chart) NeverPlan() { c.plans.room = 0 }

// PlanRoom returns how many bytes of plans there is room for.
func (c *Chart) PlanRoom() int { return c.plans.room }

// Planned reports whether the last microstep was planned.
func (s *Session) Planned() bool { return s.scratch != nil && s.at != nil }

// CheckInvariants checks the session at the beginning of a microstep, or at the end of a macrostep
// if stable is set.
func (s *Session) CheckInvariants(stable bool) error {
	c := s.chart
	if s.config.Has(0) {
		return fmt.Errorf("<scxml> is in the configuration")
	}
	if s.config.Next(0) != table.None { // else nothing has been entered yet
		if err := s.legal(0, s.config); err != nil {
			return fmt.Errorf("illegal configuration %q: %w", s.Configuration(), err)
		}
	}
	for i := range c.states {
		if h := &c.states[i]; h.kind == doc.History {
			if err := s.legalHistory(h); err != nil {
				return fmt.Errorf("history %s remembers %q: %w", h.name, s.names(s.history[h.history]), err)
			}
		}
	}
	if s.Planned() && s.status == Running && !(slices.Equal(s.at.atomic, s.atomic) && slices.Equal(s.at.config, s.config)) {
		return fmt.Errorf("the session is not at its place %v, but in %q", s.names(s.at.atomic), s.Configuration())
	}
	for st := s.toInvoke.Next(0); st != table.None; st = s.toInvoke.Next(st + 1) {
		if !s.config.Has(st) || stable && s.status == Running {
			return fmt.Errorf("%s is still to invoke", c.states[st].name)
		}
	}
	for _, inv := range s.running {
		if !s.config.Has(inv.state) {
			return fmt.Errorf("invocation %s of an inactive state", inv.invokeID)
		}
		if inv.child == nil {
			continue // a service
		}
		if inv.child.ended == slices.Contains(s.tree.sessions, inv.child) || inv.child.parent != s {
			return fmt.Errorf("invocation %s is not consistent", inv.invokeID)
		}
	}
	if stable && s.status == Running && (s.internal.len() > 0 || s.unstable) {
		return fmt.Errorf("the macrostep has not ended: %d internal events", s.internal.len())
	}
	return s.tree.checkTimers()
}

// legal checks REC 3.11 below an active state: a compound state has exactly one active child, a
// parallel has all of them active, and nothing is active below an inactive state.
func (s *Session) legal(parent table.State, active table.Set) error {
	c := s.chart
	def := &c.states[parent]
	n, children := 0, 0
	for child := parent + 1; child <= def.last; child = c.states[child].last + 1 {
		switch {
		case c.states[child].kind == doc.History:
			if active.Has(child) {
				return fmt.Errorf("history %s is active", c.states[child].name)
			}
			continue
		case active.Has(child):
			n++
			if err := s.legal(child, active); err != nil {
				return err
			}
		case active.HasRange(child, c.states[child].last):
			return fmt.Errorf("a descendant of %s is active, but not the state itself", c.states[child].name)
		}
		children++
	}
	switch def.kind {
	case doc.Compound, doc.Scxml:
		if n != 1 {
			return fmt.Errorf("%s has %d active children", def.name, n)
		}
	case doc.Parallel:
		if n != children {
			return fmt.Errorf("%d of %d children of parallel %s are active", n, children, def.name)
		}
	default:
		if n != 0 {
			return fmt.Errorf("%s has active children", def.name)
		}
	}
	return nil
}

// legalHistory checks that what a history remembers can be entered together.
func (s *Session) legalHistory(h *state) error {
	c := s.chart
	value := s.history[h.history]
	if len(value) == 0 {
		return nil
	}
	set := table.NewSet(len(c.states))
	for _, st := range value {
		switch {
		case set.Has(st):
			return fmt.Errorf("%s twice", c.states[st].name)
		case h.deep && !c.states[st].atomic():
			return fmt.Errorf("%s is not atomic", c.states[st].name)
		case !h.deep && c.states[st].parent != h.parent:
			return fmt.Errorf("%s is not a child of %s", c.states[st].name, c.states[h.parent].name)
		case !c.isDescendant(st, h.parent):
			return fmt.Errorf("%s is not a descendant of %s", c.states[st].name, c.states[h.parent].name)
		}
		for p := st; p != h.parent; p = c.states[p].parent {
			set.Add(p)
		}
	}
	if h.deep {
		return s.legal(h.parent, set)
	}
	if c.states[h.parent].kind != doc.Parallel && len(value) != 1 {
		return fmt.Errorf("%d states", len(value))
	}
	return nil
}

// checkTimers checks the heap, and the lists by which events are cancelled.
func (t *tree) checkTimers() error {
	byID := 0
	for i, tm := range t.timers {
		if tm.at != i || i > 0 && t.timers.Less(i, (i-1)/2) {
			return fmt.Errorf("the timers are not a heap")
		}
		if tm.from.ended {
			return fmt.Errorf("timer %s of a session that has ended", tm.msg.Event.Name)
		}
		if id := tm.msg.Event.SendID; id != "" {
			byID++
			if !slices.Contains(tm.from.delayed[id], tm) {
				return fmt.Errorf("timer %s cannot be cancelled", id)
			}
		}
	}
	for _, s := range t.sessions {
		for _, list := range s.delayed {
			byID -= len(list)
		}
	}
	if byID != 0 {
		return fmt.Errorf("of the events that can be cancelled %d do not match a timer", -byID)
	}
	return nil
}

// Asked reports whether others have asked the owner for something: a Call, a Stop, or to hear of
// the end of work outside.
func (s *Session) Asked() bool {
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	return s.tree.asked
}
