package isolate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Spec says what a session runs, and what its host hears of it.
type Spec struct {
	Name    string // of the document, for positions
	Source  []byte // the document, which only the child parses
	Options []scxml.ChartOption

	// Records, if not nil, hears records of the Kinds during the requests that cause them, on the
	// goroutine that makes the request. A record is valid during the call.
	Records func(*record.Record)
	Kinds   record.Set

	// UserEvents makes the session accept only events that [scxml.Chart.IsUserEvent] accepts.
	UserEvents bool
	// SnapshotEvery makes every n-th Do with an event take a snapshot, see [Session.Saved].
	SnapshotEvery int
}

// A Chart is what a child says of a document.
type Chart struct {
	Name, Datamodel string
	States          []State // in document order, without the <scxml> element
	Transitions     []Transition
	Data            []string // ids of the top-level data items
	Warnings        []scxml.Diagnostic
}

// A State is a state of a chart.
type State struct {
	Name, ID string // ID is "" for a state without one
	Atomic   bool
}

// A Transition is a transition of a chart, as names and places.
type Transition struct {
	Source  string
	Events  []string
	Cond    string
	Targets []string
	Pos     datamodel.Position
}

// An Effect is what one Do did, see [scxml.Effect]. The messages have no Session and Params, and
// errors have a cause only if it is an error of a function or service of the host.
type Effect struct {
	Taken, Handled  bool
	Transitions     []Transition
	Exited, Entered []string
	Sent            []scxml.Message
	Errors          []*scxml.ExecutionError
}

// A Trial is what Try found out, see [scxml.Trial].
type Trial struct {
	Handled, Certain bool
	Candidates       []Candidate
}

// A Candidate is a transition that an event might enable, see [scxml.Candidate].
type Candidate struct {
	Session    string // id
	Transition Transition
	Verdict    scxml.Verdict
	Message    string // why its condition failed or was not evaluated
}

// A Session is a session in a child. Its methods are those of [scxml.Session] with the same names.
// One goroutine at a time owns it; Send and Stop may be called from any goroutine at any time. All
// methods that can fail return an [*Error] once the child has died.
type Session struct {
	tenant *Tenant
	host
	spec     Spec
	clock    func() time.Time
	accept   func(string) bool
	invokers map[string]scxml.Invoker
	panics   bool // of services end the process
	number   int
	alone    bool
	wake     chan struct{}

	chart    *Chart
	state    state
	done     datamodel.Value
	events   int // given to Do
	saved    []byte
	savedErr error
}

// New returns a session in the child. It takes the options of [scxml.New] except those that cannot
// cross the wall, which it names in its error.
func (t *Tenant) New(ctx context.Context, spec Spec, opts ...scxml.Option) (*Session, error) {
	all := make([]scxml.RestoreOption, len(opts))
	for i, opt := range opts {
		all[i] = opt
	}
	return t.place(ctx, spec, nil, all)
}

// Restore is New for a session that was saved, by [Session.Snapshot] or by one of package scxml.
// The snapshot need not be trusted.
func (t *Tenant) Restore(ctx context.Context, spec Spec, snapshot []byte, opts ...scxml.RestoreOption) (*Session, error) {
	return t.place(ctx, spec, append([]byte{}, snapshot...), opts)
}

func (t *Tenant) place(ctx context.Context, spec Spec, saved []byte, opts []scxml.RestoreOption) (*Session, error) {
	s, req, err := t.prepare(spec, saved, opts)
	if err != nil {
		return nil, err
	}
	req.Op, req.Now = opNew, s.clock()
	if spec.Records != nil {
		req.Setup.Kinds = spec.Kinds
	}
	a, err := t.ask(ctx, req, s)
	if err != nil {
		t.drop(s)
		return nil, err
	}
	s.learn(a)
	return s, nil
}

// prepare returns a session that is not in the child yet, and the request for it.
func (t *Tenant) prepare(spec Spec, saved []byte, opts []scxml.RestoreOption) (*Session, *request, error) {
	settings, err := scxml.SettingsOf(spec.Options, opts...)
	if err == nil {
		err = refuse(settings.Used, saved != nil)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("isolate: %w", err)
	}
	limits := settings.ChartLimits
	if limits == nil && settings.Limits == nil {
		strict := scxml.Strict()
		limits = &strict
	}
	s := &Session{
		tenant: t, spec: spec, clock: settings.Clock, accept: settings.Accept, invokers: settings.Invokers, panics: settings.ServicePanics,
		wake: make(chan struct{}, 1),
		host: host{time: t.pool.cfg.HostTime, funcs: map[string]scxml.HostFunc{}, loader: settings.Loader, most: maxFile(limits)},
	}
	setup := &setup{
		Limits: settings.Limits, Seed: settings.Seed, SessionID: settings.SessionID, Timers: settings.Timers,
		UserEvents: spec.UserEvents, Saved: saved,
	}
	for _, d := range settings.Data {
		setup.Data = append(setup.Data, preset{d.ID, packValue(d.Value)})
	}
	for _, f := range settings.Funcs {
		s.funcs[f.Name] = f
		setup.Funcs = append(setup.Funcs, f.Name)
	}
	for typ := range settings.Invokers {
		setup.Services = append(setup.Services, typ)
	}
	t.mu.Lock()
	t.numbers++
	s.number = t.numbers
	t.sessions[s.number] = s
	t.mu.Unlock()
	document := &document{spec.Name, spec.Source, settings.Loader != nil, limits}
	return s, &request{Session: s.number, Document: document, Setup: setup}, nil
}

// maxFile returns how many bytes of a file the child may read.
func maxFile(limits *scxml.Limits) int64 {
	size := scxml.DefaultLimits().DocumentSize
	if limits != nil && limits.DocumentSize > 0 {
		size = min(size, limits.DocumentSize)
	}
	return int64(size)
}

// refused are the options that cannot cross the wall, and what to do instead.
var refused = map[string]string{
	"WithLanguage":    "a data model runs in the process of the session",
	"WithLogger":      "use Spec.Records with kind Log",
	"WithTrace":       "use Spec.Records",
	"WithWake":        "use Session.Wake",
	"WithIOProcessor": "look at Effect.Sent, or use WithInvoker",
	"WithAction":      "it needs the session; use WithFunc",
	"WithRouter":      "a child has one tenant; look at Effect.Sent",
	"WithSnapshotKey": "a child must not know the key; sign what Snapshot returns yourself",
	"WithMigration":   "change the snapshot before Restore",
}

func refuse(used []string, restored bool) error {
	for _, name := range used {
		switch why, ok := refused[name]; {
		case ok:
			return fmt.Errorf("%s cannot cross the wall: %s", name, why)
		case restored && slices.Contains([]string{"WithData", "WithSeed", "WithSessionID"}, name):
			return fmt.Errorf("%s is not allowed for Restore: the snapshot has the value", name)
		}
	}
	return nil
}

// tell is a [client]'s.
func (s *Session) tell(r *record.Record) {
	if s.spec.Records != nil {
		s.spec.Records(r)
	}
}

// learn notes what an answer says of the session.
func (s *Session) learn(a *answer) {
	if a.Chart != nil {
		s.chart = a.Chart
	}
	if a.State != nil {
		s.state = *a.State
		s.done, _ = unpack(a.State.Done) // undefined if it is not JSON, as the child says
	}
}

// ask makes a request about the session.
func (s *Session) ask(ctx context.Context, req *request) (*answer, error) {
	req.Session = s.number
	a, err := s.tenant.ask(ctx, req, s)
	s.learn(a)
	return a, err
}

// pack makes an event a message, if the session accepts it.
func (s *Session) pack(ev scxml.Event) (*event, error) {
	if ev.Name == "" && ev.Data == nil {
		return nil, nil
	}
	if s.accept != nil && !s.accept(ev.Name) {
		return nil, fmt.Errorf("isolate: event %q: %w", ev.Name, scxml.ErrNotAccepted)
	}
	packed, err := packEvent(ev)
	if err != nil {
		return nil, fmt.Errorf("isolate: data of event %q: %w", ev.Name, err)
	}
	return packed, nil
}

// Chart returns what the child has said of the document.
func (s *Session) Chart() *Chart { return s.chart }

// Tenant returns the child of the session.
func (s *Session) Tenant() *Tenant { return s.tenant }

// Start is [scxml.Session.Start]. The time is that of [scxml.WithClock].
func (s *Session) Start(ctx context.Context) error {
	_, err := s.ask(ctx, &request{Op: opStart, Now: s.clock()})
	return err
}

// Do is [scxml.Session.Do].
func (s *Session) Do(ctx context.Context, now time.Time, ev scxml.Event) (Effect, error) {
	packed, err := s.pack(ev)
	if err != nil {
		return Effect{}, err
	}
	req := &request{Op: opDo, Now: now, Event: packed}
	if packed != nil && s.spec.SnapshotEvery > 0 {
		s.events++
		req.Snapshot = s.events%s.spec.SnapshotEvery == 0
	}
	a, err := s.ask(ctx, req)
	if a.Snapshot != nil || a.Unsaved != nil {
		s.keep(a.Snapshot, a.Unsaved.err())
	}
	effect, badErr := s.tenant.unpack(a.Effect)
	return effect, errors.Join(err, badErr)
}

// unpack returns the effect.
func (t *Tenant) unpack(e *effect) (out Effect, err error) {
	if e == nil {
		return out, nil
	}
	out = Effect{Taken: e.Taken, Handled: e.Handled, Transitions: e.Transitions, Exited: e.Exited, Entered: e.Entered}
	for _, m := range e.Sent {
		ev, evErr := m.Event.unpack()
		err = errors.Join(err, evErr)
		out.Sent = append(out.Sent, scxml.Message{Event: ev, Target: m.Target, Type: m.Type, Delay: m.Delay})
	}
	for _, x := range e.Errors {
		x.Err = t.kept(x.Host)
		out.Errors = append(out.Errors, &x.ExecutionError)
	}
	return out, err
}

// Send is [scxml.Session.Send], except that it waits for the child to say that it has the event.
func (s *Session) Send(ev scxml.Event) error {
	packed, err := s.pack(ev)
	if err == nil && packed == nil {
		err = datamodel.CheckEventName(ev.Name)
	}
	if err != nil {
		return err
	}
	return s.tenant.aside(&request{Op: opSend, Session: s.number, Event: packed})
}

// Stop is [scxml.Session.Stop]: the next Do or Advance ends the session.
func (s *Session) Stop() error {
	return s.tenant.aside(&request{Op: opStop, Session: s.number})
}

// Advance is [scxml.Session.Advance]. The deadline of a request is for all of it, but does not
// count while services of the session work.
func (s *Session) Advance(ctx context.Context, to time.Time) error {
	_, err := s.ask(ctx, &request{Op: opAdvance, Now: to})
	return err
}

// Try is [scxml.Session.Try].
func (s *Session) Try(ctx context.Context, ev scxml.Event) (Trial, error) {
	packed, err := s.pack(ev)
	if err != nil {
		return Trial{}, err
	}
	a, err := s.ask(ctx, &request{Op: opTry, Event: packed})
	if a.Trial == nil {
		return Trial{}, err
	}
	return *a.Trial, err
}

// Get is [scxml.Session.Eval].
func (s *Session) Get(ctx context.Context, expr string) (datamodel.Value, error) {
	a, err := s.ask(ctx, &request{Op: opGet, Text: expr})
	if err != nil {
		return nil, err
	}
	return unpack(a.Value)
}

// Enabled is [scxml.Session.Enabled].
func (s *Session) Enabled(ctx context.Context) ([]string, error) {
	a, err := s.ask(ctx, &request{Op: opEnabled})
	if s.accept == nil {
		return a.Enabled, err
	}
	return slices.DeleteFunc(a.Enabled, func(descriptor string) bool {
		name := strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
		return name != "" && !s.accept(name)
	}), err
}

// Snapshot is [scxml.Session.Snapshot]. Trust what it returns as little as the chart: restore it in
// a child.
func (s *Session) Snapshot(ctx context.Context) ([]byte, error) {
	a, err := s.ask(ctx, &request{Op: opSnapshot})
	if err == nil {
		s.keep(a.Snapshot, nil)
	}
	return a.Snapshot, err
}

func (s *Session) keep(snapshot []byte, err error) {
	s.savedErr = err
	if err == nil {
		s.saved = snapshot
	}
}

// Saved returns the last snapshot that Snapshot or [Spec].SnapshotEvery has taken, nil without one,
// and why the last attempt of SnapshotEvery failed. After the child has died, a host that wants to
// continue gives it to Restore.
func (s *Session) Saved() ([]byte, error) { return s.saved, s.savedErr }

// Close removes the session from its child, without its onexit handlers. For a session of
// [Pool.New] it kills the child.
func (s *Session) Close() error {
	if s.alone {
		return s.tenant.Close()
	}
	_, err := s.ask(context.Background(), &request{Op: opClose})
	s.tenant.drop(s)
	return err
}

func (t *Tenant) drop(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, s.number)
}

// Wake is [scxml.Session.Wake]. It does not tell of the child's death, see [Tenant.Done].
func (s *Session) Wake() <-chan struct{} { return s.wake }

func (s *Session) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// The following methods tell what the child has said in its last answer.

// Status is [scxml.Session.Status].
func (s *Session) Status() scxml.Status { return s.state.Status }

// Configuration is [scxml.Session.Configuration].
func (s *Session) Configuration() []string { return s.state.Configuration }

// In reports whether the state with the given id or name is active.
func (s *Session) In(state string) bool { return slices.Contains(s.state.Configuration, state) }

// Now is [scxml.Session.Now].
func (s *Session) Now() time.Time { return s.state.Now }

// NextDue is [scxml.Session.NextDue].
func (s *Session) NextDue() (due time.Time, ok bool) { return s.state.Due, !s.state.Due.IsZero() }

// Busy is [scxml.Session.Busy].
func (s *Session) Busy() bool { return s.state.Busy }

// FinalState is [scxml.Session.FinalState].
func (s *Session) FinalState() string { return s.state.Final }

// DoneData is [scxml.Session.DoneData].
func (s *Session) DoneData() datamodel.Value { return s.done }

// Err is [scxml.Session.Err], or the [*Error] of a child that has died.
func (s *Session) Err() error {
	if err := s.tenant.Err(); err != nil {
		return err
	}
	return s.state.Err.err()
}
