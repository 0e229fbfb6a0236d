package scxml

// Suspend is [Session.Snapshot] for a session that is to continue elsewhere after [Restore]. In the
// moment of the snapshot Send begins to fail with [ErrEnded], so that no event is lost between the
// two sessions. Then the session releases what it holds outside, as [ServerView.Abandon] does. If
// Suspend fails, the session is unchanged. Only the owner may call it, when it may call Snapshot.
//
// A session that was stopped, as by cancelling the context of Run, cannot continue: the error says so, and
// wraps its Err. Snapshot saves that it was stopped.
func (s *Session) Suspend() ([]byte, error) { return s.snapshot(true) }

// Abandon ends a session that will not be driven any more, because it was saved or was only a copy
// to look at. It cancels services, closes Event I/O Processors and removes the session from its
// [Router]. Unlike Stop it runs no handler of the chart and sends nothing. Afterwards the status
// is Stopped, and Snapshot fails with [ErrEnded]. Only the owner may call it, between macrosteps. A
// session that holds nothing outside need not be abandoned.
func (v ServerView) Abandon() error {
	t := v.s.tree
	switch entered, err := t.pause(); {
	case err != nil:
		return err
	case entered:
		defer t.leave()
	}
	t.mu.Lock()
	t.refuse()
	t.mu.Unlock()
	t.letGo()
	return nil
}

// refuse closes the sessions to events and calls. The caller holds mu.
func (t *tree) refuse() {
	t.abandoned = true
	for _, s := range t.sessions {
		s.ended = true
		s.external.drop()
		s.arrived = 0
	}
	for _, c := range t.calls {
		if c.done != nil {
			c.done <- ErrEnded
		}
	}
	t.calls = nil
}

// letGo releases what the sessions hold outside.
func (t *tree) letGo() {
	for _, s := range t.sessions {
		for _, inv := range s.running {
			if inv.service != nil {
				inv.cancel()
			}
		}
		s.closeProcessors()
		if t.router != nil && s.status == Running {
			t.router.Leave(s)
		}
		if s.status <= Running {
			s.become(Stopped, ErrStopped)
		}
		s.delayed = nil
	}
	t.timers = nil
}
