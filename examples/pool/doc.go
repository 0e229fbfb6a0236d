// Pool drives 100,000 sessions with as many goroutines as there are processors.
//
//	go run ./examples/pool
//
// starts a session for each of 100,000 sensors, lets each report 20 times, and waits
// until all are missed. The pool is pool.go, and can be copied; the sensors are in
// main.go and pool.scxml.
//
// # How it works
//
// Each session belongs to one worker, a goroutine that drives it. A worker looks only
// at sessions that have something to do. It learns of events from other goroutines
// by [scxml.WithWake], which puts the session into the worker's list, and of delayed
// events by [scxml.Session.NextDue], in a heap with one timer for all. A turn is one
// call of [scxml.Session.Do] without an event.
//
// A session that is at rest is in no list, and costs its memory alone.
//
// A program that ends cancels the context of the pool, and waits for it. The sessions are
// intact then: [scxml.Session.Suspend] saves them for another process.
//
// # What it costs
//
// On two cores of a virtual machine, 100,000 sessions with data, a Trace and a pending
// delayed event each take 3.4 KB, and the pool processes 850,000 events per second,
// each of which cancels a delayed event and sends another. When 100,000 delayed events
// are due at about the same time, the last is 10 ms late. The queue of a session keeps
// the size of its longest burst: 20 waiting events take 2 KB more.
package main
