package main

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/searchprogram"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// withDiff are the flags that can be combined with --diff.
var withDiff = []string{"diff", "compare", "data", "time", "states", "depth", "memory", "timeout", "workers", "compiled", "bits", "simulate", "seed", "runs", "no-services", "json"}

// checkDiff refuses flags that do not fit to a comparison.
func (o *exploreOptions) checkDiff(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		switch {
		case err != nil:
		case o.diff == "" && f.Name == "compare":
			err = cli.Usagef("--compare says what --diff compares; write, for example: --diff OLD --compare send")
		case o.diff != "" && !slices.Contains(withDiff, f.Name):
			err = cli.Usagef("--diff compares two charts from their start; it cannot be combined with --%s", f.Name)
		}
	})
	return err
}

// explorer returns what explores a chart or, with --diff, compares it with another.
func (o *exploreOptions) explorer() (func(context.Context, *scxml.Chart, explore.Options) (*explore.Report, error), error) {
	if o.diff == "" {
		return func(ctx context.Context, chart *scxml.Chart, opts explore.Options) (r *explore.Report, err error) {
			r, o.program, err = searchprogram.Explore(ctx, chart, opts, o.mode.Value)
			return r, err
		}, nil
	}
	var aspects []explore.Aspect
	for _, name := range o.compare {
		if !slices.Contains(aspectNames(), name) {
			return nil, cli.Usagef("--compare: %q cannot be compared%s", name, cli.DidYouMean(name, aspectNames()))
		}
		aspects = append(aspects, explore.Aspect(name))
	}
	old, err := load.Chart(o.diff, scxml.Limits{})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, chart *scxml.Chart, opts explore.Options) (r *explore.Report, err error) {
		r, o.program, err = searchprogram.Compare(ctx, old, chart, opts, aspects, o.mode.Value)
		return r, err
	}, nil
}

func aspectNames() (names []string) {
	for _, a := range explore.Aspects {
		names = append(names, string(a))
	}
	return names
}
