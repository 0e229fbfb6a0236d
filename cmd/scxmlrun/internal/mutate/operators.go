package mutate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Mutants returns the mutants of a chart in the order of the document, and then of the operators. It
// does not mutate documents that the chart loads. A mutant may be one that [scxml.Parse] refuses.
func Mutants(chart *scxml.Chart) (all []*Mutant) {
	src := scan(chart)
	for _, root := range src.roots {
		m := &mutator{src: src, scripts: true, byID: map[string]*element{}}
		if a, ok := root.attr("datamodel"); ok {
			m.scripts = src.part(a.value) == "ecmascript"
		}
		m.find(root)
		m.mutate(root)
		all = append(all, m.mutants...)
	}
	slices.SortStableFunc(all, func(a, b *Mutant) int { return a.edits[0].from - b.edits[0].from })
	return all
}

// A mutator makes the mutants of one <scxml> element.
type mutator struct {
	src     *source
	scripts bool                // conditions are ECMAScript
	states  []*element          // that have an id, histories apart
	byID    map[string]*element // these and the histories
	mutants []*Mutant
}

// find collects the states below e.
func (m *mutator) find(e *element) {
	for _, c := range e.children {
		if id := m.src.value(c, "id"); id != "" && (c.isState() || c.name == "history") {
			m.byID[id] = c
			if c.isState() {
				c.index = len(m.states)
				m.states = append(m.states, c)
			}
		}
		m.find(c)
	}
}

func (e *element) isState() bool {
	return e.name == "state" || e.name == "parallel" || e.name == "final"
}

// isAction reports whether an element is executable content.
func (e *element) isAction() bool {
	switch e.parent.name {
	case "onentry", "onexit", "transition", "finalize", "if", "foreach":
		return e.name != "elseif" && e.name != "else"
	}
	return false
}

// isTransition reports whether an element is a transition that events select.
func (e *element) isTransition() bool {
	return e.name == "transition" && (e.parent.isState() || e.parent.name == "scxml")
}

// mutate makes the mutants of e and of what is in it.
func (m *mutator) mutate(e *element) {
	switch {
	case e.parent == nil:
		m.retarget(e, "initial")
	case e.isAction():
		m.add(DropAction, e, m.drop(e.span))
		m.negate(e)
		if later := e.later(); len(later) > 0 && later[0].isAction() && !m.commute(e, later[0]) && !m.commute(later[0], e) {
			m.swap(e, later[0])
		}
	case e.name == "elseif":
		m.negate(e)
	case e.name == "state":
		m.retarget(e, "initial")
	case e.name == "history":
		m.history(e)
	case e.isTransition():
		m.add(DropTransition, e, m.drop(e.span))
		m.negate(e)
		m.retarget(e, "target")
		m.swapTransition(e)
		m.transitionType(e)
	case e.name == "transition":
		m.retarget(e, "target")
	}
	for _, c := range e.children {
		m.mutate(c)
	}
}

// add adds a mutant of e.
func (m *mutator) add(op Operator, e *element, edits ...edit) {
	m.mutants = append(m.mutants, &Mutant{op, e.pos, m.src, edits})
}

// drop replaces a part of the text by blanks, so that the rest keeps its place.
func (m *mutator) drop(s span) edit {
	return edit{s, strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, m.src.part(s))}
}

// negate negates the condition of e.
func (m *mutator) negate(e *element) {
	cond, ok := e.attr("cond")
	switch text := m.src.part(cond.value); {
	case !ok:
	case m.scripts && strings.Contains(text, "//"): // perhaps a comment, which ends with the line
		m.add(NegateGuard, e, edit{cond.value, "!(" + text + "&#10;)"})
	case m.scripts:
		m.add(NegateGuard, e, edit{cond.value, "!(" + text + ")"})
	case e.name == "transition":
		m.add(NegateGuard, e, m.drop(cond.span))
	}
}

// retarget replaces each of the states that an attribute names.
func (m *mutator) retarget(e *element, name string) {
	a, _ := e.attr(name)
	old := strings.Fields(m.src.part(a.value))
	at := a.value.from
	for _, id := range old {
		at += strings.Index(m.src.text[at:], id)
		if other := m.otherThan(id, old, e.isTransition()); other != "" {
			m.add(Retarget, e, edit{span{at, at + len(id)}, other})
		}
		at += len(id)
	}
}

// otherThan returns the next sibling of a state or, if anywhere is set, the next state; "" if there is
// none that is not among the targets.
func (m *mutator) otherThan(id string, targets []string, anywhere bool) string {
	of := m.byID[id]
	if of == nil || !of.isState() {
		return ""
	}
	if other := m.first(of.parent.children, of.n, targets); other != "" || !anywhere {
		return other
	}
	return m.first(m.states, of.index, targets)
}

// first returns the first state after number n that is not among the targets, from the beginning after the
// last one.
func (m *mutator) first(states []*element, n int, targets []string) string {
	for i := range len(states) - 1 {
		other := states[(n+1+i)%len(states)]
		if id := m.src.value(other, "id"); other.isState() && id != "" && !slices.Contains(targets, id) {
			return id
		}
	}
	return ""
}

// swapTransition swaps a transition with the next one that can match the same event.
func (m *mutator) swapTransition(e *element) {
	for _, c := range e.later() {
		if c.isTransition() && overlap(strings.Fields(m.src.value(e, "event")), strings.Fields(m.src.value(c, "event"))) {
			m.swap(e, c)
			return
		}
	}
}

// swap exchanges two elements.
func (m *mutator) swap(a, b *element) {
	if first, second := m.src.part(a.span), m.src.part(b.span); first != second {
		m.add(SwapOrder, a, edit{a.span, second}, edit{b.span, first})
	}
}

// commute reports whether the order of two actions matters only if an expression fails: what a does to data
// has no effect on b, and the other way round.
func (m *mutator) commute(a, b *element) bool {
	x, y := m.src.part(a.span), m.src.part(b.span)
	switch b.name {
	case "raise", "cancel", "send": // events without data are taken after the block
		if !strings.Contains(y, "expr") && !strings.Contains(y, "namelist") && !strings.Contains(y, "location") {
			return a.name == "assign" || a.name == "script" || a.name == "log"
		}
	case "assign":
		if slices.Contains(identifiers(x), m.assigned(b)) {
			return false
		}
	case "log":
	default:
		return false
	}
	const call = "("
	return a.name == "assign" && !strings.Contains(x+y, call) && !strings.Contains(y, "idlocation") && !slices.Contains(identifiers(y), m.assigned(a))
}

// assigned returns the data item that <assign> changes.
func (m *mutator) assigned(e *element) string {
	if ids := identifiers(m.src.value(e, "location")); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// identifiers returns the words of a text that can be identifiers.
func identifiers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '$' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// overlap reports whether an event can match descriptors of both lists, or both have none.
func overlap(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	for _, x := range a {
		for _, y := range b {
			x, y := prefix(x), prefix(y)
			if strings.HasPrefix(x, y) || strings.HasPrefix(y, x) {
				return true
			}
		}
	}
	return false
}

// prefix returns what the events of a descriptor begin with when each has a dot after it.
func prefix(descriptor string) string {
	text := strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
	if text == "" {
		return ""
	}
	return text + "."
}

// history makes a shallow history deep and a deep one shallow, if its siblings have states in them.
func (m *mutator) history(e *element) {
	if !slices.ContainsFunc(e.parent.children, func(c *element) bool { return slices.ContainsFunc(c.children, (*element).isState) }) {
		return
	}
	if m.src.value(e, "type") == "deep" {
		m.setType(HistoryType, e, "shallow")
	} else {
		m.setType(HistoryType, e, "deep")
	}
}

// transitionType makes an external transition internal and an internal one external, if it makes a
// difference: if it leads from a compound state to states in it.
func (m *mutator) transitionType(e *element) {
	targets := strings.Fields(m.src.value(e, "target"))
	if len(targets) == 0 || e.parent.name != "state" {
		return
	}
	for _, id := range targets {
		if !m.isIn(id, e.parent) {
			return
		}
	}
	if m.src.value(e, "type") == "internal" {
		m.setType(TransitionType, e, "external")
	} else {
		m.setType(TransitionType, e, "internal")
	}
}

// isIn reports whether a state or history is a descendant of e.
func (m *mutator) isIn(id string, e *element) bool {
	target := m.byID[id]
	for target != nil && target != e {
		target = target.parent
	}
	return target != nil && target != m.byID[id]
}

// setType sets the attribute type.
func (m *mutator) setType(op Operator, e *element, text string) {
	if a, ok := e.attr("type"); ok {
		m.add(op, e, edit{a.value, text})
		return
	}
	end := e.from + strings.IndexAny(m.src.text[e.from:], " \t\r\n/>")
	m.add(op, e, edit{span{end, end}, ` type="` + text + `"`})
}
