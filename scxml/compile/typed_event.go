package compile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
)

// This file writes what a typed machine keeps of an event.

// memberField returns the field of m.ev for a member of the data.
func (m *typedModel) memberField(name string) string {
	if m.current != nil {
		if m.reads[m.current] == nil {
			m.reads[m.current] = map[string]bool{}
		}
		m.reads[m.current][name] = true
	}
	if m.member[name] == "" {
		m.member[name] = "data" + m.taken.choose("", "Member", name)
	}
	return m.member[name]
}

// members returns the members that the transitions for an event read, if they read nothing else of its data.
func (m *typedModel) members(event int) []string {
	all := map[string]bool{}
	for _, t := range m.all {
		for _, d := range t.Events {
			if first, end := m.events.matched(d); first <= event && event < end {
				for name := range m.reads[t] {
					all[name] = true
				}
			}
		}
	}
	return sortedKeys(all)
}

// inputWithData writes the method of an event whose data the chart reads.
func (m *typedModel) inputWithData(num int, method string) bool {
	members := m.members(num)
	if len(members) == 0 {
		return false
	}
	n, node, event := &m.names, "(*"+m.nodeType()+")(m)", m.events.names[num]
	typ := m.file.taken.choose(n.prefix, "Event", event)
	names, fields, slots := taken{}, []string{}, []string{"data: js.ObjectValue()"}
	m.p("\n// %s is what the chart reads of the data of the event %s.\ntype %s struct {", typ, printable(event), typ)
	for _, member := range members {
		name := names.choose("", "Field", member)
		t, value, plain := m.memberType(member, "d."+name)
		m.p("%s %s // %s", name, t, printable(member))
		fields = append(fields, fmt.Sprintf("{Name: %s, Value: %s}", strconv.Quote(member), plain))
		slots = append(slots, m.memberField(member)+": "+value)
	}
	m.p("}\n\n// %s handles the event %s, see Send.\nfunc (m *%s) %s(d %s) bool {", method, printable(event), n.typ, method, typ)
	if m.raw {
		slots = append(slots, "raw: machine.Fields{"+strings.Join(fields, ", ")+"}")
	}
	if m.fast[num] {
		m.p("if m.core.Flags == machine.Ready {\nnode := %s\nnode.ev = %s", node, m.eventLiteral(strconv.Quote(event), "machine.External", slots...))
		m.p("return node.followed(node.event%d())\n}", num)
	}
	m.p("handled, _ := m.Send(%s, machine.Fields{%s})\nreturn handled\n}", strconv.Quote(event), strings.Join(fields, ", "))
	return true
}

// memberType returns the Go type that a member has in the method of an event, and a variable of it as a js.Value and
// as an any.
func (m *typedModel) memberType(member, variable string) (typ, value, plain string) {
	switch t := m.es.MemberType(member); t {
	case es.Number:
		return t.Go(), "js.Number(" + variable + ")", variable
	case es.String:
		return t.Go(), "js.String(" + variable + ")", variable
	case es.Bool:
		return t.Go(), "js.Bool(" + variable + ")", variable
	}
	// Not the variable itself: a value that goes to Send is allocated by the caller, at each event.
	value = "js.Of(" + variable + ")"
	return "any", value, value + ".Any()"
}

// eventLiteral returns an event that has no more than a name, a type and the given slots.
func (m *typedModel) eventLiteral(name, typ string, slots ...string) string {
	fields := []string{"present: true"}
	if m.event["name"] {
		fields = append(fields, "name: "+name)
	}
	if m.event["type"] {
		fields = append(fields, eventField("type")+": "+typ+".String()")
	}
	return lower(m.names.typ) + "Event{" + strings.Join(append(fields, slots...), ", ") + "}"
}

// eventDeclarations writes how the machine takes an event, when all expressions are written.
func (m *typedModel) eventDeclarations() {
	node, typ := m.nodeType(), lower(m.names.typ)+"Event"
	if m.looks {
		m.p("\nfunc (m *%s) Accept(data any) (any, error) {\nreturn js.AcceptScalars(data, %s)\n}", node, m.memberNames())
	} else {
		m.p("\nfunc (m *%s) Accept(data any) (any, error) { return js.AcceptAny(data) }", node)
	}
	if !m.readsEvent() {
		m.p("\nfunc (m *%s) Event(*machine.Event) {}", node)
		return
	}
	m.p("\n// %s is what expressions read of an event.\ntype %s struct {\npresent bool", typ, typ)
	for _, field := range sortedKeys(m.event) {
		m.p("%s string", eventField(field))
	}
	if m.looks {
		m.p("data js.Value")
	}
	if m.raw {
		m.p("raw any // the data as they were given")
	}
	for _, name := range sortedKeys(m.member) {
		m.p("%s js.Value // of _event.data: %s", m.member[name], printable(name))
	}
	m.p("}\n\n// plain sets _event to an event that has no more than a name and a type.\nfunc (m *%s) plain(name string, typ machine.EventType) {\nm.ev = %s\n}",
		node, m.eventLiteral("name", "typ"))
	m.p("\nfunc (m *%s) Event(ev *machine.Event) {\nm.ev.present = true", node)
	values := map[string]string{
		"name": "ev.Name", "type": "ev.Type.String()", "sendid": "ev.SendID", "origin": "ev.Origin", "origintype": "ev.OriginType", "invokeid": "ev.InvokeID",
	}
	for _, field := range sortedKeys(m.event) {
		m.p("m.ev.%s = %s", eventField(field), values[field])
	}
	if m.looks {
		m.p("m.ev.data, _ = js.ValueOf(ev.Data)")
	}
	if m.raw {
		m.p("m.ev.raw = ev.Data")
	}
	for _, name := range sortedKeys(m.member) {
		m.p("m.ev.%s = js.MemberValue(ev.Data, %s)", m.member[name], strconv.Quote(name))
	}
	m.p("}")
	if m.raw {
		m.p("\n// given returns the data of an event for others.\nfunc (m *%s) given(data js.Value) any {\nif data.Type() == js.TypeObject {\nreturn m.ev.raw\n}\nreturn data.Any()\n}", node)
	}
}

func (m *typedModel) memberNames() string {
	var names []string
	for _, name := range sortedKeys(m.member) {
		names = append(names, strconv.Quote(name))
	}
	if names == nil {
		return "nil"
	}
	return "[]string{" + strings.Join(names, ", ") + "}"
}

// eventField is the name of a field of m.ev: type is a keyword.
func eventField(field string) string {
	if field == "type" {
		return "typ"
	}
	return field
}
