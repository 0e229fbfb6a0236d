package fleet

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Deliver delivers a message of a session that has gone to a type of [Config].Processors. It may
// block until ctx is done. If it fails it is called again, see [Config].Retry, also by another process
// after a crash, so a message may arrive more than once: its receiver tells by the ID of the delivery.
// After the last attempt, or an error that wraps [ErrRefused], the chart gets error.communication.
// Messages of a session to the same target are delivered one after the other.
type Deliver func(ctx context.Context, d Delivery) error

// A Delivery is an attempt to deliver a message.
type Delivery struct {
	Key     string // of the session
	ID      string // the same for each attempt, and for this message only
	Attempt int    // 1 for the first one
	Session string // id of the session that sends it, which may be invoked by that of Key
	Message scxml.Message
}

func (r *runner) deliver(j *job) {
	var err error
	defer func() { r.finish(j, err) }()
	if r.ctx.Err() != nil {
		return
	}
	ctx, end := r.f.begin(WithTrace(r.ctx, j.trace), Work{
		Kind: "deliver", Key: j.key, Chart: j.version.name, Type: j.out.Message.Type, Cause: j.trace, Again: j.attempts > 0,
		Step: Step{Event: j.out.Message.Event.Name, Task: j.id},
	})
	err = call(func() error {
		deliver := r.f.cfg.Processors[j.out.Message.Type]
		if deliver == nil {
			return fmt.Errorf("nothing delivers messages of type %q", j.out.Message.Type)
		}
		return deliver(ctx, Delivery{j.key, j.idempotency(), j.attempts + 1, j.out.Session, j.out.Message})
	}, "processor")
	end(Ending{Err: err})
	if err != nil && r.ctx.Err() != nil {
		return // the next Run delivers it
	}
	switch {
	case err == nil || r.isLast(j, err):
		err = r.settle(j, scxml.Outcome{Task: j.id, Err: err})
	default:
		r.f.cfg.Logger.Warn("cannot deliver a message; trying again", "session", j.key, "id", j.idempotency(), "attempt", j.attempts+1, "error", err)
		err = r.postpone(j, err)
	}
	if err != nil {
		r.f.cfg.Logger.Warn("cannot report a delivery; it will be repeated", "session", j.key, "id", j.idempotency(), "error", err)
	}
}

// finish ends the execution of a task. The session may have another one that waited for it. After an error,
// with which the task remains as it was, some time passes before that begins again.
func (r *runner) finish(j *job, err error) {
	r.mu.Lock()
	delete(r.executions, executionID{j.incarnation, j.id})
	if err != nil && !r.retries[j.key].at.After(r.f.cfg.Now()) {
		r.retryLater(j.key)
	}
	r.mu.Unlock()
	if r.ctx.Err() == nil {
		r.ready(j.key)
	}
}

// call calls a function of the host, whose panic is an error.
func call(f func() error, what string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &scxml.PanicError{Value: p, Stack: debug.Stack(), What: what}
		}
	}()
	return f()
}
