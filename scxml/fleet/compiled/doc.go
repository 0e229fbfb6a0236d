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
// restored from what the machine has saved: values of expressions, what an event would do, reports of services and about
// messages that were not delivered, events that are dropped, a start with data or in given states. Fleet.Get asks for
// values: the first time after each event it costs a snapshot, and a session that is restored. So the chart is needed
// beside the code, and the program has the script engine. A session also continues interpreted from an event with data
// that a typed machine cannot hold, such as a date, until it is next restored without.
//
// Services, messages to Event I/O Processors of the fleet, and messages to its sessions are handed out as interpreted
// sessions do it, with the same ids. A service that runs when the form changes is run again by the next host, as after
// the end of any process. fleet.New refuses a chart that uses what the fleet does not have, unless scxml.WithMissing is
// among the options, one that uses actions or functions of the host, and a fleet in which charts (invoke type "scxml")
// are services. Hooks of a machine run in steps that may be repeated, and must not have an effect outside.
//
// The limits are those of scxml.WithLimits that package machine knows, see [machine.Limits], and Outbox.
package compiled
