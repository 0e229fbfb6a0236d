package compile

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// This file writes shortcuts for events that several regions can take.

// independent reports whether all regions can do their part one after the other, because none sees what another does.
func (s *shortcut) independent() bool {
	g := s.generator
	for _, st := range s.sources {
		ts := s.transitions(st)
		t := ts[0]
		d := g.domain(t)
		if len(ts) > 1 || t.Cond != nil || len(t.Body) > 0 || d == nil || g.part[d.Index] != g.part[st.Index] || !g.quiet(d) || g.assigns(t) == nil {
			return false
		}
		if len(g.parts) > 1 && g.partsBelow(d) > 0 {
			return false
		}
		// A source in another one's descendants would be asked first.
		for _, other := range s.sources {
			if other != st && g.below(other, st) {
				return false
			}
		}
	}
	return true
}

// askedOnce reports whether each transition is asked for one active atomic state only: no source has regions below it.
func (s *shortcut) askedOnce() bool {
	return !slices.ContainsFunc(s.sources, func(st *doc.State) bool { return s.partsBelow(st) > 0 })
}

// choose writes the body of a shortcut that asks, region by region, which transition is enabled, as selectTransitions of
// package machine does. It takes a single one itself.
func (s *shortcut) choose() {
	byPart := make([][]*doc.State, len(s.parts))
	regions := 0
	for _, st := range slices.Backward(s.sources) { // descendants first
		p := s.part[st.Index]
		if byPart[p] == nil {
			regions++
		}
		byPart[p] = append(byPart[p], st)
	}
	s.p("var enabled [%d]uint16\nn := 0", regions)
	for _, states := range byPart { // in document order
		if states == nil {
			continue
		}
		s.p("switch {")
		for _, st := range states {
			for _, t := range s.transitions(st) {
				enabled := s.active(st)
				if t.Cond != nil {
					enabled += " && " + s.cond(t.Cond, "transition", t.Pos)
				}
				s.line(t.Pos)
				s.p("case %s:\nenabled[n] = %d\nn++", enabled, s.number(t))
				s.own()
			}
		}
		s.p("}")
	}
	s.p("switch {\ncase n == 0:\nreturn false\ncase n > 1:\nmachine.TakeAll(m, enabled[:n])\nreturn true\n}")
	s.p("switch enabled[0] {")
	for _, states := range byPart {
		for _, st := range states {
			for _, t := range s.transitions(st) {
				s.p("case %d:", s.number(t))
				s.line(t.Pos)
				s.takeOne(t)
				s.own()
			}
		}
	}
	s.p("}\nreturn true\n}")
}
