package scxml

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// microstep takes the transitions in s.enabled (REC 3.13).
func (s *Session) microstep(ev *Event) {
	s.steps++
	if t := s.tree.trace; t != nil && t.Microstep != nil {
		t.Microstep(s, ev, s.transitionHandles())
	}
	if s.scratch != nil {
		name := ""
		if ev != nil {
			name = ev.Name
		}
		if p := s.plan(name); p != nil {
			s.follow(p)
			return
		}
		s.at = nil
	}
	if s.solo() {
		s.soloMicrostep(&s.chart.transitions[s.enabled[0]])
		return
	}
	if s.plain() {
		s.plainMicrostep()
		return
	}
	s.needScratch()
	s.findDomains()
	s.exitStates()
	s.executeTransitionContent()
	s.enterStates()
}

func (s *Session) exitStates() {
	c := s.chart
	s.computeExitSet()
	if c.histories > 0 || c.hasInvokes {
		// Histories are recorded before any state is exited.
		for _, st := range s.exiting {
			if c.rows[st].is(rowRemember) {
				s.beforeExit(st)
			}
		}
	}
	for _, st := range s.exiting {
		s.exit(st)
	}
}

// exit exits an active state.
func (s *Session) exit(st table.State) {
	if s.chart.rows[st].is(rowExit|rowRemember) || s.watched() {
		s.exitState(st)
	} else {
		s.config.Remove(st)
		s.effect().exited(s.chart, st)
	}
}

// beforeExit does for st what precedes the exit of any state.
func (s *Session) beforeExit(st table.State) {
	if s.chart.hasInvokes {
		s.toInvoke.Remove(st)
	}
	for _, h := range s.chart.states[st].histories {
		s.recordHistory(h, st)
	}
}

// watched reports whether anyone observes each state that is entered or exited.
func (s *Session) watched() bool { return s.observers != nil }

// exitState runs the onexit handlers of an active state and removes it from the configuration.
func (s *Session) exitState(st table.State) {
	for _, b := range s.chart.states[st].onexit {
		b.execute(s)
	}
	if len(s.running) > 0 {
		s.cancelInvocations(st)
	}
	s.config.Remove(st)
	s.notifyState(st, false)
	s.effect().exited(s.chart, st)
	if t := s.tree.trace; t != nil && t.Exit != nil {
		t.Exit(s, State{s.chart, st})
	}
}

// recordHistory records what a history h of the active state parent remembers: the parent's active
// children or, if h is deep, the active atomic states below it.
func (s *Session) recordHistory(h, parent table.State) {
	c := s.chart
	def := &c.states[h]
	value := s.history[def.history][:0]
	last := c.rows[parent].last
	for _, st := range s.atomic {
		switch {
		case st <= parent || st > last:
			continue
		case !def.deep:
			for c.rows[st].parent != parent {
				st = c.rows[st].parent
			}
			if n := len(value); n > 0 && value[n-1] == st {
				continue
			}
		}
		value = append(value, st)
	}
	s.history[def.history] = value
}

// computeExitSet fills s.exiting with the active states below the domains of the enabled
// transitions, in exit order.
//
// It needs only the active atomic states. It takes them in reverse and exits the ancestors of each
// down to the atomic state before it; ancestors of both come with that one.
func (s *Session) computeExitSet() {
	rows := s.chart.rows
	exiting := s.exiting[:0]
	n := len(s.atomic)
	for _, d := range slices.Backward(s.domains) {
		if d == table.None {
			continue
		}
		for n > 0 && s.atomic[n-1] > rows[d].last {
			n--
		}
		for n > 0 && s.atomic[n-1] > d {
			n--
			top := d
			if n > 0 {
				top = max(d, s.atomic[n-1])
			}
			for st := s.atomic[n]; st > top; st = rows[st].parent {
				exiting = append(exiting, st)
			}
		}
	}
	s.exiting = exiting
}

func (s *Session) executeTransitionContent() {
	for _, id := range s.enabled {
		s.effect().took(s.chart, id)
		if t := s.tree.trace; t != nil && t.Transition != nil {
			t.Transition(s, Transition{s.chart, id})
		}
		if body := s.chart.transitions[id].body; len(body) > 0 {
			body.execute(s)
		}
	}
}

func (s *Session) enterStates() {
	entering := s.statesToEnter()
	s.replaceAtomic(entering)
	for _, e := range entering {
		s.enterOne(e)
	}
}

// enterOne enters a state.
func (s *Session) enterOne(e entry) {
	if s.config.Add(e.state); s.chart.rows[e.state].is(rowEnter) || e.initial != noTransition || e.history != noTransition || s.watched() {
		s.enterState(e)
	} else {
		s.effect().entered(s.chart, e.state)
	}
}

// enterState does everything that entering a state requires once it is in the configuration.
func (s *Session) enterState(e entry) {
	c, st := s.chart, e.state
	def := &c.states[st]
	s.activate(st)
	for _, b := range def.onentry {
		b.execute(s)
	}
	s.notifyState(st, true)
	if e.initial != noTransition {
		c.transitions[e.initial].body.execute(s)
	}
	if e.history != noTransition {
		c.transitions[e.history].body.execute(s)
	}
	if def.kind == doc.Final {
		s.enterFinal(st)
	}
}

// activate does what precedes the onentry handlers of a state that is in the configuration.
func (s *Session) activate(st table.State) {
	c := s.chart
	def := &c.states[st]
	if len(def.invokes) > 0 {
		s.toInvoke.Add(st)
	}
	s.effect().entered(c, st)
	if t := s.tree.trace; t != nil && t.Enter != nil {
		t.Enter(s, State{c, st})
	}
	if c.late && len(def.data) > 0 && !s.bound.Has(st) {
		s.bound.Add(st)
		s.initData(st)
	}
}

// replaceAtomic replaces the exited atomic states by the entered ones.
func (s *Session) replaceAtomic(entering []entry) {
	if len(entering) == 0 {
		return // no transition has a target
	}
	rows := s.chart.rows
	next, old := s.nextAtomic[:0], s.atomic
	for _, d := range s.domains {
		if d == table.None {
			continue
		}
		last := rows[d].last
		for len(old) > 0 && old[0] <= d {
			next = append(next, old[0])
			old = old[1:]
		}
		for len(old) > 0 && old[0] <= last {
			old = old[1:]
		}
		for len(entering) > 0 && entering[0].state <= last {
			if st := entering[0].state; rows[st].is(rowAtomic) {
				next = append(next, st)
			}
			entering = entering[1:]
		}
	}
	s.atomic, s.nextAtomic = append(next, old...), s.atomic
}

// findAtomic derives s.atomic from the configuration.
func (s *Session) findAtomic() {
	s.atomic = s.config.AppendShared(s.atomic[:0], s.chart.atomic)
	if s.scratch != nil {
		s.at, s.strayed = nil, 0
	}
}

// enterFinal ends the session, or raises the done events that follow from entering the final state
// st.
func (s *Session) enterFinal(st table.State) {
	c := s.chart
	def := &c.states[st]
	if def.parent == 0 {
		s.tree.mu.Lock()
		s.status, s.final = Final, st
		s.tree.mu.Unlock()
		return
	}
	parent := def.parent
	s.raise(Event{Name: c.states[parent].doneName, Type: datamodel.Platform, Data: s.doneData(def.donedata)})
	// Differs from D, which checks one parallel only. By REC 3.4 a parallel is in a final state
	// when all its children are, so a parallel inside a parallel can complete the outer one too.
	for p := c.states[parent].parent; p != table.None && c.states[p].kind == doc.Parallel && s.isInFinalState(p); p = c.states[p].parent {
		s.raiseName(c.states[p].doneName, datamodel.Platform)
	}
}

func (s *Session) isInFinalState(st table.State) bool {
	c := s.chart
	switch c.states[st].kind {
	case doc.Compound:
		for child := s.config.Next(st + 1); child != table.None && child <= c.states[st].last; child = s.config.Next(c.states[child].last + 1) {
			if c.states[child].kind == doc.Final {
				return true
			}
		}
		return false
	case doc.Parallel:
		for child := st + 1; child <= c.states[st].last; child = c.states[child].last + 1 {
			if c.states[child].kind != doc.History && !s.isInFinalState(child) {
				return false
			}
		}
		return true
	}
	return false
}

func (s *Session) transitionHandles() []Transition {
	all := make([]Transition, len(s.enabled))
	for i, id := range s.enabled {
		all[i] = Transition{s.chart, id}
	}
	return all
}
