// Package json is the front end for programs, which speaks the machine protocol of PROTOCOL.md.
package json

import (
	"fmt"
	"io"

	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Front is a [drive.Front].
type Front struct {
	out     *wire.Writer
	virtual bool
}

// New returns a front end that writes to w, for a session on a virtual clock or the real one.
func New(w io.Writer, virtual bool) *Front { return &Front{wire.NewWriter(w), virtual} }

// Kinds are the kinds of records that the front end writes, with or without --trace.
func (f *Front) Kinds(trace bool) record.Set {
	kinds := record.Kinds(record.Hello, record.Stable, record.Idle, record.Send, record.Event, record.Log, record.Error,
		record.Value, record.Rejected, record.Done)
	if trace {
		kinds |= record.Kinds(record.Cond, record.Unhandled, record.Microstep, record.Exit, record.Transition, record.Enter, record.Raise, record.Timer,
			record.Cancel, record.Invoke, record.CancelInvoke)
	}
	return kinds
}

// Tell writes a record.
func (f *Front) Tell(r *record.Record) { _ = f.out.Write(r) } // see Failed

// Failed returns the error of the first write that failed, or nil.
func (f *Front) Failed() error { return f.out.Err() }

// Inputs returns the commands read from r.
func (f *Front) Inputs(r io.Reader) <-chan drive.Input {
	inputs := make(chan drive.Input)
	go func() {
		defer close(inputs)
		for line := range wire.Lines(r) {
			cmd := line.Command()
			if cmd.Err == nil && cmd.Verb == wire.Advance && !f.virtual {
				cmd.Err = fmt.Errorf("%w; start scxmlrun with --clock virtual", drive.ErrRealClock)
			}
			inputs <- func(s drive.Session) error {
				if line.Err != nil {
					return line.Err
				}
				_, _ = s.Do(cmd) // the answer is a record
				return nil
			}
		}
	}()
	return inputs
}
