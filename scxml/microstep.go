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
	s.exitStates()
	s.executeTransitionContent()
	s.enterStates()
}

func (s *Session) exitStates() {
	c := s.chart
	s.computeExitSet()
	// Histories are recorded before anything is exited.
	for st := s.exitSet.Prev(c.lastState()); st != table.None; st = s.exitSet.Prev(st - 1) {
		s.toInvoke.Remove(st)
		for _, h := range c.states[st].histories {
			s.recordHistory(h, st)
		}
	}
	for st := s.exitSet.Prev(c.lastState()); st != table.None; st = s.exitSet.Prev(st - 1) {
		s.exitState(st)
	}
}

// exitState runs the onexit handlers of an active state and takes it out of the configuration.
func (s *Session) exitState(st table.State) {
	for _, b := range s.chart.states[st].onexit {
		b.execute(s)
	}
	if len(s.running) > 0 {
		s.cancelInvocations(st)
	}
	s.config.Remove(st)
	s.notifyState(st, false)
	if t := s.tree.trace; t != nil && t.Exit != nil {
		t.Exit(s, State{s.chart, st})
	}
}

func (s *Session) recordHistory(h, parent table.State) {
	c := s.chart
	row := &c.states[h]
	value := s.history[row.history][:0]
	for st := s.config.Next(parent + 1); st != table.None && st <= c.states[parent].last; st = s.config.Next(st + 1) {
		if row.deep && c.states[st].atomic() || !row.deep && c.states[st].parent == parent {
			value = append(value, st)
		}
	}
	s.history[row.history] = value
}

// computeExitSet fills s.exitSet with what is active below the domains of the
// enabled transitions, and s.domains with these.
func (s *Session) computeExitSet() {
	s.exitSet.Clear()
	s.findDomains()
	for _, d := range s.domains {
		if d != table.None {
			s.exitSet.AddRange(s.config, d+1, s.chart.states[d].last)
		}
	}
}

func (s *Session) executeTransitionContent() {
	for _, id := range s.enabled {
		if t := s.tree.trace; t != nil && t.Transition != nil {
			t.Transition(s, Transition{s.chart, id})
		}
		s.chart.transitions[id].body.execute(s)
	}
}

func (s *Session) enterStates() {
	c := s.chart
	s.computeEntrySet()
	for st := s.entrySet.Next(0); st != table.None; st = s.entrySet.Next(st + 1) {
		row := &c.states[st]
		s.config.Add(st)
		if len(row.invokes) > 0 {
			s.toInvoke.Add(st)
		}
		if t := s.tree.trace; t != nil && t.Enter != nil {
			t.Enter(s, State{c, st})
		}
		if c.late && len(row.data) > 0 && !s.bound.Has(st) {
			s.bound.Add(st)
			s.initData(st)
		}
		for _, b := range row.onentry {
			b.execute(s)
		}
		s.notifyState(st, true)
		if s.defaultEntry.Has(st) {
			c.transitions[row.initial].body.execute(s)
		}
		for _, d := range s.defaultHistory {
			if d.parent == st {
				c.transitions[d.content].body.execute(s)
			}
		}
		if row.kind == doc.Final {
			s.enterFinal(st)
		}
	}
}

// enterFinal ends the session, or raises the done events that entering the
// final state st gives rise to.
func (s *Session) enterFinal(st table.State) {
	c := s.chart
	row := &c.states[st]
	if row.parent == 0 {
		s.status = Final
		s.final = st
		return
	}
	parent := row.parent
	s.raise(Event{Name: c.states[parent].doneName, Type: datamodel.Platform, Data: s.doneData(row.donedata)})
	// Differs from D, which looks at one parallel only: by REC 3.4 a parallel is
	// in a final state when all its children are, and so a parallel in a
	// parallel completes the outer one too.
	for p := c.states[parent].parent; p != table.None && c.states[p].kind == doc.Parallel && s.isInFinalState(p); p = c.states[p].parent {
		s.raise(Event{Name: c.states[p].doneName, Type: datamodel.Platform})
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

// defaultHistoryContent says that the default transition of a history is
// taken, whose content runs after the onentry handlers of the history's parent.
type defaultHistoryContent struct {
	parent  table.State
	content transID
}

// computeEntrySet fills s.entrySet, s.defaultEntry and s.defaultHistory.
func (s *Session) computeEntrySet() {
	s.entrySet.Clear()
	s.defaultEntry.Clear()
	s.defaultHistory = s.defaultHistory[:0]
	for i, id := range s.enabled {
		t := &s.chart.transitions[id]
		for _, target := range t.targets {
			s.addDescendantStatesToEnter(target)
		}
		// Differs from D, which computes the domain anew here: the exit may have
		// changed what a history remembers, and a smaller domain would then
		// leave states unentered that were exited.
		s.targets = s.effectiveTargetStates(s.targets[:0], t)
		for _, target := range s.targets {
			s.addAncestorStatesToEnter(target, s.domains[i])
		}
	}
}

func (s *Session) addDescendantStatesToEnter(st table.State) {
	c := s.chart
	row := &c.states[st]
	switch row.kind {
	case doc.History:
		if remembered := s.history[row.history]; len(remembered) > 0 {
			for _, r := range remembered {
				s.addDescendantStatesToEnter(r)
			}
			for _, r := range remembered {
				s.addAncestorStatesToEnter(r, row.parent)
			}
			return
		}
		s.defaultHistory = slices.DeleteFunc(s.defaultHistory, func(d defaultHistoryContent) bool { return d.parent == row.parent })
		s.defaultHistory = append(s.defaultHistory, defaultHistoryContent{row.parent, row.defaultHist})
		s.addTargetsToEnter(row.defaultHist, row.parent)
	case doc.Compound:
		s.entrySet.Add(st)
		s.defaultEntry.Add(st)
		s.addTargetsToEnter(row.initial, st)
	case doc.Parallel:
		s.entrySet.Add(st)
		s.addRegionsToEnter(st)
	default:
		s.entrySet.Add(st)
	}
}

// addTargetsToEnter adds what a default transition enters below ancestor.
func (s *Session) addTargetsToEnter(id transID, ancestor table.State) {
	targets := s.chart.transitions[id].targets
	for _, target := range targets {
		s.addDescendantStatesToEnter(target)
	}
	for _, target := range targets {
		s.addAncestorStatesToEnter(target, ancestor)
	}
}

func (s *Session) addAncestorStatesToEnter(st, ancestor table.State) {
	c := s.chart
	for p := c.states[st].parent; p != table.None && p != ancestor; p = c.states[p].parent {
		if s.config.Has(p) {
			// Differs from D, which goes on up to the parent of a history: it
			// enters again what was not exited, and in the regions beside it
			// default states. REC 3.13 enters only what lies below the domain.
			break
		}
		s.entrySet.Add(p)
		if c.states[p].kind == doc.Parallel {
			s.addRegionsToEnter(p)
		}
	}
}

// addRegionsToEnter adds the regions of a parallel of which nothing is entered yet.
func (s *Session) addRegionsToEnter(parallel table.State) {
	c := s.chart
	for child := parallel + 1; child <= c.states[parallel].last; child = c.states[child].last + 1 {
		if c.states[child].kind != doc.History && !s.entrySet.HasRange(child, c.states[child].last) {
			s.addDescendantStatesToEnter(child)
		}
	}
}
func (s *Session) transitionHandles() []Transition {
	all := make([]Transition, len(s.enabled))
	for i, id := range s.enabled {
		all[i] = Transition{s.chart, id}
	}
	return all
}
