package lint

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// loops reports eventless transitions that are taken forever once one of them is taken: each leads to
// a state in which the next one is always enabled.
func (l *linter) loops(active set) {
	next := l.certain()
	seen := make([]int, len(l.doc.States)) // the round in which a state was visited
	for i, at := range l.doc.States {
		taken := func() *doc.Transition {
			if at == nil || at.Kind != doc.Atomic || !active[at.Index] {
				return nil
			}
			return next[at.Index]
		}
		for t := taken(); t != nil && seen[at.Index] == 0; t = taken() {
			seen[at.Index] = i + 1
			at = l.arrival(t, at)
		}
		if taken() == nil || seen[at.Index] != i+1 {
			continue
		}
		var cycle []*doc.Transition
		first := 0 // in document order
		for begin := at; len(cycle) == 0 || at != begin; at = l.arrival(next[at.Index], at) {
			cycle = append(cycle, next[at.Index])
			if next[at.Index].Index < cycle[first].Index {
				first = len(cycle) - 1
			}
		}
		l.loop(append(cycle[first:], cycle[:first]...))
	}
}

// loop reports a loop.
func (l *linter) loop(cycle []*doc.Transition) {
	for _, t := range cycle {
		l.looping[t] = true
	}
	if len(cycle) == 1 && cycle[0].Targets == nil && cycle[0].Cond == nil {
		return // empty-transition reports it
	}
	const most = 4
	var rest []string
	for _, t := range cycle[1:min(len(cycle), most)] {
		rest = append(rest, at(t))
	}
	others, advice := "", "give it an event, or a cond that becomes false"
	if len(rest) > 0 {
		others, advice = ", with "+strings.Join(rest, ", "), "give one of them an event, or a cond that becomes false"
	}
	if more := len(cycle) - 1 - len(rest); more > 0 {
		others += fmt.Sprintf(" and %d more", more)
	}
	l.warnf(cycle[0].Pos, "endless-loop", "endless loop: this transition needs no event, and always leads back to %s%s: %s", cycle[0].Source, others, advice)
}

// certain returns, for each state, the transition that is taken before any event while the state is
// active and has no active child. It is nil if there is none, or if it is not certain: other regions
// of a <parallel> may prevent one.
func (l *linter) certain() []*doc.Transition {
	next := make([]*doc.Transition, len(l.doc.States))
	for i, s := range l.doc.States {
		t, always := l.own(s)
		if p := s.Parent; p != nil && always {
			t = next[p.Index]
		}
		for a := s; a != nil; a = a.Parent {
			if a.Kind == doc.Parallel {
				t = nil
			}
		}
		next[i] = t
	}
	return next
}

// own returns the transition of s itself for [linter.certain]. If it is nil, none reports whether a
// transition of a state around s is always taken.
func (l *linter) own(s *doc.State) (t *doc.Transition, none bool) {
	for _, t := range s.Transitions {
		switch {
		case t.Events != nil:
		case l.unconditional(t):
			return t, false
		default:
			return nil, false
		}
	}
	return nil, true
}

// arrival returns the atomic state that t leads to if it is taken in from, or nil if that is not
// certain.
func (l *linter) arrival(t *doc.Transition, from *doc.State) *doc.State {
	if t.Targets == nil {
		return from
	}
	for hops := 0; hops < len(l.doc.States); hops++ {
		if len(t.Targets) != 1 {
			return nil
		}
		switch s := t.Targets[0]; s.Kind {
		case doc.Atomic:
			return s
		case doc.Compound:
			if s.Initial == nil {
				return nil
			}
			t = s.Initial
		default:
			return nil
		}
	}
	return nil
}
