package compile

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// events numbers what a chart can tell apart: a name from outside is the longest of these names that
// its tokens begin with (REC 3.12.1), or 0 if there is none. They are sorted so that those that a
// descriptor matches are neighbours.
type events struct {
	names       []string // by number; "" for 0
	number      map[string]int
	fromOutside []bool // a transition names it, and it is not of the platform's
	sent        []bool // a <send> of the chart names it
}

// ExecutionError and CommunicationError are in each chart.
const (
	executionError     = "error.execution"
	communicationError = "error.communication"
)

func newEvents(d *doc.Document) *events {
	all := map[string]bool{executionError: true, communicationError: true}
	outside, sent := map[string]bool{}, map[string]bool{}
	for _, s := range d.States {
		for _, t := range s.Transitions {
			for _, e := range t.Events {
				if name := table.Normalize(e); name != "" {
					all[name], outside[name] = true, true
				}
			}
		}
	}
	eachExec(d, func(e doc.Exec) {
		switch e := e.(type) {
		case *doc.Raise:
			all[e.Event] = true
		case *doc.Send:
			if e.Event != "" {
				all[e.Event], sent[e.Event] = true, true
			}
		}
	})
	for i := range d.States {
		if name := doneName(d, i); name != "" {
			all[name] = true
		}
	}
	ev := &events{names: append([]string{""}, sortedTokens(all)...), number: map[string]int{}}
	for i, name := range ev.names {
		ev.number[name] = i
		ev.fromOutside = append(ev.fromOutside, outside[name] && !isPlatform(name))
		ev.sent = append(ev.sent, sent[name])
	}
	return ev
}

// isPlatform reports whether an event is one that a session gives to itself.
func isPlatform(name string) bool {
	return strings.HasPrefix(name, "error.") || strings.HasPrefix(name, "done.") || name == "error" || name == "done"
}

// sortedTokens sorts names by their tokens, so that "a.b" comes right after "a", and "a-b" after both.
func sortedTokens(names map[string]bool) []string {
	all := sortedKeys(names)
	slices.SortFunc(all, func(a, b string) int { return slices.Compare(strings.Split(a, "."), strings.Split(b, ".")) })
	return all
}

// matched returns the numbers that a descriptor matches, which are neighbours. If others is true, it
// matches all names.
func (ev *events) matched(descriptor string) (first, end int) {
	name := table.Normalize(descriptor)
	if name == "" {
		return 0, len(ev.names)
	}
	first = ev.number[name]
	for end = first; end < len(ev.names) && table.Matches(name, ev.names[end]); end++ {
	}
	return first, end
}

// takes reports whether a descriptor of a transition matches an event.
func (ev *events) takes(t *doc.Transition, event int) bool {
	return slices.ContainsFunc(t.Events, func(d string) bool {
		first, end := ev.matched(d)
		return first <= event && event < end
	})
}

// candidates returns a function that finds the states, in document order, among which are all with transitions for an
// event. It is an index: to look at each state for each event takes 10 s for 10,000 of both.
func (g *generator) candidates() func(event int) []*doc.State {
	const broad = 16 // events from which on a descriptor is not worth an entry for each
	byEvent := make([][]*doc.State, len(g.events.names))
	var always []*doc.State
	for _, st := range g.doc.States {
		for _, t := range st.Transitions {
			for _, d := range t.Events {
				first, end := g.events.matched(d)
				if end-first > broad {
					always = append(always, st)
					continue
				}
				for e := first; e < end; e++ {
					byEvent[e] = append(byEvent[e], st)
				}
			}
		}
	}
	return func(event int) []*doc.State {
		all := slices.Concat(byEvent[event], always)
		slices.SortFunc(all, func(a, b *doc.State) int { return a.Index - b.Index })
		return slices.Compact(all)
	}
}

// doneName returns the name of the done event of a state, or "".
func doneName(d *doc.Document, i int) string {
	s := d.States[i]
	hasFinal := slices.ContainsFunc(s.Children, func(c *doc.State) bool { return c.Kind == doc.Final })
	if s.Kind != doc.Parallel && (s.Kind != doc.Compound || !hasFinal) {
		return ""
	}
	return "done.state." + stateName(s, i)
}

// eachExec calls f for all executable content.
func eachExec(d *doc.Document, f func(doc.Exec)) {
	for _, s := range d.States {
		for _, b := range slices.Concat(s.OnEntry, s.OnExit) {
			walk(b.Body, f)
		}
		if s.Initial != nil {
			walk(s.Initial.Body, f)
		}
		for _, t := range s.Transitions {
			walk(t.Body, f)
		}
		for _, inv := range s.Invokes {
			if inv.Finalize != nil {
				walk(inv.Finalize.Body, f)
			}
		}
	}
}

// walk calls f for executable content and all that is in it.
func walk(body []doc.Exec, f func(doc.Exec)) {
	for _, e := range body {
		f(e)
		switch e := e.(type) {
		case *doc.If:
			for _, b := range e.Branches {
				walk(b.Body, f)
			}
		case *doc.Foreach:
			walk(e.Body, f)
		}
	}
}

// eachSource calls f for the expressions in executable content, some of which may be nil.
func eachSource(body []doc.Exec, f func(*datamodel.Source)) {
	content := func(c *doc.Content) {
		if c != nil {
			f(c.Expr)
		}
	}
	walk(body, func(e doc.Exec) {
		switch e := e.(type) {
		case *doc.If:
			for _, b := range e.Branches {
				f(b.Cond)
			}
		case *doc.Foreach:
			f(e.Array)
		case *doc.Log:
			f(e.Expr)
		case *doc.Assign:
			f(e.Location)
			f(e.Expr)
		case *doc.Script:
			f(&e.Code)
		case *doc.Cancel:
			f(e.Expr)
		case *doc.Send:
			for _, src := range append([]*datamodel.Source{e.EventExpr, e.TargetExpr, e.TypeExpr, e.IDLocation, e.DelayExpr}, e.Namelist...) {
				f(src)
			}
			for _, p := range e.Params {
				f(p.Expr)
				f(p.Location)
			}
			content(e.Content)
		}
	})
}
