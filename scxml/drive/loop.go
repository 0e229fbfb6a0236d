package drive

import (
	"context"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// loop runs the session until it has ended, must be stopped, or has nothing more to do. Its error
// is a failure of the session or its environment.
func (d *Driver) loop(ctx context.Context, inputs <-chan Input) error {
	d.answers = append(d.answers, record.Record{}) // for the start
	macrosteps, at := 0, d.present
	var more, err = true, error(nil)
	if d.cfg.Saved == nil {
		err = d.session.Start(ctx)
	}
	d.busy = true
	for ; ; more, err = d.step(ctx) {
		if ctx.Err() != nil || d.cfg.Front.Failed() != nil {
			return nil
		}
		if err != nil && d.session.Status() == scxml.Running {
			return err
		}
		if d.cfg.Virtual && !d.present.Equal(at) { // the time has advanced
			macrosteps, at = 0, d.present
		}
		if macrosteps++; more && d.cfg.Virtual && macrosteps > Standstill {
			d.exceed(errStandstill)
			more, err = false, d.stop()
		}
		if more && err == nil {
			if macrosteps > Patience {
				select {
				case input, ok := <-inputs:
					inputs = d.take(inputs, input, ok)
				default:
				}
			}
			continue
		}
		macrosteps = 0
		// A message on its way to another server prevents rest and keeps a virtual clock from
		// advancing.
		waiting := d.session.Status() == scxml.Running && d.session.Busy()
		if !waiting {
			d.rest()
		}
		if err != nil && !errors.Is(err, scxml.ErrStopped) {
			return err
		}
		if d.session.Status() != scxml.Running {
			return d.failure
		}
		if inputs == nil && !waiting {
			if d.cfg.Save != nil && d.hadInputs {
				return nil // the pending work is saved
			}
			pending := d.goOn()
			if !pending && !d.cfg.Reachable {
				return nil
			}
			if d.cfg.Virtual && pending {
				continue
			}
		}
		timer, stopTimer := d.timer()
		select {
		case <-ctx.Done():
		case <-timer:
		case <-d.session.Wake():
			d.busy = true
		case input, ok := <-inputs:
			inputs = d.take(inputs, input, ok)
		}
		stopTimer()
	}
}

// take runs an input.
func (d *Driver) take(inputs <-chan Input, input Input, ok bool) <-chan Input {
	if !ok {
		return nil
	}
	d.readClock()
	if due, ok := d.session.NextDue(); ok && !due.After(d.target) {
		d.Settle() // what is due comes before an input that arrives now
	}
	if d.end.InputErr = input(d); d.end.InputErr != nil {
		return nil
	}
	return inputs
}

// readClock reads the real clock.
func (d *Driver) readClock() {
	if !d.cfg.Virtual {
		d.target = time.Now()
	}
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
		d.end.TimedOut, d.recorder.Timeout = true, true
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

// timer returns a channel that receives when to step again, on the real clock.
func (d *Driver) timer() (<-chan time.Time, func() bool) {
	next, ok := d.session.NextDue()
	if !d.deadline.IsZero() && (!ok || d.deadline.Before(next)) {
		next, ok = d.deadline, true
	}
	if d.cfg.Virtual || !ok {
		return nil, func() bool { return false }
	}
	t := time.NewTimer(time.Until(next))
	return t.C, t.Stop
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
