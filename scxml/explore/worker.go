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
	state      []byte // nil if it was known before
	violations []Violation
	err        error
}

// epoch is the time when all sessions start.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxMacrosteps is how many macrosteps may follow from one input.
const maxMacrosteps = 10_000

func newWorker(s *search) (*worker, error) {
	opts := []scxml.Option{
		scxml.WithSeed(1), scxml.WithClock(func() time.Time { return epoch }), scxml.WithAccept(s.chart.IsUserEvent),
	}
	session, err := scxml.New(s.chart, append(opts, s.opts.Session...)...)
	return &worker{search: s, session: session}, err
}

// start starts the session, and returns its first state.
func (w *worker) start(ctx context.Context) successor {
	err := w.session.Start(ctx)
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
	fresh := true
	for _, in := range inputs {
		if !fresh {
			if v.err = s.LoadState(state); v.err != nil {
				return v
			}
		}
		next := w.apply(ctx, in)
		if fresh = next.hash == own; fresh {
			continue
		}
		v.delays = v.delays || pending && in.Event != ""
		v.successors = append(v.successors, next)
	}
	if len(v.successors) == 0 && !pending {
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
	for steps, more := 0, err == nil; more; steps++ {
		if steps == maxMacrosteps {
			next.violations = []Violation{{Kind: Endless}}
			return next
		}
		if more, err = s.Step(ctx, s.Now()); err != nil {
			break
		}
	}
	var limit *scxml.LimitError
	if errors.As(err, &limit) {
		next.violations = []Violation{{Kind: Limit, Message: limit.Error()}}
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
