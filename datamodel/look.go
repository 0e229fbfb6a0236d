package datamodel

// A Look is a set of what code can look at besides the data of its session. A search of all states
// has to know, because it does not try all that there may be.
type Look uint16

const (
	LookChance  Look = 1 << iota // a random number
	LookClock                    // the present time
	LookHost                     // the result of a function of the host
	LookSession                  // the id or an address of a session
	LookID                       // another id in an event, of a <send> or an <invoke>
	LookEvent                    // the present event, if only whether there is one
	LookName                     // the name of an event from outside, see Event.IsOutside
	LookData                     // the data of an event from outside
	LookPast                     // an event that is over
	LookLibrary                  // an object or function of the library that it changes, or may change
)

// A Looker is a [Store] that notes what the code that it evaluates looks at. It is optional: the code of
// other stores may have looked at anything.
type Looker interface {
	Store

	// Watch is called before any code is evaluated whose looks matter.
	Watch()

	// Looks returns what code has looked at since the last call.
	Looks() Look
}
