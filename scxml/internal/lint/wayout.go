package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// wayOut reports atomic states that a session enters and never leaves: neither they nor their
// ancestors have a transition or an <invoke>. A region of a <parallel> may rest, because others
// continue. It reports only the first one, and only in a chart that has a <final>, or that mostly
// returns to where it began; any other chart is meant to come to rest.
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

// returns reports whether a transition leads to the initial states of the session.
func (l *linter) returns() bool {
	begin := map[*doc.State]bool{}
	for t := l.doc.Root.Initial; t != nil && len(t.Targets) == 1 && !begin[t.Targets[0]]; t = t.Targets[0].Initial {
		begin[t.Targets[0]] = true
	}
	return slices.ContainsFunc(l.transitions, func(t *doc.Transition) bool {
		return slices.ContainsFunc(t.Targets, func(s *doc.State) bool { return begin[s] && s != t.Source })
	})
}
