package record

import (
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Record is one thing that has happened. Which fields besides the first five
// count depends on its kind, see [Kind]; the others are zero.
//
// The empty string stands for a text that is not there, nil data for undefined.
type Record struct {
	Kind     Kind
	Seq      int64         // the number of the record in its stream: 1, 2, …
	Time     time.Duration // chart time since the start
	Session  string        // id of the session that the record is about
	InvokeID string        // of that session; "" for the root of the tree

	// Event is the event: all of it, or the fields that the kind has.
	Event     scxml.Event
	Target    string // of a <send>
	Processor string // type of the Event I/O Processor, a URI
	Delay     time.Duration

	State         string   // a state; the source of a transition; the final state that was reached
	Configuration []string // names of all active states in document order
	Atomic        []string // those of them without children
	Events        []string // descriptors of a transition
	Cond          string   // its condition
	Targets       []string // its target states

	Label   string          // of a <log>; the expression that was evaluated
	Value   datamodel.Value // what was logged or evaluated, the data of a final state
	Message string          // what went wrong
	Element string          // the element that failed
	At      string          // file:line:col
	Stack   []Frame         // of a script that failed, innermost call first
	Count   int             // transitions of a microstep; events that were taken back
	Child   string          // id of an invoked session, "" for a service
	Chart   string          // name of its chart
	Reason  string          // of an end: final, stopped, limit or timeout

	ID      datamodel.Value // of the command that the record answers, a string or number; nil without one
	Line    int             // its number, which answers a command without ID; 0: none is answered
	Due     time.Duration   // chart time of the next delayed event, if Delayed
	Now     time.Time       // what the clock says
	Delayed bool
	Hello   *Greeting // not nil in a record of kind Hello
}

// A Frame is a call of a script.
type Frame struct{ Func, At string }

// A Greeting is what there is to say about a stream at its beginning.
type Greeting struct {
	Protocol  int // version of the JSON form
	Chart     string
	Clock     string // real or virtual
	File      string
	Datamodel string
	Seed      uint64
	Version   string // of the program
	Restored  bool   // the session is one that was saved
}

// A Kind says what a record is about.
type Kind uint8

// The kinds of records, with the fields that they have besides Kind, Seq, Time,
// Session and InvokeID.
const (
	// Unknown is what a reader makes of a record of a later version. It has no field.
	Unknown Kind = iota

	// Hello is the first record of a stream. Hello.
	Hello
	// Clock: the present has moved on. Now.
	Clock
	// Arrive: an event from outside is in the external queue. Event.
	Arrive
	// Outcome: a service, or the delivery of a message, has failed. As Error.
	Outcome
	// Stop: the session tree was asked to stop.
	Stop

	// Event: an event was taken from the external queue. Event without Raw.
	Event
	// Internal: an event was taken from the internal queue. Event: Name, Data, Type, SendID, InvokeID.
	Internal
	// Microstep begins. Event.Name, if it is not an eventless one, and Count.
	Microstep
	// Exit: a state was exited, its onexit handlers have run. State.
	Exit
	// Transition: its content is about to be executed. State, Events, Cond, Targets, At.
	Transition
	// Enter: a state has become active, its onentry handlers have not run yet. State.
	Enter
	// Stable: a macrostep has ended. Configuration, Atomic.
	Stable
	// Raise: an event was put into the internal queue. Event: Name, Data, Type, SendID.
	Raise
	// Send was executed. Event: Name, Data, SendID; Target, Processor, Delay.
	Send
	// Timer: a delayed event has become due. Event: Name, Data, SendID; Target.
	Timer
	// Cancel: delayed events were taken back, by <cancel> or by a command. Event.SendID, Count; ID, Line.
	Cancel
	// Invoke: an invocation has started. Event.InvokeID, Child, Chart.
	Invoke
	// CancelInvoke: an invocation is about to be cancelled. As Invoke.
	CancelInvoke
	// Log was executed. Label, Value.
	Log
	// Error: an error event was raised. Event: Name, SendID; Message, Element, At,
	// Stack. The name "limit" is not an event: the session is about to be
	// ended because it went beyond a limit.
	Error
	// Done: a session has ended. Reason, State, Value.
	Done

	// Value answers a command to evaluate an expression, or to take a snapshot
	// (then Label is ""). ID, Line, Label, Value.
	Value
	// Rejected: a command cannot be carried out. ID, Line, Message.
	Rejected
	// Idle: what a command, or the start (no ID, no Line), has caused is done.
	// ID, Line, Configuration and Atomic of the root, Due.
	Idle
	// Rest: the session tree has nothing left to do now. As Idle, but it answers nobody.
	Rest

	kinds
)

// A Set is a set of kinds.
type Set uint64

// All are all kinds.
const All Set = 1<<kinds - 1

// Kinds returns the set of the given kinds.
func Kinds(kinds ...Kind) (s Set) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Has reports whether k is in the set.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }

// Input reports whether the record tells what came from outside of the session
// tree, and not what followed from it.
func (r *Record) Input() bool {
	switch r.Kind {
	case Clock, Arrive, Outcome, Stop:
		return true
	case Cancel:
		return r.answers()
	case Value:
		return r.Label != "" // an expression can change data
	}
	return false
}

// answers reports whether the record answers a command.
func (r *Record) answers() bool { return r.ID != nil || r.Line > 0 }
