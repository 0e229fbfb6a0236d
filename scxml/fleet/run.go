package fleet

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const (
	dueAtOnce  = 1000             // sessions with something due that Run asks the store for at once, besides those with deliveries
	clockCheck = time.Second      // longest sleep of Run, in case Config.Now jumps
	rescan     = 30 * time.Second // between looks for what other processes have accepted
	readAtOnce = 32               // events of an inbox that one swap consumes
)

// errRunning is returned by a second Run of a fleet.
var errRunning = errors.New("Run is in progress already")

// Run does what the sessions have to do by themselves: it processes inboxes and timers, passes on
// messages between sessions, delivers others, and runs services. One process runs it for a store;
// if several do, work is done twice at most, and its results count once. When ctx is done, Run
// finishes the steps in progress, cancels deliveries and services, which are repeated by the next
// Run, and returns the cause of ctx.
func (f *Fleet) Run(ctx context.Context) error {
	r := &runner{
		f: f, ctx: ctx,
		keys: make(map[string]bool), rests: make(map[string]rest), flights: make(map[flightID]*flight),
		noted: make(map[string]bool),
		poke:  make(chan struct{}, 1), alone: make(chan struct{}, 1), started: f.cfg.Now(),
	}
	r.steps.limit, r.deliveries.limit = f.cfg.Workers, f.cfg.Workers
	if !f.hub.setRunner(r) {
		return errRunning
	}
	defer func() {
		f.hub.setRunner(nil)
		r.steps.drain()
		r.deliveries.drain()
		r.services.Wait()
	}()
	var scanned time.Time
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := f.cfg.Now()
		if now.Sub(scanned) >= rescan || now.Before(scanned) {
			scanned = now
			r.scan()
		}
		timer.Reset(r.due(now))
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-r.poke:
		case <-timer.C:
		}
	}
}

// A runner is a Run in progress.
type runner struct {
	f   *Fleet
	ctx context.Context // of Run: its end cancels deliveries and services

	started           time.Time
	steps, deliveries pool
	services          sync.WaitGroup
	poke              chan struct{} // the sleep of Run is too long
	alone             chan struct{} // holds a value while a step runs that may have ended a process

	mu      sync.Mutex      // never held while anything waits
	keys    map[string]bool // that are queued or worked for; true: work again after that
	rests   map[string]rest // keys that have failed for a reason outside of them
	wake    time.Time       // when Run wakes up
	more    bool            // the store may have more that is due than Run knows
	noted   map[string]bool // keys with work from before this Run, which was noted
	flights map[flightID]*flight
}

// A rest is how long to wait after some failures.
type rest struct {
	until    time.Time
	failures int
}

// scan queues the sessions with something to do.
func (r *runner) scan() {
	for after := ""; ; {
		keys, err := r.f.store.Pending(r.ctx, after, dueAtOnce)
		if err != nil {
			if r.ctx.Err() == nil {
				r.f.cfg.Logger.Error("cannot list sessions with work", "error", err)
			}
			return
		}
		for _, key := range keys {
			r.ready(key)
		}
		if len(keys) < dueAtOnce {
			return
		}
		after = keys[len(keys)-1]
	}
}

// due queues the sessions with something due, and returns how long Run may sleep.
func (r *runner) due(now time.Time) time.Duration {
	r.mu.Lock()
	n := dueAtOnce + len(r.flights) // a session remains due while a message of it is delivered again
	r.mu.Unlock()
	keys, next, err := r.f.store.Due(r.ctx, now, n)
	more := len(keys) == n
	if err != nil {
		if r.ctx.Err() == nil {
			r.f.cfg.Logger.Error("cannot list sessions with timers", "error", err)
		}
		next = now.Add(clockCheck)
	}
	r.mu.Lock()
	r.more = more
	for key, rest := range r.rests {
		if !rest.until.After(now) {
			keys = append(keys, key)
		}
	}
	r.mu.Unlock()
	for _, key := range keys {
		r.ready(key)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wake = now.Add(clockCheck)
	sooner := func(t time.Time) {
		if t.After(now) && t.Before(r.wake) {
			r.wake = t
		}
	}
	sooner(next)
	for _, rest := range r.rests {
		sooner(rest.until)
	}
	return r.wake.Sub(now)
}

// ready queues a session.
func (r *runner) ready(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rests[key].until.After(r.f.cfg.Now()) {
		return
	}
	if _, ok := r.keys[key]; ok {
		r.keys[key] = true
		return
	}
	r.keys[key] = false
	r.steps.do(func() { r.work(key) })
}

// changed hears of each version of a record that this process stores.
func (r *runner) changed(rec *record) {
	at, pending := rec.wake()
	if pending {
		pending = len(rec.inbox) > 0
		r.mu.Lock()
		for i := 0; i < len(rec.tasks) && !pending; i++ {
			pending = rec.tasks[i].next.IsZero() && r.flights[flightID{rec.incarnation, rec.tasks[i].id}] == nil
		}
		r.mu.Unlock()
	}
	if pending {
		r.ready(rec.Key)
	}
	r.mu.Lock()
	poke := !at.IsZero() && at.Before(r.wake)
	r.mu.Unlock()
	if poke {
		r.wakeUp()
	}
}

func (r *runner) wakeUp() {
	select {
	case r.poke <- struct{}{}:
	default:
	}
}

// work does what a session has to do, once.
func (r *runner) work(key string) {
	err := r.step(key)
	switch {
	case err == nil || errors.Is(err, ErrNotFound) || r.ctx.Err() != nil:
		err = nil
	default:
		r.f.cfg.Logger.Warn("cannot work for a session now", "session", key, "error", err)
	}
	r.mu.Lock()
	again := r.keys[key]
	delete(r.keys, key)
	if err != nil {
		n := r.rests[key].failures + 1
		r.rests[key] = rest{r.f.cfg.Now().Add(backoff(n)), n}
	} else {
		delete(r.rests, key)
	}
	more := r.more && len(r.keys) == 0
	r.mu.Unlock()
	if again {
		r.ready(key)
	} else if more || err != nil {
		r.wakeUp()
	}
}

// step processes a part of the inbox, or what is due, and then begins with the tasks.
func (r *runner) step(key string) error {
	ctx := context.WithoutCancel(r.ctx)
	var done *turn
	var outbox []scxml.Task
	var idle []bool
	r.mu.Lock()
	noted := r.noted[key]
	r.mu.Unlock()
	for many := true; ; {
		marked := false
		err := r.f.turn(ctx, key, func(ctx context.Context, t *turn) (err error) {
			done, outbox, idle, marked = t, nil, nil, false
			if t.suspended || t.failure.blocks() && t.failure.Next.After(t.now) {
				return nil
			}
			if !noted && t.inherited(r.started) {
				t.suspect()
				marked = true
				return nil
			}
			if !many {
				err = t.one(ctx)
			} else if err = t.read(ctx, readAtOnce); err == nil && len(t.inbox) == 0 {
				err = t.advance(ctx)
			}
			if err != nil || !t.used && len(t.tasks) == 0 {
				return err
			}
			live, err := t.look(ctx)
			if err == nil {
				outbox = live.Outbox()
				idle = r.idle(t.incarnation, outbox)
			}
			return err
		})
		var failed *StepError
		switch {
		case err == nil && marked && !done.suspended:
			noted, many = true, false // the next process may blame the head of the inbox alone
			r.mu.Lock()
			r.noted[key] = true
			r.mu.Unlock()
			if done.failure.Attempts > 1 {
				r.alone <- struct{}{}
				defer func() { <-r.alone }()
			}
			continue
		case err == nil:
			r.begin(done, outbox, idle)
			return nil
		case !errors.As(err, &failed) || errors.Is(err, ErrAgain):
			return err
		case many:
			many = false // so that only one thing can have failed
			continue
		}
		return r.f.failed(ctx, key, done.doing, err)
	}
}

// inherited reports whether the session is about to process what it had before a Run began. Another
// Run may have tried, and its process may have ended because of it. A Run notes this once for each
// session, whatever the clock says.
func (t *turn) inherited(started time.Time) bool {
	if len(t.inbox) > 0 {
		return t.inbox[0].at.Before(started)
	}
	return !t.due.IsZero() && t.due.Before(started) && t.running()
}

// suspect notes that the process may end during the next step. If that happens three times, the
// session is suspended.
func (t *turn) suspect() {
	step := Step{Kind: interrupted}
	if len(t.inbox) > 0 {
		step.Position = t.consumed + 1
	}
	t.fail(step, errInterrupted)
	if !t.suspended {
		t.failure.Next = t.now
	}
}

// interrupted is what a session was doing when a process ended, as far as is known.
const interrupted = "work from before the start"

var errInterrupted = errors.New("the process ended during a step, of this session or of another one")

// failed notes that a step has failed. It was the first one of its turn.
func (f *Fleet) failed(ctx context.Context, key string, step Step, err error) error {
	suspended := false
	failed := f.turn(ctx, key, func(_ context.Context, t *turn) error {
		if step.Position > 0 && step.Position <= t.consumed || step.Task > 0 && t.taskAt(step.Task) < 0 {
			return nil // another process has done it since, or an operator has skipped it
		}
		t.fail(step, err)
		suspended = t.suspended
		return nil
	})
	if failed == nil {
		level := slog.LevelWarn
		if suspended {
			level = slog.LevelError
		}
		f.cfg.Logger.Log(ctx, level, "a step has failed", "session", key, "step", step.what(), "suspended", suspended, "error", err)
	}
	return failed
}

// A pool runs jobs, some at once.
type pool struct {
	limit  int
	mu     sync.Mutex // never held while anything waits
	active int
	closed bool
	queue  []func()
	wg     sync.WaitGroup
}

func (p *pool) do(job func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.queue = append(p.queue, job)
	if p.active < p.limit {
		p.active++
		p.wg.Go(p.work)
	}
}

func (p *pool) work() {
	for {
		p.mu.Lock()
		if len(p.queue) == 0 || p.closed {
			p.active--
			p.mu.Unlock()
			return
		}
		job := p.queue[0]
		p.queue[0] = nil
		p.queue = p.queue[1:]
		p.mu.Unlock()
		job()
	}
}

// drain drops the jobs that have not begun, and waits for the others.
func (p *pool) drain() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.wg.Wait()
}
