package editor

import (
	"fmt"
	"slices"
	"strings"
)

// uses returns what refers to a state.
func (w *draft) uses(s *state) []word {
	if s.id == "" {
		return nil
	}
	return slices.DeleteFunc(w.related(&word{kind: stateWord, name: s.id, node: s.node}), func(u word) bool { return u.use == defines })
}

// inAttribute reports whether a name is in an attribute that is not code.
func (w *draft) inAttribute(u word) bool {
	a := w.attrAt(u.node, u.span.Start)
	return a != nil && !vocabulary[u.node.tag].attrs[w.at(a.name)].role.isCode()
}

func (w *draft) placeOf(u word) Place {
	text := "used here"
	if a := w.attrAt(u.node, u.span.Start); a != nil {
		text = fmt.Sprintf("%s of <%s>", w.at(a.name), u.node.tag)
	}
	return Place{Span: u.span, Text: text}
}

func (w *draft) dangling(s *state, places []Place) error {
	return w.danglingAt("state "+fmt.Sprintf("%q", w.name(s)), places)
}

func (w *draft) danglingAt(what string, places []Place) error {
	e := &DanglingError{What: what, Places: places}
	for i, p := range places {
		if i == 10 {
			e.where += fmt.Sprintf(" and %d other places", len(places)-i)
			break
		}
		if i > 0 {
			e.where += ", "
		}
		e.where += fmt.Sprintf("%s (%s)", w.where(p.Span.Start), p.Text)
	}
	return e
}

func (w *draft) deleteState() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	var outside []word
	for _, inner := range w.chart.states {
		if contains(s.node, inner.node) {
			for _, u := range w.uses(inner) {
				if !contains(s.node, u.node) {
					outside = append(outside, u)
				}
			}
		}
	}
	slices.SortStableFunc(outside, func(a, b word) int { return a.span.Start - b.span.Start })
	switch w.args["uses"] {
	case "keep":
		w.loose = true
	case "delete":
		if err := w.deleteUses(s, outside); err != nil {
			return err
		}
	default:
		if len(outside) > 0 {
			return w.dangling(s, w.places(outside))
		}
	}
	w.remove(s.node)
	return nil
}

func (w *draft) places(all []word) []Place {
	var places []Place
	for _, u := range all {
		places = append(places, w.placeOf(u))
	}
	return places
}

// deleteUses deletes what refers to a state or to one in it: the words of lists, and transitions that would
// lead nowhere or take nothing. What is in code is not deleted.
func (w *draft) deleteUses(s *state, uses []word) error {
	code := slices.DeleteFunc(slices.Clone(uses), func(u word) bool { return w.inAttribute(u) })
	if len(code) > 0 {
		return fmt.Errorf("state: code refers to it, at %s: change that first", w.where(code[0].span.Start))
	}
	out := func(id string) bool {
		id = strings.TrimSuffix(strings.TrimSuffix(id, ".*"), ".")
		inner := w.chart.byID[strings.TrimPrefix(id, doneState)]
		return inner != nil && contains(s.node, inner.node)
	}
	done := map[*node]bool{}
	for _, u := range uses {
		n := u.node
		if done[n] {
			continue
		}
		done[n] = true
		left := map[string]string{} // what stays of its lists
		for _, name := range []string{"target", "event", "initial"} {
			if a := w.attribute(n, name); a != nil {
				left[name] = w.without(w.at(a.value), func(word string) bool {
					return out(word) && (name != "event" || strings.HasPrefix(word, doneState))
				})
			}
		}
		switch {
		case n.tag != "transition":
			w.setAttr(n, "initial", left["initial"])
		case n.parent.tag == "history" && left["target"] == "":
			to, err := w.otherDefault(n.parent, s.node)
			if err != nil {
				return err
			}
			w.setAttr(n, "target", to)
		case n.parent.tag == "initial" && left["target"] == "":
			w.remove(n.parent)
		case w.hasAttr(n, "target") && left["target"] == "", w.hasAttr(n, "event") && left["event"] == "":
			w.remove(n)
		default:
			for _, name := range []string{"target", "event"} {
				if text, ok := left[name]; ok && text != w.attr(n, name) {
					w.setAttr(n, name, text)
				}
			}
		}
	}
	return nil
}

// otherDefault returns the state to which a history leads after another one is deleted.
func (w *draft) otherDefault(history, deleted *node) (string, error) {
	for _, c := range children(history.parent) {
		if c != deleted && c.tag != "history" && c.state.id != "" {
			return c.state.id, nil
		}
	}
	return "", fmt.Errorf("state: the history at %s would have no default: delete that first", w.where(history.span.Start))
}

func (w *draft) deleteData() error {
	n, err := w.data()
	if err != nil {
		return err
	}
	id := w.args["id"]
	uses := slices.DeleteFunc(w.related(&word{kind: dataWord, name: id, node: n}), func(u word) bool { return u.node == n })
	if len(uses) > 0 && w.args["uses"] != "keep" {
		return w.danglingAt(fmt.Sprintf("data %q", id), w.places(uses))
	}
	w.loose = w.args["uses"] == "keep"
	w.remove(n)
	return nil
}
