package scxml

import (
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Trace is a set of functions that report what a session does; each may be nil. They are called
// by the owner of the session, inside the step. They may call Send and those methods of the session
// that only read. They must not modify the events and values they receive; pointers to events,
// and slices, are valid during the call only.
type Trace struct {
	// The first three report what comes from outside the session tree. Together with the chart, the
	// options and the seed they determine everything else.

	// Clock: the driver has set a later time; s is the session that the host made.
	Clock func(s *Session, now time.Time)
	// Arrive: an event from outside the session tree has arrived in the external queue, sent by the
	// host, a service, an [IOProcessor] or a session of another tree. It is reported at the
	// beginning of a step, between two macrosteps, and waits until then. So what a step sees does
	// not depend on timing: an event that arrives during a step comes after those that the step
	// sends itself.
	Arrive func(s *Session, ev *Event)
	// Outcome: a service, or the delivery of a message, has failed outside the session tree. The
	// error event is raised next.
	Outcome func(s *Session, err *ExecutionError)

	// Event: an event was taken from the external queue.
	Event func(s *Session, ev *Event)
	// InternalEvent: an event was taken from the internal queue.
	InternalEvent func(s *Session, ev *Event)
	// Unhandled: the event that was taken last, from either queue, enabled no transition. That can
	// be a message that the chart has sent to its host: without a target, it also goes to the
	// session itself.
	Unhandled func(s *Session, ev *Event)
	// Cond: the condition of a transition was evaluated. If err is not nil the condition failed,
	// and counts as false (REC 5.9.1).
	Cond func(s *Session, t Transition, ok bool, err error)
	// Microstep: a microstep begins. ev is the event that enabled the transitions; it is nil for
	// eventless transitions and when the initial states are entered.
	Microstep func(s *Session, ev *Event, transitions []Transition)
	// Exit: a state was exited and its onexit handlers have run.
	Exit func(s *Session, state State)
	// Transition: the content of a transition is about to be executed.
	Transition func(s *Session, t Transition)
	// Enter: a state has become active; its onentry handlers have not run yet. Those of the states that
	// [WithConfiguration] has given do not run.
	Enter func(s *Session, state State)
	// Element: an element of executable content at this position is about to be executed, see
	// [Chart.ElementAt]. Element may call Eval, which sees the data as the element finds them.
	Element func(s *Session, at datamodel.Position)
	// Stable: a macrostep has ended, including one that reaches a top-level final state.
	Stable func(s *Session)
	// Raise: an event was put into the internal queue.
	Raise func(s *Session, ev *Event)
	// Send: a <send> was executed. A delayed event is delivered later, see Timer.
	Send func(s *Session, m Message)
	// Timer: a delayed event is due.
	Timer func(s *Session, m Message)
	// Cancel: a <cancel> was executed and cancelled n events.
	Cancel func(s *Session, sendID string, n int)
	// Invoke: an invocation has started. An invoked session has not run yet; child is nil for a
	// service.
	Invoke func(s *Session, id string, child *Session)
	// CancelInvoke: an invocation is about to be cancelled because its state is exited.
	CancelInvoke func(s *Session, id string, child *Session)
	// Log: a <log> was executed. value is nil (undefined) without expr.
	Log func(s *Session, label string, value datamodel.Value)
	// Error: an error event was put into the internal queue. Beyond [Limits].ErrorReports, the rest
	// of a macrostep is reported at once, before Stable or Done, by an err whose Event is "error"
	// and whose message counts them.
	Error func(s *Session, err *ExecutionError)
	// Done: a session has ended, see [Session.Status].
	Done func(s *Session)

	// Step: a step of the driver is over. s has had its turn and completed its macrostep, unless
	// err says why not, or was stopped; or no session had work, but delayed events were delivered
	// to others, and s is the session that the host made. Steps that did nothing are not reported.
	// Step may do what a function given to [Session.Call] may do, such as take a snapshot.
	Step func(s *Session, err error)
}

// and returns a Trace that calls t and then u. Either may be nil.
func (t *Trace) and(u *Trace) *Trace {
	switch {
	case t == nil:
		return u
	case u == nil:
		return t
	}
	return &Trace{
		Clock:         both2(t.Clock, u.Clock),
		Arrive:        both2(t.Arrive, u.Arrive),
		Outcome:       both2(t.Outcome, u.Outcome),
		Event:         both2(t.Event, u.Event),
		InternalEvent: both2(t.InternalEvent, u.InternalEvent),
		Unhandled:     both2(t.Unhandled, u.Unhandled),
		Cond:          bothCond(t.Cond, u.Cond),
		Microstep:     both3(t.Microstep, u.Microstep),
		Exit:          both2(t.Exit, u.Exit),
		Transition:    both2(t.Transition, u.Transition),
		Enter:         both2(t.Enter, u.Enter),
		Element:       both2(t.Element, u.Element),
		Stable:        both(t.Stable, u.Stable),
		Raise:         both2(t.Raise, u.Raise),
		Send:          both2(t.Send, u.Send),
		Timer:         both2(t.Timer, u.Timer),
		Cancel:        both3(t.Cancel, u.Cancel),
		Invoke:        both3(t.Invoke, u.Invoke),
		CancelInvoke:  both3(t.CancelInvoke, u.CancelInvoke),
		Log:           both3(t.Log, u.Log),
		Error:         both2(t.Error, u.Error),
		Done:          both(t.Done, u.Done),
		Step:          both2(t.Step, u.Step),
	}
}

func bothCond(f, g func(*Session, Transition, bool, error)) func(*Session, Transition, bool, error) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(s *Session, t Transition, ok bool, err error) { f(s, t, ok, err); g(s, t, ok, err) }
}

// both returns a function that calls f and then g. Either may be nil.
func both(f, g func(*Session)) func(*Session) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(s *Session) { f(s); g(s) }
}

func both2[A any](f, g func(*Session, A)) func(*Session, A) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(s *Session, a A) { f(s, a); g(s, a) }
}

func both3[A, B any](f, g func(*Session, A, B)) func(*Session, A, B) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(s *Session, a A, b B) { f(s, a, b); g(s, a, b) }
}
