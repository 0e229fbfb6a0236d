// Package path builds errors that name a place in a piece of data: `at a.b[3]: cannot use a func as
// data`. The path is built while the error is returned, so it costs nothing otherwise.
package path

import (
	"strconv"
	"strings"
	"unicode"
)

// maxSteps bounds what is kept of a path; the outermost steps of a deep one are enough.
const maxSteps = 24

// An Error is a complaint about a place in a piece of data.
type Error struct {
	steps []string // innermost first
	Msg   string
	Err   error
}

// New returns an Error about the top of the data.
func New(msg string) *Error { return &Error{Msg: msg} }

// Key returns err as seen from the object whose key leads to it.
func (e *Error) Key(key string) *Error { return e.step(Key(key)) }

// Key returns the step to a property.
func Key(key string) string {
	if isIdentifier(key) {
		return "." + key
	}
	return "[" + strconv.Quote(key) + "]"
}

// Index returns err as seen from the array whose i-th item it is about.
func (e *Error) Index(i int) *Error {
	return e.step("[" + strconv.Itoa(i) + "]")
}

func (e *Error) step(s string) *Error {
	e.steps = append(e.steps, s)
	return e
}

// Path returns the place, "" for the top.
func (e *Error) Path() string {
	var b strings.Builder
	for i := range min(len(e.steps), maxSteps) {
		b.WriteString(e.steps[len(e.steps)-1-i])
	}
	if len(e.steps) > maxSteps {
		b.WriteString("…")
	}
	return strings.TrimPrefix(b.String(), ".")
}

// Error returns the place and the complaint.
func (e *Error) Error() string {
	if len(e.steps) == 0 {
		return e.Msg
	}
	return "at " + e.Path() + ": " + e.Msg
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
