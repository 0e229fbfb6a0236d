package isolate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// maxServices bounds the services of a tenant that run at the same time: each has a goroutine of
// the host.
const maxServices = 1000

// A service is a service of the host that a child's session has invoked. It is a
// [scxml.ServiceLink].
type service struct {
	session *Session
	number  int
	cancel  context.CancelFunc
	events  chan scxml.Event // at most one: the child sends one when the service waits
	asked   chan struct{}    // has a value while the child is to send one
	waits   bool             // in Receive; guarded by the tenant's mu
}

// handleNote carries out a note of the child. It does not block.
func (t *Tenant) handleNote(name string, n *note) {
	if n.Task == nil {
		n.Task = new(scxml.Task)
	}
	t.mu.Lock()
	session, s := t.sessions[n.Session], t.services[n.Service]
	count, closed := len(t.services), session == nil && n.Session > 0 && n.Session <= t.numbers
	t.mu.Unlock()
	switch {
	case name == noteInvoke && s == nil && session != nil:
		invoker, ok := session.invokers[n.Task.Service.Type]
		if !ok {
			invoker = session.invokers["*"]
		}
		if count >= maxServices {
			invoker = scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
				return nil, fmt.Errorf("%d services are running already", maxServices)
			})
		}
		if err := t.invoke(session, invoker, n); err != nil {
			t.breach("%v", err)
		}
	case name == noteCancel && s != nil:
		s.cancel()
	case name == noteWake && session != nil:
		session.wakeUp()
	case name == noteEvent && s != nil:
		ev, err := cmp.Or(n.Event, new(eventjson.Event)).Event()
		if err != nil {
			t.breach("%v", err)
			return
		}
		select {
		case <-s.asked:
			s.events <- ev
		default:
			t.breach("it sent an event to a service that does not wait")
		}
	case name == noteInvoke && !closed: // if it is, this crossed Close
		t.breach("it invoked what there is not")
	}
}

// invoke starts a service.
func (t *Tenant) invoke(session *Session, invoker scxml.Invoker, n *note) error {
	what := &n.Task.Service
	if invoker == nil {
		return fmt.Errorf("it invoked a service of type %q", what.Type)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &service{session, n.Service, cancel, make(chan scxml.Event, 1), make(chan struct{}, 1), false}
	inv := scxml.NewInvocation(s)
	inv.Host = session.value
	inv.ID, inv.Type, inv.Src, inv.Params, inv.Content, inv.Restored = what.ID, what.Type, what.Src, what.Params, what.Content, n.Restored
	t.mu.Lock()
	if t.services == nil {
		t.mu.Unlock()
		cancel()
		return nil
	}
	t.services[n.Service] = s
	t.mu.Unlock()
	go func() {
		defer cancel()
		var result outcome
		err := errors.New("the service has ended its goroutine with runtime.Goexit")
		defer func() {
			if !session.panics {
				if x := recover(); x != nil {
					err = &scxml.PanicError{Value: x, Stack: debug.Stack(), What: "service"}
				}
			}
			result.Err = t.hostError(err)
			t.mu.Lock()
			delete(t.services, n.Service)
			t.mu.Unlock()
			if ctx.Err() == nil {
				t.write(frameRequest, serviceDone.op, request{Session: n.Service, In: result})
			}
		}()
		data, failed := invoker.Invoke(ctx, inv)
		if failed == nil {
			result.Data.V, failed = datamodel.From(data)
		}
		err = failed
	}()
	return nil
}

// Send is [scxml.Invocation.Send].
func (s *service) Send(ev scxml.Event) error {
	packed, err := neutral(ev)
	if err != nil {
		return err
	}
	return s.session.tenant.askAsync(serviceSend.op, request{Session: s.number, In: packed})
}

// Receive is [scxml.Invocation.Receive].
func (s *service) Receive(ctx context.Context) (scxml.Event, error) {
	select {
	case ev := <-s.events:
		return ev, nil
	default:
	}
	select {
	case s.asked <- struct{}{}:
		s.session.tenant.write(frameRequest, serviceWait.op, request{Session: s.number})
	default: // an earlier Receive has asked, and was interrupted
	}
	s.setWaits(true)
	defer s.setWaits(false)
	select {
	case ev := <-s.events:
		return ev, nil
	case <-ctx.Done():
		return scxml.Event{}, context.Cause(ctx)
	case <-s.session.tenant.dead:
		return scxml.Event{}, s.session.tenant.err
	}
}

func (s *service) setWaits(waits bool) {
	s.session.tenant.mu.Lock()
	defer s.session.tenant.mu.Unlock()
	s.waits = waits
}

// works reports whether a service of the session works, for which Advance waits.
func (t *Tenant) works(session int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.services {
		if s.session.number == session && !s.waits {
			return true
		}
	}
	return false
}
