package scxml

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"
	"time"
)

// timer is a delayed <send> that is not due yet.
type timer struct {
	due  time.Time
	seq  uint64 // orders timers that are due at the same time
	from *Session
	msg  Message
	at   int // its place in the heap; -1 outside of it
}

// compare orders timers by the time at which they are due.
func (t *timer) compare(u *timer) int {
	return cmp.Or(t.due.Compare(u.due), cmp.Compare(t.seq, u.seq))
}

// timers is a heap of timers by (due, seq).
type timers []*timer

func (h timers) Len() int           { return len(h) }
func (h timers) Less(i, j int) bool { return h[i].compare(h[j]) < 0 }
func (h timers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}
func (h *timers) Push(x any) {
	t := x.(*timer)
	t.at = len(*h)
	*h = append(*h, t)
}
func (h *timers) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.at = -1
	return t
}

// schedule keeps m until it is due.
func (t *tree) schedule(s *Session, m Message) error {
	if limit := t.limits.Timers; len(t.timers) >= limit {
		return &LimitError{Limit: "Timers", Value: limit}
	}
	if limit := t.limits.Delay; m.Delay > limit {
		return &LimitError{Limit: "Delay", Value: limit}
	}
	due := t.now.Add(m.Delay)
	if due.Before(t.now) {
		return errors.New("the delay is too long")
	}
	t.add(&timer{due: due, from: s, msg: m})
	return nil
}

// add schedules a timer and gives it the next number.
func (t *tree) add(tm *timer) {
	t.seq++
	tm.seq = t.seq
	heap.Push(&t.timers, tm)
	if id := tm.msg.Event.SendID; id != "" {
		s := tm.from
		if s.delayed == nil {
			s.delayed = make(map[string][]*timer)
		}
		s.delayed[id] = append(s.delayed[id], tm)
	}
}

// isDue reports whether a delayed event is due.
func (t *tree) isDue() bool { return len(t.timers) > 0 && !t.timers[0].due.After(t.now) }

// fire delivers all events that share the earliest due time. Events due later wait until these are
// processed and have had a chance to cancel them. So a host that is late gets the same result as
// one in time. It reports whether there were any.
func (t *tree) fire() bool {
	if !t.isDue() || t.fenced() {
		return false
	}
	for due := t.timers[0].due; len(t.timers) > 0 && t.timers[0].due.Equal(due); {
		tm := heap.Pop(&t.timers).(*timer)
		s := tm.from
		s.forget(tm)
		if e := t.effect(); e != nil {
			e.Sent = append(e.Sent, tm.msg)
		}
		if tr := t.trace; tr != nil && tr.Timer != nil {
			tr.Timer(s, tm.msg)
		}
		s.deliver(tm.msg)
	}
	t.fence()
	return true
}

// forget removes tm from the events that can be cancelled by id.
func (s *Session) forget(tm *timer) {
	id := tm.msg.Event.SendID
	list, ok := s.delayed[id]
	if !ok {
		return
	}
	for i := range list {
		if list[i] == tm {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	if len(list) == 0 {
		delete(s.delayed, id)
	} else {
		s.delayed[id] = list
	}
}

// Cancel cancels the pending delayed events of this session with the given sendid (REC 6.3), and
// returns how many there were. Only the owner may call it.
func (s *Session) Cancel(sendID string) int {
	s.mine("Cancel")
	return s.cancel(sendID)
}

func (s *Session) cancel(sendID string) int {
	list := s.delayed[sendID]
	delete(s.delayed, sendID)
	for _, tm := range list {
		heap.Remove(&s.tree.timers, tm.at)
	}
	return len(list)
}

// dropTimers cancels all delayed events of the session.
func (s *Session) dropTimers() {
	t := s.tree
	kept := t.timers[:0]
	for _, tm := range t.timers {
		if tm.from != s {
			kept = append(kept, tm)
		}
	}
	t.keepTimers(kept)
	s.delayed = nil
}

// keepTimers makes kept, which begins where t.timers does, the heap of timers.
func (t *tree) keepTimers(kept timers) {
	clear(t.timers[len(kept):])
	t.timers = kept
	for i, tm := range kept {
		tm.at = i
	}
	heap.Init(&t.timers)
}

// NextDue returns the time at which the next delayed event of the session tree is due; ok is false
// if none is pending. Only the owner may call it, as for [Session.Configuration].
func (s *Session) NextDue() (due time.Time, ok bool) {
	s.mine("NextDue")
	return s.tree.nextDue()
}

func (t *tree) nextDue() (due time.Time, ok bool) {
	if len(t.timers) == 0 {
		return time.Time{}, false
	}
	return t.timers[0].due, true
}

// A Delayed is a delayed event that is not due yet.
type Delayed struct {
	Session *Session // that sent it
	Due     time.Time
	Message Message
	Seq     uint64 // grows with each delayed event, and orders those that are due at the same time
}

// Delayed returns the delayed events of the session tree in the order in which
// they will be due. Only the owner may call it.
func (v ToolView) Delayed() []Delayed {
	all := make([]Delayed, len(v.s.tree.timers))
	for i, tm := range slices.SortedFunc(slices.Values(v.s.tree.timers), (*timer).compare) {
		all[i] = Delayed{tm.from, tm.due, tm.msg, tm.seq}
	}
	return all
}

// Reschedule calls due for each delayed event of the session tree, in the order in which they were
// sent, and makes the result the time at which the event is due. Those that are then due at the same
// time keep that order. An event for which due returns the zero time is dropped, as if the chart had
// cancelled it. Only the owner may call it.
func (v ServerView) Reschedule(due func(Delayed) time.Time) {
	t := v.s.tree
	if len(t.timers) == 0 {
		return
	}
	slices.SortFunc(t.timers, func(a, b *timer) int { return cmp.Compare(a.seq, b.seq) })
	kept := t.timers[:0]
	for _, tm := range t.timers {
		if tm.due = due(Delayed{tm.from, tm.due, tm.msg, tm.seq}); tm.due.IsZero() {
			tm.from.forget(tm)
			continue
		}
		kept = append(kept, tm)
	}
	t.keepTimers(kept)
}
