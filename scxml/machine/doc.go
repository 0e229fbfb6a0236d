// Package machine is what compiled charts import: "scxmlrun gen go" writes a Go file for a chart, and
// what all of these have in common is here. A program uses the type that is generated; of this package
// it needs [Options], [Hooks], [Message] and [Error], if any.
//
//	//go:generate scxmlrun gen go turnstile.scxml -o turnstile_gen.go
//
//	m := New(Hooks{Opened: func(d Opened) { fmt.Println("opened, coins:", d.Coins) }})
//	err := m.Start(time.Now())
//	m.Coin()                        // an event is a method
//	fmt.Println(m.In(Unlocked))     // a state is a constant
//	due, waiting := m.NextDue()     // the program has the clock
//	m.Advance(due)
//
// A compiled chart does what package scxml's Session does with the same document (REC 2015-09-01 and its
// Appendix D), which random charts are compared for. What differs: the limits are those of [Limits] alone; texts
// of error messages can be others; a typed machine, and one without data, refuses data of events that its
// expressions cannot hold; and an event that the chart sends to itself, and that nothing in it can notice, is not
// queued while nobody watches. It has no goroutines, no reflection and no clock:
// its time is what [Core.Start] and [Core.Advance] are given. A machine and all that it invokes belong to
// one goroutine at a time; different machines share nothing that changes.
//
// [Snapshot] and [Restore] save and continue machines in the format of that Session, so that each continues the other.
//
// # How it works
//
// States are numbered in document order, with <scxml> as 0, so that the states below s are those from
// s+1 to the last one below it. A machine has a register for each part of the chart in which at most one
// state without children in that part is active: one for <scxml>, and one for each child of a
// <parallel>. A register has the number of the innermost active state of its part, or 0. So whether a
// state is active is one comparison with a range of numbers.
//
// The generated code has conditions and executable content as functions, and what is known of the structure
// in a [Chart]. The files step.go and entry.go are Appendix
// D over these. Where a chart allows it, the generated code takes a transition without them: it runs the
// contents and writes the registers.
package machine
