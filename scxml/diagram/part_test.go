package diagram

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// grown returns a chart with n groups of m states, of which each leads to the next one and to the next group.
func grown(n, m int) string {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml">`)
	for i := range n {
		fmt.Fprintf(&b, `<state id="g%d">`, i)
		for k := range m {
			fmt.Fprintf(&b, `<state id="g%[1]ds%[2]d"><transition event="next" target="g%[1]ds%[3]d"/><transition event="out" target="g%[4]d"/></state>`, i, k, (k+1)%m, (i+1)%n)
		}
		b.WriteString(`</state>`)
	}
	return b.String() + `</scxml>`
}

// What is above a bound is refused, and what Fitting proposes is not; what is at the bound is drawn.
func TestBounds(t *testing.T) {
	d := New(parse(t, grown(4, 10)))
	few := bounds{states: 44, transitions: 100, crossed: 1000}
	plan, err := d.plan(t.Context(), few)
	if err != nil {
		t.Fatal(err)
	}
	lines := plan.ports
	for _, b := range plan.boxes {
		if b.graph != nil {
			lines += b.graph.passed()
		}
	}
	exact := bounds{states: len(d.Nodes) - 1, transitions: len(d.Edges), crossed: lines}
	if _, err := d.layout(t.Context(), exact); err != nil {
		t.Errorf("at the bounds %v: %v", exact, err)
	}
	for want, most := range map[string]bounds{
		"it has 44 states: a picture has at most 43":                                                            {exact.states - 1, exact.transitions, lines},
		"it has 85 transitions: a picture has at most 84":                                                       {exact.states, exact.transitions - 1, lines},
		fmt.Sprintf("it has %d places where lines pass other states: a picture has at most %d", lines, lines-1): {exact.states, exact.transitions, lines - 1},
	} {
		_, err := d.layout(t.Context(), most)
		if large := new(TooLargeError); !errors.As(err, &large) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		state, depth := d.fitting(t.Context(), d.Root, most)
		if state == nil || depth != 1 {
			t.Fatalf("%s: Fitting proposes %v and depth %d", want, state, depth)
		}
		for _, part := range []*Diagram{d.Part(state, 0), d.Part(d.Root, depth)} {
			if _, err := part.layout(t.Context(), most); err != nil {
				t.Errorf("%s: what Fitting proposes: %v", want, err)
			}
		}
	}
}

// 50 transitions of each of 200 states pass a lot of places. That is refused without the memory for them.
func TestBoundsComeFirst(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml">`)
	for i := range 200 {
		fmt.Fprintf(&b, `<state id="s%d">`, i)
		for k := range 50 {
			fmt.Fprintf(&b, `<transition event="e" target="s%d"/>`, (i*31+k*17)%200)
		}
		b.WriteString(`</state>`)
	}
	_, err := New(parse(t, b.String()+`</scxml>`)).Layout(t.Context())
	if err == nil || !strings.Contains(err.Error(), "places where lines pass other states: a picture has at most 250000") {
		t.Errorf("got %v", err)
	}
}

func TestLayoutEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(parse(t, doorChart)).Layout(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A part has the ids of the whole. What it leaves out is counted, and what leads out of it is named.
func TestPart(t *testing.T) {
	d := New(parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml">
	  <state id="a"><transition event="deep" target="c"/>
	    <state id="b"><state id="c"><transition event="hidden" target="z"/></state><state id="d"/>
	      <transition event="self" target="d"/><transition event="both" target="z"/></state>
	  </state>
	  <state id="z"><transition event="back" target="c"/><transition event="stay"/></state></scxml>`))
	describe := func(p *Diagram) string {
		var all []string
		for i, n := range p.Nodes {
			if n.Index != i || n.Parent != nil && !n.Within(n.Parent) || p.Node(n.State) != n {
				t.Errorf("%s is out of place", n.ID)
			}
			for _, l := range n.Lines {
				all = append(all, n.ID+" "+l.Short)
			}
		}
		for i, e := range p.Edges {
			if e.Index != i || p.Nodes[e.Source.Index] != e.Source {
				t.Errorf("%s is out of place", e.ID)
			}
			text := e.ID + ":" + e.Label()
			for _, n := range e.Targets {
				if p.Nodes[n.Index] != n {
					t.Errorf("%s leads to %s, which is not in the part", e.ID, n.ID)
				}
				text += " to " + n.ID
			}
			all = append(all, text)
		}
		laid, err := p.Layout(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		svg(t, laid, SVGOptions{})
		return strings.Join(all, "\n")
	}
	for _, test := range []struct {
		name string
		part *Diagram
		want string
	}{
		{"a at depth 1", d.Part(d.Nodes[1], 1), `b … 2 states
a/initial: to b
a/1:deep to b
b/1:self to b
b/2:both → z`},
		{"depth 1", d.Part(d.Root, 1), `a … 3 states
state#0/initial: to a
a/1:deep to a
z/1:back to a
z/2:stay`},
		{"b", d.Part(d.Nodes[2], 0), `b/initial: to c
b/1:self to d
b/2:both → z
c/1:hidden → z`},
		{"b of a part", d.Part(d.Nodes[1], 1).Part(d.Part(d.Nodes[1], 1).Nodes[2], 0), `b … 2 states
b/1:self to b
b/2:both → z`},
	} {
		got := strings.ReplaceAll(describe(test.part), d.Root.ID+"/", "state#0/")
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// The picture of one state shows the lines for which that of the chart has no room.
func TestPartShowsAllLines(t *testing.T) {
	d := New(parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a">`+strings.Repeat(`<transition event="e"/>`, 12)+`</state></scxml>`))
	p := d.Part(d.Nodes[1], 0)
	for _, test := range []struct {
		d    *Diagram
		want string
	}{{d, "… 5 more"}, {d.Part(d.Root, 1), "… 5 more"}, {p, "e"}, {p.Part(p.Root, 1), "… 5 more"}} {
		rows := stateRows(test.d.Nodes[1])
		if got := rows[len(rows)-1].spans[0].Text; got != test.want {
			t.Errorf("the last line is %q, want %q", got, test.want)
		}
	}
}
