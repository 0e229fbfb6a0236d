package fleet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
)

// A record is a [Record] with its body. Its slices are shared with older versions: a change replaces
// them, or appends to them, and never writes to their elements.
type record struct {
	Record
	incarnation uint64 // tells apart sessions that had the same key
	nonce       uint64 // of the last change, to recognise a commit whose outcome was unknown
	steps       uint64 // counts the changes in which the session worked
	consumed    uint64 // position of the last event that was processed
	inbox       []inboxEvent
	ids         []answer // of the last events, the oldest first
	marks       []mark
	tasks       []task    // of the outbox, in order of their ids
	due         time.Time // of the session's next delayed event, or zero
	timers      []timer   // those with a trace
	suspended   bool
	failure     *Failure
	snapshot    []byte
	ended       time.Time // in whole seconds; zero while it runs, and if an earlier version did not note it
	size        int       // of Body
}

// An inboxEvent is an accepted event that waits in an inbox.
type inboxEvent struct {
	at    time.Time // of acceptance
	id    string    // that the sender gave, or ""
	to    string    // id of an invoked session, or "" for the session
	from  bool      // another session sent it
	ev    []byte    // an encoded event
	trace string    // see WithTrace
}

// An answer is what was said about an event with an id.
type answer struct {
	id       string
	position uint64
	handled  bool
	digest   uint64    // of the event; 0 in records of earlier versions of this package
	at       time.Time // of acceptance; zero without [Config].IDsFor
}

// A mark is the number of the last message of a source.
type mark struct {
	source      string
	incarnation uint64 // of a session; 0 for a feed
	n           uint64
}

// A task is what the fleet notes about a task of the session's outbox.
type task struct {
	id       uint64
	kind     scxml.TaskKind
	target   string // of a message to another session
	step     uint64 // in which the session handed it out
	since    time.Time
	attempts int
	next     time.Time // of the next attempt; zero: now
	failed   string    // the error of the last attempt, or ""
	trace    string    // of the step
}

// position returns the position of the i-th event of the inbox.
func (r *record) position(i int) uint64 { return r.consumed + uint64(i) + 1 }

const (
	bodyVersion     = 1
	extendedVersion = 2 // with traces and errors at the end
	digestVersion   = 3 // and then with digests of events
)

var errBody = errors.New("a record's body is damaged")

// encode sets Body.
func (r *record) encode() {
	size := len(r.snapshot) + 128
	for i := range r.inbox {
		size += len(r.inbox[i].ev) + len(r.inbox[i].id) + 32
	}
	for i := range r.ids {
		size += len(r.ids[i].id) + 32
	}
	version := uint64(bodyVersion)
	if r.extended() {
		version = extendedVersion
	}
	if slices.ContainsFunc(r.ids, func(a answer) bool { return a.digest != 0 }) {
		version = digestVersion
	}
	r.Body = codec.Append(make([]byte, 0, size+48*len(r.tasks)+48*len(r.marks)), func(c *codec.Coder) {
		codec.Uint(c, &version)
		r.code(c, version)
	})
	r.size = len(r.Body)
}

// code describes the body of a record, after its version.
func (r *record) code(c *codec.Coder, version uint64) {
	for _, n := range [...]*uint64{&r.incarnation, &r.nonce, &r.steps, &r.consumed} {
		codec.Uint(c, n)
	}
	codec.List(c, &r.inbox, func(l *inboxEvent) {
		c.Time(&l.at)
		c.String(&l.id)
		c.String(&l.to)
		c.Bool(&l.from)
		c.Bytes(&l.ev)
	})
	codec.List(c, &r.ids, func(a *answer) {
		c.String(&a.id)
		codec.Uint(c, &a.position)
		c.Bool(&a.handled)
	})
	codec.List(c, &r.marks, func(m *mark) {
		c.String(&m.source)
		codec.Uint(c, &m.incarnation)
		codec.Uint(c, &m.n)
	})
	codec.List(c, &r.tasks, func(t *task) {
		codec.Uint(c, &t.id)
		codec.Uint(c, &t.kind)
		c.String(&t.target)
		codec.Uint(c, &t.step)
		c.Time(&t.since)
		codec.Uint(c, &t.attempts)
		c.Time(&t.next)
	})
	c.Time(&r.due)
	c.String(&r.Status)
	c.Bool(&r.suspended)
	failed := r.failure != nil
	if c.Bool(&failed); failed {
		if r.failure == nil {
			r.failure = new(Failure)
		}
		f := r.failure
		c.String(&f.What)
		c.String(&f.Message)
		codec.Uint(c, &f.Position)
		codec.Uint(c, &f.Task)
		codec.Uint(c, &f.Attempts)
		c.Time(&f.At)
		c.Time(&f.Next)
	}
	c.Bytes(&r.snapshot)
	if version < extendedVersion {
		return
	}
	for i := range r.inbox {
		c.String(&r.inbox[i].trace)
	}
	for i := range r.tasks {
		c.String(&r.tasks[i].trace)
		c.String(&r.tasks[i].failed)
	}
	codec.List(c, &r.timers, func(t *timer) {
		c.Time(&t.due)
		c.String(&t.name)
		c.String(&t.trace)
	})
	if version < digestVersion {
		return
	}
	for i := range r.ids {
		codec.Uint(c, &r.ids[i].digest)
		c.Time(&r.ids[i].at)
	}
}

// extended reports whether anything has a trace or an error.
func (r *record) extended() bool {
	return len(r.timers) > 0 ||
		slices.ContainsFunc(r.inbox, func(l inboxEvent) bool { return l.trace != "" }) ||
		slices.ContainsFunc(r.tasks, func(t task) bool { return t.trace != "" || t.failed != "" })
}

// decode reads what encode has written. The record keeps the bytes.
func decode(stored *Record) (*record, error) {
	r := &record{Record: *stored, size: len(stored.Body)}
	_, r.ended = readStatus(stored.Status)
	var version uint64
	remaining, ok := codec.Read(stored.Body, func(c *codec.Coder) {
		if codec.Uint(c, &version); version >= bodyVersion && version <= digestVersion {
			r.code(c, version)
		}
	})
	switch {
	case version < bodyVersion || version > digestVersion:
		return nil, fmt.Errorf("cannot read record %q: its version is %d, want %d to %d", stored.Key, version, bodyVersion, digestVersion)
	case !ok || len(remaining) > 0:
		return nil, fmt.Errorf("cannot read record %q: %w", stored.Key, errBody)
	}
	return r, nil
}

// status is what lists say of the session: its state and, after a space, when it has ended.
func (r *record) status() string {
	if r.ended.IsZero() {
		return r.state()
	}
	return r.state() + " " + r.ended.UTC().Format(time.RFC3339)
}

// readStatus reads what status has written.
func readStatus(text string) (state string, ended time.Time) {
	state, at, _ := strings.Cut(text, " ")
	ended, _ = time.Parse(time.RFC3339, at) // or it has not ended
	return state, ended
}

// encodeEvent returns an event whose data is neutral as bytes.
func encodeEvent(ev scxml.Event) []byte {
	b := codec.Append(nil, func(c *codec.Coder) { codeEvent(c, &ev) })
	if ev.Data != nil {
		b = datamodel.AppendJSON(b, ev.Data)
	}
	return b
}

func decodeEvent(b []byte) (ev scxml.Event, err error) {
	data, ok := codec.Read(b, func(c *codec.Coder) { codeEvent(c, &ev) })
	if !ok {
		return ev, errBody
	}
	if len(data) > 0 {
		ev.Data, err = datamodel.ParseJSON(data)
	}
	return ev, err
}

// codeEvent describes an event without its data, which follow as JSON.
func codeEvent(c *codec.Coder, ev *scxml.Event) {
	for _, s := range [...]*string{&ev.Name, &ev.SendID, &ev.Origin, &ev.OriginType, &ev.InvokeID, &ev.Raw} {
		c.String(s)
	}
}
