package scxml

import (
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An IOProcessor is an Event I/O Processor (REC 6.2.5 and appendix C): it
// delivers what a <send> of its type sends, and may receive events for the
// sessions that it was opened for. One IOProcessor can serve any number of
// sessions; its methods are called by their owners.
type IOProcessor interface {
	// Open is called before a session starts, invoked ones included. It
	// returns the address under which the session can be reached, which is the
	// location in _ioprocessors, or "" if there is none.
	Open(s *Session) (location string)

	// Close is called when the session has ended.
	Close(s *Session)

	// Send delivers a message of s, when it is due. It must not block: what
	// takes time goes into a goroutine. Once the message has arrived, or has
	// failed to, done is to be called with nil or the reason, which becomes
	// error.communication; done may be called from any goroutine. Send returns
	// an error, and does not call done, if the message itself is at fault, for
	// example its target: error.execution.
	Send(s *Session, m Message, done func(error)) error
}

// A Reopener is an [IOProcessor] with addresses that can outlive the process: a
// session that [Restore] makes has Reopen called in place of Open, with the
// location that it had when the snapshot was taken, and keeps it if Reopen
// returns it.
type Reopener interface {
	IOProcessor
	Reopen(s *Session, location string) string
}

// WithIOProcessor adds an Event I/O Processor: typ is the URI by which the
// attribute type of <send> names it, and the key of _ioprocessors; "basichttp"
// is short for [BasicHTTPEventProcessor]. It replaces an earlier one of the same
// type. The SCXML Event I/O Processor cannot be replaced: [New] fails.
func WithIOProcessor(typ string, p IOProcessor) Option {
	if uri, ok := typeAliases[typ]; ok {
		typ = uri
	}
	return option(func(c *config) {
		c.processors = slices.DeleteFunc(c.processors, func(old processor) bool { return old.typ == typ })
		c.processors = append(c.processors, processor{typ, p})
	})
}

type processor struct {
	typ string
	IOProcessor
}

// typeAliases are short names of the types of the REC's own Event I/O
// Processors. A type is resolved where it is read; nobody else sees an alias.
var typeAliases = map[string]string{
	"":          SCXMLEventProcessor,
	"scxml":     SCXMLEventProcessor,
	"basichttp": BasicHTTPEventProcessor,
}

// processor returns the processor for a type, nil for the SCXML one, which is
// built in. known is false if there is none.
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

// openProcessors tells the processors that the session is about to start.
func (s *Session) openProcessors() {
	for _, p := range s.tree.processors {
		s.locations = append(s.locations, p.Open(s))
	}
}

// reopenProcessors is openProcessors for a session that was saved.
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

// hand gives m to a processor other than the SCXML one.
func (s *Session) hand(p IOProcessor, m Message) {
	finished := s.tree.workOutside()
	failed := func(err error, event string) {
		s.outcome(&ExecutionError{Event: event, Element: "send", Pos: m.pos, Msg: err.Error(), SendID: m.Event.SendID, Err: err})
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
	if err := p.Send(s, m, done); err != nil {
		once.Do(func() {
			failed(err, "error.execution")
			finished()
		})
	}
}

// later has f run by the owner, between macrosteps, unless the session ends before.
func (s *Session) later(f func()) {
	// A session that has ended needs no f.
	_ = s.tree.ask(s, &call{f: func() {
		if s.status == Running {
			f()
		}
	}})
}

// workOutside says that something is under way outside of the session tree
// that may send an event to it, until the function that it returns is called.
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

// busyOutside reports whether work is under way outside.
func (t *tree) busyOutside() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.outside > 0
}
