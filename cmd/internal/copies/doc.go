// Package copies lets operators try things on copies of the sessions of a fleet: send an event and take
// the step back, let timers come, and see what happens if a failed step is retried or skipped. Package
// inspect shows the copies.
//
//	server := rest.New(rest.Config{Fleet: f, Tokens: tokens, Page: console.New(), Copies: copies.New(copies.Config{Fleet: f})})
//
// # What a copy is
//
// A copy begins with the session as it is stored. It lives in memory, as a session of its own with a
// history ([history.History.Attach]), and its time advances only on command. It costs the fleet nothing
// but the read at its beginning, and nothing of it reaches the fleet:
//
//   - What it sends to others goes nowhere, and counts as accepted. What the outbox of the session has is
//     not delivered again.
//   - It starts no services and cancels none. What a service would answer is sent by hand, as an event
//     such as done.invoke.ID.
//   - Nothing is stored, and nothing is written to the log of the chart.
//
// Functions that [scxml.WithFunc] and [scxml.WithAction] give to a chart are called, as [fleet.Fleet.View]
// calls them too. If they have effects, give copies others: [Config].Options. A session that a copy newly
// invokes has no address in _ioprocessors.
//
// A session that waits for an operator is copied more than once: as it is, as if it were retried or
// resumed, and as if what has failed were skipped. Any other copy is brought to the present: it has
// processed its inbox and its timers.
//
// # Bounds
//
// There are at most [Config].Copies copies, and a further one takes the place of the one that was not used
// for longest. A copy is closed when nobody has used it for [Config].Idle, or a minute after its last page
// was closed. Its steps have the limits of the chart and [Config].StepTime, and its past those of
// [Config].Bytes: what is older is forgotten.
//
// Sessions in other processes, such as those of charts that users upload to scxmlrun serve, are not copied:
// the error is [fleet.ErrNoCopy].
package copies
