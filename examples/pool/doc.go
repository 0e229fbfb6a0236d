// Pool drives 100,000 sessions with as many goroutines as there are processors.
//
//	go run ./examples/pool
//
// starts a session for each of 100,000 sensors, lets each report 20 times, and waits
// until all are missed. Package pool drives them: see [pool.Pool]. The sensors are in
// main.go and pool.scxml.
//
// # What it costs
//
// On two cores of a virtual machine, 100,000 sessions with data, a Trace and a pending
// delayed event each take 3.1 KB, and the pool processes 770,000 events per second,
// each of which cancels a delayed event and sends another. When 100,000 delayed events
// are due at about the same time, the last is 10 ms late. The queue of a session keeps
// the size of its longest burst: 20 waiting events take 2 KB more.
package main
