package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
)

const whyHelp = `Why explains a recorded session (scxmlrun run --record FILE).

For an event it says which transitions of the active states the event matches, and what
becomes of each: it is taken; its condition is false, with the values that it reads; it
gives way to another one. If no active state reacts to the event, it says which other
states would. If step N got this event, that is explained; otherwise, what the event would
do after step N. An event can have data, as in why 'tap {"x":1,"y":2}'.

For a data item, or another expression, it says which element gave it the value that it has
after step N, at which step, because of which event.

Steps are numbered as by scxmlrun replay; the last one is the default.

Exit status:
  1    a failure at run time
  2    wrong usage
  3    the recording was refused
  130  interrupted`

const whyExample = `  scxmlrun why total --record bug.rec
  scxmlrun why pay --record bug.rec --at 17
  scxmlrun why pay --record bug.rec --chart fixed.scxml`

type whyOptions struct {
	record, chart string
	at            int
}

// newWhyCommand returns the command that explains a recording.
func newWhyCommand() *cobra.Command {
	o := whyOptions{}
	cmd := &cobra.Command{
		Use:     "why NAME|EVENT --record RECORDING",
		Short:   "Explain what a recorded session did, or did not do",
		Long:    whyHelp,
		Example: whyExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || o.record == "" || strings.TrimSpace(args[0]) == "" {
				return cli.Usagef("name an event or a data item, and the recording, as in: scxmlrun why pay --record bug.rec")
			}
			if cmd.Flags().Changed("at") && o.at < 0 {
				return cli.Usagef("--at %d: steps are numbered from 0", o.at)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.record, "record", "", "the `RECORDING`")
	flags.StringVar(&o.chart, "chart", "", "explain what the chart in `FILE` does in place of the recorded one")
	flags.IntVar(&o.at, "at", -1, "explain step `N` (default: the last one)")
	flags.Lookup("at").DefValue = "0" // is not shown: -1 is refused
	return cmd
}

func (o *whyOptions) run(parent context.Context, what string) error {
	rec, err := recording.Open(o.record, o.chart)
	if err != nil {
		return err
	}
	rec.Warn(os.Stderr)
	if last := rec.Len() - 1; o.at > last {
		return cli.Usagef("--at %d: the recording has steps 0 to %d", o.at, last)
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	w := text.NewWriter(os.Stdout)
	err = rec.Explain(ctx, w, what, o.at)
	if err == nil {
		err = cli.Printed(0, w.Err)
	}
	return cli.Outcome(ctx, err)
}
