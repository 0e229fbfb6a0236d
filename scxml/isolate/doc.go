// Package isolate runs sessions in child processes, so that nothing an untrusted chart does can
// harm its host: a script that exhausts the memory, overflows the stack or never returns ends its
// child, and the host gets an error.
//
// A program calls [Child] first in main, and starts itself again for each tenant:
//
//	func main() {
//		isolate.Child() // does not return in a child
//		pool, err := isolate.NewPool(isolate.Config{Spare: 2})
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer pool.Close()
//		spec := isolate.Spec{Name: "door.scxml", Source: source}
//		session, err := pool.New(ctx, spec, scxml.WithData("code", 4711))
//		if err != nil {
//			log.Fatal(err) // the problems of the document, or a child that has died
//		}
//		err = session.Start(ctx)
//		effect, err := session.Do(ctx, time.Now(), scxml.Event{Name: "enter", Data: 1234})
//		var died *isolate.Error
//		if errors.As(err, &died) {
//			log.Print(died.Reason) // memory, deadline, crash, …
//		}
//	}
//
// A [Pool] keeps children ready. A [Tenant] is a child in use; it can have many sessions, which
// share its limits and its fate. A child has one tenant in its life: an untrusted chart may have
// left anything in its memory, so Close kills the child instead of resetting it. A [Session] has the
// methods of [scxml.Session], as far as they can cross the wall. [Tenant.Drive] is the same for front
// ends of package drive, and can record the session, see [Spec]. [Tenant.Work] does something else in
// the child, such as drawing a document.
//
// # What crosses the wall
//
// Only the child parses the document. States and transitions come back as names and places,
// diagnostics and errors as values: errors.Is and errors.As work as in process for [scxml.ErrEnded],
// [*scxml.LimitError], [*scxml.DocumentError] and the like. WithData, WithSeed, WithSessionID,
// WithConfiguration, WithClock, WithLimits, WithTimers, WithAccept, WithFunc, WithInvoker, WithOutbox,
// WithServicePanics and WithLoader work as in process. Functions and files are requests to the host, each with a deadline,
// [Config].HostTime; treat what a function gets as input from the author of the chart. If a function
// or service panics, the chart gets an error, and the host the stack in the cause of [Effect].Errors.
//
// WithAction, WithLanguage, WithTrace, WithLogger, WithIOProcessor, WithRouter, WithWake,
// WithSnapshotKey and WithMigration need the session in the process of the host. [Tenant.New]
// refuses them by name. For the same reason a Session has no OnState, OnSend, OnEvent and Call;
// [Effect] and [Spec].Records tell what they would.
//
// Without WithLimits the limits are those of [scxml.Strict]. They turn most mistakes of a chart into
// error events before the wall is needed.
//
// # When a child dies
//
// The host gets an [*Error] from the request in progress within 100 ms of the child's death, or of
// its deadline (on a machine that has a processor to spare), and from every later request. What a
// session has done since its last snapshot is lost. [Session.Saved] returns that snapshot, which the
// host took, or which [Spec].SnapshotEvery had taken; the host decides whether to continue from it
// with [Pool.Restore]. A snapshot is the child's word, so it stays behind the wall.
//
// # The wall
//
// The wall is the boundary between the process of the host and that of the child: what a child has
// given up, and what its parent checks.
//
// Before it reads anything, a child limits its memory, processor time and stack, and gives up
// writing files, core dumps, and opening any more files or connections. Its environment is empty. It
// has two pipes to its parent, and standard error, of which the parent keeps the first 16 KB. The
// parent ends a child that takes longer for a request than [Config].Deadline, the time of the host
// excluded. On Linux, children take short turns on the processor, and one that works for more than
// about 10 ms at one request gets the lowest priority for the rest of its life. The parent checks and
// bounds everything that a child says, as if an attacker had written it.
//
// Linux limits the memory with RLIMIT_DATA and RLIMIT_AS, Windows with a job object. The tests run on
// Linux; the code for Windows is compiled only. Elsewhere
// [NewPool] fails with [ErrNoLimit], unless [Config].BestEffort is set: then a chart that exhausts
// the memory can harm the machine.
package isolate
