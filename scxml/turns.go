package scxml

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// The sessions of a tree take turns in the order of their creation. The set ready holds those that
// may have work, so that a step need not ask every session of a large tree. A session is marked
// when it gets work outside its own turn, and unmarked when it is found without work. A tree of one
// session does not need the set.

// addSession appends a new session.
func (t *tree) addSession(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.place = int32(len(t.sessions))
	t.sessions = append(t.sessions, s)
	if len(t.sessions) > 1 {
		for len(t.ready)*64 < len(t.sessions) {
			t.ready = append(t.ready, ^uint64(0)) // each of them is asked once
		}
		t.mark(s)
	}
}

// removeSession removes a session that has ended.
func (t *tree) removeSession(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := int(s.place)
	t.sessions = slices.Delete(t.sessions, i, i+1)
	for j := i; j < len(t.sessions); j++ {
		t.sessions[j].place = int32(j)
	}
	for w := i / 64; w < len(t.ready); w++ {
		t.ready[w] = ^uint64(0)
	}
	if i < int(t.turn) {
		t.turn--
	}
}

// mark notes that s may have work. The caller holds mu.
func (t *tree) mark(s *Session) {
	if t.ready != nil {
		t.ready.Add(table.State(s.place))
	}
}

// nextReady returns the place of the first session with work at or after from, or -1. The caller
// holds mu.
func (t *tree) nextReady(from int) int {
	if t.ready == nil {
		if from == 0 && t.sessions[0].hasWork() {
			return 0
		}
		return -1
	}
	for i := t.ready.Next(table.State(from)); i != table.None && int(i) < len(t.sessions); i = t.ready.Next(i + 1) {
		if t.sessions[i].hasWork() {
			return int(i)
		}
		t.ready.Remove(i)
	}
	return -1
}

// next returns the session whose turn it is, or nil, and takes its next external event if it is
// ready for one. The caller holds mu.
func (t *tree) next() (s *Session, took bool) {
	if t.ready == nil {
		if s := t.sessions[0]; s.hasWork() {
			t.turn = 1
			return s, s.takeExternal()
		}
		return nil, false
	}
	i := -1
	if turn := int(t.turn); turn < len(t.sessions) {
		i = t.nextReady(turn)
	}
	if i < 0 {
		if i = t.nextReady(0); i < 0 {
			return nil, false
		}
	}
	t.turn = int32(i) + 1
	s = t.sessions[i]
	if t.watch != nil && (t.nextReady(i+1) >= 0 || t.nextReady(0) < i) {
		s.looked(LookOrder, s.chart.states[0].pos)
	}
	return s, s.takeExternal()
}

// hasWork reports whether the session has work for a turn. The caller holds tree.mu.
func (s *Session) hasWork() bool {
	switch s.status {
	case Running:
		return s.unstable || s.internal.len() > 0 || s.external.len() > int(s.arrived)
	case Unstarted:
		return s.parent != nil
	}
	return false
}

// hasWork reports whether there is work for a step. The caller holds mu.
func (t *tree) hasWork() bool {
	return t.asked || t.news || t.isDue() || t.nextReady(0) >= 0
}

// fence separates what is in the queues from what falls due from now on, see fire.
func (t *tree) fence() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := t.nextReady(0); i >= 0; i = t.nextReady(i + 1) {
		t.sessions[i].fence = int32(t.sessions[i].external.len()) - t.sessions[i].arrived
	}
}

// fenced reports whether some session has still to take what was in its queue at the last fence.
// The caller does not hold mu.
func (t *tree) fenced() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := t.nextReady(0); i >= 0; i = t.nextReady(i + 1) {
		if t.sessions[i].fence > 0 {
			return true
		}
	}
	return false
}
