package editor

import (
	"slices"
	"strings"
)

// A wordKind says what a name is for.
type wordKind uint8

const (
	stateWord wordKind = iota
	eventWord
	dataWord
	sendWord
	invokeWord
)

// A use is what a document does with a name.
type use uint8

const (
	defines use = iota // a state, a data item, a <send> or an <invoke>
	refers             // to one of them
	sends              // an event
	takes              // events
)

// A word is a name in the text.
type word struct {
	kind  wordKind
	use   use
	name  string // that of an event descriptor is without its wildcard
	span  Span
	node  *node
	inner bool // the place is a part of another word, as the id in done.state.ID
	alone bool // it leads into the session itself: <raise>, and <send> without target or to #_internal
	short bool // in code, it is a property and its value: {x}
}

// eachWord calls f for each word of a list, which is separated by white space. Its span is in the
// text that the list begins at.
func eachWord(list string, at int, f func(word string, span Span)) {
	start := -1
	for i := 0; i <= len(list); i++ {
		switch {
		case i < len(list) && !isSpace(list[i]):
			if start < 0 {
				start = i
			}
		case start >= 0:
			f(list[start:i], Span{at + start, at + i})
			start = -1
		}
	}
}

// trimmed returns a span of the text without white space around it.
func trimmed(text string, s Span) Span {
	for s.Start < s.End && isSpace(text[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && isSpace(text[s.End-1]) {
		s.End--
	}
	return s
}

// A chart is what one <scxml> element holds: ids are its own.
type chart struct {
	root   *node
	parent *chart // the chart whose <invoke> it is in; nil for the document itself
	invoke *node  // that <invoke>
	states []*state
	byID   map[string]*state
	words  []word // in document order, without those in code
	codes  []code // in document order
	escape Span   // a name that is written with a character reference; empty if there is none
	files  []Span // the files of scripts
}

// A state is an element with the role of a state.
type state struct {
	node   *node
	id     string
	parent *state
}

// A code is a piece of code of the data model.
type code struct {
	role role // plain for a script
	span Span // as written
	node *node
	attr string // its attribute, or ""
}

// A scope is what the inner elements of an element inherit.
type scope struct {
	chart *chart
	state *state
	space string   // default namespace
	bound []prefix // the innermost one last
}

// maxPrefixes is how many namespace prefixes are known at a place.
const maxPrefixes = 100

// A prefix is a namespace prefix.
type prefix struct{ name, space string }

const namespace = "http://www.w3.org/2005/07/scxml"

// index gives the nodes their tags and finds the charts with their names.
func (d *Document) index() {
	for _, n := range d.roots {
		d.element(n, scope{})
	}
	for _, c := range d.charts {
		c.generatedIDs()
	}
}

// generatedIDs finds the words for invocations whose id the session makes: it begins with that of the
// state (REC 6.4.1).
func (c *chart) generatedIDs() {
	var own map[string]bool
	for i := range c.words {
		w := &c.words[i]
		if w.kind != invokeWord || w.use != refers || c.byID[w.name] == nil {
			continue
		}
		if own == nil {
			own = map[string]bool{}
			for _, o := range c.words {
				own[o.name] = own[o.name] || o.kind == invokeWord && o.use == defines
			}
		}
		if !own[w.name] {
			w.kind = stateWord
		}
	}
}

func (d *Document) element(n *node, sc scope) {
	d.namespaces(n, &sc)
	name := d.at(n.name)
	space := sc.space
	if before, local, ok := strings.Cut(name, ":"); ok {
		name, space = local, before
		for _, p := range sc.bound { // the innermost one counts
			if p.name == before {
				space = p.space
			}
		}
	}
	if space == namespace || space == "" {
		n.tag = name
	}
	switch {
	case sc.chart == nil || n.tag == "scxml" && holdsData(n.parent):
		c := &chart{root: n, parent: sc.chart, byID: map[string]*state{}}
		if len(d.charts) == 0 { // what a large chart usually has
			attrs := strings.Count(d.text, "=\"")
			c.byID = make(map[string]*state, attrs/8)
			c.words = make([]word, 0, attrs*2/3)
			c.codes = make([]code, 0, attrs/3)
			c.states = make([]*state, 0, attrs/8)
		}
		if sc.chart != nil && isDocument(n, d.at(n.name)) {
			c.invoke = n.parent.parent
		}
		d.charts = append(d.charts, c)
		sc.chart, sc.state = c, nil
		d.state(n, &sc)
	case isState(n.tag):
		d.state(n, &sc)
	}
	n.chart = sc.chart
	d.attributes(n, sc.chart)
	if body := n.body(); n.tag == "script" && body.Start < body.End {
		sc.chart.codes = append(sc.chart.codes, code{span: body, node: n})
	}
	for _, child := range n.children {
		if !holdsData(n) || isDocument(child, d.at(child.name)) {
			d.element(child, sc)
		}
	}
}

// holdsData reports whether the content of an element is data, code or a document.
func holdsData(n *node) bool {
	return n.tag == "data" || n.tag == "assign" || n.tag == "content" || n.tag == "script"
}

// isDocument reports whether an element is the document of an <invoke>.
func isDocument(n *node, name string) bool {
	return localName(name) == "scxml" && n.parent.tag == "content" && n.parent.parent != nil && n.parent.parent.tag == "invoke"
}

func isState(tag string) bool {
	return tag == "state" || tag == "parallel" || tag == "final" || tag == "history" || tag == "scxml"
}

func (d *Document) namespaces(n *node, sc *scope) {
	for _, a := range n.attrs {
		name := d.at(a.name)
		if name == "xmlns" {
			sc.space = d.at(a.value)
		} else if p, ok := strings.CutPrefix(name, "xmlns:"); ok && len(sc.bound) < maxPrefixes {
			sc.bound = append(slices.Clip(sc.bound), prefix{p, d.at(a.value)})
		}
	}
}

// state adds a state to the chart.
func (d *Document) state(n *node, sc *scope) {
	s := &state{node: n, parent: sc.state}
	if n.tag != "scxml" {
		s.id = strings.TrimSpace(d.attr(n, "id"))
	}
	c := sc.chart
	c.states = append(c.states, s)
	n.state = s
	if s.id != "" && c.byID[s.id] == nil {
		c.byID[s.id] = s
	}
	sc.state = s
}

// attributes finds the names in the attributes of an element.
func (d *Document) attributes(n *node, c *chart) {
	attrs := vocabulary[n.tag].attrs
	if attrs == nil {
		return
	}
	for _, a := range n.attrs {
		known, ok := attrs[d.at(a.name)]
		if !ok || !a.quoted && a.value.Start == a.value.End {
			continue
		}
		value := d.at(a.value)
		add := func(kind wordKind, use use, name string, span Span) *word {
			c.words = append(c.words, word{kind: kind, use: use, name: name, span: span, node: n})
			if strings.Contains(name, "&") {
				c.escape = span
			}
			return &c.words[len(c.words)-1]
		}
		one := func(kind wordKind, use use) *word {
			span := trimmed(d.text, a.value)
			if span.Start == span.End {
				return &word{}
			}
			return add(kind, use, d.at(span), span)
		}
		switch known.role {
		case stateID:
			one(stateWord, defines)
		case targets, initials:
			eachWord(value, a.value.Start, func(w string, s Span) { add(stateWord, refers, w, s) })
		case descriptors:
			eachWord(value, a.value.Start, func(w string, s Span) {
				name := strings.TrimSuffix(strings.TrimSuffix(w, ".*"), ".")
				if name == "*" {
					name = ""
				}
				add(eventWord, takes, name, Span{s.Start, s.Start + len(name)})
				d.engineEvent(add, name, s.Start)
			})
		case eventName:
			w := one(eventWord, sends)
			w.alone = n.tag == "raise" || d.toItself(n)
		case dataID, variable:
			one(dataWord, defines)
		case sendID:
			one(sendWord, defines)
		case sendRef:
			one(sendWord, refers)
		case invokeID:
			one(invokeWord, defines)
		case sendTarget:
			span := trimmed(d.text, a.value)
			if id, ok := strings.CutPrefix(d.at(span), "#_"); ok && id != "parent" && id != "internal" && !strings.HasPrefix(id, "scxml_") {
				add(invokeWord, refers, id, Span{span.Start + len("#_"), span.End})
			}
		case file:
			if n.tag == "script" && strings.TrimSpace(value) != "" {
				c.files = append(c.files, a.value)
			}
		default:
			if known.role.isCode() {
				c.codes = append(c.codes, code{known.role, a.value, n, d.at(a.name)})
			}
		}
	}
}

// The events of the engine that name a state or an invocation (REC 3.7, 6.4).
const (
	doneState  = "done.state."
	doneInvoke = "done.invoke."
)

// engineEvent adds the id in the name of an event of the engine.
func (d *Document) engineEvent(add func(wordKind, use, string, Span) *word, name string, at int) {
	end := at + len(name)
	if id, ok := strings.CutPrefix(name, doneState); ok && id != "" {
		add(stateWord, refers, id, Span{end - len(id), end}).inner = true
	} else if id, ok := strings.CutPrefix(name, doneInvoke); ok && id != "" {
		add(invokeWord, refers, id, Span{end - len(id), end}).inner = true
	}
}

// toItself reports whether the event of a <send> goes to the session itself and nowhere else.
func (d *Document) toItself(n *node) bool {
	target := d.attr(n, "target")
	if d.hasAttr(n, "targetexpr") || d.hasAttr(n, "typeexpr") || target != "" && target != "#_internal" {
		return false
	}
	typ := d.attr(n, "type")
	return typ == "" || typ == "scxml" || typ == scxmlEvents
}
