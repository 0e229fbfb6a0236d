package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Definition makes sessions of one chart. [Define] returns one for sessions in this process. Its
// methods may be called from any goroutine.
type Definition interface {
	// Name is the name by which [CreateOptions] and lists know the chart. At most 1,024 bytes.
	Name() string
	// Hash identifies this version of the chart, as [scxml.Chart.Hash] does. A session stays with
	// its version until [Fleet.Migrate] changes it.
	Hash() string
	// Accepts reports whether the chart accepts an event of this name from outside of the fleet.
	Accepts(event string) bool
	// New returns a session that is not started, with the Data and the Configuration of opts.
	New(ctx context.Context, env Env, id string, opts CreateOptions) (Live, error)
	// Restore returns a session that was saved.
	Restore(ctx context.Context, env Env, snapshot []byte) (Live, error)
}

// An Env is what a fleet gives to its sessions.
type Env struct {
	Now    func() time.Time
	Outbox scxml.Outbox
	// Migrate, if it is not nil, changes a snapshot of another version of the chart to one that
	// fits, see [scxml.WithMigration].
	Migrate func(snapshot []byte) ([]byte, error)
}

// A Live is a session in memory. One goroutine at a time uses it. Its methods are those of
// [scxml.Session]; contexts and errors are for sessions in other processes. An error of any method
// says that the session cannot be used any more: the fleet then closes it, and restores it from what
// is stored.
type Live interface {
	Start(ctx context.Context) error
	Do(ctx context.Context, now time.Time, ev scxml.Event) (Effect, error)
	// Deliver puts an event into the queue of the session with the id to, which may be an invoked
	// one; found is false if there is none.
	Deliver(ctx context.Context, to string, ev scxml.Event) (found bool, err error)
	Report(ctx context.Context, o scxml.Outcome) (changed bool, err error)
	Stop(ctx context.Context) error
	// DropDue cancels the delayed events that are due at a time, and returns their names.
	DropDue(ctx context.Context, now time.Time) ([]string, error)
	Snapshot(ctx context.Context) ([]byte, error)

	NextDue() (due time.Time, ok bool)
	Outbox() []scxml.Task
	Status() scxml.Status
	Err() error
	Configuration() []string
	FinalState() string
	DoneData() datamodel.Value

	Enabled(ctx context.Context) ([]string, error)
	Data(ctx context.Context) (*datamodel.Object, error)
	Eval(ctx context.Context, expr string) (datamodel.Value, error)
	Try(ctx context.Context, ev scxml.Event) (Trial, error)
	Close() error
}

// An Effect is what a session did, see [scxml.Effect].
type Effect struct {
	Handled         bool
	Exited, Entered []string
	Sent            []scxml.Message
	Errors          []*scxml.ExecutionError
}

// A Trial is what an event would do, see [scxml.Trial].
type Trial struct {
	Handled, Certain bool
	Candidates       []string // one line each
}

// SessionData decodes the top-level data items of a session into a T, see [scxml.Data].
func SessionData[T any](ctx context.Context, l Live) (v T, err error) {
	items, err := l.Data(ctx)
	if err == nil {
		err = datamodel.Decode(items, &v)
	}
	return v, err
}

// Define returns a definition for sessions of a chart that run in this process. The options are for
// each of them. [scxml.WithAccept] says which events the sessions accept from outside; without it
// the rule is [scxml.Chart.IsUserEvent]. [New] refuses the options for which the fleet has something
// else: WithData and WithConfiguration ([CreateOptions]), WithSessionID, WithSeed, WithClock,
// WithIOProcessor, WithInvoker and WithOutbox ([Config]), WithHost, WithRouter, WithWake, WithTimers and
// WithMigration. It also refuses a chart that uses a service, an Event I/O Processor, an action or a
// function that neither the Config nor an option gives, unless [scxml.WithMissing] is among the options.
func Define(name string, chart *scxml.Chart, opts ...scxml.Option) Definition {
	return DefineVersion(name, chart.Hash(), chart, opts...)
}

// DefineVersion is [Define] for a version with another hash than that of the chart: one that also covers the
// charts that it invokes, for example.
func DefineVersion(name, hash string, chart *scxml.Chart, opts ...scxml.Option) Definition {
	d := &local{name: name, hash: hash, chart: chart, opts: opts, accept: chart.IsUserEvent}
	restore := make([]scxml.RestoreOption, len(opts))
	for i, o := range opts {
		restore[i] = o
	}
	settings, err := scxml.SettingsOf(nil, restore...)
	if d.err = err; err != nil {
		return d
	}
	if settings.Accept != nil {
		d.accept = settings.Accept
	}
	for _, used := range settings.Used {
		if slices.Contains(refused, used) {
			d.err = fmt.Errorf("%s is not an option for sessions of a fleet", used)
		}
	}
	return d
}

var refused = []string{
	"WithData", "WithSessionID", "WithSeed", "WithClock", "WithIOProcessor", "WithInvoker", "WithOutbox",
	"WithHost", "WithRouter", "WithWake", "WithTimers", "WithMigration", "WithDry", "WithConfiguration",
}

// A local is the Definition of sessions in this process.
type local struct {
	name   string
	hash   string
	chart  *scxml.Chart
	opts   []scxml.Option
	accept func(string) bool
	err    error // of the options
}

func (d *local) Name() string { return d.name }
func (d *local) Hash() string { return d.hash }
func (d *local) HasState(name string) bool {
	_, ok := d.chart.State(name)
	return ok
}
func (d *local) Accepts(event string) bool { return d.accept(event) }

// options are those of New and Restore. The rule for events from outside is that of acceptance: a
// session processes what was accepted, also under the rule of an older version of its chart.
func (d *local) options(env Env) scxml.Options {
	return append(slices.Clip(scxml.Options(d.opts)),
		scxml.WithAccept(nil), scxml.WithClock(env.Now), scxml.WithOutbox(env.Outbox))
}

// Check reports why the fleet cannot make sessions of the chart, and what the chart uses that neither
// the fleet nor an option gives. Sessions are then made without that question.
func (d *local) Check(env Env) error {
	if d.err != nil {
		return d.err
	}
	_, err := scxml.New(d.chart, d.options(env))
	if err != nil {
		const invoker, processor = ": WithInvoker)", ": WithIOProcessor)"
		return errors.New(strings.NewReplacer(invoker, ": Config.Services)", processor, ": Config.Processors)").
			Replace(strings.TrimPrefix(err.Error(), "scxml: New: ")))
	}
	return nil
}

func (d *local) New(_ context.Context, env Env, id string, opts CreateOptions) (Live, error) {
	s, err := scxml.New(d.chart, d.options(env), scxml.WithMissing(), scxml.WithSessionID(id), opts.Options())
	if err != nil {
		return nil, err
	}
	return &session{s, scxml.ForServer(s), d}, nil
}

func (d *local) Restore(_ context.Context, env Env, snapshot []byte) (Live, error) {
	opts := []scxml.RestoreOption{d.options(env), scxml.WithMissing()}
	if env.Migrate != nil {
		opts = append(opts, scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) {
			return env.Migrate(snapshot)
		}))
	}
	s, err := scxml.Restore(d.chart, snapshot, opts...)
	if err != nil {
		return nil, err
	}
	return &session{s, scxml.ForServer(s), d}, nil
}

// A session is a Live in this process.
type session struct {
	*scxml.Session
	scxml.ServerView
	def *local
}

func (s *session) Do(ctx context.Context, now time.Time, ev scxml.Event) (Effect, error) {
	effect, err := s.Session.Do(ctx, now, ev)
	return Effect{effect.Handled, names(effect.Exited), names(effect.Entered), effect.Sent, effect.Errors}, err
}

func names(states []scxml.State) []string {
	if len(states) == 0 {
		return nil
	}
	list := make([]string, len(states))
	for i, st := range states {
		list[i] = st.Name()
	}
	return list
}

func (s *session) Deliver(_ context.Context, to string, ev scxml.Event) (bool, error) {
	for _, t := range s.Sessions() {
		if t.ID() == to {
			return true, scxml.ForServer(t).Deliver(ev)
		}
	}
	return false, nil
}

func (s *session) Report(_ context.Context, o scxml.Outcome) (bool, error) {
	return s.ServerView.Report(o)
}
func (s *session) Stop(context.Context) error               { s.Session.Stop(); return nil }
func (s *session) Snapshot(context.Context) ([]byte, error) { return s.Session.Snapshot() }
func (s *session) Close() error                             { return s.Abandon() }

func (s *session) Delayed() []scxml.Delayed { return scxml.ForTools(s.Session).Delayed() } // for trace.go

func (s *session) DropDue(_ context.Context, now time.Time) (dropped []string, err error) {
	s.Reschedule(func(d scxml.Delayed) time.Time {
		if d.Due.After(now) {
			return d.Due
		}
		dropped = append(dropped, d.Message.Event.Name)
		return time.Time{}
	})
	return dropped, nil
}

// Enabled leaves out the events that the fleet does not accept.
func (s *session) Enabled(context.Context) ([]string, error) {
	return slices.DeleteFunc(s.Session.Enabled(), func(e string) bool { return !s.def.accept(e) }), nil
}

func (s *session) Data(context.Context) (*datamodel.Object, error) {
	if len(s.Chart().Data()) == 0 {
		return new(datamodel.Object), nil
	}
	return scxml.Data[*datamodel.Object](s.Session)
}

func (s *session) Try(ctx context.Context, ev scxml.Event) (Trial, error) {
	trial, err := s.Session.Try(ctx, ev)
	out := Trial{Handled: trial.Handled, Certain: trial.Certain}
	for _, c := range trial.Candidates {
		out.Candidates = append(out.Candidates, c.String())
	}
	return out, err
}
