package inspect

import (
	"encoding/json"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A row sums up a macrostep: the line of the log for a position.
type row struct {
	N       int             `json:"n"`
	Time    milliseconds    `json:"time_ms"`
	Kind    string          `json:"kind"`
	Event   *string         `json:"event"`
	Data    json.RawMessage `json:"data,omitempty"`
	Session *string         `json:"session"` // invokeid of the session; nil for the root
	Cause   *cause          `json:"cause"`

	Transitions list     `json:"transitions"`
	Enter       list     `json:"enter"`
	Exit        list     `json:"exit"`
	Active      []string `json:"active"`
	Sent        list     `json:"sent"`
	Raised      list     `json:"raised"`
	Errors      list     `json:"errors"`
	Logs        list     `json:"logs"`
	Unhandled   bool     `json:"unhandled"`
}

// A cause is where an event comes from.
type cause struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// A list has at most maxList entries.
type list []string

const maxList = 32

func (l *list) add(text string) {
	switch {
	case len(*l) < maxList-1:
		*l = append(*l, text)
	case len(*l) == maxList-1:
		*l = append(*l, "…")
	}
}

// The kinds of rows.
const (
	startRow    = "start"
	externalRow = "external"
	timerRow    = "timer"
	internalRow = "internal" // sent by the session tree itself
	invokeRow   = "invoke"   // from an invocation, or the start of one
	platformRow = "platform"
	stopRow     = "stop"
	clockRow    = "clock"
)

// newRow returns the row of a position, without its cause.
func (m *member) newRow(at history.Position) *row {
	r := &row{N: at.N, Time: m.chartTime(at.Session.Now()), Kind: clockRow, Active: at.Session.Configuration()}
	if at.N == 0 {
		r.Kind = startRow
	}
	for i := range at.Records {
		rec := &at.Records[i]
		switch rec.Kind {
		case record.Outcome:
			r.Kind = platformRow
		case record.Done:
			if rec.InvokeID == "" && rec.Reason == "stopped" {
				r.Kind = stopRow
			}
		case record.Event:
			r.take(rec)
		case record.Microstep:
			if r.Kind == clockRow && rec.InvokeID != "" {
				r.Kind = invokeRow // its initial states
			}
			r.from(rec)
		case record.Transition:
			if rec.InvokeID == "" {
				r.Transitions.add(m.facts().transitions[rec.At])
			}
		case record.Enter:
			r.Enter.add(rec.State)
		case record.Exit:
			r.Exit.add(rec.State)
		case record.Send:
			r.Sent.add(rec.Event.Name)
		case record.Raise:
			r.Raised.add(rec.Event.Name)
		case record.Error:
			r.Errors.add(rec.Message)
		case record.Log:
			r.Logs.add(logLine(rec))
		case record.Unhandled:
			if r.Event != nil && *r.Event == rec.Event.Name && !rec.ForHost {
				r.Unhandled = true
			}
		}
	}
	return r
}

// take notes the event that the macrostep is about. It keeps nothing else alive: the records of a
// macrostep and the data of its event can be large, and rows are kept by the thousand.
func (r *row) take(rec *record.Record) {
	ev := &rec.Event
	name := ev.Name
	r.Event, r.Data = &name, shorten(ev.Data, maxLine)
	switch {
	case ev.Type == datamodel.Platform:
		r.Kind = platformRow
	case ev.InvokeID != "":
		r.Kind = invokeRow
	default:
		r.Kind = externalRow // unless its cause is known
	}
	r.from(rec)
}

// from notes the session of a record.
func (r *row) from(rec *record.Record) {
	if r.Session == nil && rec.InvokeID != "" {
		id := rec.InvokeID
		r.Session = &id
	}
}

func logLine(rec *record.Record) string {
	text := rec.Label
	if rec.Value != nil || text == "" {
		text = strings.TrimPrefix(text+": "+datamodel.Text(rec.Value), ": ")
	}
	return short.Text(text, maxShort)
}
