package main

import (
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// An ending remembers where a session ended, for --expect: after the end its
// configuration is empty.
type ending struct {
	root          *scxml.Session
	configuration []string
}

// watch adds to a trace what the ending needs to know.
func (e *ending) watch(trace *scxml.Trace) {
	stable := trace.Stable
	trace.Stable = func(s *scxml.Session) {
		if e.root == nil {
			e.root = s
		}
		if s == e.root {
			e.note(s)
		}
		if stable != nil {
			stable(s)
		}
	}
	done := trace.Done
	trace.Done = func(s *scxml.Session) {
		if s.FinalState() != "" && (e.root == nil || s == e.root) {
			e.note(s)
		}
		if done != nil {
			done(s)
		}
	}
}

// note writes down where the root is.
func (e *ending) note(s *scxml.Session) {
	e.configuration = append(e.configuration[:0], s.Configuration()...)
	if final := s.FinalState(); final != "" && len(e.configuration) == 0 {
		e.configuration = append(e.configuration, final)
	}
}

// check returns the error for a session that did not end in the state expected.
func (e *ending) check(chart *scxml.Chart, expected string) error {
	if expected == "" || slices.Contains(e.configuration, expected) {
		return nil
	}
	return &cli.Error{Status: cli.Unexpected, Err: fmt.Errorf("expected the chart to end in %q, but it ended in %s", expected, cli.List(atomic(chart, e.configuration), "and"))}
}
