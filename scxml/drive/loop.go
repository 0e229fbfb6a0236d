package drive

import (
	"context"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Stepper is a session tree that [Run] can run: a [Driver], or one in another process.
type Stepper interface {
	// Next does the work that is due and reports what to wait for. open says that there are
	// inputs. The first Next starts the session. An error ends the run.
	Next(ctx context.Context, open bool) (Wait, error)
	// Take calls an input, after the work that is due.
	Take(Input) error
	// Finish stops the session if it is still running. The error is a failure to do so.
	Finish() (End, error)
	// Wake returns a channel that receives when Next has work.
	Wake() <-chan struct{}
}

// A Wait says what to do after Next.
type Wait struct {
	Over  bool      // call Finish
	More  bool      // call Next again without waiting
	Early bool      // with More: take an input before, if there is one
	Until time.Time // call Next at this time at the latest; zero: there is none
}

// Run is the loop of [Driver.Run], for any Stepper.
func Run(ctx context.Context, s Stepper, inputs <-chan Input) (End, error) {
	inputErr, err := run(ctx, s, inputs)
	end, stopErr := s.Finish()
	if err == nil {
		err = stopErr
	}
	end.InputErr = inputErr
	return end, err
}

func run(ctx context.Context, s Stepper, inputs <-chan Input) (inputErr, err error) {
	take := func(input Input, ok bool) {
		if ok {
			if inputErr = s.Take(input); inputErr == nil {
				return
			}
		}
		inputs = nil
	}
	for {
		wait, err := s.Next(ctx, inputs != nil)
		if err != nil || wait.Over {
			return inputErr, err
		}
		if wait.More {
			if wait.Early {
				select {
				case input, ok := <-inputs:
					take(input, ok)
				default:
				}
			}
			continue
		}
		var timer <-chan time.Time
		stopTimer := func() bool { return false }
		if !wait.Until.IsZero() {
			t := time.NewTimer(time.Until(wait.Until))
			timer, stopTimer = t.C, t.Stop
		}
		select {
		case <-ctx.Done():
		case <-timer:
		case <-s.Wake():
		case input, ok := <-inputs:
			take(input, ok)
		}
		stopTimer()
	}
}

// Next is a [Stepper]'s. If the configuration has a Slice it may return before the work is done.
func (d *Driver) Next(ctx context.Context, open bool) (Wait, error) {
	var began time.Time
	if d.cfg.Slice > 0 {
		began = time.Now()
	}
	d.ctx, d.hadInputs, d.busy = ctx, d.hadInputs || open, true
	if !d.cfg.Virtual && !d.deadline.IsZero() {
		d.cancel()
		d.ctx, d.cancel = context.WithDeadline(ctx, d.deadline.Add(Overtime-d.ahead))
	}
	for {
		more, err := d.work(d.ctx)
		if !more && err == nil {
			more = d.woken()
		}
		if d.ctx.Err() != nil && ctx.Err() == nil && d.session.Status() == scxml.Running {
			d.timeOut()
		}
		if d.ctx.Err() != nil || d.cfg.Front.Failed() != nil {
			return Wait{Over: true}, nil
		}
		if err != nil && d.session.Status() == scxml.Running {
			return Wait{}, err
		}
		if d.cfg.Virtual && !d.present.Equal(d.at) { // the time has advanced
			d.macrosteps, d.at = 0, d.present
		}
		if d.macrosteps++; more && d.cfg.Virtual && d.macrosteps > Standstill {
			d.exceed(errStandstill)
			more, err = false, d.stop()
		}
		if more && err == nil {
			if d.macrosteps > Patience {
				return Wait{More: true, Early: true}, nil
			}
			if d.cfg.Slice > 0 && time.Since(began) > d.cfg.Slice {
				return Wait{More: true}, nil
			}
			continue
		}
		d.macrosteps = 0
		// A message on its way to another server prevents rest and keeps a virtual clock from
		// advancing.
		waiting := d.session.Status() == scxml.Running && d.session.Busy()
		if !waiting {
			d.rest()
		}
		if err != nil && !errors.Is(err, scxml.ErrStopped) {
			return Wait{}, err
		}
		if d.session.Status() != scxml.Running {
			return Wait{Over: true}, d.failure
		}
		if len(d.later) > 0 {
			f := d.later[0]
			d.later = d.later[1:]
			d.readClock()
			f(d)
			continue
		}
		if !open && !waiting {
			if d.cfg.Save != nil && d.hadInputs {
				return Wait{Over: true}, nil // the pending work is saved
			}
			pending := d.goOn()
			if !pending && !d.cfg.Reachable {
				return Wait{Over: true}, nil
			}
			if d.cfg.Virtual && pending {
				continue
			}
		}
		return Wait{Until: d.until()}, nil
	}
}

// work starts the session, or does a step.
func (d *Driver) work(ctx context.Context) (more bool, err error) {
	if d.begun {
		return d.step(ctx)
	}
	d.begun, d.at = true, d.present
	d.hello()
	d.answers = append(d.answers, record.Record{}) // for the start
	if d.cfg.Saved == nil {
		err = d.session.Start(ctx)
	}
	return true, err
}

// woken takes the signal of events that were sent since the last call. Most are the session's own,
// which it has processed by now, and would only cause another rest.
func (d *Driver) woken() bool {
	select {
	case <-d.session.Wake():
		return true
	default:
		return false
	}
}

// Wake is a [Stepper]'s.
func (d *Driver) Wake() <-chan struct{} { return d.session.Wake() }

// Take is a [Stepper]'s.
func (d *Driver) Take(input Input) error {
	d.readClock()
	if due, ok := d.session.NextDue(); ok && !due.After(d.target) {
		d.Settle() // what is due comes before an input that arrives now
	}
	return input(d)
}

// readClock reads the real clock. After a gap, Overslept comes first.
func (d *Driver) readClock() {
	if d.cfg.Virtual || d.waking {
		return
	}
	now := time.Now().Add(d.ahead)
	if d.cfg.Overslept != nil && d.isLate(now) {
		d.waking, d.awake = true, now
		// An error has stopped the session, which the loop sees.
		_ = d.cfg.Overslept(d)
		d.Settle()
		d.waking = false
	}
	d.target = now
}

// isLate reports whether a delayed event should have come more than Gap ago.
func (d *Driver) isLate(now time.Time) bool {
	due, ok := d.session.NextDue()
	// Round removes the monotonic clock, which may stand still while the machine is asleep.
	return ok && now.Round(0).Sub(later(due, d.awake).Round(0)) > Gap
}

// rest reports that nothing is left to do now.
func (d *Driver) rest() {
	if !d.cfg.Kinds.Has(record.Rest) && (len(d.answers) == 0 || !d.cfg.Kinds.Has(record.Idle)) {
		return
	}
	r := record.AtRest(d.session, d.start)
	for _, answer := range d.answers {
		r.Kind, r.ID, r.Line = record.Idle, answer.ID, answer.Line
		d.recorder.Tell(d.session, r)
	}
	d.answers = d.answers[:0]
	r.Kind, r.ID, r.Line = record.Rest, nil, 0
	d.recorder.Tell(d.session, r)
}

// step does one piece of the work that is due, at most one macrostep, and reports whether there is
// more. It stops the session when its time is up.
func (d *Driver) step(ctx context.Context) (more bool, err error) {
	if d.session.Status() != scxml.Running {
		return false, nil
	}
	d.readClock()
	until := d.target
	if !d.deadline.IsZero() && until.After(d.deadline) {
		until = d.deadline
	}
	if !d.busy || !d.cfg.Virtual {
		d.present = later(d.present, until)
		if due, ok := d.session.NextDue(); ok && due.Before(until) && d.cfg.Virtual {
			d.present = due
		}
	}
	d.written = 0
	d.busy, err = d.session.Step(ctx, d.present)
	var limit *scxml.LimitError
	if errors.As(err, &limit) && d.session.Status() == scxml.Running {
		err = nil // a limit has stopped an invoked session; the others continue
	}
	if err != nil || d.session.Status() != scxml.Running {
		return false, err
	}
	overdue := !d.deadline.IsZero() && !d.present.Before(d.deadline)
	due, ok := d.session.NextDue()
	switch {
	case d.busy && (d.cfg.Virtual || !overdue):
		return true, nil
	case d.present.Before(until), ok && !due.After(until):
		return true, nil
	case overdue:
		d.timeOut()
		return false, d.stop()
	}
	return false, nil
}

// catchUp sets the session to the present time of the real clock, from which a snapshot counts
// delays.
func (d *Driver) catchUp() {
	if !d.cfg.Virtual {
		d.present = later(d.present, d.target)
		// An error has stopped the session, which the loop sees.
		_, _ = d.session.Step(d.ctx, d.present)
	}
}

// timeOut notes that the session is stopped because Timeout has passed.
func (d *Driver) timeOut() {
	d.end.TimedOut, d.recorder.Timeout = true, true
	d.present = later(d.present, d.deadline)
}

// goOn reports whether a session at rest has something to wait for after the end of input. It
// advances a virtual clock.
func (d *Driver) goOn() bool {
	due, ok := d.session.NextDue()
	if !ok {
		return false
	}
	if d.cfg.Virtual {
		if d.deadline.IsZero() && d.cfg.Timeout == nil {
			d.deadline = d.present.Add(DefaultTimeout)
		}
		d.target = due
		if !d.deadline.IsZero() && due.After(d.deadline) {
			d.target = d.deadline
		}
	}
	return true
}

// until returns when to step again on the real clock, or zero for never.
func (d *Driver) until() time.Time {
	next, ok := d.session.NextDue()
	if !d.deadline.IsZero() && (!ok || d.deadline.Before(next)) {
		next, ok = d.deadline, true
	}
	if d.cfg.Virtual || !ok {
		return time.Time{}
	}
	return next.Add(-d.ahead)
}

// stop ends the session, with its onexit handlers, if it is still running.
func (d *Driver) stop() error {
	if d.session.Status() != scxml.Running {
		return nil
	}
	d.save()
	ctx, cancel := context.WithTimeout(context.Background(), Grace)
	defer cancel()
	d.askToStop()
	_, err := d.session.Step(ctx, d.present)
	if errors.Is(err, scxml.ErrStopped) {
		return nil
	}
	return err
}

// askToStop makes the next step stop the session.
func (d *Driver) askToStop() {
	d.end.Configuration = d.session.Configuration()
	d.recorder.Tell(d.session, record.Record{Kind: record.Stop})
	d.session.Stop()
}

// save calls Save once: before the session is stopped, or after it has ended by itself.
func (d *Driver) save() {
	if d.cfg.Save == nil || d.saved || d.session.Status() == scxml.Unstarted {
		return
	}
	d.saved = true
	snapshot, err := d.session.Snapshot()
	if err == nil {
		err = d.cfg.Save(snapshot)
	}
	d.end.SaveErr = err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
