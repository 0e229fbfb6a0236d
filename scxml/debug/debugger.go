package debug

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A Debugger runs a session tree. All methods may be called from any goroutine. One of those that
// move the session runs at a time: the others, and those that look at it, then fail with
// [ErrRunning], except for Pause, Send, SetBreakpoints, Breakpoints, Lines and Close.
type Debugger struct {
	cfg     Config
	chart   *scxml.Chart
	history *history.History
	points  points

	ctx    context.Context // until Close
	close  context.CancelFunc
	paused atomic.Bool
	wake   chan struct{} // of a debugger that waits for events: it is paused
	inPast atomic.Bool

	mu     sync.Mutex
	rests  *sync.Cond // moving is false
	moving bool
	closed bool

	// The following belong to the goroutine that moves the session, and otherwise to the holder of mu.

	live  *run // the session itself; nil with a recording
	here  *run // what is shown: live, or a copy
	last  Stop
	to    time.Time // until which time passes, or has passed if the clock is the real one
	since time.Time // when the session began to run; zero while it does not
}

// New returns a debugger whose session has not started yet. The session is driven by the debugger
// alone. The error is that of [scxml.New].
func New(cfg Config) (*Debugger, error) {
	d := &Debugger{cfg: cfg, chart: cfg.Chart, history: cfg.Recording, to: cfg.Start, wake: make(chan struct{}, 1)}
	d.rests = sync.NewCond(&d.mu)
	d.points.debugger = d
	d.ctx, d.close = context.WithCancel(context.Background())
	if d.to.IsZero() {
		d.to = time.Now()
	}
	if err := d.open(); err != nil {
		d.close()
		return nil, fmt.Errorf("debug: %w", err)
	}
	d.last = d.stopAt(Entry)
	return d, nil
}

// open makes the session, or opens the recording.
func (d *Debugger) open() (err error) {
	if d.history != nil {
		d.chart = d.history.Chart()
		if d.history.Len() == 0 {
			return errors.New("the recording is empty")
		}
		d.points.know(d.chart)
		d.here, err = d.copyAt(d.ctx, d.first())
		return err
	}
	if d.chart == nil {
		return errors.New("there is no chart")
	}
	d.points.know(d.chart)
	d.history, err = history.New(history.Config{Chart: d.chart, Options: d.cfg.Options, Copies: d.cfg.Copies, Bytes: d.cfg.Bytes})
	if err != nil {
		return err
	}
	d.live, err = d.newSession()
	d.here = d.live
	return err
}

// Close ends the session where it is. Nothing of the chart runs any more. It interrupts what moves the
// session.
func (d *Debugger) Close() error {
	d.close()
	d.Pause()
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.moving {
		d.rests.Wait()
	}
	if d.closed {
		return ErrClosed
	}
	d.closed = true
	d.show(d.live)
	if d.live == nil {
		return nil
	}
	d.live.abandon()
	return scxml.ForServer(d.live.session).Abandon()
}

// show makes a run the one that is shown.
func (d *Debugger) show(r *run) {
	if d.here != d.live && d.here != r {
		d.here.abandon()
	}
	d.here = r
	d.inPast.Store(r != d.live)
}

// now returns the time of the session. It stands still while the session does not run.
func (d *Debugger) now() time.Time {
	if d.cfg.Real && !d.since.IsZero() {
		return d.to.Add(time.Since(d.since))
	}
	return d.to
}

// History returns the past.
func (d *Debugger) History() *history.History { return d.history }

// Chart returns the chart of the root session.
func (d *Debugger) Chart() *scxml.Chart { return d.chart }

// Pause stops the session where it is, as soon as it is between two elements. It has no effect if the session
// does not move; to stop it however early that is, cancel the context with which it is moved.
func (d *Debugger) Pause() {
	d.paused.Store(true)
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Stop returns where the session has stopped.
func (d *Debugger) Stop() (stop Stop, err error) {
	err = d.look(func() error { stop = d.last; return nil })
	return stop, err
}

// look calls f while the session does not move.
func (d *Debugger) look(f func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.free(); err != nil {
		return err
	}
	return d.here.inside(f)
}

// free returns an error if the session cannot be looked at. The caller holds mu.
func (d *Debugger) free() error {
	switch {
	case d.closed || d.ctx.Err() != nil:
		return ErrClosed
	case d.moving:
		return ErrRunning
	}
	return nil
}

// first returns the first macrostep that is known.
func (d *Debugger) first() int {
	if n := d.history.First(); n > 0 {
		return n + 1
	}
	return 0 // copyAt begins later if the history does
}

// Send puts an event into the external queue of a session; "" is the root. It is taken when the
// session moves. The error is [ErrPast], [ErrNoPresent], or that of [scxml.Session.Send].
func (d *Debugger) Send(session string, ev scxml.Event) error {
	if d.live == nil {
		return ErrNoPresent
	}
	if d.inPast.Load() {
		return ErrPast
	}
	if session == "" {
		return d.live.session.Send(ev)
	}
	return d.look(func() error {
		s, err := d.named(session)
		if err != nil {
			return err
		}
		return s.Send(ev)
	})
}
