package scxml

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Effect is what one call of [Session.Do] did.
type Effect struct {
	// Taken reports that the event was taken from its sender: it has been
	// processed, or Do was interrupted while it was.
	Taken bool
	// Handled reports that the event enabled a transition of the session. What
	// its invoked sessions do with an event that is forwarded does not count.
	Handled bool

	// Transitions are those that the session took, Exited and Entered the states
	// that it left and entered: in order, and as often as it happened. For
	// invoked sessions there is [WithTrace].
	Transitions     []Transition
	Exited, Entered []State

	// Sent is what the session and those that it has invoked sent, delayed
	// messages when they were due and not when the chart executed the <send>.
	// Their Delay tells them from others.
	Sent []Message
	// Errors are the error events of the session and of those that it has invoked.
	Errors []*ExecutionError

	// Out are the tasks that the session and those that it has invoked have handed out, see
	// [WithOutbox], and not cancelled again.
	Out []Task
}

// Do brings the session to the time now and gives it one event: first it does
// what is queued and what is due by now, each thing at its own time; then the
// session takes ev at the time now, and Do does all that follows from it at that
// time. The Effect tells what happened during the whole call. An ev without a
// name stops after the first part, which is what a host does when [Session.NextDue]
// has come, or when the function of [WithWake] was called. No Effect reports what Start does.
//
// A now before [Session.Now] counts as Now; without [WithClock], one that is more than a minute before
// it is of another clock, and an error. Do never waits for work outside of
// the session, see [Session.Busy].
//
// If Do fails and the Effect is not Taken, the session has not seen ev: call Do
// with it again. If it is Taken, call Do without an event to finish. Do fails with
// the errors of [Session.Step], for ev with those of [Session.Send], and with
// [ErrDriven] for an invoked session, which has no driver of its own. Only the
// owner may call it.
func (s *Session) Do(ctx context.Context, now time.Time, ev Event) (effect Effect, err error) {
	if s == nil {
		return Effect{}, errNil("Do")
	}
	t := s.tree
	if s.parent != nil {
		return Effect{}, ErrDriven
	}
	named := ev.Name != ""
	switch {
	case named:
		if err := s.admit(&ev); err != nil {
			return Effect{}, failed("Do", err)
		}
	case ev.Data != nil:
		return Effect{}, errors.New("scxml: Do: the event has data and no name")
	}
	if err := t.enter(true); err != nil {
		return Effect{}, err
	}
	defer t.leave()
	if err := t.behind("Do", now); err != nil {
		return Effect{}, err
	}
	c := s.collect()
	last := t.lastTask()
	defer func() {
		c.effect.Out = t.tasks(last)
		t.trace, effect = t.config.trace, c.effect
		c.effect = Effect{}
	}()
	return Effect{}, s.do(ctx, now, ev, named, &c.effect)
}

func (s *Session) do(ctx context.Context, now time.Time, ev Event, named bool, effect *Effect) error {
	if err := s.advance(ctx, now, false); err != nil || !named {
		return err
	}
	t := s.tree
	if s.status != Running {
		return ErrEnded
	}
	if s.event == nil {
		s.event = new(Event)
	}
	*s.event = ev
	if t.trace.Arrive != nil {
		t.trace.Arrive(s, s.event)
	}
	t.turn = 1
	effect.Taken, effect.Handled = true, true // unless the collector hears that it is unhandled
	if err := s.takeTurn(ctx, true); err != nil {
		return t.turnError(s, err)
	}
	t.tellStep(s, nil)
	handled := effect.Handled
	err := s.advance(ctx, now, false)
	effect.Handled = handled // whether s handles what it then sends itself does not count
	return err
}

// admit checks an event from the host, and makes it one that a queue can hold.
func (s *Session) admit(ev *Event) error {
	if err := datamodel.CheckEventName(ev.Name); err != nil {
		return err
	}
	if accept := s.tree.accept; accept != nil && !accept(ev.Name) {
		return &refusal{s.chart, ev.Name, accept}
	}
	if ev.Data != nil {
		return s.convert(ev)
	}
	ev.Type = datamodel.External
	return nil
}

// convert makes an event from outside one that a queue can hold: an external one
// whose data are neutral values.
func (s *Session) convert(ev *Event) error {
	ev.Type = datamodel.External
	if ev.Data == nil {
		return nil
	}
	data, err := datamodel.From(ev.Data)
	if err == nil {
		err = s.tree.limits.checkData(data)
	}
	if err != nil {
		return fmt.Errorf("data of event %q: %w", ev.Name, err)
	}
	ev.Data = data
	return nil
}

// A collector notes the Effect of a call of Do. It listens as a [Trace], for which
// a session that is never given an event by Do pays nothing.
type collector struct {
	effect Effect
	trace  *Trace // tells the collector, and then the Trace that the host gave
}

// collect returns the session's collector, which listens from now on.
func (s *Session) collect() *collector {
	o := s.observed()
	if o.collector == nil {
		o.collector = &collector{trace: collecting.and(s.tree.config.trace)}
	}
	s.tree.trace = o.collector.trace
	return o.collector
}

// effect is the Effect of the call of Do that is at work.
func (s *Session) effect() *Effect { return &s.tree.sessions[0].observers.collector.effect }

// collecting is shared by all sessions without a Trace, so that a collector is small.
var collecting = &Trace{
	Exit: func(s *Session, st State) {
		if s.parent == nil {
			s.effect().Exited = append(s.effect().Exited, st)
		}
	},
	Enter: func(s *Session, st State) {
		if s.parent == nil {
			s.effect().Entered = append(s.effect().Entered, st)
		}
	},
	Transition: func(s *Session, t Transition) {
		if s.parent == nil {
			s.effect().Transitions = append(s.effect().Transitions, t)
		}
	},
	Send: func(s *Session, m Message) {
		if m.Delay == 0 {
			s.effect().Sent = append(s.effect().Sent, m)
		}
	},
	Timer: func(s *Session, m Message) { s.effect().Sent = append(s.effect().Sent, m) },
	Error: func(s *Session, err *ExecutionError) { s.effect().Errors = append(s.effect().Errors, err) },
	Unhandled: func(s *Session, ev *Event) {
		if s.parent == nil && ev.Type == datamodel.External {
			s.effect().Handled = false
		}
	},
}
