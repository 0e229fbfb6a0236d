package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Host is what a machine hands work to that is done later, or by others, as sessions do with scxml.WithOutbox. It is
// called inside of a step, as hooks are. from is the id of the machine of the tree that asks; places, in m.At, have
// their file too.
type Host interface {
	// Processors returns the URIs of the Event I/O Processors that the host has besides the one of SCXML, and Location
	// the address of a machine in _ioprocessors.
	Processors() []string
	Location(from, typ string) string
	// Send takes a message to one of the Processors, or to a session that is not of this tree of machines. An error
	// becomes error.communication.
	Send(from string, m Message) error

	// Runs reports whether the host runs services of a type. Options.Invoker is not asked for these.
	Runs(typ string) bool
	// Invoke takes a new service, and returns a number that is not 0 for its Task.
	Invoke(from string, inv *Invocation) (task uint64)
	// Forward passes an event to a service. Target is that of a <send>, and "" for autoforward. What an error becomes
	// is as for [Service].
	Forward(from string, inv *Invocation, m Message) error
	Cancel(from string, inv *Invocation)
}

// Services calls f for each service of a tree of machines that a [Host] has taken and that has not ended.
func Services(n Node, f func(from string, inv *Invocation)) {
	for _, s := range of(n).tree.sessions {
		for _, inv := range s.running {
			if inv.handedOut() {
				f(SessionID(s.node), inv.Invocation)
			}
		}
	}
}

func (inv *invocation) handedOut() bool { return inv.child == nil && inv.service == nil && !inv.over }

// checkInvoker returns why services of a type cannot run, or nil.
func (t *tree) checkInvoker(typ string) error {
	if t.options.Invoker == nil && !t.runs(typ) {
		return fmt.Errorf("no invoker for the type %q", typ)
	}
	return nil
}

func (t *tree) runs(typ string) bool { return t.options.Host != nil && t.options.Host.Runs(typ) }

// CheckInvoker reports whether there are services of a type, and raises error.execution otherwise.
func CheckInvoker(n Node, typ, at string) bool {
	err := of(n).tree.checkInvoker(typ)
	if err != nil {
		Fail(n, "invoke", at, err.Error())
	}
	return err == nil
}

// processorType returns the URI of the Event I/O Processor that a type of <send> names.
func processorType(typ string) string {
	switch typ {
	case "", "scxml":
		return SCXMLEventProcessor
	case "basichttp":
		return "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"
	}
	return typ
}

func (t *tree) delivers(uri string) bool {
	return t.options.Host != nil && slices.Contains(t.options.Host.Processors(), uri)
}

// checkProcessor returns why an Event I/O Processor with a URI cannot be used, or nil.
func (t *tree) checkProcessor(typ string) error {
	if typ == SCXMLEventProcessor || t.delivers(typ) {
		return nil
	}
	return fmt.Errorf("no Event I/O Processor for the type %q", typ)
}

// CheckProcessor reports whether a type is that of an Event I/O Processor, and raises error.execution otherwise.
func CheckProcessor(n Node, typ, at, sendID string) bool {
	err := of(n).tree.checkProcessor(processorType(typ))
	if err != nil {
		FailSend(n, at, sendID, err.Error())
	}
	return err == nil
}

// Processor returns what _ioprocessors has for an Event I/O Processor of the host.
func Processor(n Node, uri string) js.Value {
	t := of(n).tree
	if !t.delivers(uri) {
		return js.Value{}
	}
	return js.NewObject().With("location", js.String(t.options.Host.Location(SessionID(n), uri))).Value()
}

// hand passes a message to an Event I/O Processor. A failure is told when the macrostep is over.
func (s *session) hand(m Message) {
	if err := s.out(m); err != nil {
		t := s.tree
		t.undelivered = append(t.undelivered, func() {
			if s.status == running {
				s.failDelivery(&m, err)
			}
		})
		t.sessions[0].core.Flags |= Posted
	}
}

// out passes a message to the host.
func (s *session) out(m Message) error {
	m.At = s.chart.File + ":" + m.At
	return s.tree.options.Host.Send(SessionID(s.node), m)
}

// report reports messages that processors have refused.
func (t *tree) report() {
	all := t.undelivered
	t.undelivered = nil
	for _, f := range all {
		f()
	}
}

// routes reports whether a message is for the host because of its target.
func (t *tree) routes(target string) bool {
	return t.options.Host != nil && strings.HasPrefix(target, scxmlAddress)
}
