package editor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// A Completion is what may be written at a place.
type Completion struct {
	// Replace is what an item replaces: the part of a word around the place. It may be empty.
	Replace Span
	// Items are in the order in which they should be shown.
	Items []Item
	// Incomplete means that there are more items, so that the editor should ask again when more is
	// written.
	Incomplete bool
}

// An Item is one of several things that may be written.
type Item struct {
	Kind   ItemKind
	Label  string // what is written, without what goes around it; the editor filters by it
	Detail string // a few words, such as "state in playing"
	Doc    string // Markdown; may be ""
	Insert string // the text that replaces [Completion.Replace]
	Cursor int    // where the cursor goes: an offset in Insert
	Again  bool   // ask for completions again after inserting
}

// An ItemKind says what an [Item] is.
type ItemKind uint8

// The kinds of items.
const (
	ElementItem ItemKind = iota
	AttributeItem
	ValueItem // one of the values that an attribute may have
	StateItem
	EventItem
	DataItem     // a data item, or another variable
	FunctionItem // such as In
	IDItem       // of a send or an invocation
	FileItem     // in Options.Files
)

// maxItems is how many items a [Completion] has at most.
const maxItems = 500

// A menu collects items.
type menu struct {
	doc   *Document
	typed string // the part of the word before the cursor, in lower case
	Completion
	seen map[string]bool
}

// Complete returns what may be written at an offset.
func (d *Document) Complete(offset int) Completion {
	offset = d.clamp(offset)
	m := &menu{doc: d, seen: map[string]bool{}}
	m.Replace = Span{offset, offset}
	if slices.ContainsFunc(d.comments, func(c Span) bool { return c.Start < offset && offset < c.End }) {
		return m.Completion
	}
	n := d.nodeAt(offset)
	switch {
	case n == nil:
		m.elements(nil, offset)
	case n.tail.End > 0 && offset > n.tail.Start+1:
		m.closing(n, offset)
	case n.complete && offset >= n.head.End:
		m.content(n, offset)
	case n.name.touches(offset):
		m.word(n.name, offset)
		m.elements(n.parent, offset)
	default:
		m.inTag(n, offset)
	}
	m.sort()
	return m.Completion
}

// word makes a span around the place what is replaced.
func (m *menu) word(s Span, offset int) {
	if !s.touches(offset) {
		s = Span{offset, offset}
	}
	m.Replace = s
	m.typed = strings.ToLower(m.doc.text[s.Start:offset])
}

// add adds an item unless it is there already, or too different from what is typed.
func (m *menu) add(it Item) {
	if m.typed == "" && len(m.Items) > maxItems {
		return
	}
	label := strings.ToLower(it.Label)
	if m.seen[it.Label] || !strings.Contains(label, m.typed) && !strings.Contains(label, strings.TrimLeft(m.typed, "<#_")) {
		return
	}
	m.seen[it.Label] = true
	if it.Insert == "" {
		it.Insert = it.Label
	}
	if it.Cursor == 0 {
		it.Cursor = len(it.Insert)
	}
	m.Items = append(m.Items, it)
}

// sort puts the items first that begin with what is typed, and leaves out those that are too many.
func (m *menu) sort() {
	if m.typed != "" {
		slices.SortStableFunc(m.Items, func(a, b Item) int { return cmp.Compare(m.rank(a), m.rank(b)) })
	}
	if len(m.Items) > maxItems {
		m.Items, m.Incomplete = m.Items[:maxItems], true
	}
}

func (m *menu) rank(it Item) int {
	if strings.HasPrefix(strings.ToLower(it.Label), m.typed) {
		return 0
	}
	return 1
}

// content completes in the content of an element: elements, the end tag, or code.
func (m *menu) content(n *node, offset int) {
	if n.tag == "script" && n.chart != nil {
		m.code(&code{span: n.body(), node: n}, offset)
		return
	}
	m.elements(n, offset)
}

// closing completes an end tag.
func (m *menu) closing(n *node, offset int) {
	start := n.tail.Start + len("</")
	m.word(Span{start, nameEnd(m.doc.text, start)}, offset)
	m.add(Item{Kind: ElementItem, Label: m.doc.at(n.name), Detail: "end tag"})
}

// elements completes the elements that are allowed in an element, which is nil outside of the root.
func (m *menu) elements(in *node, offset int) {
	text := m.doc.text
	start := wordStart(text[:offset])
	bracket := start > 0 && text[start-1] == '<'
	if strings.HasSuffix(text[:start], "</") {
		m.word(Span{start, offset}, offset)
		if in != nil && in.name.Start < in.name.End {
			m.add(Item{Kind: ElementItem, Label: m.doc.at(in.name), Detail: "end tag", Insert: m.doc.at(in.name) + ">"})
		}
		return
	}
	if m.Replace.Start == m.Replace.End {
		m.word(Span{start, offset}, offset)
	}
	if !bracket && m.typed != "" && in != nil && (in.tag == "" || holdsData(in)) {
		return // text
	}
	names := []string{"scxml"}
	prefix := ""
	if in != nil {
		names = doc.ChildNames(in.tag)
		name := m.doc.at(in.name)
		prefix = strings.TrimSuffix(name, localName(name))
		if in.tag == "content" && in.parent != nil && in.parent.tag == "invoke" {
			names = []string{"scxml"}
		}
	} else if len(m.doc.roots) > 0 && m.doc.roots[0].tag == "scxml" && m.doc.roots[0].head.Start < start-1 {
		return
	}
	inTag := offset < len(text) && m.doc.hasHead(offset)
	for _, name := range names {
		insert, cursor, again := m.tag(prefix, name, in)
		if inTag {
			insert, cursor, again = prefix+name, 0, false
		} else if !bracket {
			insert = "<" + insert
			if cursor > 0 {
				cursor++
			}
		}
		m.add(Item{Kind: ElementItem, Label: prefix + name, Detail: "SCXML " + vocabulary[name].section, Doc: vocabulary[name].text, Insert: insert, Cursor: cursor, Again: again})
	}
	if in != nil && in.tail.End == 0 && in.name.Start < in.name.End && in.complete && !in.empty {
		insert := "/" + m.doc.at(in.name) + ">"
		if !bracket {
			insert = "<" + insert
		}
		m.add(Item{Kind: ElementItem, Label: "/" + m.doc.at(in.name), Detail: "end tag", Insert: insert})
	}
}

// hasHead reports whether the tag at an offset continues after its name, so that only the name is to be
// replaced.
func (d *Document) hasHead(offset int) bool {
	n := d.nodeAt(offset)
	return n != nil && n.name.touches(offset) && (n.complete || len(n.attrs) > 0)
}

// wordStart returns the start of the name at the end of a text.
func wordStart(text string) int {
	at := len(text)
	for at > 0 && (startsWord(text, at-1) || isDigit(text[at-1]) || text[at-1] == '-' || text[at-1] == '.' || text[at-1] == ':') {
		at--
	}
	return at
}

// tag returns the text of an element without its "<", with its required or most used attributes, and
// where the cursor goes: into the first of them, or into the content.
func (m *menu) tag(prefix, name string, in *node) (insert string, cursor int, again bool) {
	attrs, required := doc.Attributes(name)
	attrs = slices.Clone(attrs[:required])
	switch {
	case name == "scxml":
		insert = `scxml xmlns="` + namespace + `" version="1.0" initial=""`
		cursor = len(insert) - 1
		return insert + ">\n</scxml>", cursor, false
	case isState(name):
		attrs = []string{"id"}
	case name == "transition" && in != nil && (in.tag == "initial" || in.tag == "history"):
		attrs = []string{"target"}
	case name == "transition":
		attrs = []string{"event", "target"}
	case name == "send":
		attrs = []string{"event"}
	case name == "log" || name == "assign" || name == "data" || name == "param":
		attrs = append(attrs, "expr")
	case name == "cancel":
		attrs = []string{"sendid"}
	}
	insert = prefix + name
	for i, a := range attrs {
		insert += " " + a + `=""`
		if i == 0 {
			cursor = len(insert) - 1
			switch vocabulary[name].attrs[a].role {
			case targets, initials, descriptors, eventName, sendRef:
				again = true
			}
		}
	}
	if len(doc.ChildNames(name)) == 0 && name != "script" && name != "content" || name == "transition" || name == "send" {
		return insert + "/>", cursor, again
	}
	if cursor == 0 {
		cursor = len(insert) + 1
	}
	return insert + "></" + prefix + name + ">", cursor, again
}

// inTag completes within a start tag: an attribute, or the value of one.
func (m *menu) inTag(n *node, offset int) {
	d := m.doc
	for _, a := range n.attrs {
		switch {
		case a.name.Start < a.name.End && a.name.touches(offset):
			m.word(a.name, offset)
			m.attributes(n, a.value.Start > a.name.End || a.quoted)
			return
		case a.quoted && a.value.touches(offset):
			m.value(n, &a, offset)
			return
		}
	}
	if offset > n.name.End && isSpace(d.text[offset-1]) {
		m.attributes(n, false)
	}
}

// attributes completes the attributes of an element that it does not have. hasValue says that the one
// at the place has a value.
func (m *menu) attributes(n *node, hasValue bool) {
	known := vocabulary[n.tag].attrs
	all, required := doc.Attributes(n.tag)
	for i, name := range all {
		if m.doc.hasAttr(n, name) && m.doc.at(m.Replace) != name {
			continue
		}
		it := Item{Kind: AttributeItem, Label: name, Detail: "SCXML " + vocabulary[n.tag].section, Doc: known[name].text}
		if i < required {
			it.Detail = "required, " + it.Detail
		}
		if !hasValue {
			it.Insert = name + `=""`
			it.Cursor = len(it.Insert) - 1
			it.Again = known[name].role != plain || known[name].values != nil
		}
		m.add(it)
	}
}
