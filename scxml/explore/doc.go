// Package explore checks a chart by visiting every state that it can reach. It runs the chart itself, with
// its scripts and data, in the engine: nothing is translated.
//
//	chart, err := scxml.Load(os.DirFS("."), "gate.scxml")
//	…
//	report, err := explore.Run(ctx, chart, explore.Options{
//		Properties: []explore.Property{explore.Never("In('open') && In('red')")},
//	})
//	for _, v := range report.Violations {
//		fmt.Println(v)
//	}
//
// The search is breadth first, so the inputs that lead to a violation are as few as possible. All
// cores work on it. The report is the same on any number of them.
//
// # What may come
//
// In each state come the events that [scxml.Session.Enabled] lists and that only a user can send, see
// [scxml.Chart.IsUserEvent]: not those that the chart raises itself, and not done.* and error.*. An
// event without an entry in [Options].Data comes without data. The descriptor "*" stands for an event
// called [Other].
//
// # Time
//
// Events come at any time: before, between and after the delayed events that are pending. A state has no
// times but a zone: bounds of the times that remain until the delayed events are due, and of their
// differences. So the search is exact, and finite if the delays and the data are bounded. A path has the
// earliest times at which its inputs can come. Options.Time chooses something coarser, and Options.Times
// measures how long it takes until a state is active.
//
// An event that comes when a delayed one is due comes after it. Delayed events that are due at the same
// time come together, so the first cannot cancel the second; each set of them is an input of its own. When
// more than 4096 of them are possible in a state, or with the timing [Zero], the verdict is [Inconclusive] and
// the bound "delays".
//
// A state in which more than 1000 delayed events are pending, or fewer with little MaxMemory, ends the search
// with the bound "timers".
//
// The clock of the sessions stands still.
//
// # What is a state
//
// Two states are the same if their keys are, see [scxml.SearchView.AppendKey]. The search keeps 128 bits
// of each, and the whole state only until it is visited. Two different states with the same 128 bits
// would be taken for one; for a billion states the chance is one in 10^20.
//
// [Options].View leaves data out of the key that make no difference, such as counters and logs, and makes
// few states of many, or finitely many of infinitely many. Events that change nothing else change nothing
// then, also for deadlocks.
//
// # What is found
//
// A deadlock is a state that is not final, in which no delayed event is pending and no event changes
// anything. An exceeded limit and a chart that never comes to rest are violations too, besides the
// properties. [Violation] has the inputs that lead there, and the states that are active then.
//
// A [Response] says what must come at last. A run on which it does not come is a violation: the inputs that
// lead to a cycle, and those of the cycle. [LeadsTo] makes one of the text "A => B".
//
// A property chart says what must not happen over time: it hears what the session does, and its final states
// are violations, see [Options].Observers.
//
// [Options].Reach asks for a shortest way to states of the chart; one that is never active is a
// violation once everything was visited. With [Options].From the search begins in a saved session:
// together they tell which events lead a session out of where it is stuck. [Options].Unused lists the
// states that were never entered and the transitions that were never taken.
//
// # Large state spaces
//
// [Options] has bounds, with which a search covers the states near the start. What code does within one state
// counts, too. If a bound was reached, Report.Grows says what became ever more on the way to the last state:
// a data item or the delayed events of one name, see [Growth]. With Bits it keeps less of
// each state, and misses some. A [Simulation] makes random
// runs instead, which come far from the start but cover nothing in full.
//
// # Two charts
//
// [Compare] runs the sessions of two charts side by side, and finds the fewest inputs after which what they
// send, log or raise as errors, the states that both have, or their ends differ. If there are none, no
// user can tell the charts apart. Data counts only as far as it has an effect. Package mutate uses it.
//
// # Other systems
//
// [Search] visits anything that behaves like a session: a [System] is several sessions that act as one, or
// a session with an observer. [Options].Graph keeps the states and the inputs between them as a [Graph].
//
// # What cannot be explored
//
// A session with Event I/O Processors, a router or services has state elsewhere and cannot be
// explored, and neither can data that cannot be saved.
//
// # What a verdict means
//
// [Holds] means: whatever events come, with whatever names, data and times, and whatever random numbers,
// ids and answers there are, within Options.Data and Options.Names. The search finds out what code looks
// at while it runs, not by reading it, see [scxml.SearchView.Watch]. If code looks at something of which
// the search has tried only a part, such as a random number or the clock, the verdict is [Searched], and
// Report.LeftOut says why and where. Options.Assume accepts reasons. Objects and functions
// of the language are not a part of the state: a chart that changes them is refused with a [LibraryError].
package explore
