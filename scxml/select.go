package scxml

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// selectTransitions fills s.enabled with the optimal transition set for ev, or for no event
// (selectEventlessTransitions) if ev is nil.
func (s *Session) selectTransitions(ev *Event) {
	s.enabled = s.enabled[:0]
	name := ""
	if ev != nil {
		name = ev.Name
	} else if !s.chart.hasEventless {
		return
	}
	if s.scratch != nil && s.recall(name) {
		return
	}
	if ev != nil {
		s.selectEvented(s.matcher.Match(&s.chart.events, name))
	} else {
		s.selectEventless()
	}
	if len(s.enabled) > 1 {
		s.removeConflictingTransitions()
	}
	if len(s.enabled) == 0 && s.scratch != nil && s.at != nil {
		s.learn(s.at, name, nothing)
	}
}

func (s *Session) selectEventless() {
	c := s.chart
	for _, atomic := range s.atomic {
	ancestors:
		for st := atomic; st != table.None && c.rows[st].is(rowEventless); st = c.rows[st].parent {
			for _, id := range c.states[st].eventless {
				if s.enable(id, st == atomic) {
					break ancestors
				}
			}
		}
	}
}

// selectEvented selects transitions for an event that the given descriptors match.
func (s *Session) selectEvented(descs []table.Descriptor) {
	if len(descs) == 0 {
		return
	}
	c := s.chart
	only := descs[0] // usually there is one
	want := uint64(0)
	for _, d := range descs {
		want |= d.Bit()
	}
	for _, atomic := range s.atomic {
	ancestors:
		for st := atomic; st != table.None && c.rows[st].reacts&want != 0; st = c.rows[st].parent {
			r := &c.rows[st]
			if r.is(rowIndexed) {
				if s.selectIndexed(st, descs, st == atomic) {
					break
				}
				continue
			}
			asked := noTransition // a transition can occur with several descriptors
			for _, cand := range c.candidates[r.first:r.end] {
				if cand.desc != only && (len(descs) == 1 || !slices.Contains(descs, cand.desc)) {
					continue
				}
				if cand.id != asked {
					if s.enable(cand.id, st == atomic) {
						break ancestors
					}
					asked = cand.id
				}
			}
		}
	}
}

// selectIndexed is selectEvented for one state whose candidates are looked up.
func (s *Session) selectIndexed(st table.State, descs []table.Descriptor, atomic bool) bool {
	s.needScratch()
	lists := s.lists[:0]
	for _, d := range descs {
		if list := s.chart.indexed[indexKey{st, d}]; len(list) > 0 {
			lists = append(lists, list)
		}
	}
	s.lists = lists
	for {
		// The next one in document order is the first of one of the lists.
		id := noTransition
		for _, list := range lists {
			if len(list) > 0 && (id == noTransition || list[0] < id) {
				id = list[0]
			}
		}
		if id == noTransition {
			return false
		}
		if s.enable(id, atomic) {
			return true
		}
		for i, list := range lists {
			for len(list) > 0 && list[0] == id {
				list = list[1:]
			}
			lists[i] = list
		}
	}
}

// enable adds a transition to s.enabled if its condition holds.
func (s *Session) enable(id transID, ofAtomic bool) bool {
	t := &s.chart.transitions[id]
	if t.cond != nil && !s.holds(id, t) {
		return false
	}
	// Only a transition of an ancestor can be there already.
	if ofAtomic || !slices.Contains(s.enabled, id) {
		s.enabled = append(s.enabled, id)
	}
	return true
}

// holds evaluates the condition of a transition.
func (s *Session) holds(id transID, t *transition) bool {
	if s.scratch != nil {
		s.asked = true
	}
	ok, err := s.data().Condition(t.cond)
	if tr := s.tree.trace; tr != nil && tr.Cond != nil {
		tr.Cond(s, Transition{s.chart, id}, ok && err == nil, err)
	}
	if err != nil {
		return s.fail("transition", t.pos, err)
	}
	return ok
}

// removeConflictingTransitions removes from s.enabled the transitions that others preempt (REC
// 3.13).
func (s *Session) removeConflictingTransitions() {
	c := s.chart
	s.needScratch()
	s.findDomains()
	if s.apart() {
		return
	}
	filtered := s.filtered[:0]
	domains := s.domains[:0] // of filtered; writing never overtakes reading s.domains
	last := table.None       // the last state in the domains of filtered
	for i, t1 := range s.enabled {
		d1 := s.domains[i]
		if d1 <= last { // else it comes after all others and conflicts with none
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
	// Differs from D: the set is in the order in which its members were found, but REC 3.13
	// executes their contents "in document order". The two differ when an atomic state takes a
	// transition of an ancestor.
	slices.Sort(s.enabled)
}

// apart reports whether the enabled transitions are in document order and each domain comes after
// those before it. Then none of them conflict.
func (s *Session) apart() bool {
	last, before := table.None, noTransition
	for i, d := range s.domains {
		if id := s.enabled[i]; id < before || d <= last && d != table.None {
			return false
		} else if before = id; d != table.None {
			last = s.chart.rows[d].last
		}
	}
	return true
}

// conflict reports whether the exit sets of two transitions with the given domains intersect. An
// exit set is what is active below the domain and is never empty. So two of them intersect exactly
// if the domains are equal or one contains the other.
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

// transitionDomain is getTransitionDomain. It is computed at compile time unless it depends on what
// a history remembers.
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
		def := &s.chart.states[target]
		switch {
		case def.kind != doc.History:
			dst = append(dst, target)
		case len(s.history[def.history]) > 0:
			dst = append(dst, s.history[def.history]...)
		default:
			dst = s.effectiveTargetStates(dst, &s.chart.transitions[def.defaultHist])
		}
	}
	return dst
}
