package editor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Copy returns the text of a state for the operation paste-states, or of a transition for paste-transitions:
// without a namespace prefix, and as if it were not indented.
func (d *Document) Copy(name string) (string, error) {
	if err := d.isWhole(); err != nil {
		return "", err
	}
	w := &draft{Document: d, chart: d.charts[0], args: map[string]string{"state": name, "transition": name}}
	s, err := w.inner("state")
	if err == nil {
		return w.copied(s.node), nil
	}
	if !strings.Contains(name, "/") {
		return "", err
	}
	t, err := w.transition()
	if err != nil {
		return "", err
	}
	return w.copied(t), nil
}

func (w *draft) copied(n *node) string {
	return w.unprefixed(moveLines(w.at(n.span), w.indent(n), "", "\n"), n)
}

// unprefixed returns a text from an element without the namespace prefix that this has.
func (w *draft) unprefixed(text string, n *node) string {
	prefix := w.prefix(n)
	if prefix == "" {
		return text
	}
	return rename(text, func(name string) string { return strings.TrimPrefix(name, prefix) })
}

func (w *draft) paste() error {
	in, after, err := w.destination()
	if err != nil {
		return err
	}
	text, err := w.pasted(in, "state", func(tag string) bool { return isState(tag) && tag != "scxml" })
	if err == nil {
		w.insert(in, after, w.fresh(text))
	}
	return err
}

func (w *draft) pasteTransitions() error {
	s, err := w.source()
	if err != nil {
		return err
	}
	text, err := w.pasted(s.node, "transition", func(tag string) bool { return tag == "transition" })
	if err == nil {
		w.add(s.node, text, "transition")
	}
	return err
}

// pasted returns the elements in the argument "text", as they are written inside of an element. Their tags
// are some.
func (w *draft) pasted(in *node, what string, is func(tag string) bool) (string, error) {
	text, err := w.content(in, "text")
	if err != nil {
		return "", err
	}
	roots, _ := scan(text)
	for _, n := range roots {
		if tag := localName(text[n.name.Start:n.name.End]); !is(tag) {
			return "", fmt.Errorf("text: <%s> is not a %s", tag, what)
		}
	}
	if len(roots) == 0 {
		return "", fmt.Errorf("text: there is no %s in it", what)
	}
	return text, nil
}

func (w *draft) duplicateState() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	w.insert(s.node.parent, s.node, w.fresh(moveLines(w.at(s.node.span), w.indent(s.node), "", "\n")))
	return nil
}

// fresh gives the states in a text ids that are not taken in the document, wherever the text has them.
func (w *draft) fresh(text string) string {
	prefix := w.prefix(w.chart.root)
	space := "xmlns"
	if prefix != "" {
		space += ":" + prefix[:len(prefix)-1]
	}
	head := "<" + prefix + "scxml " + space + `="` + namespace + `" datamodel="` + w.attr(w.chart.root, "datamodel") + `">`
	if !w.hasAttr(w.chart.root, "datamodel") {
		head = "<" + prefix + "scxml " + space + `="` + namespace + `">`
	}
	d := Analyse(w.Document.name, head+text+"</"+prefix+"scxml>", Options{Chart: w.opts.Chart})
	c := d.charts[0]
	taken := func(id string) bool { return w.chart.byID[id] != nil || c.byID[id] != nil }
	given := map[string]bool{}
	var edits []Edit
	for _, s := range c.states {
		if s.id == "" || w.chart.byID[s.id] == nil || c.byID[s.id] != s {
			continue
		}
		name := strings.TrimRight(s.id, "0123456789")
		number, err := strconv.Atoi(s.id[len(name):])
		if err != nil {
			name, number = s.id, 1
		}
		id := s.id
		for taken(id) || given[id] {
			number++
			id = name + strconv.Itoa(number)
		}
		given[id] = true
		for _, u := range d.related(&word{kind: stateWord, name: s.id, node: s.node}) {
			edits = append(edits, Edit{Span{u.span.Start - len(head), u.span.End - len(head)}, id})
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int { return a.Span.Start - b.Span.Start })
	return ApplyEdits(text, edits)
}
