package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// maxText is how many states a drawing in characters or in the text of another tool has at most.
const maxText = 100_000

// whole reports whether the whole chart is to be drawn.
func (o *drawOptions) whole() bool { return o.state == "" && o.depth == 0 }

// part returns what --state and --depth leave of a diagram.
func (o *drawOptions) part(format *drawFormat, d *diagram.Diagram) (*diagram.Diagram, error) {
	if o.whole() {
		return d, nil
	}
	if format.name == "scjson" {
		return nil, cli.Usagef("--state and --depth are for pictures, and scjson is the whole chart")
	}
	n := d.Root
	if o.state != "" {
		states := stateIDs(d)
		at := slices.Index(states, o.state)
		if at < 0 {
			return nil, cli.Usagef("--state: %q is not a state of the chart%s", o.state, cli.DidYouMean(o.state, states))
		}
		n = d.Nodes[at+1]
	}
	return d.Part(n, o.depth), nil
}

// stateIDs returns the names of all states but the root, in document order.
func stateIDs(d *diagram.Diagram) (all []string) {
	for _, n := range d.Nodes[1:] {
		all = append(all, n.ID)
	}
	return all
}

// isPicture reports whether a format needs a layout.
func (f *drawFormat) isPicture() bool { return f.name == "svg" || f.name == "png" }

// tooLarge returns an error if a format cannot draw so many states.
func (f *drawFormat) tooLarge(states int) error {
	most := maxText
	if f.isPicture() {
		most = diagram.MaxStates
	}
	if states <= most || f.name == "scjson" { // which is data
		return nil
	}
	return &diagram.TooLargeError{Count: states, Max: most, What: "states"}
}

// cannotDraw says why a chart cannot be drawn, and if it is too large what can. The diagram is nil if it
// is not known.
func (o *drawOptions) cannotDraw(ctx context.Context, format *drawFormat, err error, d *diagram.Diagram) error {
	var large *diagram.TooLargeError
	if !errors.As(err, &large) {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot draw %q: %w", o.name, err)}
	}
	var parts []string
	states := large.Count
	if d == nil {
		parts = []string{"--state ID", "--depth N"}
	} else {
		states = len(d.Nodes) - 1
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
	}
	if format.isPicture() && states <= maxText {
		parts = append(parts, "--format tree")
	}
	hint := ""
	if len(parts) > 0 {
		hint = "; add " + cli.List(parts, "or")
	}
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot draw %q: %w%s", o.name, err, hint)}
}
