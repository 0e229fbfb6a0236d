package scxml

import (
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Invoker runs services for <invoke> elements of a type of its own, see
// [WithInvoker].
type Invoker interface {
	// Invoke runs one service until it is done, or until ctx is, which happens
	// when the state that invoked it is exited. It is called in a goroutine of
	// its own and may block. What it returns, any Go data (see
	// [datamodel.From]), is the data of the event done.invoke.ID; an error
	// becomes error.communication in the session. After ctx is done nobody
	// looks at either.
	//
	// A service cannot be saved. One that was at work when a snapshot was taken
	// is invoked again by [Restore], with the same arguments, with the events
	// that it had not received yet, and with inv.Restored set: it may go on
	// where it was, begin anew, or return an error.
	Invoke(ctx context.Context, inv *Invocation) (data any, err error)
}

// InvokerFunc is a function as an [Invoker].
type InvokerFunc func(ctx context.Context, inv *Invocation) (any, error)

// Invoke calls f.
func (f InvokerFunc) Invoke(ctx context.Context, inv *Invocation) (any, error) { return f(ctx, inv) }

// WithInvoker has <invoke> elements of the given type run by invoker. SCXML
// sessions need none: type "http://www.w3.org/TR/scxml/". A type that nobody runs
// is error.execution when it is invoked. A service has a goroutine of its own:
// if it panics and does not recover, that ends the process.
func WithInvoker(typ string, invoker Invoker) Option {
	return option(func(c *config) {
		if c.invokers == nil {
			c.invokers = make(map[string]Invoker)
		}
		c.invokers[typ] = invoker
	})
}

// An Invocation is one run of a service. Its methods may be called from any
// goroutine.
//
// Time stands still on a virtual clock (see [Session.Advance]) while a service
// is at work; it is not while it waits in Receive.
type Invocation struct {
	ID      string
	Type    string
	Src     string
	Params  *datamodel.Object // namelist and params; nil without any
	Content datamodel.Value   // of <content>; nil without one

	// Restored says that the service was at work already when a snapshot of the
	// session was taken, and is invoked anew after [Restore].
	Restored bool

	session *Session
	tree    *tree
	arrived chan struct{}

	// Guarded by tree.mu.
	inbox   queue
	working bool // it counts as work outside
	left    bool // it has returned, or is cancelled
	ended   bool // likewise, and the session knows it
	over    bool // it has returned, and the session has been told
}

// Send puts an event into the external queue of the session that invoked the
// service; its InvokeID is set. It fails with [ErrEnded] once the invocation is
// cancelled or the session has ended, and otherwise like [Session.Send].
func (inv *Invocation) Send(ev Event) error {
	inv.tree.mu.Lock()
	left := inv.left
	inv.tree.mu.Unlock()
	if left {
		return ErrEnded
	}
	ev.InvokeID = inv.ID
	return inv.session.Send(ev)
}

// Receive returns the next event that the session has sent to the service
// (target "#_ID", or forwarded because of autoforward). It waits for one until
// ctx is done, and then returns its cause.
func (inv *Invocation) Receive(ctx context.Context) (Event, error) {
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

// setWorking says whether the service is at work. The caller holds tree.mu.
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

// post gives an event to the service.
func (inv *Invocation) post(ev Event) error {
	inv.tree.mu.Lock()
	defer inv.tree.mu.Unlock()
	if inv.ended {
		return ErrEnded
	}
	if inv.inbox.len() >= inv.tree.limits.ExternalQueue {
		return ErrQueueFull
	}
	if inv.left {
		return nil // the session will hear of it with the next step
	}
	*inv.inbox.add() = ev
	inv.setWorking(true) // from now on, so that no clock moves on before it has looked
	select {
	case inv.arrived <- struct{}{}:
	default:
	}
	return nil
}

// leave says that nothing of the service counts any more; known, that its session
// knows. Who is faster must not show: what a session sends to a service that has
// returned is an error only after its session has been told.
func (inv *Invocation) leave(known bool) {
	inv.tree.mu.Lock()
	defer inv.tree.mu.Unlock()
	inv.left = true
	inv.ended = inv.ended || known
	inv.setWorking(false)
}

// startService starts a service. The session does not wait for it.
func (s *Session) startService(invoker Invoker, inv *Invocation) (cancel func()) {
	inv.session, inv.tree = s, s.tree
	inv.arrived = make(chan struct{}, 1)
	s.tree.mu.Lock()
	inv.setWorking(true)
	s.tree.mu.Unlock()
	ctx, cancelCtx := context.WithCancel(context.Background())
	go func() {
		defer inv.leave(false)
		defer cancelCtx()
		data, err := invoker.Invoke(ctx, inv)
		if ctx.Err() != nil {
			return
		}
		done := Event{Name: "done.invoke." + inv.ID, Type: datamodel.Platform, InvokeID: inv.ID}
		if err == nil {
			if done.Data, err = datamodel.From(data); err == nil {
				err = s.tree.limits.checkData(done.Data)
			}
		}
		if err == nil {
			err = inv.finish(done)
		}
		s.later(func() { s.serviceOver(inv, err) })
	}()
	return func() {
		cancelCtx()
		inv.leave(true)
	}
}

// finish posts the event that says that the service is done. A snapshot has
// either both, the event and that the service is over, or neither.
func (inv *Invocation) finish(done Event) error {
	inv.tree.mu.Lock()
	defer inv.tree.mu.Unlock()
	err := inv.session.postLocked(done, true)
	inv.over = err == nil
	return err
}

// serviceOver is for the owner: a service has returned.
func (s *Session) serviceOver(inv *Invocation, err error) {
	inv.tree.mu.Lock()
	inv.over, inv.ended = true, true
	inv.tree.mu.Unlock()
	if err == nil {
		return
	}
	for _, r := range s.running {
		if r.service == inv {
			s.outcome(&ExecutionError{
				Event: "error.communication", Element: "invoke", Pos: r.pos, Err: err,
				Msg: fmt.Sprintf("service %q: %v", inv.ID, err),
			})
		}
	}
}
