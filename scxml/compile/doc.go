// Package compile turns charts into Go code. It is what "scxmlrun gen go" runs, and what a Go program's own
// generator can use.
//
//	code, err := compile.Go(os.DirFS("."), "door.scxml", compile.Options{Package: "door"})
//	…
//	err = os.WriteFile("door_gen.go", code, 0o666)
//
// [Go] compiles a chart: to a type that does what package scxml's Session does with the document, without the
// engine and the document at run time, and about as fast as code that is written by hand. What the generated code
// shares is package machine, with which machines also write and read the snapshots of sessions. The guide "compiled"
// shows how it is used.
//
// [Constants] writes constants for the names in a chart, for programs that use the engine. For a chart with the
// state closed, which takes the event push.hard, the file has
//
//	const StateClosed = "closed" // door.scxml:2:3
//	const EventPushHard = "push.hard" // door.scxml:3:5
//
// There are constants State… for ids of states, Event… for events that transitions name, without a final ".*",
// Send… for events that <send> names, and Data… for ids of top-level data items. Computed names (eventexpr), "*",
// states without an id, and the documents that a chart invokes do not have constants.
//
// # Names
//
// A name has the words of the id in one, each with a capital letter first; what is neither a letter nor a digit
// only separates words. So "updateGUI" is UpdateGUI, and "push.hard" and "push-hard" are both PushHard.
//
// Constants of one kind that would share a name are spelled out instead, all of them: after an underscore, with
// _HEX_ for each character that is neither a letter nor a digit, as in Event_push_2e_hard and
// Event_push_2d_hard. The same goes for an id without any letter or digit. Names depend on the set of ids alone,
// not on their order.
//
// In compiled charts a state has the name of its words, such as Closed, an event the name EventPushHard, and the
// method for an event PushHard. With a name for the type of machines, such as Door, all names of the package
// begin with it: DoorClosed. Names are given in document order. One that is taken, is a keyword or no Go identifier
// has State, Event, Send or another word for its kind before it, and if that is taken too, it is spelled out. The
// attribute go of the namespace [scxml.Extensions], at a state or <data>, chooses what is used in place of the words
// of its id: a Go identifier with a capital letter first, which nothing else is called. The attribute type of a <data>, which
// is boolean, number or string, is a promise: see the guide compiled.md.
//
// Each file is written by itself, so names of two charts in one package can be the same: the state lockOpen of a Door
// and the state open of a DoorLock are both DoorLockOpen, and two files of constants both have the StateOpen of their
// charts. "scxmlrun gen go" fails if a name at the level of the package is also declared by another file that it
// writes, or has written, into the folder for the same package. Another type, or the attribute go, gives other names.
package compile
