package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
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
		if m.events.takes(t, event) {
			for name := range m.reads[t] {
				all[name] = true
			}
		}
	}
	return sortedKeys(all)
}

// inputWithData writes the method of an event whose data the chart reads: with a struct of the members that it reads,
// or with any data.
func (m *typedModel) inputWithData(num int, method string) bool {
	n, event := &m.names, m.events.names[num]
	members, whole := m.members(num), m.es.Whole()
	if whole {
		if !m.readsWhole(num) {
			return false
		}
		if members = m.scalarsInSchema(event); len(members) == 0 {
			m.inputWithAny(num, method)
			return true
		}
	}
	if len(members) == 0 {
		return false
	}
	typ := m.file.taken.choose(n.prefix, "Event", event)
	names, fields, values, known := taken{}, []string{}, []string{}, true
	what := "what the chart reads of the data"
	if whole {
		what = "the data"
	}
	m.p("\n// %s is %s of the event %s.\ntype %s struct {", typ, what, printable(event), typ)
	for _, member := range members {
		name := names.choose("", "Field", member)
		t := m.memberType(event, member)
		value, isKnown := map[es.Type]string{es.Number: "js.Number(d.%s)", es.String: "js.FromString(d.%s)", es.Bool: "js.Bool(d.%s)"}[t]
		if known = known && isKnown; isKnown {
			m.p("%s %s // %s", name, t.Go(), printable(member))
			values = append(values, fmt.Sprintf(value, name))
		} else {
			m.p("%s any // %s", name, printable(member))
		}
		fields = append(fields, fmt.Sprintf("{Name: %s, Value: d.%s}", strconv.Quote(member), name))
	}
	m.p("}\n\n// %s handles the event %s, see Send.", method, printable(event))
	data := "machine.Fields{" + strings.Join(fields, ", ") + "}"
	if !known { // it may be what cannot be data
		m.p("func (m *%s) %s(d %s) (handled bool, err error) {\nreturn m.Send(%s, %s)\n}", n.typ, method, typ, strconv.Quote(event), data)
		return true
	}
	m.p("func (m *%s) %s(d %s) bool {", n.typ, method, typ)
	if m.fast[num] {
		slots := []string{"data: js.ObjectValue()"}
		if whole {
			slots = []string{fmt.Sprintf("value: js.Make(%s, %s)", m.shape(members), strings.Join(values, ", ")), "read: true"}
		} else {
			for i, member := range members {
				slots = append(slots, m.memberField(member)+": "+values[i])
			}
		}
		m.p("if m.core.Flags == machine.Ready {\nnode := (*%s)(m)\nnode.ev = %s", m.nodeType(), m.eventLiteral(strconv.Quote(event), "machine.External", slots...))
		m.p("return node.followed(node.event%d())\n}", num)
	}
	m.p("handled, _ := m.Send(%s, %s)\nreturn handled\n}", strconv.Quote(event), data)
	return true
}

// readsWhole reports whether transitions for an event read its data as a whole.
func (m *typedModel) readsWhole(event int) bool {
	return slices.ContainsFunc(m.all, func(t *doc.Transition) bool { return m.whole[t] && m.events.takes(t, event) })
}

// inputWithAny writes the method of an event whose data the chart reads as a whole, and of which little is known.
func (m *typedModel) inputWithAny(num int, method string) {
	n, event := &m.names, m.events.names[num]
	m.p("\n// %s handles the event %s, see Send.\nfunc (m *%s) %s(data any) (handled bool, err error) {", method, printable(event), n.typ, method)
	if m.fast[num] {
		m.p("if m.core.Flags == machine.Ready {\nnode := (*%s)(m)\nvalue, err := js.FromLike(data, &node.shape)\nif err != nil {\nreturn false, err\n}", m.nodeType())
		m.p("node.ev = %s\nreturn node.followed(node.event%d()), nil\n}", m.eventLiteral(strconv.Quote(event), "machine.External", "value: value", "read: true"), num)
	}
	m.p("return m.Send(%s, data)\n}", strconv.Quote(event))
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
	m.checkEvents()
	if m.es.Whole() {
		clear(m.member) // which were used before it was known
	}
	node, typ := m.nodeType(), lower(m.names.typ)+"Event"
	switch {
	case !m.looks:
		m.p("\nfunc (m *%s) Accept(data any) (any, error) { return js.AcceptAny(data) }", node)
	case m.es.Whole():
		m.p("\nfunc (m *%s) Accept(data any) (any, error) { return js.Accept(data) }", node)
	default:
		m.p("\nfunc (m *%s) Accept(data any) (any, error) {\nreturn js.AcceptMembers(data, %s)\n}", node, m.memberNames())
	}
	if !m.readsEvent() {
		m.p("\nfunc (m *%s) Event(*machine.Event) {}", node)
		return
	}
	m.p("\n// %s is what expressions read of an event.\ntype %s struct {\npresent bool", typ, typ)
	for _, field := range sortedKeys(m.event) {
		m.p("%s string", eventField(field))
	}
	switch {
	case !m.looks:
	case m.es.Whole():
		m.p("given any // the data, of which value is a copy when they have been read\nvalue js.Value\nread bool")
	default:
		m.p("data js.Value")
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
	switch {
	case !m.looks:
	case m.es.Whole():
		m.p("m.ev.given, m.ev.read = ev.Data, false")
	default:
		m.p("m.ev.data, _ = js.ValueOf(ev.Data)")
	}
	for _, name := range sortedKeys(m.member) {
		m.p("m.ev.%s = js.MemberValue(ev.Data, %s)", m.member[name], strconv.Quote(name))
	}
	m.p("}")
	if m.looks && m.es.Whole() {
		m.p("\n// data returns _event.data.\nfunc (m *%s) data() js.Value {\nif !m.ev.read {\nm.ev.value, m.ev.read = js.Of(m.ev.given, &m.shape), true\n}\nreturn m.ev.value\n}", node)
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
