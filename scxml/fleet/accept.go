package fleet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// CreateOptions say how a session begins.
type CreateOptions struct {
	Chart string         // name of its [Definition]; "" if the fleet has only one
	Data  map[string]any // initial values of data items, see [scxml.WithData]

	// Configuration has the states in which the session begins, see [scxml.WithConfiguration]; nil for
	// the initial ones.
	Configuration []string
}

// Options returns what o says to [scxml.New], for a [Definition].
func (o CreateOptions) Options() scxml.Options {
	var opts scxml.Options
	for name, v := range o.Data {
		opts = append(opts, scxml.WithData(name, v))
	}
	if o.Configuration != nil {
		opts = append(opts, scxml.WithConfiguration(o.Configuration...))
	}
	return opts
}

// Create starts a session and stores it. It enters its initial states, or begins in those of opts, with
// _sessionid set to the key. The error is [ErrKey], [ErrExists], [ErrNotFound] for the chart, [ErrTooMany], or a [*StepError] if
// the options do not fit the chart. After [ErrUnknown], ErrExists can mean that the first call has
// succeeded.
func (f *Fleet) Create(ctx context.Context, key string, opts CreateOptions) error {
	if err := checkKey(key); err != nil {
		return err
	}
	def, err := f.latest(ctx, opts.Chart)
	if err != nil {
		return err
	}
	e, err := f.cache.acquire(ctx, key)
	if err != nil {
		return err
	}
	defer f.cache.release(e)
	exists := false
	if e.rec != nil {
		exists = f.refresh(ctx, e)
	} else if _, err := f.store.Load(ctx, key); err == nil {
		exists = true
	} else if !errors.Is(err, ErrNotFound) {
		return err
	}
	if exists {
		return fmt.Errorf("session %q: %w", key, ErrExists)
	}
	if c, ok := f.store.(Counter); ok && f.cfg.Sessions > 0 {
		if n, err := c.Len(ctx); err != nil {
			return fmt.Errorf("cannot create session %q: %w", key, err)
		} else if n >= f.cfg.Sessions {
			return fmt.Errorf("cannot create session %q: the store has %d sessions: %w", key, n, ErrTooMany)
		}
	}
	e.drop()
	t := &turn{f: f, e: e, now: f.cfg.Now(), record: record{incarnation: rand.Uint64() | 1}} // a feed has 0
	t.Key, t.Chart, t.Hash = key, def.Name(), def.Hash()
	err = t.prepare(ctx, func(ctx context.Context, t *turn) (err error) {
		if e.live, err = def.New(ctx, f.env, key, opts); err != nil {
			return &StepError{key, err}
		}
		t.used = true
		t.cause = Trace(ctx)
		ctx, end := t.begin(ctx, Step{Kind: "start"})
		defer func() { end(Ending{Err: err}) }()
		before := t.before(ctx, e.live)
		if err := e.live.Start(ctx); err != nil {
			return &StepError{key, err}
		}
		t.attribute(ctx, e.live, before)
		t.cause = Trace(ctx)
		_, _, err = t.do(ctx, t.now, scxml.Event{}, Step{}) // what the first macrostep has sent
		t.note(Step{Kind: "start"}, Effect{Entered: e.live.Configuration()})
		return err
	})
	if err == nil {
		err = t.store(ctx)
	}
	if err != nil {
		e.drop()
	}
	if errors.Is(err, ErrConflict) {
		return fmt.Errorf("session %q: %w", key, ErrExists)
	}
	return err
}

// A SendOption is an option of [Fleet.Send] and [Fleet.Do].
type SendOption func(*request)

// ID identifies an event, so that its sender can repeat the call. A session that has accepted an
// event with this id does not accept it again, and gives the same answer. The error is [ErrReused] if
// that event had another name or other data; the order of keys does not matter. A session remembers
// the ids of its last events, see [Config].IDs, and may refuse an event rather than forget an id too
// early, see [Config].IDsFor: the error is [ErrManyIDs].
func ID(id string) SendOption { return func(r *request) { r.id = id } }

// maxMarks bounds the sources of a session, those that are sessions included.
const maxMarks = 1000

// From says that the event is number n of a source, such as a feed of messages. A session accepts only
// numbers of a source that are greater than those before, however long ago that was. What is not
// greater is a duplicate. A session has at most 1,000 sources.
func From(source string, n uint64) SendOption {
	return func(r *request) { r.source, r.n = source, n }
}

// A request is an event that somebody sends.
type request struct {
	id, source string
	n          uint64
	ev         scxml.Event
	digest     uint64 // of ev, if it has an id
}

// A Receipt says that an event was accepted.
type Receipt struct {
	Position  uint64 `json:"position"`  // among all events that the session has accepted, from 1; 0 for an old duplicate of a [From]
	Duplicate bool   `json:"duplicate"` // it had been accepted before
}

// A Result is what an event did.
type Result struct {
	Receipt
	Handled       bool     // the event enabled a transition
	Status        string   // of the session: running, final or stopped
	Configuration []string // its active states
	Effect        Effect   // zero for a duplicate
}

func (f *Fleet) newRequest(ev scxml.Event, opts []SendOption) (*request, error) {
	r := &request{ev: ev}
	for _, o := range opts {
		o(r)
	}
	if len(r.id) > 200 || len(r.source) > 200 {
		return nil, errors.New("the id or source of an event has more than 200 bytes")
	}
	var err error
	if r.ev.Data, err = datamodel.From(ev.Data); err == nil {
		err = f.checkEvent(r.ev)
	}
	if err == nil {
		r.digest = digest(r.id, r.ev)
	}
	return r, err
}

// dataDepth is how deep the data of an event may be nested. A session must be able to take what was
// accepted for it, and charts with scxml.Strict limits take 200.
const dataDepth = 100

// checkEvent checks an event with neutral data.
func (f *Fleet) checkEvent(ev scxml.Event) error {
	limit := math.MaxInt
	if f.cfg.Size > 0 {
		limit = f.cfg.Size / 2
	}
	switch size, depth := datamodel.Size(ev.Data, limit, dataDepth); {
	case size > limit:
		return fmt.Errorf("data of event %q: more than %d bytes: %w", ev.Name, limit, ErrTooLarge)
	case depth > dataDepth:
		return fmt.Errorf("data of event %q: nested deeper than %d: %w", ev.Name, dataDepth, ErrTooLarge)
	}
	return datamodel.CheckEventName(ev.Name)
}

// admit checks a request. If it is not new, the position is that of the event.
func (t *turn) admit(ctx context.Context, r *request) (receipt Receipt, err error) {
	if r.id != "" {
		receipt, found, err := t.accepted(r)
		if found || err != nil {
			return receipt, err
		}
	}
	marked := -1
	if r.source != "" {
		marked = t.marked(r.source, 0)
		if marked >= 0 && r.n <= t.marks[marked].n {
			return Receipt{Duplicate: true}, nil
		}
	}
	def, err := t.f.definition(ctx, &t.record)
	switch {
	case err != nil:
		return receipt, err
	case !def.Accepts(r.ev.Name):
		return receipt, fmt.Errorf("session %q: event %q: %w", t.Key, r.ev.Name, scxml.ErrNotAccepted)
	case !t.running():
		return receipt, fmt.Errorf("session %q: %w", t.Key, ErrEnded)
	case r.id != "" && t.mustRemember():
		return receipt, fmt.Errorf("session %q: %w: %d in %v", t.Key, ErrManyIDs, t.f.cfg.IDs, t.f.cfg.IDsFor)
	}
	if r.source != "" {
		if marked < 0 && len(t.marks) >= maxMarks {
			return receipt, fmt.Errorf("session %q: more than %d sources of events: %w", t.Key, maxMarks, ErrTooLarge)
		}
		t.mark(mark{source: r.source, n: r.n})
	}
	t.Accepted++
	return Receipt{Position: t.Accepted}, nil
}

// post puts an event into the inbox.
func (t *turn) post(l inboxEvent) error {
	size := len(l.ev) + len(l.trace)
	for i := range t.inbox {
		size += len(t.inbox[i].ev) + len(t.inbox[i].trace)
	}
	switch limit := t.f.cfg.Size; {
	case limit > 0 && len(l.ev) > limit/2:
		return fmt.Errorf("session %q: the event has %d bytes, more than %d: %w", t.Key, len(l.ev), limit/2, ErrTooLarge)
	case t.f.cfg.Inbox > 0 && len(t.inbox) >= t.f.cfg.Inbox, limit > 0 && size > limit:
		return fmt.Errorf("session %q: %w", t.Key, ErrInboxFull)
	}
	t.inbox = append(t.inbox, l)
	t.dirty = true
	return nil
}

// Send accepts an event for a session. When it returns, the event is stored and will be processed, in
// the order of acceptance and as of the present time: by [Fleet.Run], or by a later Do. Send works for
// a suspended session. The error is [ErrNotFound], [ErrEnded], [ErrInboxFull], [ErrTooLarge],
// [scxml.ErrNotAccepted], [*ChartError], [ErrUnknown], [ErrReused], [ErrManyIDs], or says what is wrong
// with the event.
func (f *Fleet) Send(ctx context.Context, key string, ev scxml.Event, opts ...SendOption) (_ Receipt, err error) {
	r, err := f.newRequest(ev, opts)
	if err != nil {
		return Receipt{}, err
	}
	encoded := encodeEvent(r.ev)
	var receipt Receipt
	ctx, end := f.begin(ctx, Work{Kind: "accept", Key: key, Step: Step{Kind: "event", Event: ev.Name}, Cause: Trace(ctx)})
	defer func() { end(Ending{Err: err, Duplicate: receipt.Duplicate}) }()
	err = f.turn(ctx, key, func(inner context.Context, t *turn) (err error) {
		if receipt, err = t.admit(inner, r); err != nil || receipt.Duplicate {
			return err
		}
		return t.post(inboxEvent{at: t.now, id: r.id, ev: encoded, trace: Trace(ctx)})
	})
	if err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

// Do gives a session an event, after those that wait in its inbox and after what is due. When it
// returns, the event was accepted and processed, and the result is stored. If it fails, the session
// is as if the event had not happened. Besides the errors of Send it fails with [ErrSuspended], and
// with a [*StepError] if the session cannot do the step, or an earlier one.
func (f *Fleet) Do(ctx context.Context, key string, ev scxml.Event, opts ...SendOption) (_ Result, err error) {
	r, err := f.newRequest(ev, opts)
	if err != nil {
		return Result{}, err
	}
	var res Result
	ended := false
	waiting, one := 0, false // events in the inbox, and whether a turn processes one of them
	ctx, end := f.begin(ctx, Work{Kind: "accept", Key: key, Step: Step{Kind: "event", Event: ev.Name}, Cause: Trace(ctx)})
	defer func() { end(Ending{Err: err, Duplicate: res.Duplicate}) }()
	process := func(ctx context.Context, t *turn) error {
		res, ended, waiting = Result{}, false, len(t.inbox)
		switch {
		case t.suspended && t.running():
			return fmt.Errorf("session %q: %w", key, ErrSuspended)
		case t.suspended:
			waiting = 0 // until an operator has decided
		case one && waiting > 0:
			return t.read(ctx, 1)
		}
		err := t.read(ctx, waiting)
		if err == nil {
			err = t.advance(ctx)
		}
		if err != nil {
			return err
		}
		res.Receipt, err = t.admit(ctx, r)
		switch {
		case errors.Is(err, ErrEnded):
			ended = true
		case err != nil:
			return err
		case res.Duplicate:
			if a := t.answered(r.id); a != nil {
				res.Handled = a.handled
			}
		default:
			step := Step{Kind: "event", Event: ev.Name, Position: res.Position}
			t.cause, t.since = Trace(ctx), time.Time{}
			if res.Effect, _, err = t.do(ctx, t.now, r.ev, step); err != nil {
				return err
			}
			t.consumed++
			res.Handled = res.Effect.Handled
			t.remember(answer{r.id, res.Position, res.Handled, r.digest, t.now})
		}
		live, err := t.look(ctx)
		if err == nil {
			res.Status, res.Configuration = live.Status().String(), live.Configuration()
		}
		return err
	}
	err = f.turn(ctx, key, process)
	// All that waits may have taken too long for one turn.
	if waiting > 0 && broken(err) {
		for one, err = true, nil; err == nil && waiting > 0; {
			err = f.turn(ctx, key, process)
		}
	}
	switch {
	case err != nil:
		return Result{}, err
	case ended:
		return Result{}, fmt.Errorf("session %q: %w", key, ErrEnded)
	}
	return res, nil
}
