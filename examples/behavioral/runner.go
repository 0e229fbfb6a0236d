package behavioral

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A runner has the session of a chart. All b-threads of the chart take turns with it: their state is
// put into it, and taken out again.
type runner struct {
	session  *scxml.Session
	elements map[*datamodel.Node]error // that were checked

	entering bool // an onentry handler of state runs
	state    scxml.State
	bids     []bid
	did      deeds
	key      []byte
}

// epoch is the time in all b-threads, which stands still.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxMacrosteps is how many macrosteps of a b-thread may follow from one event.
const maxMacrosteps = 10_000

// maxErrors is how many error events of a b-thread are reported for one event.
const maxErrors = 10

func newRunner() *runner { return &runner{elements: make(map[*datamodel.Node]error)} }

// newSession returns a session for a b-thread, which has not started.
func (r *runner) newSession(t *Thread, seed uint64) (*scxml.Session, error) {
	opts := []scxml.Option{
		scxml.WithClock(func() time.Time { return epoch }), scxml.WithSessionID(t.Name), scxml.WithSeed(seed),
		scxml.WithTrace(r.trace()), scxml.Options(r.actions()), scxml.WithMissing(),
	}
	for id, value := range t.Data {
		opts = append(opts, scxml.WithData(id, value))
	}
	return scxml.New(t.Chart, opts...)
}

func (r *runner) trace() *scxml.Trace {
	return &scxml.Trace{
		Microstep: func(*scxml.Session, *scxml.Event, []scxml.Transition) { r.entering = false },
		Exit: func(s *scxml.Session, st scxml.State) {
			if s == r.session {
				r.bids = slices.DeleteFunc(r.bids, func(b bid) bool { return b.state == st })
			}
		},
		Transition: func(*scxml.Session, scxml.Transition) { r.entering = false },
		Enter: func(s *scxml.Session, st scxml.State) {
			if r.entering = s == r.session; r.entering {
				r.state = st
			}
		},
		Stable: func(*scxml.Session) { r.entering = false },
		Send: func(_ *scxml.Session, m scxml.Message) {
			r.did.sent = append(r.did.sent, Message{Event: m.Event, Target: m.Target})
		},
		Log: func(_ *scxml.Session, label string, value datamodel.Value) {
			r.did.logged = append(r.did.logged, Log{Label: label, Value: value})
		},
		Error: func(_ *scxml.Session, err *scxml.ExecutionError) {
			if len(r.did.errors) < maxErrors {
				r.did.errors = append(r.did.errors, err)
			}
		},
	}
}

// start runs a new session of a b-thread until it is at rest. Other b-threads of the chart use it from
// now on.
func (r *runner) start(ctx context.Context, t *Thread, seed uint64) error {
	s, err := r.newSession(t, seed)
	if err != nil {
		return err
	}
	r.session, r.bids, r.did = s, r.bids[:0], deeds{}
	return r.rest(ctx, s.Start(ctx))
}

// load puts the session into a state of a b-thread.
func (r *runner) load(t *Thread, rec *record) (err error) {
	if r.session == nil { // in a fork that has not started
		if r.session, err = r.newSession(t, 0); err != nil {
			return err
		}
	}
	return scxml.ForSearch(r.session).LoadState(rec.state)
}

// deeds returns what the session did since it was last loaded or started, or nil.
func (r *runner) deeds() *deeds {
	if r.did.sent == nil && r.did.logged == nil && r.did.failures == nil && r.did.errors == nil {
		return nil
	}
	did := r.did
	return &did
}

// react gives a b-thread an event, and runs it until it is at rest.
func (r *runner) react(ctx context.Context, t *Thread, from *record, ev scxml.Event) error {
	if err := r.load(t, from); err != nil {
		return err
	}
	r.bids, r.did = append(r.bids[:0], from.bids.list...), deeds{}
	return r.rest(ctx, r.session.Send(ev))
}

func (r *runner) rest(ctx context.Context, err error) error {
	s := r.session
	for steps, more := 0, err == nil; more; steps++ {
		if steps == maxMacrosteps {
			return explore.ErrEndless
		}
		if more, err = s.Step(ctx, epoch); err != nil {
			break
		}
	}
	if err != nil && r.did.errors != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w, and then %w", r.did.errors[0], err)
	}
	if err != nil {
		return err
	}
	if _, pending := s.NextDue(); pending {
		return errors.New("a delayed event is pending, but time stands still in a b-program: request an event instead")
	}
	return nil
}

// record enters the state that the session rests in.
func (r *runner) record(rs *records, thread int) (*record, error) {
	s := r.session
	var err error
	if s.Status() != scxml.Running {
		r.bids = r.bids[:0] // and the data do not matter any more
		r.key = append(r.key[:0], s.FinalState()...)
	} else if r.key, err = scxml.ForSearch(s).AppendKey(r.key[:0]); err != nil {
		return nil, err
	}
	own := len(r.key)
	for i := range r.bids {
		r.key = r.bids[i].appendKey(r.key)
	}
	return rs.enter(thread, r.key, func() (*record, error) {
		bids := rs.bidSet(r.bids, bidsKey{s.Chart(), string(r.key[own:])})
		rec := &record{bids: bids, config: s.Configuration(), final: s.Status() != scxml.Running}
		if name := s.FinalState(); name != "" {
			rec.config = []string{name}
		}
		rec.state, err = scxml.ForSearch(s).AppendState(nil)
		return rec, err
	})
}

// A ThreadError says which b-thread made a mistake: one of its expressions failed, it came to no end,
// or it executed <fail>.
type ThreadError struct {
	Thread string
	Err    error // a *FailError, *scxml.ExecutionError, *scxml.LimitError or explore.ErrEndless, or says what cannot be saved
}

func (e *ThreadError) Error() string {
	return fmt.Sprintf("b-thread %q: %s", e.Thread, strings.TrimPrefix(e.Err.Error(), "scxml: "))
}

func (e *ThreadError) Unwrap() error { return e.Err }

// A FailError is the message of a <fail>.
type FailError struct{ Message string }

func (e *FailError) Error() string { return e.Message }
