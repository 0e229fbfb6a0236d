package scxml

import (
	"errors"
	"fmt"
	"slices"
)

// AppendState appends the state of the session and of all sessions that it has invoked to dst, in
// binary: everything that a snapshot has. [SearchView.LoadState] puts it into a session of the same
// chart with the same options. The two are for searches, which save and load thousands of states a
// second in one process. To keep a state longer, use [Session.Snapshot].
//
// The errors are those of Snapshot. A session with [WithIOProcessor], [WithRouter] or an invoked
// service is refused too, because part of its state is elsewhere, and so is one with a [Task] that is
// not reported. Only the owner may call AppendState, when it may call Snapshot.
func (v SearchView) AppendState(dst []byte) ([]byte, error) {
	dst, err := v.s.tree.appendState(dst, false)
	if err != nil {
		err = failed("AppendState", err)
	}
	return dst, err
}

// AppendKey appends to dst what the future of the session depends on: sessions of one chart with
// equal keys react to the same events in the same way, and have equal keys again. A search visits
// one of them only. A key has what [SearchView.AppendState] writes, without
//
//   - the present time: a delayed event counts with the time that is left;
//   - the last event, which is over, unless an onexit handler of an invoked session can still see it;
//   - the ID of the next [Task];
//   - with [SearchView.Watch], the source of random numbers, and generated ids that nothing looks at.
//
// What [SearchView.Looks] returns can break this promise: the clock, chance, and functions of the
// host. The errors are those of AppendState. Only the owner may call it, when it may call Snapshot.
func (v SearchView) AppendKey(dst []byte) ([]byte, error) {
	dst, err := v.s.tree.appendState(dst, true)
	if err != nil {
		err = failed("AppendKey", err)
	}
	return dst, err
}

// LoadState gives the session, with all that it has invoked, a state that [SearchView.AppendState] has
// written. Then the snapshots of both sessions are equal. What the session was doing is dropped: no
// handler runs, and nothing is sent. The session need not be started, and may have ended.
//
// What was registered with OnState, OnSend and OnEvent stays registered. The values that
// [Session.Sessions] returned for invoked sessions are not valid any more.
//
// LoadState trusts the state. It notices one of another chart, but does not check that it is legal,
// as [Restore] does. If it fails, the session ends as with [ServerView.Abandon]. Only the owner may
// call it, between macrosteps.
func (v SearchView) LoadState(state []byte) error {
	if err := v.s.tree.loadState(state); err != nil {
		return failed("LoadState", err)
	}
	return nil
}

func (t *tree) appendState(dst []byte, key bool) ([]byte, error) {
	if err := t.lockState(); err != nil {
		return dst, err
	}
	defer t.mu.Unlock()
	if t.sessions[0].status == Unstarted {
		return dst, ErrNotStarted
	}
	c := t.stateCodec()
	c.data, c.reads, c.key, c.err = dst, false, key, nil
	c.ids = !key || t.keepsIDs()
	c.tree()
	dst, c.data = c.data, nil
	return dst, c.err
}

func (t *tree) loadState(state []byte) error {
	if err := t.lockState(); err != nil {
		return err
	}
	c := t.stateCodec()
	c.data, c.reads, c.key, c.ids, c.err = state, true, false, true, nil
	c.tree()
	if len(c.data) > 0 {
		c.fail(errState)
	}
	if c.err != nil {
		t.refuse()
		t.mu.Unlock()
		t.letGo()
		t.mu.Lock()
		for _, s := range t.sessions { // whatever the damaged state said
			s.status, s.err = Stopped, ErrStopped
		}
	}
	t.told = false
	t.unlock()
	return c.err
}

// lockState locks mu between two macrosteps, if all of the state is in the tree.
func (t *tree) lockState() error {
	if t.inStep() {
		return errMacrostep
	}
	t.mu.Lock()
	for t.news {
		t.mu.Unlock()
		t.settle()
		t.mu.Lock()
	}
	err := t.checkInside()
	if t.abandoned {
		err = ErrEnded
	}
	if err != nil {
		t.mu.Unlock()
	}
	return err
}

// stateCodec returns the codec of the tree, which keeps what it can use again.
func (t *tree) stateCodec() *codec {
	root := t.sessions[0]
	if root.needScratch(); root.codec == nil {
		root.codec = &codec{t: t}
	}
	return root.codec
}

// checkInside returns an error if part of the state is outside of the tree.
func (t *tree) checkInside() error {
	elsewhere := func(p processor) bool { _, out := p.IOProcessor.(outboxProcessor); return !out }
	switch {
	case t.config.outbox != nil && len(t.out().tasks) > 0:
		return errors.New("cannot keep the state of a session with tasks: report them first")
	case slices.ContainsFunc(t.processors, elsewhere):
		return errors.New("cannot keep the state of a session with WithIOProcessor: part of it is elsewhere")
	case t.router != nil && t.router != Router(outboxRouter{}):
		return errors.New("cannot keep the state of a session with WithRouter: part of it is elsewhere")
	}
	for _, s := range t.sessions {
		for _, inv := range s.running {
			if inv.service != nil {
				return fmt.Errorf("%w: %q invokes one of type %q (%s)", ErrService, s.chart.states[inv.state].name, inv.service.Type, inv.pos)
			}
		}
	}
	return nil
}
