package scxml

import (
	"fmt"
	"slices"

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

// OnState has f called when the state of the given id or name becomes active
// or inactive: inside the microstep, after the state's own onentry or onexit
// handlers. The function that it returns ends that. It panics if the chart has
// no such state, which is a mistake of the program; of a chart that it does not
// know it can ask [Chart.State] first. Like all callbacks f runs on the owner's goroutine.
func (s *Session) OnState(state string, f func(active bool)) (unsubscribe func()) {
	st, ok := s.chart.byName[state]
	if !ok {
		panic(fmt.Sprintf("scxml: OnState: %s has no state %q", s.chart.file, state))
	}
	h := &stateHandler{st, f}
	o := s.observed()
	o.onState = append(slices.Clip(o.onState), h)
	return func() { o.onState = without(o.onState, h) }
}

// OnSend has f called when the chart sends an event that the descriptor
// matches, a delayed one when it is due, whatever its target and before it is
// put into a queue: this is how a host hears what a chart says. f must not
// modify the data of the event. The descriptor is a single one (REC 3.12.1): "tap"
// matches tap and tap.twice, and "*" every event.
func (s *Session) OnSend(descriptor string, f func(Event)) (unsubscribe func()) {
	h := &eventHandler{descriptor, f}
	o := s.observed()
	o.onSend = append(slices.Clip(o.onSend), h)
	return func() { o.onSend = without(o.onSend, h) }
}

// OnEvent has f called when an external event that the descriptor matches is
// taken from the queue, before it is processed. f must not modify the data of
// the event. The descriptor is a single one, as for [Session.OnSend].
func (s *Session) OnEvent(descriptor string, f func(Event)) (unsubscribe func()) {
	h := &eventHandler{descriptor, f}
	o := s.observed()
	o.onEvent = append(slices.Clip(o.onEvent), h)
	return func() { o.onEvent = without(o.onEvent, h) }
}

// without returns a copy of list without h; a loop over list goes on undisturbed.
func without[T comparable](list []T, h T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == h })
}

// observers are what was registered with OnState, OnSend and OnEvent. A session
// with a Trace has them, too, so that there is one question whether somebody looks.
type observers struct {
	onState         []*stateHandler
	onSend, onEvent []*eventHandler
}

// observed returns the observers, to add one.
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

// notifySend tells of an event that the chart sends.
func (s *Session) notifySend(ev *Event) {
	if s.observers != nil {
		notify(s.observers.onSend, ev)
	}
}

// notifyEvent tells of an event that was taken from the external queue.
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
