package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// An Activity does what a session asks for: it runs a service, or delivers a message. ctx is cancelled
// when the state that invoked the service is exited. The result, any Go data, is that of the service.
//
// It is called again after an error, as the retry policy says, and after the end of its worker, so that
// it happens at least once, always under the same [Task].Key. After the last attempt the chart gets
// error.communication, or error.execution for a message and an error that wraps [ErrRefused]. An error
// with a method ErrorName() string is of that name for the attribute retry, and one that wraps
// ErrRefused is final.
type Activity func(ctx context.Context, t Task) (result any, err error)

// ErrRefused is wrapped by the error of an [Activity] for a message that is itself wrong.
var ErrRefused = errors.New("refused")

const typeRefused = "scxml.refused"

// A Task is the argument of an [Activity]. As JSON it also has data and content.
type Task struct {
	Key     string `json:"key"`     // the same for all attempts, and for no other task
	Type    string `json:"type"`    // of the <invoke> or <send>
	Session string `json:"session"` // id of the session that asks, which may be invoked by that of the workflow

	// Of a <send>: Event is its name, and Data what it carries.
	Event  string `json:"event,omitempty"`
	Target string `json:"target,omitempty"`
	SendID string `json:"sendid,omitempty"`

	// Of an <invoke>: ID is its id. Data are its params and namelist.
	ID      string          `json:"id,omitempty"`
	Src     string          `json:"src,omitempty"`
	Content datamodel.Value `json:"-"`

	Data datamodel.Value `json:"-"`

	task uint64
}

type plainTask Task // without the methods

type wireTask struct {
	*plainTask
	Task    uint64          `json:"task"`
	Content eventjson.Value `json:"content,omitzero"`
	Data    eventjson.Value `json:"data,omitzero"`
}

// MarshalJSON returns an object, for workers in other languages.
func (t Task) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireTask{(*plainTask)(&t), t.task, eventjson.Value{V: t.Content}, eventjson.Value{V: t.Data}})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (t *Task) UnmarshalJSON(text []byte) error {
	*t = Task{}
	w := wireTask{plainTask: (*plainTask)(t)}
	err := json.Unmarshal(text, &w)
	t.task, t.Content, t.Data = w.Task, w.Content.V, w.Data.V
	return err
}

// newTask returns the argument of the activity for a task.
func newTask(key string, t scxml.Task) Task {
	a := Task{Key: key, Session: t.Session, task: t.ID}
	if t.Kind != scxml.TaskInvoke {
		m := &t.Message
		a.Type, a.Event, a.Target, a.SendID, a.Data = m.Type, m.Event.Name, m.Target, m.Event.SendID, m.Event.Data
		return a
	}
	s := &t.Service
	a.Type, a.ID, a.Src, a.Content, a.Data = s.Type, s.ID, s.Src, s.Content, eventjson.OfObject(s.Params).V
	return a
}

type taskKey struct{}

// execute is what the SDK calls.
func (do Activity) execute(ctx context.Context, t Task) (json.RawMessage, error) {
	ctx, stop := context.WithCancel(context.WithValue(ctx, taskKey{}, &t))
	defer stop()
	if every := activity.GetInfo(ctx).HeartbeatTimeout / 3; every > 0 {
		go beat(ctx, every)
	}
	result, err := do(ctx, t)
	var named interface{ ErrorName() string }
	switch {
	case errors.Is(err, ErrRefused):
		return nil, sdk.NewNonRetryableApplicationError(err.Error(), typeRefused, err)
	case errors.As(err, &named):
		return nil, sdk.NewApplicationErrorWithCause(err.Error(), named.ErrorName(), err)
	case err != nil:
		return nil, err
	}
	v, err := datamodel.From(result)
	if err != nil {
		return nil, sdk.NewNonRetryableApplicationError(fmt.Sprintf("the result cannot be data: %v", err), "scxml.data", err)
	}
	return datamodel.AppendJSON(nil, v), nil
}

// beat tells the server that the activity is alive, and learns whether it is cancelled.
func beat(ctx context.Context, every time.Duration) {
	for tick := time.NewTicker(every); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			activity.RecordHeartbeat(ctx)
		}
	}
}

// Send puts an event into the queue of the session that has invoked a service, which ctx is of. When it
// returns, the session has processed the event. The error is [scxml.ErrEnded] after the service was
// cancelled or the session has ended. A service that is run again sends its events again.
func Send(ctx context.Context, ev Event) error {
	t, ok := ctx.Value(taskKey{}).(*Task)
	if !ok || t.ID == "" {
		return errors.New("temporal: Send: the context is not that of a service")
	}
	var taken bool
	err := update(ctx, activity.GetClient(ctx), activity.GetInfo(ctx).WorkflowExecution.ID, updateReport, &taken, report{t.task, t.Key, ev})
	if gone := (*serviceerror.NotFound)(nil); errors.As(err, &gone) || err == nil && !taken {
		return scxml.ErrEnded
	}
	return err
}

// A report is an event of a service.
type report struct {
	Task  uint64 `json:"task"`
	Key   string `json:"key"`
	Event Event  `json:"event"`
}
