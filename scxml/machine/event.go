package machine

import (
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// An EventType is the type of an event (REC 5.10.1).
type EventType uint8

const (
	External EventType = iota
	Internal
	Platform
)

// String returns "external", "internal" or "platform".
func (t EventType) String() string { return [...]string{"external", "internal", "platform"}[t] }

// EventTypeOf is the inverse of String.
func EventTypeOf(text string) (t EventType) {
	for t < Platform && t.String() != text {
		t++
	}
	return t
}

// An Event is an event with all that charts can ask of it (REC 5.10.1).
//
// Its data is nil, [Null], a bool, a float64, a string, or [Fields] of these. With a data model at run
// time ("--dynamic") it is a value of that data model. In a machine that does not read it, it can be of
// any type, which is passed on to invoked machines and services as it is. It must not be modified.
type Event struct {
	Name, SendID, Origin, OriginType, InvokeID string
	Type                                       EventType
	Data                                       any
	// Raw is the message as a form, for one that repeats names.
	Raw string
}

// These are how data are written, see package js.
type (
	NullType = js.NullType
	Fields   = js.Fields
	Field    = js.Field
)

// Null is the null of ECMAScript, where nil is undefined.
var Null NullType

// A Message is what a <send> sends (REC 6.2).
type Message struct {
	Event  Event
	Target string
	Type   string // of the Event I/O Processor, as a URI
	Delay  time.Duration
	At     string // the place of the <send> in the document, line:column
	Params Fields // the namelist and the params, for an Event I/O Processor of the host; they can repeat a name
	Retry  string // the attribute of the <send>, see scxml.Retry
}

// An Error is the cause of an error event: a failure inside a running chart.
type Error struct {
	Event   string // error.execution or error.communication
	Element string // the element that failed, for example "assign"
	At      string // its place in the document: file:line:column
	Msg     string
	SendID  string // of a <send>
}

// Error returns the place, the element and the message.
func (e *Error) Error() string { return fmt.Sprintf("%s: <%s>: %s", e.At, e.Element, e.Msg) }

// A LimitError says which of the [Limits] a machine has exceeded.
type LimitError struct {
	Limit string
	Value int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the limit %s is exceeded: %d", e.Limit, e.Value)
}

// An entry is an event in a queue. Without ev it has no more than its name and a type.
type entry struct {
	num uint16
	typ EventType
	ev  *Event
}

// A queue is a first-in first-out ring. The zero queue is empty.
type queue struct {
	ring    []entry // its length is a power of two, or 0
	head, n uint32
}

func (q *queue) len() int { return int(q.n) }

func (q *queue) add(e entry) {
	if int(q.n) == len(q.ring) {
		ring := make([]entry, max(4, 2*len(q.ring)))
		n := copy(ring, q.ring[q.head:])
		copy(ring[n:], q.ring[:q.head])
		q.ring, q.head = ring, 0
	}
	q.ring[(q.head+q.n)&uint32(len(q.ring)-1)] = e
	q.n++
}

func (q *queue) take() entry {
	slot := &q.ring[q.head]
	e := *slot
	slot.ev = nil
	q.head = (q.head + 1) & uint32(len(q.ring)-1)
	q.n--
	return e
}
