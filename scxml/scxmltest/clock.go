package scxmltest

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Epoch is when a new [Clock] starts.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A Clock is a virtual clock: time stands still until Advance. Its Now goes
// into [scxml.WithClock]. The zero Clock stands at [Epoch].
type Clock struct{ since time.Duration }

// Now returns the present.
func (c *Clock) Now() time.Time { return Epoch.Add(c.since) }

// Advance moves time on by d and lets s do what there is to do, delayed events
// in order, each at its own time. With d = 0 it only does what there is to do
// now; a negative d is an error. The other errors are those of
// [scxml.Session.Advance]; s has to have started. Only s hears of the time: for
// another session with the same clock call Advance with d = 0 then.
func (c *Clock) Advance(ctx context.Context, s *scxml.Session, d time.Duration) error {
	if err := c.moveOn(d); err != nil {
		return err
	}
	return s.Advance(ctx, c.Now())
}

func (c *Clock) moveOn(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("scxmltest: the clock cannot go back by %v", -d)
	}
	c.since += d
	return nil
}

// AdvanceRestored is Advance for who wants to know that a session can be saved
// at any time: after each step it takes a snapshot and goes on with the session
// that restore makes of it. It returns the session that is there at the end. A
// session whose own snapshot differs from the one that it was made of is an
// error.
//
// restore calls [scxml.Restore], with the chart and options that s had, and
// registers what the host wants to hear of. Whatever is under way outside of
// the session is waited for first, so that it ends in the session that began it.
func (c *Clock) AdvanceRestored(ctx context.Context, s *scxml.Session, d time.Duration, restore func(snapshot []byte) (*scxml.Session, error)) (*scxml.Session, error) {
	at := c.Now()
	if err := c.moveOn(d); err != nil {
		return s, err
	}
	for {
		more, err := s.Step(ctx, at)
		if err != nil {
			return s, err
		}
		for s.Busy() {
			more = true // what has arrived meanwhile is to be looked at
			select {
			case <-s.Wake():
			case <-ctx.Done():
				return s, context.Cause(ctx)
			}
		}
		if s, err = restored(s, restore); err != nil {
			return s, err
		}
		if more {
			continue
		}
		if s.Status() != scxml.Running || !at.Before(c.Now()) {
			return s, nil
		}
		at = c.Now()
		if due, ok := s.NextDue(); ok && due.Before(at) {
			at = due
		}
	}
}

// restored returns a session that takes the place of s.
func restored(s *scxml.Session, restore func(snapshot []byte) (*scxml.Session, error)) (*scxml.Session, error) {
	snapshot, err := s.Suspend()
	if err != nil {
		return s, err
	}
	r, err := restore(snapshot)
	if err != nil {
		return s, err
	}
	second, err := r.Snapshot()
	if err == nil && !bytes.Equal(snapshot, second) {
		err = fmt.Errorf("scxmltest: the snapshot of the restored session differs\n got: %s\nwant: %s", second, snapshot)
	}
	return r, err
}
