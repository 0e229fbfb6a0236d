package scxml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

var (
	// ErrStopped is returned by Run, Step and Advance for a session that was stopped.
	ErrStopped = errors.New("scxml: session stopped")
	// ErrEnded is returned by Send and Call for a session that has ended, and by Invocation.Send
	// for an invocation that has ended.
	ErrEnded = errors.New("scxml: session has ended")
	// ErrQueueFull is returned by Send when the external queue is full.
	ErrQueueFull = errors.New("scxml: external queue is full")
	// ErrDriven is returned by Start, Step, Do, Advance and Run if another goroutine drives the
	// session or if they are called from a callback, and by Call inside a callback. What only the
	// owner may read wraps it, as an error or in a panic, while another goroutine drives the session.
	ErrDriven = errors.New("scxml: the session is being driven: from another goroutine use Session.Send or Session.Call, and in a callback do not drive it")
	// ErrNotStarted is returned by Step, Do, Advance, Data and Snapshot before Start.
	ErrNotStarted = errors.New("scxml: session not started: call Start or Run first")
	// ErrService is wrapped by the errors of AppendState, LoadState and AppendKey while a service runs.
	ErrService = errors.New("cannot keep the state of a service")
)

// A Severity distinguishes errors, for which [Parse] refuses a document or a script can never run, from
// warnings and notes.
type Severity uint8

// The severities.
const (
	SeverityError   Severity = iota // the document is refused, or a script can never run
	SeverityWarning                 // the document runs, and is probably not what its author means
	SeverityNote                    // the chart is right here, but perhaps not elsewhere
)

// String returns "error", "warning" or "note".
func (s Severity) String() string {
	switch s {
	case SeverityWarning:
		return "warning"
	case SeverityNote:
		return "note"
	}
	return "error"
}

// A Diagnostic is one problem of a document.
type Diagnostic struct {
	Pos      datamodel.Position
	Severity Severity
	Code     string // stable name of the kind of problem, such as "unknown-target"; see [Explain]
	Message  string
}

// String returns file:line:col: message.
func (d Diagnostic) String() string { return d.Pos.String() + ": " + d.Message }

// A DocumentError is returned by [Load] and [Parse] for a document that is not a legal chart. It
// has all diagnostics of [Lint], warnings included, in document order. A syntax error in an expression is
// a warning here.
type DocumentError struct {
	Diagnostics []Diagnostic
}

// Error returns the errors without the warnings, one per line.
func (e *DocumentError) Error() string {
	var lines []string
	for _, d := range e.Diagnostics {
		if d.Severity == SeverityError {
			lines = append(lines, d.String())
		}
	}
	return strings.Join(lines, "\n")
}

// publicDiagnostics sorts diagnostics into document order.
func publicDiagnostics(ds []doc.Diagnostic) []Diagnostic {
	doc.Sort(ds)
	out := make([]Diagnostic, len(ds))
	for i, d := range ds {
		out[i] = Diagnostic{d.Pos, Severity(d.Severity), d.Code, d.Message}
	}
	return out
}

// An ExecutionError is the cause of an error event: a failure inside a running chart.
type ExecutionError struct {
	Event    string             // error.execution or error.communication; "error" in the report that [Trace] describes
	Element  string             // the element that failed, for example "assign"
	Pos      datamodel.Position // of the element, or of the place inside its expression
	Msg      string             // at most about 4 KB
	Stack    []datamodel.Frame  // script call stack, innermost first; may be empty
	SendID   string             // of the failed <send>
	InvokeID string             // of the failed service
	Err      error              // the cause as a Go error, or nil
}

// Error returns the place, the element and the message.
func (e *ExecutionError) Error() string {
	return fmt.Sprintf("%s: <%s>: %s", e.Pos, e.Element, e.Msg)
}

// Unwrap returns the cause, or nil.
func (e *ExecutionError) Unwrap() error { return e.Err }

// errNil is the error of a method of no session.
func errNil(method string) error {
	return failed(method, errors.New("the session is nil: New or Restore has failed, see its error"))
}

// failed says in which function or method err happened.
func failed(where string, err error) error { return &failure{where, err} }

// A failure is an error with the package in front once, whatever it wraps.
type failure struct {
	where string
	err   error
}

func (f *failure) Error() string {
	return "scxml: " + f.where + ": " + strings.TrimPrefix(f.err.Error(), "scxml: ")
}

func (f *failure) Unwrap() error { return f.err }
