package scxmltest

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Epoch is the start time of a new [Clock].
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A Clock is a virtual clock: its time advances only on command. Pass its Now to [scxml.WithClock].
// The zero Clock starts at [Epoch].
type Clock struct{ since time.Duration }

// Now returns the present time.
func (c *Clock) Now() time.Time { return Epoch.Add(c.since) }

// Advance advances the time by d and lets s do its work, each delayed event at its own time. With d
// = 0 it does only the work that is due now. It fails if d is negative, or with an error of
// [scxml.Session.Advance]; s must have started. Only s learns of the new time: for another session
// with the same clock, call Advance with d = 0 afterwards.
func (c *Clock) Advance(ctx context.Context, s *scxml.Session, d time.Duration) error {
	if err := c.moveOn(d); err != nil {
		return err
	}
	return s.Advance(ctx, c.Now())
}

func (c *Clock) moveOn(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("scxmltest: cannot advance by a negative time: %v", d)
	}
	c.since += d
	return nil
}

// AdvanceRestored is Advance for tests that a session can be saved at any time. After each step it
// takes a snapshot and continues with the session that restore makes from it. It returns the last
// session. It fails if the snapshot of a restored session differs from the one that it was made
// from.
//
// restore calls [scxml.Restore] with the chart and options of s, and registers the host's
// callbacks. AdvanceRestored first waits for work outside the session, so that it ends in the
// session that began it.
func (c *Clock) AdvanceRestored(ctx context.Context, s *scxml.Session, d time.Duration, restore func(snapshot []byte) (*scxml.Session, error)) (*scxml.Session, error) {
	at := c.Now()
	if err := c.moveOn(d); err != nil {
		return s, err
	}
	for {
		wake := s.Wake() // from before the step, so that it tells what arrives from now on
		more, err := s.Step(ctx, at)
		if err != nil {
			return s, err
		}
		for s.Busy() {
			more = true // look at what has arrived meanwhile
			select {
			case <-wake:
			case <-ctx.Done():
				return s, context.Cause(ctx)
			}
		}
		select {
		case <-wake:
			more = true // work outside may have ended after the step
		default:
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

// restored returns a session that replaces s.
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
