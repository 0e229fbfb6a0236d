package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// The names of the signal, updates and queries of each workflow.
const (
	// SignalEvent is the signal, and UpdateEvent the update, that gives the session an [Event]. The update
	// returns an [Answer].
	SignalEvent = "event"
	UpdateEvent = "event"
	// UpdateMigrate is the update that moves the session to another version of its chart, see [Move].
	UpdateMigrate = "migrate"
	// QueryState returns a [State].
	QueryState = "state"
	// QuerySnapshot returns what [scxml.Session.Snapshot] does, as JSON.
	QuerySnapshot = "snapshot"

	updateReport = "report" // of a service
)

// An Input is the argument of a workflow.
type Input struct {
	Data map[string]any // initial values of data items, any Go data, see [datamodel.From]

	from *carried
}

// carried is what a run leaves to the next one.
type carried struct {
	Hash     string   `json:"hash"`
	Snapshot []byte   `json:"snapshot"`
	Answers  []answer `json:"answers,omitempty"`
}

type wireInput struct {
	Data map[string]eventjson.Value `json:"data,omitempty"`
	From *carried                   `json:"from,omitempty"`
}

// MarshalJSON returns an object with the fields data and, in later runs of a workflow, from.
func (in Input) MarshalJSON() ([]byte, error) {
	w := wireInput{From: in.from}
	for name, data := range in.Data {
		v, err := datamodel.From(data)
		if err != nil {
			return nil, err
		}
		if w.Data == nil {
			w.Data = map[string]eventjson.Value{}
		}
		w.Data[name] = eventjson.Value{V: v}
	}
	return json.Marshal(w)
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (in *Input) UnmarshalJSON(text []byte) error {
	var w wireInput
	err := json.Unmarshal(text, &w)
	*in = Input{from: w.From}
	for name, v := range w.Data {
		if in.Data == nil {
			in.Data = map[string]any{}
		}
		in.Data[name] = v.V
	}
	return err
}

// An Event is an external event for a session.
type Event struct {
	Name string // such as "pay"
	Data any    // any Go data, see [datamodel.From]
	// ID, unless it is "", tells repeated events: one whose ID is among the last that the session
	// remembers is not taken again, and gets the same answer. See [Options].Remember.
	ID string

	from *eventjson.Event // a message of another session; nil for others
}

type wireEvent struct {
	eventjson.Event
	ID string `json:"id,omitempty"`
}

// MarshalJSON returns an object with the fields name, data and id.
func (e Event) MarshalJSON() ([]byte, error) {
	w := wireEvent{ID: e.ID}
	if e.from != nil {
		w.Event = *e.from
		return json.Marshal(w)
	}
	v, err := datamodel.From(e.Data)
	if err != nil {
		return nil, err
	}
	w.Event = eventjson.Event{Name: e.Name, Data: eventjson.Value{V: v}}
	return json.Marshal(w)
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (e *Event) UnmarshalJSON(text []byte) error {
	var w wireEvent
	err := json.Unmarshal(text, &w)
	*e = Event{Name: w.Name, Data: w.Data.V, ID: w.ID}
	if w.Origin != "" {
		e.from = &w.Event
	}
	return err
}

// event returns what the session gets.
func (e *Event) event() scxml.Event {
	if e.from != nil {
		return scxml.Event{Name: e.from.Name, Data: e.from.Data.V, SendID: e.from.SendID, Origin: e.from.Origin, OriginType: e.from.OriginType}
	}
	return scxml.Event{Name: e.Name, Data: e.Data}
}

// An Answer is what an event has done.
type Answer struct {
	Handled       bool     `json:"handled"`       // it enabled a transition of the chart
	Configuration []string `json:"configuration"` // names of the active states after it, in document order
	Status        string   `json:"status"`        // of the session, see [scxml.Status]
	// Sent and Errors are left out, with an error that says so, if they have more than 100 kB.
	Sent   []Sent   `json:"sent,omitempty"`
	Errors []string `json:"errors,omitempty"` // error events of the chart, with their places
}

// Sent is a message that a chart has sent.
type Sent struct {
	Name   string          `json:"name"`
	Target string          `json:"target,omitempty"`
	Type   string          `json:"type,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

// A State is what [QueryState] returns.
type State struct {
	Chart         string          `json:"chart"`
	Hash          string          `json:"hash"` // of the version of the chart
	Status        string          `json:"status"`
	Configuration []string        `json:"configuration"`
	Atomic        []string        `json:"atomic"`
	Events        []string        `json:"events"` // that come from outside and that it takes now
	Data          json.RawMessage `json:"data"`   // data items, in the form of [datamodel.AppendJSON]
	Due           time.Time       `json:"due,omitzero"`
	Tasks         int             `json:"tasks"` // services that run, and messages on their way
	// Refused counts the signals that were no event, and Refusal says why the last one was not.
	Refused int    `json:"refused,omitempty"`
	Refusal string `json:"refusal,omitempty"`
}

// Do gives a session an event, and returns what it has done. id is that of the workflow.
//
// The error is one of the client: for a workflow that is not there or has ended, and for an event that
// the session does not accept. Do repeats a call that failed on its way; that the event counts once,
// whatever happens, takes an ID.
func Do(ctx context.Context, c client.Client, id string, ev Event) (a Answer, err error) {
	return a, update(ctx, c, id, UpdateEvent, &a, ev)
}

// update does an update and waits for its end. One that the server has not begun, because the workflow continues as
// a new run or another event came first, is repeated for three seconds.
func update(ctx context.Context, c client.Client, id, name string, result, arg any) error {
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		h, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
			WorkflowID: id, UpdateName: name, Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		if err == nil {
			return h.Get(ctx, result)
		}
		if again := (*serviceerror.WorkflowNotReady)(nil); !errors.As(err, &again) || wait > 2*time.Second {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// Get returns the state of a session, also of one that has ended as long as the server keeps it.
func Get(ctx context.Context, c client.Client, id string) (s State, err error) {
	v, err := c.QueryWorkflow(ctx, id, "", QueryState)
	if err == nil {
		err = v.Get(&s)
	}
	return s, err
}
