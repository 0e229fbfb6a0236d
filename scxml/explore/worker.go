package explore

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A worker visits one state after the other, on one goroutine.
type worker struct {
	*search
	session *scxml.Session
	key     []byte
	state   []byte
	errors  []Violation // of the present input

	entered map[scxml.State]bool // with Options.Unused
	taken   map[scxml.Transition]bool
}

// A visit is what a worker has found in a state.
type visit struct {
	successors []successor
	deadlock   []string // its configuration; nil if it is not one
	delays     bool
	err        error
}

// A successor is the state after an input.
type successor struct {
	input      Input
	hash       hash   // zero if the session did not come to rest
	same       bool   // it is the state before the input
	state      []byte // nil if it was known before
	violations []Violation
	events     []Violation // what happened on the way
	reached    []string
	err        error
}

// epoch is the time when all sessions start.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxMacrosteps is how many macrosteps may follow from one input.
const maxMacrosteps = 10_000

func newWorker(s *search) (*worker, error) {
	w := &worker{search: s, entered: map[scxml.State]bool{}, taken: map[scxml.Transition]bool{}}
	var err error
	w.session, err = scxml.New(s.chart, append([]scxml.Option{scxml.WithSeed(1)}, w.options()...)...)
	return w, err
}

func (w *worker) options() []scxml.Option {
	opts := []scxml.Option{
		scxml.WithClock(func() time.Time { return epoch }), scxml.WithAccept(w.chart.IsUserEvent),
	}
	if w.opts.Errors || w.opts.Unused {
		opts = append(opts, scxml.WithTrace(w.trace()))
	}
	return append(opts, w.opts.Session...)
}

func (w *worker) trace() *scxml.Trace {
	trace := new(scxml.Trace)
	if w.opts.Unused {
		trace.Enter = func(_ *scxml.Session, st scxml.State) { w.entered[st] = true }
		trace.Transition = func(_ *scxml.Session, t scxml.Transition) { w.taken[t] = true }
	}
	if w.opts.Errors {
		trace.Error = func(_ *scxml.Session, err *scxml.ExecutionError) {
			w.errors = append(w.errors, Violation{Kind: Error, Property: err.Event, Message: err.Pos.String() + ": " + err.Msg})
		}
	}
	return trace
}

// start starts the session, or restores it, and returns its first state.
func (w *worker) start(ctx context.Context) successor {
	if w.opts.From == nil {
		return w.rest(ctx, Input{}, w.session.Start(ctx))
	}
	s, err := scxml.Restore(w.chart, w.opts.From, scxml.Options(w.options()))
	if err == nil {
		w.state, err = s.AppendState(nil)
	}
	if err == nil {
		err = w.session.LoadState(w.state)
	}
	for _, name := range w.session.Configuration() {
		st, _ := w.chart.State(name)
		w.entered[st] = true
	}
	return w.rest(ctx, Input{}, err)
}

// visit tries all inputs in a state.
func (w *worker) visit(ctx context.Context, state []byte) (v visit) {
	s := w.session
	if v.err = s.LoadState(state); v.err != nil || s.Status() != scxml.Running {
		return v
	}
	if w.key, v.err = s.AppendKey(w.key[:0]); v.err != nil {
		return v
	}
	own := hashOf(w.key)
	due, pending := s.NextDue()
	inputs := w.allInputs()
	if pending {
		inputs = append(inputs, Input{Wait: due.Sub(s.Now())})
	}
	v.successors = make([]successor, 0, len(inputs))
	fresh, stuck := true, !pending
	for _, in := range inputs {
		if !fresh {
			if v.err = s.LoadState(state); v.err != nil {
				return v
			}
		}
		next := w.apply(ctx, in)
		next.same = next.hash == own
		if fresh = next.same; !fresh {
			stuck = false
			v.delays = v.delays || pending && in.Event != ""
		}
		if !fresh || next.events != nil {
			v.successors = append(v.successors, next)
		}
	}
	if stuck {
		v.deadlock = s.Configuration() // nothing has changed it
	}
	return v
}

// allInputs returns the events that may come in the present state.
func (w *worker) allInputs() (inputs []Input) {
	for _, descriptor := range w.session.Enabled() {
		name := strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
		if name == "" {
			name = Other
		}
		if list := w.data[name]; len(list) > 0 {
			for _, data := range list {
				inputs = append(inputs, Input{Event: name, Data: data})
			}
		} else {
			inputs = append(inputs, Input{Event: name})
		}
	}
	return inputs
}

// apply gives the session an input.
func (w *worker) apply(ctx context.Context, in Input) successor {
	s := w.session
	var err error
	if in.Event != "" {
		err = s.Send(scxml.Event{Name: in.Event, Data: in.Data})
	} else {
		_, err = s.Step(ctx, s.Now().Add(in.Wait))
	}
	return w.rest(ctx, in, err)
}

// rest completes what follows from an input, and returns the state that the session comes to rest in.
// err is the error so far.
func (w *worker) rest(ctx context.Context, in Input, err error) (next successor) {
	s := w.session
	next.input = in
	defer func() {
		next.events = append(next.events, w.errors...)
		w.errors = nil
	}()
	for steps, more := 0, err == nil; more; steps++ {
		if steps == maxMacrosteps {
			next.events = []Violation{{Kind: Endless}}
			return next
		}
		if more, err = s.Step(ctx, s.Now()); err != nil {
			break
		}
	}
	var limit *scxml.LimitError
	if errors.As(err, &limit) {
		next.events = []Violation{{Kind: Limit, Message: limit.Error()}}
		return next
	}
	if next.err = err; err != nil {
		return next
	}
	if w.key, next.err = s.AppendKey(w.key[:0]); next.err != nil {
		return next
	}
	next.hash = hashOf(w.key)
	if _, known := w.seen[next.hash]; known {
		return next
	}
	if w.state, next.err = s.AppendState(w.state[:0]); next.err != nil {
		return next
	}
	next.state = bytes.Clone(w.state)
	for _, name := range w.opts.Reach {
		if s.In(name) || s.FinalState() == name {
			next.reached = append(next.reached, name)
		}
	}
	for _, p := range w.opts.Properties {
		holds, err := p.Holds(ctx, s)
		if err != nil {
			next.err = err
			return next
		}
		if !holds {
			next.violations = append(next.violations, Violation{Kind: Broken, Property: p.Name, Configuration: s.Configuration()})
		}
	}
	return next
}
