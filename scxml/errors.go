package scxml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

var (
	// ErrStopped is what Run, Step and Advance return for a session that was stopped.
	ErrStopped = errors.New("scxml: session stopped")
	// ErrEnded is what Send and Call return for a session that has ended, and
	// Invocation.Send for an invocation.
	ErrEnded = errors.New("scxml: session has ended")
	// ErrQueueFull is what Send returns when the external queue is full.
	ErrQueueFull = errors.New("scxml: external queue is full")
	// ErrNotStarted is what Step, Advance and Snapshot return before Start.
	ErrNotStarted = errors.New("scxml: session not started")
)

// Severity tells an error, which refuses a document, from a warning.
type Severity uint8

const (
	SeverityError Severity = iota
	SeverityWarning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == SeverityWarning {
		return "warning"
	}
	return "error"
}

// A Diagnostic is one problem of a document.
type Diagnostic struct {
	Pos      datamodel.Position
	Severity Severity
	Code     string // stable name of the kind of problem, for example "unknown-target"
	Message  string
}

// String returns file:line:col: message.
func (d Diagnostic) String() string { return d.Pos.String() + ": " + d.Message }

// A DocumentError is what [Load] and [Parse] return for a document that is
// no legal chart. It has all that [Lint] says, warnings included, in document order.
type DocumentError struct {
	Diagnostics []Diagnostic
}

// Error returns the errors, one a line, without the warnings.
func (e *DocumentError) Error() string {
	var lines []string
	for _, d := range e.Diagnostics {
		if d.Severity == SeverityError {
			lines = append(lines, d.String())
		}
	}
	return strings.Join(lines, "\n")
}

// publicDiagnostics puts diagnostics into the order of the document.
func publicDiagnostics(ds []doc.Diagnostic) []Diagnostic {
	doc.Sort(ds)
	out := make([]Diagnostic, len(ds))
	for i, d := range ds {
		out[i] = Diagnostic{d.Pos, Severity(d.Severity), d.Code, d.Message}
	}
	return out
}

// An ExecutionError is the cause of an error event: what went wrong inside a
// chart while it ran.
type ExecutionError struct {
	Event   string             // name of the event: error.execution, error.communication; for "error" see [Trace]
	Element string             // the element that failed, for example "assign"
	Pos     datamodel.Position // of that element, or of the place inside its expression
	Msg     string             // at most about 4 KB
	Stack   []datamodel.Frame  // script call stack, innermost first; may be empty
	SendID  string             // of a failed <send>
	Err     error              // the cause, if there is a Go one
}

// Error returns the place, the element and the message.
func (e *ExecutionError) Error() string {
	return fmt.Sprintf("%s: <%s>: %s", e.Pos, e.Element, e.Msg)
}

// Unwrap returns the cause, or nil.
func (e *ExecutionError) Unwrap() error { return e.Err }
