package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// hidden reports transitions of a state that are never taken, because other transitions of the same
// state always come first.
func (l *linter) hidden(s *doc.State) {
	if s.Kind == doc.History || len(s.Transitions) < 2 {
		return
	}
	var eventless, evented []*doc.Transition
	for _, t := range s.Transitions {
		switch {
		case t.Stray || t.AnyEvent:
		case t.Events == nil:
			eventless = append(eventless, t)
		default:
			evented = append(evented, t)
		}
	}
	var always *doc.Transition // an eventless one that is always enabled
	for _, t := range eventless {
		if l.inLoop(always) {
			return
		}
		if always != nil {
			l.warnf(t.Pos, "never-taken", "transition is never taken: the eventless one at %s comes first and is always enabled", at(always))
		} else if l.unconditional(t) {
			always = t
		}
	}
	if l.inLoop(always) {
		return
	}
	taken := map[string]*doc.Transition{} // by normalized descriptor: the first one without cond
	for _, t := range evented {
		if always != nil {
			// While it is enabled, the configuration is never stable, so the session never takes an event
			// from a queue.
			l.warnf(t.Pos, "never-taken", "transition is never taken: the eventless one at %s is always enabled, and taken before any event is looked at", at(always))
			continue
		}
		switch by := takers(taken, t); {
		case len(by) == 1:
			l.warnf(t.Pos, "never-taken", "transition is never taken: the one at %s comes first and takes all of its events", at(by[0]))
		case len(by) > 1:
			l.warnf(t.Pos, "never-taken", "transition is never taken: others before it take all of its events, those at %s and %s", at(by[0]), at(by[1]))
		case l.unconditional(t):
			for _, d := range t.Events {
				if d = table.Normalize(d); taken[d] == nil {
					taken[d] = t
				}
			}
		}
	}
}

// inLoop reports whether t is taken again and again, or perhaps will be once errors are corrected.
// Then that is the mistake, not the transitions that t hides.
func (l *linter) inLoop(t *doc.Transition) bool { return t != nil && (l.broken || l.looping[t]) }

func at(t *doc.Transition) string { return fmt.Sprintf("%d:%d", t.Pos.Line, t.Pos.Col) }

// takers returns the transitions that together take all events of t, or nil.
func takers(taken map[string]*doc.Transition, t *doc.Transition) []*doc.Transition {
	var by []*doc.Transition
	for _, d := range t.Events {
		earlier := covering(taken, table.Normalize(d))
		if earlier == nil {
			return nil
		}
		if !slices.Contains(by, earlier) {
			by = append(by, earlier)
		}
	}
	return by
}

// covering returns the transition that takes every event that the normalized
// descriptor d matches: it has d or a prefix of it.
func covering(taken map[string]*doc.Transition, d string) *doc.Transition {
	if len(taken) == 0 {
		return nil
	}
	if t := taken[""]; t != nil {
		return t
	}
	for end := 0; end < len(d); end++ {
		if i := strings.IndexByte(d[end:], '.'); i >= 0 {
			end += i
		} else {
			end = len(d)
		}
		if t := taken[d[:end]]; t != nil {
			return t
		}
	}
	return nil
}

// unconditional reports whether t has no cond, or one that is a constant true.
func (l *linter) unconditional(t *doc.Transition) bool {
	return t.Cond == nil || l.doc.Datamodel == "ecmascript" && strings.TrimSpace(t.Cond.Text) == "true"
}
