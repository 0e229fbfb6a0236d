package fleet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A record is a [Record] with its body. Its slices are shared with older versions: a change replaces
// them, or appends to them, and never writes to their elements.
type record struct {
	Record
	incarnation uint64 // tells apart sessions that had the same key
	nonce       uint64 // of the last change, to recognise a commit whose outcome was unknown
	steps       uint64 // counts the changes in which the session worked
	consumed    uint64 // position of the last event that was processed
	inbox       []letter
	ids         []answer // of the last events, the oldest first
	marks       []mark
	tasks       []task    // of the outbox, in order of their ids
	due         time.Time // of the session's next delayed event, or zero
	timers      []timer   // those with a trace
	suspended   bool
	failure     *Failure
	snapshot    []byte
	size        int // of Body
}

// A letter is an accepted event that waits in an inbox.
type letter struct {
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

// position returns the position of the i-th letter.
func (r *record) position(i int) uint64 { return r.consumed + uint64(i) + 1 }

const (
	bodyVersion     = 1
	extendedVersion = 2 // with traces and errors at the end
)

var errBody = errors.New("a record's body is damaged")

// encode sets Body.
func (r *record) encode() {
	size := len(r.snapshot) + 128
	for i := range r.inbox {
		size += len(r.inbox[i].ev) + len(r.inbox[i].id) + 32
	}
	for i := range r.ids {
		size += len(r.ids[i].id) + 12
	}
	e := encoder(make([]byte, 0, size+48*len(r.tasks)+48*len(r.marks)))
	extended := r.extended()
	if extended {
		e.uint(extendedVersion)
	} else {
		e.uint(bodyVersion)
	}
	e.uint(r.incarnation)
	e.uint(r.nonce)
	e.uint(r.steps)
	e.uint(r.consumed)
	e.uint(uint64(len(r.inbox)))
	for i := range r.inbox {
		l := &r.inbox[i]
		e.time(l.at)
		e.string(l.id)
		e.string(l.to)
		e.bool(l.from)
		e.bytes(l.ev)
	}
	e.uint(uint64(len(r.ids)))
	for i := range r.ids {
		e.string(r.ids[i].id)
		e.uint(r.ids[i].position)
		e.bool(r.ids[i].handled)
	}
	e.uint(uint64(len(r.marks)))
	for _, m := range r.marks {
		e.string(m.source)
		e.uint(m.incarnation)
		e.uint(m.n)
	}
	e.uint(uint64(len(r.tasks)))
	for i := range r.tasks {
		t := &r.tasks[i]
		e.uint(t.id)
		e.uint(uint64(t.kind))
		e.string(t.target)
		e.uint(t.step)
		e.time(t.since)
		e.uint(uint64(t.attempts))
		e.time(t.next)
	}
	e.time(r.due)
	e.string(r.Status)
	e.bool(r.suspended)
	e.bool(r.failure != nil)
	if f := r.failure; f != nil {
		e.string(f.What)
		e.string(f.Message)
		e.uint(f.Position)
		e.uint(f.Task)
		e.uint(uint64(f.Attempts))
		e.time(f.At)
		e.time(f.Next)
	}
	e.bytes(r.snapshot)
	if extended {
		for i := range r.inbox {
			e.string(r.inbox[i].trace)
		}
		for i := range r.tasks {
			e.string(r.tasks[i].trace)
			e.string(r.tasks[i].failed)
		}
		e.uint(uint64(len(r.timers)))
		for _, t := range r.timers {
			e.time(t.due)
			e.string(t.name)
			e.string(t.trace)
		}
	}
	r.Body, r.size = e, len(e)
}

// extended reports whether anything has a trace or an error.
func (r *record) extended() bool {
	return len(r.timers) > 0 ||
		slices.ContainsFunc(r.inbox, func(l letter) bool { return l.trace != "" }) ||
		slices.ContainsFunc(r.tasks, func(t task) bool { return t.trace != "" || t.failed != "" })
}

// decode reads what encode has written. The record keeps the bytes.
func decode(stored *Record) (*record, error) {
	r := &record{Record: *stored, size: len(stored.Body)}
	d := decoder{rest: stored.Body}
	v := d.uint()
	if v != bodyVersion && v != extendedVersion {
		return nil, fmt.Errorf("cannot read record %q: its version is %d, want %d or %d", stored.Key, v, bodyVersion, extendedVersion)
	}
	r.incarnation, r.nonce, r.steps, r.consumed = d.uint(), d.uint(), d.uint(), d.uint()
	for range d.count() {
		r.inbox = append(r.inbox, letter{at: d.time(), id: d.string(), to: d.string(), from: d.bool(), ev: d.bytes()})
	}
	for range d.count() {
		r.ids = append(r.ids, answer{d.string(), d.uint(), d.bool()})
	}
	for range d.count() {
		r.marks = append(r.marks, mark{d.string(), d.uint(), d.uint()})
	}
	for range d.count() {
		r.tasks = append(r.tasks, task{
			id: d.uint(), kind: scxml.TaskKind(d.uint()), target: d.string(), step: d.uint(),
			since: d.time(), attempts: int(d.uint()), next: d.time(),
		})
	}
	r.due, r.Status, r.suspended = d.time(), d.string(), d.bool()
	if d.bool() {
		r.failure = &Failure{
			What: d.string(), Message: d.string(), Position: d.uint(), Task: d.uint(),
			Attempts: int(d.uint()), At: d.time(), Next: d.time(),
		}
	}
	r.snapshot = d.bytes()
	if v == extendedVersion {
		for i := range r.inbox {
			r.inbox[i].trace = d.string()
		}
		for i := range r.tasks {
			r.tasks[i].trace, r.tasks[i].failed = d.string(), d.string()
		}
		for range d.count() {
			r.timers = append(r.timers, timer{d.time(), d.string(), d.string()})
		}
	}
	if d.bad || len(d.rest) > 0 {
		return nil, fmt.Errorf("cannot read record %q: %w", stored.Key, errBody)
	}
	return r, nil
}

// answered returns what was said about the event with an id, or nil.
func (r *record) answered(id string) *answer {
	if i := slices.IndexFunc(r.ids, func(a answer) bool { return a.id == id }); i >= 0 {
		return &r.ids[i]
	}
	return nil
}

// encodeEvent returns an event whose data is neutral as bytes.
func encodeEvent(ev scxml.Event) []byte {
	var e encoder
	for _, s := range [...]string{ev.Name, ev.SendID, ev.Origin, ev.OriginType, ev.InvokeID, ev.Raw} {
		e.string(s)
	}
	if ev.Data != nil {
		e = datamodel.AppendJSON(e, ev.Data)
	}
	return e
}

func decodeEvent(b []byte) (ev scxml.Event, err error) {
	d := decoder{rest: b}
	for _, s := range [...]*string{&ev.Name, &ev.SendID, &ev.Origin, &ev.OriginType, &ev.InvokeID, &ev.Raw} {
		*s = d.string()
	}
	if d.bad {
		return ev, errBody
	}
	if len(d.rest) > 0 {
		ev.Data, err = datamodel.ParseJSON(d.rest)
	}
	return ev, err
}

// An encoder appends values to itself.
type encoder []byte

func (e *encoder) uint(n uint64) { *e = binary.AppendUvarint(*e, n) }

func (e *encoder) bool(b bool) {
	n := byte(0)
	if b {
		n = 1
	}
	*e = append(*e, n)
}

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	*e = append(*e, s...)
}

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	*e = append(*e, b...)
}

// time keeps the zero time, and others to the nanosecond, without their place.
func (e *encoder) time(t time.Time) {
	var n int64
	if !t.IsZero() {
		n = t.UnixNano()
	}
	*e = binary.AppendVarint(*e, n)
}

// A decoder reads what an encoder has written. After an error, bad is set and it returns zeros.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// count returns the length of a list. Each of its items has at least a byte.
func (d *decoder) count() uint64 {
	n := d.uint()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return 0
	}
	return n
}

func (d *decoder) bytes() []byte {
	n := d.count()
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) bool() bool {
	b := d.uint()
	if b > 1 {
		d.bad = true
	}
	return b == 1
}

func (d *decoder) time() time.Time {
	n, size := binary.Varint(d.rest)
	if size <= 0 {
		d.bad, d.rest = true, nil
		return time.Time{}
	}
	d.rest = d.rest[size:]
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
