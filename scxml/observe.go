package scxml

import (
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
		panic("scxml: OnState: " + s.chart.file + " has no state " + state)
	}
	h := &stateHandler{st, f}
	s.onState = append(slices.Clip(s.onState), h)
	return func() { s.onState = without(s.onState, h) }
}

// OnSend has f called when the chart sends an event that the descriptor
// matches, a delayed one when it is due, whatever its target and before it is
// put into a queue: this is how a host hears what a chart says. f must not
// modify the data of the event.
func (s *Session) OnSend(descriptor string, f func(Event)) (unsubscribe func()) {
	h := &eventHandler{descriptor, f}
	s.onSend = append(slices.Clip(s.onSend), h)
	return func() { s.onSend = without(s.onSend, h) }
}

// OnEvent has f called when an external event that the descriptor matches is
// taken from the queue, before it is processed. f must not modify the data of
// the event.
func (s *Session) OnEvent(descriptor string, f func(Event)) (unsubscribe func()) {
	h := &eventHandler{descriptor, f}
	s.onEvent = append(slices.Clip(s.onEvent), h)
	return func() { s.onEvent = without(s.onEvent, h) }
}

// without returns a copy of list without h; a loop over list goes on undisturbed.
func without[T comparable](list []T, h T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == h })
}

func (s *Session) notifyState(st table.State, active bool) {
	for _, h := range s.onState {
		if h.state == st {
			h.f(active)
		}
	}
}

func (s *Session) notify(handlers []*eventHandler, ev Event) {
	for _, h := range handlers {
		if table.Matches(h.descriptor, ev.Name) {
			h.f(ev)
		}
	}
}
