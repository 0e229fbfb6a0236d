package scxml

import (
	"errors"
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

// LintOptions say how closely [Chart.Lint] looks. The zero value is useful.
type LintOptions struct {
	// Portable names other engines, see [Engines], that the chart is to run on
	// too: what they are known not to support is reported. Unknown names are ignored.
	Portable []string
}

// Lint returns the warnings of the chart, those of [Chart.Warnings] and what a
// closer look finds, in document order: states that are never entered,
// transitions that are never taken, events that nobody takes, and so on. It
// also looks into the inline documents of <invoke>; what refuses one of these
// is a warning here, because it fails only when it is invoked.
//
// It is no part of [Parse], and Warnings does not have what it finds, since it takes about as long, and a host that runs
// a chart has no use for it. Every finding is about the text alone: what is
// reported is true whatever the host and its events do.
func (c *Chart) Lint(opts LintOptions) []Diagnostic {
	l := &linter{chart: c, opts: opts, portable: map[string]bool{}}
	for _, name := range opts.Portable {
		l.portable[name] = true
	}
	l.checker, _ = c.language.(datamodel.Checker)
	l.contents()
	active := c.reachable()
	l.unreachable(active)
	l.wayOut(active)
	for i := range c.states {
		l.hidden(&c.states[i])
	}
	return sortDiagnostics(slices.Concat(c.warnings, l.found))
}

// A linter looks through one chart.
type linter struct {
	chart    *Chart
	opts     LintOptions
	portable map[string]bool
	checker  datamodel.Checker // nil if the data model has none
	found    []Diagnostic
	compared int // candidates for near misses
}

// maxFindings bounds how many warnings Lint adds to a chart's own.
const maxFindings = 5000

func (l *linter) full() bool { return len(l.found) >= maxFindings }

func (l *linter) warnf(pos datamodel.Position, code, format string, args ...any) {
	if !l.full() {
		l.found = append(l.found, Diagnostic{pos, SeverityWarning, code, fmt.Sprintf(format, args...)})
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

// describe names a state as the messages of the parser do.
func (c *Chart) describe(s table.State) string {
	row := &c.states[s]
	if row.id == "" {
		return "<" + row.kind.String() + ">"
	}
	return row.kind.String() + " " + strconv.Quote(abridge(row.id))
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

// contents looks at everything that is executed or evaluated.
func (l *linter) contents() {
	c := l.chart
	for _, s := range c.scripts {
		l.action(s)
	}
	for i := range c.states {
		s := &c.states[i]
		for _, d := range s.data {
			l.expr(datamodel.ValueExpr, d.init)
			l.portableData(&d)
		}
		for _, b := range s.onentry {
			l.block(b)
		}
		for _, b := range s.onexit {
			l.block(b)
		}
		if s.donedata != nil {
			l.params(s.donedata.params)
			l.content(s.donedata.content)
		}
		for _, inv := range s.invokes {
			l.invoke(inv)
		}
	}
	for i := range c.transitions {
		l.expr(datamodel.Condition, c.transitions[i].cond)
		l.block(c.transitions[i].body)
	}
}

func (l *linter) block(b block) {
	for _, a := range b {
		l.action(a)
	}
}

func (l *linter) action(a action) {
	switch a := a.(type) {
	case *raise:
		l.raised(a.pos, "<raise>", a.event)
	case *ifElse:
		for _, b := range a.branches {
			l.expr(datamodel.Condition, b.cond)
			l.block(b.body)
		}
	case *foreach:
		l.expr(datamodel.ValueExpr, a.array)
		l.block(a.body)
	case *logAction:
		l.expr(datamodel.ValueExpr, a.expr)
	case *assign:
		l.expr(datamodel.Location, a.location)
		l.expr(datamodel.ValueExpr, a.value)
		l.portableLocation(a.location)
	case *script:
		l.expr(datamodel.Script, a.code)
	case *send:
		l.send(a)
	case *cancel:
		l.expr(datamodel.ValueExpr, a.expr)
	}
}

func (l *linter) send(a *send) {
	for _, t := range []text{a.event, a.target, a.typ} {
		l.expr(datamodel.ValueExpr, t.expr)
	}
	l.expr(datamodel.Location, a.idLocation)
	l.expr(datamodel.ValueExpr, a.delayExpr)
	l.params(a.namelist)
	l.params(a.params)
	l.content(a.content)
	// An event to the session's external queue is no matter for a warning:
	// hosts listen to it.
	if a.target.literal == "#_internal" && a.event.literal != "" {
		l.raised(a.pos, `<send> to "#_internal"`, a.event.literal)
	}
	l.portableSend(a)
}

func (l *linter) invoke(inv *invoke) {
	for _, t := range []text{inv.typ, inv.src} {
		l.expr(datamodel.ValueExpr, t.expr)
	}
	l.expr(datamodel.Location, inv.idLocation)
	l.params(inv.namelist)
	l.params(inv.params)
	l.content(inv.content)
	l.block(inv.finalize)
	l.portableInvoke(inv)
	if inv.inline == nil {
		return
	}
	child, err := inv.inline()
	if err == nil {
		l.found = append(l.found, child.Lint(l.opts)...)
	}
	var refused *DocumentError
	if errors.As(err, &refused) {
		for _, d := range refused.Diagnostics {
			why := ""
			if d.Severity == SeverityError {
				why = "the invoked document is refused: "
			}
			l.warnf(d.Pos, d.Code, "%s%s", why, d.Message)
		}
	}
}

func (l *linter) params(ps []param) {
	for _, p := range ps {
		l.expr(datamodel.ValueExpr, p.value)
	}
}

func (l *linter) content(ct *content) {
	if ct != nil {
		l.expr(datamodel.ValueExpr, ct.value)
	}
}

// expr looks into an expression.
func (l *linter) expr(kind datamodel.Kind, e datamodel.Expr) {
	if e == nil {
		return
	}
	src := e.Source()
	l.portableExpr(kind, src)
	if l.checker == nil || src.Nodes != nil {
		return
	}
	for _, f := range l.checker.Check(kind, src) {
		switch {
		case f.Kind == datamodel.StatePredicate:
			if s, ok := l.chart.byName[f.Text]; !ok || l.chart.states[s].id != f.Text {
				l.warnf(f.Pos, "unknown-in", "In(): no state has the id %q, so this is always false%s", abridge(f.Text), l.hint(f.Text, len(l.chart.states), l.ids()))
			}
		case kind == datamodel.Condition:
			hint := ""
			if i := strings.IndexByte(f.Text, '='); i > 0 && !strings.ContainsRune("+-*/%&|^<>?", rune(f.Text[i-1])) {
				hint = `: to compare, write "=="`
			}
			l.warnf(f.Pos, "cond-assigns", "the condition changes data with %q%s", abridge(f.Text), hint)
		}
	}
}

// ids yields the ids of all states.
func (l *linter) ids() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.chart.states {
			if id := l.chart.states[i].id; id != "" && !yield(id) {
				return
			}
		}
	}
}

// raised checks that some transition takes an event of the internal queue.
// Only transitions can: hosts and other sessions do not see that queue.
func (l *linter) raised(pos datamodel.Position, what, event string) {
	if len(l.chart.events.Match(nil, event)) > 0 {
		return
	}
	hint := l.hint(event, len(l.chart.transitions), func(yield func(string) bool) {
		for i := range l.chart.transitions {
			for _, d := range l.chart.transitions[i].events {
				if !yield(table.Normalize(d)) {
					return
				}
			}
		}
	})
	l.warnf(pos, "event-not-taken", "%s: no transition takes the event %q%s", what, abridge(event), hint)
}

// hidden looks for transitions of a state that other transitions of the same
// state always come before.
func (l *linter) hidden(s *state) {
	if len(s.transitions) < 2 {
		return
	}
	at := func(t transID) string {
		pos := l.chart.transitions[t].pos
		return fmt.Sprintf("%d:%d", pos.Line, pos.Col)
	}
	always := noTransition // an eventless one that is always enabled
	for _, id := range s.eventless {
		t := &l.chart.transitions[id]
		if always != noTransition {
			l.warnf(t.pos, "never-taken", "transition is never taken: the eventless one at %s stands before it and is always enabled", at(always))
		} else if l.unconditional(t) {
			always = id
		}
	}
	taken := map[string]transID{} // normalized descriptors of transitions without cond
	for _, id := range s.evented {
		t := &l.chart.transitions[id]
		if always != noTransition {
			// While it is enabled the configuration is never stable, so no
			// event is ever taken from a queue.
			l.warnf(t.pos, "never-taken", "transition is never taken: the eventless one at %s is always enabled, and taken before any event is looked at", at(always))
			continue
		}
		var by []transID // transitions that together take all of its events
		for _, d := range t.events {
			earlier, ok := covering(taken, table.Normalize(d))
			if !ok {
				by = nil
				break
			}
			if !slices.Contains(by, earlier) {
				by = append(by, earlier)
			}
		}
		if len(by) == 1 {
			l.warnf(t.pos, "never-taken", "transition is never taken: the one at %s stands before it and takes all of its events", at(by[0]))
		} else if len(by) > 1 {
			l.warnf(t.pos, "never-taken", "transition is never taken: others before it take all of its events, those at %s and %s", at(by[0]), at(by[1]))
		} else if l.unconditional(t) {
			for _, d := range t.events {
				if d = table.Normalize(d); !has(taken, d) {
					taken[d] = id
				}
			}
		}
	}
}

func has(m map[string]transID, key string) bool { _, ok := m[key]; return ok }

// covering returns the transition that takes every event that the normalized
// descriptor d matches: it has d or a prefix of it.
func covering(taken map[string]transID, d string) (transID, bool) {
	if len(taken) == 0 {
		return noTransition, false
	}
	if t, ok := taken[""]; ok {
		return t, true
	}
	for end := 0; end < len(d); end++ {
		if i := strings.IndexByte(d[end:], '.'); i >= 0 {
			end += i
		} else {
			end = len(d)
		}
		if t, ok := taken[d[:end]]; ok {
			return t, true
		}
	}
	return noTransition, false
}

// unconditional reports whether t has no cond, or one that says so.
func (l *linter) unconditional(t *transition) bool {
	return t.cond == nil || l.chart.language.Name() == "ecmascript" && strings.TrimSpace(t.cond.Source().Text) == "true"
}

// wayOut looks for atomic states that a session comes to and rests in for
// ever: neither they nor their ancestors have a transition or an <invoke>. A
// region of a <parallel> may rest, because others go on.
func (l *linter) wayOut(active table.Set) {
	c := l.chart
	alive := table.NewSet(len(c.states)) // it or an ancestor reacts to something
	for i := range c.states {
		s := &c.states[i]
		st := table.State(i)
		if len(s.transitions) > 0 || len(s.invokes) > 0 || s.kind == doc.Parallel || s.parent != table.None && alive.Has(s.parent) {
			alive.Add(st)
		}
		if s.kind == doc.Atomic && !alive.Has(st) && active.Has(st) {
			l.warnf(s.pos, "no-way-out", "%s has no way out: neither it nor a state around it has a transition; if the session ends here, make it a <final>", c.describe(st))
		}
	}
}
