package bench

import (
	"context"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// A Chart is a chart to be measured, in this process or in a child.
type Chart interface {
	about() (states int, datamodel string)
	descriptors() []string      // of its transitions
	load(context.Context) error // loads it again
	// start returns a new session in its first stable configuration. The observer may be nil.
	start(ctx context.Context, now time.Time, o *observer) (session, error)
}

// A session is a session of the chart.
type session interface {
	// process processes an event with everything that follows from it.
	process(ctx context.Context, now time.Time, ev *scxml.Event) error
	running() bool
	close()
}

// An observer notes what a session does with its events.
type observer struct {
	current string          // name of the event
	took    map[string]bool // those that took a transition
	failed  *scxml.ExecutionError
}

func (o *observer) fail(err *scxml.ExecutionError) {
	if o.failed == nil {
		o.failed = err
	}
}

// Here returns a chart in this process. again loads it.
func Here(chart *scxml.Chart, again func() error) Chart { return &here{chart, again} }

type here struct {
	chart *scxml.Chart
	again func() error
}

func (h *here) about() (int, string)       { return len(h.chart.States()) - 1, h.chart.Datamodel() }
func (h *here) load(context.Context) error { return h.again() }
func (h *here) descriptors() (all []string) {
	for _, t := range h.chart.Transitions() {
		all = append(all, t.Events()...)
	}
	return all
}

func (h *here) start(ctx context.Context, now time.Time, o *observer) (session, error) {
	opts := []scxml.Option{scxml.WithMissing()}
	if o != nil {
		opts = append(opts, scxml.WithTrace(&scxml.Trace{
			Event:      func(_ *scxml.Session, ev *scxml.Event) { o.current = ev.Name },
			Transition: func(*scxml.Session, scxml.Transition) { o.took[o.current] = true },
			Error:      func(_ *scxml.Session, err *scxml.ExecutionError) { o.fail(err) },
		}))
	}
	s, err := scxml.New(h.chart, opts...)
	if err == nil {
		err = s.Start(ctx)
	}
	if err != nil {
		return nil, err
	}
	local := localSession{s}
	return local, local.settle(ctx, now)
}

type localSession struct{ *scxml.Session }

func (s localSession) process(ctx context.Context, now time.Time, ev *scxml.Event) error {
	if err := s.Send(*ev); err != nil {
		return err
	}
	return s.settle(ctx, now)
}

// settle does all the work that is due.
func (s localSession) settle(ctx context.Context, now time.Time) error {
	for range drive.Patience {
		if more, err := s.Step(ctx, now); err != nil || !more {
			return err
		}
	}
	return errRestless
}

func (s localSession) running() bool { return s.Status() == scxml.Running }
func (s localSession) close()        {}

// There returns a chart in a child, and its warnings.
func There(ctx context.Context, tenant *isolate.Tenant, spec isolate.Spec) (Chart, []scxml.Diagnostic, error) {
	s, err := tenant.New(ctx, spec, scxml.WithMissing())
	if err != nil {
		return nil, nil, err
	}
	return &there{tenant, spec, s.Chart()}, s.Chart().Warnings, s.Close()
}

type there struct {
	tenant *isolate.Tenant
	spec   isolate.Spec
	chart  *isolate.Chart
}

func (t *there) about() (int, string) { return len(t.chart.States), t.chart.Datamodel }

func (t *there) descriptors() (all []string) {
	for _, tr := range t.chart.Transitions {
		all = append(all, tr.Events...)
	}
	return all
}

func (t *there) load(ctx context.Context) error {
	s, err := t.tenant.New(ctx, t.spec, scxml.WithMissing())
	if err != nil {
		return err
	}
	return s.Close()
}

func (t *there) start(ctx context.Context, now time.Time, o *observer) (session, error) {
	s, err := t.tenant.New(ctx, t.spec, scxml.WithMissing())
	if err != nil {
		return nil, err
	}
	remote := &remoteSession{s, o}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	return remote, remote.process(ctx, now, new(scxml.Event))
}

type remoteSession struct {
	*isolate.Session
	observer *observer
}

func (s *remoteSession) process(ctx context.Context, now time.Time, ev *scxml.Event) error {
	effect, err := s.Do(ctx, now, *ev)
	if o := s.observer; o != nil {
		o.took[ev.Name] = o.took[ev.Name] || len(effect.Transitions) > 0
		for _, err := range effect.Errors {
			o.fail(err)
		}
	}
	return err
}

func (s *remoteSession) running() bool { return s.Status() == scxml.Running }
func (s *remoteSession) close()        { _ = s.Session.Close() } // only frees memory
