package scxml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// The charts of the benchmarks. Those without scripts are trees of nodes, from which both the
// document and the tables of the hand-written loop are made, so that both run the same chart.

// node is a state of such a chart.
type node struct {
	kind     string // the element; "" is <state>
	id       string
	initial  string // id, or "" for the first child
	raise    string // event that <onentry> raises
	blocks   bool   // has an empty <onentry> and <onexit>
	arcs     []arc
	children []*node
}

// arc is a transition. That of a history is its default.
type arc struct{ event, target string }

func (n *node) element() string {
	if n.kind == "" {
		return "state"
	}
	return n.kind
}

// render writes the chart as SCXML.
func render(name string, root *node) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=%q datamodel=\"null\" initial=%q>\n", name, root.initial)
	for _, c := range root.children {
		c.write(&b, 1)
	}
	b.WriteString("</scxml>\n")
	return []byte(b.String())
}

func (n *node) write(b *strings.Builder, depth int) {
	indent := strings.Repeat(" ", depth)
	fmt.Fprintf(b, "%s<%s id=%q", indent, n.element(), n.id)
	if n.initial != "" {
		fmt.Fprintf(b, " initial=%q", n.initial)
	}
	if n.kind == "history" {
		b.WriteString(` type="deep"`)
	}
	b.WriteString(">\n")
	switch {
	case n.raise != "":
		fmt.Fprintf(b, "%s <onentry><raise event=%q/></onentry>\n", indent, n.raise)
	case n.blocks:
		fmt.Fprintf(b, "%s <onentry/><onexit/>\n", indent)
	}
	for _, a := range n.arcs {
		b.WriteString(indent + " <transition")
		if a.event != "" {
			fmt.Fprintf(b, " event=%q", a.event)
		}
		fmt.Fprintf(b, " target=%q/>\n", a.target)
	}
	for _, c := range n.children {
		c.write(b, depth+1)
	}
	fmt.Fprintf(b, "%s</%s>\n", indent, n.element())
}

// pingChart has two states and an event that goes back and forth.
func pingChart() *node {
	return &node{initial: "a", children: []*node{
		{id: "a", arcs: []arc{{"t", "b"}}},
		{id: "b", arcs: []arc{{"t", "a"}}},
	}}
}

// deepChart has two arms of so many levels; the event leads from leaf to leaf.
func deepChart(levels int) *node {
	arm := func(prefix, other string) *node {
		leaf := fmt.Sprint(levels)
		n := &node{id: prefix + leaf, blocks: true, arcs: []arc{{"t", other + leaf}}}
		for level := levels - 1; level > 0; level-- {
			n = &node{id: prefix + fmt.Sprint(level), blocks: true, children: []*node{n}}
		}
		return n
	}
	return &node{initial: "l1", children: []*node{arm("l", "r"), arm("r", "l")}}
}

// parallelChart has regions of 3 states; the event makes each of them step.
func parallelChart(regions int) *node {
	p := &node{kind: "parallel", id: "p"}
	for r := range regions {
		region := &node{id: fmt.Sprintf("r%d", r)}
		for i := range 3 {
			region.children = append(region.children, &node{
				id: fmt.Sprintf("r%ds%d", r, i), arcs: []arc{{"t", fmt.Sprintf("r%ds%d", r, (i+1)%3)}},
			})
		}
		p.children = append(p.children, region)
	}
	return &node{initial: "p", children: []*node{p}}
}

// ringChart has n states in a ring. In each, some transitions on events that do not occur precede
// the one to the next state.
func ringChart(n, others int) *node {
	root := &node{initial: "s0"}
	for i := range n {
		s := &node{id: fmt.Sprintf("s%d", i)}
		for j := range others {
			s.arcs = append(s.arcs, arc{fmt.Sprintf("other%d.x", j), fmt.Sprintf("s%d", (i+j)%n)})
		}
		s.arcs = append(s.arcs, arc{"next", fmt.Sprintf("s%d", (i+1)%n)})
		root.children = append(root.children, s)
	}
	return root
}

// internalChart runs 101 transitions for one event: the first on the event, then alternately on a
// raised event and eventless.
func internalChart() *node {
	root := &node{initial: "idle", children: []*node{{id: "idle", arcs: []arc{{"go", "s1"}}}}}
	for i := 1; i <= 100; i++ {
		next := "idle"
		if i < 100 {
			next = fmt.Sprintf("s%d", i+1)
		}
		s := &node{id: fmt.Sprintf("s%d", i), arcs: []arc{{"", next}}}
		if i%2 == 1 {
			s.raise, s.arcs[0].event = "i", "i"
		}
		root.children = append(root.children, s)
	}
	return root
}

// historyChart is a parallel of 3 regions, each of two compound states of two states. It is left
// and entered again through a deep history.
func historyChart() *node {
	p := &node{kind: "parallel", id: "p"}
	for g := range 3 {
		id := func(i int) string { return fmt.Sprintf("g%d%c%d", g, 'x'+i/2%2, i%2) }
		region := &node{id: fmt.Sprintf("g%d", g)}
		for half := range 2 {
			c := &node{id: fmt.Sprintf("g%d%c", g, 'x'+half)}
			for i := 2 * half; i < 2*half+2; i++ {
				c.children = append(c.children, &node{id: id(i), arcs: []arc{{"step", id(i + 1)}}})
			}
			region.children = append(region.children, c)
		}
		p.children = append(p.children, region)
	}
	return &node{initial: "run", children: []*node{
		{id: "run", initial: "p", arcs: []arc{{"pause", "paused"}}, children: []*node{
			{kind: "history", id: "h", arcs: []arc{{"", "p"}}}, p,
		}},
		{id: "paused", arcs: []arc{{"resume", "h"}}},
	}}
}

// guardsDocument asks five conditions of an event, of which the last holds.
const guardsDocument = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Guards" datamodel="ecmascript" initial="s">
 <datamodel><data id="count" expr="0"/></datamodel>
 <state id="s">
  <transition event="tick" cond="count &lt; 0" target="bad"/>
  <transition event="tick" cond="_event.data.n &lt; 0" target="bad"/>
  <transition event="tick" cond="count &gt; 1000000000 &amp;&amp; _event.data.n &gt; 10" target="bad"/>
  <transition event="tick" cond="_event.data.n === -1 || count === -1" target="bad"/>
  <transition event="tick" cond="count &gt;= 0 &amp;&amp; _event.data.n &gt;= 0" target="s">
   <assign location="count" expr="count + 1"/>
  </transition>
 </state>
 <final id="bad"/>
</scxml>`

// helloDocument ends at once.
const helloDocument = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null" initial="done"><final id="done"/></scxml>`

// speedChart is a chart without scripts together with the events that a
// benchmark sends to it in turn.
type speedChart struct {
	name   string
	events []string
	root   *node
}

// speedCharts are the charts that the hand-written loop can run.
func speedCharts() []speedChart {
	return []speedChart{
		{"ping", []string{"t"}, pingChart()},
		{"deep", []string{"t"}, deepChart(10)},
		{"parallel", []string{"t"}, parallelChart(10)},
		{"wide", []string{"next"}, ringChart(1000, 20)},
		{"internal", []string{"go"}, internalChart()},
		{"history", []string{"step", "pause", "resume"}, historyChart()},
	}
}

func compiled(tb testing.TB, name string, source []byte) *scxml.Chart {
	tb.Helper()
	chart, err := scxml.Parse(name+".scxml", source)
	if err != nil {
		tb.Fatal(err)
	}
	return chart
}
