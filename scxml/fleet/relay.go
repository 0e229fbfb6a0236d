package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// An execution is that of a task which is being carried out.
type execution struct {
	key     string
	version version            // of the session's chart
	cancel  context.CancelFunc // of a service
	link    *link              // to a service
}

type executionID struct{ incarnation, task uint64 }

// A job is a task with all that is known about it.
type job struct {
	key         string
	version     version // of the session's chart
	incarnation uint64
	task
	out scxml.Task
}

// id is the idempotency key of the task.
func (j *job) idempotency() string {
	return fmt.Sprintf("%s.%x:%d:%d", j.key, j.incarnation, j.step, j.id)
}

// address is where the task goes. Tasks with equal addresses are carried out one after the other.
func (j *job) address() string {
	if j.target != "" {
		key, _ := recipient(j.target)
		return scxml.SCXMLEventProcessor + " " + key
	}
	return j.out.Message.Type + " " + j.out.Message.Target
}

// event returns the event of a message to another session. A session in another process must not
// speak for others.
func (j *job) event() scxml.Event {
	ev := j.out.Message.Event
	id := j.out.Session
	if id != j.key && !strings.HasPrefix(id, j.key+"~") {
		id = j.key
	}
	ev.Origin, ev.OriginType = "#_scxml_"+id, scxml.SCXMLEventProcessor
	return ev
}

// idle reports for each task that it is not being carried out. It is called in a turn of the session:
// what ends an execution has a turn before.
func (r *runner) idle(incarnation uint64, outbox []scxml.Task) []bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	idle := make([]bool, len(outbox))
	for i, o := range outbox {
		idle[i] = r.executions[executionID{incarnation, o.ID}] == nil
	}
	return idle
}

// begin begins with the tasks of a session that are stored and that nothing is done about yet.
// Relays are done when it returns, other tasks continue.
func (r *runner) begin(t *turn, outbox []scxml.Task, idle []bool) {
	now := r.f.cfg.Now()
	busy := make(map[string]bool) // addresses with an earlier task that is not done
	relays := make(map[string][]*job)
	var order []string
	for i := range outbox {
		at := i
		if i >= len(t.tasks) || t.tasks[i].id != outbox[i].ID { // a session in another process may say anything
			if at = t.taskAt(outbox[i].ID); at < 0 {
				continue
			}
		}
		j := &job{t.Key, version{t.Chart, t.Hash}, t.incarnation, t.tasks[at], outbox[i]}
		id := executionID{t.incarnation, j.id}
		if j.kind == scxml.TaskForward {
			r.forward(j)
			continue
		}
		address := ""
		if j.kind == scxml.TaskSend {
			address = j.address()
		}
		r.mu.Lock()
		wait := !idle[i] || r.executions[id] != nil || j.next.After(now) || address != "" && busy[address]
		if !wait && j.target == "" {
			r.executions[id] = &execution{key: t.Key}
		}
		r.mu.Unlock()
		if address != "" && (wait || j.target == "") {
			busy[address] = true
		}
		switch {
		case wait:
		case j.kind == scxml.TaskInvoke:
			r.invoke(j)
		case j.kind == scxml.TaskCancel:
			r.cancel(j)
		case j.target != "":
			if relays[address] == nil {
				order = append(order, address)
			}
			relays[address] = append(relays[address], j)
		default:
			r.deliveries.do(func() { r.deliver(j) })
		}
	}
	for _, address := range order {
		if err := r.relay(relays[address]); err != nil {
			r.f.cfg.Logger.Warn("cannot pass on a message; trying again", "session", t.Key, "error", err)
		}
	}
}

var (
	errNoSession = errors.New("there is no such session")
	errGone      = errors.New("the task is not in the outbox any more")
)

// relay passes on messages of one session to another one, in order. The receiver notes the last one
// of each source, in the same swap with which it accepts them: so it accepts each message once. A
// message that its source does not have any more was accepted, and its mark may be gone. So the
// source is read after the receiver, whose swap fails if that has changed since.
func (r *runner) relay(jobs []*job) error {
	ctx := context.WithoutCancel(r.ctx)
	first := jobs[0]
	to, _ := recipient(first.target)
	var outcomes []scxml.Outcome
	var stuck *job
	var later error
	var arrived []string // events that the receiver has accepted now
	prepare := func(ctx context.Context, t *turn) error {
		outcomes, stuck, later, arrived = nil, nil, nil, nil
		source, err := r.f.peek(ctx, first.key)
		if err != nil {
			return err
		}
		if source.incarnation != first.incarnation {
			return errGone
		}
		for _, j := range jobs {
			if source.taskAt(j.id) < 0 {
				continue
			}
			outcome := scxml.Outcome{Task: j.id}
			at := t.marked(first.key, first.incarnation)
			switch {
			case at >= 0 && j.id <= t.marks[at].n:
				// It was accepted, and what was lost is that this was reported.
			case !t.running():
				outcome.Err = ErrEnded
			default:
				_, child := recipient(j.target)
				ev := j.event()
				if outcome.Err = r.f.checkEvent(ev); outcome.Err != nil {
					break
				}
				err := t.post(inboxEvent{at: t.now, to: child, from: true, ev: encodeEvent(ev), trace: j.trace})
				switch {
				case errors.Is(err, ErrTooLarge):
					outcome.Err = err
				case err != nil:
					stuck, later = j, err
					return nil
				default:
					t.Accepted++
					t.mark(mark{first.key, first.incarnation, j.id})
					arrived = append(arrived, ev.Name)
				}
			}
			outcomes = append(outcomes, outcome)
		}
		t.prune(ctx)
		return nil
	}
	err := errNoSession
	if to != first.key { // else an invoked session that has ended
		if err = checkKey(to); err == nil {
			err = r.f.turn(ctx, to, prepare)
		}
	}
	if err == nil {
		for _, name := range arrived {
			_, end := r.f.begin(ctx, Work{Kind: "accept", Key: to, Step: Step{Kind: "message", Event: name}, Cause: first.trace})
			end(Ending{})
		}
	}
	switch {
	case errors.Is(err, errGone):
		return nil
	case to == first.key, errors.Is(err, ErrKey), errors.Is(err, ErrNotFound):
		outcomes = nil
		for _, j := range jobs {
			outcomes = append(outcomes, scxml.Outcome{Task: j.id, Err: noSession(j.target)})
		}
	case err != nil:
		outcomes, stuck, later = nil, first, err
	}
	if len(outcomes) > 0 {
		// If this fails, the messages are passed on again, and the receiver's mark drops them.
		_, err := r.f.report(ctx, first.key, first.incarnation, outcomes...)
		switch {
		case errors.Is(err, ErrSuspended), errors.Is(err, ErrNotFound):
			return nil
		case err != nil:
			stuck, later = first, err
		}
	}
	if stuck != nil {
		return r.postpone(stuck, later)
	}
	return nil
}

// peek reads the record of another session, without its turn.
func (f *Fleet) peek(ctx context.Context, key string) (*record, error) {
	stored, err := f.store.Load(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return nil, errGone
	} else if err != nil {
		return nil, err
	}
	return decode(stored)
}

func (r *record) marked(source string, incarnation uint64) int {
	return slices.IndexFunc(r.marks, func(m mark) bool { return m.source == source && m.incarnation == incarnation })
}

func (t *turn) mark(m mark) {
	t.marks = slices.Clone(t.marks)
	if i := t.marked(m.source, m.incarnation); i >= 0 {
		t.marks = slices.Delete(t.marks, i, i+1)
	}
	t.marks = append(t.marks, m)
	t.dirty = true
}

const (
	keptMarks = 16 // marks of sessions that are kept without a question
	asked     = 3  // marks that are looked at when there are more
)

// prune removes old marks of sessions that do not need them any more: the source has no task up to
// the mark. Marks of feeds remain.
func (t *turn) prune(ctx context.Context) {
	var old []mark
	sessions := 0
	for _, m := range t.marks {
		if m.incarnation == 0 {
			continue
		}
		if sessions++; len(old) < asked {
			old = append(old, m)
		}
	}
	if sessions <= keptMarks {
		return
	}
	for _, m := range old {
		if t.f.needed(ctx, m) {
			t.mark(m) // look at others the next time
			continue
		}
		t.marks = slices.DeleteFunc(slices.Clone(t.marks), func(n mark) bool { return n == m })
	}
}

// needed reports whether the source of a mark, a session, may not know yet that its message has arrived.
func (f *Fleet) needed(ctx context.Context, m mark) bool {
	source, err := f.peek(ctx, m.source)
	if err != nil {
		return !errors.Is(err, errGone) // it cannot be read
	}
	return source.incarnation == m.incarnation && len(source.tasks) > 0 && source.tasks[0].id <= m.n
}

// report tells a session what has come of its tasks. changed reports whether that was news.
func (f *Fleet) report(ctx context.Context, key string, incarnation uint64, outcomes ...scxml.Outcome) (changed bool, err error) {
	for {
		var done *turn
		one := false // do one thing that comes before the report
		prepare := func(ctx context.Context, t *turn) error {
			done, changed = t, false
			switch {
			case t.incarnation != incarnation:
				return nil
			case t.suspended:
				return fmt.Errorf("session %q: %w", key, ErrSuspended)
			case t.waits():
				return fmt.Errorf("session %q: %w after a failure", key, ErrAgain)
			case one:
				return t.one(ctx)
			}
			err := t.read(ctx, len(t.inbox))
			if err == nil {
				err = t.advance(ctx)
			}
			for i := 0; i < len(outcomes) && err == nil; i++ {
				err = t.report(ctx, outcomes[i], &changed)
			}
			return err
		}
		err = f.turn(ctx, key, prepare)
		failed := (*StepError)(nil)
		if !errors.As(err, &failed) || errors.Is(err, ErrAgain) {
			return changed, err
		}
		if done.doing.Kind != "report" {
			one = true
			if err = f.turn(ctx, key, prepare); err == nil {
				continue
			}
			if !errors.As(err, &failed) || errors.Is(err, ErrAgain) {
				return false, err
			}
		} else if len(outcomes) > 1 {
			for _, o := range outcomes { // so that only one thing can have failed
				_, one := f.report(ctx, key, incarnation, o)
				err = errors.Join(err, one)
			}
			return false, err
		}
		return false, errors.Join(err, f.failed(context.WithoutCancel(ctx), key, done.doing, err))
	}
}

// report passes on an outcome, and sets changed if it was news.
func (t *turn) report(ctx context.Context, o scxml.Outcome, changed *bool) error {
	if t.taskAt(o.Task) < 0 && !t.used {
		return nil
	}
	step := Step{Kind: "report", Task: o.Task}
	cause := ""
	if i := t.taskAt(o.Task); i >= 0 {
		cause = t.tasks[i].trace
	}
	if o.Err != nil {
		step.Note = o.Err.Error()
	}
	if o.Event != nil {
		step.Event = o.Event.Name
	}
	t.doing = step
	live, err := t.live(ctx)
	if err == nil && t.running() { // what the report sets off happens now, not when the session last did something
		_, _, err = t.do(ctx, t.now, scxml.Event{}, Step{})
	}
	if err != nil {
		return err
	}
	news, err := live.Report(ctx, o)
	if err != nil {
		return &StepError{t.Key, err}
	}
	if !news {
		return nil
	}
	*changed = true
	if t.failure != nil && t.failure.Task == o.Task {
		t.failure = nil
	}
	if !t.running() {
		t.note(step, Effect{})
		return nil
	}
	t.cause, t.since = cause, time.Time{}
	_, _, err = t.do(ctx, t.now, scxml.Event{}, step)
	return err
}

// settle is report for a task that was carried out. It tries a few times. If it fails, the task is
// repeated later.
func (r *runner) settle(j *job, outcome scxml.Outcome) error {
	for n := 1; ; n++ {
		_, err := r.f.report(context.WithoutCancel(r.ctx), j.key, j.incarnation, outcome)
		if err == nil || errors.Is(err, ErrNotFound) {
			return nil
		}
		if n == 5 || errors.Is(err, ErrSuspended) {
			return err
		}
		if !r.pause(r.ctx, backoff(n), nil, nil) {
			return err
		}
	}
}

// insist is settle until it succeeds or ctx is done.
func (r *runner) insist(ctx context.Context, j *job, outcome scxml.Outcome) error {
	changed := r.f.hub.watch(j.key)
	defer r.f.hub.unwatch(j.key, changed)
	for {
		err := r.settle(j, outcome)
		if err == nil {
			return nil
		}
		if !r.pause(ctx, backoff(10), err, changed) {
			return err
		}
	}
}

// pause waits after an error, at most until a session that is suspended has changed. It returns false if
// ctx is done first.
func (r *runner) pause(ctx context.Context, d time.Duration, err error, changed <-chan struct{}) bool {
	if !errors.Is(err, ErrSuspended) {
		changed = nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// postpone notes that a task has failed and is to be tried again. A message that does not fit into an inbox
// for as long as Config.GiveUp is an error for the chart; other messages to sessions may have arrived.
func (r *runner) postpone(j *job, cause error) error {
	if errors.Is(cause, ErrInboxFull) && r.f.cfg.Now().Sub(j.since) >= r.f.cfg.GiveUp {
		return r.settle(j, scxml.Outcome{Task: j.id, Err: cause})
	}
	wait := backoff
	if j.target == "" {
		wait = func(attempts int) time.Duration { return r.policy(j).after(attempts, j) }
	}
	return r.f.turn(context.WithoutCancel(r.ctx), j.key, func(_ context.Context, t *turn) error {
		i := t.taskAt(j.id)
		if t.incarnation != j.incarnation || i < 0 {
			return nil
		}
		t.tasks = slices.Clone(t.tasks)
		if j.kind != scxml.TaskInvoke { // whose attempts are counted when they begin
			t.tasks[i].attempts++
		}
		t.tasks[i].next = t.now.Add(wait(t.tasks[i].attempts))
		t.tasks[i].failed = short.Bytes(cause.Error(), maxText)
		t.dirty = true
		return nil
	})
}
