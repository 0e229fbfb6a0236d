package compile

// This file writes what follows from a shortcut.

// following writes it. If eventless is true, there is a shortcut for transitions without an event.
func (g *generator) following(eventless bool) {
	test := "m.core.Flags != machine.Ready" // which settle asks too, but costs a call
	if g.hasEventless() {
		test = "handled || " + test
	}
	g.p(`
// followed returns handled, after all that follows from a shortcut: also if it has taken nothing, because a condition has
// failed.
func (m *%s) followed(handled bool) bool {
	if %s {
		m.settle()
	}
	return handled
}`, g.nodeType(), test)
	g.p("\n// settle does all that follows from a transition.\nfunc (m *%s) settle() {", g.nodeType())
	switch {
	case eventless:
		g.p("for n := 1; ; n++ {")
		g.p("if m.core.Flags&^(machine.Raised|machine.One) == machine.Ready && n < machine.ShortcutSteps {\nif m.eventless() {\ncontinue\n}")
		g.p("if m.core.Flags == machine.Ready {\nreturn\n}")
		g.next()
		g.p("}\nmachine.Settle(m, n)\nreturn\n}\n}")
	case g.hasEventless():
		g.p("machine.Settle(m, 1)\n}")
	default:
		g.p("for n := 1; m.core.Flags != machine.Ready; n++ {")
		g.p("if m.core.Flags&^(machine.Raised|machine.One) == machine.Ready && n < machine.ShortcutSteps {")
		g.next()
		g.p("}\nmachine.Settle(m, n)\nreturn\n}\n}")
	}
}

// next writes the handling of an internal event.
func (g *generator) next() {
	g.p("if e, ok := m.core.Next(); ok {")
	if g.data.readsEvent() {
		g.p("m.plain(%s.Events[e], machine.Internal)", g.chartVar())
	}
	g.p("if _, ok := m.take(e); !ok {\nmachine.HandleInternal(m, e)\n}\ncontinue\n}")
}
