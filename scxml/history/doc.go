// Package history keeps what a session has done, so that one can go back in it.
//
// A [History] listens to a session. It notes what comes from outside, and now and then takes a
// snapshot. From these it makes a copy of the session as it was at any position:
//
//	opts := []scxml.Option{scxml.WithSeed(1)}
//	h, err := history.New(history.Config{Chart: chart, Options: opts})
//	s, err := scxml.New(chart, append(opts, h.Option())...)
//	… // Start, Do, Step, Advance or Run
//	then, err := h.Seek(ctx, 3)
//
// # Positions
//
// Position 0 is the state after the start, and each step that does something leads to the next one:
// a macrostep of a session of the tree, a delivery of delayed events to the outside, or a stop.
// There are [History.Len] positions, and the last one is the present.
//
// A host can also change a session between two steps, for example with [scxml.Session.Cancel]. No
// trace reports that: see [History.Mark].
//
// # Copies
//
// A copy is a dry session, see [scxml.WithDry]: it starts no service and sends nothing out, and it
// does not know the trace, the logger and the directory of the session. What services and others
// have answered is part of the history, so a copy has the state that the session had. Functions
// given by [scxml.WithFunc] and [scxml.WithAction] are called again: they must return the same and
// have no effect. Otherwise give copies others, see [Config].
//
// A copy continues when it is driven. It does not get the inputs that came later. [History.Branch]
// keeps a history of what it does.
//
// # Cost
//
// A snapshot is taken after five milliseconds of work or 1,000 positions, so that the way from there
// to any position is short. Snapshots are kept as what differs from one of them, and everything is
// compressed. Inputs with three numbers take about 20 bytes for each position, snapshots included,
// if the data do not grow.
//
// A recording that keeps nothing in memory takes no snapshots. It adds about a tenth to the processor
// time of a tap on the Sudoku that ships with the project, and allocates nothing for each step.
//
// If the data of a session cannot be saved ([scxml.ErrNotSerializable]), the way begins at the last
// snapshot that could be taken, or at the start. A macrostep that was interrupted by a limit of time
// may not be repeated in the same way; the position after it has a snapshot of its own.
package history
