package temporal

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Options say how the sessions of a chart run as workflows. The zero Options are for a chart that
// neither invokes services nor sends to other Event I/O Processors than SCXML.
//
// All workers of a task queue need the same Options. Those of running workflows must not change, except
// Versions, SearchAttributes and History, and Activities may be added.
type Options struct {
	// Activities do what the chart asks for, by the type of <invoke> and of <send>. Each is an activity
	// named TYPE. One that is nil is run by another worker of the task queue, in any language.
	Activities map[string]Activity

	// Activity has the options of all activities, except for the retry policy of one whose element has
	// the attribute retry. What is zero has a default: see the package.
	Activity workflow.ActivityOptions

	// Children are the types of <invoke> that are child workflows. The attribute src is the name of the
	// workflow, params and namelist its data. "scxml" makes all invoked charts child workflows, which
	// otherwise run inside the workflow of their parent.
	Children []string

	// Versions are older versions of the chart, which workflows may have that run already.
	Versions []*scxml.Chart

	// Session are options for each session. Without WithLimits a macrostep has 10,000 microsteps, and its
	// scripts half a second. WithAccept says which events come from outside; the default is
	// [scxml.Chart.IsUserEvent]. Refused are those that say where a session is, or what it calls:
	// WithData, WithSessionID, WithSeed, WithClock, WithIOProcessor, WithInvoker, WithOutbox, WithRouter,
	// WithWake, WithTimers, WithMigration, WithLogger and WithDry.
	Session []scxml.Option

	// SearchAttributes tells the server of each workflow's ScxmlChart, ScxmlVersion and ScxmlStatus
	// (Keyword) and ScxmlStates (KeywordList), as many as fit into 2 kB. They must have been added to the namespace.
	SearchAttributes bool

	// History is the number of events of a history after which a workflow continues as a new run; 0 is
	// when the server suggests it. A run with services waits for them until there are twice as many.
	History int

	// Remember is how many answers to events with an ID a session keeps, to tell repeated ones; 0 is 100. A new
	// run begins with fewer if they do not fit into its input.
	Remember int
}

// Register makes the sessions of a chart workflows of the given name. It registers the activities too, in the place
// of those of the same name: a worker has one function for each type. It panics if a chart or an option cannot
// be used, as the registrations of the SDK do.
func Register(r worker.Registry, name string, chart *scxml.Chart, o Options) {
	d, err := define(name, chart, o)
	if err != nil {
		panic(fmt.Sprintf("temporal: Register %q: %v", name, err))
	}
	r.RegisterWorkflowWithOptions(d.run, workflow.RegisterOptions{Name: name})
	for _, typ := range slices.Sorted(maps.Keys(o.Activities)) {
		if do := o.Activities[typ]; do != nil {
			r.RegisterActivityWithOptions(do.execute, activity.RegisterOptions{Name: typ, DisableAlreadyRegisteredCheck: true})
		}
	}
}

// A definition is what is registered.
type definition struct {
	Options
	name     string
	charts   map[string]*scxml.Chart // by hash
	latest   string                  // hash
	limits   scxml.Limits
	accept   func(string) bool // nil: that of the chart
	recorder *recorder         // of [Record], else nil
}

var refused = []string{
	"WithData", "WithSessionID", "WithSeed", "WithClock", "WithIOProcessor", "WithInvoker", "WithOutbox",
	"WithRouter", "WithWake", "WithTimers", "WithMigration", "WithLogger", "WithDry",
}

func define(name string, chart *scxml.Chart, o Options) (*definition, error) {
	d := &definition{Options: o, name: name, charts: map[string]*scxml.Chart{}}
	for _, c := range append(slices.Clone(o.Versions), chart) {
		if c == nil {
			return nil, errors.New("a chart is nil")
		}
		d.latest = c.Hash()
		d.charts[d.latest] = c
	}
	restore := make([]scxml.RestoreOption, len(o.Session))
	for i, opt := range o.Session {
		if opt == nil {
			return nil, errors.New("an option is nil: leave it out")
		}
		restore[i] = opt
	}
	settings, err := scxml.SettingsOf(nil, restore...)
	if err != nil {
		return nil, err
	}
	for _, used := range settings.Used {
		if slices.Contains(refused, used) {
			return nil, fmt.Errorf("%s is not an option for sessions of a workflow", used)
		}
	}
	d.limits = scxml.Limits{Microsteps: 10_000, ScriptTime: time.Second / 2, MacrostepTime: time.Second / 2}
	if settings.Limits != nil {
		d.limits = *settings.Limits
	}
	d.accept = settings.Accept
	if d.Remember < 0 || d.History < 0 {
		return nil, errors.New("options Remember and History must not be negative")
	}
	if d.Remember == 0 {
		d.Remember = 100
	}
	for _, typ := range o.Children {
		if _, both := o.Activities[typ]; both {
			return nil, fmt.Errorf("type %q is an activity and a child workflow", typ)
		}
	}
	// What is missing is an error now, and not of each workflow.
	s, err := scxml.New(chart, append(slices.Clone(o.Session), d.outbox())...)
	if err == nil {
		err = scxml.ForServer(s).Abandon()
	}
	return d, err
}

func (d *definition) outbox() scxml.Option {
	types := slices.Sorted(maps.Keys(d.Activities))
	processors := slices.DeleteFunc(slices.Clone(types), func(typ string) bool { return typ == "*" })
	return scxml.WithOutbox(scxml.Outbox{Processors: processors, Services: append(types, d.Children...), Sessions: true})
}

// accepts reports whether an event from outside is one for a chart.
func (d *definition) accepts(chart *scxml.Chart, event string) bool {
	if d.accept != nil {
		return d.accept(event)
	}
	return chart.IsUserEvent(event)
}
