// Package behavioral runs behavioral programs: many small b-threads, each of which states one
// requirement, that agree on the next event.
//
// A b-thread is an SCXML session. What the onentry handler of a state says holds while the state is
// active: the events that the b-thread requests, those that it waits for, and those that it blocks.
//
//	<state id="waiting">
//	  <onentry>
//	    <b:request event="move" priority="1"><param name="row" expr="row"/></b:request>
//	    <b:wait event="move"/>
//	    <b:block event="move"><param name="column" expr="3"/></b:block>
//	  </onentry>
//	  <transition event="move" cond="_event.data.row == row" target="done"/>
//	</state>
//
// When all b-threads are at rest, the [Program] selects an event that is requested and that nobody
// blocks, one of the highest priority, and gives it to all b-threads that request it or wait for it. When
// there is none, an event from outside may come. The program ends when nothing is requested.
//
// # Elements
//
// They belong to the namespace https://github.com/scxmlrun/scxmlrun/behavioral, see [Namespace].
//
//   - <request event="…"> requests an event. Its params are the data of the event: strings, numbers,
//     booleans or null. The attribute priority is an expression, an integer; the default is 0.
//   - <wait event="…"> waits for all events whose names match one of the descriptors, and whose data has
//     an equal member for each param. Descriptors that an attribute except has do not match.
//   - <block event="…"> blocks such events.
//   - <hot/> says that the b-thread must not stay in the state for ever.
//   - <prune/> says that nothing of interest follows: a search turns back, and a program ends.
//   - <fail message="expr"/> says that a requirement is violated. It may be anywhere in executable content.
//
// The event of the first three may be computed by eventexpr. A b-thread that reacts to an event with a
// transition without a target keeps the bids of its states.
//
// Time stands still in a b-program, so that a b-thread must not send delayed events. Whatever else a
// session can do a b-thread can do too, if its data can be saved: in particular, [Program.Sent]
// tells the host what b-threads send.
//
// # Checking a program
//
// A search visits all states that a program can come to, whatever is selected:
//
//	report, err := explore.Search(ctx, program.System, explore.Options{
//		Properties: []explore.Property{explore.Never("In('left/eating') && In('right/eating')")},
//	})
//
// [Progress] makes a property of each b-thread that says <hot>.
//
// # How it works
//
// The state of a b-thread is small, and what it does next depends on it and the event alone. So a Program
// remembers for each state of a b-thread that was seen what is requested, waited for and blocked there, as
// sets of numbered events, and where each event leads. Sessions run only for what is new. All b-threads
// of a chart share one session, which is put into the state of one after the other.
package behavioral
