// Package tui is the front end that shows any chart on the terminal: the chart with its active states,
// the events that it takes, what they would do, data, timers and a log, and all that has happened.
//
// The session runs in a [drive.Driver]. A [history.History] listens to it, and everything on the screen
// is read from copies that the history makes, so nothing that is shown can disturb the session, and the
// past looks like the present. An event that is sent in the past begins a branch, which is such a copy
// that goes its own way: it starts no service and sends nothing out.
//
// A [line] is the session or a branch, a [look] is what there is to see at one position of it, and a
// layout says where on the screen. All of these belong to the goroutine of the driver, on which also
// keys and the mouse are handled.
package tui
