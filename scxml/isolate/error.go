package isolate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Reason says why a child has died.
type Reason uint8

const (
	// Memory: it needed more memory than it may have.
	Memory Reason = iota + 1
	// Deadline: a request took longer than it may, or more processor time.
	Deadline
	// Crash: it ended by itself, for example because its stack overflowed.
	Crash
	// Killed: another process killed it, for example because the machine has no memory left.
	Killed
	// Protocol: it sent what a child does not send, or too much.
	Protocol
	// Closed: its tenant or pool was closed.
	Closed
)

var reasonNames = [...]string{"unknown", "memory", "deadline", "crash", "killed", "protocol", "closed"}

// String returns the reason in a word.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
	return reasonNames[r]
}

// An Error reports that a child has died, and all its sessions with it. Every method of the tenant
// and of its sessions returns it from then on.
type Error struct {
	Reason Reason
	Msg    string // what happened
	Stderr string // the first lines that the child wrote to standard error; they may be anything
}

// Error returns the reason, what happened, and the first line of Stderr.
func (e *Error) Error() string {
	text := fmt.Sprintf("isolate: the child has died (%v): %s", e.Reason, e.Msg)
	if first, _, _ := strings.Cut(e.Stderr, "\n"); first != "" {
		const most = 200
		text += fmt.Sprintf(": %.*q", most, first)
	}
	return text
}

// A chartError is an error of the child's session.
type chartError struct {
	text  string
	cause error // to compare with, or nil
}

func (e *chartError) Error() string { return e.text }
func (e *chartError) Unwrap() error { return e.cause }

// A hostError is an error of the host, as its children know it.
type hostError struct {
	Text    string
	Number  int  `json:",omitempty"` // for the host
	Missing bool `json:",omitempty"` // a file does not exist
}

func (e *hostError) Error() string        { return e.Text }
func (e *hostError) Is(target error) bool { return target == fs.ErrNotExist && e.Missing }

// A failure is an error as a message.
type failure struct {
	Text        string
	Is          string             `json:",omitempty"` // name of the error that it wraps
	Limit       *scxml.LimitError  `json:",omitempty"` // its Value as a number
	Duration    bool               `json:",omitempty"` // which is one of nanoseconds
	Diagnostics []scxml.Diagnostic `json:",omitempty"` // of a DocumentError
}

// sentinels are the errors that a failure can be.
var sentinels = []struct {
	name string
	err  error
}{
	{"ended", scxml.ErrEnded}, {"stopped", scxml.ErrStopped}, {"full", scxml.ErrQueueFull}, {"unstarted", scxml.ErrNotStarted},
	{"driven", scxml.ErrDriven}, {"refused", scxml.ErrNotAccepted}, {"unsaved", scxml.ErrNotSerializable},
	{"snapshot", scxml.ErrSnapshot}, {"changed", scxml.ErrChartChanged}, {"signature", scxml.ErrSignature},
	{"canceled", context.Canceled}, {"deadline", context.DeadlineExceeded},
}

// fail returns an error as a message; nil for nil.
func fail(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			f.Is = s.name
		}
	}
	if l := new(scxml.LimitError); errors.As(err, &l) {
		f.Limit = l
		_, f.Duration = l.Value.(time.Duration)
	}
	if refused := new(scxml.DocumentError); errors.As(err, &refused) {
		f.Diagnostics = refused.Diagnostics
	}
	return f
}

// err returns the error.
func (f *failure) err() error {
	if f == nil {
		return nil
	}
	e := &chartError{text: f.Text}
	for _, s := range sentinels {
		if s.name == f.Is {
			e.cause = s.err
		}
	}
	switch {
	case f.Limit != nil:
		l, n := *f.Limit, 0.0
		n, _ = l.Value.(float64)
		if l.Value = int(n); f.Duration {
			l.Value = time.Duration(n)
		}
		e.cause = &l
	case f.Diagnostics != nil:
		return &scxml.DocumentError{Diagnostics: f.Diagnostics}
	}
	return e
}
