package fleet

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A timer is a delayed event that a step with a trace has sent. Two events with the same name and time
// are one.
type timer struct {
	due   time.Time
	name  string // "" if the session does not tell
	trace string
}

const maxTimers = 100 // of a session

// begin tells the observers that a step begins. What it is about is gone for the next one.
func (t *turn) begin(ctx context.Context, step Step) (context.Context, func(Ending)) {
	w := Work{Kind: "step", Key: t.Key, Chart: t.Chart, Step: step, Cause: t.cause}
	if !t.since.IsZero() {
		w.After = max(0, t.now.Sub(t.since))
	}
	t.cause, t.since = "", time.Time{}
	ctx = WithTrace(ctx, w.Cause)
	if step.Kind == "" || t.trial {
		return ctx, func(Ending) {}
	}
	return t.f.begin(ctx, w)
}

// working leaves out the errors that say only that a session has ended.
func working(err error) error {
	if errors.Is(err, scxml.ErrEnded) || errors.Is(err, scxml.ErrStopped) {
		return nil
	}
	return err
}

// before returns the delayed events before a step that has a trace.
func (t *turn) before(ctx context.Context, live Live) []timer {
	if Trace(ctx) == "" && len(t.timers) == 0 {
		return nil
	}
	return delayed(live)
}

// attribute notes the trace of a step for the tasks and delayed events that are new.
func (t *turn) attribute(ctx context.Context, live Live, before []timer) {
	trace := Trace(ctx)
	if trace == "" && len(t.timers) == 0 {
		return
	}
	var kept []timer
	for _, now := range delayed(live) {
		same := func(old timer) bool { return old.due.Equal(now.due) && old.name == now.name }
		switch i := slices.IndexFunc(t.timers, same); {
		case len(kept) == maxTimers:
		case i >= 0:
			kept = append(kept, t.timers[i])
		case trace != "" && !slices.ContainsFunc(before, same):
			now.trace = trace
			kept = append(kept, now)
		}
	}
	t.timers = kept
	if trace == "" {
		return
	}
	for _, o := range live.Outbox() {
		if _, ok := t.origins[o.ID]; !ok && t.taskAt(o.ID) < 0 {
			if t.origins == nil {
				t.origins = make(map[uint64]string)
			}
			t.origins[o.ID] = trace
		}
	}
}

// delayed returns the delayed events of a session, or the next one of a session in another process.
func delayed(live Live) []timer {
	if d, ok := live.(interface{ Delayed() []scxml.Delayed }); ok {
		var all []timer
		for _, one := range d.Delayed() {
			all = append(all, timer{due: one.Due, name: one.Message.Event.Name})
		}
		return all
	}
	if due, ok := live.NextDue(); ok {
		return []timer{{due: due}}
	}
	return nil
}

// traceOfTimer returns the trace of the delayed event that is due.
func (t *turn) traceOfTimer() string {
	for _, one := range t.timers {
		if one.due.Equal(t.due) {
			return one.trace
		}
	}
	return ""
}
