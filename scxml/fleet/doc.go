// Package fleet keeps sessions in a store between two events, so that they outlive processes and
// machines.
//
//	store, err := bolt.Open("data") // or fleet.NewMemory()
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer store.Close()
//	chart, err := scxml.Load(os.DirFS("."), "order.scxml")
//	if err != nil {
//		log.Fatal(err)
//	}
//	f, err := fleet.New(store, fleet.Config{}, fleet.Define("order", chart))
//	if err != nil {
//		log.Fatal(err)
//	}
//	go f.Run(ctx) // timers, inboxes, messages, services
//
//	err = f.Create(ctx, "order-1", fleet.CreateOptions{Data: map[string]any{"total": 12}})
//	result, err := f.Do(ctx, "order-1", scxml.Event{Name: "pay"}, fleet.ID(request))
//	receipt, err := f.Send(ctx, "order-1", scxml.Event{Name: "ship"})
//	state, err := f.Get(ctx, "order-1")
//
// A session has a key, which is its _sessionid. [Fleet.Do] returns when an event was processed and
// the result is stored, [Fleet.Send] when the event is stored and will be processed by [Fleet.Run].
// What has been acknowledged survives any crash of the process and, with a store that syncs, a power
// failure.
//
// # Guarantees
//
// The page scxml/guides/guarantees.md of this module says what is promised, what is not, and how it is
// tested. The parts of it that a caller takes part in:
//
//   - Repeat a call of which you do not know whether it succeeded with the same [ID], or number your
//     events with [From]: a repeated event counts once, and gets the same answer.
//   - Give receivers [Delivery].ID, and services [TaskID]: both are the same at each attempt.
//   - When a step has failed three times its session is suspended, and waits for [Fleet.Retry],
//     [Fleet.Skip], [Fleet.Stop] or [Fleet.Delete].
//
// # How it works
//
// A session is one record of a [Store]: snapshot, inbox, positions, ids and marks that tell
// duplicates, the time of the next timer, and through the snapshot the outbox. Every change, of any
// kind, replaces the record by compare and swap on its revision. Nothing else protects it: no lock
// across processes, no lease, no transaction over two records. A process that works with an old
// version of a session loses the swap, reads again, and repeats its work.
//
//	accept    swap the record for one with the event in its inbox
//	step      restore the session, process the head of the inbox, swap the record for one with the
//	          new snapshot, without the event, and with the messages that it sent in the outbox
//	relay     swap the record of the receiver for one with the message in its inbox and its number as
//	          the mark of the sender; then report to the sender, which removes it from its outbox
//	deliver   call the processor after the step is stored; then report
//
// Sessions that were used lately stay in memory, and changes of different sessions that come at the
// same time may be stored together, which is up to the store. Both are for speed only.
//
// # Several hosts
//
// Where several processes can use the store, each has a fleet with a name of its own, [Config].Host. Any
// host answers any call. Each works for its share of the sessions: it processes their inboxes and
// timers, passes on their messages, delivers, and runs their services. The hosts find each other
// through small files in the store. One that comes or ends is noticed within a few seconds, one that
// dies or stands still within ten; the others then take over its sessions, and run their services
// again. Accepting events never waits for this.
//
// The shares are for speed. Two hosts that work for one session race for its swaps, which one of them
// loses each time, so the guarantees hold whatever hosts believe of each other. A message to a
// processor may be delivered once more than without them.
//
// Hosts do not compare clocks, but the clock of the host that sets a timer says when it is due, and that
// of the host that works for the session when that time has come. Keep them together, by NTP.
//
// Two versions of a program can run at a time, as in a rolling upgrade: a session gets a host that knows
// its version of its chart. At the others, calls that need the chart fail with [*ChartError], unless
// [Config].Learn finds it.
//
// # Charts
//
// A chart runs unchanged, with these rules:
//
//   - A step may be repeated if its result could not be stored. Functions of [scxml.WithFunc] and
//     [scxml.WithAction] should therefore have no effect outside; processors and services are for that.
//   - A session must be serializable, see [scxml.Session.Snapshot]. A step after which it is not, or
//     which exceeds a limit, fails and has not happened.
//   - A session stays with the version of the chart that it began with. Define old versions as long as
//     they have sessions, or move the sessions with [Fleet.Migrate].
//   - Events from outside must satisfy the chart's rule, see [Define]. Messages of other sessions of
//     the fleet, and what processors and services report, need not.
//   - Who writes to the store can run scripts: snapshots are code.
//
// # Concurrency
//
// All methods of a [Fleet] may be called from any goroutine. Calls for one session take turns; a call
// that waits for its turn ends when its context does. A context that ends interrupts the scripts of a
// step, which then has not happened, but not the store, whose answer is always awaited. Processors,
// services and functions are called from goroutines of Run or of the caller, for different sessions
// at once. After Run and Close have returned, no goroutine of the fleet is left. The package works in
// a bubble of testing/synctest, with time.Now as Config.Now.
package fleet
