package machine

import (
	"fmt"
	"slices"
)

// An Invocation is a running <invoke>, or one that is about to start (REC 6.4). A [Chart] has what does not need to be
// evaluated.
type Invocation struct {
	ID, Type, Src string
	Params        Fields
	Content       any
	Autoforward   bool
	At            string               // the place of the <invoke>, line:column
	New           func() Node          // a machine of the invoked chart, if that is compiled too
	Declares      func(id string) bool // whether that chart has a top-level data item
	Restored      bool                 // the service ran when the machine was saved, see [Restore]
	Retry         string               // the attribute retry, see scxml.Retry

	Task, Seq uint64 // of a service that a [Host] has taken; Seq counts the events from it, in snapshots
}

// A Service is what a host runs for an <invoke> that is not a compiled chart.
type Service interface {
	// Deliver passes an event to the service.
	Deliver(ev Event) error
	// Cancel ends the service.
	Cancel()
}

// invocation is a running <invoke>.
type invocation struct {
	*Invocation
	state   uint16
	index   int
	child   *session
	service Service
	over    bool // a service that has ended, as a snapshot says
}

// deliver passes the event of a message, which s sends, to what is invoked.
func (inv *invocation) deliver(s *session, m *Message) error {
	switch {
	case inv.over:
		return errEnded
	case inv.child != nil:
		ev := m.Event
		return inv.child.post(&ev)
	case inv.service != nil:
		return inv.service.Deliver(m.Event)
	}
	out := *m
	if out.At != "" {
		out.At = s.chart.File + ":" + out.At
	}
	return s.tree.options.Host.Forward(SessionID(s.node), inv.Invocation, out)
}

func (s *session) invocation(target string) *invocation {
	for _, inv := range s.running {
		if "#_"+inv.ID == target {
			return inv
		}
	}
	return nil
}

// invoke starts the invocations of the states that were entered, and not exited, in this macrostep.
func (s *session) invoke() {
	for _, st := range s.toInvoke {
		for i, inv := range s.chart.Invokes[st] {
			if !s.node.Invoke(st, i, &inv) {
				continue
			}
			if err := s.start(&inv, st, i); err != nil {
				Fail(s.node, "invoke", inv.At, err.Error())
			}
		}
	}
	s.toInvoke = s.toInvoke[:0]
}

func (s *session) start(inv *Invocation, st uint16, index int) error {
	t := s.tree
	if inv.New == nil {
		if err := t.checkInvoker(inv.Type); err != nil {
			return err
		}
		var service Service
		if t.runs(inv.Type) {
			inv.Task = t.options.Host.Invoke(SessionID(s.node), inv)
		} else {
			var err error
			if service, err = t.options.Invoker(inv); err != nil {
				return err
			}
		}
		s.running = append(s.running, &invocation{Invocation: inv, state: st, index: index, service: service})
		return nil
	}
	if limit := t.options.Limits.InvokeDepth; s.depth >= limit {
		return &LimitError{"InvokeDepth", limit}
	}
	if limit := t.options.Limits.Sessions; len(t.sessions) >= limit {
		return &LimitError{"Sessions", limit}
	}
	child := s.child(inv)
	for _, f := range inv.Params {
		if inv.Declares(f.Name) {
			child.preset = append(child.preset, f)
		}
	}
	t.sessions = append(t.sessions, child)
	s.running = append(s.running, &invocation{Invocation: inv, state: st, index: index, child: child})
	return nil
}

// child makes the session of an invoked chart.
func (s *session) child(inv *Invocation) *session {
	node := inv.New()
	core, chart, regs := node.Machine()
	core.s = &session{node: node, core: core, chart: chart, regs: regs, tree: s.tree, parent: s, invokeID: inv.ID, depth: s.depth + 1}
	core.Flags |= s.core.Flags&asked | Slow // which has turns
	s.tree.sessions[0].core.Flags |= Posted
	return core.s
}

// receive does what invocations do with an external event before transitions are selected for it
// (REC 6.4, 6.5, and mainEventLoop of Appendix D).
func (s *session) receive(ev *Event) {
	if ev.InvokeID == "" && !s.chart.Autoforward {
		return
	}
	for _, inv := range slices.Clone(s.running) {
		if inv.ID == ev.InvokeID {
			s.node.Finalize(inv.state, inv.index)
		}
		if inv.Autoforward {
			// An invocation that has ended ignores the event. One that cannot take its data must not miss it unnoticed.
			if err := inv.deliver(s, &Message{Event: *ev, Type: SCXMLEventProcessor}); err != nil && inv.child != nil && inv.child.room() == nil {
				s.fail(&Error{Event: "error.communication", Element: "invoke", At: s.chart.File + ":" + inv.At, Msg: err.Error()})
			}
		}
	}
}

// cancelInvocations cancels what a state has invoked.
func (s *session) cancelInvocations(st uint16) {
	for i := 0; i < len(s.running); {
		inv := s.running[i]
		if inv.state != st {
			i++
			continue
		}
		s.running = slices.Delete(s.running, i, i+1)
		switch {
		case inv.handedOut():
			s.tree.options.Host.Cancel(SessionID(s.node), inv.Invocation)
		case inv.service != nil:
			inv.service.Cancel()
		case inv.over:
		case inv.child.core.Flags&Ended == 0:
			inv.child.cancelled = true
			inv.child.exitInterpreter(stopped, errStopped)
		}
	}
}

// childEnded tells the parent that this session has ended by itself.
func (s *session) childEnded() {
	p := s.parent
	i := slices.IndexFunc(p.running, func(inv *invocation) bool { return inv.child == s })
	if s.cancelled || i < 0 {
		return
	}
	if s.status != final {
		p.running = slices.Delete(p.running, i, i+1)
		p.fail(&Error{Event: "error.execution", Element: "invoke", At: s.chart.File + ":" + s.chart.At[0],
			Msg: fmt.Sprintf("invoked session %q was stopped: %v", s.invokeID, s.err)})
		return
	}
	// The invocation stays on the list until its state is exited, so that a <finalize> still sees this last
	// event.
	err := p.post(&Event{Name: "done.invoke." + s.invokeID, Type: Platform, Data: s.done, InvokeID: s.invokeID})
	if err != nil {
		p.fail(&Error{Event: "error.communication", Element: "invoke", At: s.chart.File + ":" + s.chart.At[0], Msg: err.Error()})
	}
}

// MemberOf returns a member of the present event's data.
func MemberOf(n Node, name string) (value any, ok bool) {
	s := of(n)
	if s.current == nil {
		return nil, false
	}
	if data, isObject := s.current.Data.(interface{ Get(name string) (any, bool) }); isObject {
		return data.Get(name)
	}
	return nil, false
}
