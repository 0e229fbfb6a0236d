// Package temporal runs charts as workflows of Temporal (go.temporal.io).
//
//	chart, err := scxml.Load(os.DirFS("."), "order.scxml")
//	c, err := client.Dial(client.Options{})
//	w := worker.New(c, "orders", worker.Options{})
//	temporal.Register(w, "order", chart, temporal.Options{Activities: map[string]temporal.Activity{"payment": pay}})
//	go w.Run(worker.InterruptCh())
//
//	start := client.StartWorkflowOptions{ID: "order-1", TaskQueue: "orders"}
//	run, err := c.ExecuteWorkflow(ctx, start, "order", temporal.Input{Data: map[string]any{"total": 12}})
//	answer, err := temporal.Do(ctx, c, "order-1", temporal.Event{Name: "pay", ID: request})
//	err = run.Get(ctx, &doneData)
//
// A workflow is one session, with the sessions that it has invoked. Its id is the _sessionid. What the
// server keeps is the history of the workflow, from which a worker makes the session again; what comes out
// of the engine depends on nothing else.
//
// # What becomes what
//
//	external event            the signal SignalEvent, or the update UpdateEvent, which has an Answer
//	delayed events            one timer of the workflow, for what is due first
//	<invoke> of a service     an activity named as the type, cancelled with the state
//	<invoke> of a chart       a session inside the workflow, or a child workflow (Options.Children)
//	<send> to a processor     an activity named as the type
//	<send> to #_scxml_ID      a signal to the workflow ID; if there is none, error.communication
//	final state               the result, its donedata; a limit fails the workflow and names the place
//	cancelling the workflow   the session stops: its onexit handlers run, and what they send is delivered
//	present time, seed, ids   the workflow's time and the id of its first run
//
// # Guarantees
//
//   - An event that was accepted (the signal was sent, or the update has answered) is processed once, in
//     the order of the history. An [Event] with an ID, which is among the last that the session remembers,
//     counts once also if its sender repeats it.
//   - A signal with an event that the session does not accept is counted in [State].Refused, with its reason, and
//     logged. An update is rejected. The workflow continues as before. A message of another session, a signal
//     with an origin, needs no acceptance; every client of the namespace can send one.
//   - A delayed event is never early. An event that waits for a worker together with a delayed one that
//     has become due is processed before it.
//   - An activity is run at least once, always under the same [Task].Key, also in a later run of the
//     workflow. Messages to one target are delivered one after the other.
//   - A run that is full continues as a new one, with a snapshot, when no event waits. It waits for
//     activities, but runs services again rather than to exceed 20,000 events (twice Options.History), and
//     does not leave child workflows or signals that are on their way.
//   - A workflow keeps the version of the chart that it began with. With a worker that does not know
//     it a workflow task fails, and is repeated until one does, see Options.Versions. [Migrate] moves sessions to another version.
//
// # Activities
//
// By default a service has a day for each attempt, and a message a minute, and a day in all. Errors are
// tried again without a bound, after 1 s, then twice as long each time, at most 5 minutes. Options.Activity
// changes that for all, and the attribute retry (see [scxml.Extensions]) for one element: but for jitter,
// which Temporal does not have. A service sends heartbeats, from which it learns that it is cancelled. It
// sends events to its session with [Send]; it receives none: <send target="#_ID"> to an activity is
// error.communication. A child workflow receives events, and sends to its parent's id, not to #_parent.
//
// # What a chart must not do
//
// A session is repeated from its history, by any worker, so that it must do the same again:
//
//   - Functions of [scxml.WithFunc] and actions of [scxml.WithAction] return the same for the same
//     arguments, and have no effect. Nothing can check that; the SDK fails a workflow task whose replay
//     differs.
//   - Scripts see the time zone of the worker: give all workers the same one.
//   - A workflow task has a second (the deadlock detector of the SDK) for each macrostep. One that exceeds a
//     limit of time fails the task, which the server repeats, and changes nothing; limits of number end the
//     workflow. Neither ends the worker. Charts of untrusted people need a process of their own.
//   - Data that cannot be saved, see [scxml.Session.Snapshot], keep a workflow from continuing as a new run,
//     and so does a snapshot of more than 1.5 MB: it is a payload, for which a server allows 2 MB by default.
//     A message or the data of a service of more than 2 MB is error.execution or error.communication.
//
// # Concurrency
//
// All functions may be called from any goroutine. Charts are shared by all workflows of a worker.
package temporal
