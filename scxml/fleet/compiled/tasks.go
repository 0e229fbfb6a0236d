package compiled

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// tasks are those that are handed out, as snapshots have them: the machine has the services that run.
type tasks struct {
	Last  uint64       `json:"last"`
	Tasks []scxml.Task `json:"tasks,omitempty"`
}

// read refuses what it would lose.
func (t *tasks) read(text string) error {
	*t = tasks{}
	if text == "" {
		return nil
	}
	var before, after any
	err := errors.Join(json.Unmarshal([]byte(text), t), json.Unmarshal([]byte(text), &before))
	if err == nil {
		text, err = t.text()
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &after)
	}
	if err == nil && !reflect.DeepEqual(before, after) {
		err = errors.New("its outbox has something that is not known")
	}
	return err
}

func (t *tasks) text() (string, error) {
	if t.Last == 0 {
		return "", nil
	}
	text, err := json.Marshal(t)
	return string(text), err
}

// end removes a task that is done, and reports whether it was there.
func (t *tasks) end(id uint64) bool {
	before := len(t.Tasks)
	t.Tasks = slices.DeleteFunc(t.Tasks, func(task scxml.Task) bool { return task.ID == id })
	return len(t.Tasks) < before
}

// with returns the tasks and the services of a machine, by their IDs.
func (t *tasks) with(n machine.Node) []scxml.Task {
	all := slices.Clone(t.Tasks)
	machine.Services(n, func(from string, inv *machine.Invocation) {
		service := named(inv)
		if inv.Params != nil {
			service.Params, _ = toValue(inv.Params).(*datamodel.Object)
		}
		service.Content, service.Retry = toValue(inv.Content), retry(inv.Retry)
		all = append(all, scxml.Task{ID: inv.Task, Kind: scxml.TaskInvoke, Session: from, Service: service, Seq: inv.Seq})
	})
	slices.SortFunc(all, func(a, b scxml.Task) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

func named(inv *machine.Invocation) scxml.Service {
	return scxml.Service{ID: inv.ID, Type: inv.Type, Src: inv.Src}
}

// A host hands out what a machine asks for, as a session does with its outbox.
type host struct{ *live }

func (h host) Processors() []string {
	all := slices.Clone(h.env.Outbox.Processors)
	if i := slices.Index(all, "basichttp"); i >= 0 {
		all[i] = scxml.BasicHTTPEventProcessor
	}
	return all
}

func (h host) Location(from, typ string) string {
	if location := h.env.Outbox.Location; location != nil {
		return location(from, typ)
	}
	return ""
}

func (h host) Send(from string, m machine.Message) error {
	msg := message(m)
	if check := h.env.Outbox.Check; check != nil {
		if err := check(from, msg); err != nil {
			return err
		}
	}
	return h.add(scxml.Task{Kind: scxml.TaskSend, Session: from, Message: msg})
}

func (h host) Runs(typ string) bool {
	return !doc.IsSCXMLType(typ) && (slices.Contains(h.env.Outbox.Services, typ) || slices.Contains(h.env.Outbox.Services, "*"))
}

func (h host) Invoke(string, *machine.Invocation) uint64 {
	h.tasks.Last++
	return h.tasks.Last
}

func (h host) Forward(from string, inv *machine.Invocation, m machine.Message) error {
	return h.add(scxml.Task{Kind: scxml.TaskForward, Session: from, Message: message(m), Invoke: inv.Task, Service: named(inv)})
}

func (h host) Cancel(from string, inv *machine.Invocation) {
	h.tasks.Tasks = slices.DeleteFunc(h.tasks.Tasks, func(t scxml.Task) bool { return t.Invoke == inv.Task && t.Kind == scxml.TaskForward })
	_ = h.add(scxml.Task{Kind: scxml.TaskCancel, Session: from, Invoke: inv.Task, Service: named(inv)})
}

// add hands out a task. What cancels a service always has room.
func (h host) add(task scxml.Task) error {
	t := &h.tasks
	if limit := cmp.Or(h.def.limits.Outbox, scxml.DefaultLimits().Outbox); len(t.Tasks) >= limit && task.Kind != scxml.TaskCancel {
		return &scxml.LimitError{Limit: "Outbox", Value: limit}
	}
	t.Last++
	task.ID = t.Last
	t.Tasks = append(t.Tasks, task)
	return nil
}
