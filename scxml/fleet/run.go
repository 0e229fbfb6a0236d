package fleet

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const (
	dueAtOnce  = 1000             // sessions with something due that Run asks the store for at once, besides those with deliveries
	clockCheck = time.Second      // longest sleep of Run, in case Config.Now jumps
	rescan     = 30 * time.Second // between looks for what other processes have accepted, in case nobody tells
	readAtOnce = 32               // events of an inbox that one swap consumes
)

// errRunning is returned by a second Run of a fleet.
var errRunning = errors.New("Run is in progress already")

// Run does what the sessions have to do by themselves: it processes inboxes and timers, passes on
// messages between sessions, delivers others, and runs services. If several processes run it for a
// store, each has a [Config].Host, and they share the sessions: a host that comes or goes is noticed
// within 2 s, and one that dies within 5 s, or 16 s if it was taken for dead by mistake in the hour before.
// While two of them work for the same session, work is done twice at most, and its results count once.
// When ctx is done, Run tells the other hosts, finishes the steps in progress, cancels deliveries and
// services, which are repeated by the next Run, and returns the cause of ctx.
func (f *Fleet) Run(ctx context.Context) error {
	r := &runner{
		f: f, ctx: ctx,
		keys: make(map[string]bool), retries: make(map[string]retry), executions: make(map[executionID]*execution),
		noted: make(map[string]kind), trials: make(map[string]bool), unsure: make(map[string]bool), slowed: make(map[string]time.Time),
		poke: make(chan struct{}, 1), since: f.cfg.Now(), began: time.Now(), room: firstTrials,
	}
	r.steps.limit, r.slow.limit, r.deliveries.limit, r.alone.limit = f.cfg.Workers, max(1, f.cfg.Workers/8), f.cfg.Workers, 1
	pause := rescan // between two scans
	if f.cfg.Host != "" {
		r.hosts = newHosts(f)
	}
	if !f.hub.setRunner(r) {
		return errRunning
	}
	var hints, rounds sync.WaitGroup
	if r.hosts != nil {
		if store, ok := f.store.(Watcher); ok {
			hints.Go(func() { r.watch(store) })
		} else {
			pause = clockCheck
		}
		rounds.Go(r.join)
	}
	if len(f.cfg.KeepFinished) > 0 {
		rounds.Go(r.retain)
	}
	defer func() {
		hints.Wait()
		rounds.Wait()
		if r.hosts != nil {
			r.hosts.leave(ctx)
		}
		r.steps.drain()
		r.slow.drain()
		r.alone.drain()
		r.deliveries.drain()
		r.services.Wait()
		f.hub.setRunner(nil)
	}()
	var scanned time.Time
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now, sleep := f.cfg.Now(), clockCheck
		if r.hosts.joined() {
			if again := r.again.Swap(false); again || now.Sub(scanned) >= pause || now.Before(scanned) {
				scanned = now
				r.scan()
			}
			sleep = r.due(now)
		}
		timer.Reset(sleep)
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

	hosts             *hosts // nil if there are no other hosts
	steps, deliveries pool
	slow              pool // steps of sessions that took long lately, so that others need not wait for them
	alone             pool // trials, one at a time
	began             time.Time
	services          sync.WaitGroup
	poke              chan struct{} // the sleep of Run is too long
	again             atomic.Bool   // other sessions than before may have something to do

	mu         sync.Mutex           // never held while anything waits
	keys       map[string]bool      // that are queued or worked for; true: work again after that
	retries    map[string]retry     // keys that have failed for a reason outside of them
	wake       time.Time            // when Run wakes up
	more       bool                 // the store may have more that is due than Run knows
	since      time.Time            // of this Run, or the death of another host
	noted      map[string]kind      // what of keys is from before that and was noted
	trials     map[string]bool      // keys that wait for their turn to be tried alone, or are tried
	unsure     map[string]bool      // keys that may have a note of this Run
	firsts     int                  // of trials: those that wait and did no harm that is known
	room       int                  // for firsts that no process has noted
	slowed     map[string]time.Time // when keys took long
	executions map[executionID]*execution
}

// A retry is when to work for a session again after some failures.
type retry struct {
	at       time.Time
	failures int
}

// scan queues the sessions with something to do, and those with services, which may be deleted.
func (r *runner) scan() {
	now := r.f.cfg.Now()
	r.mu.Lock()
	maps.DeleteFunc(r.slowed, func(_ string, at time.Time) bool { return now.Sub(at) >= slowFor })
	var keys []string
	for _, ex := range r.executions {
		if ex.cancel != nil {
			keys = append(keys, ex.key)
		}
	}
	r.mu.Unlock()
	for _, key := range keys {
		r.ready(key)
	}
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
	n := dueAtOnce + len(r.executions) // a session remains due while a message of it is delivered again
	r.wake = now.Add(clockCheck)       // what the store does not know yet wakes Run up
	r.mu.Unlock()
	keys, next, err := r.f.store.Due(r.ctx, now, n)
	more := len(keys) == n
	for more && err == nil && r.few(keys, now) {
		n *= 2
		keys, next, err = r.f.store.Due(r.ctx, now, n)
		more = len(keys) == n
	}
	if err != nil {
		if r.ctx.Err() == nil {
			r.f.cfg.Logger.Error("cannot list sessions with timers", "error", err)
		}
		next = now.Add(clockCheck)
	}
	r.mu.Lock()
	r.more = more
	for key, retry := range r.retries {
		if !retry.at.After(now) {
			keys = append(keys, key)
		}
	}
	r.mu.Unlock()
	for _, key := range keys {
		r.ready(key)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sooner := func(t time.Time) {
		if t.After(now) && t.Before(r.wake) {
			r.wake = t
		}
	}
	sooner(next)
	for _, retry := range r.retries {
		sooner(retry.at)
	}
	return r.wake.Sub(now)
}

// few reports whether Run can work for few of the sessions, compared with what it can do at once: other
// hosts work for most of them, or they have failed, or wait until another one is done. Most of those
// that are not few are new, because Run asks for more when it has a quarter of that left.
func (r *runner) few(keys []string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, key := range keys {
		if _, slow := r.slowed[key]; !slow && !r.trials[key] && !r.retries[key].at.After(now) && r.hosts.mine(key, version{}) {
			n++
		}
	}
	return n < 3*dueAtOnce/4
}

// ready queues a session.
func (r *runner) ready(key string) {
	if !r.hosts.mine(key, version{}) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.retries[key].at.After(r.f.cfg.Now()) {
		return
	}
	if _, ok := r.keys[key]; ok {
		r.keys[key] = true
		return
	}
	r.keys[key] = false
	steps := &r.steps
	if _, ok := r.slowed[key]; ok {
		steps = &r.slow
	}
	steps.do(func() { r.work(key, false) })
}

// A session is slow if working for it took slowWork, for slowFor after that.
const (
	slowWork = time.Second
	slowFor  = 10 * time.Minute
)

// changed is called for each version of a record that this process stores.
func (r *runner) changed(rec *record) {
	if !r.hosts.mine(rec.Key, version{rec.Chart, rec.Hash}) {
		return
	}
	at, pending := rec.wake()
	due := !at.IsZero() && !at.After(r.f.cfg.Now())
	if pending && !due {
		pending = len(rec.inbox) > 0
		r.mu.Lock()
		for i := 0; i < len(rec.tasks) && !pending; i++ {
			pending = rec.tasks[i].next.IsZero() && r.executions[executionID{rec.incarnation, rec.tasks[i].id}] == nil
		}
		r.mu.Unlock()
	}
	if pending || due {
		r.ready(rec.Key)
	} else {
		r.sooner(at)
	}
}

// sooner wakes Run up if it would sleep for too long for a session. While more is due than Run can do, it
// does not sleep.
func (r *runner) sooner(at time.Time) {
	r.mu.Lock()
	poke := !at.IsZero() && at.Before(r.wake) && !r.more
	r.mu.Unlock()
	if poke {
		r.wakeUp()
	}
}

// lookAgain lets Run look at all sessions.
func (r *runner) lookAgain() {
	r.again.Store(true)
	r.wakeUp()
}

func (r *runner) wakeUp() {
	select {
	case r.poke <- struct{}{}:
	default:
	}
}

// work does what a session has to do, once.
func (r *runner) work(key string, inTurn bool) {
	began := time.Now()
	err := r.step(key, inTurn)
	took := time.Since(began)
	if err == errQueue || err == errQueueLast {
		r.tryAlone(key, err == errQueueLast)
		return
	}
	if errors.Is(err, ErrNotFound) {
		r.deleted(key)
	}
	switch {
	case err == nil || errors.Is(err, ErrNotFound) || r.ctx.Err() != nil:
		err = nil
	default:
		r.f.cfg.Logger.Warn("cannot work for a session now", "session", key, "error", err)
	}
	r.mu.Lock()
	again := r.keys[key]
	delete(r.keys, key)
	delete(r.trials, key)
	if took >= slowWork && !inTurn {
		r.slowed[key] = r.f.cfg.Now()
	}
	if err != nil {
		r.retryLater(key)
	} else {
		delete(r.retries, key)
	}
	more := r.more && r.steps.jobs() <= dueAtOnce/4 // those of slow sessions may last
	r.mu.Unlock()
	if again {
		r.ready(key)
	} else if more || err != nil {
		r.wakeUp()
	}
}

// retryLater lets a session wait after a failure for a reason outside of it. The caller has mu.
func (r *runner) retryLater(key string) {
	n := r.retries[key].failures + 1
	r.retries[key] = retry{r.f.cfg.Now().Add(backoff(n)), n}
}

// step processes a part of the inbox, or what is due, and then begins with the tasks.
func (r *runner) step(key string, inTurn bool) error {
	ctx := context.WithoutCancel(r.ctx)
	var done *turn
	var outbox []scxml.Task
	var idle []bool
	r.mu.Lock()
	noted, since := r.noted[key], r.since
	r.mu.Unlock()
	var trying kind
	var resting resting
	for many := !inTurn; ; {
		r.mu.Lock()
		r.keys[key] = false // the turn sees what has happened until now
		r.mu.Unlock()
		var found kind
		next := asUsual
		err := r.f.turn(ctx, key, func(ctx context.Context, t *turn) (err error) {
			done, outbox, idle, found, next = t, nil, nil, 0, asUsual
			if !r.hosts.mine(key, version{t.Chart, t.Hash}) {
				done = nil
				return nil
			}
			if t.suspended || t.waits() {
				return nil
			}
			if found = r.inherited(t, since, noted); found != 0 {
				if t.running() { // a chart that is not here harms nobody
					if _, err := r.f.definition(ctx, &t.record); err != nil {
						return err
					}
				}
				next = r.suspect(t, found, inTurn, resting)
				return nil
			}
			switch {
			case trying == tasks:
			case !many || len(t.inbox) > 0 && t.inbox[0].at.Before(since): // so that the next Run blames one event
				err = t.one(ctx)
			default:
				if err = t.read(ctx, readAtOnce); err == nil && len(t.inbox) == 0 {
					err = t.advance(ctx)
				}
			}
			if err == nil && !t.used && len(t.inbox) == 0 && t.failure.blocks() && trying != tasks {
				t.failure, t.dirty = nil, true // what has failed does not happen any more
			}
			if err != nil || !t.used && len(t.tasks) == 0 {
				return err
			}
			live, err := t.look(ctx)
			if err == nil {
				t.restored()
				outbox = live.Outbox()
				idle = r.idle(t.incarnation, outbox)
			}
			return err
		})
		var failed *StepError
		switch {
		case err == nil && done == nil:
			return nil
		case err == nil && next == queue:
			return errQueue
		case err == nil && next == queueLast:
			return errQueueLast
		case err == nil && next == rest:
			resting = r.rest(found)
			continue
		case err == nil && (next == alone || next == company):
			many, resting, trying, noted = false, notRested, found, noted|found
			r.mu.Lock()
			r.noted[key] = noted
			delete(r.unsure, key)
			r.mu.Unlock()
			continue
		case err == nil && trying == work && r.inherited(done, since, noted) == tasks:
			continue // the tasks, with a note of their own
		case err == nil:
			r.begin(done, outbox, idle)
			if r.hosts != nil { // it may be another host that has set a timer
				at, _ := done.wake()
				r.sooner(at)
			}
			if trying == tasks && inTurn {
				return r.outlive(done)
			} else if trying == tasks {
				r.services.Go(func() { _ = r.outlive(done) }) // or a later trial takes the note away
			}
			return nil
		case !errors.As(err, &failed) || errors.Is(err, ErrAgain):
			if next == alone || trying != 0 && inTurn { // no process has ended, but there may be a note
				r.mu.Lock()
				r.unsure[key] = true
				r.noted[key] &^= trying
				r.mu.Unlock()
			}
			return err
		case many:
			many = false // so that only one thing can have failed
			continue
		}
		return r.f.failed(ctx, key, done.doing, err)
	}
}

// failed notes that a step has failed. It was the first one of its turn.
func (f *Fleet) failed(ctx context.Context, key string, step Step, err error) error {
	suspended := false // which store says
	failed := f.turn(ctx, key, func(_ context.Context, t *turn) error {
		if step.Position > 0 && step.Position <= t.consumed || step.Task > 0 && t.taskAt(step.Task) < 0 {
			return nil // another process has done it since, or an operator has skipped it
		}
		t.fail(step, err)
		suspended = t.suspended
		return nil
	})
	if failed == nil && !suspended {
		f.cfg.Logger.Warn("a step has failed", "session", key, "step", step.what(), "error", err)
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

// jobs returns how many wait or run.
func (p *pool) jobs() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) + p.active
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
