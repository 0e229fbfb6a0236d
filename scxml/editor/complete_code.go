package editor

import (
	"sort"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// fieldsOfEvent are the fields of _event (REC 5.10.1).
var fieldsOfEvent = []string{"data", "name", "type", "sendid", "origin", "origintype", "invokeid"}

// code completes in code: ids of states in In(”), names of events that are compared with _event.name,
// fields of _event, and variables.
func (m *menu) code(c *code, offset int) {
	d := m.doc
	s := d.read(c.span)
	at := s.at(offset)
	all := tokens(s.text)
	i := sort.Search(len(all), func(i int) bool { return all[i].from >= at }) - 1 // the last token that begins before the place
	if next := i + 1; next < len(all) && all[next].kind == '"' && all[next].from == at {
		i = next // directly after the quote
	}
	if i >= 0 && (all[i].kind == '"' || all[i].kind == '`') && at <= all[i].to {
		t := all[i]
		if t.kind == '`' {
			return
		}
		to := t.to
		if strings.ContainsAny(s.text[at:to], " )") { // the closing quote is missing
			to = at
		}
		switch {
		case i >= 2 && all[i-1].kind == '(' && s.text[all[i-2].from:all[i-2].to] == "In":
			m.word(s.span(t.from, to), offset)
			m.states(c.node.chart, nil)
		case comparesName(s.text, all[:i]):
			m.word(s.span(t.from, to), offset)
			m.events(c.node.chart, sends)
		}
		return
	}
	if !d.isECMAScript(c.node.chart) {
		if c.role == condition {
			m.add(m.in(c))
		}
		return
	}
	member := i
	if i >= 0 && all[i].kind == 'a' && at <= all[i].to {
		m.word(s.span(all[i].from, all[i].to), offset)
		member--
	} else if i >= 0 && all[i].kind == '0' && at <= all[i].to {
		return
	}
	if member >= 0 && all[member].kind == '.' {
		if member > 0 && s.text[all[member-1].from:all[member-1].to] == "_event" {
			for _, name := range fieldsOfEvent {
				m.add(Item{Kind: DataItem, Label: name, Detail: "of the event"})
			}
		}
		return
	}
	m.variables(c)
}

// in returns the item for In(), with the quotes that an attribute allows.
func (m *menu) in(c *code) Item {
	it := Item{Kind: FunctionItem, Label: "In", Detail: "whether a state is active", Insert: "In('')", Cursor: len("In('"), Again: true}
	if c.span.Start > 0 && m.doc.text[c.span.Start-1] == '\'' {
		it.Insert = `In("")`
	}
	return it
}

// comparesName reports whether the tokens before a text compare it with _event.name.
func comparesName(text string, before []token) bool {
	i := len(before) - 1
	for i >= 0 && before[i].kind == '=' || i >= 0 && before[i].kind == '!' {
		i--
	}
	return i >= 2 && i < len(before)-1 && text[before[i].from:before[i].to] == "name" && text[before[i-2].from:before[i-2].to] == "_event"
}

// variables adds the data items, and what else code can name.
func (m *menu) variables(c *code) {
	for _, w := range c.node.chart.words {
		if w.kind == dataWord && w.use == defines {
			detail := "data item"
			if w.node.tag == "foreach" {
				detail = "of a <foreach>"
			} else if expr := m.doc.attr(w.node, "expr"); expr != "" {
				detail = "data item, at first " + brief(expr)
			}
			m.add(Item{Kind: DataItem, Label: w.name, Detail: detail})
		}
	}
	if c.role == location || c.role == locations {
		return
	}
	m.add(m.in(c))
	m.add(Item{Kind: DataItem, Label: "_event", Detail: "the present event"})
	m.add(Item{Kind: DataItem, Label: "_name", Detail: "the name of the chart"})
	m.add(Item{Kind: DataItem, Label: "_sessionid", Detail: "the id of the session"})
	m.add(Item{Kind: DataItem, Label: "_ioprocessors", Detail: "the addresses of the session"})
}

// brief shortens a text for a line.
func brief(text string) string { return short.Line(text, 41) }
