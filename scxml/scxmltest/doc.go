// Package scxmltest helps to test charts: with sessions on a virtual clock, scenarios, traces that
// can be read and compared, and coverage.
//
// # Sessions
//
// [Start] starts a session that is bound to a test. Its methods Do and Advance return what happened;
// what goes wrong fails the test:
//
//	func TestDoorCloses(t *testing.T) {
//		chart, err := scxml.Load(os.DirFS("."), "door.scxml")
//		if err != nil {
//			t.Fatal(err)
//		}
//		door := scxmltest.Start(t, chart)
//		if effect := door.Do("push"); !effect.Handled {
//			t.Error("the door is stuck")
//		}
//		door.Advance(5 * time.Second)
//		if !door.In("closed") {
//			t.Error("the door stays open")
//		}
//	}
//
// The log of a failed test ends with the last lines of the trace, and with the lines of the document
// that the session passed through:
//
//	event push
//	exit closed
//	transition closed -> open         door.scxml:2:23: <state id="closed"><transition event="push" …
//
// # Scenarios
//
// A scenario is a text file with a chart, its events and the expected trace:
//
//	A door that closes by itself.
//
//	-- chart.scxml --
//	<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
//	  <state id="closed"><transition event="push" target="open"/></state>
//	  <state id="open">
//	    <onentry><send event="close" delay="5s"/></onentry>
//	    <transition event="close" target="closed"/>
//	  </state>
//	</scxml>
//	-- events --
//	push
//	advance 5s
//	-- trace --
//	enter closed
//	stable closed
//	event push
//	exit closed
//	transition closed -> open
//	enter open
//	send close in 5s
//	stable open
//	due close
//	event close
//	exit open
//	transition open -> closed
//	enter closed
//	stable closed
//
// A part with a name that is neither one of those described here nor has a dot is an error, as is the same
// part twice. [Replay] describes the lines of events. The chart can load other files from the same text. In place
// of chart.scxml, the file chart names a chart outside, relative to the folder of the scenario:
//
//	-- chart --
//	../door.scxml
//
// The scenario then has no other files than those that its checks read.
//
// The file outside says what surrounds the session, a line for each:
//
//	session ID       a [scxml.Router] reaches "#_scxml_ID"; the trace has a line "outside routed"
//	processor TYPE   messages of this type are handed out, see [scxml.WithOutbox]
//	service TYPE     services of this type are handed out; "*" is all types
//	sessions         messages to other sessions are handed out
//	refuse TARGET    a message to be handed out is refused if it has this target
//
// The trace then has a line "outside task" for each [scxml.Task], and lines of events report its
// outcome, see [Replay].
//
// The file snapshot has the session in which the scenario begins, see [scxml.Session.Snapshot]. The
// file check has more that is expected, a line for each. With it the trace may be missing, and then
// does not count:
//
//	never EXPR       an expression of the chart's data model is not true whenever the chart rests
//	always EXPR      it is
//	reach STATE      a state is active at some time
//	property FILE    a property chart, a file in the scenario, does not reach a final state, see
//	                 Observers of [explore.Options]
//	leads-to A => B  after the expression A is true, B is true before the end
//	data NAME JSON   a data item has this value at the end
//	no error         no error event is raised
//	no limit         no limit is exceeded, and the chart comes to rest
//	no deadlock      at the end, some event changes something; data.json has the data that events
//	                 carry, see [explore.ParseData]
//
// So a scenario that fails can say why in one line. "scxmlrun explore --write" makes such scenarios of
// what it finds, and "scxmlrun gen scenarios" a suite that covers a chart.
//
// [RunFiles] runs all scenarios of a folder as subtests. You need not write the trace by hand:
// go test . -scxmltest.update writes the actual traces into the files. Read them before you commit.
//
// # Names
//
// [CheckEvent] and [CheckData] compare Go data with what the code of a chart reads: a field By is
// undefined for a chart that reads _event.data.by.
//
// # Coverage
//
// [Cover] tells which states of a chart were never entered, which transitions were never taken, and
// which conditions were never true or never false. A package turns it on with
//
//	func TestMain(m *testing.M) { os.Exit(scxmltest.Cover(m)) }
//
// and then accepts two flags:
//
//	go test . -scxmltest.covermin=90          print the coverage, and fail below 90 %
//	go test . -scxmltest.cover=cover.html     add it to a file, here a page of the documents
//
// The printed coverage and the minimum are those of the tests of one package. The file is the sum of
// all test runs since it was created: remove it first for a fresh one. Other packages do not know the
// flags, so that for all of them at once, the file is named in the environment, with its full path:
//
//	SCXMLTEST_COVER=$PWD/cover.html go test -count=1 ./...
//
// Without a DIR, scxmlrun test --cover=cover.html --cover-min=90 prints such a file and judges it.
//
// Sessions that a test makes without this package count with the option [WithCover]. Documents and
// what is counted are described in package cover.
package scxmltest
