package isolate

import (
	"context"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// This file has both ends of [scxml.WithOutbox].

// An outcome is a [scxml.Outcome], also of a service.
type outcome struct {
	Task    uint64           `json:",omitempty"`
	Err     *hostError       `json:",omitempty"`
	Refused bool             `json:",omitempty"`
	Data    eventjson.Value  `json:",omitzero"`
	Event   *eventjson.Event `json:",omitempty"`
	Seq     uint64           `json:",omitempty"`
}

// outbox returns the option of a session in the child.
func (c *child) outbox(o *outbox) scxml.Option {
	out := scxml.Outbox{Processors: o.Processors, Services: o.Services, Sessions: o.Sessions}
	if o.Location {
		out.Location = func(session, typ string) string {
			address, _ := callHost(c, hostAddress, addressing{session, typ}) // "" if the host fails
			return address
		}
	}
	if o.Check {
		out.Check = func(session string, m scxml.Message) error {
			_, err := callHost(c, hostCheck, scxml.Task{Kind: scxml.TaskSend, Session: session, Message: m})
			return err
		}
	}
	return scxml.WithOutbox(out)
}

// learnTasks checks the tasks of a session. A child that hands out what its host does not have is at
// fault.
func (s *Session) learnTasks() error {
	for i := range s.state.Tasks {
		if t := &s.state.Tasks[i]; !s.asksFor(t) {
			s.state.Tasks = nil
			s.tenant.breach("task %d: the host has not asked for it", t.ID)
			return s.tenant.Err()
		}
	}
	return nil
}

// asksFor reports whether the outbox of the session is for the task.
func (s *Session) asksFor(t *scxml.Task) bool {
	switch {
	case t.Kind != scxml.TaskSend:
		return slices.Contains(s.outbox.Services, t.Service.Type) || slices.Contains(s.outbox.Services, "*")
	case t.Message.Type == scxml.SCXMLEventProcessor:
		return s.outbox.Sessions
	}
	return slices.Contains(s.outbox.Processors, t.Message.Type)
}

// Outbox is [scxml.ServerView.Outbox]. Who a message comes from is the child's word.
func (s *Session) Outbox() []scxml.Task { return slices.Clone(s.state.Tasks) }

// Report is [scxml.ServerView.Report].
func (s *Session) Report(ctx context.Context, o scxml.Outcome) (changed bool, err error) {
	out := outcome{Task: o.Task, Refused: o.Refused, Seq: o.Seq}
	if o.Event != nil {
		if out.Event, err = neutral(*o.Event); err != nil {
			return false, err
		}
	} else if out.Data.V, err = datamodel.From(o.Data); err != nil {
		o.Err = err // as in process
	}
	out.Err = s.tenant.hostError(o.Err)
	return ask(ctx, s, reportTask, out)
}

// outcome returns an outcome of the parent.
func (c *child) outcome(o *outcome) scxml.Outcome {
	out := scxml.Outcome{Task: o.Task, Refused: o.Refused, Data: o.Data.V, Seq: o.Seq}
	if o.Err != nil {
		out.Err = o.Err
	}
	if o.Event != nil {
		ev := c.event(o.Event)
		out.Event = &ev
	}
	return out
}

// Deliver is [scxml.ServerView.Deliver] of the session of the tree with the given id. found is false if
// there is none.
func (s *Session) Deliver(ctx context.Context, id string, ev scxml.Event) (found bool, err error) {
	packed, err := neutral(ev)
	if err != nil {
		return false, err
	}
	return ask(ctx, s, deliverEvent, posting{id, packed})
}

// DropDue drops the delayed events that are due at the time now, and returns their names; see
// [scxml.ServerView.Reschedule].
func (s *Session) DropDue(ctx context.Context, now time.Time) ([]string, error) {
	return ask(ctx, s, dropDue, now)
}

// Data is [scxml.Data] of all data items.
func (s *Session) Data(ctx context.Context) (*datamodel.Object, error) {
	v, err := ask(ctx, s, sessionData, none{})
	if err != nil {
		return nil, err
	}
	if o, _ := v.Object(); o != nil {
		return o, nil
	}
	return new(datamodel.Object), nil
}
