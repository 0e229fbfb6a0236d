package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/findings"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mutate"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/searchprogram"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

const mutateHelp = `Mutate tells what the tests of a chart miss. It makes a small change to the chart,
runs the tests on it, and takes the next change:

  drop transition   drop action
  negate guard      of a transition, <if> or <elseif>
  retarget          a transition, an initial state or the default of a history
  swap order        of two transitions for the same event, or of two actions
  history type      shallow for deep, and deep for shallow
  transition type   internal for external, and external for internal

A changed chart on which all tests pass is printed with the change. It is "missed"
if events exist after which it sends, logs or raises something else, is in other
states or ends elsewhere. The shortest ones are printed, and --write makes scenarios
of them, with what the chart answers today: the tests that are missing. It is
"equivalent" if there are none, which the search of "scxmlrun explore --diff" proves,
and "unknown" if that search reached a bound or a service, or holds only as far as
searched, with the name of the reason in brackets. --no-services compares the charts
as if nothing ran services, and --assume NAME accepts a reason.

The tests are the scenarios x.txtar and the pairs x.scxml and x.json in DIR and the
folders below it that are for this chart: they name its file, or have a copy of it.
"scxmlrun gen scenarios" writes scenarios, and "scxmlrun test" runs both.

Exit status:
  0    the tests kill all changed charts, or as many as --min asks for; equivalent
       ones do not count
  1    they do not, a test fails on the chart itself, or there are none
  2    wrong usage
  3    the document was refused (diagnostics on standard error)
  4    changed charts are unknown, and none was missed
  130  interrupted`

const mutateExample = `  scxmlrun mutate gate.scxml --tests tests
  scxmlrun mutate game.scxml --tests tests --data taps.json --states 100000 --min 90
  scxmlrun mutate gate.scxml --tests tests --json`

// mutateOptions are the flags of mutate.
type mutateOptions struct {
	explore exploreOptions // the bounds of a search, and the data of events
	tests   []string
	mutants int
	min     float64
	write   string
	json    bool
}

// newMutateCommand returns the command that tells what tests miss.
func newMutateCommand() *cobra.Command {
	o := new(mutateOptions)
	cmd := &cobra.Command{
		Use:               "mutate FILE --tests DIR",
		Short:             "Tell what the tests of a chart miss",
		Long:              mutateHelp,
		Example:           mutateExample,
		Args:              oneFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return runMutate(cmd.Context(), o, args[0]) },
		ValidArgsFunction: completeChart,
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.tests, "tests", nil, "`DIR` of the tests; may be repeated")
	flags.StringVar(&o.explore.data, "data", "", "the data that events carry in a search: a JSON `FILE`, or the JSON itself")
	o.explore.noServicesFlag(flags)
	o.explore.assumeFlag(flags)
	flags.IntVar(&o.explore.opts.MaxStates, "states", 10_000, "stop a search after this `NUMBER` of states; 0 for no bound")
	flags.Int64Var(&o.explore.opts.MaxMemory, "memory", 1024, "stop searches when the states take about this `NUMBER` of megabytes; 0 for no bound")
	flags.IntVar(&o.mutants, "mutants", 0, "try only this `NUMBER` of changes, evenly spread; 0 is all")
	flags.DurationVar(&o.explore.timeout, "timeout", 0, "stop after this `TIME`, for example 30s")
	flags.IntVar(&o.explore.opts.Workers, "workers", 0, "`NUMBER` of changed charts that are tried at the same time; 0 is one for each core")
	flags.Float64Var(&o.min, "min", 100, "fail if the tests kill less than `PERCENT` of the changed charts")
	flags.StringVar(&o.write, "write", "", "write the scenarios that are missing into a `DIR`")
	flags.BoolVar(&o.json, "json", false, "write one JSON object")
	return cmd
}

func runMutate(ctx context.Context, o *mutateOptions, name string) error {
	switch {
	case o.tests == nil:
		return cli.Usagef("which tests? Name their folder, for example: --tests tests")
	case o.mutants < 0:
		return cli.Usagef("--mutants must not be negative")
	case o.write != "" && name == load.Stdin:
		return cli.Usagef("--write: the scenarios name the file of the chart: it cannot be standard input")
	case o.min < 0 || o.min > 100:
		return cli.Usagef("--min must be from 0 to 100")
	}
	search, err := o.explore.options()
	if err != nil {
		return err
	}
	source, folder, err := load.Read(name, scxml.Limits{})
	if err != nil {
		return err
	}
	chart, err := load.Compile(name, source, folder, scxml.Limits{})
	if err != nil {
		return err
	}
	tests, err := testsOf(name, source, o.tests)
	if err != nil {
		return err
	}
	line := cli.NewProgress()
	var found *mutate.Report
	err = o.explore.within(ctx, line, func(ctx context.Context) error {
		found, err = mutate.Run(ctx, chart, tests, mutate.Options{
			Parse: func(file string, source []byte) (*scxml.Chart, error) {
				return scxml.Parse(file, source, scxml.WithLoader(folder))
			},
			Compare: func(ctx context.Context, old, new *scxml.Chart, opts explore.Options) (*explore.Report, error) {
				r, _, err := searchprogram.Compare(ctx, old, new, opts, nil, "auto")
				return r, err
			},
			Explore: search, Max: o.mutants, Workers: o.explore.opts.Workers,
			Progress: func(p mutate.Progress) {
				if line.Due() {
					line.Write(fmt.Sprintf("%d of %d changes, %d not killed", p.Done, p.Total, p.Missed))
				}
			},
		})
		return err
	})
	if err != nil {
		return err
	}
	if o.write != "" {
		if err := writeMissed(ctx, found, chart, name, o.write); err != nil {
			return &cli.Error{Status: cli.Failed, Err: err}
		}
	}
	if err := o.print(found, len(tests)); err != nil {
		return err
	}
	complete := len(found.Results) == found.Total
	switch {
	case complete && 100*found.Rate() >= o.min:
		return nil
	case complete && found.Count(mutate.Unknown) == 0, found.Count(mutate.Missed) > 0:
		return &cli.Error{Status: cli.Failed}
	}
	return &cli.Error{Status: cli.Timeout}
}

// A mutateReport is what --json writes.
type mutateReport struct {
	Tests      int          `json:"tests"`
	Total      int          `json:"total"`
	Killed     int          `json:"killed"`
	Missed     int          `json:"missed"`
	Equivalent int          `json:"equivalent"`
	Unknown    int          `json:"unknown"`
	Rate       float64      `json:"rate"`
	Mutants    []mutantJSON `json:"mutants"`
}

type mutantJSON struct {
	At         string   `json:"at"`
	Operator   string   `json:"operator"`
	Outcome    string   `json:"outcome"`
	Diff       []string `json:"diff"`
	Test       string   `json:"test,omitempty"`
	Difference string   `json:"difference,omitempty"`
	Scenario   []string `json:"scenario,omitempty"` // the lines of the inputs
	Bound      string   `json:"bound,omitempty"`
}

func (o *mutateOptions) print(r *mutate.Report, tests int) error {
	if !o.json {
		return cli.Printed(fmt.Print(cli.Visible(findings.Mutated(r, tests), cli.KeepNewlines)))
	}
	out := mutateReport{
		Tests: tests, Total: r.Total, Killed: r.Count(mutate.Killed), Missed: r.Count(mutate.Missed),
		Equivalent: r.Count(mutate.Equivalent), Unknown: r.Count(mutate.Unknown), Rate: r.Rate(), Mutants: []mutantJSON{},
	}
	for i := range r.Results {
		res := &r.Results[i]
		m := mutantJSON{At: res.Pos.String(), Operator: string(res.Operator), Outcome: string(res.Outcome), Diff: res.Diff(), Test: res.Test, Bound: res.Bound}
		if d := res.Difference; d != nil {
			m.Difference, m.Scenario = d.Property+": "+d.Message, scenario(d.Path)
		}
		out.Mutants = append(out.Mutants, m)
	}
	return cli.PrintJSON(out)
}
