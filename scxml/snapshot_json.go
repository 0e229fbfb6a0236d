package scxml

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// A durable session is saved after each step, and package encoding/json would take half of the time of
// that. So what most snapshots have is written here, and the rest of the types of snapshot_format.go by
// that package. A test compares both.

// A jsonWriter appends JSON to buf. Members without a value are left out.
type jsonWriter struct {
	buf []byte
	err error // the first one
}

// name begins a member.
func (w *jsonWriter) name(name string) {
	if last := w.buf[len(w.buf)-1]; last != '{' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(append(append(w.buf, '"'), name...), `":`...)
}

// object appends an object, whose members f appends.
func object[T any](w *jsonWriter, v *T, f func(*T, *jsonWriter)) {
	w.buf = append(w.buf, '{')
	f(v, w)
	w.buf = append(w.buf, '}')
}

// list appends a member that is an array of objects.
func list[T any](w *jsonWriter, name string, items []T, f func(*T, *jsonWriter)) {
	if len(items) == 0 {
		return
	}
	w.name(name)
	for i := range items {
		w.buf = append(w.buf, "[,"[min(i, 1)])
		object(w, &items[i], f)
	}
	w.buf = append(w.buf, ']')
}

// quote appends a string.
func (w *jsonWriter) quote(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			w.buf = datamodel.AppendJSON(w.buf, s)
			return
		}
	}
	w.buf = append(append(append(w.buf, '"'), s...), '"')
}

func (w *jsonWriter) text(name, s string) {
	if s != "" {
		w.string(name, s)
	}
}

// string is text for a string that is always there.
func (w *jsonWriter) string(name, s string) {
	w.name(name)
	w.quote(s)
}

func (w *jsonWriter) texts(name string, all []string) {
	for i, s := range all {
		if i == 0 {
			w.name(name)
		}
		w.buf = append(w.buf, "[,"[min(i, 1)])
		w.quote(s)
	}
	if len(all) > 0 {
		w.buf = append(w.buf, ']')
	}
}

func (w *jsonWriter) int(name string, n int) {
	if n != 0 {
		w.number(name, n)
	}
}

// number is int for a number that is always there.
func (w *jsonWriter) number(name string, n int) {
	w.name(name)
	w.buf = strconv.AppendInt(w.buf, int64(n), 10)
}

func (w *jsonWriter) flag(name string, b bool) {
	if b {
		w.name(name)
		w.buf = append(w.buf, "true"...)
	}
}

func (w *jsonWriter) value(name string, v datamodel.Value) {
	if v != nil {
		w.name(name)
		w.buf = datamodel.AppendJSON(w.buf, v)
	}
}

func (w *jsonWriter) time(name string, t time.Time) {
	w.name(name)
	text, err := t.MarshalJSON()
	w.append(text, err)
}

// any appends a member by package encoding/json if it is there.
func (w *jsonWriter) any(name string, there bool, v any) {
	if there {
		w.name(name)
		text, err := json.Marshal(v)
		w.append(text, err)
	}
}

func (w *jsonWriter) append(text []byte, err error) {
	w.buf = append(w.buf, text...)
	if w.err == nil {
		w.err = err
	}
}

// encode returns the JSON of a snapshot with the data of its sessions, which is JSON already.
func (snap *snapshot) encode(data [][]byte) ([]byte, error) {
	size := 256 + 256*len(snap.Sessions) + 192*len(snap.Timers)
	for _, session := range data {
		size += len(session)
	}
	w := &jsonWriter{buf: make([]byte, 0, size)}
	object(w, snap, (*snapshot).write)
	if w.err != nil {
		return nil, failed("Snapshot", w.err)
	}
	text := append(openMember(w.buf, "data", 0), '[')
	for i, session := range data {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, session...)
	}
	return append(text, "]}"...), nil
}

func (snap *snapshot) write(w *jsonWriter) {
	w.string("format", snap.Format)
	w.number("version", snap.Version)
	w.name("chart")
	object(w, &snap.Chart, (*savedChart).write)
	w.time("now", snap.Now)
	w.any("random", snap.Random != nil, snap.Random)
	w.flag("stop", snap.Stop)
	w.number("turn", snap.Turn)
	list(w, "sessions", snap.Sessions, (*savedSession).write)
	list(w, "timers", snap.Timers, (*savedTimer).write)
	w.any("outbox", snap.Outbox != nil, snap.Outbox)
}

func (c *savedChart) write(w *jsonWriter) {
	w.text("file", c.File)
	w.text("hash", c.Hash)
}

func (s *savedSession) write(w *jsonWriter) {
	w.text("id", s.ID)
	w.text("invokeid", s.InvokeID)
	w.int("parent", s.Parent)
	if s.Chart != (savedChart{}) {
		w.name("chart")
		object(w, &s.Chart, (*savedChart).write)
	}
	w.string("status", s.Status)
	w.any("stopped", s.Stopped != nil, s.Stopped)
	w.text("final", s.Final)
	w.value("done", s.Done.V)
	w.texts("configuration", s.Configuration)
	w.any("history", len(s.History) > 0, s.History)
	w.texts("bound", s.Bound)
	w.texts("toinvoke", s.ToInvoke)
	list(w, "internal", s.Internal, writeEvent)
	list(w, "external", s.External, writeEvent)
	w.int("fence", int(s.Fence))
	w.flag("unstable", s.Unstable)
	w.int("steps", s.Steps)
	w.int("logged", s.Logged)
	w.any("limit", s.Limit != nil, s.Limit)
	if s.IDs != 0 {
		w.name("ids")
		w.buf = strconv.AppendUint(w.buf, s.IDs, 10)
	}
	w.any("locations", len(s.Locations) > 0, s.Locations)
	w.value("preset", s.Preset.V)
	if s.Event != nil {
		w.name("event")
		object(w, s.Event, writeEvent)
	}
	w.any("invocations", len(s.Invocations) > 0, s.Invocations)
}

func writeEvent(e *eventjson.Event, w *jsonWriter) {
	w.string("name", e.Name)
	w.text("type", e.Type)
	w.value("data", e.Data.V)
	w.text("sendid", e.SendID)
	w.text("origin", e.Origin)
	w.text("origintype", e.OriginType)
	w.text("invokeid", e.InvokeID)
	w.text("raw", e.Raw)
}

func (t *savedTimer) write(w *jsonWriter) {
	w.number("session", t.Session)
	w.time("due", t.Due)
	w.string("delay", t.Delay)
	w.text("target", t.Target)
	w.text("type", t.Type)
	w.name("event")
	object(w, &t.Event, writeEvent)
	w.any("params", len(t.Params) > 0, t.Params)
	w.any("retry", t.Retry != nil, t.Retry)
	if t.At != (savedPos{}) {
		w.name("at")
		object(w, &t.At, (*savedPos).write)
	}
}

func (p *savedPos) write(w *jsonWriter) {
	w.text("file", p.File)
	w.int("line", p.Line)
	w.int("col", p.Col)
}
