package isolate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Spec says what a session runs, and what its host learns about it.
type Spec struct {
	Name    string // of the document, for positions
	Source  []byte // the document, which only the child parses
	Options []scxml.ChartOption

	// Records, if not nil, hears records of the Kinds during the requests that cause them, on the
	// goroutine that makes the request. A record is valid during the call.
	Records func(*record.Record)
	Kinds   record.Set

	// Migrated makes Restore accept snapshots of another version of the document, as
	// [scxml.WithMigration] does with a function that returns the snapshot as it is.
	Migrated bool
	// UserEvents makes the session accept only events that [scxml.Chart.IsUserEvent] accepts.
	UserEvents bool
	// Recording, if not nil, receives the recording of a session of [Tenant.Drive], as in
	// [history.Config], after each request. Note is what it says about itself; the child adds the
	// documents. When the child dies, the recording ends before the request in progress. It is the
	// child's word, as a snapshot is.
	Recording io.Writer
	Note      history.Note
	// SnapshotEvery makes every n-th Do with an event take a snapshot, see [Session.Saved].
	SnapshotEvery int
}

// A Chart is what a child says of a document.
type Chart struct {
	Name, Datamodel string
	Hash            string   // see [scxml.Chart.Hash]
	Own             []string // see [scxml.Chart.OwnEvents]
	States          []State  // in document order, without the <scxml> element
	Transitions     []Transition
	Data            []string // ids of the top-level data items
	Warnings        []scxml.Diagnostic
}

// IsUserEvent is [scxml.Chart.IsUserEvent].
func (c *Chart) IsUserEvent(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return name != "" && first != "done" && first != "error" && !slices.Contains(c.Own, name)
}

// A State is a state of a chart.
type State struct {
	Name, ID string // ID is "" for a state without one
	Atomic   bool
}

// A Transition is a transition of a chart, as names and places.
type Transition struct {
	Source  string
	Events  []string
	Cond    string
	Targets []string
	Pos     datamodel.Position
}

// An Effect is what one Do did, see [scxml.Effect]. The messages have no Session and Params, and
// errors have a cause only if it is an error of a function or service of the host.
type Effect struct {
	Taken, Handled  bool
	Transitions     []Transition `json:",omitempty"`
	Exited, Entered []string     `json:",omitempty"`
	Sent            []scxml.Message
	Errors          []*scxml.ExecutionError
	Out             []scxml.Task
}

// A Trial is what Try found out, see [scxml.Trial].
type Trial struct {
	Handled, Certain bool
	Candidates       []Candidate
}

// A Candidate is a transition that an event might enable, see [scxml.Candidate].
type Candidate struct {
	Session    string // id
	Transition Transition
	Verdict    scxml.Verdict
	Message    string // why its condition failed or was not evaluated
}

// String is [scxml.Candidate.String].
func (c Candidate) String() string {
	t := c.Transition
	text := fmt.Sprintf("%s: %s: %s: %s", t.Pos, t.Source, strings.Join(t.Events, " "), c.Verdict)
	if t.Cond != "" && c.Verdict != scxml.NoMatch {
		text += fmt.Sprintf(" (%s)", t.Cond)
	}
	if c.Message != "" {
		text += ": " + c.Message
	}
	return text
}
