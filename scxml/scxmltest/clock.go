package scxmltest

import (
	"context"
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
// now.
func (c *Clock) Advance(ctx context.Context, s *scxml.Session, d time.Duration) error {
	c.since += d
	return s.Advance(ctx, c.Now())
}
