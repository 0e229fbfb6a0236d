package isolate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// This file has both ends of [scxml.WithOutbox].

// A task is a [scxml.Task].
type task struct {
	ID          uint64
	Kind        scxml.TaskKind
	Session     string
	Message     *message        `json:",omitempty"`
	Name        string          `json:",omitempty"` // of the service
	Type, Src   string          `json:",omitempty"`
	Params      json.RawMessage `json:",omitempty"`
	Content     json.RawMessage `json:",omitempty"`
	Invoke, Seq uint64          `json:",omitempty"`
}

// An outcome is a [scxml.Outcome].
type outcome struct {
	Task    uint64
	Err     string          `json:",omitempty"`
	Number  int             `json:",omitempty"` // of the error
	Refused bool            `json:",omitempty"`
	Data    json.RawMessage `json:",omitempty"`
	Event   *event          `json:",omitempty"`
	Seq     uint64          `json:",omitempty"`
}

// outbox returns the option of a session in the child.
func (c *child) outbox(o *outbox) scxml.Option {
	out := scxml.Outbox{Processors: o.Processors, Services: o.Services, Sessions: o.Sessions}
	if o.Location {
		out.Location = func(session, typ string) (address string) {
			id, _ := json.Marshal(session)
			r := c.ask(call{Op: callAddr, Name: typ, Args: []json.RawMessage{id}})
			_ = json.Unmarshal(r.Value, &address) // "" if the host has none
			return address
		}
	}
	if o.Check {
		out.Check = func(session string, m scxml.Message) error {
			packed, err := json.Marshal(packTasks([]scxml.Task{{Kind: scxml.TaskSend, Session: session, Message: m}})[0])
			if err != nil {
				return err
			}
			if r := c.ask(call{Op: callTask, Args: []json.RawMessage{packed}}); r.Err != "" {
				return &hostError{r.Err, r.Number}
			}
			return nil
		}
	}
	return scxml.WithOutbox(out)
}

// checks is Outbox.Check with what a child has packed.
func (h *host) checks(packed json.RawMessage) error {
	var p task
	err := json.Unmarshal(packed, &p)
	if err != nil || p.Message == nil {
		return errors.Join(errors.New("the call has no message"), err)
	}
	t, err := p.unpack()
	if err != nil {
		return err
	}
	return h.check(t.Session, t.Message)
}

func packTasks(tasks []scxml.Task) (all []task) {
	for i := range tasks {
		t := &tasks[i]
		packed := task{
			ID: t.ID, Kind: t.Kind, Session: t.Session, Name: t.Service.ID, Type: t.Service.Type, Src: t.Service.Src,
			Content: packValue(t.Service.Content), Invoke: t.Invoke, Seq: t.Seq,
		}
		if t.Service.Params != nil {
			packed.Params = packValue(t.Service.Params)
		}
		if t.Kind == scxml.TaskSend || t.Kind == scxml.TaskForward {
			m, _ := packMessage(&t.Message) // its data are neutral values
			for _, p := range t.Message.Params {
				m.Params = append(m.Params, preset{p.Name, packValue(p.Value)})
			}
			packed.Message = &m
		}
		all = append(all, packed)
	}
	return all
}

// learnTasks notes the tasks of a session. A child that hands out what its host does not have is at
// fault.
func (s *Session) learnTasks(packed []task) error {
	s.tasks = nil
	for i := range packed {
		t, err := packed[i].unpack()
		if err == nil {
			err = s.checkTask(&t)
		}
		if err != nil {
			s.tenant.breach("task %d: %v", packed[i].ID, err)
			return s.tenant.Err()
		}
		s.tasks = append(s.tasks, t)
	}
	return nil
}

func (p *task) unpack() (t scxml.Task, err error) {
	t = scxml.Task{ID: p.ID, Kind: p.Kind, Session: p.Session, Invoke: p.Invoke, Seq: p.Seq}
	t.Service = scxml.Service{ID: p.Name, Type: p.Type, Src: p.Src}
	params, err := unpack(p.Params)
	if err != nil {
		return t, err
	}
	t.Service.Params, _ = params.(*datamodel.Object)
	if t.Service.Content, err = unpack(p.Content); err != nil || p.Message == nil {
		return t, err
	}
	if t.Message, err = p.Message.unpack(); err != nil {
		return t, err
	}
	for _, param := range p.Message.Params {
		v, err := unpack(param.Value)
		if err != nil {
			return t, err
		}
		t.Message.Params = append(t.Message.Params, scxml.Param{Name: param.ID, Value: v})
	}
	return t, nil
}

func (s *Session) checkTask(t *scxml.Task) error {
	switch {
	case t.Kind == scxml.TaskSend && t.Message.Type == scxml.SCXMLEventProcessor:
		if s.outbox.Sessions {
			return nil
		}
	case t.Kind == scxml.TaskSend:
		if slices.Contains(s.outbox.Processors, t.Message.Type) {
			return nil
		}
	case t.Kind <= scxml.TaskCancel:
		if slices.Contains(s.outbox.Services, t.Service.Type) || slices.Contains(s.outbox.Services, "*") {
			return nil
		}
	}
	return errors.New("the host has not asked for it")
}

// Outbox is [scxml.ServerView.Outbox]. Who a message comes from is the child's word.
func (s *Session) Outbox() []scxml.Task { return slices.Clone(s.tasks) }

// Report is [scxml.ServerView.Report].
func (s *Session) Report(ctx context.Context, o scxml.Outcome) (changed bool, err error) {
	out := &outcome{Task: o.Task, Refused: o.Refused, Seq: o.Seq}
	if o.Event != nil {
		if out.Event, err = packEvent(*o.Event); err != nil {
			return false, fmt.Errorf("isolate: data of event %q: %w", o.Event.Name, err)
		}
	} else if out.Data, err = pack(o.Data); err != nil {
		o.Err = err // as in process
	}
	if o.Err != nil {
		out.Err, out.Number = o.Err.Error(), s.tenant.keep(o.Err)
	}
	a, err := s.ask(ctx, &request{Op: opReport, Outcome: out})
	return a.Changed, err
}

func (o *outcome) unpack() (out scxml.Outcome, err error) {
	out = scxml.Outcome{Task: o.Task, Refused: o.Refused, Seq: o.Seq}
	if o.Err != "" || o.Number != 0 {
		out.Err = &hostError{o.Err, o.Number}
	}
	if o.Event != nil {
		ev, err := o.Event.unpack()
		out.Event = &ev
		return out, err
	}
	out.Data, err = unpack(o.Data)
	return out, err
}

// Deliver is [scxml.ServerView.Deliver] of the session of the tree with the given id. found is false if
// there is none.
func (s *Session) Deliver(ctx context.Context, id string, ev scxml.Event) (found bool, err error) {
	packed, err := packEvent(ev)
	if err != nil {
		return false, fmt.Errorf("isolate: data of event %q: %w", ev.Name, err)
	}
	a, err := s.ask(ctx, &request{Op: opPost, Text: id, Event: packed})
	return a.Found, err
}

// DropDue drops the delayed events that are due at the time now, and returns their names; see
// [scxml.ServerView.Reschedule].
func (s *Session) DropDue(ctx context.Context, now time.Time) ([]string, error) {
	a, err := s.ask(ctx, &request{Op: opDropDue, Now: now})
	return a.Dropped, err
}

// Data is [scxml.Data] of all data items.
func (s *Session) Data(ctx context.Context) (*datamodel.Object, error) {
	a, err := s.ask(ctx, &request{Op: opData})
	if err != nil {
		return nil, err
	}
	v, err := unpack(a.Value)
	if obj, ok := v.(*datamodel.Object); ok {
		return obj, err
	}
	return new(datamodel.Object), err
}
