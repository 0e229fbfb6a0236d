package editor

import (
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestUsefulAtEveryPrefix cuts every legal chart where something begins, and expects that what stands
// there is offered, and that the outline has everything before it.
func TestUsefulAtEveryPrefix(t *testing.T) {
	asked := map[string]int{}
	for _, s := range corpus(t) {
		full := s.analyse(s.text)
		if hasErrors(full) {
			continue
		}
		offers := func(what string, cut int, label string) {
			asked[what]++
			if c := s.analyse(s.text[:cut]).Complete(cut); !c.offers(label) {
				t.Errorf("%s, cut after %q: %s %q is not offered, only %v", s.file, s.text[max(0, cut-30):cut], what, label, c.labels())
			}
		}
		states := 0
		var visit func([]*node)
		visit = func(nodes []*node) {
			for _, n := range nodes {
				if n.chart == nil || vocabulary[n.tag].text == "" {
					continue
				}
				if isState(n.tag) {
					states++
				}
				if asked["states"] < 3000 || states%20 == 0 {
					asked["states"]++
					if got := countStates(s.analyse(s.text[:n.head.End]).Symbols()); got != states {
						t.Errorf("%s, cut at %d: the outline has %d states, want %d", s.file, n.head.End, got, states)
					}
				}
				offers("element", n.name.Start, full.at(n.name))
				for _, a := range n.attrs {
					name := full.at(a.name)
					known, ok := vocabulary[n.tag].attrs[name]
					if !ok {
						continue
					}
					offers("attribute", a.name.Start, name)
					offers("attribute", a.name.Start+1, name)
					if known.role == choice {
						offers("value", a.value.Start, full.at(a.value))
					}
				}
				visit(n.children)
			}
		}
		visit(full.roots)
		for _, c := range full.charts {
			for i := range c.codes {
				if !strings.Contains(full.at(c.codes[i].span), "In(") {
					continue
				}
				for _, w := range full.wordsOf(&c.codes[i]) {
					if w.kind == stateWord && definedBefore(c, w.name, w.span.Start) {
						offers("In", w.span.Start, w.name)
					}
				}
			}
			for _, w := range c.words {
				switch {
				case w.inner || w.use == defines:
				case w.kind == stateWord && definedBefore(c, w.name, w.span.Start) && within(w.node) == nil && w.node.tag == "transition":
					offers("target", w.span.Start, w.name)
				case w.kind == eventWord && slices.ContainsFunc(c.words, func(o word) bool {
					return o.kind == eventWord && o.use != w.use && o.name == w.name && o.span.End < w.span.Start && !engineOnly(w.name)
				}):
					offers("event", w.span.Start, w.name)
				}
			}
		}
	}
	for _, what := range []string{"element", "attribute", "value", "target", "event", "In", "states"} {
		if asked[what] < 10 {
			t.Errorf("%s was asked for %d times only", what, asked[what])
		}
	}
	t.Log(asked)
}

func hasErrors(d *Document) bool {
	return slices.ContainsFunc(d.Problems(), func(p Problem) bool {
		return p.Severity == scxml.SeverityError || p.Code == "empty-attribute" || p.Code == "nonconforming"
	})
}

func definedBefore(c *chart, id string, at int) bool {
	s := c.byID[id]
	return s != nil && s.node.head.End < at
}

func (c *Completion) labels() []string {
	var all []string
	for _, it := range c.Items {
		all = append(all, it.Label)
	}
	return all
}

// offers reports whether something is offered, with any namespace prefix: that of an element need not be
// the one of its parent.
func (c *Completion) offers(label string) bool {
	return slices.ContainsFunc(c.Items, func(it Item) bool {
		return it.Label == label || it.Kind == ElementItem && localName(it.Label) == localName(label)
	})
}

// countStates returns the number of states and charts in an outline.
func countStates(all []Symbol) int {
	n := 0
	for _, s := range all {
		if s.Kind <= HistorySymbol {
			n++
		}
		n += countStates(s.Children)
	}
	return n
}
