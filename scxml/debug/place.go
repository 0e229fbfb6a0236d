package debug

import (
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// Config configures a debugger. Chart or Recording is required.
type Config struct {
	Chart *scxml.Chart
	// Options are those of the session. A trace among them does not report the past.
	Options []scxml.Option
	// Copies are further options of copies, see [history.Config].
	Copies []scxml.Option
	// Recording is a past to look at: see [history.Recording.Replay]. Then there is no session that
	// continues, and Chart and Options are not used.
	Recording *history.History
	// Real makes time pass by itself while the session moves: Continue waits for events and for
	// delayed events that are due. Otherwise time passes with Advance only, and Continue stops with
	// Idle when nothing is left to do.
	Real bool
	// Unattended says that nobody sends events while the session moves: with Real, too, Continue
	// stops with Idle when no delayed event is left to wait for.
	Unattended bool
	// Start is the first time of the session. The zero Time means now.
	Start time.Time
	// Bytes is about how much memory the past may take, see [history.Config]; 0 means without a bound.
	// DefaultBytes is for hosts that do not know better.
	Bytes int

	// The functions are called while the session moves, on the goroutine that moves it, and must
	// not call the debugger. They may be nil. What copies do is not told, but for log points that are
	// passed forwards.

	// Log is called for each <log> and each log point.
	Log func(Output)
	// Sessions is called when an invoked session has begun, or has ended.
	Sessions func(s Session, began bool)
	// Changed is called for a breakpoint that was not verified and now is, or the other way around:
	// the session has invoked a document, and lines of it can be found.
	Changed func(Breakpoint)
}

// DefaultBytes is enough for a few hundred thousand macrosteps of an ordinary chart.
const DefaultBytes = 256 << 20

// An Output is what a <log> or a log point says.
type Output struct {
	Session  string
	Point    int    // id of the log point; 0 for a <log>
	Text     string // label and value, or the message of the log point
	Position datamodel.Position
}

// A Place is a moment in the life of a session tree. At 0 of Macrostep N, the tree is at rest, and
// macrostep N comes next. Macrostep 0 is the start.
type Place struct {
	Macrostep int // of the tree; it leads to the position of this number, see [history.History]
	At        int // how much has happened in it
}

// String returns the place as "17.3".
func (p Place) String() string { return fmt.Sprintf("%d.%d", p.Macrostep, p.At) }

// Compare returns a number that is negative if p is before q, and positive if it is after it.
func (p Place) Compare(q Place) int {
	if p.Macrostep != q.Macrostep {
		return p.Macrostep - q.Macrostep
	}
	return p.At - q.At
}

// A Reason says why a session has stopped.
type Reason uint8

const (
	Entry     Reason = iota // the session has not started yet
	Step                    // a step is done
	Hit                     // a breakpoint was hit
	Paused                  // by Pause, or because the context was done
	Idle                    // nothing is left to do before the next event, or the next delayed event is due
	Ended                   // the session has ended, also by a limit, or there is nothing more in the recording
	Beginning               // there is nothing before
	Arrived                 // at the place of Goto
)

// String returns the reason in lower case.
func (r Reason) String() string {
	return [...]string{"entry", "step", "breakpoint", "pause", "idle", "ended", "beginning", "goto"}[r]
}

// A Stop says where the session has stopped, and why.
type Stop struct {
	Reason  Reason
	Place   Place
	Kind    Kind
	Session string             // id of the session that something happens in
	At      datamodel.Position // the element; the zero Position at rest
	Past    bool               // the session has been further
	Hits    []int              // ids of the breakpoints
	// Text says what has happened, in a few words: "n: 1 -> 2", "event tap", or what the error says.
	Text string
	// Err is the [*scxml.ExecutionError] of an error event, or why a session has ended, see
	// [scxml.Session.Err].
	Err error
}

// A Kind says what is happening at a place.
type Kind uint8

const (
	AtRest       Kind = iota // between two macrosteps
	AtEvent                  // an event was taken from the external queue
	AtInternal               // an event was taken from the internal queue
	AtUnhandled              // it enabled no transition
	AtMicrostep              // transitions are about to be taken
	AtExit                   // a state was exited, and its onexit handlers have run
	AtTransition             // the content of a transition is about to be executed
	AtEnter                  // a state has become active, and its onentry handlers have not run
	AtElement                // an element of executable content is about to be executed
	AtError                  // an error event was put into the internal queue
	AtStable                 // the macrostep is complete
	AtDone                   // the session has ended
)

// String returns what is happening.
func (k Kind) String() string {
	return [...]string{"rest", "event", "internal event", "unhandled", "microstep", "exit", "transition", "enter", "element", "error", "stable", "done"}[k]
}

// Errors of the debugger.
var (
	// ErrRunning is returned while another goroutine moves the session.
	ErrRunning = errors.New("debug: the session is running: pause it first")
	// ErrPast is returned by what would change the past.
	ErrPast = errors.New("debug: the past cannot be changed: go to the present first")
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("debug: the debugger is closed")
	// ErrNoPresent is returned by what would change a recording.
	ErrNoPresent = errors.New("debug: a recording cannot be changed")
)
