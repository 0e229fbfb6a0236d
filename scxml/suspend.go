package scxml

// Suspend is [Session.Snapshot] for a session that is to go on as another one,
// which [Restore] will make, in this process too. From the moment of the snapshot
// on Send fails with [ErrEnded], so that no event gets lost between the two, and
// then the session lets go of all that it has outside, as Abandon does. After an
// error it is as it was.
func (s *Session) Suspend() ([]byte, error) { return s.snapshot(true) }

// Abandon ends a session that nobody is going to drive any more, because it was
// saved or because it was only a copy to look at: its services are cancelled,
// Event I/O Processors closed, and its [Directory] forgets it. Unlike Stop it runs no
// handler of the chart and sends nothing. The status is Stopped then, and there is
// no snapshot of the session any more: that is [ErrEnded]. Only the owner may
// call it, between macrosteps. A session that has nothing outside need not be
// abandoned: it is garbage like any other value.
func (s *Session) Abandon() error {
	t := s.tree
	if !t.serving {
		if err := t.enter(); err != nil {
			return err
		}
		defer t.leave()
	}
	t.mu.Lock()
	t.refuse()
	t.mu.Unlock()
	t.letGo()
	return nil
}

// refuse has nothing reach the sessions any more. The caller holds mu.
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

// letGo ends what the sessions have outside of themselves.
func (t *tree) letGo() {
	for _, s := range t.sessions {
		for _, inv := range s.running {
			if inv.service != nil {
				inv.cancel()
			}
		}
		s.closeProcessors()
		if t.directory != nil && s.status == Running {
			t.directory.remove(s)
		}
		if s.status <= Running {
			s.status, s.err = Stopped, ErrStopped
		}
		s.delayed = nil
	}
	t.timers = nil
}
