package machine

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// SCXMLEventProcessor is the type of the Event I/O Processor that every machine has (REC C.1).
const SCXMLEventProcessor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

const scxmlAddress = "#_scxml_"

func (s *session) raise(e entry) {
	if limit := s.tree.options.Limits.InternalQueue; s.internal.len() >= limit {
		s.limit = &LimitError{"InternalQueue", limit}
		s.core.Flags |= Slow // shortcuts do not know of limits
		return
	}
	s.internal.add(e)
	s.core.Flags |= Raised
}

// Fail raises error.execution for an element at a place in the document, line:column.
func Fail(n Node, element, at, msg string) {
	s := of(n)
	s.fail(&Error{Event: "error.execution", Element: element, At: s.chart.File + ":" + at, Msg: msg})
}

func (s *session) fail(e *Error) {
	t := s.tree
	if f := t.options.Hooks.Error; f != nil {
		busy := s.core.Flags & Busy
		s.core.Flags |= Busy // which it may not be for the condition of a shortcut
		f(e)
		s.core.Flags = s.core.Flags&^Busy | busy
	}
	if t.effect != nil {
		t.effect.Errors = append(t.effect.Errors, e)
	}
	num := s.chart.ExecutionError
	if e.Event != "error.execution" {
		num = s.chart.CommunicationError
	}
	s.raise(entry{num: num, typ: Platform, ev: &Event{
		Name: e.Event, Type: Platform, SendID: e.SendID,
		Data: Fields{{Name: "message", Value: e.Msg}, {Name: "element", Value: e.Element}, {Name: "at", Value: e.At}},
	}})
}

// Log reports what a <log> says.
func Log(n Node, label string, data any) {
	core, _, _ := n.Machine()
	if core.s != nil {
		if f := core.s.tree.options.Hooks.Log; f != nil {
			f(label, data)
		}
	}
}

// Dispatch sends a message now, or later if it is delayed (REC 6.2).
func Dispatch(n Node, m Message) bool {
	s := of(n)
	err := s.dispatch(s.tree.message(m))
	s.tree.messageSent()
	if err != nil {
		s.fail(&Error{Event: "error.execution", Element: "send", At: s.chart.File + ":" + m.At, Msg: err.Error(), SendID: m.Event.SendID})
		return false
	}
	return true
}

// FailSend is Fail for a <send> with an id.
func FailSend(n Node, at, sendID, msg string) {
	s := of(n)
	s.fail(&Error{Event: "error.execution", Element: "send", At: s.chart.File + ":" + at, Msg: msg, SendID: sendID})
}

func (s *session) dispatch(m *Message) error {
	m.Type = processorType(m.Type)
	if err := s.tree.checkProcessor(m.Type); err != nil {
		return err
	}
	switch {
	case m.Type != SCXMLEventProcessor:
		m.Event.Raw = "" // Params has it
	case m.Event.Name == "":
		return errors.New("the event has no name: add the attribute event or eventexpr")
	case m.Target != "" && !strings.HasPrefix(m.Target, "#_"):
		return fmt.Errorf("target %q is not a target of the SCXML Event I/O Processor: want none, #_internal, #_parent, #_INVOKEID or #_scxml_SESSIONID", m.Target)
	case m.Delay > 0 && m.Target == "#_internal":
		return errors.New(`cannot delay an event with target "#_internal"`)
	default:
		m.Params = nil
	}
	if m.Delay > 0 {
		return s.tree.schedule(s, *m)
	}
	s.sent(m)
	s.deliver(m)
	return nil
}

// message returns a place for a message that is on its way, of which a tree has one at a time.
func (t *tree) message(m Message) *Message {
	t.sending = m
	return &t.sending
}

func (t *tree) messageSent() { t.sending = Message{} }

// sent reports a message.
func (s *session) sent(m *Message) {
	s.node.Sent(m)
	t := s.tree
	if f := t.options.Hooks.Sent; f != nil {
		f(*m)
	}
	if t.effect != nil {
		noted := *m
		noted.At = s.chart.File + ":" + m.At
		t.effect.Sent = append(t.effect.Sent, noted)
	}
}

// deliver puts the event of a message into the queue that its target names (REC C.1).
func (s *session) deliver(m *Message) {
	if m.Type != SCXMLEventProcessor {
		s.hand(*m)
		return
	}
	to := s.find(m.Target)
	if to != nil && to.parent == nil && m.Event.Data == nil && to.chart.Plain {
		if num := to.chart.Match(m.Event.Name); num != Other && to.room() == nil && to != s.parent {
			to.queue(entry{num: num, typ: External}) // it notices no more than the name
			return
		}
	}
	ev := new(Event)
	*ev = m.Event
	if m.Target == "#_internal" {
		ev.Type = Internal
		s.raise(entry{s.chart.Match(ev.Name), Internal, ev})
		return
	}
	ev.Type, ev.Origin, ev.OriginType = External, s.address(), SCXMLEventProcessor
	if to != nil && to == s.parent {
		if s.cancelled {
			return // REC 6.4: ignore what a cancelled session sends
		}
		ev.InvokeID = s.invokeID
	}
	var err error
	if to != nil {
		err = to.post(ev)
	} else if inv := s.invocation(m.Target); inv != nil {
		m.Event = *ev
		err = inv.deliver(s, m)
	} else if s.tree.routes(m.Target) {
		m.Event = *ev
		err = s.out(*m)
	} else {
		err = fmt.Errorf("target %q does not reach a running session or service", m.Target)
	}
	if err != nil {
		s.failDelivery(m, err)
	}
}

func (s *session) failDelivery(m *Message, err error) {
	s.fail(&Error{Event: "error.communication", Element: "send", At: s.chart.File + ":" + m.At, Msg: err.Error(), SendID: m.Event.SendID})
}

var (
	errEnded     = errors.New("session has ended")
	errQueueFull = errors.New("external queue is full")
)

// room returns why no event can be put into the external queue, or nil.
func (s *session) room() error {
	switch {
	case s.core.Flags&Ended != 0:
		return errEnded
	case s.external.len() >= s.tree.options.Limits.ExternalQueue:
		return errQueueFull
	}
	return nil
}

func (s *session) queue(e entry) {
	s.external.add(e)
	s.tree.sessions[0].core.Flags |= Posted
}

// post puts an event of a machine of the tree into the external queue, which keeps it.
func (s *session) post(ev *Event) error {
	if err := s.room(); err != nil {
		return err
	}
	if _, storing := s.node.(Storing); !storing && ev.Data != nil { // the data model has made them otherwise
		data, err := s.node.Accept(ev.Data)
		if err != nil {
			return err
		}
		ev.Data = data
	}
	s.queue(entry{s.chart.Match(ev.Name), ev.Type, ev})
	return nil
}

// find returns the session of the tree that a target names, or nil.
func (s *session) find(target string) *session {
	switch {
	case target == "":
		return s
	case target == "#_parent":
		return s.parent
	case strings.HasPrefix(target, scxmlAddress):
		for _, other := range s.tree.sessions {
			if other.address() == target {
				return other
			}
		}
	}
	return nil
}

// ParseDelay returns the time that a delay in CSS2's notation means, such as "1.5s" or "200ms".
func ParseDelay(text string) (time.Duration, error) {
	return delay.Parse(text)
}

// CheckEvent reports whether a computed name is that of an event, and raises error.execution otherwise.
func CheckEvent(n Node, name, at, sendID string) bool {
	if name == "" {
		return true // which dispatch complains of
	}
	if err := checkEventName(name); err != nil {
		FailSend(n, at, sendID, err.Error())
		return false
	}
	return true
}

// maxEventName is the length of the longest name of an event, in bytes, as in package datamodel.
const maxEventName = 4096

// checkEventName does what datamodel.CheckEventName does, with its messages.
func checkEventName(name string) error {
	why := ""
	switch {
	case name == "":
		return errors.New("the event has no name")
	case len(name) > maxEventName:
		return fmt.Errorf("event name %.40q… has %d bytes: want at most %d", name, len(name), maxEventName)
	case !utf8.ValidString(name):
		why = "is not UTF-8"
	case strings.ContainsFunc(name, unicode.IsSpace):
		why = "contains white space: want the name of one event"
	case strings.ContainsFunc(name, unicode.IsControl):
		why = "contains a control character"
	case strings.Contains(name, "*"):
		why = `has a wildcard: write "*" only in the event of a transition`
	case name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, ".."):
		why = "has an empty token: it begins or ends with a dot, or has two in a row"
	default:
		return nil
	}
	return fmt.Errorf("event name %q %s", name, why)
}

// Shorten removes the last token of an event's name.
func Shorten(name string) string {
	return name[:max(0, strings.LastIndexByte(name, '.'))]
}

// Delay is the value of delayexpr, or fails, see [js.Throw].
func Delay(err *string, text string) time.Duration {
	if *err != "" {
		return 0
	}
	d, failed := delay.Parse(text)
	if failed != nil {
		js.Throw[js.Value](err, "delayexpr: "+failed.Error())
	}
	return d
}
