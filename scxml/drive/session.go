package drive

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Session is a session tree as its front ends know it. Its methods are for use
// in an [Input] only.
type Session interface {
	// Do carries out a command. An event is put into its queue, and an advance
	// noted: what they cause is worked off afterwards, and told as records. Get
	// returns the value of its expression, and Snapshot the snapshot as a string.
	//
	// A command with an ID or a Line is answered by records: Value, if there is
	// one, and Idle as soon as the work that it has caused is done. An error means that
	// nothing was changed, but for what an expression did before it failed; the
	// answer is then Rejected.
	Do(cmd wire.Command) (datamodel.Value, error)

	// Settle does at once what Do has been given, and all else that is due, so that
	// an Input can see what came of it. It returns when the session is at rest,
	// has ended, or keeps itself busy for [Patience] macrosteps.
	Settle()

	// Look returns what there is to see of each session of the tree that runs,
	// in the order of their creation.
	Look() []View
}

// A View is what there is to see of a session.
type View struct {
	Session  string // its id
	InvokeID string // "" for the root of the tree
	Active   []State
	Takes    []string // the event descriptors that it reacts to now, conditions aside
	Data     []string // ids of the top-level data items
	States   []string // the names of all states of its chart, in document order
}

// A State is an active state.
type State struct {
	Name   string
	Number int // in document order
	Depth  int // 0 for a child of <scxml>
	Atomic bool
}

// An Input is what a front end wants to do with the session. The driver calls it
// on its own goroutine. After an error, which says why the source of the inputs
// failed, no further input is taken.
type Input func(Session) error

// A Front stands between a session and whoever watches it. The driver calls its
// methods on its own goroutine.
type Front interface {
	// Tell is told each record, which is valid during the call.
	Tell(*record.Record)
	// Failed returns why nothing can be told any more, which ends the run, or nil.
	Failed() error
}
