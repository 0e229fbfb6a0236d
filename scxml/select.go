package scxml

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// selectTransitions fills s.enabled with the optimal transition set for ev, or
// for no event (selectEventlessTransitions) if ev is nil.
func (s *Session) selectTransitions(ev *Event) {
	s.enabled = s.enabled[:0]
	c := s.chart
	var descs []table.Descriptor
	if ev != nil {
		if descs = s.matcher.Match(ev.Name); len(descs) == 0 {
			return
		}
	} else if !c.hasEventless {
		return
	}
	for a := s.config.Next(0); a != table.None; a = s.config.Next(a + 1) {
		if !c.states[a].atomic() {
			continue
		}
	ancestors:
		for st := a; st != table.None; st = c.states[st].parent {
			row := &c.states[st]
			candidates := row.eventless
			if ev != nil {
				candidates = row.evented
			}
			for _, id := range candidates {
				t := &c.transitions[id]
				if ev != nil && !matches(t.descs, descs) {
					continue
				}
				if t.cond == nil || s.condition(t.cond, "transition", t.pos) {
					// Only an ancestor's transition can be there already.
					if st == a || !slices.Contains(s.enabled, id) {
						s.enabled = append(s.enabled, id)
					}
					break ancestors
				}
			}
		}
	}
	if len(s.enabled) > 1 {
		s.removeConflictingTransitions()
	}
}

// matches reports whether the two short lists have an element in common.
func matches(a, b []table.Descriptor) bool {
	for _, d := range a {
		if slices.Contains(b, d) {
			return true
		}
	}
	return false
}

// removeConflictingTransitions takes those out of s.enabled that are
// preempted by others (REC 3.13).
func (s *Session) removeConflictingTransitions() {
	c := s.chart
	s.findDomains()
	filtered := s.filtered[:0]
	domains := s.domains[:0] // of those in filtered; it never overtakes the reading of s.domains
	last := table.None       // of all domains in filtered
	for i, t1 := range s.enabled {
		d1 := s.domains[i]
		if d1 <= last { // else it lies behind all others, and conflicts with none
			source := c.transitions[t1].source
			preempted := false
			for j, t2 := range filtered {
				if c.conflict(d1, domains[j]) && !c.isDescendant(source, c.transitions[t2].source) {
					preempted = true
					break
				}
			}
			if preempted {
				continue
			}
			keep := 0
			for j, t2 := range filtered {
				if !c.conflict(d1, domains[j]) {
					filtered[keep], domains[keep] = t2, domains[j]
					keep++
				}
			}
			filtered, domains = filtered[:keep], domains[:keep]
		}
		filtered, domains = append(filtered, t1), append(domains, d1)
		if d1 != table.None {
			last = max(last, c.states[d1].last)
		}
	}
	s.filtered, s.enabled = s.enabled[:0], filtered
	// Differs from D: the set is in the order in which its members were found,
	// but REC 3.13 executes their contents "in document order". The two differ
	// when an atomic state takes a transition of an ancestor.
	slices.Sort(s.enabled)
}

// conflict reports whether the exit sets of two transitions intersect, given
// their domains. An exit set is what is active below the domain, and it is
// never empty, so they do exactly if one domain is the other or lies below it.
func (c *Chart) conflict(d1, d2 table.State) bool {
	return d1 != table.None && d2 != table.None && (d1 == d2 || c.isDescendant(d1, d2) || c.isDescendant(d2, d1))
}

// findDomains fills s.domains with the domains of s.enabled.
func (s *Session) findDomains() {
	s.domains = s.domains[:0]
	for _, id := range s.enabled {
		s.domains = append(s.domains, s.transitionDomain(id))
	}
}

// transitionDomain is getTransitionDomain. It was computed when the chart was
// compiled, unless it depends on what a history remembers.
func (s *Session) transitionDomain(id transID) table.State {
	t := &s.chart.transitions[id]
	if !t.toHistory {
		return t.domain
	}
	s.targets = s.effectiveTargetStates(s.targets[:0], t)
	return s.chart.transitionDomain(t, s.targets)
}

// effectiveTargetStates is getEffectiveTargetStates; it appends to dst.
func (s *Session) effectiveTargetStates(dst []table.State, t *transition) []table.State {
	for _, target := range t.targets {
		row := &s.chart.states[target]
		switch {
		case row.kind != doc.History:
			dst = append(dst, target)
		case len(s.history[row.history]) > 0:
			dst = append(dst, s.history[row.history]...)
		default:
			dst = s.effectiveTargetStates(dst, &s.chart.transitions[row.defaultHist])
		}
	}
	return dst
}
