package machine

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// A Delayed is a delayed event that is not due yet.
type Delayed struct {
	Message *Message      // must not be changed, or kept
	Seq     uint64        // greater than those of what was sent before
	Left    time.Duration // until it is due
}

// Reschedule calls due for each delayed event of a tree of machines, in the order in which they were sent, and makes the
// result the time that is left until it is due. It is for searches, which choose when events are due.
func Reschedule(n Node, due func(Delayed) time.Duration) {
	t := of(n).tree
	slices.SortFunc(t.timers, func(a, b *timer) int { return cmp.Compare(a.seq, b.seq) })
	for _, tm := range t.timers {
		tm.due = t.now.Add(due(Delayed{&tm.msg, tm.seq, tm.due.Sub(t.now)}))
	}
	heap.Init(&t.timers)
}

// SetDelayed makes messages the delayed events of a machine that has invoked nothing. Their Seq are 1, 2, ..., and each is
// due after the one before.
func SetDelayed(n Node, messages []*Message) {
	core, _, _ := n.Machine()
	if core.s == nil && len(messages) == 0 {
		return
	}
	s := of(n)
	t := s.tree
	for len(t.timers) > len(messages) {
		last := len(t.timers) - 1
		t.release(t.timers[last])
		t.timers[last] = nil
		t.timers = t.timers[:last]
	}
	for i, m := range messages {
		if i == len(t.timers) {
			t.timers = append(t.timers, new(timer))
		}
		*t.timers[i] = timer{t.now.Add(time.Duration(1 + i)), uint64(1 + i), s, *m}
	}
	t.seq = uint64(len(messages))
}

// AppendMessage appends what tells a message from others, but for its delay, to dst. The error says what of its data
// cannot be written.
func AppendMessage(dst []byte, n Node, m *Message) (text []byte, err error) {
	defer catch(&err)
	s := of(n)
	w := &writer{s.tree, dst}
	w.object(func() { w.message(s, m) })
	return w.buf, nil
}
