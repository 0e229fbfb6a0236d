package explore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// An Observer is the session of a property chart beside one that is observed, see Options.Observers. Outside
// of a search, the session that is observed gets the trace of the observer, and starts after it. When it has
// come to rest, the caller asks what the observer has found.
type Observer struct {
	chart   *scxml.Chart
	session *scxml.Session
	hears   map[string]bool // whether a transition of the chart matches the event
	err     error           // an error event of the property chart itself
}

// NewObserver returns an observer that has not started.
func NewObserver(chart *scxml.Chart) (*Observer, error) {
	o := &Observer{chart: chart, hears: map[string]bool{}}
	var err error
	o.session, err = scxml.New(chart, scxml.WithSeed(1), scxml.WithMissing(), scxml.WithTrace(&scxml.Trace{
		Error: func(_ *scxml.Session, err *scxml.ExecutionError) {
			if o.err == nil {
				o.err = err
			}
		},
	}))
	return o, err
}

// hear gives the observer an event, unless it has no transition for it. It runs later.
func (o *Observer) hear(name string, data any) {
	hears, ok := o.hears[name]
	if !ok {
		hears = slices.ContainsFunc(o.chart.Transitions(), func(t scxml.Transition) bool {
			return slices.ContainsFunc(t.Events(), func(descriptor string) bool { return table.Matches(descriptor, name) })
		})
		o.hears[name] = hears
	}
	if hears && o.session.Status() == scxml.Running && o.err == nil {
		o.err = o.session.Send(scxml.Event{Name: name, Data: data})
	}
}

// run takes the events that the observer has heard.
func (o *Observer) run(ctx context.Context) error {
	var err error
	for steps, more := 0, true; more && err == nil; steps++ {
		if steps == maxMacrosteps {
			err = ErrEndless
			break
		}
		more, err = o.session.Step(ctx, o.session.Now())
	}
	if _, delayed := o.session.NextDue(); err == nil && delayed {
		err = errors.New("a property chart cannot send delayed events")
	}
	if err == nil {
		err = o.err
	}
	if o.err = nil; err != nil {
		return fmt.Errorf("property chart %s: %v", o.chart.File(), err) // not a LimitError of the session
	}
	return nil
}

// Trace returns the trace for the session.
func (o *Observer) Trace() *scxml.Trace { return heard(o.hear) }

// Start starts the observer. For a session that is restored, active has the states that are active.
func (o *Observer) Start(ctx context.Context, active ...string) error {
	if err := o.session.Start(ctx); err != nil {
		return fmt.Errorf("property chart %s: %w", o.chart.File(), err)
	}
	err := o.run(ctx)
	for _, name := range active {
		o.hear("enter."+name, nil)
	}
	return err
}

// Find lets the observer run, and returns the final state that it has reached since the last call, or "".
func (o *Observer) Find(ctx context.Context) (final string, err error) {
	running := o.session.Status() == scxml.Running
	if err := o.run(ctx); err != nil || !running {
		return "", err
	}
	return o.session.FinalState(), nil
}

// An observed is the System of a session and those that observe it.
type observed struct {
	*Session
	observers []*Observer
	buf       []byte
}

func newObserved(chart *scxml.Chart, opts Options, data map[string][]datamodel.Value) (*observed, error) {
	o := new(observed)
	for _, chart := range opts.Observers {
		observer, err := NewObserver(chart)
		if err != nil {
			return nil, fmt.Errorf("property chart %s: %w", chart.File(), err)
		}
		o.observers = append(o.observers, observer)
	}
	if len(o.observers) > 0 {
		opts.Session = append(slices.Clone(opts.Session), scxml.WithTrace(o.trace()))
	}
	var err error
	o.Session, err = newSession(chart, opts, data)
	return o, err
}

// trace tells the observers what the session does.
func (o *observed) trace() *scxml.Trace {
	return heard(func(name string, data any) {
		for _, observer := range o.observers {
			observer.hear(name, data)
		}
	})
}

// heard returns a trace that tells what a session does. Invoked sessions are not observed.
func heard(hear func(name string, data any)) *scxml.Trace {
	tell := func(s *scxml.Session, name string, data any) {
		if s.InvokeID() == "" {
			hear(name, data)
		}
	}
	send := func(s *scxml.Session, m scxml.Message) { tell(s, "send."+m.Event.Name, m.Event.Data) }
	return &scxml.Trace{
		Enter:         func(s *scxml.Session, st scxml.State) { tell(s, "enter."+st.Name(), nil) },
		Exit:          func(s *scxml.Session, st scxml.State) { tell(s, "exit."+st.Name(), nil) },
		Event:         func(s *scxml.Session, ev *scxml.Event) { tell(s, "event."+ev.Name, ev.Data) },
		InternalEvent: func(s *scxml.Session, ev *scxml.Event) { tell(s, "raise."+ev.Name, ev.Data) },
		Stable:        func(s *scxml.Session) { tell(s, "stable", nil) },
		Timer:         send,
		Send: func(s *scxml.Session, m scxml.Message) {
			if m.Delay == 0 {
				send(s, m)
			}
		},
	}
}

// Start starts the observers first. In a session that is restored they hear which states are active.
func (o *observed) Start(ctx context.Context) error {
	for _, observer := range o.observers {
		if err := observer.Start(ctx); err != nil {
			return err
		}
	}
	if err := o.Session.Start(ctx); err != nil {
		return err
	}
	if o.opts.From != nil {
		for _, name := range o.Configuration() {
			for _, observer := range o.observers {
				observer.hear("enter."+name, nil)
			}
		}
	}
	return o.observe(ctx)
}

// Apply gives the session an input, and its observers what follows from it.
func (o *observed) Apply(ctx context.Context, in Input) error {
	err := o.Session.Apply(ctx, in)
	if err == nil {
		err = o.observe(ctx)
	}
	return err
}

// observe lets the observers run. One that ends in a final state has found a violation.
func (o *observed) observe(ctx context.Context) error {
	for _, observer := range o.observers {
		final, err := observer.Find(ctx)
		if err != nil {
			return err
		}
		if final == "" {
			continue
		}
		o.violations = append(o.violations, Violation{
			Kind: Broken, Property: observer.chart.File() + ": " + final, Message: shown(observer.session.DoneData()), Configuration: o.Configuration(),
		})
	}
	return nil
}

// AppendState appends the states of all, each after its length.
func (o *observed) AppendState(dst []byte) ([]byte, error) {
	return o.appendAll(dst, o.Session.AppendState, scxml.SearchView.AppendState)
}

// AppendKey appends the keys of all, each after its length.
func (o *observed) AppendKey(dst []byte) ([]byte, error) {
	return o.appendAll(dst, o.Session.AppendKey, scxml.SearchView.AppendKey)
}

func (o *observed) appendAll(dst []byte, first func([]byte) ([]byte, error), others func(scxml.SearchView, []byte) ([]byte, error)) (_ []byte, err error) {
	if o.buf, err = first(o.buf[:0]); err != nil {
		return dst, err
	}
	dst = appendPart(dst, o.buf)
	for _, observer := range o.observers {
		if o.buf, err = others(scxml.ForSearch(observer.session), o.buf[:0]); err != nil {
			return dst, fmt.Errorf("property chart %s: %w", observer.chart.File(), err)
		}
		dst = appendPart(dst, o.buf)
	}
	return dst, nil
}

// appendPart appends one of the parts of a state, after its length.
func appendPart(dst, part []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

// cutPart cuts the first part off a state.
func cutPart(state []byte) (part, others []byte) {
	size, n := binary.Uvarint(state)
	return state[n : n+int(size)], state[n+int(size):]
}

// LoadState loads what AppendState has appended.
func (o *observed) LoadState(state []byte) error {
	part, state := cutPart(state)
	if err := o.Session.LoadState(part); err != nil {
		return err
	}
	for _, observer := range o.observers {
		observer.err = nil
		part, state = cutPart(state)
		if err := scxml.ForSearch(observer.session).LoadState(part); err != nil {
			return err
		}
	}
	return nil
}
