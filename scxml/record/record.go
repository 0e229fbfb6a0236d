package record

import (
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Record is one thing that has happened. Its kind determines which fields it has besides the
// first five, see [Kind]; the others are zero. The empty string means that a text is missing, nil
// data means undefined.
type Record struct {
	Kind     Kind
	Seq      int64         // number of the record in its stream: 1, 2, …
	Time     time.Duration // chart time since the start
	Session  string        // id of the session of the record
	InvokeID string        // of that session; "" for the root of the tree

	// Event is the event: whole, or the fields that the kind has.
	Event     scxml.Event
	Target    string // of a <send>
	Processor string // type of the Event I/O Processor, a URI
	Delay     time.Duration

	State         string   // a state; the source of a transition; the reached final state
	Configuration []string // names of all active states in document order
	Atomic        []string // those of them without child states
	Events        []string // descriptors of a transition
	Cond          string   // its condition
	Targets       []string // its target states

	Label   string          // of a <log>; an evaluated expression
	Value   datamodel.Value // logged or evaluated value; data of a final state
	Message string          // of an error
	Element string          // that failed
	At      string          // file:line:col
	Stack   []Frame         // of a failed script, innermost call first
	Count   int             // transitions of a microstep; cancelled events
	Child   string          // id of an invoked session, "" for a service
	Chart   string          // name of its chart
	Reason  string          // of an end: final, stopped, limit or timeout
	ForHost bool            // of an unhandled event: it is meant for the host, see [scxml.Chart.IsHostEvent]; not on the wire

	ID      datamodel.Value // of the answered command, a string or number; nil without one
	Line    int             // number of the answered command without ID; 0 if none is answered
	Due     time.Duration   // chart time of the next delayed event, if Delayed
	Now     time.Time       // time of the clock
	Delayed bool
	Hello   *Greeting // set for kind Hello
}

// A Frame is a call of a script.
type Frame struct{ Func, At string }

// A Greeting describes a stream at its beginning.
type Greeting struct {
	Protocol  int // version of the JSON form
	Chart     string
	Clock     string // real or virtual
	File      string
	Datamodel string
	Seed      uint64
	Version   string // of the program
	Restored  bool   // the session was restored from a snapshot
}

// A Kind is a kind of records.
type Kind uint8

// The kinds of records. The fields named are those that they have besides Kind, Seq, Time, Session
// and InvokeID.
const (
	// Unknown is a record of a later version. It has no fields.
	Unknown Kind = iota

	// Hello is the first record of a stream. Hello.
	Hello
	// Clock: the time has advanced. Now.
	Clock
	// Arrive: an event from outside is in the external queue. Event.
	Arrive
	// Outcome: a service, or the delivery of a message, has failed. As Error, and Event.InvokeID of
	// the service.
	Outcome
	// Stop: the session tree was asked to stop.
	Stop

	// Event: an event was taken from the external queue. Event without Raw.
	Event
	// Internal: an event was taken from the internal queue. Event: Name, Data, Type, SendID, InvokeID.
	Internal
	// Cond: the condition of a transition was evaluated. Like Transition, and Value: whether it
	// holds. If it failed, Message.
	Cond
	// Unhandled: an event was taken from a queue and enabled no transition. Event.Name.
	Unhandled
	// Microstep: a microstep begins. Event.Name, unless it is eventless, and Count.
	Microstep
	// Exit: a state was exited and its onexit handlers have run. State.
	Exit
	// Transition: its content is about to be executed. State, Events, Cond, Targets, At.
	Transition
	// Enter: a state has become active; its onentry handlers have not run yet. State.
	Enter
	// Stable: a macrostep has ended. Configuration, Atomic.
	Stable
	// Raise: an event was put into the internal queue. Event: Name, Data, Type, SendID.
	Raise
	// Send: a <send> was executed. Event: Name, Data, SendID; Target, Processor, Delay.
	Send
	// Timer: a delayed event is due. Event: Name, Data, SendID; Target.
	Timer
	// Cancel: delayed events were cancelled, by <cancel> or by a command. Event.SendID, Count; ID,
	// Line.
	Cancel
	// Invoke: an invocation has started. Event.InvokeID, Child, Chart.
	Invoke
	// CancelInvoke: an invocation is about to be cancelled. As Invoke.
	CancelInvoke
	// Log: a <log> was executed. Label, Value.
	Log
	// Error: an error event was raised. Event: Name, SendID; Message, Element, At, Stack. The name
	// "limit" is not an event: it says that a limit is about to end the session.
	Error
	// Done: a session has ended. Reason, State, Value.
	Done

	// Value answers a command to evaluate an expression, or to tell what an event would do or take a
	// snapshot, for which Label is "". ID, Line, Label, Value.
	Value
	// Rejected: a command could not be carried out. ID, Line, Message.
	Rejected
	// Idle: the work that a command, or the start (without ID and Line), has caused is done. ID,
	// Line, Configuration and Atomic of the root, Due.
	Idle
	// Rest: the session tree has nothing left to do now. As Idle, without ID and Line.
	Rest

	kinds
)

// A Set is a set of kinds.
type Set uint64

// All is the set of all kinds.
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

// Input reports whether the record is an input from outside the session tree, not a consequence.
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
