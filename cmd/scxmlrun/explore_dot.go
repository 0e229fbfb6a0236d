package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// manyNodes is how many states Graphviz draws in a few seconds, in a picture that one can read.
const manyNodes = 500

// draw writes the graph of --dot.
func (o *exploreOptions) draw(ctx context.Context, chart *scxml.Chart, opts explore.Options, g *explore.Graph) error {
	if o.dot == "" || len(g.Nodes) == 0 {
		return nil
	}
	labels, err := nodeLabels(ctx, chart, opts, g)
	var out bytes.Buffer
	if err == nil {
		err = g.WriteDOT(&out, func(node int) string { return labels[node] })
	}
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	if err := writeOut(o.dot, out.Bytes()); err != nil {
		return err
	}
	if n := len(g.Nodes); n > manyNodes {
		fmt.Fprintf(os.Stderr, "scxmlrun: %s has %d states, more than can be drawn well: bound them, for example with --states %d\n", o.dot, n, manyNodes)
	}
	return nil
}

// nodeLabels returns a text for each node: the active atomic states, and the data items that are not the
// same everywhere. It goes the shortest way to each node.
func nodeLabels(ctx context.Context, chart *scxml.Chart, opts explore.Options, g *explore.Graph) ([]string, error) {
	s, err := explore.NewSession(chart, opts)
	if err != nil {
		return nil, err
	}
	ids := chart.Data()
	states := make([][]byte, len(g.Nodes))
	data := make([][]datamodel.Value, len(g.Nodes))
	note := func(node int) error {
		for _, id := range ids {
			v, _ := s.Eval(ctx, id) // of a session that has ended there is no data
			data[node] = append(data[node], v)
		}
		var err error
		states[node], err = s.AppendState(nil)
		return err
	}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	if err := note(0); err != nil {
		return nil, err
	}
	for _, e := range g.Edges { // which come from nodes that were noted before
		if states[e.To] != nil {
			continue
		}
		err := s.LoadState(states[e.From])
		if err == nil {
			err = s.Apply(ctx, e.Input)
		}
		if err == nil {
			err = note(e.To)
		}
		if err != nil {
			return nil, err
		}
	}
	labels := make([]string, len(g.Nodes))
	for i, node := range g.Nodes {
		var names []string
		for _, name := range node.Configuration {
			if st, ok := chart.State(name); !ok || st.IsAtomic() {
				names = append(names, name)
			}
		}
		if node.Final {
			names = []string{"the end"}
		}
		labels[i] = strings.Join(names, " ")
	}
	for item, id := range ids {
		varies := false
		for _, values := range data {
			varies = varies || values != nil && !datamodel.Equal(values[item], data[0][item])
		}
		for i := range labels {
			if varies && data[i] != nil && !g.Nodes[i].Final {
				const width = 40
				labels[i] += "\n" + id + " = " + text.Brief(data[i][item], width)
			}
		}
	}
	return labels, nil
}
