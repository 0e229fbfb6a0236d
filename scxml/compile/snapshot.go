package compile

import (
	"fmt"
	"strconv"

	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
)

// saved writes what package machine saves of a typed machine.
func (m *typedModel) saved() {
	m.p("\nfunc (m *%s) Variables() []machine.Variable {", m.nodeType())
	written := map[string]bool{}
	add := func(section, id, at, field string, late bool) {
		if written[id] {
			return
		}
		if len(written) == 0 {
			m.p("return []machine.Variable{")
		}
		written[id] = true
		m.out.WriteString("{Section: " + strconv.Quote(section) + ", Name: " + strconv.Quote(id))
		if at != "" {
			fmt.Fprintf(&m.out, ", At: %q", at)
		}
		if late {
			m.out.WriteString(", Late: true")
		}
		if field != "" {
			fmt.Fprintf(&m.out, ", Types: %d, Field: &%s", m.es.Type(id), field)
		}
		m.p("},")
	}
	for _, d := range m.items {
		add("data", d.ID, at(d.Pos), m.field(d.ID), false)
	}
	for _, id := range m.es.Vars() {
		kind, late := m.es.Declared(id)
		field := ""
		if m.vars[id] != "" { // otherwise it is always undefined
			field = m.field(id)
		}
		add(kind, id, "", field, late)
	}
	for _, f := range m.es.Funcs() {
		if written[f.Name] { // it has several methods
			continue
		}
		if len(written) == 0 {
			m.p("return []machine.Variable{")
		}
		written[f.Name] = true
		m.p("{Section: \"var\", Name: %s, Types: %d},", strconv.Quote(f.Name), es.Function)
	}
	if len(written) == 0 {
		m.p("return nil\n}")
	} else {
		m.p("}\n}")
	}
	if m.readsEvent() && m.readsLate() && len(m.fast) > 0 {
		m.savedEvent()
	}
}

// savedEvent writes what the machine keeps of an event as one.
func (m *typedModel) savedEvent() {
	m.p("\nfunc (m *%s) SavedEvent() *machine.Event {\nif !m.ev.present {\nreturn nil\n}\nev := new(machine.Event)", m.nodeType())
	fields := map[string]string{"name": "Name", "sendid": "SendID", "origin": "Origin", "origintype": "OriginType", "invokeid": "InvokeID"}
	for _, field := range sortedKeys(m.event) {
		if field == "type" {
			m.p("ev.Type = machine.EventTypeOf(m.ev.%s)", eventField(field))
		} else {
			m.p("ev.%s = m.ev.%s", fields[field], eventField(field))
		}
	}
	switch {
	case !m.looks:
		m.p("return ev\n}")
		return
	case m.es.Whole():
		m.p("if ev.Data = m.ev.given; m.ev.read {\nev.Data = m.ev.value.Any()\n}\nreturn ev\n}")
		return
	}
	m.p("ev.Data = m.ev.data.Any()\nif m.ev.data.Type() == js.TypeObject {\nfields := machine.Fields{}")
	for _, name := range sortedKeys(m.member) {
		m.p("if v := m.ev.%s; !v.IsUndefined() {\nfields.Set(%s, v.Any())\n}", m.member[name], strconv.Quote(name))
	}
	m.p("ev.Data = fields\n}\nreturn ev\n}")
}
