package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/debugger"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/run"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

const debugHelp = `Debug runs a chart under a debugger: with breakpoints, in steps by element, microstep and
macrostep, and backwards. FILE can also be a recording (scxmlrun run --record FILE), in
which one can go to and fro; with --chart, in what another version of the chart does with
the same events.

Commands are read from standard input, one per line; help lists them. The session has not
started at first. On a virtual clock, the default, time passes on command only; the session
stops when nothing is left to do. On the real clock it waits for delayed events, and on a
terminal also for Ctrl+C, which pauses it.

Exit status:
  1    a failure at run time
  2    wrong usage
  3    the chart or the recording was refused
  130  interrupted`

const debugExample = `  scxmlrun debug chart.scxml
  scxmlrun debug --data 'limit=3' chart.scxml < commands.txt
  scxmlrun debug bug.rec
  scxmlrun debug bug.rec --chart fixed.scxml`

type debugOptions struct {
	data   []string
	seed   uint64
	clock  cli.Choice
	limits []string
	strict bool
	chart  string
}

// newDebugCommand returns the command that debugs a chart.
func newDebugCommand() *cobra.Command {
	o := debugOptions{clock: cli.Choice{Value: "virtual", All: []string{"real", "virtual"}}}
	cmd := &cobra.Command{
		Use:               "debug FILE",
		Short:             "Run a chart in steps, forwards and backwards",
		Long:              debugHelp,
		Example:           debugExample,
		ValidArgsFunction: completeChart,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("which chart? Name one file; run %q for more", cmd.CommandPath()+" --help")
			}
			if args[0] == load.Stdin {
				return cli.Usagef("standard input has the commands; put the chart into a file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.data, "data", nil, "initial value of a top-level data item, as `ID=JSON` or id=@file; may be repeated")
	flags.Uint64Var(&o.seed, "seed", 1, "seed `NUMBER` of Math.random and generated ids")
	o.clock.Flag(cmd, "clock", "virtual: time passes on command; real: it passes while the session runs")
	flags.BoolVar(&o.strict, "strict", false, "apply the limits for untrusted charts, and refuse events that the chart itself sends")
	flags.StringArrayVar(&o.limits, "limit", nil, "change a limit, as `NAME=VALUE`, for example Microsteps=1000 or ScriptTime=100ms; may be repeated")
	flags.StringVar(&o.chart, "chart", "", "look at the recording with the chart in `FILE` in place of the recorded one")
	return cmd
}

func (o *debugOptions) run(cmd *cobra.Command, file string) error {
	cfg, err := o.config(cmd, file)
	if err != nil {
		return err
	}
	return debugger.Run(cmd.Context(), cfg)
}

// config returns what is to be debugged.
func (o *debugOptions) config(cmd *cobra.Command, file string) (cfg debug.Config, err error) {
	if recording.Is(file) {
		for _, name := range []string{"data", "seed", "clock", "strict", "limit"} {
			if cmd.Flags().Changed(name) {
				return cfg, cli.Usagef("--%s does not go with a recording, which has its own", name)
			}
		}
		return recorded(cmd.Context(), file, o.chart)
	}
	if o.chart != "" {
		return cfg, cli.Usagef("%q is not a recording: --chart needs one", file)
	}
	limits, err := load.DebuggerLimits(o.strict, o.limits)
	if err != nil {
		return cfg, err
	}
	load.BoundMatches(limits)
	chart, err := load.Chart(file, limits)
	if err != nil {
		return cfg, err
	}
	opts, err := run.Data(chart, o.data)
	if err != nil {
		return cfg, err
	}
	opts = append(opts, scxml.WithSeed(o.seed), scxml.WithMissing())
	if o.strict {
		opts = append(opts, scxml.WithAccept(chart.IsUserEvent))
	}
	return debug.Config{Chart: chart, Options: opts, Real: o.clock.Value == "real", Bytes: debug.DefaultBytes}, nil
}

// recorded opens a recording, with another chart if one is named.
func recorded(ctx context.Context, file, chart string) (cfg debug.Config, err error) {
	rec, err := recording.OpenToDebug(file, chart)
	if err != nil {
		return cfg, err
	}
	rec.Warn(os.Stderr)
	cfg.Recording, err = rec.Replay(ctx, rec.Config, chart != "", nil)
	if difference := new(history.Difference); errors.As(err, &difference) && cfg.Recording != nil {
		fmt.Fprintf(os.Stderr, "scxmlrun: %s: %v; what follows is left out\n", file, err)
		err = nil
	}
	if err != nil {
		return cfg, &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%s: %w", file, err)}
	}
	return cfg, nil
}
