package scxml

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// This file computes entry sets, at compile time where that is possible and otherwise in each
// microstep.

// An entry is a state that is entered, with the default transitions whose content runs then: its
// own, and that of a history in it. Either may be noTransition.
type entry struct {
	state            table.State
	initial, history transID
}

// statesToEnter returns what the enabled transitions enter, in entry order.
func (s *Session) statesToEnter() []entry {
	c := s.chart
	static := true
	for _, id := range s.enabled {
		static = static && c.transitions[id].static
	}
	if !static {
		if !s.recallEntries() {
			s.computeEntrySet()
		}
		return s.entering
	}
	if len(s.enabled) == 1 {
		return c.staticEntries(s.enabled[0])
	}
	// The transitions are in document order, and so are their domains, which do not overlap.
	s.entering = s.entering[:0]
	for _, id := range s.enabled {
		s.entering = append(s.entering, c.staticEntries(id)...)
	}
	return s.entering
}

func (c *Chart) staticEntries(id transID) []entry {
	t := &c.transitions[id]
	return c.entries[t.firstEntry : t.firstEntry+t.lenEntry]
}

// longEntry is the length above which an entry list is not kept.
const longEntry = 64

// makeEntries computes the static entry lists. Everything below the domain of a transition is
// exited before, so what the transition enters does not depend on the configuration unless it
// reaches a history. A microstep then needs neither sets nor a walk through the tree. The lists
// share one array, which is bounded by the size of the chart; lists that do not fit are computed
// each time.
func (c *Chart) makeEntries() {
	room := 8 * (len(c.states) + len(c.transitions))
	c.entries = make([]entry, len(c.states), len(c.states)+len(c.transitions)/8)
	for i := range c.entries {
		c.entries[i] = entry{table.State(i), noTransition, noTransition}
	}
	scratch := newSession(c, nil) // nothing is active, and the histories are empty
	scratch.needScratch()
	scratch.most = longEntry
	for i := range c.transitions {
		t := &c.transitions[i]
		if !t.selectable && transID(i) != c.states[0].initial || t.toHistory {
			continue
		}
		switch {
		case len(t.targets) == 0:
			t.static = true
		case len(t.targets) == 1 && c.states[t.targets[0]].atomic() && c.states[t.targets[0]].parent == t.domain:
			t.static, t.firstEntry, t.lenEntry = true, int32(t.targets[0]), 1
		case room > 0:
			scratch.enabled = append(scratch.enabled[:0], transID(i))
			scratch.domains = append(scratch.domains[:0], t.domain)
			scratch.computeEntrySet()
			if scratch.dynamic {
				continue
			}
			t.static, t.firstEntry, t.lenEntry = true, int32(len(c.entries)), int32(len(scratch.entering))
			c.entries = append(c.entries, scratch.entering...)
			room -= len(scratch.entering)
		}
	}
	c.entries = slices.Clip(c.entries)
}

// defaultHistoryContent is the default transition of a history that is taken. Its content runs
// after the onentry handlers of the history's parent.
type defaultHistoryContent struct {
	parent  table.State
	content transID
}

// computeEntrySet fills s.entering. If s.most is not 0, it gives up when more states than that are
// entered.
func (s *Session) computeEntrySet() {
	if s.entrySet == nil {
		s.entrySet, s.defaultEntry = table.NewSet(len(s.chart.states)), table.NewSet(len(s.chart.states))
	}
	s.defaultHistory = s.defaultHistory[:0]
	s.entered, s.lowest, s.highest, s.dynamic = 0, table.State(len(s.chart.states)), table.None, false
	for i, id := range s.enabled {
		t := &s.chart.transitions[id]
		for _, target := range t.targets {
			s.addDescendantStatesToEnter(target)
		}
		// Differs from D, which computes the domain again here. The exit may have changed what a
		// history remembers, and a smaller domain would leave states unentered that were exited.
		s.targets = s.effectiveTargetStates(s.targets[:0], t)
		for _, target := range s.targets {
			s.addAncestorStatesToEnter(target, s.domains[i])
		}
	}
	s.dynamic = s.dynamic || s.tooMany()
	// Put the entries in entry order, and empty the sets for the next time.
	s.entering = s.entering[:0]
	for st := s.entrySet.Next(s.lowest); st != table.None && st <= s.highest; st = s.entrySet.Next(st + 1) {
		e := entry{st, noTransition, noTransition}
		if s.defaultEntry.Has(st) {
			if initial := s.chart.states[st].initial; len(s.chart.transitions[initial].body) > 0 {
				e.initial = initial
			}
		}
		for _, d := range s.defaultHistory {
			if d.parent == st {
				e.history = d.content
			}
		}
		s.entering = append(s.entering, e)
	}
	for _, e := range s.entering {
		s.entrySet.Remove(e.state)
		s.defaultEntry.Remove(e.state)
	}
}

// tooMany reports whether computeEntrySet is to give up.
func (s *Session) tooMany() bool { return s.most > 0 && s.entered > s.most }

// enter adds a state to the entry set.
func (s *Session) enter(st table.State) {
	if !s.entrySet.Has(st) {
		s.entrySet.Add(st)
		s.entered++
		s.lowest, s.highest = min(s.lowest, st), max(s.highest, st)
	}
}

func (s *Session) addDescendantStatesToEnter(st table.State) {
	if s.tooMany() {
		return
	}
	c := s.chart
	def := &c.states[st]
	switch def.kind {
	case doc.History:
		s.dynamic = true
		if remembered := s.history[def.history]; len(remembered) > 0 {
			for _, r := range remembered {
				s.addDescendantStatesToEnter(r)
			}
			for _, r := range remembered {
				s.addAncestorStatesToEnter(r, def.parent)
			}
			return
		}
		s.defaultHistory = slices.DeleteFunc(s.defaultHistory, func(d defaultHistoryContent) bool { return d.parent == def.parent })
		s.defaultHistory = append(s.defaultHistory, defaultHistoryContent{def.parent, def.defaultHist})
		s.addTargetsToEnter(def.defaultHist, def.parent)
	case doc.Compound:
		s.enter(st)
		s.defaultEntry.Add(st)
		s.addTargetsToEnter(def.initial, st)
	case doc.Parallel:
		s.enter(st)
		s.addRegionsToEnter(st)
	default:
		s.enter(st)
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
	for p := c.states[st].parent; p != table.None && p != ancestor && !s.tooMany(); p = c.states[p].parent {
		if s.config.Has(p) {
			// Differs from D, which continues up to the parent of a history. It enters states again
			// that were not exited, and default states in the regions next to them. REC 3.13 enters
			// only what lies below the domain.
			break
		}
		if s.entrySet.Has(p) {
			continue // and so are its regions
		}
		s.enter(p)
		if c.states[p].kind == doc.Parallel {
			s.addRegionsToEnter(p)
		}
	}
}

// addRegionsToEnter adds the regions of a parallel in which nothing is entered yet.
func (s *Session) addRegionsToEnter(parallel table.State) {
	c := s.chart
	for child := parallel + 1; child <= c.states[parallel].last; child = c.states[child].last + 1 {
		if s.tooMany() {
			return
		}
		if c.states[child].kind != doc.History && !s.entrySet.HasRange(child, c.states[child].last) {
			s.addDescendantStatesToEnter(child)
		}
	}
}
