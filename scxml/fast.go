package scxml

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// The fast paths of the algorithm. Each does exactly what the general path does for one very
// frequent case.

// plain reports whether all enabled transitions are plain, see transition.plain.
func (s *Session) plain() bool {
	for _, id := range s.enabled {
		if !s.chart.transitions[id].plain {
			return false
		}
	}
	return true
}

// plainMicrostep is the rest of a microstep for plain transitions.
//
// It saves the lists of domains, of states to exit and of states to enter, half the cost of a small
// microstep. It exits states where it finds them, and enters them as the static entry lists say.
func (s *Session) plainMicrostep() {
	s.needScratch()
	s.exitPlain()
	s.executeTransitionContent()
	s.enterPlain()
}

// solo reports whether one plain transition is enabled and one atomic state is active.
func (s *Session) solo() bool {
	return len(s.enabled) == 1 && len(s.atomic) == 1 && s.chart.transitions[s.enabled[0]].plain
}

// soloMicrostep is the rest of a microstep for one plain transition in a session with one active
// atomic state. It has nothing to search or to keep.
func (s *Session) soloMicrostep(t *transition) {
	c, effect := s.chart, s.effect()
	if t.lenEntry > 4 {
		s.needScratch() // for a plan the next time
	}
	if t.domain != table.None {
		for st := s.atomic[0]; st > t.domain; st = c.rows[st].parent {
			if s.quiet(&c.rows[st], rowExit) {
				s.config.Remove(st)
				effect.exited(c, st)
			} else {
				s.exitState(st)
			}
		}
		s.atomic = s.atomic[:0]
	}
	if len(t.body) > 0 || s.watched() {
		s.executeTransitionContent()
	} else {
		effect.took(c, s.enabled[0])
	}
	s.enterSolo(t)
}

// enterSolo is enterStates for one plain transition when nothing else stays active.
func (s *Session) enterSolo(t *transition) {
	c, effect := s.chart, s.effect()
	for _, e := range c.entries[t.firstEntry : t.firstEntry+t.lenEntry] {
		r := &c.rows[e.state]
		if r.is(rowAtomic) {
			s.atomic = append(s.atomic, e.state)
		}
		if s.config.Add(e.state); e.initial != noTransition || !s.quiet(r, rowEnter) {
			s.enterState(e)
		} else {
			effect.entered(c, e.state)
		}
	}
}

// exitPlain is exitStates; see computeExitSet.
func (s *Session) exitPlain() {
	c, effect, atomic := s.chart, s.effect(), s.atomic
	for i := len(s.enabled) - 1; i >= 0; i-- {
		d := c.transitions[s.enabled[i]].domain
		if d == table.None {
			continue
		}
		last := c.rows[d].last
		for len(atomic) > 0 && atomic[len(atomic)-1] > last {
			atomic = atomic[:len(atomic)-1]
		}
		for len(atomic) > 0 && atomic[len(atomic)-1] > d {
			st, top := atomic[len(atomic)-1], d
			if atomic = atomic[:len(atomic)-1]; len(atomic) > 0 {
				top = max(d, atomic[len(atomic)-1])
			}
			for ; st > top; st = c.rows[st].parent {
				if s.quiet(&c.rows[st], rowExit) {
					s.config.Remove(st)
					effect.exited(c, st)
				} else {
					s.exitState(st)
				}
			}
		}
	}
}

// enterPlain is enterStates; see replaceAtomic.
func (s *Session) enterPlain() {
	c, effect, next, old := s.chart, s.effect(), s.nextAtomic[:0], s.atomic
	for _, id := range s.enabled {
		t := &c.transitions[id]
		if t.domain == table.None {
			continue
		}
		last := c.rows[t.domain].last
		for len(old) > 0 && old[0] <= t.domain {
			next, old = append(next, old[0]), old[1:]
		}
		for len(old) > 0 && old[0] <= last {
			old = old[1:]
		}
		for _, e := range c.entries[t.firstEntry : t.firstEntry+t.lenEntry] {
			r := &c.rows[e.state]
			if r.is(rowAtomic) {
				next = append(next, e.state)
			}
			if s.config.Add(e.state); e.initial != noTransition || !s.quiet(r, rowEnter) {
				s.enterState(e)
			} else {
				effect.entered(c, e.state)
			}
		}
	}
	s.atomic, s.nextAtomic = append(next, old...), s.atomic
}

// recallEntries is computeEntrySet for one transition to a deep history that is not empty. It
// enters what the history remembers and the ancestors of that, so it needs no sets: it is
// computeExitSet reversed. It reports false if more is needed because regions of a parallel above
// the history are entered too.
func (s *Session) recallEntries() bool {
	c := s.chart
	t, d := &c.transitions[s.enabled[0]], s.domains[0]
	if len(s.enabled) > 1 || len(t.targets) > 1 {
		return false
	}
	h := &c.states[t.targets[0]]
	if h.kind != doc.History || !h.deep {
		return false
	}
	for p := h.parent; p != d; p = c.rows[p].parent {
		if p == table.None || c.states[p].kind == doc.Parallel {
			return false
		}
	}
	atomic := s.history[h.history]
	entering := s.entering[:0]
	for i, st := range slices.Backward(atomic) {
		top := d
		if i > 0 {
			top = atomic[i-1] // it lies below d too
		}
		for ; st > top; st = c.rows[st].parent {
			entering = append(entering, entry{st, noTransition, noTransition})
		}
	}
	slices.Reverse(entering)
	s.entering = entering
	return len(entering) > 0
}

// quiet reports whether entering or exiting a state only changes the configuration.
func (s *Session) quiet(r *row, f rowFlags) bool { return r.flags&f == 0 && !s.watched() }

// settled reports whether a macrostep is complete: without a search, because the chart has no
// eventless transitions, and with nothing left to invoke.
func (s *Session) settled() bool {
	return !s.chart.hasEventless && !s.chart.hasInvokes && s.internal.len() == 0 && s.status == Running && s.limit == nil
}
