package scxmltest

import (
	"io"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// traced are the kinds of records in a trace.
var traced = record.Kinds(record.Event, record.Internal, record.Exit, record.Transition, record.Enter, record.Stable, record.Raise,
	record.Send, record.Timer, record.Cancel, record.Log, record.Error, record.Done)

// NewTrace returns a trace that writes what a session does to w, one record per line, in the text
// form of package record without the fields that tests do not need. Lines of invoked sessions begin
// with the invoke id in brackets. The functions also receive each record whole.
func NewTrace(w io.Writer, also ...func(*record.Record)) *scxml.Trace {
	var buf []byte
	rec := record.NewRecorder(Epoch, traced, func(r *record.Record) {
		for _, f := range also {
			f(r)
		}
		line, ok := short(r)
		if !ok {
			return
		}
		buf = append(line.AppendText(buf[:0]), '\n')
		// The reader of w notices a failed write.
		_, _ = w.Write(buf)
	})
	rec.Anonymous = true
	return rec.Trace()
}

// short returns the part of a record that a trace has; ok is false if it has nothing.
func short(r *record.Record) (line record.Record, ok bool) {
	line = record.Record{Kind: r.Kind, InvokeID: r.InvokeID, Event: scxml.Event{Name: r.Event.Name, Data: r.Event.Data}}
	switch r.Kind {
	case record.Internal:
		line.Event.Data = nil
	case record.Exit, record.Enter:
		line.State = r.State
	case record.Transition:
		line.State, line.Targets = r.State, r.Targets
	case record.Stable:
		line.Atomic = r.Atomic
	case record.Raise:
		return line, !strings.HasPrefix(r.Event.Name, "error.") // there is a line "error"
	case record.Send:
		line.Target, line.Delay, line.Event.SendID = r.Target, r.Delay, r.Event.SendID
	case record.Cancel:
		line.Event.SendID, line.Count = r.Event.SendID, r.Count
	case record.Log:
		line.Label, line.Value = r.Label, r.Value
	case record.Error:
		line.At, line.Element, line.Message = r.At, r.Element, r.Message
		return line, r.Event.Name != "limit"
	case record.Done:
		line.Reason, line.State, line.Value = r.Reason, r.State, r.Value
		if r.Reason == "limit" {
			line.Reason = "stopped"
		}
	}
	return line, true
}
