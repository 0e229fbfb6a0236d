package pool

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Config configures a pool. The zero value works.
type Config struct {
	// Workers is the number of goroutines that drive sessions. The default is GOMAXPROCS.
	Workers int
	// Ended, unless it is nil, is called once for each session that leaves the pool, on the goroutine that
	// drove it. The error is nil after a final state, [scxml.ErrStopped] after Stop and Suspend, a
	// [*scxml.LimitError] for a session that has exceeded a limit, and [scxml.ErrDriven] if another
	// goroutine has driven the session, which is then left to that one. Ended may use all methods of the
	// session and of the pool except Run, and holds up the other sessions of its worker.
	Ended func(s *scxml.Session, err error)
}

// A Pool drives sessions in real time, see the package comment. Its methods may be called from any
// goroutine.
type Pool struct {
	ended   func(*scxml.Session, error)
	workers []*worker
	next    atomic.Uint32 // counts the sessions that were added
	running atomic.Bool
}

// New returns a pool without sessions. It does nothing until Run is called.
func New(cfg Config) *Pool {
	n := cfg.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	p := &Pool{ended: cfg.Ended}
	for range n {
		p.workers = append(p.workers, &worker{pool: p, wake: make(chan struct{}, 1)})
	}
	return p
}

// Add makes a session, starts it on the goroutine of the caller, and leaves it to the pool. The options
// and errors are those of [scxml.New] and [scxml.Session.Start]; the pool sets WithWake and WithClock.
// A session that ends as it starts is one of the pool, too, and leaves it at once.
func (p *Pool) Add(ctx context.Context, chart *scxml.Chart, opts ...scxml.Option) (*scxml.Session, error) {
	m := p.member()
	s, err := scxml.New(chart, append(scxml.Options(opts), m.options())...)
	if err == nil {
		err = s.Start(ctx)
	}
	if err != nil {
		return nil, err
	}
	m.join(s)
	return s, nil
}

// Restore is Add for a session that was saved. It brings the session to the present on the goroutine of
// the caller: what was due meanwhile is processed at its own time. The errors are those of
// [scxml.Restore] and [scxml.Session.Do].
func (p *Pool) Restore(ctx context.Context, chart *scxml.Chart, snapshot []byte, opts ...scxml.RestoreOption) (*scxml.Session, error) {
	m := p.member()
	s, err := scxml.Restore(chart, snapshot, append(opts[:len(opts):len(opts)], m.options())...)
	if err == nil && s.Status() == scxml.Running {
		_, err = s.Do(ctx, time.Now(), scxml.Event{})
		if s.Status() > scxml.Running {
			err = nil // the pool tells of the end
		}
	}
	if err != nil {
		return nil, err
	}
	m.join(s)
	return s, nil
}

// Run drives the sessions until ctx is done, and returns its cause. The sessions are intact then, and
// belong to nobody until Run is called again. It fails if Run is at work already.
func (p *Pool) Run(ctx context.Context) error {
	if !p.running.CompareAndSwap(false, true) {
		return errors.New("scxml/pool: Run: the pool is running already")
	}
	defer p.running.Store(false)
	var all sync.WaitGroup
	for _, w := range p.workers {
		all.Go(func() { w.run(ctx) })
	}
	all.Wait()
	return context.Cause(ctx)
}

// Sessions returns the sessions that the pool drives, in no order.
func (p *Pool) Sessions() []*scxml.Session {
	var all []*scxml.Session
	for _, w := range p.workers {
		w.mu.Lock()
		for _, m := range w.members {
			all = append(all, m.session)
		}
		w.mu.Unlock()
	}
	return all
}
