package isolate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// newSession makes a session, or restores one.
func (c *child) newSession(req *request, a *answer) error {
	chart, err := c.chart(req.Document)
	if err != nil {
		return err
	}
	a.Chart = describe(chart)
	h := &hosted{present: req.Now, started: req.Now}
	recorder := record.NewRecorder(req.Now, req.Setup.Kinds, func(r *record.Record) {
		r.Time = max(0, h.session.Now().Sub(h.started))
		c.tell(frameRecord, r)
	})
	common := c.options(chart, req.Setup, req.Session)
	common = append(common, scxml.WithClock(func() time.Time { return h.present }),
		scxml.WithWake(func(*scxml.Session) { c.tell(frameNote, note{Op: noteWake, Session: req.Session}) }))
	if req.Setup.Kinds != 0 {
		common = append(common, scxml.WithTrace(recorder.Trace()))
	}
	if req.Setup.Saved != nil {
		opts := []scxml.RestoreOption{common, scxml.WithTimers(req.Setup.Timers)}
		if req.Setup.Migrated {
			opts = append(opts, scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) { return snapshot, nil }))
		}
		h.session, err = scxml.Restore(chart, req.Setup.Saved, opts...)
	} else {
		h.session, err = scxml.New(chart, append(common, newOptions(req.Setup)...)...)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.hosted[req.Session] = h
	c.mu.Unlock()
	a.State = h.state()
	return nil
}

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
		all = append(all, scxml.WithData(d.ID, d.Value))
	}
	if s.Seed != nil {
		all = append(all, scxml.WithSeed(*s.Seed))
	}
	if s.SessionID != "" {
		all = append(all, scxml.WithSessionID(s.SessionID))
	}
	return all
}

// useSession carries out a request of a session.
func (c *child) useSession(ctx context.Context, h *hosted, req *request, a *answer) (err error) {
	s := h.session
	if req.Op == opClose {
		c.mu.Lock()
		delete(c.hosted, req.Session)
		c.mu.Unlock()
		return scxml.ForServer(s).Abandon()
	}
	defer func() { a.State = h.state() }()
	switch req.Op {
	case opStart:
		h.present, h.started = req.Now, req.Now
		return s.Start(ctx)
	case opDo:
		ev, err := req.Event.unpack()
		if err != nil {
			return err
		}
		done, err := s.Do(ctx, req.Now, ev)
		var packErr error
		if a.Effect, packErr = packEffect(&done); packErr != nil {
			return packErr
		}
		if req.Snapshot && err == nil {
			var saveErr error
			a.Snapshot, saveErr = s.Snapshot()
			a.Unsaved = fail(saveErr)
		}
		return err
	case opAdvance:
		return s.Advance(ctx, req.Now)
	case opTry:
		ev, err := req.Event.unpack()
		if err != nil {
			return err
		}
		trial, err := s.Try(ctx, ev)
		a.Trial = describeTrial(trial)
		return err
	case opReport:
		o, err := req.Outcome.unpack()
		if err == nil {
			a.Changed, err = scxml.ForServer(s).Report(o)
		}
		return err
	case opPost:
		ev, err := req.Event.unpack()
		if err != nil {
			return err
		}
		for _, to := range s.Sessions() {
			if a.Found = to.ID() == req.Text; a.Found {
				return scxml.ForServer(to).Deliver(ev)
			}
		}
		return nil
	case opDropDue:
		scxml.ForServer(s).Reschedule(func(d scxml.Delayed) time.Time {
			if d.Due.After(req.Now) {
				return d.Due
			}
			a.Dropped = append(a.Dropped, d.Message.Event.Name)
			return time.Time{}
		})
		return nil
	case opData:
		if len(s.Chart().Data()) == 0 {
			return nil
		}
		v, err := scxml.Data[*datamodel.Object](s)
		if err == nil {
			a.Value = packValue(v)
		}
		return err
	case opGet:
		v, err := s.Eval(ctx, req.Text)
		a.Value = packValue(v)
		return err
	case opEnabled:
		a.Enabled = s.Enabled()
		return nil
	case opSnapshot:
		a.Snapshot, err = s.Snapshot()
		return err
	}
	return fmt.Errorf("a session has no request %q", req.Op)
}

// state returns what the parent may know without asking.
func (h *hosted) state() *state {
	s := h.session
	st := &state{
		Status: s.Status(), Configuration: s.Configuration(), Now: s.Now(), Busy: s.Busy(), Final: s.FinalState(),
		Done: packValue(s.DoneData()), Err: fail(s.Err()), Tasks: packTasks(scxml.ForServer(s).Outbox()),
	}
	if due, ok := s.NextDue(); ok {
		st.Due = due
	}
	return st
}

// packValue returns a neutral value as JSON.
func packValue(v datamodel.Value) json.RawMessage {
	if v == nil {
		return nil
	}
	return datamodel.AppendJSON(nil, v)
}

func packEffect(e *scxml.Effect) (*effect, error) {
	out := &effect{Taken: e.Taken, Handled: e.Handled, Exited: stateNames(e.Exited), Entered: stateNames(e.Entered)}
	for _, t := range e.Transitions {
		out.Transitions = append(out.Transitions, describeTransition(t))
	}
	var errs []error
	for i := range e.Sent {
		m, err := packMessage(&e.Sent[i])
		errs = append(errs, err)
		out.Sent = append(out.Sent, m)
	}
	for _, task := range e.Out {
		out.Out = append(out.Out, task.ID)
	}
	for _, e := range e.Errors {
		x := execution{ExecutionError: *e}
		x.Err = nil
		if cause := new(hostError); errors.As(e.Err, &cause) {
			x.Host = cause.number
		}
		out.Errors = append(out.Errors, x)
	}
	return out, errors.Join(errs...)
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

func describeTrial(t scxml.Trial) *Trial {
	out := &Trial{Handled: t.Handled, Certain: t.Certain}
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
