package scxml

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// The version of the format that Snapshot writes. Restore reads this and all earlier ones.
const (
	snapshotFormat  = "scxml-snapshot"
	snapshotVersion = 1
)

// The following types are the format, see SNAPSHOT.md.

type snapshot struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Chart    savedChart        `json:"chart"`
	Now      time.Time         `json:"now"`
	Random   *savedRandom      `json:"random,omitempty"`
	Stop     bool              `json:"stop,omitempty"`
	Turn     int               `json:"turn"`
	Sessions []savedSession    `json:"sessions"`
	Timers   []savedTimer      `json:"timers,omitempty"`
	Outbox   *savedOutbox      `json:"outbox,omitempty"`
	Data     []json.RawMessage `json:"data,omitempty"` // by session; see encode
}

// openMember reopens the text of a non-empty JSON object to add a member with the given name. It
// reserves room for a value of size bytes and for the brace, which the caller appends.
func openMember(object []byte, name string, size int) []byte {
	object = slices.Grow(bytes.TrimSuffix(object, []byte("}")), len(name)+size+len(`,"":}`))
	object = append(append(object, `,"`...), name...)
	return append(object, `":`...)
}

type savedChart struct {
	File string `json:"file,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// savedRandom is the source of random numbers: the seed while it is unused, afterwards the result
// of PCG.MarshalBinary.
type savedRandom struct {
	Seed  uint64 `json:"seed,string,omitempty"`
	State []byte `json:"state,omitempty"`
}

type savedSession struct {
	ID            string            `json:"id,omitempty"`
	InvokeID      string            `json:"invokeid,omitempty"`
	Parent        int               `json:"parent,omitempty"` // missing for the root
	Chart         savedChart        `json:"chart,omitzero"`   // of an invoked session
	Status        string            `json:"status"`
	Stopped       *savedReason      `json:"stopped,omitempty"`
	Final         string            `json:"final,omitempty"`
	Done          eventjson.Value   `json:"done,omitzero"`
	Configuration []string          `json:"configuration,omitempty"`
	History       []savedHistory    `json:"history,omitempty"`
	Bound         []string          `json:"bound,omitempty"`
	ToInvoke      []string          `json:"toinvoke,omitempty"`
	Internal      []eventjson.Event `json:"internal,omitempty"`
	External      []eventjson.Event `json:"external,omitempty"`
	Fence         int32             `json:"fence,omitempty"`
	Unstable      bool              `json:"unstable,omitempty"`
	Steps         int               `json:"steps,omitempty"`
	Logged        int               `json:"logged,omitempty"`
	Limit         *savedReason      `json:"limit,omitempty"`
	IDs           uint64            `json:"ids,omitempty"`
	Locations     []savedLocation   `json:"locations,omitempty"`
	Preset        eventjson.Value   `json:"preset,omitzero"`
	Event         *eventjson.Event  `json:"event,omitempty"`
	Invocations   []savedInvocation `json:"invocations,omitempty"`
}

// savedLocation is the address that an Event I/O Processor has given to a session.
type savedLocation struct {
	Type     string `json:"type"`
	Location string `json:"location"`
}

// savedReason is why a session was stopped, or is about to be.
type savedReason struct {
	Message string          `json:"message,omitempty"`
	Limit   string          `json:"limit,omitempty"` // of a LimitError
	Value   eventjson.Value `json:"value,omitzero"`
	States  []string        `json:"states,omitempty"`

	Transitions []savedPos `json:"transitions,omitempty"`
}

type savedHistory struct {
	State string   `json:"state"`
	Value []string `json:"value"`
}

type savedTimer struct {
	Session int       `json:"session"`
	Due     time.Time `json:"due"`
	savedMessage
}

type savedMessage struct {
	Delay  string          `json:"delay"`
	Target string          `json:"target,omitempty"`
	Type   string          `json:"type,omitempty"` // the SCXML Event I/O Processor if missing
	Event  eventjson.Event `json:"event"`
	Params []savedParam    `json:"params,omitempty"`
	Retry  *Retry          `json:"retry,omitempty"`
	At     savedPos        `json:"at,omitzero"`
}

type savedOutbox struct {
	Last  uint64      `json:"last"`
	Tasks []savedTask `json:"tasks,omitempty"`
}

// savedTask is a Task. A snapshot has no TaskInvoke here: the invocation has it.
type savedTask struct {
	ID      uint64        `json:"id"`
	Kind    string        `json:"kind"`
	Session string        `json:"session"`
	Message *savedMessage `json:"message,omitempty"`
	Invoke  uint64        `json:"invoke,omitempty"`
	Service *savedService `json:"service,omitempty"`
}

type savedParam struct {
	Name  string          `json:"name"`
	Value eventjson.Value `json:"value,omitzero"`
}

type savedPos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// savedInvocation is an <invoke> that is running, or has ended while its state is still active.
type savedInvocation struct {
	ID      string          `json:"id"`
	State   string          `json:"state"`
	Invoke  int             `json:"invoke"`            // index among those of the state
	Session int             `json:"session,omitempty"` // of a running SCXML session
	Src     string          `json:"src,omitempty"`     // origin of its chart
	Content eventjson.Value `json:"content,omitzero"`
	Service *savedService   `json:"service,omitempty"`
}

type savedService struct {
	ID      string            `json:"id,omitempty"` // of a task
	Type    string            `json:"type"`
	Src     string            `json:"src,omitempty"`
	Params  eventjson.Value   `json:"params,omitzero"`
	Content eventjson.Value   `json:"content,omitzero"`
	Inbox   []eventjson.Event `json:"inbox,omitempty"`
	Over    bool              `json:"over,omitempty"`
	Task    uint64            `json:"task,omitempty"`
	Seq     uint64            `json:"seq,omitempty"`
	Retry   *Retry            `json:"retry,omitempty"` // of a task
}

func (c *Chart) saved() savedChart { return savedChart{c.file, c.Hash()} }

func saveMessage(m *Message) savedMessage {
	saved := savedMessage{
		Delay: m.Delay.String(), Target: m.Target, Event: eventjson.Of(m.Event), Retry: m.Retry, At: savedPos{m.Pos.File, m.Pos.Line, m.Pos.Col},
	}
	if m.Type != SCXMLEventProcessor {
		saved.Type = m.Type
	}
	for _, p := range m.Params {
		saved.Params = append(saved.Params, savedParam{p.Name, eventjson.Value{V: p.Value}})
	}
	return saved
}

func (saved *savedMessage) restore() (Message, error) {
	delay, err := time.ParseDuration(saved.Delay)
	if err != nil || delay < 0 {
		return Message{}, fmt.Errorf("illegal delay %q", saved.Delay)
	}
	m := Message{
		Target: saved.Target, Type: cmp.Or(saved.Type, SCXMLEventProcessor), Delay: delay, Retry: saved.Retry,
		Pos: datamodel.Position{File: saved.At.File, Line: saved.At.Line, Col: saved.At.Col},
	}
	for _, p := range saved.Params {
		m.Params = append(m.Params, Param{p.Name, p.Value.V})
	}
	m.Event, err = restoreEvent(&saved.Event)
	return m, err
}

// MarshalJSON returns the message as snapshots have it, without Session.
func (m Message) MarshalJSON() ([]byte, error) {
	m.Pos = datamodel.Position{} // of use to the process that has the chart
	return json.Marshal(saveMessage(&m))
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (m *Message) UnmarshalJSON(text []byte) error {
	var saved savedMessage
	err := json.Unmarshal(text, &saved)
	if err == nil {
		*m, err = saved.restore()
	}
	return err
}

func saveTask(t *Task) savedTask {
	saved := savedTask{ID: t.ID, Kind: t.Kind.String(), Session: t.Session, Invoke: t.Invoke}
	if t.Kind == TaskSend || t.Kind == TaskForward {
		m := saveMessage(&t.Message)
		saved.Message = &m
	}
	if t.Kind != TaskSend {
		s := &t.Service
		saved.Service = &savedService{ID: s.ID, Type: s.Type, Src: s.Src, Params: eventjson.OfObject(s.Params), Content: eventjson.Value{V: s.Content}, Seq: t.Seq, Retry: s.Retry}
	}
	return saved
}

func (saved *savedTask) restore() (Task, error) {
	t := Task{ID: saved.ID, Session: saved.Session, Invoke: saved.Invoke}
	kind := slices.Index(taskNames[:], saved.Kind)
	t.Kind = TaskKind(max(0, kind))
	if kind < 0 || (t.Kind == TaskInvoke || t.Kind == TaskCancel) != (saved.Message == nil) || (t.Kind == TaskSend) != (saved.Service == nil) {
		return t, damaged("task %d is impossible", t.ID)
	}
	if m := saved.Message; m != nil {
		var err error
		if t.Message, err = m.restore(); err != nil {
			return t, damaged("task %d: %w", t.ID, err)
		}
	}
	if s := saved.Service; s != nil {
		params, ok := s.Params.Object()
		if !ok {
			return t, damaged("task %d: its params are not an object", t.ID)
		}
		t.Seq, t.Service = s.Seq, Service{ID: s.ID, Type: s.Type, Src: s.Src, Params: params, Content: s.Content.V, Retry: s.Retry}
	}
	return t, nil
}

// MarshalJSON returns the task as snapshots have it; a TaskInvoke has its service like an invocation.
func (t Task) MarshalJSON() ([]byte, error) { return json.Marshal(saveTask(&t)) }

// UnmarshalJSON is the inverse of MarshalJSON.
func (t *Task) UnmarshalJSON(text []byte) error {
	var saved savedTask
	err := json.Unmarshal(text, &saved)
	if err == nil {
		*t, err = saved.restore()
	}
	return err
}

func (q *queue) save() []eventjson.Event {
	var all []eventjson.Event
	for i := range q.len() {
		all = append(all, eventjson.Of(*q.at(i)))
	}
	return all
}

func saveReason(err error) *savedReason {
	if err == nil {
		return nil
	}
	if limit := (*LimitError)(nil); errors.As(err, &limit) {
		v, _ := datamodel.From(limit.Value)
		if d, ok := limit.Value.(time.Duration); ok {
			v = d.String()
		}
		saved := &savedReason{Limit: limit.Limit, Value: eventjson.Value{V: v}, States: limit.States}
		for _, pos := range limit.Transitions {
			saved.Transitions = append(saved.Transitions, savedPos{pos.File, pos.Line, pos.Col})
		}
		return saved
	}
	if before := (*stoppedBefore)(nil); errors.As(err, &before) {
		err = before.error
	}
	return &savedReason{Message: err.Error()}
}

// saveState returns the name of a state, or its number if another state has that name as its id.
func (c *Chart) saveState(st table.State) string {
	name := c.states[st].name
	if c.byName[name] != st {
		return fmt.Sprintf("#%d", st)
	}
	return name
}

func (c *Chart) saveStates(list []table.State) []string {
	var names []string
	for _, st := range list {
		names = append(names, c.saveState(st))
	}
	return names
}

func (c *Chart) saveSet(set table.Set) []string {
	var names []string
	for st := set.Next(0); st != table.None; st = set.Next(st + 1) {
		names = append(names, c.saveState(st))
	}
	return names
}

func restoreEvent(e *eventjson.Event) (Event, error) {
	ev, err := e.Event()
	// The platform builds names from ids, which may contain more than names.
	if err == nil && ev.Name != "" && !(ev.Type == datamodel.Platform && strings.HasPrefix(ev.Name, "done.")) {
		err = datamodel.CheckEventName(ev.Name)
	}
	if err != nil {
		return ev, damaged("%w", err)
	}
	return ev, nil
}

func (q *queue) restore(saved []eventjson.Event) error {
	for i := range saved {
		ev, err := restoreEvent(&saved[i])
		if err != nil {
			return err
		}
		if ev.Name == "" {
			return damaged("an event has no name")
		}
		*q.add() = ev
	}
	return nil
}

// stoppedBefore is what drivers of a restored session that has ended return.
type stoppedBefore struct{ error }

func (e *stoppedBefore) Error() string {
	return "scxml: the session had stopped before it was saved (" + strings.TrimPrefix(e.error.Error(), "scxml: ") +
		"): one that is to continue is saved by Suspend inside Call, while Run still drives it"
}

func (e *stoppedBefore) Unwrap() error { return e.error }

// restore returns the error for a reason, nil for none.
func (r *savedReason) restore() error {
	switch {
	case r == nil:
		return nil
	case r.Limit != "":
		limit := &LimitError{Limit: r.Limit, Value: r.Value.V, States: r.States}
		for _, pos := range r.Transitions {
			limit.Transitions = append(limit.Transitions, datamodel.Position{File: pos.File, Line: pos.Line, Col: pos.Col})
		}
		switch v := r.Value.V.(type) {
		case int64:
			limit.Value = int(v)
		case string:
			if d, err := time.ParseDuration(v); err == nil {
				limit.Value = d
			}
		}
		return limit
	}
	for _, err := range [...]error{ErrStopped, context.Canceled, context.DeadlineExceeded} {
		if r.Message == err.Error() {
			return err
		}
	}
	return errors.New(r.Message)
}

// savedState is the inverse of saveState.
func (c *Chart) savedState(name string) (table.State, error) {
	if st, ok := c.byName[name]; ok {
		return st, nil
	}
	if n, ok := strings.CutPrefix(name, "#"); ok {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(c.states) {
			return table.State(i), nil
		}
	}
	return table.None, damaged("%s has no state %q", c.file, name)
}
