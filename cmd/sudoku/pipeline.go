package main

import (
	"context"
	"iter"
	"runtime"
)

// A batch is a group of items in a pipeline.
type batch[In, Out any] struct {
	in   []In
	out  []Out
	err  error         // that ended the items, after in
	done chan struct{} // closed when out is complete
}

// A pipeline does the same work on many items on all cores.
type pipeline[In, Out any] struct {
	// size is the maximum number of items in a batch.
	size int
	// work returns a function that works on one item. Each core calls it once.
	work func() func(context.Context, *In) Out
	// result receives the results in the order of the items.
	result func(*In, Out) error
	// flush is called when no result is ready.
	flush func() error

	filling *batch[In, Out] // read, but not sent yet
	jobs    chan *batch[In, Out]
	order   chan *batch[In, Out]
	free    chan *batch[In, Out] // to reuse
}

// run processes items until they end, or until an error ends them. If the context is
// cancelled it returns the cause early, and abandons a reader that waits for input.
// The number of items in memory is bounded.
func (p *pipeline[In, Out]) run(parent context.Context, items iter.Seq2[In, error]) error {
	ctx, cancel := context.WithCancel(parent) // ends the goroutines below
	defer cancel()
	cores := runtime.GOMAXPROCS(0)
	p.jobs = make(chan *batch[In, Out], 2*cores)
	p.order = make(chan *batch[In, Out], 2*cores)
	p.free = make(chan *batch[In, Out], 4*cores+2)
	for range cores {
		go p.worker(ctx)
	}
	go p.read(ctx, items)
	for {
		var b *batch[In, Out]
		select {
		case b = <-p.order:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if b == nil {
			if parent.Err() != nil { // this ended the items; ctx may be cancelled later
				return context.Cause(parent)
			}
			return p.flush()
		}
		select {
		case <-b.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		for i := range b.out {
			if err := p.result(&b.in[i], b.out[i]); err != nil {
				return err
			}
		}
		if b.err != nil || len(p.order) == 0 {
			if err := p.flush(); err != nil {
				return err
			}
		}
		if b.err != nil {
			return b.err
		}
		select {
		case p.free <- b:
		default:
		}
	}
}

// read fills batches.
func (p *pipeline[In, Out]) read(ctx context.Context, items iter.Seq2[In, error]) {
	defer close(p.order)
	defer close(p.jobs)
	p.filling = p.next()
	for item, err := range items {
		if err != nil {
			p.filling.err = err
			break
		}
		p.filling.in = append(p.filling.in, item)
		if len(p.filling.in) == p.size {
			p.send(ctx)
		}
		if ctx.Err() != nil {
			return
		}
	}
	p.send(ctx)
}

// send sends the filling batch unless it is empty. It is called before waiting for
// input, so that an answer does not wait for the next question.
func (p *pipeline[In, Out]) send(ctx context.Context) {
	b := p.filling
	if b == nil || len(b.in) == 0 && b.err == nil {
		return
	}
	p.filling = p.next()
	for _, to := range []chan<- *batch[In, Out]{p.jobs, p.order} {
		select {
		case to <- b:
		case <-ctx.Done():
			return
		}
	}
}

// next returns an empty batch.
func (p *pipeline[In, Out]) next() *batch[In, Out] {
	select {
	case b := <-p.free:
		b.in, b.out, b.done = b.in[:0], b.out[:0], make(chan struct{})
		return b
	default:
		return &batch[In, Out]{done: make(chan struct{})}
	}
}

func (p *pipeline[In, Out]) worker(ctx context.Context) {
	work := p.work()
	for b := range p.jobs {
		for i := range b.in {
			if ctx.Err() != nil {
				return
			}
			b.out = append(b.out, work(ctx, &b.in[i]))
		}
		close(b.done)
	}
}
