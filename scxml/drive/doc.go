// Package drive runs a session: the one loop around [scxml.Session] that all
// front ends share. It knows what time it is, by the wall clock or a virtual one,
// what is due first, when the session is at rest, when it waits for foreign work,
// and when it has to end.
//
// A front end holds no [scxml.Session]. It reads records, see package record, and
// gives commands:
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
// Everything that a front end does with the session it does in an [Input], a
// function that the driver calls on its own goroutine when the work that earlier
// inputs have caused is done. What it may use there is the interface [Session],
// small enough for sessions elsewhere: in another process, in a store, or in a
// recording.
//
// # Time
//
// On the real clock the driver sleeps until something is due. A virtual clock
// stands still until a command moves it on; once there are no more inputs it
// jumps from one delayed event to the next. It also stands still while foreign
// work is under way, see [scxml.Session.Busy].
package drive
