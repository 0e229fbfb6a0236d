package scxml

import (
	"context"
	"slices"
	"time"
)

// This file is how a host drives a session tree: Step and Advance, and Stop and
// Call from outside. Run, in run.go, is a loop around Step.

// Step tells the session the present time and lets it do one piece of work:
// it takes at most one external event of one session of the tree and completes
// its macrostep. more says that there is work left that need not wait; with
// nothing to do Step returns at once.
//
// After a final state Step returns false and nil. It fails with
// [ErrNotStarted], with [ErrStopped] after Stop, with a [*LimitError] that
// has stopped the session, and with the cause of ctx when that is done; in this
// last case the session is intact and the next Step goes on.
func (s *Session) Step(ctx context.Context, now time.Time) (more bool, err error) {
	t := s.tree
	interrupted := ctx.Err() != nil
	t.mu.Lock()
	if t.busy {
		t.mu.Unlock()
		return false, errBusy
	}
	t.busy = true
	next := t.nextWork(now, interrupted)
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		more = more && t.hasWork()
		t.leaveLocked()
		t.mu.Unlock()
	}()
	return t.do(ctx, next)
}

// stepOn is Step for an owner who goes on stepping.
func (t *tree) stepOn(ctx context.Context, now time.Time) (more bool, err error) {
	interrupted := ctx.Err() != nil
	t.mu.Lock()
	next := t.nextWork(now, interrupted)
	t.mu.Unlock()
	if more, err = t.do(ctx, next); more {
		t.mu.Lock()
		more = t.hasWork()
		t.mu.Unlock()
	}
	return more, err
}

// work is what a step is to do. Locking is most of what a small step costs, so
// this is found out under one lock, which Step needs anyway.
type work struct {
	prepare bool     // something may have to come before a turn
	clock   bool     // that time has moved on is to be told
	session *Session // whose turn it is, nil if nobody's
	took    bool     // and it has taken an external event
}

// nextWork says what there is to do now. The caller holds mu.
func (t *tree) nextWork(now time.Time, interrupted bool) (w work) {
	if now.After(t.now) {
		t.now = now
		w.clock = t.trace != nil && t.trace.Clock != nil
	}
	if interrupted || t.asked || t.news || w.clock || t.sessions[0].status != Running || t.isDue() {
		w.prepare = true
	} else {
		w.session, w.took = t.next()
	}
	return w
}

// do does one piece of work. If it returns more, hasWork says whether there is
// some left.
func (t *tree) do(ctx context.Context, w work) (more bool, err error) {
	if w.prepare {
		if w.clock {
			t.tellClock()
		}
		if proceed, more, err := t.prepare(ctx); !proceed {
			return more, err
		}
		t.mu.Lock()
		w.session, w.took = t.next()
		t.mu.Unlock()
	}
	root := t.sessions[0]
	if s := w.session; s != nil {
		if err := s.takeTurn(ctx, w.took); err != nil && (s.status == Running || s == root) {
			if s.status == Running {
				t.turn-- // it was interrupted: the turn continues with the next step
			}
			return root.status == Running, err
		} // an invoked session that was stopped by a limit has told its parent
	}
	return root.status == Running, nil
}

// prepare is what may come before a turn: calls, a stop, and delayed events.
// proceed says that there may be a turn.
func (t *tree) prepare(ctx context.Context) (proceed, more bool, err error) {
	t.settle()
	t.serve(ctx)
	switch root := t.sessions[0]; root.status {
	case Unstarted:
		return false, false, ErrNotStarted
	case Final:
		return false, false, nil
	case Stopped:
		return false, false, root.err
	}
	if ctx.Err() != nil {
		return false, true, context.Cause(ctx)
	}
	t.fire()
	return true, false, nil
}

func (t *tree) tellClock() {
	if tr := t.trace; tr != nil && tr.Clock != nil {
		tr.Clock(t.sessions[0], t.now)
	}
}

// Wake returns a channel that gets a value when something has arrived from
// another goroutine that Step may have work with: an event, a Call, a Stop, the
// end of work outside. A host with an event loop of its own waits for it beside
// [Session.NextDue]. There is one channel for the session tree; Run uses it too.
func (s *Session) Wake() <-chan struct{} {
	t := s.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wake == nil {
		t.wake = make(chan struct{}, 1)
	}
	return t.wake
}

// Busy reports whether work is under way outside of the session tree that may
// send an event to it: a message that an [IOProcessor] is delivering, or a
// service (see [WithInvoker]) that does not just wait in [Invocation.Receive].
func (s *Session) Busy() bool { return s.tree.busyOutside() }

// serve carries out Stop and Call.
func (t *tree) serve(ctx context.Context) {
	t.serving = true
	for c := t.nextCall(); c != nil; c = t.nextCall() {
		c.run()
	}
	t.serving = false
	t.mu.Lock()
	stop := t.stop
	t.mu.Unlock()
	if root := t.sessions[0]; stop && root.status == Running {
		root.abort(ctx, ErrStopped)
	}
}

// nextCall takes the first pending call off the list.
func (t *tree) nextCall() *call {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.calls) == 0 {
		t.asked = false
		return nil
	}
	c := t.calls[0]
	t.calls = t.calls[1:]
	return c
}

// run runs f. If it panics, whoever waits for it is let go all the same.
func (c *call) run() {
	if c.done != nil {
		defer func() { c.done <- nil }()
	}
	c.f()
}

// ask adds a call to the list, unless the session s has ended.
func (t *tree) ask(s *Session, c *call) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.ended {
		return ErrEnded
	}
	t.calls = append(t.calls, c)
	t.asked = true
	t.wakeUp()
	return nil
}

// withdraw takes a call off the list, and reports whether it was still there.
func (t *tree) withdraw(c *call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.calls, c)
	if i >= 0 {
		t.calls = slices.Delete(t.calls, i, i+1)
	}
	return i >= 0
}

// abort ends the session early: onexit handlers run, no done event is sent.
func (s *Session) abort(ctx context.Context, reason error) {
	s.enterTurn(context.WithoutCancel(ctx)) // what stops the session must not stop its handlers
	defer s.leaveTurn()
	s.exitInterpreter(Stopped, reason)
}

// Advance lets the session do all the work there is until the time to. Delayed
// events fire in order, each when it is due, so a chart that waits for one
// second and then for another has done both after two: this is how a virtual
// clock is driven. With time.Now() it brings a session up to the present. It
// returns when nothing is left to do at the time to, when the session ends, or
// with the errors of [Session.Step].
//
// Time stands still while the session is [Session.Busy]: Advance waits for
// what its Event I/O Processors deliver and for its services, however long they
// take, and meanwhile no delayed event fires, not even one that should end the
// wait. Step and Run do not wait for them.
func (s *Session) Advance(ctx context.Context, to time.Time) error {
	t := s.tree
	if err := t.enter(); err != nil {
		return err
	}
	defer t.leave()
	at := t.now
	for {
		more, err := t.stepOn(ctx, at)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		if s.status != Running {
			return nil
		}
		if t.busyOutside() {
			select {
			case <-t.wake:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			continue
		}
		if !at.Before(to) {
			return nil
		}
		at = to
		if due, ok := s.NextDue(); ok && due.Before(to) {
			at = due
		}
	}
}

// Stop asks the session to end. It is carried out by the owner's next Step or
// Advance, or by Run, once the present macrostep is complete (to interrupt a
// script, cancel the context): the onexit handlers run, invoked sessions are
// cancelled, and no done event is sent. Stop may be called from any goroutine, and more
// than once.
func (s *Session) Stop() {
	t := s.tree
	t.mu.Lock()
	t.stop = true
	t.asked = true
	t.wakeUp()
	t.mu.Unlock()
}

// Call has f called by the owner of the session between two macrosteps, and
// returns when that has happened, or with the cause of ctx when it is done
// first. Somebody has to drive the session. Call may be called from any
// goroutine but the owner's, which would wait for itself. f may use all methods
// of its argument but those that drive the session. It does not run when Call
// returns an error: the cause of ctx, or [ErrEnded] if the session has ended or
// ends first.
func (s *Session) Call(ctx context.Context, f func(*Session)) error {
	t := s.tree
	c := &call{func() { f(s) }, make(chan error, 1)}
	if err := t.ask(s, c); err != nil {
		return err
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		if t.withdraw(c) {
			return context.Cause(ctx)
		}
		return <-c.done // it is running, or has run
	}
}
