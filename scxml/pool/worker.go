package pool

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// turn is the number of macrosteps after which a session gives way to the others of its worker.
const turn = 100

// A worker drives its share of the sessions.
type worker struct {
	pool *Pool
	wake chan struct{} // receives a value when ready is not empty any more

	mu      sync.Mutex
	members []*member // all
	ready   []*member // have work, each once

	// Only run uses what follows.
	spare []*member // swapped with ready
	queue queue
}

// A member is a session of a pool.
type member struct {
	session *scxml.Session
	worker  *worker
	place   int32 // in worker.members, or -1; worker.mu guards it
	listed  bool  // in worker.ready; worker.mu guards it
	index   int32 // in worker.queue, or -1
	due     time.Time
}

// member returns one without a session.
func (p *Pool) member() *member {
	w := p.workers[(p.next.Add(1)-1)%uint32(len(p.workers))]
	return &member{worker: w, place: -1, index: -1}
}

func (m *member) options() scxml.Options {
	return scxml.Options{scxml.WithClock(time.Now), scxml.WithWake(func(*scxml.Session) { m.worker.list(m) })}
}

// join leaves a session that was started to the worker.
func (m *member) join(s *scxml.Session) {
	w := m.worker
	w.mu.Lock()
	m.session, m.place = s, int32(len(w.members))
	w.members = append(w.members, m)
	w.mu.Unlock()
	w.list(m) // for its delayed events, and for what it was woken for before
}

// list notes that a session has work. Any goroutine may call it. What does not belong to the worker, or
// not yet, is ignored.
func (w *worker) list(m *member) {
	w.mu.Lock()
	add := m.place >= 0 && !m.listed
	if add {
		m.listed = true
		w.ready = append(w.ready, m)
	}
	w.mu.Unlock()
	if add {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// leave removes a session.
func (w *worker) leave(m *member) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := len(w.members) - 1
	moved := w.members[last]
	w.members[m.place], moved.place = moved, m.place
	w.members[last] = nil
	w.members = w.members[:last]
	m.place = -1
}

func (w *worker) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		w.mu.Lock()
		w.ready, w.spare = w.spare[:0], w.ready
		for _, m := range w.spare {
			m.listed = false // it is listed again if work comes while it is driven
		}
		w.mu.Unlock()
		for _, m := range w.spare {
			w.drive(ctx, m)
		}
		clear(w.spare)
		for now := time.Now(); len(w.queue) > 0 && !w.queue[0].due.After(now); {
			w.drive(ctx, w.queue[0])
		}
		if len(w.queue) > 0 {
			timer.Reset(time.Until(w.queue[0].due))
		} else {
			timer.Stop()
		}
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-timer.C:
		}
	}
}

// drive gives a session its turn, and notes when it has something to do again.
func (w *worker) drive(ctx context.Context, m *member) {
	if m.place < 0 {
		return // it has left after it was listed
	}
	s := m.session
	more, err := m.turn(ctx, time.Now())
	status := s.Status()
	if status != scxml.Running || err != nil && ctx.Err() == nil {
		w.wait(m, false)
		w.leave(m)
		if status != scxml.Running {
			err = s.Err()
		}
		if w.pool.ended != nil {
			w.pool.ended(s, err)
		}
		return
	}
	if more || err != nil {
		w.wait(m, false)
		w.list(m)
		return
	}
	var due bool
	m.due, due = s.NextDue()
	w.wait(m, due)
}

// turn does what a session has to do by now, but not more than it may at once. It reports whether there
// is more.
func (m *member) turn(ctx context.Context, now time.Time) (more bool, err error) {
	s := m.session
	for range turn {
		at := now
		if due, ok := s.NextDue(); ok && due.Before(now) {
			at = due
		}
		more, err = s.Step(ctx, at)
		if err != nil || s.Status() != scxml.Running {
			return false, err
		}
		if !more {
			if due, ok := s.NextDue(); !ok || due.After(now) {
				return false, nil
			}
		}
	}
	return true, nil
}

// wait puts a session into the queue at its time, or takes it out.
func (w *worker) wait(m *member, in bool) {
	switch {
	case in && m.index < 0:
		heap.Push(&w.queue, m)
	case in:
		heap.Fix(&w.queue, int(m.index))
	case m.index >= 0:
		heap.Remove(&w.queue, int(m.index))
	}
}

// A queue is a heap of members by the time at which they are due.
type queue []*member

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = int32(i), int32(j)
}
func (q *queue) Push(x any) {
	m := x.(*member)
	m.index = int32(len(*q))
	*q = append(*q, m)
}
func (q *queue) Pop() any {
	last := len(*q) - 1
	m := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	m.index = -1
	return m
}
