// Package compiled runs charts that were compiled to Go in a fleet. [Define] is used like fleet.Define:
//
//	f, err := fleet.New(store, fleet.Config{},
//		compiled.Define("turnstile", chart, func() machine.Node { return turnstile.New(turnstile.Hooks{}).Node() }))
//
// Sessions are stored in the format of package scxml, and have the hash of their document, so both forms continue
// each other's: a program that changes from fleet.Define to Define, or back, takes its sessions along, with their timers
// and inboxes. Two hosts may use different forms at a time. All tools that read a stored session, to inspect it,
// to debug it or to replay it, work as they do for an interpreted one.
//
// Events, timers and starts run in the machine. What is seldom asked for is done by a session of package scxml that is
// restored from what the machine has saved: values of expressions, what an event would do, reports about messages,
// events that are dropped, a start with data or in given states. Fleet.Get asks for values: the first time after each
// event it costs a snapshot, and a session that is restored. So the chart is needed beside the code, and the program
// has the script engine. A session also continues interpreted from an event with data that a typed machine cannot hold,
// such as a date, until it is next restored without.
//
// A machine has neither Event I/O Processors nor services in a fleet: Define refuses a chart that names one, and one
// whose type is computed raises error.execution. Messages to other sessions of the fleet are passed on. Hooks of a
// machine run in steps that may be repeated, and must not have an effect outside.
//
// The limits are those of scxml.WithLimits that package machine knows, see [machine.Limits], and Outbox.
package compiled
