package scxml

import (
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Param is the name and value of a <param> or of an entry of a namelist.
type Param struct {
	Name  string
	Value datamodel.Value
}

// A Message is the result of a <send>.
type Message struct {
	Event  Event
	Target string // as in the document; "" for the sending session
	Type   string // URI of the Event I/O Processor
	Delay  time.Duration

	// Params are the namelist and the params in document order, for an [IOProcessor]. Event.Data
	// has them too, but each name once only. It is nil for a message to the SCXML Event I/O
	// Processor, and for one with <content>.
	Params []Param

	// Retry is the attribute of the <send>, for a host that delivers the message; nil without one.
	Retry *Retry

	Session *Session // that sends it

	Pos datamodel.Position // of the <send>; JSON does not have it
}
