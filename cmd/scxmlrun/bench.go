package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/bench"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

const benchHelp = `Bench measures how long it takes to load a chart, to create and start a session,
and to process an event with everything that follows from it. It sends the events
in turn, over and over, to one session or to each of --sessions in turn, and
replaces sessions that end. Delayed events are due in real time. What the chart
logs and sends is not shown.

First, bench tries the events: on standard error it reports events that take no
transition, and errors of the chart.

Exit status:
  0    the chart was measured
  1    a limit stopped the chart, or it never comes to rest
  2    wrong usage
  3    the document was refused
  130  interrupted`

const benchExample = `  scxmlrun bench --event t ping.scxml
  scxmlrun bench --event 'tick={"n":5}' --event pause --time 10s chart.scxml
  scxmlrun bench --event t --sessions 10000 --json ping.scxml`

// benchOptions are the flags of bench.
type benchOptions struct {
	events   []string
	time     chartTime
	sessions int
	json     bool
	isolate  *cli.Choice
}

// newBenchCommand returns the command that measures a chart.
func newBenchCommand() *cobra.Command {
	o := &benchOptions{time: chartTime(2 * time.Second)}
	cmd := &cobra.Command{
		Use:     "bench FILE",
		Short:   "Measure how fast a chart is",
		Long:    benchHelp,
		Example: benchExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return runBench(cmd.Context(), o, args) },

		ValidArgsFunction: completeChart,
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.events, "event", nil, "event to send, as `NAME` or NAME=JSON; may be repeated, and then they are sent in turn")
	flags.Var(&o.time, "time", "how long to send events, for example 10s")
	flags.IntVar(&o.sessions, "sessions", 1, "`NUMBER` of sessions that live at the same time")
	flags.BoolVar(&o.json, "json", false, "write one JSON object")
	o.isolate = wall.Flag(cmd, "measure in a child process, with the limits for untrusted charts: times include the way there, and memory is that of this process")
	return cmd
}

func runBench(ctx context.Context, o *benchOptions, args []string) error {
	switch {
	case len(args) == 0:
		return cli.Usagef("which chart? Name its file, for example: scxmlrun bench --event t ping.scxml; run %q for more", "scxmlrun bench --help")
	case len(args) > 1:
		return cli.Usagef("one chart at a time: got %s", cli.List(args, "and"))
	case o.time <= 0:
		return cli.Usagef("--time must be more than 0")
	case o.sessions < 1 || o.sessions > maxBenchSessions:
		return cli.Usagef("--sessions %d: write a number from 1 to %d", o.sessions, maxBenchSessions)
	}
	var events []scxml.Event
	for _, text := range o.events {
		ev, err := benchEvent(text)
		if err != nil {
			return err
		}
		events = append(events, ev)
	}
	name := args[0]
	ctx, cancel := cli.Interruptible(ctx, nil, nil)
	defer cancel(nil)
	chart, size, done, err := loadBench(ctx, name, o.isolate.Value)
	if err != nil {
		return err
	}
	defer done()
	result, err := bench.Run(ctx, bench.Config{Chart: chart, Sessions: o.sessions, Events: events, Time: time.Duration(o.time)})
	if ctx.Err() != nil {
		return &cli.Error{Status: cli.Interrupted, Err: context.Cause(ctx)}
	}
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	result.Chart, result.Bytes = filepath.ToSlash(name), size
	for _, note := range result.Notes {
		fmt.Fprintln(os.Stderr, "note:", cli.Visible(note, cli.EscapeNewlines))
	}
	if o.json {
		return cli.PrintJSON(result)
	}
	return cli.Printed(fmt.Print(result.Text()))
}

// loadBench loads a chart, into this process or a child, which done ends.
func loadBench(ctx context.Context, name, isolation string) (chart bench.Chart, size int, done func(), err error) {
	var limits scxml.Limits
	if isolation != wall.None {
		limits = scxml.Strict()
	}
	source, folder, err := load.Read(name, limits)
	if err != nil {
		return nil, 0, nil, err
	}
	if isolation == wall.None {
		compiled, err := load.Compile(name, source, folder, limits)
		again := func() error {
			_, err := scxml.Parse(name, source, scxml.WithLoader(folder))
			return err
		}
		return bench.Here(compiled, again), len(source), func() {}, err
	}
	pool, err := wall.Pool(isolation, wall.Deadline(limits), 0)
	if err != nil {
		return nil, 0, nil, err
	}
	done = func() { pool.Close() }
	tenant, err := pool.Tenant(ctx)
	if err == nil {
		spec := isolate.Spec{Name: name, Source: source, Options: []scxml.ChartOption{scxml.WithLoader(folder), scxml.WithLimits(limits)}}
		var warnings []scxml.Diagnostic
		chart, warnings, err = bench.There(ctx, tenant, spec)
		load.Print(name, source, warnings)
	}
	var refused *scxml.DocumentError
	switch {
	case errors.As(err, &refused):
		err = load.Refuse(name, source, refused.Diagnostics)
	case err != nil:
		err = &cli.Error{Status: cli.Failed, Err: err}
	}
	if err != nil {
		done()
	}
	return chart, len(source), done, err
}

// maxBenchSessions bounds --sessions: that many of the smallest take about a gigabyte.
const maxBenchSessions = 1_000_000

// benchEvent reads NAME or NAME=JSON.
func benchEvent(text string) (scxml.Event, error) {
	name, data, given := strings.Cut(text, "=")
	ev := scxml.Event{Name: name}
	if err := datamodel.CheckEventName(name); err != nil {
		return ev, cli.Usagef("--event %s: %v; write NAME or NAME=JSON, for example 'tap={\"x\":0}'", text, err)
	}
	if given {
		v, err := datamodel.ParseStrictJSON([]byte(data))
		if err != nil {
			return ev, cli.Usagef("--event %s: %v", text, wire.JSONProblem(err))
		}
		ev.Data = v
	}
	return ev, nil
}
