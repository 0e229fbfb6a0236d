package main

import (
	"container/heap"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A pool drives any number of sessions in real time with a few goroutines. A session costs nothing
// while it has nothing to do.
type pool struct {
	workers []*worker
	next    int
}

// A member is a session of a pool. Any goroutine may use its Send; for anything else use Call.
type member struct {
	*scxml.Session
	worker *worker
	due    time.Time // of its next delayed event, while it is in the worker's queue
	index  int       // in the queue, or -1
}

// A worker owns its share of the sessions.
type worker struct {
	mu    sync.Mutex
	ready []*member     // have work, each once
	wake  chan struct{} // receives a value when ready is not empty any more

	spare []*member // swapped with ready
	queue queue
}

func newPool(workers int) *pool {
	p := new(pool)
	for range workers {
		p.workers = append(p.workers, &worker{wake: make(chan struct{}, 1)})
	}
	return p
}

// add starts a session, which belongs to the pool then. One goroutine at a time may call it.
func (p *pool) add(ctx context.Context, chart *scxml.Chart, opts ...scxml.Option) (*member, error) {
	m := &member{worker: p.workers[p.next], index: -1}
	p.next = (p.next + 1) % len(p.workers)
	var err error
	m.Session, err = scxml.New(chart, append(opts, scxml.WithWake(func(*scxml.Session) { m.worker.add(m) }))...)
	if err == nil {
		err = m.Start(ctx)
	}
	if err != nil {
		return nil, err
	}
	m.worker.add(m) // its first delayed events
	return m, nil
}

// run drives the sessions until ctx is done. A session that fails, or comes to its end, leaves the
// pool; failed is told, on the goroutine of the session's worker. When run has returned, the sessions
// are intact and belong to nobody: Suspend saves them.
func (p *pool) run(ctx context.Context, failed func(*member, error)) {
	var all sync.WaitGroup
	for _, w := range p.workers {
		all.Go(func() { w.run(ctx, failed) })
	}
	all.Wait()
}

// add is the function of WithWake: it runs on any goroutine, must not block, and is called once for
// each change from rest to work.
func (w *worker) add(m *member) {
	w.mu.Lock()
	w.ready = append(w.ready, m)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *worker) run(ctx context.Context, failed func(*member, error)) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		w.mu.Lock()
		w.ready, w.spare = w.spare[:0], w.ready
		w.mu.Unlock()
		for _, m := range w.spare {
			w.drive(ctx, m, failed)
		}
		clear(w.spare)
		now := time.Now()
		for len(w.queue) > 0 && !w.queue[0].due.After(now) && ctx.Err() == nil {
			w.drive(ctx, w.queue[0], failed)
		}
		if len(w.queue) > 0 {
			timer.Reset(time.Until(w.queue[0].due))
		} else {
			timer.Stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		case <-timer.C:
		}
	}
}

// drive does what a session has to do by now, and notes when it has something to do again.
func (w *worker) drive(ctx context.Context, m *member, failed func(*member, error)) {
	if m.Status() != scxml.Running {
		return // it was in the list twice
	}
	_, err := m.Do(ctx, time.Now(), scxml.Event{})
	if err != nil && !errors.Is(err, scxml.ErrStopped) && ctx.Err() == nil {
		failed(m, err)
	}
	due, ok := m.NextDue()
	switch m.due = due; {
	case ok && m.index < 0:
		heap.Push(&w.queue, m)
	case ok:
		heap.Fix(&w.queue, m.index)
	case m.index >= 0:
		heap.Remove(&w.queue, m.index)
	}
}

// A queue is a heap of members by the time at which they are due.
type queue []*member

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *queue) Push(x any) {
	m := x.(*member)
	m.index = len(*q)
	*q = append(*q, m)
}
func (q *queue) Pop() any {
	old := *q
	m := old[len(old)-1]
	*q, old[len(old)-1] = old[:len(old)-1], nil
	m.index = -1
	return m
}
