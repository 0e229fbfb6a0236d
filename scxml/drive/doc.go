// Package drive runs a session. It is the loop around [scxml.Session] that all front ends share: it
// keeps the time of the wall clock or of a virtual one, does what is due first, notices when the
// session is at rest or waits for work outside, and ends it.
//
// A front end does not hold a [scxml.Session]. It receives records, see package record, and gives
// commands:
//
//	d, err := drive.New(drive.Config{
//		Chart: chart,
//		Kinds: record.Kinds(record.Send, record.Done),
//		Front: front, // whose Tell gets the records
//	})
//	inputs := make(chan drive.Input)
//	go func() {
//		defer close(inputs)
//		for line := range wire.Lines(os.Stdin) {
//			inputs <- func(s drive.Session) error { s.Do(line.Command()); return nil }
//		}
//	}()
//	end, err := d.Run(ctx, inputs)
//
// A front end accesses the session only in an [Input], a function that the driver calls on its own
// goroutine once the work caused by earlier inputs is done. It gets the interface [Session], which
// is small enough for sessions in another process, in a store, or in a recording.
//
// # Time
//
// On the real clock the driver sleeps until something is due. A virtual clock advances only on
// command; after the end of input it jumps to the next delayed event. It does not advance while
// work outside is in progress, see [scxml.Session.Busy].
//
// A program can be stopped, and a machine can sleep. Delayed events are then late, and what a chart
// measures includes the gap. With Overslept in the [Config] a front end acts before that.
package drive
