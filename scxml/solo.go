package scxml

import "github.com/scxmlrun/scxmlrun/scxml/internal/table"

// Fast paths of small steps. Each does exactly what the general way does, for
// the case that is by far the most frequent, and leaves all else to that.

// soloMicrostep is microstep for a session with one active atomic state that
// takes one transition without histories. It saves making lists of domains and
// of states to exit and to enter: a third of a small step.
func (s *Session) soloMicrostep() bool {
	if len(s.enabled) != 1 || len(s.atoms) != 1 {
		return false
	}
	c := s.chart
	t := &c.transitions[s.enabled[0]]
	if !t.static || c.histories > 0 || c.hasInvokes || s.tree.trace != nil {
		return false
	}
	s.steps++
	if t.domain != table.None {
		for st := s.atoms[0]; st > t.domain; st = c.rows[st].parent {
			if c.rows[st].is(rowExit) || len(s.onState) > 0 {
				s.exitState(st)
			} else {
				s.config.Remove(st)
			}
		}
	}
	if len(t.body) > 0 {
		t.body.execute(s)
	}
	entering := c.entries[t.firstEntry : t.firstEntry+t.lenEntry]
	s.entered = entering
	if len(entering) > 0 {
		s.atoms = s.atoms[:0]
		s.defaultHistory = s.defaultHistory[:0]
	}
	for _, e := range entering {
		r := &c.rows[e.state]
		if r.is(rowAtomic) {
			s.atoms = append(s.atoms, e.state)
		}
		if s.config.Add(e.state); r.is(rowEnter) || e.initial != noTransition || len(s.onState) > 0 {
			s.enterState(e)
		}
	}
	return true
}

// settled reports whether a macrostep is complete without looking for eventless
// transitions, because there are none, and that nothing is left to invoke.
func (s *Session) settled() bool {
	return !s.chart.hasEventless && !s.chart.hasInvokes && s.internal.len() == 0 && s.status == Running && s.limit == nil
}
