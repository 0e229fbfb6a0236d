package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/progress"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

const benchHelp = `Bench measures how fast a chart is: to load it, to create and start a session,
and to process an event, which is to send it and to complete all that comes of
it. Events are sent in turn, round and round, to one session or to each of
--sessions in turn. A session that ends is replaced by a new one. Delayed
events become due in real time. What the chart logs and sends is not shown.

Before that it is tried whether the events do anything: an event that takes no
transition, and errors of the chart, are told on standard error.

Exit status:
  0    it was measured
  1    the chart was stopped by a limit, or never comes to rest
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
	return cmd
}

func runBench(ctx context.Context, o *benchOptions, args []string) error {
	switch {
	case len(args) == 0:
		return cli.Usagef("which chart? Name its file, for example: scxmlrun bench --event t ping.scxml; run %q for more", "scxmlrun bench --help")
	case len(args) > 1:
		return cli.Usagef("one chart at a time: got %s", cli.List(args, "and"))
	case o.time <= 0:
		return cli.Usagef("--time has to be more than 0")
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
	source, folder, err := load.Read(name, scxml.Limits{})
	if err != nil {
		return err
	}
	chart, err := load.Compile(name, source, folder, scxml.Limits{})
	if err != nil {
		return err
	}
	ctx, cancel := cli.Interruptible(ctx, nil, nil)
	defer cancel(nil)
	m := &measurement{ctx: ctx, chart: chart, events: events, line: progress.New(0), time: time.Duration(o.time)}
	result := benchResult{Chart: filepath.ToSlash(name), States: len(chart.States()) - 1, Datamodel: chart.Datamodel(), Bytes: len(source)}
	err = m.run(&result, o.sessions, func() error {
		_, err := scxml.Parse(name, source, scxml.WithLoader(folder))
		return err
	})
	m.line.Clear()
	if ctx.Err() != nil {
		return &cli.Error{Status: cli.Interrupted, Err: context.Cause(ctx)}
	}
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	for _, note := range m.notes {
		fmt.Fprintln(os.Stderr, "note:", cli.Visible(note, cli.EscapeNewlines))
	}
	if o.json {
		out, err := json.Marshal(&result)
		if err != nil {
			return &cli.Error{Status: cli.Failed, Err: err}
		}
		return cli.Printed(fmt.Println(cli.Escape(string(out), cli.InJSON)))
	}
	return cli.Printed(fmt.Print(result.text()))
}

// maxBenchSessions bounds --sessions: a gigabyte or so of the smallest sessions.
const maxBenchSessions = 1_000_000

// benchEvent reads NAME or NAME=JSON.
func benchEvent(text string) (scxml.Event, error) {
	name, data, given := strings.Cut(text, "=")
	ev := scxml.Event{Name: name}
	if err := datamodel.CheckEventName(name); err != nil {
		return ev, cli.Usagef("--event %s: %v; write NAME or NAME=JSON, for example 'tap={\"x\":0}'", text, err)
	}
	if given {
		v, err := datamodel.ParseJSON([]byte(data))
		if err != nil {
			return ev, cli.Usagef("--event %s: %v", text, wire.JSONProblem(err))
		}
		ev.Data = v
	}
	return ev, nil
}

// A benchResult is what was measured. Times are in nanoseconds.
type benchResult struct {
	Chart     string `json:"chart"`
	Datamodel string `json:"datamodel"`
	States    int    `json:"states"`
	Bytes     int    `json:"bytes"` // of the document

	Load struct {
		NS    float64 `json:"ns"` // median
		Count int     `json:"count"`
	} `json:"load"`

	Session struct {
		NS        float64 `json:"ns"` // to create and start one
		Allocs    float64 `json:"allocs"`
		Bytes     float64 `json:"bytes"`
		Count     int     `json:"count"`
		Alive     int     `json:"alive"`      // see --sessions
		LiveBytes float64 `json:"live_bytes"` // of each of these, once it has processed each event
	} `json:"session"`

	Events *benchEvents `json:"events,omitempty"` // nil without --event

	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// benchEvents is what was measured of events.
type benchEvents struct {
	Count     int     `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	NS        float64 `json:"ns"`
	FastNS    float64 `json:"fast_ns"` // a tenth of the time it was this or faster
	SlowNS    float64 `json:"slow_ns"` // a tenth of the time it was this or slower
	Allocs    float64 `json:"allocs"`
	Bytes     float64 `json:"bytes"`
	Ended     int     `json:"ended"` // sessions that ended and were replaced
}

// text writes the result for people.
func (r *benchResult) text() string {
	var b strings.Builder
	states := "states"
	if r.States == 1 {
		states = "state"
	}
	item := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s%s\n", label, fmt.Sprintf(format, args...))
	}
	item("chart", "%s: %d %s, %s, data model %s", cli.Visible(r.Chart, cli.EscapeNewlines), r.States, states, bytesText(float64(r.Bytes)), cli.Visible(r.Datamodel, cli.EscapeNewlines))
	item("load", "%s (median of %d)", nsText(r.Load.NS), r.Load.Count)
	item("session", "%s to create and start one, %.0f bytes in %.0f allocations", nsText(r.Session.NS), r.Session.Bytes, r.Session.Allocs)
	if r.Session.Alive > 1 {
		item("", "%d alive take %s, %.0f bytes each", r.Session.Alive, bytesText(r.Session.LiveBytes*float64(r.Session.Alive)), r.Session.LiveBytes)
	}
	if e := r.Events; e != nil {
		item("events", "%.0f a second", e.PerSecond)
		item("", "%s each, %.1f allocations, %.0f bytes", nsText(e.NS), e.Allocs, e.Bytes)
		item("", "%d in %.1f s; the fastest tenth took %s, the slowest %s", e.Count, e.Seconds, nsText(e.FastNS), nsText(e.SlowNS))
		if e.Ended > 0 {
			item("", "%d sessions ended and were replaced, which is in the times", e.Ended)
		}
	}
	return b.String()
}

// nsText writes a time with a fitting unit.
func nsText(ns float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	for len(units) > 1 && ns >= 1000 {
		ns, units = ns/1000, units[1:]
	}
	return fmt.Sprintf("%.3g %s", ns, units[0])
}

// bytesText writes a number of bytes with a fitting unit.
func bytesText(n float64) string {
	units := []string{"bytes", "KB", "MB", "GB"}
	for len(units) > 1 && n >= 10_000 {
		n, units = n/1000, units[1:]
	}
	return fmt.Sprintf("%.0f %s", n, units[0])
}

// environment fills in where it was measured.
func (r *benchResult) environment() {
	r.Go, r.OS, r.Arch = runtime.Version(), runtime.GOOS, runtime.GOARCH
}

// descriptors returns the event descriptors of a chart, each once.
func descriptors(chart *scxml.Chart) []string {
	var all []string
	for _, t := range chart.Transitions() {
		all = append(all, t.Events()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var errRestless = errors.New("the chart does not come to rest: it goes on and on after one event")
