package scxml

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Invoker runs the services of <invoke> elements, see [WithInvoker].
type Invoker interface {
	// Invoke runs one service and returns when the service is done or ctx is done, which happens
	// when the state that invoked it is exited. It has its own goroutine and may block. The result,
	// any Go data (see [datamodel.From]), is the data of the event done.invoke.ID. An error becomes
	// error.communication in the session. After ctx is done both are ignored.
	//
	// A service cannot be saved. [Restore] invokes a service that was running at the time of the
	// snapshot again: with the same arguments, the events that it has not received yet, and
	// inv.Restored set. It may continue, start again, or return an error.
	Invoke(ctx context.Context, inv *Invocation) (data any, err error)
}

// InvokerFunc makes a function an [Invoker].
type InvokerFunc func(ctx context.Context, inv *Invocation) (any, error)

// Invoke calls f.
func (f InvokerFunc) Invoke(ctx context.Context, inv *Invocation) (any, error) { return f(ctx, inv) }

// WithInvoker makes invoker run the <invoke> elements of the given type. SCXML sessions (type
// "http://www.w3.org/TR/scxml/") do not need an invoker. Invoking a type without one is
// error.execution, see [WithMissing]. A panic of a service is an error of that service, a [*PanicError] with its
// stack, unless [WithServicePanics] is given. The type "*" is all types that have no invoker.
func WithInvoker(typ string, invoker Invoker) Option {
	return option(func(c *config) { c.invokers = append(c.invokers, givenInvoker{typ, invoker}) })
}

type givenInvoker struct {
	typ string
	Invoker
}

// given returns what [WithInvoker] has given for a type, the last of several, or nil.
func (c *config) given(typ string) Invoker {
	for _, i := range slices.Backward(c.invokers) {
		if i.typ == typ {
			return i.Invoker
		}
	}
	return nil
}

// WithServicePanics makes a panic of a service end the process, as in any other goroutine. Use it if
// a panic could leave data that other goroutines share in a broken state.
func WithServicePanics() Option { return option(func(c *config) { c.servicePanics = true }) }

// An Invocation is one run of a service. Its methods may be called from any goroutine. The virtual
// clock of [Session.Advance] waits while the service works, but not while it waits in Receive.
type Invocation struct {
	ID      string
	Type    string
	Src     string
	Params  *datamodel.Object // namelist and params; nil if there are none
	Content datamodel.Value   // the value of <content>; nil without one
	Host    any               // the value given by [WithHost]

	// Restored reports that the service was already running when a snapshot was taken, and is
	// invoked again after [Restore].
	Restored bool

	link    ServiceLink // nil if the session is in this process
	session *Session
	tree    *tree
	arrived chan struct{}

	task, seq uint64 // of a service that is handed out: its Task, and the last event reported

	// Guarded by tree.mu.
	inbox   queue
	working bool // counts as work outside
	left    bool // has returned, or is cancelled
	ended   bool // likewise, and the session knows
	over    bool // has returned, and the session was told
}

// A ServiceLink connects an [Invocation] to a session in another process.
type ServiceLink interface {
	// Send is Invocation.Send.
	Send(Event) error
	// Receive is Invocation.Receive.
	Receive(context.Context) (Event, error)
}

// NewInvocation returns an invocation for an [Invoker] whose session is at the other end of link.
// The caller sets the exported fields.
func NewInvocation(link ServiceLink) *Invocation { return &Invocation{link: link} }

// Send puts an event into the external queue of the session that invoked the service, and sets its
// InvokeID. It fails with [ErrEnded] if the invocation is cancelled or the session has ended, and
// otherwise like [Session.Send].
func (inv *Invocation) Send(ev Event) error {
	if inv.link != nil {
		return inv.link.Send(ev)
	}
	inv.tree.mu.Lock()
	left := inv.left
	inv.tree.mu.Unlock()
	if left {
		return ErrEnded
	}
	ev.InvokeID = inv.ID
	return ForServer(inv.session).Deliver(ev)
}

// Receive returns the next event that the session has sent to the service, with target "#_ID" or by
// autoforward. If there is none it waits until ctx is done, and then returns the cause of ctx.
func (inv *Invocation) Receive(ctx context.Context) (Event, error) {
	if inv.link != nil {
		return inv.link.Receive(ctx)
	}
	for {
		inv.tree.mu.Lock()
		if inv.inbox.len() > 0 {
			var ev Event
			inv.inbox.take(&ev)
			inv.setWorking(!inv.left)
			inv.tree.mu.Unlock()
			return ev, nil
		}
		inv.setWorking(false)
		inv.tree.mu.Unlock()
		select {
		case <-inv.arrived:
		case <-ctx.Done():
			return Event{}, context.Cause(ctx)
		}
	}
}

// setWorking notes whether the service works. The caller holds tree.mu.
func (inv *Invocation) setWorking(working bool) {
	switch {
	case working == inv.working:
	case working:
		inv.tree.beginOutside()
	default:
		inv.tree.endOutside()
	}
	inv.working = working
}

// post passes an event to the service.
func (inv *Invocation) post(ev Event) error {
	inv.tree.mu.Lock()
	defer inv.tree.mu.Unlock()
	if inv.ended {
		return ErrEnded
	}
	if inv.inbox.len() >= inv.tree.limits.ExternalQueue {
		return ErrQueueFull
	}
	if inv.left || inv.tree.dry != nil {
		return nil // the session hears of it in the next step, or nobody does
	}
	*inv.inbox.add() = ev
	inv.setWorking(true) // at once, so that no clock advances before the service has looked
	select {
	case inv.arrived <- struct{}{}:
	default:
	}
	return nil
}

// leave ends the service; known says that its session knows. The result must not depend on timing:
// sending to a service that has returned fails only after the session was told.
func (inv *Invocation) leave(known bool) {
	inv.tree.mu.Lock()
	defer inv.tree.mu.Unlock()
	inv.left = true
	inv.ended = inv.ended || known
	inv.setWorking(false)
}

// errExited is the error of a service that has not returned.
var errExited = errors.New("the service has ended its goroutine with runtime.Goexit")

// startService starts a service. The session does not wait for it.
func (s *Session) startService(invoker Invoker, inv *Invocation) (cancel func()) {
	inv.session, inv.tree, inv.Host = s, s.tree, s.tree.host
	if s.tree.dry != nil {
		return func() { inv.leave(true) }
	}
	if _, out := invoker.(outboxInvoker); out {
		return s.handOutService(inv)
	}
	inv.arrived = make(chan struct{}, 1)
	s.tree.mu.Lock()
	inv.setWorking(true)
	s.tree.mu.Unlock()
	ctx, cancelCtx := context.WithCancel(context.Background())
	go func() {
		defer inv.leave(false)
		defer cancelCtx()
		err := errExited
		defer func() {
			if !s.tree.servicePanics {
				if x := recover(); x != nil {
					err = &PanicError{Value: x, Stack: debug.Stack(), What: "service"}
				}
			}
			if err != nil && ctx.Err() == nil {
				s.later(func() { s.serviceOver(inv, err) })
			}
		}()
		data, failed := invoker.Invoke(ctx, inv)
		if ctx.Err() != nil {
			return
		}
		done := Event{Name: "done.invoke." + inv.ID, Type: datamodel.Platform, InvokeID: inv.ID}
		if failed == nil {
			if done.Data, failed = datamodel.From(data); failed == nil {
				failed = s.tree.limits.checkData(done.Data)
			}
		}
		if failed == nil {
			failed = inv.finish(done)
		}
		err = failed
	}()
	return func() {
		inv.leave(true) // before the service hears of it: what it sends then does not arrive
		cancelCtx()
	}
}

// finish posts the event that the service is done. A snapshot has both, the event and the end of
// the service, or neither, and a step that sees the one sees the other.
func (inv *Invocation) finish(done Event) error {
	t := inv.tree
	t.mu.Lock()
	defer t.unlock()
	slot, err := inv.session.posted(true)
	if err != nil {
		return err
	}
	*slot = done
	inv.over = true
	t.calls = append(t.calls, &call{f: func() { inv.session.serviceOver(inv, nil) }})
	t.asked = true
	return nil
}

// serviceOver tells the owner that a service has returned.
func (s *Session) serviceOver(inv *Invocation, err error) {
	inv.isOver()
	if err == nil {
		return
	}
	for _, r := range s.running {
		if r.service == inv {
			s.outcome(&ExecutionError{
				Event: "error.communication", Element: "invoke", Pos: r.pos, Err: err,
				Msg: fmt.Sprintf("service %q: %v", inv.ID, err), InvokeID: inv.ID,
			})
		}
	}
}

// isOver notes that the service has returned and that its session knows.
func (inv *Invocation) isOver() {
	inv.tree.mu.Lock()
	defer inv.tree.mu.Unlock()
	inv.over, inv.ended = true, true
}
