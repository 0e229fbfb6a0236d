package main

import (
	"io"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A silentFront takes no input and shows only what the chart logs and what goes wrong.
type silentFront struct {
	out   *textWriter
	steps bool // --trace
}

func newSilentFront(w io.Writer, o *runOptions) *silentFront {
	return &silentFront{out: newTextWriter(w), steps: o.trace}
}

func (f *silentFront) trace(*driver) *scxml.Trace {
	t := &scxml.Trace{
		Log: func(s *scxml.Session, label string, value datamodel.Value) {
			f.out.item(yellow, "log", who(s)+logged(label, value))
		},
		Error: f.out.execution,
		Done:  f.out.limit,
	}
	if f.steps {
		f.out.trace(t)
		t.Send = func(s *scxml.Session, m scxml.Message) { f.out.item(dim, "send", who(s)+describeSend(m)) }
	}
	return t
}

func (f *silentFront) hello(*driver)                       {}
func (f *silentFront) line(*driver, inputLine) (any, bool) { return nil, false }
func (f *silentFront) rest(*driver, []any)                 {}
func (f *silentFront) failed() error                       { return f.out.err }
