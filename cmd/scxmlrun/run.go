package main

import (
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/run"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
)

const runHelp = `
FILE is a chart; "-" reads it from standard input (with --ui none). With src, a chart
can load only regular files in its folder. FILE itself may be a pipe, such as
<(...) in a shell. If FILE does not exist but is built in, such as
charts/sudoku.scxml, the built-in chart runs.

Front ends (--ui):
  tui      for any chart, on the whole terminal: the chart with its active states, the
           events that it takes and what they would do, data, timers, a log, and the
           past, in which one can go back and try something else; type "?" for its keys
  sudoku   the Sudoku board, for charts that speak its protocol
  plain    the same board as lines of text, for screen readers, pipes and
           terminals that cannot move the cursor
  line     for any chart: reads events, such as tap {"x":0,"y":2}, and shows
           what each has changed; type "help" for its commands
  json     JSON lines on standard input and output, for programs
  none     no input; logs and errors go to standard error
  auto     sudoku for a Sudoku and tui for other charts on a terminal, plain and line
           if it cannot move the cursor, else json; none if FILE is "-"

The Sudoku board keeps each game in the player's folders and continues it at the next
start, if the chart can (--fresh: it does not); sudoku play --help says where. With
--save or --load the session is only in those files.

Exit status:
  0    the chart reached a final state, was stopped, or has nothing more to do
  1    a failure at run time: a limit was exceeded, output could not be written
  2    wrong usage
  3    the document was refused
  4    --timeout passed
  5    --expect was given, and the chart ended elsewhere
  130  interrupted`

const runExample = `  scxmlrun charts/sudoku.scxml
  scxmlrun --ui line --data 'limit=3' chart.scxml
  scxmlrun --ui json --clock virtual chart.scxml < events.jsonl
  scxmlrun --ui none --clock virtual --expect done chart.scxml`

// bindRun makes cmd the command that runs a chart.
func bindRun(cmd *cobra.Command) {
	var o run.Options
	ui := cli.Choice{Value: "auto", All: run.UIChoices}
	clock := cli.Choice{Value: "real", All: []string{"real", "virtual"}}
	timers := cli.Choice{Value: run.TimerChoices[0], All: run.TimerChoices}
	flags := cmd.Flags()
	ui.Flag(cmd, "ui", "front end: auto, tui, sudoku, plain, line, json or none")
	flags.StringArrayVar(&o.Data, "data", nil, "initial value of a top-level data item, as `ID=JSON` or id=@file; may be repeated")
	clock.Flag(cmd, "clock", "real, or virtual: time advances only on command; after the end of input it jumps to the next timer")
	flags.Uint64Var(&o.Seed, "seed", 0, "seed `NUMBER` of Math.random and generated ids (default: random on the real clock, 1 on a virtual one)")
	flags.BoolVar(&o.Trace, "trace", false, "report every step: states, transitions, events, timers")
	flags.Var((*chartTime)(&o.Timeout), "timeout", "stop after this much chart time, for example 90s (default: never on the real clock; 24h after the end of input on a virtual one)")
	flags.StringVar(&o.HTTP, "http", "", "serve the Basic HTTP Event I/O Processor at this loopback `ADDRESS`, for example 127.0.0.1:8080; the port may be 0")
	flags.BoolVar(&o.Strict, "strict", false, "apply the limits for untrusted charts, and refuse events that the chart itself sends")
	isolated := wall.Flag(cmd, "run the chart in a child process, with the limits for untrusted charts: whatever it does, this process lives")
	flags.StringArrayVar(&o.Limits, "limit", nil, "change a limit, as `NAME=VALUE`, for example Microsteps=1000 or ScriptTime=100ms; may be repeated")
	flags.StringVar(&o.Expect, "expect", "", "exit with status 5 unless the chart ends in the `STATE` with this id")
	flags.StringVar(&o.Save, "save", "", "save the session to `FILE` at the end of the run, which ends with its input")
	flags.StringVar(&o.Load, "load", "", "continue the session that --save has saved to `FILE`; the Sudoku board reads saved games, too")
	flags.StringVar(&o.Record, "record", "", "record the run to `FILE`, for scxmlrun replay, why and shrink; it has the chart and all data that came from outside")
	timers.Flag(cmd, "timers", "with --load, delayed events are due at their old time (due), after the time that was left (remaining), or after their whole delay (anew)")
	flags.StringArrayVar(&o.Open, "open", nil, "puzzle `FILE` for the Sudoku front end; may be repeated")
	o.Board.Bind(cmd)

	cmd.Args = oneFile // whose messages say more than those of cobra
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range []string{"save", "load", "http", "expect", "record"} {
			if flags.Changed(name) && flags.Lookup(name).Value.String() == "" {
				return cli.Usagef("--%s: the value is empty; leave the flag out or give it a value", name)
			}
		}
		o.UI, o.Clock, o.Timers, o.Isolate = ui.Value, clock.Value, timers.Value, isolated.Value
		o.SeedGiven, o.TimeoutGiven = flags.Changed("seed"), flags.Changed("timeout")
		return run.Run(cmd.Context(), args[0], &o)
	}
	cmd.ValidArgsFunction = completeChart
}

// oneFile checks that a command has one argument, a file.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("which chart? Name its file, for example: scxmlrun charts/sudoku.scxml; run %q for more", cmd.CommandPath()+" --help")
	}
	if !cmd.HasParent() {
		near := cli.Nearest(args[0], cli.CommandNames(cmd))
		for _, c := range cmd.Commands() {
			if slices.Contains(c.SuggestFor, args[0]) {
				near = c.Name()
			}
		}
		if near != "" && !exists(args[0]) {
			return cli.Usagef("%q is neither a command nor a file (did you mean %q?)", args[0], near)
		}
	}
	if len(args) > 1 {
		return cli.Usagef("one chart at a time: got %s", cli.List(args, "and"))
	}
	return nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
