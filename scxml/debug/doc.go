// Package debug runs a session under a debugger: with breakpoints, in steps, and backwards.
//
//	d, err := debug.New(debug.Config{Chart: chart})
//	defer d.Close()
//	d.SetBreakpoints("editor", []debug.Breakpoint{{Kind: debug.AtLine, File: "door.scxml", Line: 12}})
//	d.Send("", scxml.Event{Name: "enter", Data: 4711})
//	stop, err := d.Continue(ctx) // stop.Reason is debug.Hit
//	frames, err := d.Stack(stop.Session)
//	v, err := d.Eval(ctx, stop.Session, "failures")
//	stop, err = d.StepBack(ctx)
//
// A debugger has no goroutine. What moves the session ([Debugger.Continue], [Debugger.StepIn] and
// so on) returns when it stops again; run it on a goroutine of your own to call [Debugger.Pause]
// meanwhile. There is no wire here: cmd/scxmlrun has one face for terminals and one for editors.
//
// # Places
//
// The session can stop where something is about to happen or has just happened: before an element
// of executable content, when transitions are taken, when a state is entered or was exited. Between
// two macrosteps it is at rest. A [Place] has the number of the macrostep, and counts what has
// happened in it. Scripts are not divided: the debugger stops before and after them.
//
// The limit MacrostepTime also passes while the session waits at a place inside of a macrostep. Set it to
// -1 with [scxml.WithLimits], or the session ends after 30 seconds there.
//
// # The past
//
// The debugger keeps a [history.History]. To step back it makes a copy of the session, lets it come
// to the place, and shows that. From there one can step in both directions. What comes from outside
// is part of the history, so the past is repeated exactly; when the copy comes to the present, the
// session continues. Copies send nothing and start no service, but call the functions of
// [scxml.WithFunc] again.
//
// The past can be looked at and not be changed: Send, Set and Advance fail with [ErrPast].
//
// # Expressions
//
// [Debugger.Eval] changes nothing: an expression that could have an effect is evaluated in a copy.
// [Debugger.Set] changes the session, and the change is noted in the history like an event from
// outside. Conditions of breakpoints and log messages are evaluated in the session itself, and must
// not have an effect.
package debug
