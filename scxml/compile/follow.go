package compile

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// This file writes what follows from a shortcut.

// following writes it. If eventless is true, there is a shortcut for transitions without an event.
func (g *generator) following(eventless bool) {
	// An event that nothing takes is not a microstep.
	follow := "n := 0\nif handled {\nn = 1\n}\nm.settle(n)"
	switch {
	case g.eventlessNotices():
	case g.hasEventless():
		follow = "if handled || m.core.Flags != machine.Ready {\n" + follow + "\n}"
	default: // settle asks this too, but costs a call
		follow = "if m.core.Flags != machine.Ready {\n" + follow + "\n}"
	}
	g.p(`
// followed returns handled, after all that follows from a shortcut: also if it has taken nothing, because a condition has
// failed.
func (m *%s) followed(handled bool) bool {
	%s
	return handled
}`, g.nodeType(), follow)
	g.p("\n// settle does all that follows in a macrostep of so far n microsteps.\nfunc (m *%s) settle(n int) {", g.nodeType())
	switch {
	case eventless:
		g.p("for ; ; n++ {")
		g.p("if m.core.Flags&^(machine.Raised|machine.One) == machine.Ready && n < machine.ShortcutSteps {\nif m.eventless() {\ncontinue\n}")
		g.p("if m.core.Flags == machine.Ready {\nreturn\n}")
		g.next()
		g.p("machine.SettleQueue(m, n)\nreturn\n}\nmachine.Settle(m, n)\nreturn\n}\n}")
	case g.hasEventless():
		g.p("for ; ; n++ {\nif m.core.Flags&^(machine.Raised|machine.One) != machine.Ready || n >= machine.ShortcutSteps || !m.idle() {")
		g.p("machine.Settle(m, n)\nreturn\n}\nif m.core.Flags == machine.Ready {\nreturn\n}")
		g.next()
		g.p("machine.SettleQueue(m, n)\nreturn\n}\n}")
		g.idle()
	default:
		g.p("for ; m.core.Flags != machine.Ready; n++ {")
		g.p("if m.core.Flags&^(machine.Raised|machine.One) == machine.Ready && n < machine.ShortcutSteps {")
		g.next()
		g.p("}\nmachine.Settle(m, n)\nreturn\n}\n}")
	}
}

// idle writes a method that says whether there is certainly no transition without an event to take.
func (g *generator) idle() {
	g.p("\n// idle reports whether no transition without an event is enabled, as far as that follows from where the machine is.")
	g.p("func (m *%s) idle() bool {", g.nodeType())
	for _, s := range g.doc.States {
		var conds []string
		sure := true
		for _, t := range s.Transitions {
			if !g.selectable(t) || len(t.Events) > 0 {
				continue
			}
			if sure = sure && t.Cond != nil && asksWhere(t.Cond.Text) && !g.condFails(t); sure {
				conds = append(conds, g.cond(t.Cond, "transition", t.Pos))
			}
		}
		switch {
		case sure && conds == nil:
			continue
		case !sure && s.Index == 0:
			g.p("return false\n}")
			return
		case !sure:
			g.p("if %s {", g.active(s))
		case s.Index == 0:
			g.p("if %s {", strings.Join(conds, " || "))
		default:
			g.p("if %s && (%s) {", g.active(s), strings.Join(conds, " || "))
		}
		g.p("return false\n}")
	}
	g.p("return true\n}")
}

// asksWhere reports whether a condition asks nothing but which states are active: it has only In() of literals, !, && and ||.
func asksWhere(cond string) bool {
	for {
		before, after, ok := strings.Cut(cond, "In(")
		if !ok {
			return !strings.ContainsFunc(cond, func(r rune) bool { return !strings.ContainsRune("!&|() \t\r\n", r) })
		}
		id, rest, ok := strings.Cut(after, ")")
		if id = strings.TrimSpace(id); !ok || len(id) < 2 || id[0] != id[len(id)-1] || id[0] != '\'' && id[0] != '"' || strings.ContainsAny(id[1:len(id)-1], "'\"\\(") {
			return false
		}
		cond = before + rest
	}
}

// eventlessNotices reports whether an event that nothing takes can make a difference to a transition without an event: its
// condition reads _event, or fails, each time.
func (g *generator) eventlessNotices() bool {
	return slices.ContainsFunc(g.all, func(t *doc.Transition) bool {
		return g.selectable(t) && len(t.Events) == 0 && t.Cond != nil && !transient(t.Source) && (strings.Contains(t.Cond.Text, "_event") || g.condFails(t))
	})
}

// next writes the handling of an internal event.
func (g *generator) next() {
	g.p("if e, ok := m.core.Next(); ok {")
	if g.data.readsEvent() {
		g.p("m.plain(%s.Events[e], machine.Internal)", g.chartVar())
	}
	g.p("if _, ok := m.take(e); !ok {\nmachine.HandleInternal(m, e)\n}\ncontinue\n}")
}
