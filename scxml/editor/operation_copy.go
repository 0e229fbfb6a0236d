package editor

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Copy returns the text of a state for the operation paste-states: without a namespace prefix, and as if
// it were not indented.
func (d *Document) Copy(state string) (string, error) {
	if err := d.isWhole(); err != nil {
		return "", err
	}
	w := &draft{Document: d, chart: d.charts[0], args: map[string]string{"state": state}}
	s, err := w.inner("state")
	if err != nil {
		return "", err
	}
	return w.copied(s.node), nil
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
	s, err := w.state("in")
	if err != nil {
		return err
	}
	if err := w.holder("in", s.node); err != nil {
		return err
	}
	after, err := w.after(s.node)
	if err != nil {
		return err
	}
	text, err := w.content(s.node, "text")
	if err != nil {
		return err
	}
	roots, _ := scan(text)
	for _, n := range roots {
		if tag := localName(text[n.name.Start:n.name.End]); !isState(tag) || tag == "scxml" {
			return fmt.Errorf("text: <%s> is not a state", tag)
		}
	}
	if len(roots) == 0 {
		return errors.New("text: there is no state in it")
	}
	w.insert(s.node, after, w.fresh(text))
	return nil
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
