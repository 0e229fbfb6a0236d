package dap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A movement moves the session until it stops again.
type movement = func(context.Context) (debug.Stop, error)

// A mover moves the session on a goroutine of its own, so that it can be paused.
type mover struct {
	done   sync.WaitGroup
	inputs []wire.Command // of the launch, that are left

	mu      sync.Mutex // for what follows
	started bool
	moving  bool
	ctx     context.Context    // of the movement
	pause   context.CancelFunc // ends the movement
	stop    debug.Stop         // the last one
}

// Errors of a request for which the session must have stopped.
var (
	errRunning    = errors.New("the session is running: pause it first")
	errNotStarted = errors.New("the session has not started: configurationDone is missing")
)

// begin notes that the session moves, first for the first time.
func (s *server) begin(first bool) error {
	m := &s.mover
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case first && m.started:
		return errors.New("configurationDone was already called")
	case !first && !m.started:
		return errNotStarted
	case m.moving:
		return errRunning
	}
	m.started, m.moving = true, true
	m.ctx, m.pause = context.WithCancel(s.ctx)
	return nil
}

// pause stops the session where it is.
func (s *server) pause() {
	m := &s.mover
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.moving {
		m.pause()
	}
}

// stopped returns where the session has stopped.
func (s *server) stopped() (debug.Stop, error) {
	m := &s.mover
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !m.started:
		return debug.Stop{}, errNotStarted
	case m.moving:
		return debug.Stop{}, errRunning
	}
	return m.stop, nil
}

// move answers a request to move the session, and moves it.
func (s *server) move(m dap.ResponseMessage, f movement) (dap.ResponseMessage, func(), error) {
	if err := s.begin(false); err != nil {
		return nil, nil, err
	}
	return m, func() { s.run(f) }, nil
}

// run moves the session.
func (s *server) run(f movement) {
	s.looks.forget()
	s.mover.done.Go(func() {
		stop, err := f(s.mover.ctx)
		for err == nil && stop.Reason == debug.Idle && !stop.Past && len(s.mover.inputs) > 0 {
			stop, err = s.input(f)
		}
		s.mover.mu.Lock()
		ended := err == nil && (stop.Reason == debug.Ended && s.mover.stop.Reason == debug.Ended ||
			s.args.NoDebug && stop.Reason != debug.Paused)
		s.mover.pause() // what belongs to the context
		if s.mover.moving = false; err == nil {
			s.mover.stop = stop
		}
		stop = s.mover.stop // a movement that fails leaves the session where it was
		s.mover.mu.Unlock()
		switch {
		case s.ctx.Err() != nil || errors.Is(err, debug.ErrClosed):
		case ended:
			s.tellEnd()
		default:
			s.tell(stop, err)
		}
	})
}

// input gives the session the next input of the launch, and moves it further.
func (s *server) input(f movement) (debug.Stop, error) {
	next := s.mover.inputs[0]
	s.mover.inputs = s.mover.inputs[1:]
	if next.Verb == wire.Advance {
		return s.d.Advance(s.mover.ctx, next.Advance)
	}
	s.send(next)
	return f(s.mover.ctx)
}

// send sends an event of the launch.
func (s *server) send(cmd wire.Command) {
	if err := s.d.Send(cmd.Session, cmd.Event); err != nil {
		s.output("important", fmt.Sprintf("launch: events: %s: %v", cmd.Event.Name, err), datamodel.Position{})
	}
}

// tell tells the client that the session has stopped, or that a movement has failed.
func (s *server) tell(stop debug.Stop, err error) {
	e := &dap.StoppedEvent{Body: dap.StoppedEventBody{
		ThreadId: s.threads.id(stop.Session), AllThreadsStopped: true, HitBreakpointIds: stop.Hits, Text: stop.Text,
	}}
	e.Body.Reason, e.Body.Description = s.reason(stop)
	if failure := new(scxml.ExecutionError); errors.As(stop.Err, &failure) {
		e.Body.Text = failureText(failure) // its place is shown anyway
	}
	if err != nil {
		text := strings.TrimPrefix(err.Error(), "debug: ")
		s.output("stderr", text, datamodel.Position{})
		e.Body.Reason, e.Body.Description, e.Body.Text = "pause", "Paused: "+text, text
	}
	s.event("stopped", e)
}

// reason returns why the session has stopped, in a word of the protocol, and for people.
func (s *server) reason(stop debug.Stop) (reason, description string) {
	switch stop.Reason {
	case debug.Entry:
		return "entry", "Before the start"
	case debug.Step:
		reason = "step"
	case debug.Hit:
		reason = "breakpoint"
		for _, b := range s.d.Breakpoints() {
			if len(stop.Hits) == 0 || b.ID != stop.Hits[0] {
				continue
			}
			switch b.Kind {
			case debug.OnState, debug.OnEvent:
				reason = "function breakpoint"
			case debug.OnData:
				reason = "data breakpoint"
			case debug.OnError, debug.OnUnhandled:
				reason = "exception"
			}
		}
	case debug.Idle:
		return "pause", "Idle: nothing to do before the next event"
	case debug.Ended:
		return "pause", "Ended: continue to leave, or step back"
	case debug.Beginning:
		return "entry", "At the beginning"
	case debug.Arrived:
		reason = "goto"
	default:
		reason = "pause"
	}
	description = "Paused on " + reason
	if reason == "pause" {
		description = "Paused"
	}
	if stop.Past {
		description += ", in the past"
	}
	return reason, fmt.Sprintf("%s, at %v", description, stop.Place)
}

func (s *server) exceptionInfo() (dap.ResponseMessage, func(), error) {
	stop, err := s.stopped()
	if err != nil {
		return nil, nil, err
	}
	info := dap.ExceptionInfoResponseBody{ExceptionId: stop.Kind.String(), Description: stop.Text, BreakMode: "always"}
	if failure := new(scxml.ExecutionError); errors.As(stop.Err, &failure) {
		info.ExceptionId = failure.Event
		info.Details = &dap.ExceptionDetails{TypeName: failure.Event, Message: failure.Msg}
		for _, f := range failure.Stack {
			info.Details.StackTrace += strings.TrimSpace(f.Func+" "+f.Pos.String()) + "\n"
		}
	}
	return &dap.ExceptionInfoResponse{Body: info}, nil, nil
}
