// Package none is the front end without input, which shows only logs and errors.
package none

import (
	"io"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Front is a [drive.Front].
type Front struct{ out *text.Writer }

// New returns a front end that writes to w.
func New(w io.Writer) *Front { return &Front{text.NewWriter(w)} }

// Kinds are the kinds of records that the front end shows, with or without --trace.
func (f *Front) Kinds(trace bool) record.Set {
	kinds := record.Kinds(record.Log, record.Error, record.Done)
	if trace {
		kinds |= text.Steps | record.Kinds(record.Send)
	}
	return kinds
}

// Tell writes a record.
func (f *Front) Tell(r *record.Record) { f.out.Record(r) }

// Failed returns the error of the first write that failed, or nil.
func (f *Front) Failed() error { return f.out.Err }
