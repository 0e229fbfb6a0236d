// Package scxml runs SCXML documents, the W3C's language for statecharts
// (Recommendation of 2015-09-01, "the REC").
//
// A [Chart] is a compiled document. It is immutable; any number of sessions
// and goroutines may share it. A [Session] is one run of it, and belongs to
// one goroutine at a time, its owner. An [Event] is what goes in and comes
// out.
//
//	chart, err := scxml.Load(os.DirFS("charts"), "door.scxml")
//	door, err := scxml.New(chart, scxml.WithData("code", 4711))
//	door.OnState("open", func(active bool) { … })
//	door.OnSend("alarm", func(ev scxml.Event) { … })
//	err = door.Run(ctx) // until it ends; door.Send(scxml.Event{Name: "push"}) from anywhere
//
// # Driving a session
//
// The interpreter has no goroutine, lock, timer or clock inside: it does
// something only when its owner tells it to, and what time it is it learns
// from its owner. There are three drivers around it:
//
//   - [Session.Step] does one piece of work; with [Session.NextDue] a host
//     builds it into an event loop of its own;
//   - [Session.Advance] does everything up to a given time, delayed events in
//     order, each at its own time: a virtual clock;
//   - [Session.Run] drives the session in real time until it ends.
//
// [Session.Send], [Session.Stop] and [Session.Call] may be called from any
// goroutine at any time. All other methods are the owner's: whoever is inside
// Start, Step, Advance or Run, or in a callback of theirs; between two calls of
// Step, whoever calls it next.
//
// # What goes wrong
//
// There are three roads, and they never mix. A document that is no legal chart
// is refused with a [*DocumentError] that has all problems, each with its
// place. What a chart's own expressions and sends do wrong becomes an error
// event inside the session (error.execution, error.communication), which a
// [Trace] and a logger see as an [*ExecutionError] with element, position and
// script stack. Misuse, cancellation and limits are Go errors.
//
// [Lint] also finds what is legal but hardly meant, such as states that are
// never entered, and [Explain] says at length what the code of a diagnostic means.
//
// # Data
//
// Data crosses the border of a session as a copy in neutral form, see
// [datamodel.Value]; [WithData] and Send take any Go data, and [EventData]
// gives it back. With a virtual clock and [WithSeed] a session is repeatable in
// every detail.
//
// # Saving a session
//
// [Session.Snapshot] returns all that a session and those that it has invoked
// are, as JSON, between any two macrosteps, and [Restore] goes on from it in
// another process, on another day: no state is entered again, no queued or
// delayed event is lost. [Session.Suspend] does this for a session with services or
// addresses, which it lets go of. SNAPSHOT.md beside this package has the format, and
// package ecmascript says which data can be saved.
//
// Whoever writes a snapshot writes code, because it carries the documents that
// sessions have computed and invoked: it is trusted input, unless
// [WithSnapshotKey] signs and checks it.
//
// # Strangers' charts
//
// A chart cannot read files or open connections unless the host gives it the
// means ([WithLoader], [WithIOProcessor], [WithInvoker]), and what it may use
// is bounded by [Limits]. What the limits do not see: the memory that scripts
// use, and a single call of a built-in function of the script engine, such as a
// regular expression that backtracks, which runs to its end. Scripts of strangers
// belong into a process of their own, whose memory the system bounds.
//
// # Reading the source
//
// interpret.go has the main loop; select.go and microstep.go have the rest of
// the REC's Appendix D, and fast.go what most steps of it come down to;
// content.go and send.go the executable content. chart.go, compile.go and
// rows.go make the tables that they run on. drive.go and turns.go say which
// session of a tree does something next; snapshot.go, sign.go, suspend.go and restore.go save sessions. internal/doc reads documents, internal/lint looks at them
// closely, and internal/explain says more about what both report. RATIONALE.md at
// the root of the module says why things are as they are.
package scxml
