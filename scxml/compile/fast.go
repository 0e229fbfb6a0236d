package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// This file writes shortcuts: functions that handle an event without the tables. Each does what Appendix D does,
// worked out for the chart: which transitions the event can enable, in which order they are asked, and what taking
// one changes. Where that is not simple, a shortcut calls package machine for one transition (machine.Take), or
// there is none for the event.
//
// A shortcut runs only while nobody watches the machine, see machine.Core: so what it skips, such as entering a
// state without handlers, nobody can see.

// longShortcut bounds the states that one shortcut sets, and the transitions that one asks with conditions.
const longShortcut = 64

// shortcuts writes the shortcuts of all events, and the methods that use them.
func (g *generator) shortcuts() {
	budget := 4 * (len(g.doc.States) + len(g.all))
	if g.Dynamic && g.doc.Datamodel != "null" {
		return // the time goes into the script engine
	}
	for _, st := range g.doc.States {
		if slices.ContainsFunc(st.Invokes, func(inv *doc.Invoke) bool { return inv.Autoforward }) {
			return // what is invoked gets each external event, also one that enables nothing
		}
		if st.Kind == doc.Parallel && !slices.ContainsFunc(st.Children, func(c *doc.State) bool { return c.Kind != doc.History }) {
			return // no atomic state: while it is active, Appendix D asks none of its transitions and, for it, none of its ancestors'
		}
	}
	g.fast, g.pure = map[int]bool{}, map[int]bool{}
	var cases []string
	candidates := g.candidates()
	for e, name := range g.events.names {
		if s := g.shortcut(e, candidates(e)); s != nil && s.cost() <= budget && s.takes() {
			budget -= s.cost()
			fn := fmt.Sprintf("event%d", e)
			title := printable(name)
			if e == 0 {
				title = "any other event"
			}
			s.write(fn, title)
			g.fast[e] = true
			g.pure[e] = !g.data.readsEvent() && s.pure()
			cases = append(cases, fmt.Sprintf("case %d:\nhandled = m.%s()", e, fn))
		}
	}
	if len(cases) == 0 {
		return
	}
	eventless := false
	if g.hasEventless() {
		s := g.shortcut(noEvent, g.doc.States)
		if eventless = s != nil && s.cost() <= budget; eventless {
			s.write("eventless", "no event")
		}
	}
	g.p(`
// take handles an event by a shortcut, if there is one.
func (m *%s) take(event uint16) (handled, ok bool) {
	switch event {
	%s
	default:
		return false, false
	}
	return handled, true
}`, g.nodeType(), strings.Join(cases, "\n"))
	g.following(eventless)
}

const noEvent = -1

func (g *generator) hasEventless() bool {
	return slices.ContainsFunc(g.all, func(t *doc.Transition) bool { return g.selectable(t) && len(t.Events) == 0 })
}

// A shortcut is what an event can do.
type shortcut struct {
	*generator
	event   int
	sources []*doc.State // with transitions for the event, in document order
	all     bool         // all that are enabled are taken, in orthogonal regions
	chosen  bool         // it is asked first which of several regions are enabled, see choose; otherwise one at most
	n       int          // of transitions
}

// shortcut returns the shortcut of an event that transitions of some states are for, or nil.
func (g *generator) shortcut(event int, states []*doc.State) *shortcut {
	s := &shortcut{generator: g, event: event}
	for _, st := range states {
		if n := len(s.transitions(st)); n > 0 {
			s.sources = append(s.sources, st)
			s.n += n
		}
		if g.partsBelow(st) > 0 && slices.ContainsFunc(s.transitions(st), g.condFails) {
			return nil // each active state below asks the condition, and each time it fails
		}
	}
	orthogonal := false
	for i, a := range s.sources {
		if len(g.parts) == 1 {
			break
		}
		for _, b := range s.sources[:i] {
			if g.orthogonal(a, b) || s.together(a, b) {
				orthogonal = true
				break
			}
		}
	}
	switch {
	case !orthogonal:
	case s.independent():
		s.all = true
	case s.askedOnce():
		s.chosen = true
	default:
		return nil
	}
	return s
}

// condFails reports whether the condition of a transition can fail.
func (g *generator) condFails(t *doc.Transition) bool {
	return t.Cond != nil && g.data.cond(t.Cond).fails
}

func (s *shortcut) cost() int   { return s.n + 1 }
func (s *shortcut) takes() bool { return s.n > 0 }

// pure reports whether nothing follows from what the shortcut does.
func (s *shortcut) pure() bool {
	if s.chosen || s.hasEventless() {
		return false
	}
	for _, st := range s.sources {
		for _, t := range s.transitions(st) {
			if t.Cond != nil && s.data.cond(t.Cond).fails || len(t.Body) > 0 || len(t.Targets) > 0 && s.assigns(t) == nil && !s.copies(t) {
				return false
			}
		}
	}
	return true
}

// copies reports whether a transition does no more than to set registers from others.
func (g *generator) copies(t *doc.Transition) bool {
	d := g.domain(t)
	if d == nil {
		h := g.simpleHistory(t)
		if h == nil {
			return false
		}
		d = g.lcca(t, func(s *doc.State) bool { return g.below(h.Parent, s) })
	}
	return len(t.Targets) == 1 && g.quiet(d) && len(g.parts) <= longShortcut
}

// below reports whether a state is a descendant of another.
func (g *generator) below(s, ancestor *doc.State) bool {
	return ancestor.Index < s.Index && s.Index <= g.last[ancestor.Index]
}

// orthogonal reports whether two states can be active without one being below the other.
func (g *generator) orthogonal(a, b *doc.State) bool {
	if g.below(a, b) || g.below(b, a) {
		return false
	}
	for p := a.Parent; p != nil; p = p.Parent {
		if g.below(b, p) {
			return p.Kind == doc.Parallel
		}
	}
	return false
}

// together reports whether transitions of a state and of its ancestor can be taken together: another region enables
// that of the ancestor, and one of the two exits nothing.
func (s *shortcut) together(st, ancestor *doc.State) bool {
	regions := false
	for p := st.Parent; p != nil; p = p.Parent {
		if regions = regions || p.Kind == doc.Parallel; p == ancestor {
			exitsNothing := func(t *doc.Transition) bool { return s.domain(t) == nil }
			return regions && (slices.ContainsFunc(s.transitions(st), exitsNothing) || slices.ContainsFunc(s.transitions(p), exitsNothing))
		}
	}
	return false
}

// transitions returns those of a state that the event can enable.
func (s *shortcut) transitions(st *doc.State) (all []*doc.Transition) {
	if st.Kind == doc.History {
		return nil
	}
	for _, t := range st.Transitions {
		if s.event == noEvent {
			if len(t.Events) == 0 {
				all = append(all, t)
			}
			continue
		}
		for _, d := range t.Events {
			if first, end := s.events.matched(d); first <= s.event && s.event < end {
				all = append(all, t)
				break
			}
		}
	}
	return all
}

// An assignment sets a register.
type assignment struct{ register, state int }

// write writes the shortcut as a method that reports whether a transition was taken.
func (s *shortcut) write(fn, title string) {
	result, none := "bool", "false"
	if s.all {
		result, none = "(handled bool)", "handled"
	}
	s.p("\n// %s: %s.\nfunc (m *%s) %s() %s {", fn, title, s.nodeType(), fn, result)
	if s.chosen {
		s.choose()
		return
	}
	// By register, those of a state without children as one switch.
	simple := map[int][]*doc.State{}
	for _, st := range s.sources {
		if st.Kind == doc.Atomic {
			p := s.part[st.Index]
			simple[p] = append(simple[p], st)
		}
	}
	taken := func() {
		if !s.all {
			s.p("return true")
		} else {
			s.p("handled = true")
		}
	}
	for part := len(s.parts) - 1; part >= 0; part-- {
		switch states := simple[part]; {
		case len(states) >= 8 && s.table(states):
			name := fmt.Sprintf("%s%s%d", lower(s.names.typ), strings.ToUpper(fn[:1])+fn[1:], part)
			s.nextTable(name, states)
			s.p("if next := %s[m.regs[%d]]; next != 0 {\nm.regs[%d] = next", name, part, part)
			taken()
			s.p("}")
		case len(states) == 1:
			s.p("if m.regs[%d] == %d { // %s", part, states[0].Index, s.names.states[states[0].Index])
			s.ask(states[0], taken)
			s.p("}")
			s.own()
		case len(states) > 0:
			s.p("switch m.regs[%d] {", part)
			for _, st := range states {
				s.p("case %d: // %s", st.Index, s.names.states[st.Index])
				s.ask(st, taken)
			}
			s.p("}")
			s.own()
		}
	}
	for _, st := range slices.Backward(s.sources) { // descendants first
		if st.Kind == doc.Atomic {
			continue
		}
		if st.Index == 0 {
			s.ask(st, taken)
			s.own()
			continue
		}
		s.p("if %s {", s.active(st))
		s.ask(st, taken)
		s.p("}")
		s.own()
	}
	s.p("return %s\n}", none)
}

// active returns a condition that is true while a state is active.
func (g *generator) active(s *doc.State) string {
	register := fmt.Sprintf("m.regs[%d]", g.part[s.Index])
	last := g.last[s.Index]
	switch {
	case last == s.Index:
		return fmt.Sprintf("%s == %d", register, s.Index)
	case g.parts[g.part[s.Index]] == s && s.Index > 0:
		return register + " != 0"
	}
	return fmt.Sprintf("%d <= %s && %s <= %d", s.Index, register, register, last)
}

// table reports whether the transitions of states are assignments of one register, so that a table has them.
func (s *shortcut) table(states []*doc.State) bool {
	for _, st := range states {
		t := s.transitions(st)[0]
		a := s.assigns(t)
		if t.Cond != nil || len(t.Body) > 0 || len(a) != 1 || a[0].register != s.part[st.Index] {
			return false
		}
	}
	return true
}

// nextTable writes a table of the next states at the end of the file.
func (s *shortcut) nextTable(name string, states []*doc.State) {
	next := make([]string, len(s.doc.States))
	for i := range next {
		next[i] = "0"
	}
	for _, st := range states {
		next[st.Index] = strconv.Itoa(s.assigns(s.transitions(st)[0])[0].state)
	}
	s.later = append(s.later, fmt.Sprintf("\n// %s has the state that follows, by state.\nvar %s = [...]uint16{%s}", name, name, strings.Join(next, ", ")))
}

// ask writes the transitions of an active state, in document order.
func (s *shortcut) ask(st *doc.State, taken func()) {
	for _, t := range s.transitions(st) {
		s.line(t.Pos)
		if t.Cond != nil {
			s.p("if %s {", s.cond(t.Cond, "transition", t.Pos))
		}
		s.takeOne(t)
		taken()
		if t.Cond == nil {
			return
		}
		s.p("}")
	}
}

// quiet reports whether nothing happens when states below d are exited or entered but that they are active or not, and
// that histories record it.
func (g *generator) quiet(d *doc.State) bool {
	quiet, known := g.quiets[d]
	if !known {
		quiet = g.isQuiet(d)
		g.quiets[d] = quiet
	}
	return quiet
}

func (g *generator) isQuiet(d *doc.State) bool {
	for _, s := range g.doc.States[d.Index+1 : g.last[d.Index]+1] {
		if s.Kind == doc.Final || hasContent(s.OnExit) || g.hasEntry(s) || len(s.Invokes) > 0 || s.Initial != nil && len(s.Initial.Body) > 0 {
			return false
		}
	}
	return true
}

// historiesBelow returns the histories whose parents are below d.
func (g *generator) historiesBelow(d *doc.State) (all []*doc.State) {
	for _, h := range g.histories {
		if g.below(h.Parent, d) {
			all = append(all, h)
		}
	}
	return all
}

// assigns returns what a transition changes of the registers, if that is all it does to the configuration, or nil.
func (g *generator) assigns(t *doc.Transition) []assignment {
	d := g.domain(t)
	if d == nil || !g.quiet(d) || len(g.historiesBelow(d)) > 0 || len(t.Targets) != 1 {
		return nil
	}
	_, set, ok := g.enter(d, t.Targets)
	if !ok {
		return nil
	}
	return append(set, g.left(d, set)...)
}

// left returns the assignments for what is below d and not entered.
func (g *generator) left(d *doc.State, entered []assignment) (set []assignment) {
	for i, p := range g.parts {
		if g.below(p, d) && !slices.ContainsFunc(entered, func(a assignment) bool { return a.register == i }) {
			set = append(set, assignment{i, 0})
		}
	}
	return set
}

// enter returns the states that are entered for targets below an active state d, in entry order, and the registers
// after it. It fails if that is not known before the machine runs.
func (g *generator) enter(d *doc.State, targets []*doc.State) (entered []*doc.State, set []assignment, ok bool) {
	ok = true
	var in func(s *doc.State, targets []*doc.State)
	children := func(s *doc.State, targets []*doc.State) {
		all := s.Children
		if s.Kind != doc.Parallel && len(targets) > 0 { // legal targets are in one child: do not look for it among thousands
			c := targets[0]
			for c.Parent != s {
				c = c.Parent
			}
			all = []*doc.State{c}
		}
		for _, c := range all {
			if c.Kind == doc.History {
				continue
			}
			inside := slices.Collect(func(yield func(*doc.State) bool) {
				for _, t := range targets {
					if t == c || g.below(t, c) {
						if !yield(t) {
							return
						}
					}
				}
			})
			if s.Kind == doc.Parallel || len(inside) > 0 {
				in(c, inside)
			}
		}
	}
	in = func(s *doc.State, targets []*doc.State) {
		if len(entered) > longShortcut || s.Kind == doc.History {
			ok = false
			return
		}
		entered = append(entered, s)
		inside := slices.DeleteFunc(slices.Clone(targets), func(t *doc.State) bool { return t == s })
		if s.Kind == doc.Compound && len(inside) == 0 {
			inside = s.Initial.Targets
		}
		if s.Kind == doc.Atomic || s.Kind == doc.Final || s.Kind == doc.Parallel {
			set = append(set, assignment{g.part[s.Index], s.Index})
		}
		if slices.ContainsFunc(inside, func(t *doc.State) bool { return t.Kind == doc.History }) {
			ok = false
			return
		}
		children(s, inside)
	}
	if slices.ContainsFunc(targets, func(t *doc.State) bool { return t.Kind == doc.History }) {
		return nil, nil, false
	}
	children(d, targets)
	return entered, set, ok
}

// takeOne writes the taking of a transition that is enabled.
func (g *generator) takeOne(t *doc.Transition) {
	if len(t.Targets) == 0 {
		g.busy(g.callsOut(t.Body), func() { g.contentOf(t) })
		return
	}
	d, history := g.domain(t), (*doc.State)(nil)
	if d == nil {
		if history = g.simpleHistory(t); history != nil {
			d = g.lcca(t, func(s *doc.State) bool { return g.below(history.Parent, s) })
		}
	}
	library := func() { g.p("machine.Take(m, %d)", g.number(t)) }
	if d == nil || len(t.Targets) != 1 || len(g.parts) > longShortcut {
		library()
		return
	}
	targets := t.Targets
	if history != nil {
		targets = history.Transitions[0].Targets
	}
	entered, set, ok := g.enter(d, targets)
	quiet := g.quiet(d)
	if !ok || !quiet && (history != nil || !g.alone(t.Source, d, entered)) {
		library()
		return
	}
	var exits []*doc.State
	if !quiet {
		for s := t.Source; s != d; s = s.Parent {
			if hasContent(s.OnExit) {
				exits = append(exits, s)
			}
		}
	}
	calls := len(exits) > 0 || len(t.Body) > 0 || !quiet && slices.ContainsFunc(entered, g.hasEntry)
	outward := g.callsOut(t.Body)
	for _, s := range exits {
		outward = outward || slices.ContainsFunc(s.OnExit, func(b *doc.Block) bool { return g.callsOut(b.Body) })
	}
	if !quiet {
		for _, s := range entered {
			outward = outward || slices.ContainsFunc(s.OnEntry, func(b *doc.Block) bool { return g.callsOut(b.Body) })
		}
	}
	g.busy(outward, func() {
		for _, h := range g.historiesBelow(d) {
			if g.partsBelow(d) > 0 || t.Source.Kind != doc.Atomic || g.below(t.Source, h.Parent) {
				g.record(h, t.Source)
			}
		}
		register, last := g.part[d.Index], -1
		for _, s := range exits {
			g.assign([]assignment{{register, s.Index}})
			g.call("exit", s, s.OnExit)
		}
		if calls && (g.asksIn || outward) {
			g.assign(append([]assignment{{register, d.Index}}, g.left(d, nil)...))
		}
		g.contentOf(t)
		if !quiet {
			for _, s := range entered {
				if g.hasEntry(s) {
					g.assign([]assignment{{register, s.Index}})
					g.call("entry", s, s.OnEntry)
					last = s.Index
				}
			}
		}
		if history == nil {
			if last < 0 || len(set) != 1 || set[0].state != last {
				g.assign(append(set, g.left(d, set)...))
			}
			return
		}
		slot := g.slots[history]
		kept := []assignment{{g.part[history.Parent.Index], slot}}
		for i, p := range g.parts {
			if g.below(p, history.Parent) && g.lens[history] > 1 {
				kept = append(kept, assignment{i, slot + len(kept)})
			}
		}
		g.p("if m.regs[%d] != 0 { // what %s remembers", slot, g.names.states[history.Index])
		for _, a := range kept {
			g.p("m.regs[%d] = m.regs[%d]", a.register, a.state)
		}
		g.assign(g.left(d, kept))
		g.p("} else {")
		g.assign(append(set, g.left(d, set)...))
		g.p("}")
	})
}

// alone reports whether a transition of source with domain d runs handlers that are known before the machine runs:
// all happens in one part of the chart, and what is entered has nothing but onentry handlers.
func (g *generator) alone(source, d *doc.State, entered []*doc.State) bool {
	if g.partsBelow(d) > 0 {
		return false
	}
	for s := source; s != d; s = s.Parent {
		if len(s.Invokes) > 0 {
			return false
		}
	}
	if source.Kind != doc.Atomic { // what is active below it is not known
		for _, s := range g.doc.States[source.Index+1 : g.last[source.Index]+1] {
			if hasContent(s.OnExit) || len(s.Invokes) > 0 {
				return false
			}
		}
	}
	return !slices.ContainsFunc(entered, func(s *doc.State) bool {
		return s.Kind == doc.Final || len(s.Invokes) > 0 || g.doc.Late && len(s.Data) > 0 || s.Initial != nil && len(s.Initial.Body) > 0
	})
}

// call writes calls of the handlers of a state.
func (g *generator) call(kind string, s *doc.State, blocks []*doc.Block) {
	for _, name := range blockNames(kind, s, blocks) {
		g.p("m.%s()", name)
	}
}

// callsOut reports whether executable content can reach the host: also by an error, of which a hook is told.
func (g *generator) callsOut(body []doc.Exec) bool {
	out := false
	walk(body, func(e doc.Exec) {
		switch e := e.(type) {
		case *doc.Raise:
		case *doc.If:
			for _, b := range e.Branches {
				out = out || b.Cond != nil && g.data.cond(b.Cond).fails
			}
		case *doc.Assign:
			out = out || g.data.assignFails(e)
		default:
			out = true
		}
	})
	return out
}

// busy writes code that calls handlers, whose hooks can give the machine an event, which finds it busy.
func (g *generator) busy(calls bool, write func()) {
	if calls {
		g.p("m.core.Flags |= machine.Content")
	}
	write()
	if calls {
		g.p("m.core.Flags &^= machine.Content")
	}
}

func (g *generator) assign(set []assignment) {
	for _, a := range set {
		g.p("m.regs[%d] = %d%s", a.register, a.state, g.stateComment(a.state))
	}
}

// contentOf writes the executable content of a transition.
func (g *generator) contentOf(t *doc.Transition) {
	if len(t.Body) > 0 {
		g.p("m.content%d()", g.number(t))
	}
}

// simpleHistory returns the target of a transition if it is a history that what it remembers can be copied from, or
// nil: the registers of its parent and below.
func (g *generator) simpleHistory(t *doc.Transition) *doc.State {
	if len(t.Targets) != 1 || t.Targets[0].Kind != doc.History {
		return nil
	}
	h := t.Targets[0]
	x := h.Parent
	flat := !slices.ContainsFunc(x.Children, func(c *doc.State) bool { return c.Kind == doc.Compound || c.Kind == doc.Parallel })
	if x.Kind == doc.Parallel || !h.Deep && !flat || len(h.Transitions[0].Body) > 0 || t.Source == x || g.below(t.Source, x) {
		return nil
	}
	d := g.lcca(t, func(s *doc.State) bool { return g.below(x, s) })
	for s := x.Parent; s != d; s = s.Parent {
		if s.Kind == doc.Parallel {
			return nil
		}
	}
	return h
}

// record writes what a history records when its parent is exited by a transition of source.
func (g *generator) record(h, source *doc.State) {
	x, slot := h.Parent, g.slots[h]
	sure := source == x || g.below(source, x)
	if !sure && !g.below(x, source) && !g.orthogonal(x, source) {
		return // the two are never active together
	}
	if !sure {
		g.p("if %s {", g.active(x))
	}
	part := g.part[x.Index]
	flat := !slices.ContainsFunc(x.Children, func(c *doc.State) bool { return c.Kind == doc.Compound || c.Kind == doc.Parallel })
	switch {
	case !h.Deep && x.Kind == doc.Parallel:
		g.p("m.regs[%d] = %d", slot, x.Index)
	case !h.Deep && !flat:
		g.p("m.regs[%d] = %s.Child(m.regs[%d], %d)", slot, g.chartVar(), part, x.Index)
	default:
		if x.Kind != doc.Parallel {
			g.p("m.regs[%d] = m.regs[%d]", slot, part)
			slot++
		}
		if h.Deep {
			for i, p := range g.parts {
				if g.below(p, x) {
					g.p("m.regs[%d] = m.regs[%d]", slot, i)
					slot++
				}
			}
		}
	}
	if !sure {
		g.p("}")
	}
}

func (g *generator) stateComment(i int) string {
	if i == 0 {
		return ""
	}
	return " // " + g.names.states[i]
}
