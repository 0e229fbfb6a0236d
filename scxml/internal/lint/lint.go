// Package lint finds what is odd in a document: what is legal but hardly
// meant, such as a state that is never entered.
//
// It looks at the document model, not at a compiled chart, and so it also has
// something to say about a document with errors. Every finding is about the
// text alone, and true whatever the host and its events do. Where an error
// leaves open what is meant, nothing is found that could turn out wrong once
// it is mended: whoever gets the target of a transition wrong is not told that
// the state it should have led to is never entered.
package lint

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// Options say how closely [Document] looks, and how.
type Options struct {
	// Portable names other engines, see [Engines]. Unknown names are ignored.
	Portable []string
	// Language returns the data model of a name, nil if it is unknown.
	Language func(name string) datamodel.Language
	// Doc says how to read the inline documents of <invoke>.
	Doc doc.Options
}

// Document returns what is odd in d: warnings, in no particular order. It
// looks into the inline documents of <invoke>, too; what refuses one of these
// is a warning, because it fails only when it is invoked.
func Document(d *doc.Document, opts Options) []doc.Diagnostic {
	l := &linter{doc: d, opts: opts, language: opts.Language(d.Datamodel), twins: map[string][]*doc.State{}}
	l.checker, _ = l.language.(datamodel.Checker)
	l.collect()
	l.contents()
	r := l.reach(false)
	l.wayOut(r.active)
	if r.guesses {
		r = l.reach(true)
	}
	if !r.anywhere {
		l.unreachable(r.active)
	}
	for _, s := range d.States {
		l.hidden(s)
	}
	return l.found
}

// A linter looks through one document.
type linter struct {
	doc      *doc.Document
	opts     Options
	language datamodel.Language // nil if it is unknown
	checker  datamodel.Checker  // nil if the data model has none
	found    []doc.Diagnostic
	compared int // candidates for near misses

	last        []int // of each state: its last descendant in document order; itself if it has none
	transitions []*doc.Transition
	events      table.Events // that they wait for
	open        bool         // there may be transitions for events that are not known

	twins map[string][]*doc.State // by id: further states that have it, which is an error
}

// collect goes over the states once and notes what is looked up again and again.
func (l *linter) collect() {
	l.last = make([]int, len(l.doc.States))
	for i := range l.last {
		l.last[i] = i
	}
	for i, s := range slices.Backward(l.doc.States) {
		if s.Parent != nil {
			l.last[s.Parent.Index] = max(l.last[s.Parent.Index], l.last[i])
		}
		l.open = l.open || s.Open
		if s.ID != "" && l.doc.ByID[s.ID] != s {
			l.twins[s.ID] = append(l.twins[s.ID], s)
		}
	}
	for _, s := range l.doc.States {
		if s.Kind == doc.History {
			continue
		}
		l.transitions = append(l.transitions, s.Transitions...)
		for _, t := range s.Transitions {
			l.open = l.open || t.AnyEvent
			for _, d := range t.Events {
				l.events.Add(d)
			}
		}
	}
}

// maxFindings bounds how many warnings a document gets.
const maxFindings = 5000

func (l *linter) full() bool { return len(l.found) >= maxFindings }

func (l *linter) report(d doc.Diagnostic) {
	if !l.full() {
		l.found = append(l.found, d)
	}
}

func (l *linter) warnf(pos datamodel.Position, code, format string, args ...any) {
	if !l.full() {
		l.found = append(l.found, doc.Diagnostic{Pos: pos, Severity: doc.Warning, Code: code, Message: fmt.Sprintf(format, args...)})
	}
}

// hint returns " (did you mean …?)" for the id of a state or the name of an
// event, or nothing.
func (l *linter) hint(name string, n int, candidates iter.Seq[string]) string {
	const budget = 500_000
	if l.compared += n; l.compared > budget {
		return ""
	}
	if near := doc.Near(name, candidates); near != "" {
		return " (did you mean " + strconv.Quote(near) + "?)"
	}
	return ""
}

// abridge shortens what goes into a message.
func abridge(s string) string {
	const limit = 40
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit]) + "…"
	}
	return s
}

// ids yields the ids of all states.
func (l *linter) ids(yield func(string) bool) {
	for _, s := range l.doc.States {
		if s.ID != "" && !yield(s.ID) {
			return
		}
	}
}

// descriptors yields what the transitions wait for.
func (l *linter) descriptors(yield func(string) bool) {
	for _, t := range l.transitions {
		for _, d := range t.Events {
			if !yield(table.Normalize(d)) {
				return
			}
		}
	}
}

// raised checks that some transition takes an event of the internal queue.
// Only transitions can: hosts and other sessions do not see that queue.
func (l *linter) raised(pos datamodel.Position, what, event string) {
	if event == "" || l.open || datamodel.CheckEventName(event) != nil || len(l.events.Match(nil, event)) > 0 {
		return
	}
	l.warnf(pos, "event-not-taken", "%s: no transition takes the event %q%s", what, abridge(event), l.hint(event, len(l.transitions), l.descriptors))
}

// wayOut looks for atomic states that a session comes to and rests in for
// ever: neither they nor their ancestors have a transition or an <invoke>. A
// region of a <parallel> may rest, because others go on.
func (l *linter) wayOut(active set) {
	alive := make(set, len(l.doc.States)) // it or an ancestor reacts to something
	for i, s := range l.doc.States {
		if len(s.Transitions)+len(s.Invokes) > 0 || s.Open || s.Kind == doc.Parallel || s.Parent != nil && alive[s.Parent.Index] {
			alive[i] = true
		}
		// One of two with the same id is perhaps the rest of the other.
		if s.Kind == doc.Atomic && len(s.Children) == 0 && !alive[i] && active[i] && l.twins[s.ID] == nil {
			l.warnf(s.Pos, "no-way-out", "%s has no way out: neither it nor a state around it has a transition; if the session ends here, make it a <final>", s)
		}
	}
}
