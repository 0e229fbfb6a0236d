package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/searchprogram"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

const exploreHelp = `Explore visits every state that a chart can reach, with its scripts and data, and
reports deadlocks, exceeded limits, sessions that never come to rest, and states
that break a property. Each comes with a shortest sequence of inputs that leads there.

--never EXPR and --always EXPR are properties: expressions of the chart's data
model that must not, or must, be true whenever the chart is at rest. Events come
as a user could send them. --data says which data they carry, in a file or as it is:

  {"tap": {"x": "0..8", "y": "0..8"}, "coin": [1, 2, 5]}

--suggest prints such a file, with values on both sides of what the chart compares
_event.data with. Edit it before you use it.

--leads-to 'A => B' is violated by a run on which A becomes true and B does not
after it. On such a run an event comes at last that could come all the time, or
with --fairness strong, one that could come again and again. The run is printed as
inputs that lead to a cycle, and those of the cycle.

--property FILE is a property chart: a chart that hears what the session does, and
whose final states are violations. Its events are enter.STATE, exit.STATE,
event.NAME and raise.NAME (taken from the external and the internal queue),
send.NAME, and stable after each macrostep; event, raise and send have the data.

--reach STATE prints a shortest way to a state, or that there is none, as far as
searched. --from FILE begins in the session that "scxmlrun run --save" saved:
together they say which events lead a stuck session out. --errors makes the chart's
error events violations. --unused lists the states that were never entered and the
transitions that were never taken.

Events come at any time. Delayed events are due when the chart says so, and the
search takes all times at which an event can come before, between and after them
into account: none is left out, and none is impossible. The inputs are printed with
the earliest times at which they can come. --times says of each --reach state how
long the session takes until then at least and at most, with the inputs for both.
--time chooses something coarser for charts with very many states:

  zones  any time (the default)
  zero   events come at once, without time between; finds fewer configurations
  any    delayed events may be due in any order; finds more configurations, and
         keeps a violation only if it is possible at some times

A search lets the clock stand still, and random numbers are those of one seed.

--diff OLD compares FILE with an older chart: both get the same events, and the
shortest ones are printed after which what the charts send, log or raise as
errors, the states that both have, or their ends differ. --compare names what
counts, for example --compare send,log. "holds" then means that no events tell
the charts apart.

--write DIR writes each violation as a scenario into a folder: a test that fails as
long as the chart has it, with the states and the data that change at each step.
"scxmlrun test DIR" and the Go function scxmltest.RunFiles run it.

--dot FILE writes the graph of all states for Graphviz: the first state has a thick
border, a final one a double border, and a deadlock is red. "dot -Tsvg FILE" draws it.

--view -LOCATION takes states for the same that differ only in these data, such as a
counter of moves: --view -board.moves. --view EXPR counts of all data only the value
of an expression. Use it for data that have no effect on the rest: what the other states
lead to is not visited, so a search with a view is not a proof.

--bits keeps less of each state, so that more fit into the memory. Some may be taken
for others and missed: the report says about how many. Another run misses others.

--reduce visits fewer states where the regions of an outermost <parallel> do not touch
each other's events and data, and finds the same mistakes, maybe on longer paths.

A search that takes some seconds is continued by a Go program that is made of the chart,
where there is the go command: it is about ten times as fast or more, with the same
result, and the report says "compiled". Charts with invocations or
services, and searches with --leads-to, --property, --unused, --view or --dot, are
searched without; --compiled always says why.

--simulate makes random runs, for charts with too many states: up to 1000 inputs a
run, or --depth. It stops at the first run with a violation, and takes inputs out of
its path that the violation does not need. The same --seed makes the same runs.

A chart that invokes a service, which is anything but a chart, is refused with the way
to that, because what the service does is not known. --no-services explores it as where
there are no services: an invocation is the event error.execution.

The verdict is "holds" if all states were visited and nothing was found, whatever
events, data, random numbers, times, ids and answers come, within what --data, --names
and --no-services say. It is "holds as far as searched" if the chart looked at something
of which the search tried only some: the report lists each with its place, and its name
in brackets. --assume NAME accepts it. It is "violated" if something was found; a deadlock may
then be one as far as searched, which the report says. It is "inconclusive" if a bound was reached or
the search was interrupted; the report then has what was found so far. It is "inconclusive (delays)" if an event
came while a delayed one was pending with --time zero, if a violation was possible at
no times with --time any, or if more than 4096 sets of delayed events may be due next
in some state. It is "inconclusive (timers)" if more than 1000 delayed events are pending
in one, or fewer with little --memory.

A search that does not end says within some seconds what has grown on one way through the
states, such as a counter or the delayed events that wait, and what to do about it. It says
so again at its end. --memory bounds what the command takes, also inside one state.

Exit status:
  0    holds
  1    violated, or the chart cannot be explored
  2    wrong usage
  3    the document was refused (diagnostics on standard error)
  4    inconclusive
  6    holds as far as searched
  130  interrupted`

const exploreExample = `  scxmlrun explore --never "In('open') && In('red')" gate.scxml
  scxmlrun explore --leads-to "In('waits') => In('served')" gate.scxml
  scxmlrun explore --data taps.json --states 1000000 --timeout 1m game.scxml
  scxmlrun explore --from order.json --reach paid order.scxml
  scxmlrun explore --reach walk --times crossing.scxml
  scxmlrun explore --diff gate-v1.scxml gate.scxml
  scxmlrun explore --view -moves --view -log game.scxml
  scxmlrun explore --simulate --seed 7 --timeout 1m --runs 0 game.scxml
  scxmlrun explore --json gate.scxml`

// exploreFlags are the flags of explore as its help has them.
var exploreFlags = []flagGroup{
	{"First of all", []string{"never", "data", "timeout"}},
	{"What must hold", []string{"always", "leads-to", "fairness", "property", "reach", "times", "errors", "no-deadlocks", "unused"}},
	{"What comes from outside", []string{"suggest", "names", "from", "time", "no-services", "assume"}},
	{"How much is visited", []string{"states", "depth", "memory", "workers", "compiled", "view", "bits", "reduce", "simulate", "seed", "runs"}},
	{"Two charts", []string{"diff", "compare"}},
	{"What is written", []string{"write", "dot", "json"}},
}

// maxExploreFile bounds the files of --data and --from.
const maxExploreFile = 100 << 20

// exploreOptions are the flags of explore.
type exploreOptions struct {
	opts          explore.Options // those that are flags as they are, with megabytes for bytes
	never, always []string
	leadsTo       []string
	property      []string
	fairness      string
	time          cli.Choice
	from, data    string
	diff          string
	canView       bool // the command has --view, for one chart
	compare       []string
	out, dot      string
	noServices    bool
	suggest       bool
	simulate      bool
	seed          uint64
	runs          int
	timeout       time.Duration
	json          bool
	mode          cli.Choice // --compiled
	program       *searchprogram.Program
}

// newExploreCommand returns the command that visits all states of a chart.
func newExploreCommand() *cobra.Command {
	o := &exploreOptions{time: cli.Choice{Value: "zones", All: []string{"zones", "zero", "any"}}}
	cmd := &cobra.Command{
		Use:     "explore FILE",
		Short:   "Visit every state that a chart can reach",
		Long:    exploreHelp,
		Example: exploreExample,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.checkDiff(cmd.Flags()); err != nil {
				return err
			}
			return runExplore(cmd.Context(), o, args[0])
		},
		ValidArgsFunction: completeChart,
	}
	flags := cmd.Flags()
	o.searchFlags(flags, 0)
	flags.StringArrayVar(&o.never, "never", nil, "`EXPR` that must not be true in any state; may be repeated")
	flags.StringArrayVar(&o.always, "always", nil, "`EXPR` that must be true in every state; may be repeated")
	flags.StringArrayVar(&o.leadsTo, "leads-to", nil, "`'A => B'`: a state in which A is true must lead to one in which B is; may be repeated")
	flags.StringArrayVar(&o.property, "property", nil, "property chart `FILE` whose final states are violations; may be repeated")
	flags.StringVar(&o.fairness, "fairness", "weak", "`weak` or strong: when an event must come at last, for --leads-to")
	flags.StringArrayVar(&o.opts.Reach, "reach", nil, "`STATE` that must be reached; may be repeated")
	flags.BoolVar(&o.opts.Times, "times", false, "say how long it takes until --reach states")
	o.time.Flag(cmd, "time", "when events come while delayed ones are pending: zones, zero or any")
	flags.StringVar(&o.diff, "diff", "", "compare FILE with the chart `OLD`")
	flags.StringSliceVar(&o.compare, "compare", nil, "`ASPECTS` that --diff compares: "+cli.List(aspectNames(), "and")+"; all without the flag")
	flags.BoolVar(&o.opts.NoDeadlocks, "no-deadlocks", false, "deadlocks are counted, but are not violations")
	flags.BoolVar(&o.opts.Errors, "errors", false, "error events of the chart are violations")
	flags.BoolVar(&o.opts.Unused, "unused", false, "list states and transitions that nothing leads to")
	flags.StringVar(&o.out, "write", "", "write each violation as a scenario into this `DIR`")
	flags.BoolVar(&o.suggest, "suggest", false, "only print data for events, for --data")
	flags.StringVar(&o.dot, "dot", "", "write the graph of all states to this `FILE`, for Graphviz")
	flags.StringArrayVar(&o.opts.View, "view", nil, "`-LOCATION` of data that make no difference between states, or an expression that does; may be repeated")
	flags.Int64Var(&o.opts.Bits, "bits", 0, "keep three bits of each state in a table of about this `NUMBER` of megabytes")
	flags.BoolVar(&o.opts.Reduce, "reduce", false, "do not try the events of a region in each order with those of others, where it makes no difference")
	flags.BoolVar(&o.simulate, "simulate", false, "make random runs instead of visiting all states")
	flags.Uint64Var(&o.seed, "seed", 1, "`NUMBER` that the random runs depend on")
	flags.IntVar(&o.runs, "runs", 1000, "`NUMBER` of random runs; 0 for no bound")
	o.compiledFlag(cmd)
	o.assumeFlag(flags)
	flags.BoolVar(&o.json, "json", false, "write one JSON object")
	groupFlags(cmd, exploreFlags)
	return cmd
}

func (o *exploreOptions) options() (opts explore.Options, err error) {
	for _, bound := range []struct {
		flag  string
		value int64
	}{{"states", int64(o.opts.MaxStates)}, {"depth", int64(o.opts.MaxDepth)}, {"memory", o.opts.MaxMemory}, {"timeout", int64(o.timeout)}, {"workers", int64(o.opts.Workers)}, {"runs", int64(o.runs)}, {"bits", o.opts.Bits}} {
		if bound.value < 0 {
			return opts, cli.Usagef("--%s must not be negative", bound.flag)
		}
	}
	opts = o.opts
	for _, name := range opts.Names {
		if err := datamodel.CheckEventName(name); err != nil {
			return opts, cli.Usagef("--names: %v", err)
		}
	}
	for _, name := range opts.Assume {
		if !slices.Contains(explore.Reasons, name) {
			return opts, cli.Usagef("--assume: %q is not the name of a reason%s", name, cli.DidYouMean(name, explore.Reasons))
		}
	}
	if o.noServices {
		opts.Assume = append(slices.Clip(opts.Assume), "services")
	}
	opts.MaxMemory <<= 20
	opts.Bits <<= 20
	if o.time.Value != "" { // some commands have no flag for it
		if opts.Time, err = explore.ParseTiming(o.time.Value); err != nil {
			return opts, err
		}
	}
	if o.opts.Times && len(o.opts.Reach) == 0 {
		return opts, cli.Usagef("--times needs a state: add --reach STATE")
	}
	if !o.noServices && !o.suggest {
		opts.Session = []scxml.Option{scxml.WithInvoker("*", scxml.InvokerFunc(waits))}
	}
	switch {
	case o.dot == load.Stdin:
		return opts, cli.Usagef("--dot needs the name of a file: the report is on standard output")
	case o.dot != "" && o.simulate:
		return opts, cli.Usagef("--simulate cannot draw a graph: it does not visit all states; leave out --dot")
	case o.dot != "" && o.opts.Bits > 0:
		return opts, cli.Usagef("--bits cannot draw a graph: it does not keep the states; leave out --dot")
	}
	if o.opts.Bits > 0 && len(o.leadsTo) > 0 {
		return opts, cli.Usagef("--bits cannot check --leads-to")
	}
	if with := o.notReduced(); opts.Reduce && with != "" {
		return opts, cli.Usagef("--reduce cannot be combined with --%s", with)
	}
	if o.simulate {
		opts.Simulate = &explore.Simulation{Seed: o.seed, Runs: o.runs}
		if len(o.leadsTo) > 0 {
			return opts, cli.Usagef("--simulate cannot check --leads-to: random runs end before an answer must come")
		}
	}
	for _, expr := range o.never {
		opts.Properties = append(opts.Properties, explore.Never(expr))
	}
	for _, expr := range o.always {
		opts.Properties = append(opts.Properties, explore.Always(expr))
	}
	for _, text := range o.leadsTo {
		r, err := explore.LeadsTo(text)
		if err != nil {
			return opts, cli.Usagef("--leads-to: %v", err)
		}
		opts.LeadsTo = append(opts.LeadsTo, r)
	}
	for _, name := range o.property {
		chart, err := load.Chart(name, scxml.Limits{})
		if err != nil {
			return opts, err
		}
		opts.Observers = append(opts.Observers, chart)
	}
	switch o.fairness {
	case "", "weak":
	case "strong":
		opts.Strong = true
	default:
		return opts, cli.Usagef("--fairness: %q is not a fairness: want weak or strong", o.fairness)
	}
	if o.from != "" {
		if opts.From, err = readFlag("from", o.from); err != nil {
			return opts, err
		}
	}
	if o.data == "" {
		return opts, nil
	}
	source := []byte(o.data)
	if !strings.HasPrefix(strings.TrimSpace(o.data), "{") {
		if source, err = readFlag("data", o.data); err != nil {
			return opts, err
		}
	}
	if opts.Data, err = explore.ParseData(source); err != nil {
		return opts, cli.Usagef("--data %s: %v", o.data, err)
	}
	return opts, nil
}

// notReduced returns a flag with which a search cannot be reduced, or "".
func (o *exploreOptions) notReduced() string {
	for _, refused := range []struct {
		flag string
		is   bool
	}{
		{"leads-to", len(o.leadsTo) > 0}, {"property", len(o.property) > 0}, {"view", len(o.opts.View) > 0}, {"bits", o.opts.Bits > 0}, {"dot", o.dot != ""},
		{"unused", o.opts.Unused}, {"times", o.opts.Times}, {"from", o.from != ""}, {"simulate", o.simulate}, {"diff", o.diff != ""},
	} {
		if refused.is {
			return refused.flag
		}
	}
	return ""
}

// searchFlags adds the flags of commands that search a chart, which stop after so many states.
func (o *exploreOptions) searchFlags(flags *pflag.FlagSet, states int) {
	flags.StringVar(&o.from, "from", "", "begin in the session of this snapshot `FILE`")
	flags.StringVar(&o.data, "data", "", "the data that events carry: a JSON `FILE`, or the JSON itself")
	flags.StringSliceVar(&o.opts.Names, "names", nil, "`NAMES` of the only events that come, besides those of --data")
	flags.IntVar(&o.opts.MaxStates, "states", states, "stop after this `NUMBER` of states; 0 for no bound")
	flags.IntVar(&o.opts.MaxDepth, "depth", 0, "visit only states that this `NUMBER` of inputs leads to; 0 for no bound")
	flags.Int64Var(&o.opts.MaxMemory, "memory", 1024, "stop when the states take about this `NUMBER` of megabytes; 0 for no bound")
	flags.DurationVar(&o.timeout, "timeout", 0, "stop after this `TIME`, for example 30s")
	flags.IntVar(&o.opts.Workers, "workers", 0, "`NUMBER` of states that are visited at the same time; 0 is one for each core")
	o.noServicesFlag(flags)
}

func (o *exploreOptions) noServicesFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&o.noServices, "no-services", false, "services cannot be invoked: each is an error event")
}

func (o *exploreOptions) compiledFlag(cmd *cobra.Command) {
	o.mode = cli.Choice{Value: "auto", All: searchprogram.Modes}
	o.mode.Flag(cmd, "compiled", "search by a Go program that is made of the chart: auto, always or never")
}

func (o *exploreOptions) assumeFlag(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.opts.Assume, "assume", nil, "`NAMES` of what may be left out and the verdict still be holds: "+cli.List(explore.Reasons, "or"))
}

// waits is a service that does not answer. A search ends with an error where it would run.
func waits(ctx context.Context, _ *scxml.Invocation) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// readFlag reads the file that a flag names.
func readFlag(flag, name string) ([]byte, error) {
	data, err := cli.ReadText(name, maxExploreFile)
	if err != nil {
		return nil, cli.Usagef("--%s: cannot read %q: %v", flag, name, cli.Plain(err))
	}
	return data, nil
}

func runExplore(ctx context.Context, o *exploreOptions, name string) error {
	opts, err := o.options()
	if err != nil {
		return err
	}
	if err := cli.CheckOut("--dot", o.dot, append([]string{name, o.from}, o.property...)...); err != nil {
		return err
	}
	opts.Graph = o.dot != ""
	o.canView = o.diff == ""
	if o.out != "" && name == load.Stdin {
		return cli.Usagef("--write: the scenarios name the file of the chart: it cannot be standard input")
	}
	chart, err := load.Chart(name, scxml.Limits{})
	if err != nil {
		return err
	}
	if o.suggest {
		return o.printSuggestion(ctx, chart, name, opts)
	}
	run, err := o.explorer()
	if err != nil {
		return err
	}
	for _, state := range o.opts.Reach {
		if _, ok := chart.State(state); !ok {
			var names []string
			for _, st := range chart.States() {
				names = append(names, st.Name())
			}
			return cli.Usagef("--reach: %q is not a state of %s%s", state, name, cli.DidYouMean(state, names))
		}
	}
	var report *explore.Report
	err = o.search(ctx, &opts, func(ctx context.Context) error {
		report, err = run(ctx, chart, opts)
		return err
	})
	var stopped *cli.Error
	if errors.As(err, &stopped) && stopped.Status == cli.Interrupted && report != nil {
		report.Bound = "interrupted"
	} else if errors.Is(err, scxml.ErrSnapshot) || errors.Is(err, scxml.ErrChartChanged) {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("--from %s: %w", o.from, err)}
	} else if err != nil {
		return err
	}
	if err := o.draw(ctx, chart, opts, report.Graph); err != nil {
		return err
	}
	files, err := o.write(ctx, chart, name, opts, report)
	if err != nil {
		return err
	}
	if err := o.print(report, files); err != nil {
		return err
	}
	switch {
	case stopped != nil:
		return stopped
	case report.Verdict == explore.Violated:
		return &cli.Error{Status: cli.Failed}
	case report.Verdict == explore.Inconclusive:
		return &cli.Error{Status: cli.Timeout}
	case report.Verdict == explore.Searched:
		return &cli.Error{Status: cli.Partly}
	}
	return nil
}
