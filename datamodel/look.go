package datamodel

// A Look is a set of what code can look at besides the data of its session. A store notes in
// [Host].Looks what the code that it evaluates has looked at, so that a search of all states knows
// what it has not tried.
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

	LookAll Look = 1<<iota - 1
)

// A Looker is a [Language] that tells what its stores note in [Host].Looks. It is optional: what a
// language does not note may happen at any time.
type Looker interface {
	Looks() Look
}
