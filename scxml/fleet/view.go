package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Info is what [Fleet.List] returns about a session.
type Info struct {
	Key      string    `json:"key"`
	Chart    string    `json:"chart"`
	Hash     string    `json:"hash"`
	Status   string    `json:"status"`         // running, final, stopped, or suspended
	Accepted uint64    `json:"accepted"`       // events
	Revision uint64    `json:"revision"`       // grows with each change
	Wake     time.Time `json:"wake,omitzero"`  // when the session continues by itself, or zero
	Ended    time.Time `json:"ended,omitzero"` // when it has ended, or zero if it runs, or nobody knows
}

// A State is what [Fleet.Get] returns about a session. Events that wait in the inbox and timers that are
// due but were not processed have no effect in it.
type State struct {
	Info
	Processed     uint64 // events, of those accepted
	Inbox         int    // events that wait
	Tasks         []TaskInfo
	Failure       *Failure // nil if no step has failed
	Configuration []string
	Enabled       []string // descriptors of the events that the session can react to
	Data          *datamodel.Object
	NextDue       time.Time       // of the next delayed event, or zero
	Final         string          // the final state in which the session has ended, or ""
	Done          datamodel.Value // the <donedata> of that

	// NoCopy is the error of [Fleet.Copy] for sessions of this version, or nil.
	NoCopy error

	// Broken says why the session cannot be looked at: its chart is not defined, say, or does not fit
	// its snapshot. Then the fields from Configuration to Done but for NextDue are zero, and so is NoCopy.
	Broken error
}

// A TaskInfo is a task of a session's outbox.
type TaskInfo struct {
	ID       uint64    `json:"id"`
	Kind     string    `json:"kind"`             // send, invoke, forward or cancel
	Target   string    `json:"target,omitempty"` // of a message to another session
	Since    time.Time `json:"since"`
	Attempts int       `json:"attempts"`        // that have failed; of a service: its runs
	Next     time.Time `json:"next,omitzero"`   // time of the next attempt, or zero
	Error    string    `json:"error,omitempty"` // of the last attempt that has failed, or ""; it may contain data of the session
}

// state is the status of the session, suspended included.
func (r *record) state() string {
	if r.suspended {
		return suspended
	}
	return r.Status
}

// The status of a record: that of its session, or suspended.
const suspended = "suspended"

var running = scxml.Running.String()

// List returns at most n sessions in the order of their keys, beginning after a key.
func (f *Fleet) List(ctx context.Context, after string, n int) ([]Info, error) {
	stored, err := f.store.List(ctx, after, n)
	list := make([]Info, len(stored))
	for i, s := range stored {
		list[i] = s.info()
	}
	return list, err
}

func (r *Record) info() Info {
	state, ended := readStatus(r.Status)
	return Info{r.Key, r.Chart, r.Hash, state, r.Accepted, r.Revision, r.Wake.UTC(), ended}
}

// broken reports whether an error is one of the session itself.
func broken(err error) bool {
	return (errors.As(err, new(*StepError)) || errors.As(err, new(*ChartError))) && !errors.Is(err, ErrAgain)
}

// Get returns the state of a session, as far as it is known if the session cannot be restored.
func (f *Fleet) Get(ctx context.Context, key string) (State, error) {
	var state State
	err := f.turn(ctx, key, func(ctx context.Context, t *turn) error {
		state = State{
			Info:      t.info(),
			Processed: t.consumed, Inbox: len(t.inbox), Failure: t.failed(), NextDue: t.due,
		}
		for _, task := range t.tasks {
			state.Tasks = append(state.Tasks, TaskInfo{
				task.id, task.kind.String(), task.target, task.since.UTC(), task.attempts, task.next.UTC(), task.failed})
		}
		live, err := t.look(ctx)
		if broken(err) {
			state.Broken = err
			return nil
		} else if err != nil {
			return err
		}
		defer func() { t.used = t.used || err != nil }() // see Live
		state.Configuration, state.Final, state.Done = live.Configuration(), live.FinalState(), live.DoneData()
		if t.running() {
			if state.Enabled, err = live.Enabled(ctx); err != nil {
				return err
			}
		}
		if state.Data, err = live.Data(ctx); err != nil {
			return err
		}
		def, err := f.definition(ctx, &t.record)
		if err == nil {
			_, _, state.NoCopy = f.copied(def)
		}
		return err
	})
	if err != nil {
		if stored, failed := f.store.Load(ctx, key); failed == nil {
			if _, damaged := decode(stored); damaged != nil {
				return State{Info: stored.info(), Broken: damaged}, nil
			}
		}
	}
	return state, err
}

// View calls look with a copy of a session that was brought to the present: it has processed its
// inbox and its timers. Nothing of this is stored, and what the copy sends goes nowhere. The copy is
// valid during the call.
func (f *Fleet) View(ctx context.Context, key string, look func(Live) error) error {
	rec, err := f.stored(ctx, key)
	if err != nil {
		return err
	}
	t := &turn{f: f, e: &entry{key: key, rec: rec}, now: f.cfg.Now(), record: *rec, trial: true}
	defer t.e.dropLive()
	return t.prepare(ctx, func(ctx context.Context, t *turn) error {
		live, err := t.look(ctx)
		if err == nil && !t.suspended {
			if err = t.read(ctx, len(t.inbox)); err == nil {
				err = t.advance(ctx)
			}
		}
		t.used = false // there is nothing to save
		if err != nil {
			return err
		}
		return look(live)
	})
}

// Try reports what an event would do now, without doing it.
func (f *Fleet) Try(ctx context.Context, key string, ev scxml.Event) (trial Trial, err error) {
	r, err := f.newRequest(ev, nil)
	if err != nil {
		return trial, err
	}
	err = f.View(ctx, key, func(l Live) error {
		if l.Status() != scxml.Running {
			return fmt.Errorf("session %q: %w", key, ErrEnded)
		}
		trial, err = l.Try(ctx, r.ev)
		return err
	})
	return trial, err
}

// Snapshot returns the snapshot of a session as it is stored, see [scxml.Session.Snapshot].
func (f *Fleet) Snapshot(ctx context.Context, key string) ([]byte, error) {
	rec, err := f.stored(ctx, key)
	if err != nil {
		return nil, err
	}
	return rec.snapshot, nil
}

// A Waiting is an event that was accepted and not processed yet.
type Waiting struct {
	Position uint64
	At       time.Time // of its acceptance
	ID       string    // see [ID]; "" without one
	To       string    // id of the invoked session that it is for, or ""
	Event    scxml.Event
}

// Inbox returns the events that wait in a session, first the one that comes next.
func (f *Fleet) Inbox(ctx context.Context, key string) ([]Waiting, error) {
	rec, err := f.stored(ctx, key)
	if err != nil {
		return nil, err
	}
	return rec.waiting()
}

// waiting returns the events of the inbox.
func (r *record) waiting() ([]Waiting, error) {
	all := make([]Waiting, len(r.inbox))
	for i, l := range r.inbox {
		ev, err := decodeEvent(l.ev)
		if err != nil {
			return nil, fmt.Errorf("session %q: event at position %d: %w", r.Key, r.position(i), err)
		}
		all[i] = Waiting{r.position(i), l.at, l.id, l.to, ev}
	}
	return all, nil
}

// stored returns the record of a session as it is stored.
func (f *Fleet) stored(ctx context.Context, key string) (*record, error) {
	stored, err := f.store.Load(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("session %q: %w", key, err)
	}
	return decode(stored)
}

// A Timer is a delayed event of a session.
type Timer struct {
	Due   time.Time `json:"due"`
	Event string    `json:"event,omitempty"` // "" for a session in another process, which tells only the time of the next one
}

// Timers returns the delayed events of a session, the next one first.
func (f *Fleet) Timers(ctx context.Context, key string) (all []Timer, err error) {
	err = f.turn(ctx, key, func(ctx context.Context, t *turn) error {
		live, err := t.look(ctx)
		if err == nil {
			all = nil
			for _, one := range delayed(live) {
				all = append(all, Timer{one.due.UTC(), one.name})
			}
		}
		return err
	})
	return all, err
}
