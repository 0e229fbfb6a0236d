package scxml

import (
	"runtime/debug"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An IOProcessor is an Event I/O Processor (REC 6.2.5 and appendix C). It delivers the messages of
// each <send> of its type, and may receive events for the sessions that it was opened for, which it
// passes on with [ServerView.Deliver]. One IOProcessor can serve any number of sessions; their owners
// call its methods.
type IOProcessor interface {
	// Open is called before a session starts, invoked sessions included. It returns the address of
	// the session, which becomes its location in _ioprocessors, or "".
	Open(s *Session) (location string)

	// Close is called when the session has ended.
	Close(s *Session)

	// Send delivers a message of s when it is due. It must not block: start a goroutine for
	// anything slow. Call done once, from any goroutine, with nil when the message has arrived, or
	// with the reason why it has not, which becomes error.communication. If the message itself is
	// wrong, for example its target, Send returns an error, which becomes error.execution, and does
	// not call done. A panic is error.communication with a [*PanicError].
	Send(s *Session, m Message, done func(error)) error
}

// A Reopener is an [IOProcessor] whose addresses can outlive the process. [Restore] calls Reopen in
// place of Open with the location of the session at the time of the snapshot. Reopen returns the
// location, the same one if the session keeps it.
type Reopener interface {
	IOProcessor
	Reopen(s *Session, location string) string
}

// WithIOProcessor adds an Event I/O Processor. typ is the URI by which the type attribute of <send>
// names it, and its key in _ioprocessors; "basichttp" is short for [BasicHTTPEventProcessor]. It
// replaces a processor of the same type. [New] fails if typ is the SCXML Event I/O Processor, which
// is built in.
func WithIOProcessor(typ string, p IOProcessor) Option {
	typ = processorType(typ)
	return option(func(c *config) {
		c.processors = slices.DeleteFunc(c.processors, func(old processor) bool { return old.typ == typ })
		c.processors = append(c.processors, processor{typ, p})
	})
}

type processor struct {
	typ string
	IOProcessor
}

// typeAliases are short names for the types of the REC's Event I/O Processors. They are resolved
// where a type is read.
var typeAliases = map[string]string{
	"":          SCXMLEventProcessor,
	"scxml":     SCXMLEventProcessor,
	"basichttp": BasicHTTPEventProcessor,
}

func processorType(typ string) string {
	if uri, ok := typeAliases[typ]; ok {
		return uri
	}
	return typ
}

// processor returns the processor for a type, nil for the built-in SCXML one; known reports whether
// it exists.
func (t *tree) processor(typ string) (p IOProcessor, known bool) {
	if typ == SCXMLEventProcessor {
		return nil, true
	}
	i := slices.IndexFunc(t.processors, func(p processor) bool { return p.typ == typ })
	if i < 0 {
		return nil, false
	}
	return t.processors[i].IOProcessor, true
}

// openProcessors opens the processors for a session that is about to start.
func (s *Session) openProcessors() {
	for _, p := range s.tree.processors {
		s.locations = append(s.locations, p.Open(s))
	}
}

// reopenProcessors is openProcessors for a restored session.
func (s *Session) reopenProcessors(saved []savedLocation) {
	for _, p := range s.tree.processors {
		again, _ := p.IOProcessor.(Reopener)
		i := slices.IndexFunc(saved, func(l savedLocation) bool { return l.Type == p.typ })
		if again == nil || i < 0 {
			s.locations = append(s.locations, p.Open(s))
		} else {
			s.locations = append(s.locations, again.Reopen(s, saved[i].Location))
		}
	}
}

func (s *Session) closeProcessors() {
	for i := range s.locations {
		s.tree.processors[i].Close(s)
	}
	s.locations = nil
}

func (h *storeHost) IOProcessors() []datamodel.IOProcessor {
	s := (*Session)(h)
	all := []datamodel.IOProcessor{{Type: SCXMLEventProcessor, Location: s.address()}}
	for i, location := range s.locations {
		all = append(all, datamodel.IOProcessor{Type: s.tree.processors[i].typ, Location: location})
	}
	return all
}

// hand passes m to a processor other than the SCXML one.
func (s *Session) hand(p IOProcessor, m Message) {
	finished := s.tree.workOutside()
	failed := func(err error, event string) {
		s.outcome(&ExecutionError{Event: event, Element: "send", Pos: m.Pos, Msg: err.Error(), SendID: m.Event.SendID, Err: err})
	}
	var once sync.Once
	done := func(err error) {
		once.Do(func() {
			if err != nil {
				s.later(func() { failed(err, "error.communication") })
			}
			finished()
		})
	}
	err := func() (err error) {
		defer func() {
			if x := recover(); x != nil {
				done(&PanicError{Value: x, Stack: debug.Stack(), What: "I/O processor"})
			}
		}()
		return p.Send(s, m, done)
	}()
	if err != nil {
		once.Do(func() {
			failed(err, "error.execution")
			finished()
		})
	}
}

// later makes the owner run f between macrosteps, unless the session ends first.
func (s *Session) later(f func()) {
	// f is not needed once the session has ended.
	_ = s.tree.ask(s, &call{f: func() {
		if s.status == Running {
			f()
		}
	}})
}

// workOutside notes that work outside the session tree may send it an event, until finished is
// called.
func (t *tree) workOutside() (finished func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.beginOutside()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.endOutside()
	}
}

// beginOutside and endOutside are workOutside for a caller that holds mu.
func (t *tree) beginOutside() {
	t.outside++
	if t.wake == nil {
		t.wake = make(chan struct{}, 1)
	}
}

func (t *tree) endOutside() {
	t.outside--
	t.wakeUp()
}

// busyOutside reports whether work outside is in progress.
func (t *tree) busyOutside() bool {
	busy, _ := t.outsideAndWork()
	return busy
}

// outsideAndWork reports whether work outside is in progress, and whether there is work for a step:
// work outside that is over at that moment has left its work.
func (t *tree) outsideAndWork() (busy, work bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.outside > 0, t.hasWork()
}
