package scxml

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// This file has the functions that drive a session tree: Step and Advance for the owner, Stop and
// Call for everyone else. Run, in run.go, is a loop around Step.

// Step sets the present time and does one piece of work: it takes at most one external event of one
// session of the tree and completes that session's macrostep. more reports whether work is left
// that need not wait. Step returns at once if there is nothing to do.
//
// Step returns false and nil once the session has reached a final state. It fails with
// [ErrNotStarted], with [ErrStopped] after Stop, with the [*LimitError] that stopped the session,
// and with the cause of ctx when ctx is done. In the last case the session is intact and the next
// Step continues. It makes its caller the owner, and fails with [ErrDriven] if there is one.
func (s *Session) Step(ctx context.Context, now time.Time) (more bool, err error) {
	if s == nil {
		return false, errNil("Step")
	}
	t := s.tree
	interrupted := ctx.Err() != nil
	t.mu.Lock()
	if t.busy {
		t.mu.Unlock()
		return false, ErrDriven
	}
	t.busy = true
	next := t.nextWork(now, interrupted)
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		more = more && t.hasWork()
		t.told = more
		t.leaveLocked()
		if t.onWake == nil {
			t.mu.Unlock() // inlined, which unlock is not
		} else {
			t.unlock()
		}
	}()
	return t.do(ctx, next)
}

// stepOn is Step for an owner that keeps stepping.
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

// work is what a step has to do. Locking is most of the cost of a small step, so nextWork decides
// it under the one lock that Step needs anyway.
type work struct {
	prepare bool     // something may precede the turn
	clock   bool     // a later time is to be reported
	session *Session // whose turn it is, or nil
	took    bool     // the session has taken an external event
}

// nextWork returns the work to do now. The caller holds mu.
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

// do does one piece of work. If more is true, ask hasWork whether any is left.
func (t *tree) do(ctx context.Context, w work) (more bool, err error) {
	if w.prepare {
		if w.clock {
			t.tellClock()
		}
		if proceed, more, err := t.prepare(ctx); !proceed {
			return more, err
		}
		fired := t.fire()
		t.mu.Lock()
		w.session, w.took = t.next()
		t.mu.Unlock()
		if fired && w.session == nil {
			t.tellStep(t.sessions[0], nil)
		}
	}
	if w.session != nil {
		if err = w.session.takeTurn(ctx, w.took); err != nil {
			err = t.turnError(w.session, err)
		} else if t.trace != nil {
			t.tellStep(w.session, nil)
		}
	}
	return t.sessions[0].status == Running, err
}

// turnError reports a turn of s that has failed, and returns what a driver returns for it.
func (t *tree) turnError(s *Session, err error) error {
	if s.status == Running {
		t.turn-- // interrupted: the next step continues the turn
	}
	t.tellStep(s, err)
	if s.status != Running && s.parent != nil {
		return nil // a limit stopped it, and it has told its parent
	}
	return err
}

// prepare does what may precede delayed events and a turn: calls and a stop. proceed reports whether
// these may follow.
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
	return true, false, nil
}

func (t *tree) tellClock() {
	if tr := t.trace; tr != nil && tr.Clock != nil {
		tr.Clock(t.sessions[0], t.now)
	}
}

// tellStep reports the end of a step, see [Trace].
func (t *tree) tellStep(s *Session, err error) {
	if tr := t.trace; tr != nil && tr.Step != nil {
		t.serving = true
		tr.Step(s, err)
		t.serving = false
	}
}

// Wake returns a channel that receives a value when another goroutine has caused work for Step: an
// event, a Call, a Stop, or the end of work outside. Work that was there before the first call of
// Wake counts too, so none is missed. A host with its own event loop waits for it and for
// [Session.NextDue]. There is one channel per session tree, and Run uses it too. Any goroutine may
// call it.
func (s *Session) Wake() <-chan struct{} {
	t := s.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wake == nil {
		t.wake = make(chan struct{}, 1)
		if t.hasWork() {
			t.wakeUp()
		}
	}
	return t.wake
}

// Busy reports whether work is in progress outside the session tree that may send it an event: an
// [IOProcessor] is delivering a message, or a service (see [WithInvoker]) is running and not
// waiting in [Invocation.Receive]. Any goroutine may call it.
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
		t.tellStep(root, ErrStopped)
	}
}

// nextCall removes and returns the first pending call.
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

// run runs f. If f panics, its caller still stops waiting.
func (c *call) run() {
	if c.done != nil {
		defer func() { c.done <- nil }()
	}
	c.f()
}

// ask adds a call to the list unless the session s has ended.
func (t *tree) ask(s *Session, c *call) error {
	t.mu.Lock()
	defer t.unlock()
	if s.ended {
		return ErrEnded
	}
	t.calls = append(t.calls, c)
	t.asked = true
	t.wakeUp()
	return nil
}

// withdraw removes a call from the list and reports whether it was there.
func (t *tree) withdraw(c *call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.calls, c)
	if i >= 0 {
		t.calls = slices.Delete(t.calls, i, i+1)
	}
	return i >= 0
}

// abort ends the session early: its onexit handlers run, and it sends no done event.
func (s *Session) abort(ctx context.Context, reason error) {
	s.enterTurn(context.WithoutCancel(ctx)) // what stops the session must not stop its handlers
	defer s.leaveTurn()
	s.exitInterpreter(Stopped, reason)
}

// Advance does all the work of the session up to the time to. Each delayed event is delivered at
// the time it is due, so a chart that waits one second and then another has done both after two:
// Advance is a virtual clock. Advance(ctx, time.Now()) brings a session up to the present. It
// returns when nothing is left to do at the time to, when the session ends, or with an error of
// [Session.Step].
//
// What is queued when Advance is called is handled at the time of the last step, before time
// moves. To give the session an event that happens now, use [Session.Do].
//
// While the session is [Session.Busy] its time does not advance. Advance waits for deliveries and
// services as long as they take, and no delayed event fires meanwhile, not even one that would end
// the wait. If ctx is done first, the error names what Advance waited for. Step, Do and Run do not
// wait for them. It makes its caller the owner, and fails with [ErrDriven] if there is one.
func (s *Session) Advance(ctx context.Context, to time.Time) error {
	if s == nil {
		return errNil("Advance")
	}
	t := s.tree
	t.mu.Lock()
	if !t.busy {
		if err := t.behind("Advance", to); err != nil {
			t.mu.Unlock()
			return err
		}
	}
	if !t.busy && (t.trace == nil || t.trace.Clock == nil) && t.pass(ctx, to, true) {
		t.mu.Unlock()
		return nil
	}
	t.mu.Unlock()
	if err := t.enter(true); err != nil {
		return err
	}
	defer t.leave()
	return s.advance(ctx, to, true)
}

// behind returns an error if now is of another clock than the session's time, which would stand still.
// A minute is more than a caller of the right clock can be late.
func (t *tree) behind(method string, now time.Time) error {
	if t.timed || t.now.Sub(now) <= time.Minute {
		return nil
	}
	return failed(method, fmt.Errorf("the time %v is before the session's, %v: begin it on the same clock with WithClock, or pass time.Now()",
		now.Format(time.DateTime), t.now.Format(time.DateTime)))
}

// pass sets the time to to if there is nothing to do until then, and reports whether it has. With
// wait there must be no work outside. The caller holds mu.
func (t *tree) pass(ctx context.Context, to time.Time, wait bool) bool {
	quiet := t.sessions[0].status == Running && !t.hasWork() && !(wait && t.outside > 0) &&
		(len(t.timers) == 0 || t.timers[0].due.After(to)) && ctx.Err() == nil
	if quiet && to.After(t.now) {
		t.now = to
	}
	return quiet
}

// advance is Advance for the owner; without wait time passes while the session is busy.
func (s *Session) advance(ctx context.Context, to time.Time, wait bool) error {
	t := s.tree
	t.mu.Lock()
	before := t.now
	quiet := t.pass(ctx, to, wait)
	t.mu.Unlock()
	return t.passed(ctx, to, wait, quiet, before)
}

// passed does what is left of advance after the answer of pass; before was the time before it.
func (t *tree) passed(ctx context.Context, to time.Time, wait, quiet bool, before time.Time) error {
	if quiet && t.trace != nil && t.trace.Clock != nil && t.now.After(before) {
		t.tellClock()
		t.mu.Lock()
		quiet = !t.hasWork() // Clock can send events
		t.mu.Unlock()
	}
	if quiet {
		return nil
	}
	at := t.now
	for {
		more, err := t.stepOn(ctx, at)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		if t.sessions[0].status != Running {
			return nil
		}
		if wait {
			busy, work := t.outsideAndWork()
			if work {
				continue // the last event of a service that ended after the step
			}
			if busy {
				select {
				case <-t.wake:
				case <-ctx.Done():
					return fmt.Errorf("scxml: Advance: waiting for %s: %w", t.outsideWork(), context.Cause(ctx))
				}
				continue
			}
		}
		if !at.Before(to) {
			return nil
		}
		at = to
		if due, ok := t.nextDue(); ok && due.Before(to) {
			at = due
		}
	}
}

// outsideWork names the work in progress outside of the session tree.
func (t *tree) outsideWork() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []string
	for _, s := range t.sessions {
		for _, inv := range s.running {
			if inv.service != nil && inv.service.working {
				all = append(all, fmt.Sprintf("service %q of type %q", inv.invokeID, inv.service.Type))
			}
		}
	}
	if int(t.outside) > len(all) {
		all = append(all, "a delivery of an Event I/O Processor")
	}
	return strings.Join(all, ", ")
}

// Stop asks the session to end. The owner's next Step or Advance, or a Run in progress, does so
// once the present macrostep is complete: it runs the onexit handlers, cancels invoked sessions and
// sends no done event. To interrupt a script, cancel the context. Stop may be called from any
// goroutine, and repeatedly.
func (s *Session) Stop() {
	t := s.tree
	t.mu.Lock()
	t.stop = true
	t.asked = true
	t.wakeUp()
	t.unlock()
}

// Call runs f on the owner of the session between two macrosteps and returns after that. The
// session must be driven for this to happen. f may use all methods of its argument except those
// that drive the session. Call may be called from any goroutine. Inside a callback, of this session
// or another one, it fails with [ErrDriven], because it could wait for itself.
//
// The error is ErrDriven, the cause of ctx if ctx is done before f begins, or [ErrEnded] if the
// session has ended or ends first. f does not run then.
func (s *Session) Call(ctx context.Context, f func(*Session)) error {
	if s == nil {
		return errNil("Call")
	}
	if inCallback() {
		return ErrDriven
	}
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
			if !t.driven() {
				return failed("Call", fmt.Errorf("nobody drives the session, which Run does: %w", context.Cause(ctx)))
			}
			return context.Cause(ctx)
		}
		return <-c.done // it is running, or has run
	}
}
