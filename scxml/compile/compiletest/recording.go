// Package compiletest compares what a compiled chart does with what the interpreter does in a test.
//
// A [Recording] watches the session of a test. [Compare] builds a program with the compiled charts, and gives them the
// same events at the same times:
//
//	var recording compiletest.Recording
//	session, err := scxml.New(chart, scxml.WithTrace(recording.Trace()), scxml.WithClock(clock))
//	… // the test
//	started, err := recording.Compile(false)
//	err = compiletest.Compare(ctx, module, dir, []*compiletest.Recording{&recording})
//	fmt.Println(recording.Difference()) // "" if there is none
//
// Compared are the states that are left and entered, the transitions, messages when they are sent or due, logs, errors
// without their texts and, whenever the chart rests, the configuration, the data, and when the next delayed event
// is due. Of invoked charts, messages, logs and errors are compared.
package compiletest

import (
	"context"
	"fmt"
	"path"
	"slices"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
)

// maxSteps bounds the macrosteps that follow from one event at one time.
const maxSteps = 10_000

// A Recording is what a session on a virtual clock does in a test. Its zero value is empty. It belongs to the
// goroutine that drives the session.
type Recording struct {
	record twin.Record
	now    time.Time

	rest    []twin.Line // what the session rests with
	settled int         // lines before the last step ended
	steps   int         // since the last stimulus

	sent    bool // the last stimulus is an event
	waiting bool // which was not taken yet
	current bool // it is what was taken last
	handled bool
}

// Trace returns the trace for [scxml.WithTrace]. It is for the session of one test, from its start on.
func (r *Recording) Trace() *scxml.Trace {
	own := func(s *scxml.Session) bool { return s.InvokeID() == "" && r.record.Watch(s) }
	trace := r.record.Trace()
	trace.Clock = func(s *scxml.Session, now time.Time) {
		if r.restored(s); own(s) && now.After(r.now) {
			if !r.now.IsZero() {
				r.stimulus(twin.Stimulus{Wait: now.Sub(r.now)})
			}
			r.now = now
		}
	}
	trace.Arrive = func(s *scxml.Session, ev *scxml.Event) {
		if s.InvokeID() != "" || ev.Type != datamodel.External || ev.OriginType != "" {
			r.record.Fail(fmt.Sprintf("the event %q comes from a service or from another session, which a compiled chart does not have", ev.Name))
		} else if r.restored(s); own(s) {
			st := twin.Stimulus{Event: ev.Name}
			if ev.Data != nil {
				st.Data = datamodel.AppendJSON(nil, ev.Data)
			}
			r.stimulus(st)
		}
	}
	trace.Event = func(s *scxml.Session, _ *scxml.Event) {
		if own(s) {
			r.current, r.handled, r.waiting = r.waiting, r.handled || r.waiting, false
		}
	}
	trace.InternalEvent = func(s *scxml.Session, _ *scxml.Event) { r.current = r.current && !own(s) }
	unhandled := trace.Unhandled
	trace.Unhandled = func(s *scxml.Session, ev *scxml.Event) {
		if unhandled(s, ev); own(s) {
			r.handled = r.handled && !r.current
		}
	}
	trace.Done = func(s *scxml.Session) {
		if s == r.record.Root && s.Err() == scxml.ErrStopped {
			lines := &r.record.Lines
			since := slices.Clone((*lines)[r.settled:]) // what the stop has led to
			*lines = (*lines)[:r.settled]
			r.stimulus(twin.Stimulus{Stop: true})
			*lines = append(*lines, since...)
		}
	}
	trace.Step = func(*scxml.Session, error) {
		if r.record.Root == nil || r.record.Err != nil {
			return
		}
		if r.steps++; r.steps > maxSteps {
			r.record.Fail("it does too much to be compared")
		}
		r.settled, r.rest = len(r.record.Lines), r.record.Rest()
	}
	return trace
}

// restored finds a session that has states before it is given anything.
func (r *Recording) restored(s *scxml.Session) {
	if s.InvokeID() == "" && r.record.Root == nil && len(s.Configuration()) > 0 {
		r.record.Fail(twin.Restored)
	}
}

// stimulus writes what the session rests with, and begins what follows from a stimulus.
func (r *Recording) stimulus(st twin.Stimulus) {
	r.flush()
	r.record.Stimulus(st)
	r.sent = st.Event != ""
	r.waiting, r.handled, r.current, r.steps = r.sent, false, false, 0
}

func (r *Recording) flush() {
	if r.sent {
		r.record.AddAll(twin.Line{What: "handled", Values: []any{r.handled}})
	}
	r.record.AddAll(r.rest...)
	r.settled = len(r.record.Lines)
}

// Compile compiles the chart of the test when that is over. Then started says whether the test has made a session:
// otherwise there is nothing to compare. The error says what of the test a compiled chart cannot do, or is that of
// [compile.Go].
func (r *Recording) Compile(dynamic bool) (started bool, err error) {
	if r.record.Root != nil && r.record.Err == nil {
		r.flush()
	}
	if r.record.Root == nil || r.record.Err != nil {
		return false, r.record.Err
	}
	chart := r.record.Root.Chart()
	fsys := chart.Loader()
	if fsys == nil {
		fsys = fstest.MapFS{}
	}
	r.record.Typed = !dynamic
	return true, r.record.Compile(chart, func(typ string) ([]byte, error) {
		return compile.Source(fsys, path.Base(chart.File()), []byte(chart.Source()), compile.Options{Package: "main", Type: typ, Dynamic: dynamic})
	})
}

// Compare builds a program with the charts of recordings, which were compiled, and runs it. module is the folder of a
// Go module that requires this one, dir a folder for the files, which the caller removes.
func Compare(ctx context.Context, module, dir string, recordings []*Recording) error {
	var records []*twin.Record
	for _, r := range recordings {
		records = append(records, &r.record)
	}
	return twin.Compare(ctx, module, dir, records)
}

// Difference returns where the compiled chart first differs from the recording, or "", after [Compare].
func (r *Recording) Difference() string {
	if r.record.Difference == "" && r.record.Refused != "" {
		return "it refuses an event: " + r.record.Refused
	}
	return r.record.Difference
}
