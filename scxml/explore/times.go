package explore

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/zone"
)

// Times say how long a session takes, from its start, until a state is active when it rests.
type Times struct {
	Fastest, Slowest Passage
}

// A Passage is a way to a state that no other takes less time for, or more.
type Passage struct {
	Time time.Duration
	// Open reports that the session can come as near to Time as one likes, but needs longer than the
	// fastest, and not as long as the slowest.
	Open bool
	// Never reports that there is no slowest time: the session may never come to the state, and Path leads
	// to where that is so. It can rest there without a delayed event, because waits for events of a user
	// take any time, or it comes there again and again. Events without end during a finite time do not
	// count.
	Never bool
	Path  []Input // with times; with Open they are near
}

// String returns two lines, each with a line for each input after it.
func (t *Times) String() string {
	var b strings.Builder
	b.WriteString("fastest: ")
	t.Fastest.write(&b, "more than ")
	b.WriteString("\nslowest: ")
	t.Slowest.write(&b, "less than ")
	return b.String()
}

func (p *Passage) write(b *strings.Builder, open string) {
	switch {
	case p.Never && len(p.Path) == 0:
		b.WriteString("maybe never")
	case p.Never:
		b.WriteString("maybe never, after")
	case p.Open:
		b.WriteString(open + p.Time.String())
	default:
		b.WriteString(p.Time.String())
	}
	writePath(b, 1, p.Path)
}

// measure finds the times of the states that were reached.
func (r *Report) measure(ctx context.Context, chart *scxml.Chart, opts Options, data map[string][]datamodel.Value) error {
	opts.Time, opts.Unused, opts.Errors = Zones, false, false
	for i := range r.Reached {
		var passages [2]Passage
		for n := range passages {
			s, err := newSession(chart, opts, data)
			if err != nil {
				return err
			}
			if r.ids {
				s.KeepIDs()
			}
			w := &stopwatch{session: s, name: r.Reached[i].State, slow: n == 1, known: map[string][]int{}}
			bound, err := w.run(ctx, opts)
			if err != nil {
				return err
			}
			if bound != "" {
				if r.Verdict == Holds {
					r.Verdict, r.Bound = Inconclusive, bound
				}
				return nil
			}
			if passages[n], err = w.passage(); err != nil {
				return err
			}
		}
		r.Reached[i].Times = &Times{passages[0], passages[1]}
	}
	return nil
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
	memory  int64            // what they take, about

	arrived bool
	never   bool
	best    zone.Bound // the greatest one: of the time for the slowest, of its negative for the fastest
	path    []Input    // of the best
}

// A lap is a state to be visited.
type lap struct {
	from  int // the lap before, or -1
	input Input
	state []byte
	key   string       // without the watch
	watch []zone.Bound // the bounds that are kept
}

// run visits all states. If it reaches a bound of the options it returns its name.
func (w *stopwatch) run(ctx context.Context, opts Options) (bound string, err error) {
	w.session.clocks.zone = zone.Start(true)
	if err := w.session.Start(ctx); err != nil {
		return "", err
	}
	if err := w.enter(-1, Input{}); err != nil {
		return "", err
	}
	for i := 0; i < len(w.laps) && !w.never; i++ {
		switch {
		case ctx.Err() != nil:
			return string(stopped(ctx)), nil
		case opts.MaxStates > 0 && len(w.laps) > opts.MaxStates:
			return "states", nil
		case opts.MaxMemory > 0 && w.memory > opts.MaxMemory:
			return "memory", nil
		}
		if err := w.visit(ctx, i); err != nil && ctx.Err() == nil {
			return "", err
		}
	}
	return "", nil
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
	w.memory -= int64(len(state))
	w.laps[number].state = nil
	return nil
}

// enter enters the present state, to which an input in a lap leads.
func (w *stopwatch) enter(from int, in Input) error {
	s := w.session
	if s.In(w.name) {
		time := s.clocks.zone.Earliest()
		if w.slow {
			time = s.clocks.arrived
		}
		if !w.arrived || time > w.best {
			w.arrived, w.best, w.path = true, time, w.pathTo(from, in)
		}
		return nil
	}
	next := lap{from: from, input: in, watch: s.clocks.zone.Keep(w.slow)}
	if w.slow && next.watch[0] == zone.Unbounded {
		w.never, w.path = true, w.pathTo(from, in)
		return nil
	}
	if !w.slow && w.arrived && next.watch[0] <= w.best {
		return nil // too late
	}
	untimed := s.clocks.zone.WithoutWatch()
	key, err := s.appendUntimed(untimed.Append(nil))
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
	w.memory += int64(len(next.key) + len(next.state) + 8*len(next.watch) + entrySize)
	return nil
}

// exceeds reports whether some bound is greater than another one.
func exceeds(a, b []zone.Bound) bool {
	for i := range a {
		if a[i] > b[i] {
			return true
		}
	}
	return false
}

// grows reports whether all bounds have become greater by some time. As a circle of inputs does the same to
// bounds that are all greater, it makes them grow without end.
func grows(before, after []zone.Bound) bool {
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

func (w *stopwatch) passage() (Passage, error) {
	p := Passage{Time: w.best.Duration(), Open: w.best&1 == 0, Never: w.never}
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
