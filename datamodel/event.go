package datamodel

// An EventType says where an event came from (REC 5.10.1, _event.type).
type EventType uint8

const (
	// External events come from the external queue: sent by the host, by
	// <send>, or by another session. It is the zero value.
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

// An Event is what charts react to (REC 5.10.1). The empty string stands for
// a field that is not there, a nil Data for undefined.
type Event struct {
	Name       string
	Type       EventType
	Data       Value
	SendID     string
	Origin     string
	OriginType string
	InvokeID   string

	// Raw is the message as it arrived, for an event that came through an Event
	// I/O Processor that has one. The REC does not know it, but scripts see it
	// as _event.raw.
	Raw string
}
