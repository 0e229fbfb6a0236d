package explore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A counter counts up to 9 in steps of 1 and 2. It does not come to rest after 7, and prunes 8.
type counter struct{ n byte }

func (c *counter) Start(context.Context) error            { c.n = 0; return nil }
func (c *counter) AppendState(dst []byte) ([]byte, error) { return append(dst, c.n), nil }
func (c *counter) LoadState(state []byte) error           { c.n = state[0]; return nil }
func (c *counter) AppendKey(dst []byte) ([]byte, error)   { return append(dst, c.n), nil }
func (c *counter) Final() bool                            { return c.n == 9 }
func (c *counter) In(state string) bool                   { return c.Configuration()[0] == state }
func (c *counter) Configuration() []string                { return []string{fmt.Sprint(c.n)} }
func (c *counter) Prune() bool                            { return c.n == 8 }
func (c *counter) Schedule([]explore.Input) ([]explore.Input, error) {
	return []explore.Input{{Wait: time.Second}}, nil
}
func (c *counter) Eval(context.Context, string) (datamodel.Value, error) { return int64(c.n), nil }
func (c *counter) AppendInputs(dst []explore.Input) []explore.Input {
	return append(dst, explore.Input{Event: "none"}, explore.Input{Event: "one"}, explore.Input{Event: "two"})
}
func (c *counter) Apply(_ context.Context, in explore.Input) error {
	switch in.Event {
	case "one":
		c.n++
	case "two":
		c.n += 2
	}
	if c.n == 7 {
		return fmt.Errorf("seven: %w", explore.ErrEndless)
	}
	return nil
}
func (c *counter) Violations() []explore.Violation {
	if c.n == 5 {
		return []explore.Violation{{Kind: explore.Broken, Property: "five"}}
	}
	return nil
}

func newCounter() (explore.System, error) { return new(counter), nil }

// A search visits any System, and calls the methods that it may have.
func TestSystem(t *testing.T) {
	r, err := explore.Search(t.Context(), newCounter, explore.Options{Graph: true, Reach: []string{"6", "9"}})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, v := range r.Violations {
		kinds = append(kinds, fmt.Sprint(v.Kind, v.Property, v.Path))
	}
	want := []string{"propertyfive[advance 1s]", "endless[advance 1s]", "missing9[]"}
	if !slices.Equal(kinds, want) || r.Pruned != 1 || r.States != 8 || len(r.Reached) != 1 {
		t.Errorf("%+v\ngot %q", r, kinds)
	}
	var edges []string
	for _, e := range r.Graph.Edges {
		edges = append(edges, r.Graph.Nodes[e.From].Configuration[0]+e.Input.Event+r.Graph.Nodes[e.To].Configuration[0])
	}
	if got := fmt.Sprint(edges); got != "[0one1 0two2 1one2 1two3 2one3 2two4 3one4 3two5 4one5 4two6 5one6 6two8]" || len(r.Graph.Nodes) != 8 {
		t.Errorf("edges are %s", got)
	}
}

func TestStop(t *testing.T) {
	r, err := explore.Search(t.Context(), newCounter, explore.Options{Reach: []string{"4", "2", "4"}, Stop: true})
	if err != nil || r.Verdict != explore.Inconclusive || r.Bound != "reached" || r.States != 5 || len(r.Reached) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The nodes of a graph say which states are final and which are deadlocks.
func TestGraph(t *testing.T) {
	chart := parse(t, `<state id="a"><transition event="e" target="b"/><transition event="f" target="c"/><transition event="g"/></state><state id="b"/><final id="c"/>`)
	g := run(t, chart, explore.Options{Graph: true}).Graph
	if got, want := fmt.Sprint(g.Nodes, g.Edges), "[{[a] false false} {[b] false true} {[c] true false}] [{0 1 e} {0 2 f}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
