// Package scxml runs SCXML documents, the W3C's language for statecharts
// (Recommendation of 2015-09-01, "the REC").
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"time"
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
//	  <state id="open">
//	    <onentry><send event="shut" delay="5s"/></onentry>
//	    <transition event="shut" target="locked"/>
//	  </state>
//	</scxml>`
//
//	func main() {
//		chart, err := scxml.Parse("door.scxml", []byte(doorChart))
//		if err != nil {
//			log.Fatal(err) // every problem of the document, one per line
//		}
//		session, err := scxml.New(chart, scxml.WithData("code", 4711), scxml.WithAccept(chart.IsUserEvent))
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx := context.Background()
//		if err := session.Start(ctx); err != nil {
//			log.Fatal(err)
//		}
//		for _, code := range []int{1234, 4711} {
//			effect, err := session.Do(ctx, time.Now(), scxml.Event{Name: "enter", Data: code})
//			if err != nil {
//				log.Fatal(err)
//			}
//			for _, m := range effect.Sent {
//				data, err := scxml.EventData[struct{ Failures int }](m.Event)
//				fmt.Println(m.Event.Name, data.Failures, err)
//			}
//			fmt.Println(effect.Handled, session.Configuration())
//		}
//	}
//
// A [Chart] is a compiled document. It is immutable: any number of sessions and goroutines may
// share it. A [Session] is one run of a chart. It belongs to one goroutine at a time, its owner.
// An [Event] is what a session receives and sends.
//
// # Loading a chart
//
// [Load] reads a document from a file system, with the scripts and data files beside it; [Parse]
// compiles one that is in memory. [MustLoad] and [MustParse] are for documents that are embedded in
// the program. A bad document is refused with a [*DocumentError] that lists all problems with their
// places.
//
// [Lint] also reports what is legal but probably a mistake, such as a state that is never entered.
// [Explain] explains the code of a diagnostic.
//
// # Running a session
//
// [New] makes a session, [Session.Start] enters its initial states. The interpreter has no
// goroutine, lock, timer or clock. It works only when its owner calls it, and the owner tells it
// the time. A host that has the time and an event calls
//
//	effect, err := session.Do(ctx, now, event)
//
// [Session.Do] first does what is due by now, each thing at its own time, and then gives the event
// to the session. The [Effect] tells what happened. The other drivers are made for less common
// needs:
//
//   - [Session.Handle] is Do for an event that must not be ignored, and [Session.DoInto] uses the
//     memory of an earlier Effect.
//   - [Session.Run] runs the session in real time until it ends. The host sends events from other
//     goroutines.
//   - [Session.Advance] does everything up to a given time, and waits for services. This is a
//     virtual clock.
//   - [Session.Step] does one piece of work. When [Session.Wake] reports work from another
//     goroutine, the host calls it.
//
// [Session.Send], [Session.Stop] and [Session.Call] may be called from any goroutine at any time, and
// so may the few methods that say it, such as [Session.Status] and [Session.Wake]. All others belong
// to the owner: the goroutine that is inside Start, Do, Step, Advance or Run, or inside a callback of
// theirs. Between two calls, ownership may pass to another goroutine.
// A host of many sessions learns from [WithWake] which of them have work; package pool drives them.
//
// # Sending events
//
// The owner gives an event to Do, other goroutines to [Session.Send]. Do not call Send and then
// Advance with the present time for an event that happens now: it is handled at the old time,
// before the delayed events that are due by now.
//
// A host can send any event, the answer of a service or a timer of the chart among them. For events
// that users name, give [WithAccept] a rule; [Chart.IsUserEvent] is one.
//
// # Looking at a session
//
// The Effect of Do is for the caller of Do. [Session.OnState], [Session.OnSend] and
// [Session.OnEvent] report one session to anyone else, [WithTrace] reports everything that a
// session and those that it invokes do, and [WithLogger] what the chart logs.
//
//   - What it is: [Session.Chart], [Session.ID], [Session.InvokeID], [Session.Sessions],
//     [Session.Seed].
//   - How it is: [Session.Status], [Session.Err], [Session.Now], [Session.Configuration],
//     [Session.In], [Session.Eval], and at its end [Session.FinalState] and [Session.DoneData].
//   - What would happen: [Session.Enabled] lists the events that a user can send; [Session.Try]
//     says what an event would do, and why it would do nothing.
//
// # Functions and data
//
// [WithFunc] gives a chart a Go function, [WithInvoker] a service for its <invoke>,
// [WithIOProcessor] a way for its <send>, [WithAction] an element of its own. [WithHost] is the
// value that they belong to. New refuses a chart that uses one of these that no option gives;
// [WithMissing] allows it.
//
// Data is copied when it enters or leaves a session, see [datamodel.Value]. [WithData], Do and Send
// accept any Go data; [EventData] and [Data] convert it back.
//
// # Time
//
// The time of a session is what its driver says. When [Session.NextDue] has come, call Do without
// an event. [Session.Cancel] cancels delayed events. [WithClock] sets the clock that Start and Run
// read. A session with a virtual clock and [WithSeed] is repeatable in every detail.
//
// # Saving and restoring
//
// [Session.Snapshot] returns the state of a session and of the sessions it has invoked as JSON.
// [Restore] continues from it, in another process too. It enters no state again and loses no queued
// or delayed event. Use [Session.Suspend] to move a session that runs services or has addresses.
// SNAPSHOT.md in this directory describes the format, and package ecmascript says which data can be
// saved. Package fleet keeps sessions in a store, so that they survive a crash. Without a snapshot,
// a state and data are enough to begin in, see [WithConfiguration].
//
// A host that stores each snapshot before anything is done for the chart uses [WithOutbox]: what
// the chart sends and which services it invokes is in the snapshot until the host has reported what
// came of it with [ServerView.Report].
//
// Treat a snapshot as code: it contains the documents that sessions have computed and invoked.
// Restore only snapshots that you trust, or sign and check them with [WithSnapshotKey].
//
// # Inspecting
//
// Package record makes values of what a session does, history goes back in it, debug stops it,
// inspect shows it in a browser, why explains what did not happen, and explore visits all states of
// a chart. They use views of a session, which cost nothing to make: [ForSearch] for searches of
// states, [ForServer] for hosts that keep sessions and do their work outside, [ForTools] for
// debuggers and displays, [ForReplay] for replays of what was recorded.
//
// Names that are easily confused:
//
//	Session.Send        any goroutine    an event of a user, if WithAccept allows it
//	ServerView.Deliver  any goroutine    an event from elsewhere: not asked of WithAccept
//	ReplayView.Arrive   replays          an event that had come from outside, as it was
//	ServerView.Report   the owner        what has come of a Task of WithOutbox
//	ReplayView.Fail     replays          the error that something outside had answered
//
//	Session.Stop        any goroutine    ends the session: its onexit handlers run
//	Session.Suspend     the owner        saves it to continue elsewhere, and ends it here: no handler runs
//	ServerView.Abandon  the owner        as Suspend, for a session that is saved already
//
// # Errors
//
// Each kind of error is reported in one way:
//
//   - A bad document is refused with a [*DocumentError].
//   - A failing expression or send of a chart becomes an event inside the session (error.execution,
//     error.communication). The Effect of Do, a [Trace] and a logger have it as an
//     [*ExecutionError] with the element, the position and the script stack.
//   - Misuse, cancellation and exceeded limits are Go errors. They work with errors.Is and
//     errors.As.
//
// # Limits and safety
//
// [Limits] bound what a chart may use, except for two things: the memory of scripts, and the time
// of a single built-in function of the script engine. [WithLimits] sets them; [Strict] has those
// for untrusted charts. A chart cannot read files or open connections unless the host allows it
// with [WithLoader], [WithIOProcessor] or [WithInvoker]. Run untrusted charts in a child process,
// with package isolate. SECURITY.md in the root of the module says what is promised in process, and
// what in such a child.
//
// # Guides
//
// The folder guides of this package has longer texts with programs. Its README.md says for whom
// each is; begin with embedding.md.
//
// # Reading the source
//
//	interpret.go                        the main loop of the REC's Appendix D
//	select.go, microstep.go, entry.go   the rest of Appendix D; fast.go has its most frequent cases,
//	                                    plan.go keeps what it has found with the chart
//	content.go, send.go, invoke.go      executable content and <invoke>
//	chart.go, compile.go, rows.go       the tables that the algorithm uses
//	do.go, try.go, accept.go            one event and its effect; what it would do; whether it may
//	drive.go, turns.go, timers.go       which session of a tree works next
//	outbox.go, service.go, processor.go work outside of the session tree, handed out or in process
//	snapshot*.go, restore*.go, sign.go  saving sessions; configuration.go begins one in given states
//	state.go, codec*.go, sees.go        states in place, for searches
//	views.go, inside.go                 views of a session; what tools see in it
//	internal/doc, lint, explain         reading documents, checking them, explaining diagnostics
//
// RATIONALE.md in the root of the module explains the decisions.
package scxml
