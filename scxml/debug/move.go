package debug

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A move brings the session to another place.
type move struct {
	*Debugger
	ctx   context.Context
	wants func(Kind) bool // where a step ends; nil: nowhere
	until *Place          // where it ends at the latest
	quiet bool            // breakpoints do not count
	back  bool            // look for the last hit of a breakpoint before until
	watch watched
	found *Stop // why it has ended, or with back, what was found
}

// move runs f, which moves the session.
func (d *Debugger) move(ctx context.Context, f func(*move) (Stop, error)) (Stop, error) {
	d.mu.Lock()
	if err := d.free(); err != nil {
		d.mu.Unlock()
		return Stop{}, err
	}
	d.moving = true
	d.mu.Unlock()
	d.paused.Store(false)
	select {
	case <-d.wake:
	default:
	}
	told := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() { d.Pause(); close(told) })
	defer func() {
		if !unwatch() {
			<-told // not in the next movement
		}
		d.mu.Lock()
		d.moving = false
		d.rests.Broadcast()
		d.mu.Unlock()
	}()
	stop, err := f(&move{Debugger: d, ctx: ctx})
	switch {
	case d.ctx.Err() != nil:
		return Stop{}, ErrClosed
	case err != nil && (ctx.Err() != nil || errors.Is(err, errPaused)):
		stop = d.stopAt(Paused)
	case err != nil:
		return Stop{}, err
	}
	d.last = stop
	return stop, nil
}

// Continue runs the session until a breakpoint is hit, until it is idle, or ends.
func (d *Debugger) Continue(ctx context.Context) (Stop, error) { return d.forward(ctx, nil) }

// StepIn runs the session to the next element, microstep, state that is entered, or rest.
func (d *Debugger) StepIn(ctx context.Context) (Stop, error) { return d.forward(ctx, byElement) }

// Next runs the session to the next microstep, or to rest.
func (d *Debugger) Next(ctx context.Context) (Stop, error) { return d.forward(ctx, byMicrostep) }

// StepOut runs the session to the end of the macrostep.
func (d *Debugger) StepOut(ctx context.Context) (Stop, error) { return d.forward(ctx, byMacrostep) }

// StepBackIn goes back to the last place at which StepIn stops.
func (d *Debugger) StepBackIn(ctx context.Context) (Stop, error) { return d.backward(ctx, byElement) }

// StepBack goes back to the last place at which Next stops.
func (d *Debugger) StepBack(ctx context.Context) (Stop, error) { return d.backward(ctx, byMicrostep) }

// RestartFrame goes back to the beginning of the macrostep, or of the one before if the session is at
// rest.
func (d *Debugger) RestartFrame(ctx context.Context) (Stop, error) {
	return d.backward(ctx, byMacrostep)
}

func byElement(k Kind) bool {
	return k == AtRest || k == AtMicrostep || k == AtEnter || k == AtElement
}

func byMicrostep(k Kind) bool { return k == AtRest || k == AtMicrostep }

func byMacrostep(k Kind) bool { return k == AtRest }

// Advance is Continue after time has passed: delayed events that are due by then are delivered, each at
// its time. If the session stops before that, the next movement continues with the time. The clock must not
// be the real one.
func (d *Debugger) Advance(ctx context.Context, by time.Duration) (Stop, error) {
	switch {
	case d.live == nil:
		return Stop{}, ErrNoPresent
	case d.inPast.Load():
		return Stop{}, ErrPast
	case d.cfg.Real:
		return Stop{}, errors.New("debug: real time passes by itself")
	case by < 0:
		return Stop{}, fmt.Errorf("debug: time cannot advance by %v", by)
	}
	return d.move(ctx, func(m *move) (Stop, error) {
		d.to = d.to.Add(by)
		return m.run()
	})
}

// Goto goes to a place: of the past, or the present one.
func (d *Debugger) Goto(ctx context.Context, p Place) (Stop, error) {
	return d.move(ctx, func(m *move) (Stop, error) {
		if d.live != nil && p.Compare(d.live.place) > 0 {
			return Stop{}, fmt.Errorf("debug: there is no place %v yet: the present is %v", p, d.live.place)
		}
		if p.Macrostep < 0 || p.Macrostep > d.history.Len() {
			return Stop{}, fmt.Errorf("debug: there is no place %v", p)
		}
		if err := m.seek(p); err != nil {
			return Stop{}, err
		}
		return d.stopAt(Arrived), nil
	})
}

// Present returns the last place that the session has come to. The error is [ErrRunning] or [ErrClosed].
func (d *Debugger) Present() (p Place, err error) {
	err = d.look(func() error {
		if p = (Place{d.history.Len(), 0}); d.live != nil {
			p = d.live.place
		}
		return nil
	})
	return p, err
}

func (d *Debugger) forward(ctx context.Context, wants func(Kind) bool) (Stop, error) {
	return d.move(ctx, func(m *move) (Stop, error) {
		m.wants = wants
		return m.run()
	})
}

// run moves the session forwards.
func (m *move) run() (Stop, error) {
	d := m.Debugger
	_ = d.here.inside(func() error { m.watch.beginAt(d, d.here); return nil })
	for {
		r := d.here
		r.stops = m.stops
		d.since = time.Now()
		_, ok := r.next()
		d.to, d.since = d.now(), time.Time{}
		switch {
		case r.err != nil:
			return Stop{}, r.err
		case !ok:
			return d.stopAt(Ended), nil
		case m.found != nil:
			return *m.found, nil
		case r.player != nil: // it has come to the present
			d.show(d.live)
			if m.stops(d.live) {
				return *m.found, nil
			}
		case r.idle && d.cfg.Real && d.waits():
			if !m.await() {
				return d.stopAt(Paused), nil
			}
		default:
			return d.stopAt(Idle), nil
		}
	}
}

// waits reports whether something may still happen while the session is idle.
func (d *Debugger) waits() bool {
	_, due := d.live.session.NextDue()
	return due || !d.cfg.Unattended
}

// await waits until the session has something to do, and reports whether it has.
func (m *move) await() bool {
	d := m.Debugger
	var due <-chan time.Time
	if at, ok := d.live.session.NextDue(); ok {
		t := time.NewTimer(at.Sub(d.to))
		defer t.Stop()
		due = t.C
	}
	d.since = time.Now()
	defer func() { d.to, d.since = d.now(), time.Time{} }()
	for !d.paused.Load() {
		select {
		case <-d.wake:
		case <-due:
			return true
		case <-d.live.session.Wake():
			return true
		}
	}
	return false
}

// stops reports whether a run stops where it is. It is called at each place.
func (m *move) stops(r *run) bool {
	d := m.Debugger
	switch {
	case m.until != nil && r.place.Compare(*m.until) >= 0:
		return true
	case d.paused.Load():
		if m.until == nil {
			stop := r.stopAt(Paused)
			m.found = &stop
		}
		return true
	case m.quiet:
		return false
	}
	if !m.back && r.player != nil && d.live != nil && r.place == d.live.place {
		return true
	}
	if hits, text := m.hits(r); len(hits) > 0 {
		stop := r.stopAt(Hit)
		stop.Hits = hits
		if text != "" {
			stop.Text = text
		}
		m.found = &stop
		return !m.back
	}
	if m.wants != nil && m.wants(r.kind) {
		stop := r.stopAt(Step)
		m.found = &stop
		return true
	}
	return false
}

// seek shows a place.
func (m *move) seek(p Place) error {
	d := m.Debugger
	if d.live != nil && p == d.live.place {
		d.show(d.live)
		return nil
	}
	r, err := m.goTo(p)
	if err == nil {
		d.show(r)
	}
	return err
}

// goTo returns a copy at a place. A place that is before what is known of the past stands for the
// first one that is. The copy comes from the macrostep before, and so knows what happened in it.
func (m *move) goTo(p Place) (*run, error) {
	r, err := m.copyAt(m.ctx, p.Macrostep-1)
	if err != nil || r.place.Compare(p) >= 0 {
		return r, err
	}
	way := move{Debugger: m.Debugger, ctx: m.ctx, until: &p, quiet: true}
	if err = way.to(r); err != nil {
		r.abandon()
		return nil, err
	}
	return r, nil
}

// to moves a copy to the place until.
func (m *move) to(r *run) error {
	r.stops = m.stops
	_, ok := r.next()
	switch {
	case r.place == *m.until:
		return nil
	case r.err != nil:
		return r.err
	case !ok || r.place.Compare(*m.until) > 0:
		return fmt.Errorf("debug: there is no place %v: the macrostep ends before", m.until)
	}
	return errPaused
}

// errPaused says that the way to a place was interrupted.
var errPaused = errors.New("debug: interrupted")

// backward goes back to the last place at which a step ends.
func (d *Debugger) backward(ctx context.Context, wants func(Kind) bool) (Stop, error) {
	return d.move(ctx, func(m *move) (Stop, error) {
		p, kinds := d.here.place, d.here.kinds
		if p.At == 0 {
			p.Macrostep--
			kinds = d.here.before
		} else {
			kinds = kinds[:p.At-1]
		}
		for p.At = len(kinds); p.At > 0 && !wants(kinds[p.At-1]); {
			p.At--
		}
		return m.backTo(p, Step)
	})
}

// backTo goes back to a place, or says that there is none.
func (m *move) backTo(p Place, reason Reason) (Stop, error) {
	d := m.Debugger
	if p.Macrostep < 0 {
		return d.stopAt(Beginning), nil
	}
	r, err := m.goTo(p)
	if err != nil {
		return Stop{}, err
	}
	if r.place.Compare(d.here.place) >= 0 {
		r.abandon()
		return d.stopAt(Beginning), nil
	}
	d.show(r)
	return d.stopAt(reason), nil
}

// ReverseContinue goes back to the last hit of a breakpoint, or to the beginning.
func (d *Debugger) ReverseContinue(ctx context.Context) (Stop, error) {
	return d.move(ctx, func(m *move) (Stop, error) {
		m.back = true
		end := d.here.place
		for part := 16; ; part = min(4*part, mostBack) {
			r, err := m.copyAt(ctx, end.Macrostep-part)
			if err != nil {
				return Stop{}, err
			}
			begin := r.place
			if begin.Compare(end) < 0 {
				m.until = &end
				m.watch.beginAt(d, r)
				err = m.to(r)
			}
			r.abandon()
			switch {
			case err != nil:
				return Stop{}, err
			case m.found != nil:
				stop := *m.found
				if err := m.seek(stop.Place); err != nil {
					return Stop{}, err
				}
				return stop, nil
			case begin.Macrostep <= d.first() || begin.Macrostep > end.Macrostep-part:
				return m.backTo(begin, Beginning)
			}
			end = begin
		}
	})
}

// mostBack is how many macrosteps are repeated at a time to look for the last hit of a breakpoint.
const mostBack = 1000
