package scxml

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
)

// The types of the REC's Event I/O Processors. Every session has the first (C.1); package basichttp
// provides the second (C.2).
const (
	SCXMLEventProcessor     = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
	BasicHTTPEventProcessor = "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"
)

// scxmlAddress is the prefix of the address of a session.
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
	retry              *Retry
}

func (a *send) where() datamodel.Position { return a.pos }

func (a *send) execute(s *Session) bool {
	// The id comes first, because error events carry it (REC 5.10.1).
	id := a.id
	if a.idLocation != nil {
		id = s.newID("send")
		s.looked(datamodel.LookID, a.pos)
		if err := s.data().AssignValue(a.idLocation, id); err != nil {
			return s.fail("send", a.pos, err)
		}
	}
	m, err := a.message(s)
	m.Session, m.Event.SendID, m.Retry, m.Pos = s, id, a.retry, a.pos
	if err == nil {
		err = s.dispatch(m)
	}
	if err != nil {
		// REC 6.2: "If the evaluation of send's arguments produces an error,
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
	if a.event.expr != nil && m.Event.Name != "" { // the parser has checked a literal one
		if err := datamodel.CheckEventName(m.Event.Name); err != nil {
			return m, err
		}
	}
	if m.Target, err = a.target.value(s); err != nil {
		return m, err
	}
	if m.Type, err = a.typ.value(s); err != nil {
		return m, err
	}
	m.Type = processorType(m.Type)
	if _, known := s.tree.processor(m.Type); !known {
		s.looked(LookDelivery, a.pos)
		return m, fmt.Errorf("no Event I/O Processor for the type %q", m.Type)
	}
	if m.Delay, err = a.delayValue(s); err != nil {
		return m, err
	}
	return m, a.payload(s, &m)
}

func (a *send) delayValue(s *Session) (time.Duration, error) {
	if a.delayExpr == nil {
		return a.delay, nil
	}
	v, err := s.data().Value(a.delayExpr)
	if err != nil {
		return 0, err
	}
	d, err := delay.Parse(datamodel.Text(v))
	if err != nil {
		return 0, fmt.Errorf("delayexpr: %w", err)
	}
	return d, nil
}

// payload evaluates what m carries.
func (a *send) payload(s *Session, m *Message) (err error) {
	if a.content != nil {
		if a.content.value == nil {
			return nil
		}
		if m.Event.Data, err = s.data().Value(a.content.value); err != nil {
			return err
		}
		return s.tree.limits.checkData(m.Event.Data)
	}
	// An object has each name once, but a message may repeat it.
	s.needScratch()
	pairs := s.pairs[:0]
	for _, list := range [...][]param{a.namelist, a.params} {
		for _, p := range list {
			var v datamodel.Value
			if p.value != nil {
				if v, err = s.data().Value(p.value); err != nil {
					return err
				}
			}
			pairs = append(pairs, Param{p.name, v})
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	obj := new(datamodel.Object)
	for _, p := range pairs {
		obj.Set(p.Name, p.Value)
	}
	if err := s.tree.limits.checkData(obj); err != nil {
		return err
	}
	m.Event.Data = obj
	switch {
	case m.Type != SCXMLEventProcessor:
		m.Params = slices.Clone(pairs)
	case obj.Len() < len(pairs):
		m.Event.Raw = formEncoded(pairs)
	}
	clear(pairs)
	s.pairs = pairs
	return nil
}

// formEncoded writes params as a form does.
func formEncoded(params []Param) string {
	var b strings.Builder
	for i, p := range params {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(p.Name) + "=" + url.QueryEscape(datamodel.Text(p.Value)))
	}
	return b.String()
}

// dispatch delivers m now, or later if it is delayed. It returns errors of the <send> itself; a
// failed delivery becomes error.communication.
func (s *Session) dispatch(m Message) error {
	if m.Type == SCXMLEventProcessor {
		switch {
		case m.Event.Name == "":
			return errors.New("the event has no name: add the attribute event or eventexpr")
		case m.Target != "" && !strings.HasPrefix(m.Target, "#_"):
			return fmt.Errorf("target %q is not a target of the SCXML Event I/O Processor: want none, #_internal, #_parent, #_INVOKEID or #_scxml_SESSIONID", m.Target)
		case m.Delay > 0 && m.Target == "#_internal":
			return errors.New(`cannot delay an event with target "#_internal"`)
		}
	}
	if m.Delay > 0 {
		if err := s.tree.schedule(s, m); err != nil {
			return err
		}
	}
	if e := s.tree.effect(); e != nil && m.Delay == 0 {
		e.Sent = append(e.Sent, m)
	}
	if t := s.tree.trace; t != nil && t.Send != nil {
		t.Send(s, m)
	}
	if m.Delay == 0 {
		s.deliver(m)
	}
	return nil
}

// deliver passes m to its processor, or puts its event into the queue that its target names (REC
// C.1).
func (s *Session) deliver(m Message) {
	ev := m.Event
	s.notifySend(&ev)
	if p, _ := s.tree.processor(m.Type); p != nil {
		s.looked(LookDelivery, m.Pos)
		s.hand(p, m)
		return
	}
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
			return // REC 6.4: ignore what a cancelled session sends
		}
		ev.InvokeID = s.invokeID
	}
	var err error
	routed := false
	if to == nil {
		s.lookedFor(m.Target, m.Pos)
	}
	if to != nil {
		err = to.post(&ev, false)
	} else if inv := s.invocation(m.Target); inv != nil {
		m.Event = ev
		err = inv.deliver(s, m)
	} else if routed = s.tree.router != nil && strings.HasPrefix(m.Target, scxmlAddress); routed {
		m.Event = ev
		err = s.tree.router.Route(m)
	} else {
		err = unreachable(m.Target)
	}
	if err == nil {
		return
	}
	e := &ExecutionError{Event: "error.communication", Element: "send", Pos: m.Pos, Msg: err.Error(), SendID: ev.SendID, Err: err}
	if routed { // nothing inside the tree tells who else is there
		s.outcome(e)
	} else {
		s.raiseError(e)
	}
}

func unreachable(target string) error {
	return fmt.Errorf("target %q does not reach a running session or service", target)
}

// address is the target by which other sessions reach this one.
func (s *Session) address() string {
	if s.addr == "" {
		s.addr = scxmlAddress + s.ID()
	}
	return s.addr
}
