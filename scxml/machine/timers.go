package machine

import (
	"cmp"
	"container/heap"
	"time"
)

// A timer is a delayed <send> that is not due yet.
type timer struct {
	due  time.Time
	seq  uint64 // orders timers that are due at the same time
	from *session
	msg  Message
}

func (t *timer) compare(u *timer) int {
	return cmp.Or(t.due.Compare(u.due), cmp.Compare(t.seq, u.seq))
}

// timers is a heap of timers by (due, seq).
type timers []*timer

func (h timers) Len() int           { return len(h) }
func (h timers) Less(i, j int) bool { return h[i].compare(h[j]) < 0 }
func (h timers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *timers) Push(x any)        { *h = append(*h, x.(*timer)) }
func (h *timers) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return t
}

func (t *tree) schedule(s *session, m Message) error {
	if limit := t.options.Limits.Timers; len(t.timers) >= limit {
		return &LimitError{"Timers", limit}
	}
	if limit := t.options.Limits.Delay; m.Delay > limit {
		return &LimitError{"Delay", int(limit)}
	}
	t.seq++
	tm := new(timer)
	if n := len(t.unused); n > 0 {
		tm, t.unused = t.unused[n-1], t.unused[:n-1]
	}
	*tm = timer{t.now.Add(m.Delay), t.seq, s, m}
	heap.Push(&t.timers, tm)
	return nil
}

// mostUnused bounds the timers that are kept for later.
const mostUnused = 8

// release keeps a timer that has fired, or was cancelled, for later.
func (t *tree) release(tm *timer) {
	if len(t.unused) < mostUnused {
		*tm = timer{}
		t.unused = append(t.unused, tm)
	}
}

// drop removes the timers for which gone is true.
func (t *tree) drop(gone func(*timer) bool) {
	kept := t.timers[:0]
	for _, tm := range t.timers {
		if !gone(tm) {
			kept = append(kept, tm)
		}
	}
	if len(kept) < len(t.timers) {
		clear(t.timers[len(kept):])
		t.timers = kept
		heap.Init(&t.timers)
	}
}

// Cancel cancels the delayed events of a machine that were sent with an id (REC 6.3).
func Cancel(n Node, sendID string) {
	if sendID == "" { // which many have
		return
	}
	s := of(n)
	t := s.tree
	for i := len(t.timers) - 1; i >= 0; i-- {
		if tm := t.timers[i]; tm.from == s && tm.msg.Event.SendID == sendID {
			heap.Remove(&t.timers, i)
			t.release(tm)
			i = len(t.timers) // their order has changed
		}
	}
}

func (t *tree) isDue() bool { return len(t.timers) > 0 && !t.timers[0].due.After(t.now) }

// fire delivers all events that share the earliest due time. Events due later wait until these are
// processed and have had a chance to cancel them.
func (t *tree) fire() {
	if !t.isDue() || t.fenced() {
		return
	}
	for due := t.timers[0].due; len(t.timers) > 0 && t.timers[0].due.Equal(due); {
		tm := heap.Pop(&t.timers).(*timer)
		from, msg := tm.from, t.message(tm.msg)
		t.release(tm)
		from.sent(msg)
		from.deliver(msg)
		t.messageSent()
	}
	for _, s := range t.sessions {
		if s.hasWork() {
			s.fence = s.external.len()
		}
	}
}

// fenced reports whether some session has still to take what was in its queue when timers fired last.
func (t *tree) fenced() bool {
	for _, s := range t.sessions {
		if s.fence > 0 && s.hasWork() {
			return true
		}
	}
	return false
}

// advance does all the work up to the time to: what waits, at the present time, and what falls due, each
// at its own.
func (t *tree) advance(to time.Time) {
	root := t.sessions[0]
	for at := t.now; ; {
		for t.step(at) {
		}
		if len(t.sessions) == 1 { // otherwise a shortcut must not take an event: it is a turn of the root
			root.core.Flags &^= Posted
		}
		if t.over() || !at.Before(to) {
			return
		}
		at = to
		if len(t.timers) > 0 && t.timers[0].due.Before(to) {
			at = t.timers[0].due
		}
	}
}

// step lets one session take one turn, and reports whether there is more to do now.
func (t *tree) step(now time.Time) (more bool) {
	if now.After(t.now) {
		t.now = now
	}
	if t.over() {
		return false
	}
	t.report()
	t.fire()
	if t.over() {
		return false
	}
	s := t.next()
	if s == nil {
		return t.isDue() || t.undelivered != nil
	}
	s.turn()
	if t.over() {
		return false
	}
	if limit := t.options.Limits.Macrosteps; limit > 0 {
		if t.turns++; t.turns > limit {
			t.sessions[0].exitInterpreter(stopped, &LimitError{"Macrosteps", limit})
			return false
		}
	}
	if t.isDue() || t.undelivered != nil {
		return true
	}
	for _, s := range t.sessions {
		if s.hasWork() {
			return true
		}
	}
	return false
}

// next returns the session whose turn it is: they take turns in the order of creation.
func (t *tree) next() *session {
	n := len(t.sessions)
	for i := range n {
		at := (t.turn + i) % n
		if t.sessions[at].hasWork() {
			t.turn = at + 1
			return t.sessions[at]
		}
	}
	return nil
}

func (s *session) hasWork() bool {
	switch s.status {
	case running:
		return s.unstable || s.internal.len() > 0 || s.external.len() > 0
	case unstarted:
		return s.parent != nil
	}
	return false
}

// turn processes one external event and completes the macrostep.
func (s *session) turn() {
	s.core.Flags |= Busy
	if s.status == unstarted {
		s.core.Flags |= Started
		s.initialise(nil)
	} else if !s.unstable && s.internal.len() == 0 && s.external.len() > 0 {
		s.fence = max(0, s.fence-1)
		e := s.external.take()
		s.take(e)
		s.externalEvent(e.num)
	}
	s.completeMacrostep()
}
