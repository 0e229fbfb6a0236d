package scxml

import "github.com/scxmlrun/scxmlrun/scxml/internal/table"

// Queues returns the events in the internal and the external queue, the next one first. The last
// ones of the external queue may have arrived from outside since the last step. Only the owner may
// call it, and the data must not be modified.
func (v ToolView) Queues() (internal, external []Event) {
	s := v.s
	for i := range s.internal.len() {
		internal = append(internal, *s.internal.at(i))
	}
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	for i := range s.external.len() {
		external = append(external, *s.external.at(i))
	}
	return internal, external
}

// Atomic returns the names of the active atomic states, in document order. Only the owner may call it.
func (v ToolView) Atomic() []string {
	var names []string
	for st := v.s.config.Next(0); st != table.None; st = v.s.config.Next(st + 1) {
		if v.s.chart.atomic.Has(st) {
			names = append(names, v.s.chart.states[st].name)
		}
	}
	return names
}

// Event returns the event that is being processed, or the last one; ok is false before the first.
// Only the owner may call it, and the data must not be modified.
func (v ToolView) Event() (ev Event, ok bool) {
	if v.s.event == nil {
		return Event{}, false
	}
	return *v.s.event, true
}

// Recorded returns the states that a transition to a <history> enters: those that it remembers, or
// nil if its parent has not been exited. Only the owner may call it.
func (v ToolView) Recorded(history State) (states []State) {
	s := v.s
	if s.history == nil || history.Kind() != KindHistory {
		return nil
	}
	for _, st := range s.history[s.chart.states[history.id].history] {
		states = append(states, State{s.chart, st})
	}
	return states
}

// An Invoked is an invocation that has started and has not ended.
type Invoked struct {
	ID    string   // invokeid
	State State    // that invokes
	Child *Session // nil for a service
}

// Invocations returns the running invocations in the order in which they started. Only the owner may
// call it.
func (v ToolView) Invocations() (all []Invoked) {
	for _, inv := range v.s.running {
		all = append(all, Invoked{inv.invokeID, State{v.s.chart, inv.state}, inv.child})
	}
	return all
}
