package scxml

import (
	"errors"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Dry tells a dry session about its surroundings, see [WithDry]. The functions may be nil.
type Dry struct {
	// Location returns the address that the [IOProcessor] of type typ has given to s.
	Location func(s *Session, typ string) string
	// Refuse returns the error with which an [IOProcessor] or the [Router] has refused m, or nil.
	Refuse func(s *Session, m Message) error
}

// WithDry makes a dry session: a copy without effect outside of its session tree. It starts no
// service, opens no [IOProcessor], does not join a [Router], hands out no [Task] and writes no log.
// What it sends to them is reported as usual, and goes nowhere; what they answer comes from [ReplayView.Arrive] and
// [ReplayView.Fail]. Functions given by [WithFunc] and [WithAction] are called.
//
// WithDry follows the options of the session that is copied. Of these it drops the traces, the
// logger and the function of [WithWake], and for [Restore] those that are not allowed there. Further
// options for the copy come after it.
func WithDry(d Dry) Option { return &dryOption{d} }

type dryOption struct{ dry Dry }

func (o *dryOption) applyToSession(c *config) {
	c.dry, c.trace, c.logger, c.onWake, c.outbox, c.timed = &o.dry, nil, nil, nil, nil, true
	if c.router != nil {
		c.router = dryRouter{c.dry}
	}
	for i, p := range c.processors {
		c.processors[i].IOProcessor = &dryProcessor{c.dry, p.typ}
	}
}

func (o *dryOption) applyToRestore(c *restoreConfig) {
	o.applyToSession(&c.config)
	c.data, c.seeded, c.id, c.beginning = nil, false, "", nil
}

func (d *Dry) refuse(s *Session, m Message) error {
	if d.Refuse == nil {
		return nil
	}
	return d.Refuse(s, m)
}

// A dryProcessor is the [IOProcessor] of a type in dry sessions.
type dryProcessor struct {
	*Dry
	typ string
}

func (p *dryProcessor) Open(s *Session) string {
	if p.Location == nil {
		return ""
	}
	return p.Location(s, p.typ)
}

func (p *dryProcessor) Reopen(_ *Session, location string) string { return location }

func (p *dryProcessor) Close(*Session) {}

func (p *dryProcessor) Send(s *Session, m Message, done func(error)) error {
	err := p.refuse(s, m)
	if err == nil {
		done(nil)
	}
	return err
}

// A dryRouter is the [Router] of dry sessions.
type dryRouter struct{ *Dry }

func (dryRouter) Join(*Session)           {}
func (dryRouter) Leave(*Session)          {}
func (r dryRouter) Route(m Message) error { return r.refuse(m.Session, m) }

var errNotDry = errors.New("the session is not dry, see WithDry")

// Arrive puts an event into the external queue of a dry session, as [Trace].Arrive has reported it:
// with its type, and if a service is done, that one has ended. Between the event and the next step
// nothing else may be done with the session. Only the owner may call it, between two steps.
func (v ReplayView) Arrive(ev Event) error {
	s := v.s
	if s.tree.dry == nil {
		return errNotDry
	}
	if ev.Type == datamodel.Platform && ev.Name == "done.invoke."+ev.InvokeID {
		s.serviceEnded(ev.InvokeID)
	}
	return s.post(&ev, true)
}

// Fail raises the error event for a failed service or delivery in a dry session, as [Trace].Outcome
// has reported it. Only the owner may call it, between macrosteps.
func (v ReplayView) Fail(err *ExecutionError) error {
	s := v.s
	switch {
	case s.tree.dry == nil:
		return errNotDry
	case s.status != Running:
		return ErrEnded
	}
	if err.Element == "invoke" {
		s.serviceEnded(err.InvokeID)
	}
	s.outcome(err)
	return nil
}

func (s *Session) serviceEnded(id string) {
	for _, inv := range s.running {
		if inv.service != nil && inv.invokeID == id {
			inv.service.isOver()
		}
	}
}

// Location returns the address of the session at the Event I/O Processor of type typ, or "". Only
// the owner may call it.
func (v ReplayView) Location(typ string) string {
	for i, location := range v.s.locations {
		if v.s.tree.processors[i].typ == typ {
			return location
		}
	}
	return ""
}
