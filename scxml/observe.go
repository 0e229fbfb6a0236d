package scxml

import (
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

type stateHandler struct {
	state table.State
	f     func(active bool)
}

type eventHandler struct {
	descriptor string
	f          func(Event)
}

// OnState registers f to be called when the state with the given id or name becomes active or
// inactive. It is called inside the microstep, after the state's own onentry or onexit handlers, by
// the owner of the session. The returned function ends the registration. OnState panics if the
// chart does not have the state; use [Chart.State] to find out. Only the owner may call it, as for
// [Session.Configuration].
func (s *Session) OnState(state string, f func(active bool)) (unsubscribe func()) {
	s.mine("OnState")
	st, ok := s.chart.byName[state]
	if !ok {
		panic(fmt.Sprintf("scxml: OnState: %s has no state %q", s.chart.file, state))
	}
	notNil("OnState", f == nil)
	h := &stateHandler{st, f}
	o := s.observed()
	o.onState = append(slices.Clip(o.onState), h)
	return func() { o.onState = without(o.onState, h) }
}

// OnSend registers f to be called when this session sends an event that the descriptor matches,
// whatever its target, before the event is queued. For a delayed event this is when it is due. For
// the sessions that it invokes there are [WithTrace] and the [Effect] of Do. f must not modify the
// data of the event. The descriptor is a single one (REC 3.12.1): "tap" matches tap and tap.twice,
// "*" matches every event. The returned function ends the registration. Only the owner may call it,
// as for [Session.Configuration].
//
// OnSend panics if the session cannot send such an event: the chart has no <send> of that name and
// none that computes it (eventexpr), and no delayed event of that name is pending. Use [Chart.Sends]
// to find out.
func (s *Session) OnSend(descriptor string, f func(Event)) (unsubscribe func()) {
	s.mine("OnSend")
	notNil("OnSend", f == nil)
	if !s.canSend(descriptor) {
		meant := doc.Near(descriptor, func(yield func(string) bool) {
			for i := range s.chart.sends {
				if !yield(s.chart.sends[i].Event) {
					return
				}
			}
		})
		panic(fmt.Sprintf("scxml: OnSend: %s never sends %q%s", s.chart.file, descriptor, didYouMean(meant)))
	}
	h := &eventHandler{descriptor, f}
	o := s.observed()
	o.onSend = append(slices.Clip(o.onSend), h)
	return func() { o.onSend = without(o.onSend, h) }
}

// canSend reports whether the session can send an event that the descriptor matches. One that was
// restored from an older version of its chart can still have a delayed event of that.
func (s *Session) canSend(descriptor string) bool {
	return table.Normalize(descriptor) == "" ||
		slices.ContainsFunc(s.chart.sends, func(send SendInfo) bool { return send.Event == "" || table.Matches(descriptor, send.Event) }) ||
		slices.ContainsFunc(s.tree.timers, func(t *timer) bool { return t.from == s && table.Matches(descriptor, t.msg.Event.Name) })
}

// OnEvent registers f to be called when an external event that the descriptor matches is taken from
// the queue, before it is processed. Any descriptor is allowed; otherwise it is like
// [Session.OnSend]. Only the owner may call it.
func (s *Session) OnEvent(descriptor string, f func(Event)) (unsubscribe func()) {
	s.mine("OnEvent")
	notNil("OnEvent", f == nil)
	h := &eventHandler{descriptor, f}
	o := s.observed()
	o.onEvent = append(slices.Clip(o.onEvent), h)
	return func() { o.onEvent = without(o.onEvent, h) }
}

// notNil panics in the method of that name for a function that is nil.
func notNil(method string, isNil bool) {
	if isNil {
		panic("scxml: " + method + ": the function is nil")
	}
}

// without returns a copy of list without h, so that a running loop over list is not disturbed.
func without[T comparable](list []T, h T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == h })
}

// observers hold what was registered with OnState, OnSend and OnEvent. A session with a Trace has
// them too, so that one nil check tells whether anyone observes.
type observers struct {
	onState         []*stateHandler
	onSend, onEvent []*eventHandler
}

// observed returns the observers, which it creates if need be.
func (s *Session) observed() *observers {
	if s.observers == nil {
		s.observers = new(observers)
	}
	return s.observers
}

func (s *Session) notifyState(st table.State, active bool) {
	if s.observers == nil {
		return
	}
	for _, h := range s.observers.onState {
		if h.state == st {
			h.f(active)
		}
	}
}

// notifySend reports an event that the chart sends.
func (s *Session) notifySend(ev *Event) {
	if s.observers != nil {
		notify(s.observers.onSend, ev)
	}
}

// notifyEvent reports an event taken from the external queue.
func (s *Session) notifyEvent(ev *Event) {
	if s.observers != nil {
		notify(s.observers.onEvent, ev)
	}
}

func notify(handlers []*eventHandler, ev *Event) {
	for _, h := range handlers {
		if table.Matches(h.descriptor, ev.Name) {
			h.f(*ev)
		}
	}
}
