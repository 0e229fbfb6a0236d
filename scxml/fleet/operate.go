package fleet

import (
	"context"
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Suspend suspends a session: it accepts events, but processes nothing until Resume. A session
// that fails three times to do a step, or ends its process as often, is suspended too. The error is
// [ErrEnded]; a session that is suspended already stays so.
func (f *Fleet) Suspend(ctx context.Context, key string) error {
	return f.turn(ctx, key, func(_ context.Context, t *turn) error {
		switch {
		case !t.running():
			return fmt.Errorf("session %q: %w", key, ErrEnded)
		case !t.suspended:
			t.suspended, t.dirty = true, true
			t.note(Step{Kind: "suspend"}, Effect{})
		}
		return nil
	})
}

// Resume lets a suspended session continue. The error is [ErrNotSuspended].
func (f *Fleet) Resume(ctx context.Context, key string) error {
	return f.turn(ctx, key, func(_ context.Context, t *turn) error {
		if !t.suspended {
			return fmt.Errorf("session %q: %w", key, ErrNotSuspended)
		}
		t.resume("resume", "")
		return nil
	})
}

func (t *turn) resume(kind, note string) {
	t.suspended, t.failure, t.dirty = false, nil, true
	t.note(Step{Kind: kind, Note: note}, Effect{})
}

// Retry lets a session try again at once what has failed, with all attempts anew. The error is
// [ErrNoFailure].
func (f *Fleet) Retry(ctx context.Context, key string) error {
	return f.turn(ctx, key, func(_ context.Context, t *turn) error {
		if t.failed() == nil {
			return t.noFailure()
		}
		t.resume("retry", t.failure.What)
		return nil
	})
}

func (t *turn) noFailure() error {
	if t.suspended {
		return fmt.Errorf("session %q: %w: it was suspended by hand, and continues after resume", t.Key, ErrNoFailure)
	}
	return fmt.Errorf("session %q: %w", t.Key, ErrNoFailure)
}

// Skip lets a session continue without what has failed: the event at the head of its inbox, the
// delayed events that are due, the report of a task, or its services and deliveries if they have ended the
// process. It says what that was. A skipped service or its report counts as the failure of the service. The
// error is [ErrNoFailure].
func (f *Fleet) Skip(ctx context.Context, key string) (skipped string, err error) {
	err = f.turn(ctx, key, func(ctx context.Context, t *turn) error {
		fail := t.failed()
		switch {
		case fail == nil:
			return t.noFailure()
		case fail.Task != 0:
			live, err := t.live(ctx)
			if err != nil {
				return err
			}
			o := scxml.Outcome{Task: fail.Task}
			if i := t.taskAt(fail.Task); i >= 0 && t.tasks[i].kind == scxml.TaskInvoke {
				o.Err = errSkipped
			}
			if _, err := live.Report(ctx, o); err != nil {
				return &StepError{key, err}
			}
			if t.running() { // it hears of the service now, not when something else happens
				if _, _, err := t.do(ctx, t.now, scxml.Event{}, Step{Kind: "report", Task: fail.Task}); err != nil {
					return err
				}
			}
			skipped = fmt.Sprintf("report of task %d", fail.Task)
		case fail.What == interruptedTasks:
			live, err := t.live(ctx)
			for i := 0; i < len(t.tasks) && err == nil; i++ {
				if t.tasks[i].local() {
					_, err = live.Report(ctx, scxml.Outcome{Task: t.tasks[i].id, Err: errSkipped})
				}
			}
			if err != nil {
				return &StepError{key, err}
			}
			if t.running() {
				if _, _, err := t.do(ctx, t.now, scxml.Event{}, Step{Kind: "report"}); err != nil {
					return err
				}
			}
			skipped = "services and deliveries"
		case fail.Position != 0:
			if len(t.inbox) == 0 || fail.Position != t.consumed+1 {
				return fmt.Errorf("session %q: %w: the event was processed", key, ErrNoFailure)
			}
			ev, err := decodeEvent(t.inbox[0].ev)
			if err != nil {
				return err
			}
			l := &t.inbox[0]
			t.remember(answer{l.id, t.consumed + 1, false, digest(l.id, ev), l.at})
			t.inbox = t.inbox[1:]
			t.consumed++
			skipped = fmt.Sprintf("event %q at position %d", ev.Name, t.consumed)
		default:
			live, err := t.live(ctx)
			if err != nil {
				return err
			}
			names, err := live.DropDue(ctx, t.now)
			if err != nil {
				return &StepError{key, err}
			}
			skipped = fmt.Sprintf("delayed events %q", names)
		}
		t.resume("skip", skipped)
		return nil
	})
	return skipped, err
}

var errSkipped = errors.New("an operator has skipped this")

// Stop ends a session: its onexit handlers run, and events that wait in its inbox have no effect.
// Its record stays until it is deleted. The error is [ErrEnded] if it has ended before.
func (f *Fleet) Stop(ctx context.Context, key string) error {
	return f.turn(ctx, key, func(ctx context.Context, t *turn) error {
		if !t.running() {
			return fmt.Errorf("session %q: %w", key, ErrEnded)
		}
		live, err := t.live(ctx)
		if err != nil {
			return err
		}
		if err := live.Stop(ctx); err != nil {
			return &StepError{key, err}
		}
		t.suspended, t.failure = false, nil
		_, _, err = t.do(ctx, t.now, scxml.Event{}, Step{Kind: "stop"})
		return err
	})
}

// Delete removes a session and its log, whatever it is doing: nothing of the chart runs, and what
// its outbox has is not delivered. Its key can be used again: a session with it is a new one, which knows
// no event of the old one, nor any [ID].
func (f *Fleet) Delete(ctx context.Context, key string) error {
	return f.remove(ctx, key, func(*Record) error { return nil })
}

// remove deletes a session unless check returns an error for it as it is.
func (f *Fleet) remove(ctx context.Context, key string, check func(*Record) error) error {
	e, err := f.cache.acquire(ctx, key)
	if err != nil {
		return err
	}
	defer f.cache.release(e)
	for {
		e.drop()
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		stored, err := f.store.Load(ctx, key)
		if err == nil {
			err = check(stored)
		}
		if err != nil {
			return fmt.Errorf("session %q: %w", key, err)
		}
		if err = f.commit(ctx, Change{Key: key, Old: stored.Revision}, 0); !errors.Is(err, ErrConflict) {
			if err == nil {
				f.changed(key, nil)
			}
			return err
		}
	}
}
