package fleet

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// invoke runs a service. If the process ends, the next Run runs it again, with Restored set; so does a policy
// after an error.
func (r *runner) invoke(j *job) {
	invoker := r.f.cfg.Services[j.out.Service.Type]
	if invoker == nil {
		invoker = r.f.cfg.Services["*"]
	}
	ctx, cancel := context.WithCancel(r.ctx)
	l := &link{r: r, job: j, ctx: ctx, seq: j.out.Seq, arrived: make(chan struct{}, 1), sending: make(chan struct{}, 1)}
	r.mu.Lock()
	*r.executions[executionID{j.incarnation, j.id}] = execution{j.key, j.version, cancel, l}
	r.mu.Unlock()
	r.services.Go(func() {
		defer cancel()
		if r.ctx.Err() != nil { // the next Run runs it; an attempt now would be noted, and lead to the next one
			r.finish(j, nil)
			return
		}
		switch err := r.attempted(j); {
		case errors.Is(err, errGone), errors.Is(err, ErrNotFound):
			r.finish(j, nil)
			return
		case err != nil:
			r.f.cfg.Logger.Warn("cannot run a service; trying again", "session", j.key, "id", j.idempotency(), "error", err)
			r.finish(j, err)
			return
		}
		var failed error
		defer func() { r.finish(j, failed) }()
		var data any
		ctx, end := r.f.begin(WithTrace(ctx, j.trace), Work{
			Kind: "service", Key: j.key, Chart: j.version.name, Type: j.out.Service.Type, Cause: j.trace, Again: j.attempts > 0, Step: Step{Task: j.id},
		})
		err := call(func() (err error) {
			if invoker == nil {
				return errors.New("no service of this type")
			}
			s := j.out.Service
			inv := scxml.NewInvocation(l)
			inv.ID, inv.Type, inv.Src, inv.Params, inv.Content = s.ID, s.Type, s.Src, s.Params, s.Content
			inv.Restored = j.attempts > 0
			data, err = invoker.Invoke(context.WithValue(ctx, taskKey{}, j), inv)
			return err
		}, "service")
		end(Ending{Err: err})
		if ctx.Err() != nil {
			return // cancelled, or run again by the next Run
		}
		if err != nil && !r.isLast(j, err) {
			r.f.cfg.Logger.Warn("a service has failed; trying again", "session", j.key, "id", j.idempotency(), "attempt", j.attempts+1, "error", err)
			if failed = r.postpone(j, err); failed != nil {
				r.f.cfg.Logger.Warn("cannot note that a service has failed; it will be run again", "session", j.key, "id", j.idempotency(), "error", failed)
			}
			return
		}
		outcome := scxml.Outcome{Task: j.id, Data: data, Err: err}
		if err = r.insist(ctx, j, outcome); err != nil {
			r.f.cfg.Logger.Warn("cannot report a service; it will be run again", "session", j.key, "id", j.idempotency(), "error", err)
		}
	})
}

type taskKey struct{}

// TaskID returns, for the context of a service, the key of its session and an id: the same for each
// run of this invocation, and for no other one. They are "" for other contexts.
func TaskID(ctx context.Context) (key, id string) {
	if j, ok := ctx.Value(taskKey{}).(*job); ok {
		return j.key, j.idempotency()
	}
	return "", ""
}

// attempted notes that a service is about to run.
func (r *runner) attempted(j *job) error {
	return r.f.turn(context.WithoutCancel(r.ctx), j.key, func(_ context.Context, t *turn) error {
		if i := t.taskAt(j.id); t.incarnation == j.incarnation && i >= 0 {
			t.tasks = append([]task(nil), t.tasks...)
			t.tasks[i].attempts++
			t.tasks[i].next = time.Time{}
			t.dirty = true
			return nil
		}
		return errGone
	})
}

// cancel cancels a service.
func (r *runner) cancel(j *job) {
	r.mu.Lock()
	ex := r.executions[executionID{j.incarnation, j.out.Invoke}]
	r.mu.Unlock()
	if ex != nil && ex.cancel != nil {
		ex.cancel()
	}
	r.deliveries.do(func() {
		r.finish(j, r.settle(j, scxml.Outcome{Task: j.id}))
	})
}

// deleted cancels the services of a session that is gone.
func (r *runner) deleted(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ex := range r.executions {
		if ex.key == key && ex.cancel != nil {
			ex.cancel()
		}
	}
}

// forward passes an event to a service that runs.
func (r *runner) forward(j *job) {
	r.mu.Lock()
	ex := r.executions[executionID{j.incarnation, j.out.Invoke}]
	r.mu.Unlock()
	if ex != nil && ex.link != nil {
		ex.link.forward(j)
	}
}

// A link connects a service with its session.
type link struct {
	r       *runner
	job     *job
	ctx     context.Context
	seq     uint64        // of the last event sent
	sending chan struct{} // holds a value while Send is in progress

	mu      sync.Mutex // never held while anything waits
	inbox   []*job     // forwarded events, by their ids
	last    uint64     // id of the last one of them
	arrived chan struct{}
	taken   *job // returned by the last Receive
}

func (l *link) forward(j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j.id <= l.last {
		return
	}
	l.last = j.id
	l.inbox = append(l.inbox, j)
	select {
	case l.arrived <- struct{}{}:
	default:
	}
}

// Send implements [scxml.ServiceLink]. When it returns, the session has processed the event.
func (l *link) Send(ev scxml.Event) error {
	select {
	case l.sending <- struct{}{}:
		defer func() { <-l.sending }()
	case <-l.ctx.Done():
		return scxml.ErrEnded
	}
	changes := l.r.f.hub.watch(l.job.key)
	defer l.r.f.hub.unwatch(l.job.key, changes)
	for n := 1; ; n++ {
		changed, err := l.r.f.report(context.WithoutCancel(l.ctx), l.job.key, l.job.incarnation,
			scxml.Outcome{Task: l.job.id, Event: &ev, Seq: l.seq + 1})
		switch {
		case err == nil && !changed && n == 1, errors.Is(err, ErrNotFound):
			return scxml.ErrEnded
		case err == nil:
			l.seq++
			return nil
		}
		if !l.r.pause(l.ctx, backoff(n), err, changes) {
			return scxml.ErrEnded
		}
	}
}

// Receive implements [scxml.ServiceLink]. An event counts as delivered when the service asks for the
// next one: one that it was working on when the process ended comes again.
func (l *link) Receive(ctx context.Context) (scxml.Event, error) {
	l.mu.Lock()
	taken := l.taken
	l.taken = nil
	l.mu.Unlock()
	if taken != nil {
		if err := l.r.insist(ctx, taken, scxml.Outcome{Task: taken.id}); err != nil {
			return scxml.Event{}, err
		}
	}
	for {
		l.mu.Lock()
		if len(l.inbox) > 0 {
			l.taken, l.inbox = l.inbox[0], l.inbox[1:]
			ev := l.taken.out.Message.Event
			l.mu.Unlock()
			return ev, nil
		}
		l.mu.Unlock()
		select {
		case <-ctx.Done():
			return scxml.Event{}, context.Cause(ctx)
		case <-l.arrived:
		}
	}
}
