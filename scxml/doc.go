// Package scxml runs SCXML documents, the W3C's language for statecharts
// (Recommendation of 2015-09-01, "the REC").
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/scxmlrun/scxmlrun/scxml"
//	)
//
//	const doorChart = `
//	<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
//	  <datamodel><data id="code"/><data id="failures" expr="0"/></datamodel>
//	  <state id="locked">
//	    <transition event="enter" cond="_event.data === code" target="open"/>
//	    <transition event="enter">
//	      <assign location="failures" expr="failures + 1"/>
//	      <send event="alarm"><param name="failures" expr="failures"/></send>
//	    </transition>
//	  </state>
//	  <state id="open"><transition event="push" target="passed"/></state>
//	  <final id="passed"/>
//	</scxml>`
//
//	func main() {
//		chart, err := scxml.Parse("door.scxml", []byte(doorChart))
//		if err != nil {
//			log.Fatal(err) // every problem of the document, one per line
//		}
//		session, err := scxml.New(chart, scxml.WithData("code", 4711))
//		if err != nil {
//			log.Fatal(err)
//		}
//		session.OnState("open", func(active bool) { fmt.Println("open:", active) })
//		session.OnSend("alarm", func(ev scxml.Event) {
//			data, _ := scxml.EventData[struct{ Failures int }](ev)
//			fmt.Println("failures:", data.Failures)
//		})
//		session.Send(scxml.Event{Name: "enter", Data: 1234}) // from any goroutine
//		session.Send(scxml.Event{Name: "enter", Data: 4711})
//		session.Send(scxml.Event{Name: "push"})
//		if err := session.Run(context.Background()); err != nil { // until it ends
//			log.Fatal(err)
//		}
//	}
//
// A [Chart] is a compiled document. It is immutable: any number of sessions and goroutines may
// share it. A [Session] is one run of a chart. It belongs to one goroutine at a time, its owner.
// An [Event] is what a session receives and sends.
//
// # Driving a session
//
// The interpreter has no goroutine, lock, timer or clock. It works only when its owner calls it,
// and the owner tells it the time. There are three ways to drive it:
//
//   - [Session.Run] runs the session in real time until it ends.
//   - [Session.Step] does one piece of work. Together with [Session.NextDue] and [Session.Wake]
//     it fits into the host's own event loop.
//   - [Session.Advance] does everything up to a given time and delivers each delayed event at
//     its own time. This is a virtual clock.
//
// [Session.Send], [Session.Stop] and [Session.Call] may be called from any goroutine at any time.
// All other methods belong to the owner: the goroutine that is inside Start, Step, Advance or Run,
// or inside a callback of theirs. Between two calls of Step, ownership may pass to another
// goroutine.
//
// # Errors
//
// Each kind of error is reported in one way:
//
//   - A bad document is refused with a [*DocumentError] that lists all problems with their places.
//   - A failing expression or send of a chart becomes an event inside the session
//     (error.execution, error.communication). A [Trace] and a logger receive it as an
//     [*ExecutionError] with the element, the position and the script stack.
//   - Misuse, cancellation and exceeded limits are Go errors. They work with errors.Is and
//     errors.As.
//
// [Lint] also reports what is legal but probably a mistake, such as a state that is never entered.
// [Explain] explains the code of a diagnostic.
//
// # Data
//
// Data is copied when it enters or leaves a session, see [datamodel.Value]. [WithData] and Send
// accept any Go data; [EventData] converts it back. A session with a virtual clock and [WithSeed]
// is repeatable in every detail.
//
// # Saving a session
//
// [Session.Snapshot] returns the state of a session and of the sessions it has invoked as JSON.
// [Restore] continues from it, in another process too. It enters no state again and loses no
// queued or delayed event. Use [Session.Suspend] to move a session that runs services or has
// addresses. SNAPSHOT.md in this directory describes the format, and package ecmascript says
// which data can be saved.
//
// Treat a snapshot as code: it contains the documents that sessions have computed and invoked.
// Restore only snapshots that you trust, or sign and check them with [WithSnapshotKey].
//
// # Untrusted charts
//
// A chart cannot read files or open connections unless the host allows it with [WithLoader],
// [WithIOProcessor] or [WithInvoker]. [Limits] bound what a chart may use, except for two things:
// the memory of scripts, and the time of a single built-in function of the script engine, such as
// a regular expression that backtracks. Run untrusted charts in a separate process whose memory
// the operating system limits.
//
// # Reading the source
//
//	interpret.go                        the main loop of the REC's Appendix D
//	select.go, microstep.go, entry.go   the rest of Appendix D; fast.go has its most frequent cases
//	content.go, send.go, invoke.go      executable content and <invoke>
//	chart.go, compile.go, rows.go       the tables that the algorithm uses
//	drive.go, turns.go, timers.go       which session of a tree works next
//	snapshot*.go, restore*.go, sign.go  saving sessions
//	internal/doc, lint, explain         reading documents, checking them, explaining diagnostics
//
// RATIONALE.md in the root of the module explains the decisions.
package scxml
