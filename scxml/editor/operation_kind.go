package editor

import (
	"fmt"
	"slices"
	"strings"
)

func (w *draft) setKind() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	n, kind := s.node, w.args["kind"]
	tag, typ := kind, ""
	if kind == "deep-history" {
		tag, typ = "history", "deep"
	}
	if n.tag == tag {
		if tag == "history" {
			w.setAttr(n, "type", typ)
		}
		return nil
	}
	if err := w.fits(n, tag); err != nil {
		return fmt.Errorf("state: %q cannot become a <%s>: %w", w.name(s), tag, err)
	}
	w.setTag(n, tag)
	if tag != "state" {
		w.setAttr(n, "initial", "")
	}
	if n.tag == "history" {
		w.setAttr(n, "type", "")
		for _, c := range n.children {
			w.remove(c) // its default
		}
	}
	if tag != "history" {
		return nil
	}
	w.setAttr(n, "type", typ)
	transition, err := w.historyDefault(n.parent, n)
	if err == nil {
		w.insert(n, nil, transition)
	}
	return err
}

// fits returns an error if there is something in a state that one with another tag cannot have.
func (w *draft) fits(n *node, tag string) error {
	for _, c := range n.children {
		bad := false
		switch tag {
		case "state":
			bad = c.tag == "donedata" || n.tag == "history" && len(c.children) > 0
		case "parallel":
			bad = c.tag == "donedata" || c.tag == "final" || c.tag == "initial" || n.tag == "history" && len(c.children) > 0
		case "final":
			bad = c.tag != "onentry" && c.tag != "onexit" && (n.tag != "history" || len(c.children) > 0)
		case "history":
			bad = true
		}
		if bad {
			return fmt.Errorf("the <%s> at %s is in it: move or delete that first", c.tag, w.where(c.span.Start))
		}
	}
	return nil
}

func (w *draft) makeInitial() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	in := s.node.parent
	switch {
	case in.tag == "parallel":
		return fmt.Errorf("state: %q is a region of a parallel, which enters all of them", w.name(s))
	case w.initialOf(in) == nil && !w.hasAttr(in, "initial") && firstOf(in) == s.node:
		return nil
	case s.id == "":
		return fmt.Errorf("state: %s has no id: give it one first, with rename-state", w.name(s))
	}
	return w.writeInitial(in, s.id)
}

// firstOf returns the child that a state enters unless it says otherwise, or nil.
//
// REC 3.3: "Otherwise it is the state's first child state in document order." A history is not one.
func firstOf(n *node) *node {
	for _, c := range children(n) {
		if c.tag != "history" {
			return c
		}
	}
	return nil
}

// initialOf returns the transition of the <initial> of a state, or nil.
func (w *draft) initialOf(n *node) *node {
	for _, c := range n.children {
		if c.tag == "initial" && len(c.children) == 1 {
			return c.children[0]
		}
	}
	return nil
}

// writeInitial says what a state enters by default where it says so already.
func (w *draft) writeInitial(n *node, to string) error {
	if t := w.initialOf(n); t != nil {
		if to == "" {
			return fmt.Errorf("state: the <initial> at %s needs a target", w.where(t.parent.span.Start))
		}
		w.setAttr(t, "target", to)
		return nil
	}
	w.setAttr(n, "initial", to)
	return nil
}

func (w *draft) setInitial() error {
	s, err := w.state("state")
	if err != nil {
		return err
	}
	to := strings.Join(strings.Fields(w.args["to"]), " ")
	if err := w.areStates("to", to); err != nil {
		return err
	}
	if s.node.tag != "scxml" && s.node.tag != "state" || len(children(s.node)) == 0 {
		return fmt.Errorf("state: %q has no child states of which one is active", w.name(s))
	}
	for _, id := range strings.Fields(to) {
		if inner := w.chart.byID[id]; inner == s || !isWithin(inner, s) {
			return fmt.Errorf("to: %q is not in %q", id, w.name(s))
		}
	}
	return w.writeInitial(s.node, to)
}

func (w *draft) setInitialActions() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	if t := w.initialOf(s.node); t != nil {
		return w.setContent(t, "actions")
	}
	first := firstOf(s.node)
	if s.node.tag != "state" || first == nil {
		return fmt.Errorf("state: %q has no child states of which one is active", w.name(s))
	}
	text, err := w.content(s.node, "actions")
	if err != nil || text == "" {
		return err
	}
	to := w.attr(s.node, "initial")
	if to == "" {
		to = first.state.id
	}
	if to == "" {
		return fmt.Errorf("state: %s has no id: give it one first, with rename-state", w.name(first.state))
	}
	w.setAttr(s.node, "initial", "")
	w.add(s.node, w.filled(s.node, w.filled(s.node, text, "transition", "target", to), "initial"), "initial")
	return nil
}

// contentOrder is the order in which the elements of a state are usually written. Where it does not count,
// a new one follows those before it here.
var contentOrder = []string{"datamodel", "script", "onentry", "onexit", "invoke", "transition", "initial", "donedata"}

// add writes an element of a tag into a state.
func (w *draft) add(in *node, text, tag string) {
	rank := slices.Index(contentOrder, tag)
	var after *node
	for _, c := range in.children {
		if i := slices.Index(contentOrder, c.tag); i >= 0 && i <= rank {
			after = c
		}
	}
	w.insert(in, after, text)
}

// number returns which of several the argument "number" names.
func (w *draft) number(all []*node, what string) (*node, error) {
	i := 1
	if text := w.args["number"]; text != "" {
		if _, err := fmt.Sscanf(text+"\n", "%d\n", &i); err != nil {
			return nil, fmt.Errorf("number: %.20q is not a number", text)
		}
	}
	if i < 1 || i > len(all) {
		return nil, fmt.Errorf("number: there are %d <%s>, and none with the number %d", len(all), what, i)
	}
	return all[i-1], nil
}

// those returns the children of an element that have a tag.
func those(n *node, tag string) []*node {
	return slices.DeleteFunc(slices.Clone(n.children), func(c *node) bool { return c.tag != tag })
}

func (w *draft) setHandler(tag string) error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	all := those(s.node, tag)
	if len(all) == 0 && w.args["number"] == "" {
		if strings.TrimSpace(w.args["actions"]) == "" {
			return nil
		}
		return w.addHandler(tag)
	}
	n, err := w.number(all, tag)
	if err != nil {
		return err
	}
	if strings.TrimSpace(w.args["actions"]) == "" {
		w.remove(n)
		return nil
	}
	return w.setContent(n, "actions")
}

func (w *draft) addHandler(tag string) error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	text, err := w.content(s.node, "actions")
	if err == nil {
		w.add(s.node, w.filled(s.node, text, tag), tag)
	}
	return err
}
