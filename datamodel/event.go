package datamodel

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An EventType says where an event came from (REC 5.10.1, _event.type).
type EventType uint8

const (
	// External events come from the external queue: sent by the host, by <send>, or by another
	// session. It is the zero value.
	External EventType = iota
	// Internal events come from <raise> or from <send target="#_internal">.
	Internal
	// Platform events are raised by the processor itself: error.* and done.*.
	Platform
)

// String returns "external", "internal" or "platform".
func (t EventType) String() string {
	switch t {
	case Internal:
		return "internal"
	case Platform:
		return "platform"
	}
	return "external"
}

// An Event is what charts react to (REC 5.10.1). An empty string means that the field is missing, a
// nil Data means undefined.
type Event struct {
	Name       string
	Type       EventType
	Data       Value
	SendID     string
	Origin     string
	OriginType string
	InvokeID   string

	// Raw is the message as it arrived, for an event from an Event I/O Processor that has one. It
	// is not in the REC; scripts see it as _event.raw.
	Raw string
}

// IsOutside reports whether the event was sent by no session of this tree: by the host, for a user.
func (ev *Event) IsOutside() bool {
	return ev.Type == External && ev.Origin == "" && ev.InvokeID == ""
}

// MaxEventName is how many bytes the name of an event may have.
const MaxEventName = 4096

// CheckEventName returns an error unless name can be the name of an event that a chart, its host or
// a message gives. All ways into a session use this rule.
//
// REC 3.12.1: a name consists of tokens separated by ".". A token is not empty, and has no white
// space, control character or "*". The name is UTF-8 of at most [MaxEventName] bytes. Names of
// done.* events need not obey this: the platform makes them of ids, which allow more.
func CheckEventName(name string) error {
	if len(name) > MaxEventName {
		return explainEventName(name)
	}
	token := 0 // where the present one begins
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case '.' < c && c < 0x7f: // nearly all there are
		case c == '.' && i > token:
			token = i + 1
		case c == '.', c <= ' ', c == '*', c >= 0x7f:
			return explainEventName(name)
		}
	}
	if token == len(name) {
		return explainEventName(name)
	}
	return nil
}

// explainEventName is CheckEventName for a name that is wrong, or not ASCII.
func explainEventName(name string) error {
	why := ""
	switch {
	case name == "":
		return errors.New("the event has no name")
	case len(name) > MaxEventName:
		return fmt.Errorf("event name %.40q… has %d bytes: want at most %d", name, len(name), MaxEventName)
	case !utf8.ValidString(name):
		why = "is not UTF-8"
	case strings.ContainsFunc(name, unicode.IsSpace):
		why = "contains white space: want the name of one event"
	case strings.ContainsFunc(name, unicode.IsControl):
		why = "contains a control character"
	case strings.Contains(name, "*"):
		why = `has a wildcard: write "*" only in the event of a transition`
	case name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, ".."):
		why = "has an empty token: it begins or ends with a dot, or has two in a row"
	default:
		return nil
	}
	return fmt.Errorf("event name %q %s", name, why)
}
