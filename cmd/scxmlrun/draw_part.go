package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// maxText is how many states a drawing in characters or in the text of another tool has at most.
const maxText = 100_000

// whole reports whether the whole chart is to be drawn.
func (o *drawOptions) whole() bool { return o.state == "" && o.depth == 0 }

// part returns what --state and --depth leave of a diagram.
func (o *drawOptions) part(d *diagram.Diagram) (*diagram.Diagram, error) {
	if o.whole() {
		return d, nil
	}
	if o.format.Value == "scjson" || strings.HasSuffix(o.out, ".scjson") {
		return nil, cli.Usagef("--state and --depth are for pictures, and scjson is the whole chart")
	}
	n := d.Root
	if o.state != "" {
		at := slices.IndexFunc(d.Nodes[1:], func(n *diagram.Node) bool { return n.ID == o.state })
		if at < 0 {
			var all []string
			for _, n := range d.Nodes[1:] {
				all = append(all, n.ID)
			}
			return nil, cli.Usagef("--state: %q is not a state of the chart%s", o.state, cli.DidYouMean(o.state, all))
		}
		n = d.Nodes[at+1]
	}
	return d.Part(n, o.depth), nil
}

// tooLarge returns an error if a format cannot draw so many states.
func (f *drawFormat) tooLarge(states int) error {
	most := maxText
	switch f.name {
	case "svg", "png":
		most = diagram.MaxStates
	case "scjson":
		return nil // it is data
	}
	if states <= most {
		return nil
	}
	return &diagram.TooLargeError{Count: states, Max: most, What: "states"}
}

// cannotDraw says why a chart cannot be drawn, and if it is too large what can. The diagram is nil if it
// is not known.
func (o *drawOptions) cannotDraw(ctx context.Context, err error, d *diagram.Diagram) error {
	var large *diagram.TooLargeError
	if !errors.As(err, &large) {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot draw %q: %w", o.name, err)}
	}
	var parts []string
	tree := large.Max < maxText
	if d == nil {
		parts = []string{"--state ID", "--depth N"}
		tree = tree && large.Count <= maxText
	} else {
		top := d.Root
		if o.state != "" {
			top = top.Children[0]
		}
		state, depth := d.Fitting(ctx, top)
		if state != nil && len(state.ID) < 100 {
			parts = append(parts, "--state "+state.ID)
		}
		if depth > 0 {
			parts = append(parts, fmt.Sprint("--depth ", depth))
		}
		tree = tree && len(d.Nodes) <= maxText
	}
	if tree {
		parts = append(parts, "--format tree")
	}
	hint := ""
	if len(parts) > 0 {
		hint = "; add " + cli.List(parts, "or")
	}
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot draw %q: %w%s", o.name, err, hint)}
}
