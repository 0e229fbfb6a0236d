package editor

import (
	"slices"
	"strconv"
	"strings"
)

// A StateInfo is what the text says of a state, with names as in an [Operation].
type StateInfo struct {
	Name, ID string
	Parent   string // the name; "" for the chart itself
	Kind     string // scxml, or as in the operation set-kind
	Initial  string // the attribute
	OnEntry  string // the content of its first <onentry>, see [TransitionInfo.Actions]
	OnExit   string // and of its first <onexit>
	Span     Span
}

// A TransitionInfo is what the text says of a transition, with names as in an [Operation].
type TransitionInfo struct {
	Name, Source        string
	Event, Cond, Target string
	Type                string
	Actions             string // its content, without a namespace prefix and as if it were not indented
	Span                Span
}

// Structure returns the states and transitions of the chart in document order, with what the operations
// can change of them.
func (d *Document) Structure() (states []StateInfo, transitions []TransitionInfo) {
	if len(d.charts) == 0 {
		return nil, nil
	}
	w := &draft{Document: d, chart: d.charts[0]}
	names := map[*state]string{}
	for i, s := range w.chart.states {
		names[s] = w.nameOf(i)
	}
	for _, s := range w.chart.states {
		n := s.node
		info := StateInfo{Name: names[s], ID: s.id, Parent: names[s.parent], Kind: n.tag, Initial: w.attr(n, "initial"), OnEntry: w.contentOf(n, "onentry"), OnExit: w.contentOf(n, "onexit"), Span: n.span}
		if n.tag == "history" && w.attr(n, "type") == "deep" {
			info.Kind = "deep-history"
		}
		states = append(states, info)
		if t := w.initialOf(n); t != nil {
			transitions = append(transitions, w.transitionInfo(t, names[s], "initial"))
		}
		for i, t := range those(n, "transition") {
			number := strconv.Itoa(i + 1)
			if n.tag == "history" {
				number = "initial"
			}
			transitions = append(transitions, w.transitionInfo(t, names[s], number))
		}
	}
	return states, transitions
}

func (w *draft) transitionInfo(t *node, source, number string) TransitionInfo {
	value := func(name string) string {
		if a := w.attribute(t, name); a != nil {
			return strings.TrimSpace(w.read(a.value).text)
		}
		return ""
	}
	return TransitionInfo{
		Name: source + "/" + number, Source: source, Event: value("event"), Cond: value("cond"), Target: value("target"), Type: value("type"),
		Actions: w.inside(t), Span: t.span,
	}
}

// contentOf returns what is in the first child of an element with a tag.
func (w *draft) contentOf(n *node, tag string) string {
	if i := slices.IndexFunc(n.children, func(c *node) bool { return c.tag == tag }); i >= 0 {
		return w.inside(n.children[i])
	}
	return ""
}

// inside returns the content of an element as the argument of an operation.
func (w *draft) inside(n *node) string {
	if n.empty {
		return ""
	}
	return w.unprefixed(outdent(strings.ReplaceAll(w.at(n.body()), "\r\n", "\n")), n)
}
