package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/tui"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

const replayHelp = `Replay runs the session of a recording (scxmlrun run --record FILE) again: with the same
chart, which is in the recording, the same random numbers, and the same events at the same
times. It sends nothing out and starts no service; what services have answered is in the
recording. Each step must do what it did then.

The chart runs in this process, also if it was recorded with --isolate. Then, and after
--strict, it has the limits of --strict.

Steps are numbered: 0 is the start, and each step that does something is the next one.

With --chart, another version of the chart is given the same events. With --bisect, the
first step is found after which an expression is true, for example --bisect 'total < 0'.

Exit status:
  1    a step does something else than was recorded; or with --bisect, the expression
       is true after no step
  2    wrong usage
  3    the recording or the chart was refused
  130  interrupted`

const replayExample = `  scxmlrun --record bug.rec chart.scxml
  scxmlrun replay bug.rec
  scxmlrun replay bug.rec --until 17 --trace
  scxmlrun replay bug.rec --bisect 'isNaN(total)'
  scxmlrun replay bug.rec --chart fixed.scxml`

type replayOptions struct {
	until  int
	chart  string
	bisect string
	trace  bool
	ui     cli.Choice
}

// newReplayCommand returns the command that runs a recorded session again.
func newReplayCommand() *cobra.Command {
	o := replayOptions{ui: cli.Choice{Value: "none", All: []string{"none", "tui"}}}
	cmd := &cobra.Command{
		Use:     "replay RECORDING",
		Short:   "Run a recorded session again",
		Long:    replayHelp,
		Example: replayExample,
		Args:    oneRecording,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("until") && o.until < 0 {
				return cli.Usagef("--until %d: steps are numbered from 0", o.until)
			}
			return o.run(cmd.Context(), args[0])
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.until, "until", -1, "stop after step `N`, and show the state there")
	flags.Lookup("until").DefValue = "0" // is not shown: -1 is refused
	flags.StringVar(&o.chart, "chart", "", "replay with the chart in `FILE` in place of the recorded one")
	flags.StringVar(&o.bisect, "bisect", "", "find the first step after which `EXPR` is true")
	o.ui.Flag(cmd, "ui", "none, or tui: look at all steps on the terminal, and continue from any of them on a branch")
	flags.BoolVar(&o.trace, "trace", false, "report every step: states, transitions, events, timers")
	return cmd
}

// oneRecording checks that there is one argument.
func oneRecording(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return cli.Usagef("which recording? Name the file that scxmlrun run --record has written; run %q for more", cmd.CommandPath()+" --help")
	}
	return nil
}

// show shows the past on the terminal, first a step.
func show(ctx context.Context, rec *recording.Recording, h *history.History, step int) error {
	last := cli.NewLast()
	front := tui.NewRecorded(h, step, rec.Files)
	last.Restore = front.Restore
	go last.Interrupts(front.Interrupts, nil)
	_, err := front.Run(ctx)
	if errors.As(err, new(*terminal.SignalError)) {
		return &cli.Error{Status: cli.Interrupted}
	}
	return cli.Outcome(ctx, err)
}

// verdict says what a replay to the end has shown.
func (o *replayOptions) verdict(rec *recording.Recording) string {
	if rec.Digest != history.DigestVersion {
		return "done, "
	}
	return "as recorded, to "
}

// errUntil ends a replay.
var errUntil = errors.New("this is the step")

func (o *replayOptions) run(parent context.Context, name string) error {
	rec, err := recording.Open(name, o.chart)
	if err != nil {
		return err
	}
	if o.until >= rec.Len() {
		return cli.Usagef("--until %d: the recording has steps 0 to %d", o.until, rec.Len()-1)
	}
	if o.bisect != "" {
		if err := rec.Config.Chart.CheckLook(o.bisect); err != nil {
			return cli.Usagef("--bisect %q: %v", o.bisect, err)
		}
	}
	look := o.ui.Value == "tui"
	if look && !cli.CanMoveCursor(os.Stdout) {
		return cli.Usagef("--ui tui needs a terminal that can move its cursor, and standard output is not one")
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	out := text.NewWriter(os.Stdout)
	rec.Warn(os.Stderr)
	line := cli.NewProgress()
	steps, found := 0, o.bisect == ""
	var last history.Position
	known, unknown := false, error(nil) // whether the expression ever had a value; why it had none
	bisect := explore.Always(o.bisect)
	h, err := rec.Replay(ctx, rec.Config, o.bisect != "", func(at history.Position) error {
		last, steps = at, at.N
		if !o.trace {
			rec.Progress(line, at.N)
		} else {
			out.Item(text.Bold, "step", rec.Title(at))
			for i := range at.Records {
				out.Record(&at.Records[i])
			}
		}
		if o.bisect != "" {
			var err error
			if found, err = bisect.Holds(ctx, &explore.Session{Session: at.Session}); found {
				return errUntil
			}
			known, unknown = known || err == nil, err
		}
		if at.N == o.until && !look {
			return errUntil
		}
		return nil
	})
	line.Clear()
	var difference *history.Difference
	if look && ctx.Err() == nil && h != nil && (err == nil || errors.As(err, &difference) || errors.Is(err, errUntil)) {
		if o.until >= 0 {
			steps = o.until
		}
		return show(parent, rec, h, steps)
	}
	switch {
	case errors.As(err, &difference):
		rec.Differs(out, difference, last)
		return &cli.Error{Status: cli.Failed}
	case ctx.Err() != nil || err != nil && !errors.Is(err, errUntil):
		return cli.Outcome(ctx, err)
	case !found && !known:
		return cli.Usagef("--bisect: %s has no value after any step: %v", o.bisect, errors.Unwrap(unknown))
	case !found:
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%s is true after none of the %d steps", o.bisect, steps)}
	case o.bisect != "":
		out.Item(text.Bold, "true", "after "+rec.Title(last))
	default:
		out.Item(text.Bold, "replay", o.verdict(rec)+rec.Title(last))
	}
	recording.State(ctx, out, last.Session)
	if out.Err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write the output: %w", cli.Plain(out.Err))}
	}
	return nil
}
