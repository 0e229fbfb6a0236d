package scxml

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
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
// has come. What other goroutines have sent is queued: Do handles it at the time of the last step, and
// [Session.Step] at the present one. No Effect reports what Start does.
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
	err = s.do(ctx, now, ev, nil, &effect)
	return effect, err
}

// DoInto is [Session.Do] for a caller that has done with an earlier effect: it overwrites *effect and uses
// the memory of its lists again. A chart without scripts that sends nothing then allocates nothing. Only the owner may call it.
func (s *Session) DoInto(ctx context.Context, now time.Time, ev Event, effect *Effect) error {
	if s == nil {
		return errNil("DoInto")
	}
	if effect == nil {
		return errors.New("scxml: DoInto: the effect is nil")
	}
	effect.clear()
	return s.do(ctx, now, ev, effect, nil)
}

// do does what Do does, and notes the effect in *effect. If that is nil, it is noted elsewhere and copied
// to *out.
func (s *Session) do(ctx context.Context, now time.Time, ev Event, effect, out *Effect) error {
	t := s.tree
	if s.parent != nil {
		return ErrDriven
	}
	named := ev.Name != ""
	switch {
	case named:
		if err := s.admit(&ev); err != nil {
			return failed("Do", err)
		}
	case ev.Data != nil:
		return errors.New("scxml: Do: the event has data and no name")
	}
	t.mu.Lock()
	if t.busy {
		t.mu.Unlock()
		return ErrDriven
	}
	if err := t.behind("Do", now); err != nil {
		t.mu.Unlock()
		return err
	}
	t.busy, t.told = true, false
	before := t.now
	quiet := t.pass(ctx, now, false)
	t.mu.Unlock()
	if t.collector == nil {
		t.collector = new(collector)
	}
	c := t.collector
	if effect == nil {
		effect = &c.own
	}
	c.effect = effect
	last, locked := t.lastTask(), false
	defer func() {
		c.effect = nil
		if effect.Out = t.tasks(last); out != nil {
			c.give(out)
		}
		if !locked {
			t.mu.Lock()
		}
		t.leaveLocked()
		t.unlock()
	}()
	if err := t.passed(ctx, now, false, quiet, before); err != nil || !named {
		return err
	}
	if s.status != Running {
		return ErrEnded
	}
	if s.event == nil {
		s.event = new(Event)
	}
	*s.event = ev
	if t.trace != nil && t.trace.Arrive != nil {
		t.trace.Arrive(s, s.event)
	}
	t.turn = 1
	effect.Taken, effect.Handled = true, true // unless it is unhandled
	if err := s.takeTurn(ctx, true); err != nil {
		return t.turnError(s, err)
	}
	t.tellStep(s, nil)
	t.mu.Lock()
	if locked = t.pass(ctx, now, false); locked {
		return nil
	}
	t.mu.Unlock()
	handled := effect.Handled
	err := s.advance(ctx, now, false)
	effect.Handled = handled // whether s handles what it then sends itself does not count
	return err
}

// An UnhandledError says that an event that was to be handled enabled no transition.
type UnhandledError struct {
	Event         string
	Configuration []string // see [Session.Configuration]
	Enabled       []string // what the session takes, see [Session.Enabled]
}

func (e *UnhandledError) Error() string {
	why := "which takes no event"
	switch {
	case slices.ContainsFunc(e.Enabled, func(descriptor string) bool { return table.Matches(descriptor, e.Event) }):
		why = "where no condition of its transitions holds"
	case len(e.Enabled) > 0:
		why = "which takes " + strings.Join(e.Enabled, ", ")
	}
	return fmt.Sprintf("scxml: %q is not handled in %s, %s", e.Event, strings.Join(e.Configuration, ", "), why)
}

// Handle is [Session.Do] for an event that has to be handled: if none of the session's transitions was
// enabled by ev, which it has taken all the same, the error is an [*UnhandledError]. What the chart
// reports by error events is in [Effect.Errors], as ever. Only the owner may call it.
func (s *Session) Handle(ctx context.Context, now time.Time, ev Event) (Effect, error) {
	effect, err := s.Do(ctx, now, ev)
	if err == nil && ev.Name != "" && !effect.Handled {
		err = &UnhandledError{ev.Name, s.Configuration(), s.Enabled()}
	}
	return effect, err
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

// A collector notes what Do returns.
type collector struct {
	effect      *Effect // of the call that is at work, else nil
	own         Effect  // what it notes for Do, and what is given away is cut from
	states      []State
	transitions []Transition
}

// give copies the effect to *out and forgets it.
func (c *collector) give(out *Effect) {
	e := &c.own
	out.Taken, out.Handled, out.Sent, out.Errors, out.Out = e.Taken, e.Handled, e.Sent, e.Errors, e.Out
	out.Transitions = cut(&c.transitions, e.Transitions)
	out.Exited = cut(&c.states, e.Exited)
	out.Entered = cut(&c.states, e.Entered)
	e.Sent, e.Errors = nil, nil
	if e.clear(); cap(e.Entered) > 1000 {
		*e = Effect{} // it is not so large again soon
	}
}

// cut returns a copy of list as the end of *piece, or of the larger piece that takes its place. An effect
// has few states, so that one allocation serves many.
func cut[T any](piece *[]T, list []T) []T {
	if len(list) == 0 {
		return nil
	}
	if cap(*piece)-len(*piece) < len(list) {
		*piece = make([]T, 0, max(len(list), min(2*cap(*piece), 32)))
	}
	from := len(*piece)
	*piece = append(*piece, list...)
	return slices.Clip((*piece)[from:])
}

// clear empties the effect, and keeps the memory of its lists.
func (e *Effect) clear() {
	clear(e.Sent)
	clear(e.Errors)
	e.Taken, e.Handled, e.Out = false, false, nil
	e.Transitions, e.Exited, e.Entered, e.Sent, e.Errors = e.Transitions[:0], e.Exited[:0], e.Entered[:0], e.Sent[:0], e.Errors[:0]
}

// effect returns what notes the effect of the call of Do that is at work, or nil.
func (t *tree) effect() *Effect {
	if t.collector == nil {
		return nil
	}
	return t.collector.effect
}

// effect returns what notes the effect on the session, or nil: an invoked session has none.
func (s *Session) effect() *Effect {
	if s.parent != nil {
		return nil
	}
	return s.tree.effect()
}

// took, exited and entered add to an effect that is not nil.

func (e *Effect) took(c *Chart, id transID) {
	if e != nil {
		e.Transitions = append(e.Transitions, Transition{c, id})
	}
}

func (e *Effect) exited(c *Chart, st table.State) {
	if e != nil {
		e.Exited = append(e.Exited, State{c, st})
	}
}

func (e *Effect) entered(c *Chart, st table.State) {
	if e != nil {
		e.Entered = append(e.Entered, State{c, st})
	}
}
