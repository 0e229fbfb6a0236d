package debug

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// Config configures a debugger. Chart or Recording is required.
type Config struct {
	Chart   *scxml.Chart
	Options []scxml.Option // of the session
	// Copies are further options of copies, see [history.Config].
	Copies []scxml.Option
	// Recording is a past to look at: see [history.Recording.Replay]. Then there is no session that
	// continues, and Chart and Options are not used.
	Recording *history.History
	// Real makes time pass by itself: Continue waits for events and for delayed events that are due.
	// Otherwise time passes with Advance only, and Continue stops with Idle when nothing is left to do.
	Real bool
	// Start is the first time of a session whose time does not pass by itself. The zero Time means
	// now.
	Start time.Time
	// Bytes is about how much memory the past may take, see [history.Config]; 0 means without a bound.
	Bytes int

	// The functions are called while the session moves, on the goroutine that moves it, and must
	// not call the debugger. They may be nil. They are not called for the past.

	// Log is told of each <log>, and of log points, in the past too.
	Log func(Output)
	// Sessions is told that a session of the tree has begun, or has ended.
	Sessions func(s Session, began bool)
	// Changed is told of a breakpoint that was not verified and now is, or the other way around:
	// the session has invoked a document, and lines of it can be found.
	Changed func(Breakpoint)
}

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
	Ended                   // the session has ended, or there is nothing more in the recording
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
	// Text says what has happened, in a few words: "n: 1 -> 2", "error.execution: …", "event tap".
	Text string
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

// A BreakpointKind says what a breakpoint is about.
type BreakpointKind uint8

const (
	AtLine   BreakpointKind = iota // an element of the document is reached
	OnState                        // a state is entered or was exited
	OnEvent                        // an event is taken from a queue
	OnData                         // the value of an expression has changed
	OnError                        // an error
	OnNobody                       // an event is taken and enables no transition
)

// A Breakpoint stops the session, or writes a log message. Fields that its kind does not name are not
// used.
type Breakpoint struct {
	Kind BreakpointKind

	// File, Line and Col are the place of a breakpoint AtLine. File is the name of the chart or of a
	// document that it invokes; "" is the chart. Col may be 0, and counts characters from 1.
	File      string
	Line, Col int

	// Name is the id of a state; an event descriptor; an expression, such as a data item or a
	// property of one; or an error: "error.execution", "error.communication", "limit", or "" for all.
	Name    string
	Entered bool // OnState: when it is entered. If neither is set, both are.
	Exited  bool // OnState: when it was exited

	// Session is the id of the session that the breakpoint is about; "" means all of them.
	Session string

	// Condition is an expression of the data model. If it fails, the session stops and says why.
	Condition string
	// Count says which hits count, those whose condition holds: "3" or ">=3" from the third on, "==3",
	// ">3", "<3", "<=3", "%3" every third. Going back, all of them count.
	Count string
	// Log is a message that is written in place of a stop. It can have {expressions}.
	Log string
	// Once removes the breakpoint when it stops the session.
	Once bool

	// The rest is set by the debugger.

	ID       int
	Verified bool
	Reason   string             // why it is not verified, or was moved
	At       datamodel.Position // of the element, AtLine
	Hits     int                // how often its condition has held, forwards
}

// A Session is a session of the tree.
type Session struct {
	ID       string
	InvokeID string // "" for the root
	Chart    *scxml.Chart
	Status   scxml.Status
	Stopped  bool // the session has stopped at an element or between two of them, not at rest
}

// A Frame is something that a session is inside: the element that is being executed, the handler or
// transition around it, or an active state.
type Frame struct {
	Kind  FrameKind
	Name  string // "<assign> n", "a -> b on tap", "onentry of a", "a"
	State string // the state, or the one that the element belongs to
	At    datamodel.Position
	End   datamodel.Position // of the first character after the start tag or the element
}

// A FrameKind is the kind of a Frame.
type FrameKind uint8

const (
	FrameElement FrameKind = iota
	FrameHandler           // a transition, or <onentry>, <onexit>, <finalize>, <initial>
	FrameState
)

// A Scope is a group of variables.
type Scope struct {
	Name      string // "Data", "Event", "Queues", "Timers", "History", "Invocations"
	Variables []Variable
}

// A Variable is a named value.
type Variable struct {
	Name  string
	Value datamodel.Value
	Err   error  // why there is no value
	Expr  string // evaluates to the value, and Set accepts it; "" for what cannot be set
}

// Children returns how many items a value has, an array or an object, or 0.
func Children(v datamodel.Value) int { panic("stub") }

// Child returns the items of a variable from first on, at most count; count 0 means all.
func (v Variable) Children(first, count int) []Variable { panic("stub") }

// A Debugger runs a session tree. All methods may be called from any goroutine. One of those that
// move the session runs at a time: the others, and those that look at it, then fail with
// [ErrRunning], except for Pause, Send, SetBreakpoints, Breakpoints and Close.
type Debugger struct{}

// New returns a debugger whose session has not started yet. The session is driven by the debugger
// alone.
func New(cfg Config) (*Debugger, error) { panic("stub") }

// Close ends the session where it is. Nothing of the chart runs any more. It interrupts what moves the
// session.
func (d *Debugger) Close() error { panic("stub") }

// SetBreakpoints sets the breakpoints of a group, and removes those that the group had before. A group
// is a name that the caller chooses, such as that of a file. The result has the breakpoints in the
// same order, with what the debugger has found out. A breakpoint without an ID gets one; one that is given
// with the ID that it had keeps its number of hits.
func (d *Debugger) SetBreakpoints(group string, all []Breakpoint) []Breakpoint { panic("stub") }

// Breakpoints returns all breakpoints in the order of their ids.
func (d *Debugger) Breakpoints() []Breakpoint { panic("stub") }

// Lines returns the positions at which a breakpoint AtLine can stop in a document, between two lines.
func (d *Debugger) Lines(file string, first, last int) []datamodel.Position { panic("stub") }

// Continue runs the session until a breakpoint is hit, until it is idle, or ends.
func (d *Debugger) Continue(ctx context.Context) (Stop, error) { panic("stub") }

// StepIn runs the session to the next element, the next microstep, state that is entered, or rest.
func (d *Debugger) StepIn(ctx context.Context) (Stop, error) { panic("stub") }

// Next runs the session to the next microstep, or to rest.
func (d *Debugger) Next(ctx context.Context) (Stop, error) { panic("stub") }

// StepOut runs the session to the end of the macrostep.
func (d *Debugger) StepOut(ctx context.Context) (Stop, error) { panic("stub") }

// StepBackIn goes back to where StepIn would have come from.
func (d *Debugger) StepBackIn(ctx context.Context) (Stop, error) { panic("stub") }

// StepBack goes back to where Next would have come from.
func (d *Debugger) StepBack(ctx context.Context) (Stop, error) { panic("stub") }

// RestartFrame goes back to the beginning of the macrostep, or of the one before if the session is at
// rest.
func (d *Debugger) RestartFrame(ctx context.Context) (Stop, error) { panic("stub") }

// ReverseContinue goes back to the last hit of a breakpoint, or to the beginning.
func (d *Debugger) ReverseContinue(ctx context.Context) (Stop, error) { panic("stub") }

// Goto goes to a place, of the past or the present one. The place must exist.
func (d *Debugger) Goto(ctx context.Context, p Place) (Stop, error) { panic("stub") }

// Pause stops the session where it is, as soon as it is between two elements. If it is not moving, the
// next movement is not stopped.
func (d *Debugger) Pause() { panic("stub") }

// Stop returns where the session has stopped.
func (d *Debugger) Stop() (Stop, error) { panic("stub") }

// Present returns the last place that the session has come to.
func (d *Debugger) Present() (Place, error) { panic("stub") }

// Now returns the time of the session, since the beginning, and the time of the next delayed event; ok is false
// if there is none.
func (d *Debugger) Now() (now, due time.Duration, ok bool, err error) { panic("stub") }

// Sessions returns the sessions of the tree in the order of their creation.
func (d *Debugger) Sessions() ([]Session, error) { panic("stub") }

// Stack returns what a session is inside: the element, its handlers, and the active states outwards; those of
// other regions follow. At rest there are the states only.
func (d *Debugger) Stack(session string) ([]Frame, error) { panic("stub") }

// Scopes returns the variables of a session.
func (d *Debugger) Scopes(ctx context.Context, session string) ([]Scope, error) { panic("stub") }

// Eval evaluates an expression. It changes nothing: see the package's documentation.
func (d *Debugger) Eval(ctx context.Context, session, expr string) (datamodel.Value, error) {
	panic("stub")
}

// Set assigns the value of an expression to a location, such as a data item, and returns the new value.
func (d *Debugger) Set(ctx context.Context, session, location, expr string) (datamodel.Value, error) {
	panic("stub")
}

// Send puts an event into the external queue of a session; "" is the root. It is taken when the session moves.
func (d *Debugger) Send(session string, ev scxml.Event) error { panic("stub") }

// Advance lets time pass, at most until the next delayed event is due at which the session stops: it is
// Continue with a later time.
func (d *Debugger) Advance(ctx context.Context, by time.Duration) (Stop, error) { panic("stub") }

// History returns the past.
func (d *Debugger) History() *history.History { panic("stub") }

// Chart returns the chart of the root session.
func (d *Debugger) Chart() *scxml.Chart { panic("stub") }
