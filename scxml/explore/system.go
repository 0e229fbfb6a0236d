package explore

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A System is what a search visits: a [Session], or several that act as one. It is deterministic.
// Each worker of a search has its own and uses it on one goroutine.
//
// A System may have more methods, which the search then calls:
//
//	Violations() []Violation               what the last Start or Apply did wrong, without paths
//	Prune() bool                           the present state is neither visited nor a deadlock
//	Schedule(path []Input) ([]Input, error)  the path with the times at which its inputs may come
//	Pending() []string                     delayed events that cannot be pending forever, if their Inputs have no Wait
//	Dropped() []string                     those of before the last Apply that are not pending after it
//	EventOf(in Input) string               which inputs are the same event for fairness: Event unless it says so
type System interface {
	// Start brings the system to rest in its first state.
	Start(ctx context.Context) error

	// AppendState, LoadState and AppendKey are as those of a session, see [scxml.SearchView.AppendState].
	AppendState(dst []byte) ([]byte, error)
	LoadState(state []byte) error
	AppendKey(dst []byte) ([]byte, error)

	// AppendInputs appends what may come in the present state.
	AppendInputs(dst []Input) []Input

	// Apply gives the system an input and brings it to rest. An error that is a [*scxml.LimitError] or
	// [ErrEndless] is a violation. Any other ends the search. After an error the search loads a state.
	Apply(ctx context.Context, in Input) error

	Final() bool             // whether the system has ended; such a state is not a deadlock
	In(state string) bool    // whether a state is active, or is the final state that the system ended in
	Configuration() []string // names of the active states, or of that final one
	Eval(ctx context.Context, expr string) (datamodel.Value, error)
}

// ErrEndless is the error of a [System] that does not come to rest because it sends itself events forever.
var ErrEndless = errors.New("the chart sends itself events forever")

// An Input is what comes from outside: an event, or time that passes until delayed events are due.
type Input struct {
	Event string // "" if time passes
	Data  datamodel.Value
	Wait  time.Duration

	due *due // what is due next, if how long that takes is open
}

// UntilDue returns the input that time passes until some of the delayed events of a [Session] are due at the same time, and
// no other: those with these numbers, in ascending order, in the order of Session.Pending.
func UntilDue(events []int) Input { return Input{due: &due{events: events}} }

// size returns how many bytes an input takes that is due to delayed events.
func (in Input) size() int64 {
	if in.due == nil {
		return 0
	}
	return int64(8*len(in.due.events) + len(in.due.names))
}

// due is a set of delayed events of a system.
type due struct {
	events []int  // their numbers, ascending
	names  string // for people
}

// String returns the input as a line of a scenario of package scxmltest: "tap {"x":1}" or "advance 5s". If the
// time is open, it is not one: "advance until timeout".
func (in Input) String() string {
	switch {
	case in.due != nil:
		return "advance until " + in.due.names
	case in.Event == "":
		return "advance " + in.Wait.String()
	case in.Data == nil:
		return in.name()
	}
	return in.name() + " " + string(datamodel.AppendJSON(nil, in.Data))
}

// name returns the name of the event, in quotes where a scenario would take it for something else.
func (in Input) name() string {
	if in.Event == "advance" || in.Event == "stop" || strings.HasPrefix(in.Event, "#") || strings.HasPrefix(in.Event, `"`) {
		return string(datamodel.AppendJSON(nil, in.Event))
	}
	return in.Event
}

// violations returns what the last Start or Apply of a system did wrong.
func violations(s System) []Violation {
	if s, ok := s.(interface{ Violations() []Violation }); ok {
		return s.Violations()
	}
	return nil
}

// eventOf returns what an input counts as when fairness is judged.
func eventOf(s System, in Input) string {
	if s, ok := s.(interface{ EventOf(Input) string }); ok {
		return s.EventOf(in)
	}
	return in.Event
}

// prunes reports whether a system wants its present state not to be visited.
func prunes(s System) bool {
	p, ok := s.(interface{ Prune() bool })
	return ok && p.Prune()
}

// A timedSystem has delayed events whose times are open.
type timedSystem interface {
	Pending() []string
	Dropped() []string
}

// schedule returns a path with times, if the system has them.
func schedule(s System, path []Input) ([]Input, error) {
	if s, ok := s.(interface {
		Schedule(path []Input) ([]Input, error)
	}); ok {
		return s.Schedule(path)
	}
	return path, nil
}
