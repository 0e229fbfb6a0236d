package editor

import (
	"io/fs"
	"path"
	"strings"
)

// value completes in the value of an attribute.
func (m *menu) value(n *node, a *attr, offset int) {
	d := m.doc
	name := d.at(a.name)
	if name == "xmlns" {
		m.word(a.value, offset)
		m.add(Item{Kind: ValueItem, Label: namespace, Detail: "the namespace of SCXML"})
		return
	}
	known, ok := vocabulary[n.tag].attrs[name]
	if !ok || n.chart == nil {
		return
	}
	if known.role.isCode() {
		m.code(&code{known.role, a.value, n, name}, offset)
		return
	}
	m.word(a.value, offset)
	switch known.role {
	case targets, initials, descriptors:
		m.word(d.listWord(a.value, offset), offset)
	}
	switch known.role {
	case targets:
		m.states(n.chart, within(n))
	case initials:
		m.states(n.chart, n)
	case descriptors:
		m.descriptors(n)
	case eventName:
		m.events(n.chart, takes)
	case sendRef:
		m.ids(n.chart, sendWord, "")
	case sendTarget:
		m.add(Item{Kind: ValueItem, Label: "#_internal", Detail: "the internal queue of this session"})
		m.add(Item{Kind: ValueItem, Label: "#_parent", Detail: "the session that invoked this one"})
		m.ids(n.chart, invokeWord, "#_")
	case file:
		m.files(n.tag)
	}
	for i, value := range known.values {
		detail := ""
		if i == 0 && known.role == choice && n.tag != "scxml" {
			detail = "default"
		}
		m.add(Item{Kind: ValueItem, Label: value, Detail: detail})
	}
}

// files adds the files and folders beside the document that an element may name.
func (m *menu) files(tag string) {
	if m.doc.opts.Files == nil {
		return
	}
	dir := path.Dir(m.doc.at(m.Replace)[:len(m.typed)] + "x") // "a/b" is in a, and "a/" too
	entries, err := fs.ReadDir(m.doc.opts.Files, path.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		ext := path.Ext(name)
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			m.add(Item{Kind: FileItem, Label: name + "/", Detail: "folder", Again: true})
		case tag == "script" && ext == ".js" || tag == "invoke" && ext == ".scxml" || tag == "data" && ext != ".js" && ext != ".scxml":
			m.add(Item{Kind: FileItem, Label: name})
		}
	}
}

// within returns the element whose descendants the targets of a transition must be, or nil.
func within(n *node) *node {
	if n.tag == "transition" && n.parent != nil && n.parent.tag == "initial" {
		return n.parent.parent
	}
	if n.tag == "transition" && n.parent != nil && n.parent.tag == "history" {
		return n.parent.parent
	}
	return nil
}

// listWord returns the word of a list around an offset.
func (d *Document) listWord(list Span, offset int) Span {
	s := Span{offset, offset}
	for s.Start > list.Start && !isSpace(d.text[s.Start-1]) {
		s.Start--
	}
	for s.End < list.End && !isSpace(d.text[s.End]) {
		s.End++
	}
	return s
}

// states adds the ids of states: those within an element, unless it is nil.
func (m *menu) states(c *chart, in *node) {
	for _, s := range c.states {
		if s.id == "" || in != nil && (s.node.span.Start <= in.span.Start || s.node.span.Start >= in.span.End) {
			continue
		}
		m.add(Item{Kind: StateItem, Label: s.id, Detail: s.describe()})
	}
}

// describe says in a few words what a state is and where.
func (s *state) describe() string {
	text := s.node.tag
	for p := s.parent; p != nil; p = p.parent {
		if p.id != "" {
			return text + " in " + p.id
		}
	}
	return text
}

// events adds the names of events that the chart, or those that it invokes or that invoke it, takes or
// sends; first those with the given use.
func (m *menu) events(c *chart, first use) {
	for _, u := range []use{first, sends + takes - first} {
		for _, other := range m.doc.charts {
			for _, w := range other.words {
				if w.kind == eventWord && w.use == u && w.name != "" && !(first == takes && engineOnly(w.name)) {
					detail := "taken"
					if u == sends {
						detail = "sent"
					}
					if other != c {
						detail += " by another chart"
					}
					m.add(Item{Kind: EventItem, Label: w.name, Detail: detail})
				}
			}
		}
	}
}

// engineOnly reports whether only the engine raises an event.
func engineOnly(name string) bool {
	return strings.HasPrefix(name, doneState) || strings.HasPrefix(name, doneInvoke) || name == "error.execution" || name == "error.communication"
}

// descriptors adds what a transition can take: events that are sent or taken elsewhere, and those of
// the engine. The transition of a compound state is offered its done.state first.
func (m *menu) descriptors(n *node) {
	c := n.chart
	if n.parent != nil && n.parent.state != nil {
		m.done(n.parent.state)
	}
	m.events(c, sends)
	for _, s := range c.states {
		m.done(s)
	}
	for _, w := range c.words {
		if w.kind == invokeWord && w.use == defines {
			m.add(Item{Kind: EventItem, Label: doneInvoke + w.name, Detail: "the invocation ended"})
		}
	}
	m.add(Item{Kind: EventItem, Label: "error.execution", Detail: "an expression or action failed"})
	m.add(Item{Kind: EventItem, Label: "error.communication", Detail: "an event could not be delivered"})
	m.add(Item{Kind: EventItem, Label: "*", Detail: "every event"})
}

// done adds the event that a state is done, if that can be.
func (m *menu) done(s *state) {
	if s.id == "" || s.node.tag == "final" || s.node.tag == "history" {
		return
	}
	for _, c := range s.node.children {
		if c.tag == "final" || s.node.tag == "parallel" && c.tag == "state" {
			m.add(Item{Kind: EventItem, Label: doneState + s.id, Detail: "the state is done"})
			return
		}
	}
}

// ids adds the ids of <send> or <invoke> elements.
func (m *menu) ids(c *chart, kind wordKind, before string) {
	for _, w := range c.words {
		if w.kind == kind && w.use == defines {
			m.add(Item{Kind: IDItem, Label: before + w.name, Detail: w.node.tag})
		}
	}
}
