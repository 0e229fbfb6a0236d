package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/fault"
)

// A turn is a change of a session that is being prepared: a new version of its record, which takes
// the place of the old one in one swap.
type turn struct {
	f   *Fleet
	e   *entry
	now time.Time
	record
	trial bool   // nothing of it will be stored
	dirty bool   // there is something to store
	used  bool   // the live session is ahead of what is stored
	log   []Step // for the session's log
	noted int    // about how many bytes log has taken, left-out steps included
	left  int    // steps that log leaves out
	doing Step   // what the session works at

	cause   string            // trace of what sets off the next step
	since   time.Time         // when that was
	origins map[uint64]string // traces of tasks that are new
}

// turn prepares a change of the session with a key and stores it. The function is called again if
// another process was faster, and must have no effect besides the turn's. If it returns an error, or
// leaves the turn clean, nothing is stored.
func (f *Fleet) turn(ctx context.Context, key string, prepare func(context.Context, *turn) error) error {
	e, err := f.cache.acquire(ctx, key)
	if err != nil {
		return err
	}
	defer f.cache.release(e)
	for read := false; ; {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if e.rec == nil {
			if err := f.load(ctx, e); err != nil {
				return err
			}
			read = true
		}
		t := &turn{f: f, e: e, now: f.cfg.Now(), record: *e.rec, doing: Step{Kind: restoring}}
		lived := e.live != nil
		err := t.prepare(ctx, prepare)
		if lived && errors.Is(err, ErrAgain) {
			e.dropLive() // it had ended before: restore it
			continue
		}
		conflict := err == nil && t.dirty
		if conflict {
			if err = t.store(ctx); !errors.Is(err, ErrConflict) {
				return err
			}
		}
		if t.used {
			e.dropLive()
		}
		if read && !conflict {
			return err
		}
		if same := f.refresh(ctx, e); same && !conflict {
			return err
		}
		read = true // what the cache, or an older version, has led to may be wrong
	}
}

// prepare calls the function, and takes what is to be stored. A panic of the session, of its host or of an
// observer is an error of the step.
func (t *turn) prepare(ctx context.Context, prepare func(context.Context, *turn) error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if fault.Thrower() == self {
			t.e.drop() // nobody knows what it has
			panic(p)
		}
		failed := &scxml.PanicError{Value: p, Stack: debug.Stack(), What: "step"}
		t.f.cfg.Logger.Error("a step has panicked", "session", t.Key, "stack", string(failed.Stack))
		err = &StepError{t.Key, failed}
	}()
	step, cancel := context.WithTimeoutCause(ctx, t.f.cfg.StepTime, errStepTime)
	defer cancel()
	if err = prepare(step, t); err == nil && t.used {
		err = t.save(step)
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx) // and the session is not to blame
	}
	return err
}

// self is the path of this package.
const self = "github.com/scxmlrun/scxmlrun/scxml/fleet"

var errStepTime = errors.New("the step took longer than Config.StepTime")

// load reads the record of an entry from the store. A session in memory stays if the record has it as
// it is: what another process has done is to accept events, then.
func (f *Fleet) load(ctx context.Context, e *entry) error {
	ctx, end := f.begin(ctx, Work{Kind: "load", Key: e.key})
	stored, err := f.store.Load(ctx, e.key)
	if err == nil && e.rec != nil && e.rec.Revision == stored.Revision {
		end(Ending{})
		return nil
	}
	var rec *record
	if err == nil {
		rec, err = decode(stored)
	}
	end(Ending{Err: err})
	if err != nil {
		e.drop()
		return fmt.Errorf("session %q: %w", e.key, err)
	}
	if e.live != nil && !e.rec.same(rec) {
		e.dropLive()
	}
	e.rec = rec
	return nil
}

// same reports whether two records have the same session in the same state.
func (r *record) same(o *record) bool {
	return r.incarnation == o.incarnation && r.Chart == o.Chart && r.Hash == o.Hash && bytes.Equal(r.snapshot, o.snapshot)
}

// refresh gives an entry the version of the store, or none, and reports whether it had that already.
func (f *Fleet) refresh(ctx context.Context, e *entry) bool {
	old := e.rec.Revision
	return f.load(ctx, e) == nil && e.rec.Revision == old
}

// live returns the session as the record has it, to be changed.
func (t *turn) live(ctx context.Context) (Live, error) {
	if t.e.live == nil {
		live, err := t.restore(ctx)
		if err != nil {
			return nil, err
		}
		t.e.live = live
	}
	t.used = true
	return t.e.live, nil
}

// look returns the session, to be read.
func (t *turn) look(ctx context.Context) (Live, error) {
	used := t.used
	live, err := t.live(ctx)
	t.used = used
	return live, err
}

func (t *turn) restore(ctx context.Context) (Live, error) {
	def, err := t.f.definition(ctx, &t.record)
	if err != nil {
		return nil, err
	}
	live, err := def.Restore(ctx, t.f.env, t.snapshot)
	if err != nil {
		return nil, &StepError{t.Key, err}
	}
	return live, nil
}

// save takes what is to be stored from the live session.
func (t *turn) save(ctx context.Context) (err error) {
	live := t.e.live
	if t.snapshot, err = live.Snapshot(ctx); err != nil {
		return &StepError{t.Key, err}
	}
	if size := t.f.cfg.Size; size > 0 && len(t.snapshot) > size {
		return &StepError{t.Key, fmt.Errorf("its snapshot has %d bytes, more than %d: %w", len(t.snapshot), size, ErrTooLarge)}
	}
	t.steps++
	t.tasks = t.handedOut(live.Outbox())
	t.due, _ = live.NextDue()
	t.Status = live.Status().String()
	t.dirty = true
	return nil
}

// handedOut returns the notes about the tasks of the outbox.
func (t *turn) handedOut(outbox []scxml.Task) []task {
	if len(outbox) == 0 {
		return nil
	}
	tasks := make([]task, len(outbox))
	old := t.tasks
	for i, o := range outbox {
		for len(old) > 0 && old[0].id < o.ID {
			old = old[1:]
		}
		if len(old) > 0 && old[0].id == o.ID {
			tasks[i] = old[0]
			continue
		}
		tasks[i] = task{id: o.ID, kind: o.Kind, step: t.steps, since: t.now, trace: t.origins[o.ID]}
		if o.Kind == scxml.TaskSend && o.Message.Type == scxml.SCXMLEventProcessor {
			tasks[i].target = o.Message.Target
		}
	}
	return tasks
}

// store writes the turn.
func (t *turn) store(ctx context.Context) error {
	rec := &t.record
	rec.nonce = rand.Uint64()
	if !t.running() && rec.ended.IsZero() {
		rec.ended = t.now.Add(time.Second - 1).Truncate(time.Second)
	}
	rec.Wake, rec.Pending = rec.wake()
	rec.encode()
	rec.Record.Revision = 0
	stored := rec.Record
	stored.Status = rec.status()
	change := Change{Key: t.Key, Old: t.e.revision(), New: &stored, KeepLog: t.f.cfg.Log}
	if len(t.log) > 0 && t.f.cfg.Log > 0 {
		change.Log = t.entry()
	}
	err := t.f.commit(ctx, change, rec.nonce)
	if err != nil {
		if !errors.Is(err, ErrConflict) {
			t.e.drop()
		}
		return err
	}
	rec.Revision = stored.Revision
	rec.Body = nil
	if rec.suspended && (t.e.rec == nil || !t.e.rec.suspended) {
		t.tellSuspended()
	}
	kept := *rec // without the turn, whose log may be long
	t.e.rec = &kept
	t.f.changed(t.Key, rec)
	return nil
}

// tellSuspended writes the one line of the log that operators watch.
func (t *turn) tellSuspended() {
	level, reason := slog.LevelWarn, "by hand"
	if f := t.failure; f != nil {
		level, reason = slog.LevelError, f.reason()
	}
	t.f.cfg.Logger.Log(context.Background(), level, "a session is suspended", "session", t.Key, "chart", t.Chart, "reason", reason)
}

func (e *entry) revision() uint64 {
	if e.rec == nil {
		return 0
	}
	return e.rec.Revision
}

// wake says when Run has to work for the session, and whether at once.
func (r *record) wake() (at time.Time, pending bool) {
	if r.suspended {
		return at, false
	}
	if r.failure.blocks() && !r.failure.trial() {
		return r.failure.Next, false
	}
	sooner := func(t time.Time) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	sooner(r.due)
	if r.failure.trial() {
		sooner(r.failure.Next) // to forget a note that is left over
	}
	for i := range r.tasks {
		sooner(r.tasks[i].next)
		pending = pending || r.tasks[i].next.IsZero()
	}
	return at, pending || len(r.inbox) > 0
}

// A StepError says that a session could not do a step: its data cannot be saved, its chart exceeds a
// limit, or a function of the host has panicked. The session is as it was before.
type StepError struct {
	Key string
	Err error
}

// Error names the session and the cause.
func (e *StepError) Error() string {
	return fmt.Sprintf("session %q: cannot do the step: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Err }
