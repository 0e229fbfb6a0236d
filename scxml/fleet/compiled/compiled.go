package compiled

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// Define returns a definition for sessions of a chart whose machines make returns, not started. They are compiled from
// the same document: a session of another one cannot be started. Of what make sets with SetUp, the hooks remain. The
// options are those of fleet.Define that concern a machine too: scxml.WithLimits, scxml.WithAccept and scxml.WithMissing.
// What is wrong with them, or with the chart, is told by fleet.New.
func Define(name string, chart *scxml.Chart, make func() machine.Node, opts ...scxml.Option) fleet.Definition {
	d := &definition{Definition: fleet.Define(name, chart, opts...), chart: chart, make: make, limits: chart.Limits()}
	settings, err := scxml.SettingsOf(nil, scxml.Options(opts))
	if settings.Limits != nil {
		d.limits = *settings.Limits
	}
	for _, used := range settings.Used {
		if !slices.Contains([]string{"WithLimits", "WithAccept", "WithMissing"}, used) {
			err = fmt.Errorf("%s is not an option for compiled charts", used)
		}
	}
	if _, c, _ := make().Machine(); c.Hash != chart.Hash() {
		err = fmt.Errorf("%w: the code was generated from another version of %s", machine.ErrChart, chart.File())
	}
	d.err = err
	return d
}

// Check is for [fleet.Fleet.Keep].
func (d *definition) Check(env fleet.Env) error {
	if d.err != nil {
		return d.err
	}
	if i := slices.IndexFunc(env.Outbox.Services, doc.IsSCXMLType); i >= 0 {
		return fmt.Errorf("a compiled chart runs charts itself: it cannot leave the type %q to a service", env.Outbox.Services[i])
	}
	return d.Definition.(interface{ Check(fleet.Env) error }).Check(env)
}

type definition struct {
	fleet.Definition // of interpreted sessions
	chart            *scxml.Chart
	make             func() machine.Node
	limits           scxml.Limits
	err              error
}

// HasState reports whether the chart has a state, for migrations.
func (d *definition) HasState(name string) bool {
	_, ok := d.chart.State(name)
	return ok
}

// Copy returns what [fleet.Fleet.Copy] makes copies with: interpreted sessions.
func (d *definition) Copy(env fleet.Env) (*scxml.Chart, []scxml.Option, error) {
	return d.Definition.(interface {
		Copy(fleet.Env) (*scxml.Chart, []scxml.Option, error)
	}).Copy(env)
}

func (d *definition) New(ctx context.Context, env fleet.Env, id string, opts fleet.CreateOptions) (fleet.Live, error) {
	if d.err != nil {
		return nil, d.err
	}
	l := &live{def: d, env: env}
	if opts.Data == nil && opts.Configuration == nil {
		l.node = l.machine(id)
		return l, nil
	}
	s, err := d.Definition.New(ctx, env, id, opts)
	if err != nil {
		return nil, err
	}
	l.session = s
	return l, nil
}

func (d *definition) Restore(ctx context.Context, env fleet.Env, snapshot []byte) (fleet.Live, error) {
	if d.err != nil {
		return nil, d.err
	}
	l := &live{def: d, env: env}
	if env.Migrate == nil && l.restore(snapshot) == nil {
		return l, nil
	}
	// It has something that a machine cannot hold, is damaged, or of another version, which only a session knows how to
	// migrate.
	s, err := d.Definition.Restore(ctx, env, snapshot)
	if err != nil {
		return nil, err
	}
	l.session = s
	if err := l.compile(ctx); err != nil {
		l.leave()
		return nil, err
	}
	return l, nil
}

// A live is a machine, or a session if it is not started or has something that a machine cannot hold. After questions a
// machine has a session too, in the same state.
type live struct {
	def     *definition
	env     fleet.Env
	node    machine.Node // nil if it is interpreted
	session fleet.Live   // nil if it is not up to date

	tasks   tasks
	effect  fleet.Effect // of the present step
	stopped bool         // by Stop, which the next Do tells
}

// machine makes a machine that is not started.
func (l *live) machine(id string) machine.Node {
	n, limits := l.def.make(), l.def.limits
	machine.SetUp(n, machine.Options{
		SessionID: id, Host: host{l}, Slow: true, // so that nothing is left out of what is saved: tools show the last event
		Limits: machine.Limits{
			Microsteps: limits.Microsteps, InternalQueue: limits.InternalQueue, ExternalQueue: limits.ExternalQueue,
			Timers: limits.Timers, Delay: limits.Delay, InvokeDepth: limits.InvokeDepth, Sessions: limits.Sessions,
		},
		Hooks: machine.OptionsOf(n).Hooks,
	})
	return n
}

func (l *live) restore(snapshot []byte) error {
	n := l.machine("")
	if err := machine.Restore(n, snapshot); err != nil {
		return err
	}
	if err := l.tasks.read(machine.Outbox(n)); err != nil {
		return err
	}
	l.node = n
	return nil
}

// interpret returns a session in the state of the machine.
func (l *live) interpret(ctx context.Context) (fleet.Live, error) {
	if l.session == nil {
		snapshot, err := l.Snapshot(ctx)
		if err != nil {
			return nil, err
		}
		if l.session, err = l.def.Definition.Restore(ctx, l.env, snapshot); err != nil {
			return nil, err
		}
	}
	return l.session, nil
}

// compile makes a machine in the state of the session, if it can hold that.
func (l *live) compile(ctx context.Context) error {
	l.node = nil
	snapshot, err := l.session.Snapshot(ctx)
	if err == nil {
		_ = l.restore(snapshot) // an error says that it remains interpreted
	}
	return err
}

// change lets a session change the state.
func (l *live) change(ctx context.Context, f func(fleet.Live) error) error {
	s, err := l.interpret(ctx)
	if err == nil {
		err = f(s)
	}
	if err == nil {
		err = l.compile(ctx)
	}
	return err
}

// leave forgets the session, which the machine is about to leave behind.
func (l *live) leave() {
	if l.session != nil {
		l.session.Close()
		l.session = nil
	}
}

func (l *live) Start(ctx context.Context) error {
	if l.node == nil {
		return l.change(ctx, func(s fleet.Live) error { return s.Start(ctx) })
	}
	return limited(machine.Start(l.node, l.env.Now()))
}

func (l *live) Do(ctx context.Context, now time.Time, ev scxml.Event) (effect fleet.Effect, err error) {
	if l.node == nil {
		return l.session.Do(ctx, now, ev)
	}
	l.leave()
	effect, l.effect = l.effect, fleet.Effect{}
	if l.stopped {
		l.stopped = false
		return effect, scxml.ErrStopped
	}
	if machine.Running(l.node) {
		var did machine.Effect
		done := machine.Listen(l.node, &did)
		machine.Advance(l.node, now)
		done()
		note(&effect, did)
		err = l.Err()
	} else {
		err = scxml.ErrEnded
	}
	if ev.Name != "" && err == nil {
		if !machine.Running(l.node) {
			return effect, scxml.ErrEnded
		}
		var did machine.Effect
		did, err = machine.Do(l.node, machine.Event{
			Name: ev.Name, SendID: ev.SendID, Origin: ev.Origin, OriginType: ev.OriginType, InvokeID: ev.InvokeID, Data: fromValue(ev.Data), Raw: ev.Raw,
		})
		if err != nil { // the data cannot be held; or the name is bad, as the session says too
			return l.doInterpreted(ctx, now, ev, effect)
		}
		note(&effect, did)
		effect.Handled = did.Handled
	}
	if err == nil {
		err = l.Err()
	}
	return effect, err
}

// doInterpreted is Do from where the machine is.
func (l *live) doInterpreted(ctx context.Context, now time.Time, ev scxml.Event, before fleet.Effect) (fleet.Effect, error) {
	s, err := l.interpret(ctx)
	if err != nil {
		return before, err
	}
	l.node = nil
	effect, err := s.Do(ctx, now, ev)
	effect.Exited, effect.Entered = append(before.Exited, effect.Exited...), append(before.Entered, effect.Entered...)
	effect.Sent, effect.Errors = append(before.Sent, effect.Sent...), append(before.Errors, effect.Errors...)
	return effect, err
}

func (l *live) Stop(ctx context.Context) error {
	if l.node == nil {
		return l.session.Stop(ctx)
	}
	l.leave()
	var did machine.Effect
	defer machine.Listen(l.node, &did)()
	machine.Stop(l.node)
	note(&l.effect, did)
	l.stopped = true
	return nil
}

// limited returns an error with the limit that it names as one of package scxml.
func limited(err error) error {
	if limit := (*machine.LimitError)(nil); errors.As(err, &limit) {
		return &scxml.LimitError{Limit: limit.Limit, Value: limit.Value}
	}
	return err
}

func (l *live) Deliver(ctx context.Context, to string, ev scxml.Event) (found bool, err error) {
	err = l.change(ctx, func(s fleet.Live) (err error) {
		found, err = s.Deliver(ctx, to, ev)
		return err
	})
	return found, err
}

func (l *live) Report(ctx context.Context, o scxml.Outcome) (changed bool, err error) {
	if l.node != nil && o.Err == nil && o.Event == nil && l.tasks.end(o.Task) {
		l.leave()
		return true, nil
	}
	err = l.change(ctx, func(s fleet.Live) (err error) {
		changed, err = s.Report(ctx, o)
		return err
	})
	return changed, err
}

func (l *live) DropDue(ctx context.Context, now time.Time) (dropped []string, err error) {
	err = l.change(ctx, func(s fleet.Live) (err error) {
		dropped, err = s.DropDue(ctx, now)
		return err
	})
	return dropped, err
}

func (l *live) Snapshot(ctx context.Context) ([]byte, error) {
	if l.node == nil {
		return l.session.Snapshot(ctx)
	}
	outbox, err := l.tasks.text()
	if err != nil {
		return nil, err
	}
	machine.SetOutbox(l.node, outbox)
	return machine.Snapshot(l.node)
}

func (l *live) Close() error {
	l.leave()
	return nil
}
