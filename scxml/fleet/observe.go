package fleet

import (
	"context"
	"time"
)

// An Observer hears what a fleet does. Its functions are called from many goroutines at once, most of
// them during the turn of a session: they must neither wait nor call the fleet. A nil function is not
// called.
type Observer struct {
	// Begin is called when work begins, and returns a function that is called once with how it ended, or nil. The
	// context that it returns is that of the work. It may have another trace, see [WithTrace], which
	// the fleet keeps for what the work sets off.
	Begin func(ctx context.Context, w Work) (context.Context, func(Ending))

	// Changed is called for each change of a session that this fleet has stored, after the fact; now is nil if
	// the session was deleted. Changes of other processes are not reported.
	Changed func(key string, now *Glance)
}

// Work is something that a fleet does.
type Work struct {
	// Kind is accept (from the call of Do or Send, or the arrival of a message, to its answer), load (of
	// a session that is not in memory), step, commit, deliver (an attempt) or service (a run).
	Kind  string
	Key   string
	Chart string // "" if it is not known yet

	Step  Step          // what is accepted or done: its Kind, Event, Position and Task
	Type  string        // of deliver and service
	Cause string        // the trace of what has set it off, or ""
	After time.Duration // of a step: since the acceptance of the event, or since the timer was due
	Again bool          // of deliver and service: not the first attempt
}

// An Ending is how work ended.
type Ending struct {
	Err       error
	Duplicate bool   // of accept: the event had been accepted before
	Effect    Effect // of a step
}

// A Glance is what can be said of a session without its chart.
type Glance struct {
	Info
	Inbox   int       // events that wait
	Oldest  time.Time // acceptance of the first of them
	Full    bool      // the inbox takes no more
	Due     time.Time // of the next delayed event, or zero
	Outbox  int       // tasks
	Failing int       // those that have failed and are tried again
	Since   time.Time // when the first of them was handed out
	Error   string    // of its last attempt
	Failure *Failure  // as in [State]
	Size    int       // bytes of the snapshot
}

type traceKey struct{}

// WithTrace returns a context for [Fleet.Send] and [Fleet.Do] whose event carries a trace: a text that is
// stored with the event, such as a traceparent of W3C Trace Context, with a space and the tracestate
// after it if there is one. The contexts of its step, and of the deliveries and services that the step
// sets off, have it too, at any later time and in any process. It may have up to 600 bytes; longer ones
// are ignored.
func WithTrace(ctx context.Context, trace string) context.Context {
	if len(trace) > maxTrace || trace == Trace(ctx) {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, trace)
}

const maxTrace = 600 // bytes

// Trace returns the trace of a context, or "".
func Trace(ctx context.Context) string {
	trace, _ := ctx.Value(traceKey{}).(string)
	return trace
}

// begin tells the observers that work begins.
func (f *Fleet) begin(ctx context.Context, w Work) (context.Context, func(Ending)) {
	if len(f.cfg.Observers) == 0 {
		return ctx, func(Ending) {}
	}
	ends := make([]func(Ending), 0, 4)
	for i := range f.cfg.Observers {
		if begin := f.cfg.Observers[i].Begin; begin != nil {
			var end func(Ending)
			if ctx, end = begin(ctx, w); end != nil {
				ends = append(ends, end)
			}
		}
	}
	if len(ends) == 0 {
		return ctx, func(Ending) {}
	}
	return ctx, func(e Ending) {
		for _, end := range ends {
			end(e)
		}
	}
}

// changed tells the observers, Run and those who watch of a new version of a record, or of its deletion.
func (f *Fleet) changed(key string, rec *record) {
	var now *Glance
	for i := range f.cfg.Observers {
		if changed := f.cfg.Observers[i].Changed; changed != nil {
			if rec != nil && now == nil {
				now = f.glance(rec)
			}
			changed(key, now)
		}
	}
	f.hub.changed(key, rec)
}

func (r *record) info() Info {
	info := r.Record.info()
	info.Status, info.Ended = r.state(), r.ended
	return info
}

func (f *Fleet) glance(r *record) *Glance {
	g := &Glance{
		Info: r.info(), Inbox: len(r.inbox), Due: r.due, Outbox: len(r.tasks), Failure: r.failed(), Size: len(r.snapshot),
		Full: f.cfg.Inbox > 0 && len(r.inbox) >= f.cfg.Inbox,
	}
	if len(r.inbox) > 0 {
		g.Oldest = r.inbox[0].at
	}
	for i := range r.tasks {
		if t := &r.tasks[i]; !t.next.IsZero() {
			if g.Failing++; g.Since.IsZero() {
				g.Since, g.Error = t.since, t.failed
			}
		}
	}
	return g
}

// Survey returns a glance at each of at most n sessions in the order of their keys, beginning after a
// key. Sessions that wait for something are read whole, unless known says that this revision need not
// be; of the others, and of those, only Info is set.
func (f *Fleet) Survey(ctx context.Context, after string, n int, known func(key string, revision uint64) bool) ([]Glance, error) {
	stored, err := f.store.List(ctx, after, n)
	if err != nil {
		return nil, err
	}
	list := make([]Glance, len(stored))
	for i, s := range stored {
		list[i].Info = s.info()
		if !s.Pending && s.Wake.IsZero() && list[i].Status != suspended || known(s.Key, s.Revision) {
			continue
		}
		// One that was deleted since, or is damaged, remains as it was listed.
		if rec, err := f.stored(ctx, s.Key); err == nil {
			list[i] = *f.glance(rec)
		}
	}
	return list, nil
}

// Overdue returns the keys of at most n sessions that the store has with something to do before a time.
func (f *Fleet) Overdue(ctx context.Context, before time.Time, n int) ([]string, error) {
	keys, _, err := f.store.Due(ctx, before, n)
	return keys, err
}

// Cached returns the number of sessions in memory.
func (f *Fleet) Cached() int {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	return len(f.cache.entries)
}
