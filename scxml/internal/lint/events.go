package lint

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// raised checks that a transition takes an event. Hosts and other sessions do not see the internal queue;
// if they hear the event, it may be meant for them, unless it is a near miss.
func (l *linter) raised(pos datamodel.Position, what, event string, heard bool) {
	if event == "" || l.open || l.anyEvent || datamodel.CheckEventName(event) != nil || strings.ContainsAny(event, `,'"`) || len(l.events.Match(nil, event)) > 0 {
		return
	}
	if hint := l.hint(event, len(l.transitions), l.descriptors); hint != "" || !heard {
		l.warnf(pos, "event-not-taken", "%s: no transition takes the event %q%s", what, abridge(event), hint)
	}
}

// errorEvents are the errors that the engine raises (REC 3.12.2).
var errorEvents = []string{"error.execution", "error.communication", "error.platform"}

// neverRaised reports transitions that wait for events which only the engine raises, and which it
// never raises.
func (l *linter) neverRaised() {
	if l.open || len(l.doc.Refused) > 0 {
		return
	}
	var awaited table.Events
	for _, t := range l.transitions {
		for _, d := range t.Events {
			if ofEngine(d) {
				awaited.Add(d)
			}
		}
	}
	raised := map[table.Descriptor]bool{}
	raise := func(name string) {
		for _, d := range awaited.Match(nil, name) {
			raised[d] = true
		}
	}
	for _, s := range l.doc.States {
		if s.Stray && s.Kind == doc.Final {
			return // it may belong in any state
		}
		if canBeDone(s) {
			raise("done.state." + s.ID)
		}
		for _, inv := range s.Invokes {
			if inv.ID == "" { // the generated one begins with that of the state
				raise("done.invoke." + s.ID)
			}
			raise("done.invoke." + inv.ID)
		}
	}
	for _, name := range slices.Concat(errorEvents, l.raises) {
		raise(name)
	}
	for _, t := range l.transitions {
		for n, d := range t.Events {
			if d = table.Normalize(d); ofEngine(d) && !raised[awaited.Add(d)] {
				if why := l.whyNever(d); why != "" {
					l.warnf(t.EventPos(n), "event-never-raised", "%q is never raised%s", abridge(d), why)
				}
			}
		}
	}
}

// ofEngine reports whether only the engine raises the events that a descriptor matches.
func ofEngine(d string) bool {
	return table.Matches("done.state", d) || table.Matches("done.invoke", d) || strings.HasPrefix(d, "error.")
}

// canBeDone reports whether done.state is raised for s: isInFinalState of Appendix D
// can be true.
func canBeDone(s *doc.State) bool {
	isFinal := func(s *doc.State) bool { return s.Kind == doc.Final }
	switch s.Kind {
	case doc.Compound:
		return slices.ContainsFunc(s.Children, isFinal)
	case doc.Parallel:
		return !slices.ContainsFunc(childStates(s), func(s *doc.State) bool { return !canBeDone(s) })
	}
	return false
}

// whyNever returns why an event of the engine is never raised, or "" if that is not certain.
func (l *linter) whyNever(d string) string {
	if id, ok := strings.CutPrefix(d, "done.state."); ok {
		switch s := l.doc.ByID[id]; {
		case s == nil:
			return ": no state has the id " + strconv.Quote(abridge(id)) + l.hint(id, len(l.doc.States), l.ids)
		case s.Kind == doc.Parallel:
			return fmt.Sprintf(": %s is done when each of its regions is in a <final>, and not all of them have one", s)
		default:
			return fmt.Sprintf(": %s has no <final> child", s)
		}
	}
	if id, ok := strings.CutPrefix(d, "done.invoke."); ok {
		if l.invoked(id) {
			return ""
		}
		return ": no <invoke> has the id " + strconv.Quote(abridge(id)) + l.hint(id, len(l.invokes), maps.Keys(l.invokes))
	}
	switch d {
	case "done.state":
		return ": no state has a <final> child"
	case "done.invoke":
		return ": there is no <invoke>"
	}
	for _, name := range errorEvents {
		if table.Matches(name, d) {
			return "" // an I/O processor may say more
		}
	}
	if near := l.near(d, len(errorEvents), slices.Values(errorEvents)); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	if l.computed || len(l.invokes)+len(l.generated) > 0 { // an invoked session may send it
		return ""
	}
	return ": the engine raises error.execution, error.communication and error.platform, and no <raise> or <send> here has this name"
}

// invoked reports whether an <invoke> may have the id.
func (l *linter) invoked(id string) bool {
	const most = 1000 // generated ids are shorter
	for i := range min(len(id), most) {
		if id[i] == '.' && l.generated[id[:i]] {
			return true
		}
	}
	return l.invokes[id]
}

// toSCXML reports whether e goes to an SCXML session.
func toSCXML(e *doc.Send) bool {
	return e.TypeExpr == nil && (e.Type == "" || e.Type == "scxml" || e.Type == "http://www.w3.org/TR/scxml/#SCXMLEventProcessor")
}

// target checks where a <send> to an SCXML session goes (REC C.1).
func (l *linter) target(e *doc.Send) {
	if e.Target == "" || !toSCXML(e) || l.open {
		return
	}
	name, special := strings.CutPrefix(e.Target, "#_")
	var why string
	switch {
	case !special && l.doc.ByID[e.Target] != nil:
		why = ` is a state, and events go to sessions: leave out target, and write a transition for the event`
	case special && (name == "parent" || name == "internal" || strings.HasPrefix(name, "scxml_") || l.invoked(name)):
		return
	default:
		targets := func(yield func(string) bool) {
			if yield("#_parent") && yield("#_internal") {
				for id := range l.invokes {
					if !yield("#_" + id) {
						return
					}
				}
			}
		}
		meant := "#_" + strings.TrimLeft(e.Target, "#_")
		near := meant
		if meant != "#_parent" && meant != "#_internal" && !l.invoked(strings.TrimPrefix(meant, "#_")) {
			near = l.near(meant, len(l.invokes), targets)
		}
		switch {
		case near != "":
			why = fmt.Sprintf(" is not a target (did you mean %q?)", near)
		case special:
			why = fmt.Sprintf(" is not a target: no <invoke> has the id %q", abridge(name))
		default:
			why = ` is not a target: without one the event goes to the session itself, others are "#_parent", "#_internal", and "#_" with the id of an <invoke>`
		}
	}
	l.warnf(e.TargetPos, "unknown-send-target", "%q%s", abridge(e.Target), why)
}
