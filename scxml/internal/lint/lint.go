// Package lint finds probable mistakes in a document: things that are legal but hardly intended,
// such as a state that is never entered.
//
// It reads the document model and not a compiled chart, so it can also check a document with errors.
// Every finding follows from the text alone, and holds whatever the host and its events do. If an
// error leaves the meaning open, lint reports nothing that could be wrong once the error is
// corrected: after a wrong target of a transition, for example, it does not report that the state
// which was perhaps meant is never entered.
package lint

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// Options configure [Document].
type Options struct {
	// Portable names other engines, see [Engines]. Unknown names are ignored.
	Portable []string
	// Declared are names that the host adds to the data model.
	Declared []string
	// Trust reports events that a rule for the events of users cannot see.
	Trust bool
	// Syntax is the severity of syntax errors in expressions and scripts.
	Syntax doc.Severity
	// Interrupted, unless it is nil, is asked now and then. Once it is true, the rest is left out.
	Interrupted func() bool
	// Language returns the data model with a name, or nil if it is unknown.
	Language func(name string) datamodel.Language
	// Doc has the options for the inline documents of <invoke>.
	Doc doc.Options
}

// Document returns warnings about d, in no particular order. It also checks the inline documents of
// <invoke>. Their errors are warnings here, because they fail only when they are invoked.
func Document(d *doc.Document, opts Options) []doc.Diagnostic {
	l := &linter{doc: d, opts: opts, language: opts.Language(d.Datamodel), twins: map[string][]*doc.State{}, invokes: map[string]bool{}, generated: map[string]bool{}, sendIDs: map[string]bool{}, fields: map[string][]use{}, looping: map[*doc.Transition]bool{}}
	l.checker, _ = l.language.(datamodel.Checker)
	for _, check := range []func(){l.collect, l.declare, l.contents, l.undeclared, l.unknownFields, l.unknownSendIDs, l.neverRaised} {
		if check(); l.interrupted() {
			return l.found
		}
	}
	r := l.reach(false)
	if !l.broken {
		l.wayOut(r.active)
		l.loops(r.active)
	}
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

func (l *linter) interrupted() bool { return l.opts.Interrupted != nil && l.opts.Interrupted() }

// A linter checks one document.
type linter struct {
	doc      *doc.Document
	opts     Options
	language datamodel.Language // nil if it is unknown
	checker  datamodel.Checker  // nil if the data model has none
	found    []doc.Diagnostic
	compared int // candidates for near misses

	last        []int // by state: its last descendant in document order, or itself if it has none
	transitions []*doc.Transition
	events      table.Events // of these transitions
	open        bool         // there may be more in the document than is known
	anyEvent    bool         // there is a transition whose event is not known
	broken      bool         // because of an error there may be other states and transitions

	twins map[string][]*doc.State // by id: more states with that id, which is an error

	invokes   map[string]bool // ids of <invoke>
	generated map[string]bool // ids of the states that have an <invoke> without id

	raises       []string                 // names of events that the document raises or sends
	computed     bool                     // there may be others
	sendIDs      map[string]bool          // ids of <send>
	cancels      []*doc.Cancel            // those with a sendid
	foreign      bool                     // there is executable content of the host
	fields       map[string][]use         // of _event, which it does not have
	looping      map[*doc.Transition]bool // transitions in endless loops
	names        names
	globalScript bool  // the present source is a <script> of <scxml>
	usage        usage // of the variables in the present source
}

// collect visits the states once, and records what the checks look up repeatedly.
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
		for _, inv := range s.Invokes {
			if inv.ID != "" {
				l.invokes[inv.ID] = true
			} else {
				l.generated[s.ID] = true // the form of the id is stateid.platformid (REC 6.4)
			}
		}
		if s.ID != "" && l.doc.ByID[s.ID] != s {
			l.twins[s.ID] = append(l.twins[s.ID], s)
		}
		l.broken = l.broken || s.Open || s.Stray || s.Initial != nil && wrong(s.Initial) || slices.ContainsFunc(s.Transitions, wrong)
	}
	l.broken = l.broken || len(l.twins)+len(l.doc.Refused) > 0
	for _, s := range l.doc.States {
		if s.Kind == doc.History {
			continue
		}
		l.transitions = append(l.transitions, s.Transitions...)
		for _, t := range s.Transitions {
			l.anyEvent = l.anyEvent || t.AnyEvent
			for _, d := range t.Events {
				l.events.Add(d)
			}
		}
	}
}

// wrong reports whether there is an error in t, so that it may lead elsewhere.
func wrong(t *doc.Transition) bool {
	return t.Stray || t.Open || t.AnyEvent || len(t.Guesses) > 0
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
	if near := l.near(name, n, candidates); near != "" {
		return " (did you mean " + strconv.Quote(near) + "?)"
	}
	return ""
}

// near returns the one of n candidates that name was probably meant to be, or "".
func (l *linter) near(name string, n int, candidates iter.Seq[string]) string {
	const budget = 500_000
	if l.compared += n; l.compared > budget {
		return ""
	}
	return doc.Near(name, candidates)
}

// abridge shortens a text for a message.
func abridge(s string) string { return short.Line(s, 41) }

// ids yields the ids of all states.
func (l *linter) ids(yield func(string) bool) {
	for _, s := range l.doc.States {
		if s.ID != "" && !yield(s.ID) {
			return
		}
	}
}

// descriptors yields the event descriptors of the transitions.
func (l *linter) descriptors(yield func(string) bool) {
	for _, t := range l.transitions {
		for _, d := range t.Events {
			if !yield(table.Normalize(d)) {
				return
			}
		}
	}
}
