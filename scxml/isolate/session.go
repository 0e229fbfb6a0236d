package isolate

import (
	"cmp"
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
	depth    int // of elements of the document
	alone    bool
	wake     chan struct{}

	chart    *Chart
	state    state
	done     datamodel.Value
	outbox   scxml.Outbox
	tasks    []scxml.Task
	events   int // given to Do
	saved    []byte
	savedErr error
}

// tell is a [client]'s.
func (s *Session) tell(r *record.Record) {
	if s.spec.Records != nil {
		s.spec.Records(r)
	}
}

// learn notes what an answer says of the session.
func (s *Session) learn(a *answer) error {
	if a.Chart != nil {
		s.chart = a.Chart
	}
	if a.State != nil {
		s.state = *a.State
		s.done, _ = unpack(a.State.Done) // undefined if it is not JSON, as the child says
		return s.learnTasks(a.State.Tasks)
	}
	return nil
}

// ask makes a request about the session.
func (s *Session) ask(ctx context.Context, req *request) (*answer, error) {
	req.Session = s.number
	a, err := s.tenant.ask(ctx, req, s)
	return a, cmp.Or(err, s.learn(a))
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
	if a.Effect != nil {
		effect.Out = slices.DeleteFunc(s.Outbox(), func(t scxml.Task) bool { return !slices.Contains(a.Effect.Out, t.ID) })
	}
	return effect, errors.Join(err, badErr)
}

// unpack returns the effect.
func (t *Tenant) unpack(e *effect) (out Effect, err error) {
	if e == nil {
		return out, nil
	}
	out = Effect{Taken: e.Taken, Handled: e.Handled, Transitions: e.Transitions, Exited: e.Exited, Entered: e.Entered}
	for _, packed := range e.Sent {
		m, badErr := packed.unpack()
		err = errors.Join(err, badErr)
		out.Sent = append(out.Sent, m)
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
