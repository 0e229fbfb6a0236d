package main

import (
	"context"
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// explorer returns what explores a chart: explore.Run or, with --diff, the comparison with another chart.
func (o *exploreOptions) explorer() (func(context.Context, *scxml.Chart, explore.Options) (*explore.Report, error), error) {
	if o.diff == "" {
		if o.compare != nil {
			return nil, cli.Usagef("--compare says what --diff compares; write, for example: --diff OLD --compare send")
		}
		return explore.Run, nil
	}
	if o.from != "" || o.never != nil || o.always != nil || o.reach != nil || o.errors || o.unused {
		return nil, cli.Usagef("--diff compares two charts from their start; it cannot be combined with --from, --never, --always, --reach, --errors or --unused")
	}
	var aspects []explore.Aspect
	for _, name := range o.compare {
		if !slices.Contains(aspectNames(), name) {
			return nil, cli.Usagef("--compare: %q cannot be compared%s; want some of %s", name, cli.DidYouMean(name, aspectNames()), cli.List(aspectNames(), "and"))
		}
		aspects = append(aspects, explore.Aspect(name))
	}
	old, err := load.Chart(o.diff, scxml.Limits{})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, chart *scxml.Chart, opts explore.Options) (*explore.Report, error) {
		return explore.Compare(ctx, old, chart, opts, aspects...)
	}, nil
}

func aspectNames() (names []string) {
	for _, a := range explore.Aspects {
		names = append(names, string(a))
	}
	return names
}
