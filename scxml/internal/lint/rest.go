package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// wayOut looks for atomic states that a session enters and never leaves: neither they nor
// their ancestors have a transition or an <invoke>. A region of a <parallel> may rest, because
// others continue. The first is reported, and only in a chart that has a <final>, or that
// mostly returns to where it began: else the chart is meant to come to rest.
func (l *linter) wayOut(active set) {
	alive := make(set, len(l.doc.States)) // it or an ancestor reacts to something
	var dead []*doc.State
	living, finals := 0, false
	for i, s := range l.doc.States {
		if len(s.Transitions)+len(s.Invokes) > 0 || s.Kind == doc.Parallel || s.Parent != nil && alive[s.Parent.Index] {
			alive[i] = true
		}
		finals = finals || s.Kind == doc.Final
		switch {
		case s.Kind != doc.Atomic || len(s.Children) > 0 || !active[i]:
		case alive[i]:
			living++
		default:
			dead = append(dead, s)
		}
	}
	if len(dead) == 0 || !finals && (living <= len(dead) || !l.returns()) {
		return
	}
	const most = 3
	var others []string
	for _, s := range dead[1:min(len(dead), 1+most)] {
		others = append(others, s.String())
	}
	also := ""
	if len(others) > 0 {
		also = "; also " + strings.Join(others, ", ")
		if more := len(dead) - 1 - len(others); more > 0 {
			also += fmt.Sprintf(" and %d more", more)
		}
	}
	l.warnf(dead[0].Pos, "no-way-out", "%s has no way out: neither it nor a state around it has a transition; if the session ends here, make it a <final>%s", dead[0], also)
}

// returns reports whether a transition leads to where the session begins.
func (l *linter) returns() bool {
	begin := map[*doc.State]bool{}
	for t := l.doc.Root.Initial; t != nil && len(t.Targets) == 1 && !begin[t.Targets[0]]; t = t.Targets[0].Initial {
		begin[t.Targets[0]] = true
	}
	return slices.ContainsFunc(l.transitions, func(t *doc.Transition) bool {
		return slices.ContainsFunc(t.Targets, func(s *doc.State) bool { return begin[s] && s != t.Source })
	})
}

// loops looks for eventless transitions that, once one of them is taken, are
// taken for ever: each leads to a state in which the next one is always enabled.
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
		return // empty-transition says so
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

// certain returns, for each state, the transition that is taken before any event is
// looked at while the state is active and has no active child; nil if there is none, or
// none that is certain. In a <parallel> other regions may prevent one.
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

// own returns the transition of s itself for [linter.certain]. If it is nil, none says
// whether one of the states around s is always taken.
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

// arrival returns the atomic state that t, taken in from, leads to; nil if it is not certain.
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
