package fast

import (
	"sync/atomic"
	"time"
)

// A clock times calls of functions of the host. Reading the time twice takes longer than most calls. So
// while many are made, a timer reads it for all of them: a call during which it has not done so was
// short.
type clock struct {
	ticked atomic.Int64 // the time at the last tick, as now returns it; 0 while no timer runs
	used   atomic.Bool  // since the last tick

	calls int   // since counted, without a timer
	since int64 // when counting them began
}

const (
	tickEvery = 5 * time.Millisecond
	manyCalls = 32 // in the time of a tick
)

var start = time.Now()

// now returns the present time, which is not 0.
func now() int64 { return int64(time.Since(start)) | 1 }

// begin returns a time for took.
func (c *clock) begin() int64 {
	if t := c.ticked.Load(); t != 0 {
		if !c.used.Load() {
			c.used.Store(true)
		}
		return t
	}
	t := now()
	if c.calls++; c.calls == manyCalls {
		if t-c.since < int64(tickEvery) {
			c.used.Store(true)
			c.ticked.Store(t)
			time.AfterFunc(tickEvery, c.tick)
		}
		c.calls, c.since = 0, t
	}
	return t
}

// tick runs in a goroutine of the timer. It stops after the last call.
func (c *clock) tick() {
	if !c.used.Swap(false) {
		c.ticked.Store(0)
		return
	}
	c.ticked.Store(now())
	time.AfterFunc(tickEvery, c.tick)
}

// took returns how long ago begin returned t, at least; 0 if that is not long.
func (c *clock) took(t int64) time.Duration {
	if c.ticked.Load() == t {
		return 0
	}
	return max(time.Duration(now()-t)-tickEvery, 0)
}
