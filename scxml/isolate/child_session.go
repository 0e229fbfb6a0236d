package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// This file has the requests of sessions, and what a child does for them.

var newSession = method[*hosted, placement, *Chart]{"new", func(_ context.Context, h *hosted, p placement) (*Chart, error) {
	c := h.child
	boundMatches(p.Document.Limits, p.Setup.Limits)
	chart, err := c.chart(&p.Document)
	if err != nil {
		return nil, err
	}
	h.present, h.started = p.Now, p.Now
	recorder := record.NewRecorder(p.Now, p.Kinds, func(r *record.Record) {
		r.Time = max(0, h.session.Now().Sub(h.started))
		c.tell(frameRecord, "", r)
	})
	common := append(c.options(chart, &p.Setup, h.number), scxml.WithClock(func() time.Time { return h.present }),
		scxml.WithWake(func(*scxml.Session) { c.tell(frameNote, noteWake, note{Session: h.number}) }))
	if p.Kinds != 0 {
		common = append(common, scxml.WithTrace(recorder.Trace()))
	}
	if p.Setup.Saved != nil {
		opts := []scxml.RestoreOption{common, scxml.WithTimers(p.Setup.Timers)}
		if p.Setup.Migrated {
			opts = append(opts, scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) { return snapshot, nil }))
		}
		h.session, err = scxml.Restore(chart, p.Setup.Saved, opts...)
	} else {
		h.session, err = scxml.New(chart, append(common, newOptions(&p.Setup)...)...)
	}
	if err != nil {
		return nil, err
	}
	c.hosted.Store(h.number, h)
	return describe(chart), nil
}}

// options returns the options that a new session and a restored one have.
func (c *child) options(chart *scxml.Chart, s *setup, number int) (all scxml.Options) {
	for _, name := range s.Funcs {
		all = append(all, scxml.WithFunc(name, c.hostFunc(name)))
	}
	for _, typ := range s.Services {
		all = append(all, scxml.WithInvoker(typ, &proxies{c, number}))
	}
	if s.Outbox != nil {
		all = append(all, c.outbox(s.Outbox))
	}
	if s.Missing {
		all = append(all, scxml.WithMissing())
	}
	if s.Limits != nil {
		all = append(all, scxml.WithLimits(*s.Limits))
	}
	if s.UserEvents {
		chart.IsUserEvent("x") // loads files now: Send could not
		all = append(all, scxml.WithAccept(chart.IsUserEvent))
	}
	return all
}

// newOptions returns the options that a new session has.
func newOptions(s *setup) (all scxml.Options) {
	for _, d := range s.Data {
		all = append(all, scxml.WithData(d.ID, d.Value.V))
	}
	if s.Seed != nil {
		all = append(all, scxml.WithSeed(*s.Seed))
	}
	if s.SessionID != "" {
		all = append(all, scxml.WithSessionID(s.SessionID))
	}
	if s.Configuration != nil {
		all = append(all, scxml.WithConfiguration(s.Configuration...))
	}
	return all
}

// missing is the error of a request for a session that there is not.
func (h *hosted) missing() error { return fmt.Errorf("session %d: %w", h.number, scxml.ErrEnded) }

// ofSession returns a method of a session that is there.
func ofSession[In, Out any](op string, do func(ctx context.Context, h *hosted, s *scxml.Session, in In) (Out, error)) method[*hosted, In, Out] {
	return method[*hosted, In, Out]{op, func(ctx context.Context, h *hosted, in In) (out Out, err error) {
		if h.session == nil {
			return out, h.missing()
		}
		return do(ctx, h, h.session, in)
	}}
}

// A doing is the argument of Session.Do, and a done its result.
type (
	doing struct {
		Now      time.Time
		Event    *eventjson.Event `json:",omitempty"`
		Snapshot bool             `json:",omitempty"` // also take one
	}
	done struct {
		Effect
		Sent     []message   `json:",omitempty"`
		Errors   []execution `json:",omitempty"`
		Out      []uint64    `json:",omitempty"` // IDs of tasks of the state
		Snapshot []byte      `json:",omitempty"`
		Unsaved  *failure    `json:",omitempty"` // why there is none
	}
)

// A message is a [scxml.Message] without Params. It is decoded faster than one with them.
type message struct {
	Event        eventjson.Event
	Target, Type string        `json:",omitempty"`
	Delay        time.Duration `json:",omitempty"`
}

// An execution is a [scxml.ExecutionError], without its cause.
type execution struct {
	scxml.ExecutionError
	Host int `json:",omitempty"` // number of the host's error that is the cause
}

// A posting is the argument of Session.Deliver.
type posting struct {
	To    string // id of a session of the tree
	Event *eventjson.Event
}

var (
	startSession = ofSession("start", func(ctx context.Context, h *hosted, s *scxml.Session, now time.Time) (none, error) {
		h.present, h.started = now, now
		return none{}, s.Start(ctx)
	})
	doSession = ofSession("do", func(ctx context.Context, h *hosted, s *scxml.Session, in doing) (done, error) {
		e, err := s.Do(ctx, in.Now, h.child.event(in.Event))
		out := packEffect(&e)
		if in.Snapshot && err == nil {
			var saveErr error
			out.Snapshot, saveErr = s.Snapshot()
			out.Unsaved = fail(saveErr)
		}
		return out, err
	})
	advanceSession = ofSession("advance", func(ctx context.Context, h *hosted, s *scxml.Session, to time.Time) (none, error) {
		return none{}, s.Advance(ctx, to)
	})
	trySession = ofSession("try", func(ctx context.Context, h *hosted, s *scxml.Session, in *eventjson.Event) (Trial, error) {
		trial, err := s.Try(ctx, h.child.event(in))
		return describeTrial(trial), err
	})
	evalSession = ofSession("eval", func(ctx context.Context, h *hosted, s *scxml.Session, expr string) (eventjson.Value, error) {
		v, err := s.Eval(ctx, expr)
		return eventjson.Value{V: v}, err
	})
	sessionEnabled = ofSession("enabled", func(_ context.Context, h *hosted, s *scxml.Session, _ none) ([]string, error) {
		return s.Enabled(), nil
	})
	snapshotSession = ofSession("snapshot", func(_ context.Context, h *hosted, s *scxml.Session, _ none) ([]byte, error) {
		return s.Snapshot()
	})
	reportTask = ofSession("report", func(_ context.Context, h *hosted, s *scxml.Session, o outcome) (bool, error) {
		return scxml.ForServer(s).Report(h.child.outcome(&o))
	})
	deliverEvent = ofSession("deliver", func(_ context.Context, h *hosted, s *scxml.Session, in posting) (found bool, err error) {
		for _, to := range s.Sessions() {
			if to.ID() == in.To {
				return true, scxml.ForServer(to).Deliver(h.child.event(in.Event))
			}
		}
		return false, nil
	})
	dropDue = ofSession("dropdue", func(_ context.Context, h *hosted, s *scxml.Session, now time.Time) (dropped []string, err error) {
		scxml.ForServer(s).Reschedule(func(d scxml.Delayed) time.Time {
			if d.Due.After(now) {
				return d.Due
			}
			dropped = append(dropped, d.Message.Event.Name)
			return time.Time{}
		})
		return dropped, nil
	})
	sessionData = ofSession("data", func(_ context.Context, h *hosted, s *scxml.Session, _ none) (eventjson.Value, error) {
		if len(s.Chart().Data()) == 0 {
			return eventjson.Value{}, nil
		}
		v, err := scxml.Data[*datamodel.Object](s)
		return eventjson.OfObject(v), err
	})
	closeSession = ofSession("close", func(_ context.Context, h *hosted, s *scxml.Session, _ none) (none, error) {
		h.child.hosted.Delete(h.number)
		return none{}, scxml.ForServer(s).Abandon()
	})

	// These do not wait for the request in progress.
	sendEvent = ofSession("send", func(_ context.Context, h *hosted, s *scxml.Session, in *eventjson.Event) (none, error) {
		return none{}, s.Send(h.child.event(in))
	})
	stopSession = ofSession("stop", func(_ context.Context, h *hosted, s *scxml.Session, _ none) (none, error) {
		s.Stop()
		return none{}, nil
	})
)

// state returns what the parent may know without asking.
func (h *hosted) state() *state {
	s := h.session
	st := &state{
		Status: s.Status(), Configuration: s.Configuration(), Now: s.Now(), Busy: s.Busy(), Final: s.FinalState(),
		Done: eventjson.Value{V: s.DoneData()}, Err: fail(s.Err()), Tasks: scxml.ForServer(s).Outbox(),
	}
	if due, ok := s.NextDue(); ok {
		st.Due = due
	}
	return st
}

func packEffect(e *scxml.Effect) done {
	out := done{Effect: Effect{Taken: e.Taken, Handled: e.Handled, Exited: stateNames(e.Exited), Entered: stateNames(e.Entered)}}
	for _, t := range e.Transitions {
		out.Transitions = append(out.Transitions, describeTransition(t))
	}
	for i := range e.Sent {
		m := &e.Sent[i]
		out.Sent = append(out.Sent, message{eventjson.Of(m.Event), m.Target, m.Type, m.Delay})
	}
	for _, task := range e.Out {
		out.Out = append(out.Out, task.ID)
	}
	for _, e := range e.Errors {
		x := execution{ExecutionError: *e}
		x.Err = nil
		if cause := new(hostError); errors.As(e.Err, &cause) {
			x.Host = cause.Number
		}
		out.Errors = append(out.Errors, x)
	}
	return out
}

func stateNames(states []scxml.State) (names []string) {
	for _, s := range states {
		names = append(names, s.Name())
	}
	return names
}

func describeTransition(t scxml.Transition) Transition {
	return Transition{t.Source().Name(), t.Events(), t.Cond(), stateNames(t.Targets()), t.Pos()}
}

func describeTrial(t scxml.Trial) Trial {
	out := Trial{Handled: t.Handled, Certain: t.Certain}
	for _, c := range t.Candidates {
		candidate := Candidate{Session: c.Session.ID(), Transition: describeTransition(c.Transition), Verdict: c.Verdict}
		if c.Err != nil {
			candidate.Message = c.Err.Error()
		}
		out.Candidates = append(out.Candidates, candidate)
	}
	return out
}

// describe returns what a parent may know of a chart.
func describe(chart *scxml.Chart) *Chart {
	out := &Chart{Name: chart.Name(), Datamodel: chart.Datamodel(), Data: chart.Data(), Warnings: chart.Warnings(), Hash: chart.Hash(), Own: chart.OwnEvents()}
	for _, s := range chart.States()[1:] {
		out.States = append(out.States, State{s.Name(), s.ID(), s.IsAtomic()})
	}
	for _, t := range chart.Transitions() {
		out.Transitions = append(out.Transitions, describeTransition(t))
	}
	return out
}
