package scxml

import (
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Param is a name with a value, of a <param> or a namelist.
type Param struct {
	Name  string
	Value datamodel.Value
}

// A Message is what a <send> sends.
type Message struct {
	Event  Event
	Target string // as the document says; "" is the sending session
	Type   string // URI of the Event I/O Processor
	Delay  time.Duration

	// Params are the namelist and the params in document order, for an
	// [IOProcessor]: Event.Data holds them too, but each name once. It is nil
	// for a message to the SCXML Event I/O Processor, and for one with content.
	Params []Param

	pos datamodel.Position // of the <send>
}
