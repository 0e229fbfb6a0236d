package scxml

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// The Event I/O Processor that every session has (REC C.1).
const (
	SCXMLEventProcessor      = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
	scxmlEventProcessorAlias = "scxml"
)

// scxmlAddress is what the address of a session begins with.
const scxmlAddress = "#_scxml_"

// send is <send> (REC 6.2).
type send struct {
	pos                datamodel.Position
	event, target, typ text
	id                 string
	idLocation         datamodel.Expr
	delay              time.Duration
	delayExpr          datamodel.Expr
	namelist, params   []param
	content            *content
}

func (a *send) execute(s *Session) bool {
	// The id is settled first, because error events carry it (REC 5.10.1).
	id := a.id
	if a.idLocation != nil {
		id = s.newID("send")
		if err := s.data().AssignValue(a.idLocation, id); err != nil {
			return s.fail("send", a.pos, err)
		}
	}
	m, err := a.message(s)
	m.Event.SendID, m.pos = id, a.pos
	if err == nil {
		err = s.dispatch(m)
	}
	if err != nil {
		// REC 6.2: "If the evaluation of <send>'s arguments produces an error,
		// the Processor MUST discard the message without attempting to deliver it."
		return s.failSend(a.pos, id, err)
	}
	return true
}

// message evaluates the attributes and children.
func (a *send) message(s *Session) (m Message, err error) {
	if m.Event.Name, err = a.event.value(s); err != nil {
		return m, err
	}
	if m.Target, err = a.target.value(s); err != nil {
		return m, err
	}
	if m.Type, err = a.typ.value(s); err != nil {
		return m, err
	}
	switch m.Type {
	case "", scxmlEventProcessorAlias, SCXMLEventProcessor:
		m.Type = SCXMLEventProcessor
	default:
		return m, fmt.Errorf("type %q is not supported", m.Type)
	}
	if m.Delay, err = a.delayValue(s); err != nil {
		return m, err
	}
	if m.Event.Data, err = a.payload(s); err != nil {
		return m, err
	}
	return m, nil
}

func (a *send) delayValue(s *Session) (time.Duration, error) {
	if a.delayExpr == nil {
		return a.delay, nil
	}
	v, err := s.data().Value(a.delayExpr)
	if err != nil {
		return 0, err
	}
	d, err := doc.ParseDelay(datamodel.Text(v))
	if err != nil {
		return 0, fmt.Errorf("delayexpr: %w", err)
	}
	return d, nil
}

func (a *send) payload(s *Session) (datamodel.Value, error) {
	if a.content != nil {
		if a.content.value == nil {
			return nil, nil
		}
		return s.data().Value(a.content.value)
	}
	var failed error
	keep := func(_ param, err error) {
		if failed == nil {
			failed = err
		}
	}
	obj := s.values(a.namelist, nil, keep)
	obj = s.values(a.params, obj, keep)
	if obj == nil {
		return nil, failed
	}
	return obj, failed
}

// dispatch delivers m now, or later if it is delayed. An error that it returns
// is one of the <send> itself; failures of delivery end in error.communication.
func (s *Session) dispatch(m Message) error {
	if m.Event.Name == "" {
		return errors.New("neither event nor eventexpr gives the event a name")
	}
	if m.Target != "" && !strings.HasPrefix(m.Target, "#_") {
		return fmt.Errorf("target %q is not one that the SCXML Event I/O Processor knows", m.Target)
	}
	if m.Delay > 0 && m.Target == "#_internal" {
		return errors.New(`an event with target "#_internal" cannot be delayed`)
	}
	if m.Delay > 0 {
		if err := s.tree.schedule(s, m); err != nil {
			return err
		}
	}
	if t := s.tree.trace; t != nil && t.Send != nil {
		t.Send(s, m)
	}
	if m.Delay == 0 {
		s.deliver(m)
	}
	return nil
}

// deliver puts the event of m into the queue that its target names (REC C.1).
func (s *Session) deliver(m Message) {
	ev := m.Event
	s.notify(s.onSend, ev)
	if m.Target == "#_internal" {
		ev.Type = datamodel.Internal
		s.raise(ev)
		return
	}
	ev.Type = datamodel.External
	ev.Origin = s.address()
	ev.OriginType = SCXMLEventProcessor
	to := s.tree.find(s, m.Target)
	if to != nil && to == s.parent {
		if s.cancelled {
			return // REC 6.4: what a cancelled session sends is ignored
		}
		ev.InvokeID = s.invokeID
	}
	err := fmt.Errorf("no session is at target %q", m.Target)
	if to != nil {
		err = to.post(ev)
	}
	if err != nil {
		s.raiseError(&ExecutionError{Event: "error.communication", Element: "send", Pos: m.pos, Msg: err.Error(), SendID: ev.SendID, Err: err})
	}
}

// address is the target under which other sessions reach this one.
func (s *Session) address() string {
	if s.addr == "" {
		s.addr = scxmlAddress + s.ID()
	}
	return s.addr
}
