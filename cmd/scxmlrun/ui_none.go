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
		Log: func(_ *scxml.Session, label string, value datamodel.Value) {
			f.out.item(yellow, "log", logged(label, value))
		},
		Error: func(_ *scxml.Session, err *scxml.ExecutionError) { f.out.execution(err) },
	}
	if f.steps {
		f.out.trace(t)
		t.Send = func(_ *scxml.Session, m scxml.Message) { f.out.item(dim, "send", describeSend(m)) }
	}
	return t
}

func (f *silentFront) hello(*driver)                       {}
func (f *silentFront) line(*driver, inputLine) (any, bool) { return nil, false }
func (f *silentFront) rest(*driver, []any)                 {}
func (f *silentFront) failed() error                       { return f.out.err }
