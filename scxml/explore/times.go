package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Times say how long a session takes, from its start, until a state is active.
type Times struct {
	Fastest, Slowest Passage
}

// A Passage is a way to a state of the chart that no other takes less time for, or more.
type Passage struct {
	Time time.Duration
	// Open reports that the session can come as near to Time as one likes, but needs longer than the
	// fastest time, or not as long as the slowest.
	Open bool
	// Never reports that no time is the slowest. Path leads to where the session can be for any time
	// before it comes to the state, perhaps for ever.
	Never bool
	Path  []Input // with times, see Session.Schedule; if Open they are near
}

// String returns for example "2s", "more than 2s" and "never".
func (p Passage) text(open string) string {
	switch {
	case p.Never:
		return "never"
	case p.Open:
		return open + " " + p.Time.String()
	}
	return p.Time.String()
}

// String returns both times: "2s to 5s", "more than 2s to less than 5s", "2s to never".
func (t *Times) String() string {
	return t.Fastest.text("more than") + " to " + t.Slowest.text("less than")
}

// MeasureTimes returns how long a session of the chart takes until a state is active when it rests: at
// least, and at most if it does come there. The options are those of [Run] of which the timing, the
// properties and the report of states are ignored. The times are nil if no input leads to the state.
//
// Waits for events of a user take any time. So the slowest time is never if the session may rest without a
// delayed event before it comes to the state. Events that come again and again without end while no time
// passes do not count.
func MeasureTimes(ctx context.Context, chart *scxml.Chart, opts Options, name string) (*Times, error) {
	if _, ok := chart.State(name); !ok {
		return nil, fmt.Errorf("explore: %q is not a state of %s", name, chart.File())
	}
	opts.Time, opts.Unused, opts.Errors = Zones, false, false
	var times Times
	for _, slow := range []bool{false, true} {
		passage, err := measure(ctx, chart, opts, name, slow)
		switch {
		case err != nil:
			return nil, fmt.Errorf("explore: %w", err)
		case passage == nil:
			return nil, nil
		case slow:
			times.Slowest = *passage
		default:
			times.Fastest = *passage
		}
	}
	return &times, nil
}

// A stopwatch searches for the least or the greatest time. Its zones have a watch, of which they keep the
// bounds on one side: a state need not be visited if the session was in it before, with the same times of
// delayed events, as early or as late.
type stopwatch struct {
	session *Session
	name    string
	slow    bool
	laps    []lap
	known   map[string][]int // numbers of laps, by what a state is without the watch

	best    bound // the greatest bound: of the time for the slowest, of its negative for the fastest
	arrived bool
	never   bool
	path    []Input // of the best
}

// A lap is a state to be visited.
type lap struct {
	from  int // the lap before, or -1
	input Input
	state []byte
	key   string  // without the watch
	watch []bound // the bounds that are kept
}

// measure returns the fastest or slowest passage, or nil if there is none.
func measure(ctx context.Context, chart *scxml.Chart, opts Options, name string, slow bool) (*Passage, error) {
	data, err := values(opts.Data)
	if err != nil {
		return nil, err
	}
	s, err := newSession(chart, opts, data)
	if err != nil {
		return nil, err
	}
	s.clocks.zone = start(true)
	w := &stopwatch{session: s, name: name, slow: slow, known: map[string][]int{}}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	if err := w.enter(-1, Input{}); err != nil {
		return nil, err
	}
	for i := 0; i < len(w.laps) && !w.never; i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if most := opts.MaxStates; most > 0 && i == most {
			return nil, fmt.Errorf("the times until %q take more than %d states", name, most)
		}
		if err := w.visit(ctx, i); err != nil {
			return nil, err
		}
	}
	if !w.arrived && !w.never {
		return nil, nil
	}
	return w.passage()
}

// visit tries all inputs in a state.
func (w *stopwatch) visit(ctx context.Context, number int) error {
	s, state := w.session, w.laps[number].state
	if err := s.LoadState(state); err != nil {
		return err
	}
	if s.Final() {
		return nil
	}
	for _, in := range s.AppendInputs(nil) {
		if w.never {
			break
		}
		if err := s.LoadState(state); err != nil {
			return err
		}
		var limit *scxml.LimitError
		err := s.Apply(ctx, in)
		if errors.As(err, &limit) || errors.Is(err, ErrEndless) {
			continue
		}
		if err == nil {
			err = w.enter(number, in)
		}
		if err != nil {
			return err
		}
	}
	w.laps[number].state = nil
	return nil
}

// enter enters the present state, to which an input in a lap leads.
func (w *stopwatch) enter(from int, in Input) error {
	s := w.session
	if s.In(w.name) {
		time := *s.clocks.zone.at(s.clocks.zone.size-1, 0)
		if w.slow {
			time = s.clocks.arrived
		}
		if !w.arrived || time > w.best {
			w.arrived, w.best, w.path = true, time, w.pathTo(from, in)
		}
		return nil
	}
	next := lap{from: from, input: in, watch: s.clocks.zone.keep(w.slow)}
	if w.slow && next.watch[0] == unbounded {
		w.never, w.path = true, w.pathTo(from, in)
		return nil
	}
	if !w.slow && w.arrived && next.watch[0] <= w.best {
		return nil // too late
	}
	untimed := s.clocks.zone.withoutWatch()
	key, err := s.Session.AppendKey(untimed.append(nil))
	if err != nil {
		return err
	}
	next.key = string(key)
	for _, i := range w.known[next.key] {
		if !exceeds(next.watch, w.laps[i].watch) {
			return nil
		}
	}
	for i := from; w.slow && i >= 0; i = w.laps[i].from {
		if w.laps[i].key == next.key && grows(w.laps[i].watch, next.watch) {
			w.never, w.path = true, w.pathTo(from, in)
			return nil
		}
	}
	if next.state, err = s.AppendState(nil); err != nil {
		return err
	}
	w.known[next.key] = append(w.known[next.key], len(w.laps))
	w.laps = append(w.laps, next)
	return nil
}

// exceeds reports whether some bound is greater than another one.
func exceeds(a, b []bound) bool {
	for i := range a {
		if a[i] > b[i] {
			return true
		}
	}
	return false
}

// grows reports whether all bounds have become greater by some time. As a circle of inputs does the same to
// bounds that are all greater, it makes them grow without end.
func grows(before, after []bound) bool {
	for i := range after {
		if after[i] < before[i]+2 {
			return false
		}
	}
	return true
}

// pathTo returns the path to the present state.
func (w *stopwatch) pathTo(from int, in Input) []Input {
	if from < 0 {
		return nil
	}
	path := []Input{in}
	for ; w.laps[from].from >= 0; from = w.laps[from].from {
		path = append(path, w.laps[from].input)
	}
	slices.Reverse(path)
	return path
}

func (w *stopwatch) passage() (*Passage, error) {
	p := &Passage{Time: w.best.duration(), Open: w.best&1 == 0, Never: w.never}
	if !w.slow {
		p.Time = -p.Time
	}
	if w.never {
		p.Time, p.Open = 0, false
	}
	var err error
	p.Path, err = w.session.schedule(w.path, w.slow && !w.never, time.Millisecond)
	return p, err
}
