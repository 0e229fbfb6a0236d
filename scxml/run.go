package scxml

import (
	"context"
	"time"
)

// Run drives the session in real time until it ends, and starts it if necessary. It returns nil
// when the session has reached a top-level final state, [ErrStopped] after Stop, and a
// [*LimitError] when the session exceeds a limit. When ctx is done, Run interrupts a running
// script, ends the session for good (its onexit handlers run) and returns the cause of ctx: a
// [Session.Snapshot] taken afterwards is of a session that has ended. To continue it in another
// process, call [Session.Suspend] inside Call first. It makes its
// caller the owner until it returns, and fails with [ErrDriven] if there is one: meanwhile, other
// goroutines use [Session.Send] and [Session.Call].
func (s *Session) Run(ctx context.Context) error {
	if s == nil {
		return errNil("Run")
	}
	t := s.tree
	if err := t.enter(true); err != nil {
		return err
	}
	defer t.leave()
	wake := s.Wake()
	var err error
	if s.status == Unstarted {
		err = s.begin(ctx)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for err == nil && s.status == Running {
		var more bool
		if more, err = t.stepOn(ctx, t.clock()); more || err != nil || s.status != Running {
			continue
		}
		var due <-chan time.Time
		if at, ok := t.nextDue(); ok {
			timer.Reset(at.Sub(t.clock()))
			due = timer.C
		}
		select {
		case <-wake:
		case <-due:
		case <-ctx.Done():
		}
	}
	if err != nil && s.status == Running && ctx.Err() != nil {
		s.abort(ctx, err)
		t.tellStep(s, err)
	}
	if err == nil && s.status == Stopped {
		return s.err
	}
	return err
}
