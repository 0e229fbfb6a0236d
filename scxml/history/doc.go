// Package history keeps what a session has done, so that one can go back in it.
//
// A [History] listens to a session. It notes what comes from outside, and now and then takes a
// snapshot. From these it makes a copy of the session as it was at any position:
//
//	opts := []scxml.Option{scxml.WithSeed(1)}
//	h := history.New(history.Config{Chart: chart, Options: opts})
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
// # Copies
//
// A copy is a dry session, see [scxml.WithDry]: it starts no service and sends nothing out, and does
// not answer to the trace, the logger or the directory of the session. What services and others
// have answered is part of the history, so the copy at a position has the same state as the
// session had there. Functions given by [scxml.WithFunc] and [scxml.WithAction] are called again;
// they must return the same and have no effect, or others take their place, see [Config].
//
// A copy continues when it is driven, without the recorded inputs. [History.Branch] keeps a history
// of that too.
//
// # Cost
//
// A snapshot is taken after a few milliseconds of work, so that the way from there to any position
// is short, and each one is compressed. If the data of a session cannot be saved
// ([scxml.ErrNotSerializable]), the way begins at the last snapshot that could be taken, or at the
// start.
package history
