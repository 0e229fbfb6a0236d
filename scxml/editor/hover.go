package editor

import (
	"fmt"
	"slices"
	"strings"
)

// A Hover explains what is at a place.
type Hover struct {
	Span Span   // what it explains
	Text string // Markdown
}

// Hover explains the element, attribute, state, event or data item at an offset. It reports false if
// there is nothing to explain.
func (d *Document) Hover(offset int) (Hover, bool) {
	offset = d.clamp(offset)
	if w := d.wordAt(offset); w != nil {
		if text := d.explain(w); text != "" {
			return Hover{w.span, text}, true
		}
	}
	if h, ok := d.hoverMember(offset); ok {
		return h, true
	}
	n := d.nodeAt(offset)
	if n == nil {
		return Hover{}, false
	}
	t, known := vocabulary[n.tag]
	if !known {
		return Hover{}, false
	}
	if n.name.touches(offset) || n.tail.End > 0 && n.tail.Start < offset {
		at := n.name
		if offset > n.head.End {
			at = n.tail
		}
		text := fmt.Sprintf("**`<%s>`** %s", n.tag, t.text)
		if s := n.state; s != nil {
			text += "\n\n" + d.stateText(s)
		}
		return Hover{at, text + "\n\nSCXML " + t.section}, true
	}
	for _, a := range n.attrs {
		name := d.at(a.name)
		known, ok := t.attrs[name]
		if !ok || !a.name.touches(offset) && !a.value.touches(offset) {
			continue
		}
		text := fmt.Sprintf("**%s** of `<%s>`. %s", name, n.tag, known.text)
		if len(known.values) > 1 && known.role == choice {
			text += " Values: `" + strings.Join(known.values, "`, `") + "`; the first is the default."
		}
		at := a.name
		if !at.touches(offset) {
			at = a.value
		}
		return Hover{at, text + "\n\nSCXML " + t.section}, true
	}
	return Hover{}, false
}

// explain returns what is known of a name, or "".
func (d *Document) explain(w *word) string {
	switch w.kind {
	case stateWord:
		if s := w.node.chart.byID[w.name]; s != nil {
			return d.stateText(s)
		}
	case eventWord:
		return d.eventText(w)
	case dataWord:
		return d.typed(w.node.chart, w.name, d.dataText(w), "data", "variable", "function")
	case sendWord:
		return d.idText(w, "send", "event")
	case invokeWord:
		return d.idText(w, "invoke", "src")
	}
	return ""
}

// mark formats a text as code in Markdown.
func mark(text string) string { return "`" + strings.ReplaceAll(brief(text), "`", "'") + "`" }

// stateText says where a state is, and what enters and leaves it.
func (d *Document) stateText(s *state) string {
	var path []string
	for p := s; p != nil; p = p.parent {
		if p.id != "" {
			path = append(path, mark(p.id))
		}
	}
	slices.Reverse(path)
	text := s.node.tag
	if len(path) > 0 {
		text += " " + strings.Join(path, " › ")
	}
	if s.id != "" {
		text += list("entered by", d.entering(s))
	}
	return text + list("left by", d.leaving(s))
}

// maxListed is how many things a hover lists.
const maxListed = 8

func list(title string, all []string) string {
	if len(all) == 0 {
		return ""
	}
	more := ""
	if len(all) > maxListed {
		more = fmt.Sprintf("\n- and %d more", len(all)-maxListed)
		all = all[:maxListed]
	}
	return "\n\n" + title + "\n\n- " + strings.Join(all, "\n- ") + more
}

// entering lists the transitions that lead to a state, and what begins in it.
func (d *Document) entering(s *state) []string {
	var all []string
	c := s.node.chart
	for i := range c.words {
		w := &c.words[i]
		if w.kind != stateWord || w.use != refers || w.inner || w.name != s.id {
			continue
		}
		if w.node.tag == "transition" {
			all = append(all, d.transitionText(w.node, ""))
		} else {
			all = append(all, "the start of "+d.stateName(w.node.state))
		}
	}
	return all
}

// leaving lists the transitions of a state.
func (d *Document) leaving(s *state) []string {
	var all []string
	for _, n := range s.node.children {
		if n.tag == "transition" {
			all = append(all, d.transitionText(n, d.attr(n, "target")))
		}
	}
	return all
}

// transitionText describes a transition: its event and condition, and where it leads to, or where it
// is if that is "".
func (d *Document) transitionText(n *node, target string) string {
	text := "always"
	if event := d.attr(n, "event"); event != "" {
		text = mark(event)
	}
	if cond := d.attribute(n, "cond"); cond != nil {
		text += " if " + mark(d.read(cond.value).text)
	}
	if target != "" {
		return text + " → " + mark(target)
	}
	if s := stateAround(n); s != nil {
		return text + " in " + d.stateName(s)
	}
	return text
}

// stateName names a state in a sentence.
func (d *Document) stateName(s *state) string {
	switch {
	case s == nil:
		return "a state"
	case s.id != "":
		return mark(s.id)
	case s.node.tag == "scxml":
		return "the chart"
	}
	return fmt.Sprintf("the `<%s>` at %s", s.node.tag, d.where(s.node.head.Start))
}

// eventText says who sends and who takes an event.
func (d *Document) eventText(w *word) string {
	text := "event " + mark(w.name)
	if w.name == "" {
		return "every event"
	}
	var sent, taken []string
	for _, o := range d.related(w) {
		if w.use == o.use && w.name != o.name {
			continue
		}
		if o.use == sends {
			sent = append(sent, fmt.Sprintf("`<%s>` in %s", o.node.tag, d.stateName(stateAround(o.node))))
		} else {
			taken = append(taken, d.transitionText(o.node, d.attr(o.node, "target"))+" in "+d.stateName(stateAround(o.node)))
		}
	}
	text += list("sent by", sent) + list("taken by", taken)
	if sent == nil {
		switch {
		case strings.HasPrefix(w.name, doneState):
			text += "\n\nraised by the engine when the state is done"
		case strings.HasPrefix(w.name, doneInvoke):
			text += "\n\ncomes when the invocation has ended"
		case w.name == "error" || strings.HasPrefix(w.name, "error."):
			text += "\n\nraised by the engine"
		default:
			text += "\n\nnot sent in this document: it comes from outside"
		}
	}
	return text
}

// stateAround returns the state that an element is in, or nil.
func stateAround(n *node) *state {
	for p := n.parent; p != nil; p = p.parent {
		if p.state != nil {
			return p.state
		}
	}
	return nil
}

// systemVariables are the variables that every chart has (REC 5.10), and In() (REC 5.9.1).
var systemVariables = map[string]string{
	"_event":        "the event that was taken last: `name`, `data`, `type`, `sendid`, `origin`, `origintype` and `invokeid`. SCXML 5.10",
	"_sessionid":    "the id of the session. SCXML 5.10",
	"_name":         "the attribute `name` of `<scxml>`. SCXML 5.10",
	"_ioprocessors": "the I/O processors of the session: `location` of each is its address. SCXML 5.10",
	"_x":            "values of the platform. SCXML 5.10",
	"In":            "`In('id')` is true while the state with that id is active. SCXML 5.9.1",
}

// dataText says where a variable is declared and with what value, or "" if it is not known.
func (d *Document) dataText(w *word) string {
	if text := systemVariables[w.name]; text != "" {
		return mark(w.name) + " " + text
	}
	for _, o := range w.node.chart.words {
		if o.kind != dataWord || o.use != defines || o.name != w.name {
			continue
		}
		if o.node.tag == "foreach" {
			return "variable " + mark(w.name) + " of a `<foreach>` over " + mark(d.attr(o.node, "array"))
		}
		text := "data item " + mark(w.name)
		if expr := d.attribute(o.node, "expr"); expr != nil {
			text += ", at first " + mark(d.read(expr.value).text)
		} else if src := d.attr(o.node, "src"); src != "" {
			text += " from the file " + mark(src)
		} else if value := strings.TrimSpace(d.read(o.node.body()).text); value != "" {
			text += ", at first " + mark(value)
		}
		if s := stateAround(o.node); s != nil && s.id != "" {
			text += "; declared in " + mark(s.id)
		}
		return text
	}
	return ""
}

// idText describes a <send> or an <invoke> by its id.
func (d *Document) idText(w *word, tag, attr string) string {
	for _, o := range w.node.chart.words {
		if o.kind == w.kind && o.use == defines && o.name == w.name {
			text := fmt.Sprintf("`<%s>` %s", tag, mark(w.name))
			if value := d.attr(o.node, attr); value != "" {
				text += fmt.Sprintf(" with %s %s", attr, mark(value))
			}
			return text + " in " + d.stateName(stateAround(o.node))
		}
	}
	return ""
}
