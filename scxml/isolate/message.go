package isolate

import (
	"context"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// protocol is the version of the messages. Parent and child must have the same.
const protocol = 1

// A hello is what a child says of itself.
type hello struct {
	Protocol int
	Missing  []string // what it could not limit
}

// A request asks for what the [method] of its frame does: a parent asks its child, and a child calls
// its host while it carries out a request.
type request struct {
	ID      uint64 `json:",omitempty"` // 0 for a call, and if there is no answer
	Session int    `json:",omitempty"` // number of the session, or of the service
	In      any    `json:",omitempty"` // as it is read, a pointer to what the method wants
}

// An answer is the end of a request or a call.
type answer struct {
	ID        uint64     `json:",omitempty"` // of the request
	Err       *failure   `json:",omitempty"`
	HostErr   *hostError `json:",omitempty"` // of a call
	State     *state     `json:",omitempty"` // of the session after the request
	Recording []byte     `json:",omitempty"` // what is new of it
	Out       any        `json:",omitempty"` // as it is read, a pointer to what is expected
}

// A method is what a request or a call asks for. Both ends use it, so that they agree on the types.
type method[T, In, Out any] struct {
	op string
	do func(ctx context.Context, of T, in In) (Out, error)
}

// none is the argument or result of methods that have none.
type none struct{}

// A handler is a method of a T.
type handler[T any] interface {
	name() string
	newIn() any
	// serve carries out the method. in is what newIn has returned.
	serve(ctx context.Context, of T, in any) (out any, err error)
}

func (m method[T, In, Out]) name() string { return m.op }
func (m method[T, In, Out]) newIn() any   { return new(In) }
func (m method[T, In, Out]) serve(ctx context.Context, of T, in any) (any, error) {
	out, err := m.do(ctx, of, *in.(*In))
	if any(out) == any(none{}) {
		return nil, err
	}
	return out, err
}

// tableOf returns handlers by name.
func tableOf[T any](all ...handler[T]) map[string]handler[T] {
	table := map[string]handler[T]{}
	for _, h := range all {
		table[h.name()] = h
	}
	return table
}

// A document is a chart to be compiled.
type document struct {
	Name   string
	Source []byte
	Loader bool // files are loaded from the host
	Limits *scxml.Limits

	loaded func(name, text string) // in the child: hears of each file; or nil
}

// A setup has the options of a session.
type setup struct {
	Limits     *scxml.Limits
	Data       []preset
	Seed       *uint64
	SessionID  string
	Timers     scxml.TimerPolicy
	Funcs      []string
	Services   []string // types
	Outbox     *outbox
	UserEvents bool
	Missing    bool   // WithMissing is given
	Saved      []byte // a snapshot to restore
	Migrated   bool   // it may be of another version

	Configuration []string // of WithConfiguration; nil without it
}

// An outbox is a [scxml.Outbox].
type outbox struct {
	Processors, Services []string
	Location, Sessions   bool
	Check                bool
}

type preset struct {
	ID    string
	Value eventjson.Value
}

// A state is what a parent knows of a session.
type state struct {
	Status        scxml.Status
	Configuration []string
	Now           time.Time
	Due           time.Time       `json:",omitzero"`
	Busy          bool            `json:",omitempty"`
	Final         string          `json:",omitempty"`
	Done          eventjson.Value `json:",omitzero"`
	Err           *failure        `json:",omitempty"`
	Tasks         []scxml.Task    `json:",omitempty"`
}

// A note is what a child says of a service. It does not wait for a request.
type note struct {
	Service  int
	Session  int              `json:",omitempty"`
	Task     *scxml.Task      `json:",omitempty"` // to run a new one
	Restored bool             `json:",omitempty"`
	Event    *eventjson.Event `json:",omitempty"`
}

// The names of notes.
const (
	noteInvoke = "invoke" // a service is invoked
	noteEvent  = "event"  // an event for it
	noteCancel = "cancel" // it is cancelled
	noteWake   = "wake"   // a session has work
)
