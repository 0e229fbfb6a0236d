package drive

import (
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Session is a session tree as front ends see it. Call its methods in an [Input] only, except
// that Look, and Do of a Get, can also be called in Tell at rest. Do of a Get can be called in Tell
// of Done too, for the session that has ended.
type Session interface {
	// Do carries out a command. It queues an event and notes an advance; the work they cause is
	// done afterwards and reported as records. Get returns the value of its expression, and
	// Snapshot the snapshot as a string. Why returns what [scxml.Session.Try] says as an object
	// with the keys handled, certain and candidates; each candidate has the keys session, verdict,
	// source, events, cond, targets, at and message.
	//
	// A command with an ID or a Line is answered by records: by Value if there is one, and by Idle
	// when the work that it has caused is done. If Do fails, the answer is Rejected and nothing was
	// changed, except by a part of an expression that ran before it failed.
	Do(cmd wire.Command) (datamodel.Value, error)

	// Settle does at once the work that Do has caused and everything else that is due, so that an
	// Input can see the result. It returns when the session is at rest, has ended, or has run
	// [Patience] macrosteps without a rest.
	Settle()

	// Look returns a View of each running session of the tree, in the order of their creation.
	Look() []View
}

// A View is the visible state of a session.
type View struct {
	Session  string // its id
	InvokeID string // "" for the root of the tree
	Active   []State
	Takes    []string // event descriptors that it reacts to now if the conditions hold
	Data     []string // ids of all data items of its chart, in document order
	States   []string // names of all states of its chart, in document order
	Timers   []Timer  // its delayed events, the next one first
}

// A Timer is a delayed event that is not due yet.
type Timer struct {
	Name, SendID string
	Due          time.Duration // chart time
}

// A State is an active state.
type State struct {
	Name   string
	Number int // in document order
	Depth  int // 0 for a child of <scxml>
	Atomic bool
}

// An Input is a front end's access to the session. The driver calls it on its own goroutine. An
// error says that the source of the inputs has failed; no further input is taken then.
type Input func(Session) error

// A Front receives what a session does. The driver calls its methods on its own goroutine.
type Front interface {
	// Tell receives a record, which is valid during the call.
	Tell(*record.Record)
	// Failed returns nil, or why Tell cannot work any more, which ends the run.
	Failed() error
}
