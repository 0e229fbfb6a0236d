package isolate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Session is a session in a child. Its methods are those of [scxml.Session] with the same names.
// One goroutine at a time owns it; Send and Stop may be called from any goroutine at any time. All
// methods that can fail return an [*Error] once the child has died.
type Session struct {
	tenant *Tenant
	host
	spec     Spec
	clock    func() time.Time
	accept   func(string) bool
	value    any // of the host, see [scxml.WithHost]
	invokers map[string]scxml.Invoker
	panics   bool // of services end the process
	number   int
	depth    int // of elements of the document
	alone    bool
	wake     chan struct{}
	tell     func(*record.Record) // hears the records; or nil
	looking  bool                 // it makes requests inside another, for which the child waits

	chart    *Chart
	state    state
	events   int // given to Do
	saved    []byte
	savedErr error
}

// ask makes a request about the session. The result is zero if the child has not answered.
func ask[In, Out any](ctx context.Context, s *Session, m method[*hosted, In, Out], in In) (out Out, err error) {
	a := answer{Out: &out}
	err = s.tenant.ask(ctx, m.op, &request{Session: s.number, In: in}, s, &a)
	if a.ID == 0 {
		return *new(Out), err
	}
	if a.State != nil {
		s.state = *a.State
		err = cmp.Or(err, s.learnTasks())
	}
	if w := s.spec.Recording; w != nil && len(a.Recording) > 0 {
		_, _ = w.Write(a.Recording) // which tells its owner of an error
	}
	return out, err
}

// neutral makes an event a message.
func neutral(ev scxml.Event) (*eventjson.Event, error) {
	data, err := datamodel.From(ev.Data)
	if err != nil {
		return nil, fmt.Errorf("isolate: data of event %q: %w", ev.Name, err)
	}
	ev.Data = data
	packed := eventjson.Of(ev)
	return &packed, nil
}

// pack makes an event a message, if the session accepts it.
func (s *Session) pack(ev scxml.Event) (*eventjson.Event, error) {
	if ev.Name == "" && ev.Data == nil {
		return nil, nil
	}
	if s.accept != nil && !s.accept(ev.Name) {
		return nil, fmt.Errorf("isolate: event %q: %w", ev.Name, scxml.ErrNotAccepted)
	}
	return neutral(ev)
}

// Chart returns what the child has said of the document.
func (s *Session) Chart() *Chart { return s.chart }

// Tenant returns the child of the session.
func (s *Session) Tenant() *Tenant { return s.tenant }

// Start is [scxml.Session.Start]. The time is that of [scxml.WithClock].
func (s *Session) Start(ctx context.Context) error {
	_, err := ask(ctx, s, startSession, s.clock())
	return err
}

// Do is [scxml.Session.Do].
func (s *Session) Do(ctx context.Context, now time.Time, ev scxml.Event) (Effect, error) {
	packed, err := s.pack(ev)
	if err != nil {
		return Effect{}, err
	}
	in := doing{Now: now, Event: packed}
	if packed != nil && s.spec.SnapshotEvery > 0 {
		s.events++
		in.Snapshot = s.events%s.spec.SnapshotEvery == 0
	}
	out, err := ask(ctx, s, doSession, in)
	if out.Snapshot != nil || out.Unsaved != nil {
		s.keep(out.Snapshot, out.Unsaved.err())
	}
	e := out.Effect
	e.Out = slices.DeleteFunc(s.Outbox(), func(t scxml.Task) bool { return !slices.Contains(out.Out, t.ID) })
	for _, m := range out.Sent {
		ev, badType := m.Event.Event()
		err = cmp.Or(err, badType)
		e.Sent = append(e.Sent, scxml.Message{Event: ev, Target: m.Target, Type: m.Type, Delay: m.Delay})
	}
	for _, x := range out.Errors {
		x.Err = s.tenant.kept(x.Host)
		e.Errors = append(e.Errors, &x.ExecutionError)
	}
	return e, err
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
	return s.tenant.askAsync(sendEvent.op, request{Session: s.number, In: packed})
}

// Stop is [scxml.Session.Stop]: the next Do or Advance ends the session.
func (s *Session) Stop() error {
	return s.tenant.askAsync(stopSession.op, request{Session: s.number})
}

// Advance is [scxml.Session.Advance]. The deadline of a request is for all of it, but does not
// count while services of the session work.
func (s *Session) Advance(ctx context.Context, to time.Time) error {
	_, err := ask(ctx, s, advanceSession, to)
	return err
}

// Try is [scxml.Session.Try].
func (s *Session) Try(ctx context.Context, ev scxml.Event) (Trial, error) {
	packed, err := s.pack(ev)
	if err != nil {
		return Trial{}, err
	}
	return ask(ctx, s, trySession, packed)
}

// Get is [scxml.Session.Eval].
func (s *Session) Get(ctx context.Context, expr string) (datamodel.Value, error) {
	v, err := ask(ctx, s, evalSession, expr)
	return v.V, err
}

// Enabled is [scxml.Session.Enabled].
func (s *Session) Enabled(ctx context.Context) ([]string, error) {
	all, err := ask(ctx, s, sessionEnabled, none{})
	if s.accept == nil {
		return all, err
	}
	return slices.DeleteFunc(all, func(descriptor string) bool {
		name := strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
		return name != "" && !s.accept(name)
	}), err
}

// Snapshot is [scxml.Session.Snapshot]. Trust what it returns as little as the chart: restore it in
// a child.
func (s *Session) Snapshot(ctx context.Context) ([]byte, error) {
	snapshot, err := ask(ctx, s, snapshotSession, none{})
	if err == nil {
		s.keep(snapshot, nil)
	}
	return snapshot, err
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
	_, err := ask(context.Background(), s, closeSession, none{})
	s.tenant.drop(s)
	return err
}

func (t *Tenant) drop(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, s.number)
}

// Wake is [scxml.Session.Wake]. It does not report the child's death, see [Tenant.Done].
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
func (s *Session) DoneData() datamodel.Value { return s.state.Done.V }

// Err is [scxml.Session.Err], or the [*Error] of a child that has died.
func (s *Session) Err() error {
	if err := s.tenant.Err(); err != nil {
		return err
	}
	return s.state.Err.err()
}
