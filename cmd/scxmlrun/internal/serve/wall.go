package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A walled is a [fleet.Definition] whose sessions run in child processes. The sessions of one version
// of a chart share children, a limited number each: they are of one author.
type walled struct {
	charts *charts
	v      *version
	chart  *isolate.Chart // of the child that has read the document
	log    *slog.Logger

	mu    sync.Mutex
	child *child // for the next session
}

// maxPerChild is how many sessions a child has.
const maxPerChild = 200

// A child is a child process.
type child struct {
	tenant *isolate.Tenant
	turn   chan struct{} // has a value during a request: one at a time, so that it is known which one has ended the child
	live   int           // sessions that are not closed; guarded by the mutex of the definition
}

// enclose returns the definition of a version. A child checks the document. The error is a
// [*scxml.DocumentError] if it is refused.
func enclose(ctx context.Context, c *charts, v *version) (*walled, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	d := &walled{charts: c, v: v, log: c.logger(v.Chart)}
	tenant, err := c.pool.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	defer tenant.Close()
	s, err := tenant.New(ctx, d.spec(), scxml.WithMissing())
	if died := new(isolate.Error); errors.As(err, &died) && died.Reason != isolate.Closed {
		return nil, &scxml.DocumentError{Diagnostics: []scxml.Diagnostic{{
			Pos: datamodel.Position{File: v.Document, Line: 1, Col: 1}, Severity: scxml.SeverityError, Code: "wall",
			Message: fmt.Sprintf("the document has ended the process that read it: %v", died),
		}}}
	}
	if err != nil {
		return nil, err
	}
	d.chart = s.Chart()
	if hash, err := hex.DecodeString(d.chart.Hash); err != nil || len(hash) != sha256.Size {
		return nil, fmt.Errorf("the child of chart %q says that its hash is %.80q", v.Chart, d.chart.Hash)
	}
	if v.keep == nil {
		v.identify(d.chart.Hash)
	}
	return d, nil
}

func (d *walled) Name() string              { return d.v.Chart }
func (d *walled) Hash() string              { return d.v.Hash }
func (d *walled) Accepts(event string) bool { return d.chart.IsUserEvent(event) }

// spec says what a session is, and what the log hears of it.
func (d *walled) spec() isolate.Spec {
	options := []scxml.ChartOption{scxml.WithLimits(d.charts.wallLimits())}
	if d.v.folder != nil || d.v.Files != nil {
		options = append(options, scxml.WithLoader(d.v))
	}
	return isolate.Spec{
		Name: d.v.Document, Source: d.v.Source, Options: options, Kinds: record.Kinds(record.Log, record.Error), Records: d.logged,
	}
}

// acquire returns a child with room for a session.
func (d *walled) acquire(ctx context.Context) (*child, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.child == nil || d.child.tenant.Err() != nil || d.child.live >= maxPerChild {
		tenant, err := d.charts.pool.Tenant(ctx)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", fleet.ErrAgain, err)
		}
		d.child = &child{tenant: tenant, turn: make(chan struct{}, 1)}
	}
	d.child.live++
	return d.child, nil
}

// release gives the place of a session back. A child without sessions ends.
func (d *walled) release(c *child) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.live--; c.live > 0 {
		return
	}
	c.tenant.Close()
	if d.child == c {
		d.child = nil
	}
}

// outbox is the option for what sessions hand out. An uploaded chart sends nothing over HTTP: it could
// reach what only this machine can.
func (d *walled) outbox(env fleet.Env) scxml.Option {
	o := env.Outbox
	if d.v.Uploaded {
		o.Processors = nil
	}
	return scxml.WithOutbox(o)
}

func (d *walled) New(ctx context.Context, env fleet.Env, id string, opts fleet.CreateOptions) (fleet.Live, error) {
	return d.place(ctx, func(t *isolate.Tenant) (*isolate.Session, error) {
		return t.New(ctx, d.spec(), scxml.WithSessionID(id), scxml.WithClock(env.Now), d.outbox(env), scxml.WithMissing(), opts.Options())
	})
}

func (d *walled) Restore(ctx context.Context, env fleet.Env, snapshot []byte) (_ fleet.Live, err error) {
	spec := d.spec()
	if env.Migrate != nil {
		if snapshot, err = env.Migrate(snapshot); err != nil {
			return nil, err
		}
		spec.Migrated = true
	}
	return d.place(ctx, func(t *isolate.Tenant) (*isolate.Session, error) {
		return t.Restore(ctx, spec, snapshot, scxml.WithClock(env.Now), d.outbox(env))
	})
}

// Copy is for [fleet.Fleet.Copy]. A copy would run in this process.
func (d *walled) Copy(fleet.Env) (*scxml.Chart, []scxml.Option, error) {
	why := "the server was started with --isolate"
	if d.v.Uploaded {
		why = fmt.Sprintf("chart %q was uploaded", d.v.Chart)
	}
	return nil, nil, fmt.Errorf("%w, because %s", fleet.ErrNoCopy, why)
}

func (d *walled) place(ctx context.Context, place func(*isolate.Tenant) (*isolate.Session, error)) (fleet.Live, error) {
	c, err := d.acquire(ctx)
	if err != nil {
		return nil, err
	}
	l := &live{def: d, child: c}
	if err = l.ask(ctx, func() (err error) { l.Session, err = place(c.tenant); return err }); err != nil {
		d.release(c)
		return nil, err
	}
	return l, nil
}

// A live is a session in a child.
type live struct {
	*isolate.Session
	def   *walled
	child *child
}

// ask makes a request to the child, when the others before it have been answered. If another session has
// ended it, the error is fleet.ErrAgain.
func (l *live) ask(ctx context.Context, request func() error) error {
	select {
	case l.child.turn <- struct{}{}:
		defer func() { <-l.child.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := l.child.tenant.Err(); err != nil {
		return fmt.Errorf("%w: %w", fleet.ErrAgain, err)
	}
	return request()
}

func (l *live) Start(ctx context.Context) error {
	return l.ask(ctx, func() error { return l.Session.Start(ctx) })
}

func (l *live) Do(ctx context.Context, now time.Time, ev scxml.Event) (out fleet.Effect, err error) {
	err = l.ask(ctx, func() error {
		e, err := l.Session.Do(ctx, now, ev)
		out = fleet.Effect{Handled: e.Handled, Exited: e.Exited, Entered: e.Entered, Sent: e.Sent, Errors: e.Errors}
		return err
	})
	return out, err
}

func (l *live) Deliver(ctx context.Context, to string, ev scxml.Event) (found bool, err error) {
	err = l.ask(ctx, func() error { found, err = l.Session.Deliver(ctx, to, ev); return err })
	return found, err
}

func (l *live) Report(ctx context.Context, o scxml.Outcome) (changed bool, err error) {
	err = l.ask(ctx, func() error { changed, err = l.Session.Report(ctx, o); return err })
	return changed, err
}

func (l *live) Stop(ctx context.Context) error { return l.ask(ctx, l.Session.Stop) }

func (l *live) DropDue(ctx context.Context, now time.Time) (dropped []string, err error) {
	err = l.ask(ctx, func() error { dropped, err = l.Session.DropDue(ctx, now); return err })
	return dropped, err
}

func (l *live) Snapshot(ctx context.Context) (snapshot []byte, err error) {
	err = l.ask(ctx, func() error { snapshot, err = l.Session.Snapshot(ctx); return err })
	return snapshot, err
}

func (l *live) Enabled(ctx context.Context) (enabled []string, err error) {
	err = l.ask(ctx, func() error { enabled, err = l.Session.Enabled(ctx); return err })
	return slices.DeleteFunc(enabled, func(event string) bool { return !l.def.Accepts(event) }), err
}

func (l *live) Data(ctx context.Context) (data *datamodel.Object, err error) {
	err = l.ask(ctx, func() error { data, err = l.Session.Data(ctx); return err })
	return data, err
}

func (l *live) Eval(ctx context.Context, expr string) (v datamodel.Value, err error) {
	err = l.ask(ctx, func() error { v, err = l.Session.Get(ctx, expr); return err })
	return v, err
}

func (l *live) Try(ctx context.Context, ev scxml.Event) (out fleet.Trial, err error) {
	err = l.ask(ctx, func() error {
		t, err := l.Session.Try(ctx, ev)
		out = fleet.Trial{Handled: t.Handled, Certain: t.Certain}
		for _, c := range t.Candidates {
			out.Candidates = append(out.Candidates, c.String())
		}
		return err
	})
	return out, err
}

// Close does not wait for other sessions of the child.
func (l *live) Close() error {
	end := func() {
		defer l.def.release(l.child)
		_ = l.ask(context.Background(), l.Session.Close) // or the child has ended
	}
	if len(l.child.turn) > 0 {
		go end()
		return nil
	}
	end()
	return nil
}
