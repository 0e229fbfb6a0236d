package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Options say what to explore. The zero Options look for deadlocks without bounds.
type Options struct {
	// Session are options of the sessions that visit the states of a chart. Unless they say otherwise, the
	// seed is 1, the clock is at the beginning of the year 2000, and the session id is "session", as in
	// scenarios of package scxmltest; and the events of [scxml.Chart.IsUserEvent] are accepted. WithTrace
	// and callbacks would be called on many goroutines, in no order. For a chart that sends messages to
	// processors there is WithOutbox: they count as delivered.
	Session []scxml.Option

	// Data has the data that an event of a chart may carry, by the name of the event. The search sends the
	// event with each of them.
	Data map[string][]any

	// Names are the events that may come from outside; nil for all that the chart has a transition for, and
	// for what a user can send. With names, no other event comes but those in Data.
	Names []string

	// Assume has the names of Reasons that do not count against the verdict Holds.
	Assume []string

	// From is the snapshot of a session in which the search begins, see [scxml.Session.Snapshot]; nil
	// for a session that starts. Then Session must not have WithData, WithSeed, WithSessionID or
	// WithConfiguration.
	From []byte

	// View says which data of a chart make a difference between states; nil for all. Locations of ECMAScript
	// after a minus, as "-board.moves", do not count. Any other text is an expression: then of all data
	// items only its value counts. States that differ in nothing else are one, and the search visits
	// the one that it finds first. It finds what there is if data that do not count have no effect on
	// those that do, on states or on events.
	View []string

	// Observers are property charts. Each runs beside the session and hears what it does; a top-level final
	// state of it is a violation. The events are, in the order in which things happen:
	//
	//	enter.STATE, exit.STATE  a state has become active; its onexit handlers have run
	//	event.NAME, raise.NAME   an event was taken from the external, or the internal, queue; with its data
	//	send.NAME                an event was sent, a delayed one when it is due; with its data
	//	stable                   a macrostep has ended
	//
	// An observer runs when the session has come to rest. It hears nothing of invoked sessions, and cannot
	// send delayed events.
	Observers []*scxml.Chart

	Time Timing // when events of a chart come while delayed ones are pending

	Errors      bool // error events of a chart are violations
	NoDeadlocks bool // deadlocks are counted, but are not violations
	First       bool // end the search with the first violation
	Unused      bool // report what no input of a chart led to, at the cost of some speed

	Properties []Property
	LeadsTo    []Response // at most 32
	Strong     bool       // what LeadsTo says about fairness
	Reach      []string   // names of states that must be active in some state of the system
	Times      bool       // report how long a chart takes until they are, at the cost of two searches each
	Stop       bool       // end the search when all of Reach were found; the verdict is Inconclusive then
	Graph      bool       // report the graph of the states, at the cost of some memory

	// Bounds of the search; 0 means none. If one is reached the verdict is Inconclusive, unless there
	// is a violation. MaxMemory is in bytes, of what the search keeps, which is estimated, and of what the
	// heap of the process keeps more than when it began. The process takes more, as any Go program, unless
	// [debug.SetMemoryLimit] makes it collect garbage more often. A context with a deadline bounds the time.
	MaxStates int
	MaxDepth  int
	MaxMemory int64

	// Bits is the size in bytes of a table that keeps three bits for each state, 0 for 128 bits each. Four
	// times as many states fit into the same memory, apart from those that are still to be visited. Some
	// states may be taken for others and missed, see Report.Missed.
	Bits int64

	// Reduce visits fewer states of a chart whose outermost <parallel> has regions that do not always touch each other's
	// data, see [LocalStates]: the same deadlocks, violations and states of Reach are found, though on paths that
	// may be longer than others. It is for searches of all states, compared whole, from the start, with Properties that are
	// expressions, and without View, LeadsTo, Observers, Times, Unused and Graph.
	Reduce bool

	Simulate *Simulation // make random runs; nil to visit all states

	Workers  int            // how many goroutines work; 0: one for each core
	Progress func(Progress) // is called a few times a second while the search runs; may be nil
}

// Progress is how far a search has come.
type Progress struct {
	States      int // found
	Transitions int
	Depth       int // of the states that are being visited
	Frontier    int // states that were found and not yet visited
	Runs        int // with Options.Simulate

	Grows []Growth // what has grown so far, if the search lasts some seconds
}

// Other is the name of the event that comes for the descriptor "*".
const Other = "other"

// Run explores a chart. The error is that of [scxml.New], or says why the chart cannot be explored.
// A context that is done ends the search with the report so far, whose Bound is "time".
func Run(ctx context.Context, chart *scxml.Chart, opts Options) (*Report, error) {
	for _, name := range opts.Reach {
		if _, ok := chart.State(name); !ok {
			return nil, fmt.Errorf("explore: %q is not a state of %s", name, chart.File())
		}
	}
	data, err := values(opts.Data)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	var sessions []*Session
	r, err := Search(ctx, func() (System, error) {
		o, err := newObserved(chart, opts, data)
		sessions = append(sessions, o.Session)
		if len(o.observers) == 0 {
			return o.Session, err
		}
		return o, err
	}, opts)
	if err != nil {
		return nil, err
	}
	if opts.Unused && !r.lost {
		r.unused(chart, sessions)
	}
	if opts.Times {
		ctx, end := WithinMemory(ctx, opts.MaxMemory)
		defer end()
		if err := r.measure(ctx, chart, opts, data); err != nil {
			return nil, fmt.Errorf("explore: %w", err)
		}
	}
	return r, nil
}

// Search explores a system as [Run] explores a chart. It calls newSystem once for each worker. Options that
// say so are for charts alone.
func Search(ctx context.Context, newSystem func() (System, error), opts Options) (*Report, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if len(opts.LeadsTo) > maxResponses {
		return nil, fmt.Errorf("explore: more than %d properties in LeadsTo", maxResponses)
	}
	if opts.Bits > 0 && (opts.Graph || len(opts.LeadsTo) > 0) {
		return nil, errors.New("explore: a table of bits has no graph, and cannot tell what leads to what")
	}
	for _, name := range opts.Assume {
		if !slices.Contains(Reasons, name) {
			return nil, fmt.Errorf("explore: %q cannot be assumed: want one of %q", name, Reasons)
		}
	}
	ctx, end := WithinMemory(ctx, opts.MaxMemory)
	defer end()
	s, err := newSearch(newSystem, opts, false)
	if err == nil {
		err = s.run(ctx)
	}
	if errors.Is(err, errIDs) {
		if s, err = newSearch(newSystem, opts, true); err == nil {
			err = s.run(ctx)
		}
	}
	var bound boundError
	if errors.As(err, &bound) {
		s.report.Bound = string(bound)
	}
	if err == nil || errors.As(err, &bound) {
		err = s.judge(err == nil)
	}
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	s.report.ids, s.report.lost = s.ids, s.lost
	return s.report, nil
}

func newSearch(newSystem func() (System, error), opts Options, ids bool) (*search, error) {
	s := &search{
		opts: opts, seen: newSeen(opts.Bits), memory: opts.Bits, inputs: map[string]int32{},
		graph: opts.Graph || len(opts.LeadsTo) > 0, report: &Report{}, ids: ids, newSystem: newSystem,
	}
	for range opts.Workers {
		system, err := newSystem()
		if err != nil {
			return nil, err
		}
		watched, _ := system.(watchedSystem)
		if ids {
			watched.KeepIDs()
		}
		s.workers = append(s.workers, &worker{search: s, system: system, watched: watched})
	}
	return s, nil
}
