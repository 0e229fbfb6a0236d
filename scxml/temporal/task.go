package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	enums "go.temporal.io/api/enums/v1"
	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// A task is one that is carried out.
type task struct {
	cancel func()
	child  workflow.ChildWorkflowFuture // nil if it is not one
	again  bool                         // the next run may carry it out again
}

// key is that of a task for the outside.
func (f *flow) key(id uint64) string {
	return fmt.Sprintf("%s/%s/%d", f.info.WorkflowExecution.ID, f.info.FirstRunID, id)
}

// startTasks starts what the session has handed out. Each task has a coroutine.
func (f *flow) startTasks() {
	for _, t := range f.server.Outbox() {
		if t.ID <= f.started {
			continue
		}
		f.started = t.ID
		ctx, cancel := workflow.WithCancel(f.ctx)
		job := &task{cancel: cancel}
		f.tasks[t.ID] = job
		if t.Kind == scxml.TaskCancel {
			if service := f.tasks[t.Invoke]; service != nil {
				service.cancel()
			}
		}
		_, err := payload(newTask("", t), mostPayload)
		carryOut := func(workflow.Context) scxml.Outcome { return scxml.Outcome{Err: err, Refused: true} }
		if err == nil {
			carryOut = f.prepare(ctx, job, t)
		}
		workflow.Go(ctx, func(ctx workflow.Context) {
			o := carryOut(ctx)
			o.Task = t.ID
			f.inbox = append(f.inbox, &work{do: func() {
				delete(f.tasks, t.ID)
				f.report(o)
			}})
		})
	}
}

// report tells the session what has come of a task, and lets it work.
func (f *flow) report(o scxml.Outcome) (changed bool) {
	changed, err := f.server.Report(o)
	if err != nil {
		panic(fmt.Errorf("cannot report task %s: %w", f.key(o.Task), err))
	}
	if changed && f.running() {
		f.drive(func(ctx context.Context) error {
			_, err := f.session.Do(ctx, workflow.Now(f.ctx), scxml.Event{})
			return err
		})
	}
	return changed
}

// reportEvent takes an event of a service.
func (f *flow) reportEvent(r report) (taken bool, err error) {
	all := f.server.Outbox()
	i := slices.IndexFunc(all, func(t scxml.Task) bool { return t.ID == r.Task && t.Kind == scxml.TaskInvoke })
	if i < 0 || r.Key != f.key(r.Task) {
		return false, nil
	}
	if err := datamodel.CheckEventName(r.Event.Name); err != nil {
		return false, err
	}
	ev := r.Event.event()
	return f.report(scxml.Outcome{Task: r.Task, Event: &ev, Seq: all[i].Seq + 1}), nil
}

// prepare returns what carries out a task.
func (f *flow) prepare(ctx workflow.Context, job *task, t scxml.Task) func(workflow.Context) scxml.Outcome {
	switch {
	case t.Kind == scxml.TaskInvoke && slices.Contains(f.Children, t.Service.Type):
		return f.child(ctx, job, t)
	case t.Kind == scxml.TaskInvoke:
		job.again = true
		return func(ctx workflow.Context) scxml.Outcome { return f.execute(ctx, t, t.Service.Type, t.Service.Retry) }
	case t.Kind == scxml.TaskForward:
		return f.inOrder(fmt.Sprint(t.Invoke), func(ctx workflow.Context) scxml.Outcome {
			if to := f.tasks[t.Invoke]; to != nil && to.child != nil {
				return scxml.Outcome{Err: to.child.SignalChildWorkflow(ctx, SignalEvent, f.message(t)).Get(ctx, nil)}
			}
			return scxml.Outcome{Err: errors.New("an activity receives no events")}
		})
	case t.Kind == scxml.TaskSend:
		job.again = t.Message.Type != scxml.SCXMLEventProcessor
		return f.inOrder(t.Message.Type+" "+t.Message.Target, func(ctx workflow.Context) scxml.Outcome {
			id, ok := strings.CutPrefix(t.Message.Target, "#_scxml_")
			if !ok || t.Message.Type != scxml.SCXMLEventProcessor {
				return f.execute(ctx, t, t.Message.Type, t.Message.Retry)
			}
			return scxml.Outcome{Err: workflow.SignalExternalWorkflow(ctx, id, "", SignalEvent, f.message(t)).Get(ctx, nil)}
		})
	}
	return func(workflow.Context) scxml.Outcome { return scxml.Outcome{} } // cancel
}

// inOrder lets a message wait for the one before it to the same target.
func (f *flow) inOrder(to string, send func(workflow.Context) scxml.Outcome) func(workflow.Context) scxml.Outcome {
	before := f.last[to]
	now, settle := workflow.NewFuture(f.ctx)
	f.last[to] = now
	return func(ctx workflow.Context) scxml.Outcome {
		if before != nil {
			_ = before.Get(ctx, nil)
		}
		o := send(ctx)
		if f.last[to] == now {
			delete(f.last, to)
		}
		settle.SetValue(nil)
		return o
	}
}

// message is what another session gets.
func (f *flow) message(t scxml.Task) Event {
	ev := eventjson.Of(t.Message.Event)
	ev.Origin, ev.OriginType = "#_scxml_"+f.info.WorkflowExecution.ID, scxml.SCXMLEventProcessor
	return Event{from: &ev}
}

// execute runs an activity.
func (f *flow) execute(ctx workflow.Context, t scxml.Task, typ string, retry *scxml.Retry) scxml.Outcome {
	if _, ok := f.Activities[typ]; !ok {
		typ = "*"
	}
	var text json.RawMessage
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, f.activityOptions(t, retry)), typ, newTask(f.key(t.ID), t)).Get(ctx, &text)
	return outcome(text, err)
}

// outcome is that of a service.
func outcome(text json.RawMessage, err error) (o scxml.Outcome) {
	if err == nil && len(text) > 0 {
		o.Data, err = datamodel.ParseJSON(text)
	}
	o.Err = err
	if app := (*sdk.ApplicationError)(nil); errors.As(err, &app) {
		o.Err, o.Refused = errors.New(app.Message()), app.Type() == typeRefused
	}
	return o
}

// activityOptions are those for a task.
func (f *flow) activityOptions(t scxml.Task, retry *scxml.Retry) workflow.ActivityOptions {
	o := f.Activity
	if o.StartToCloseTimeout == 0 && o.ScheduleToCloseTimeout == 0 {
		if o.StartToCloseTimeout = 24 * time.Hour; t.Kind == scxml.TaskSend {
			o.StartToCloseTimeout, o.ScheduleToCloseTimeout = time.Minute, 24*time.Hour
		}
	}
	if o.HeartbeatTimeout == 0 && t.Kind == scxml.TaskInvoke {
		o.HeartbeatTimeout = 30 * time.Second
	}
	policy := sdk.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 5 * time.Minute}
	if o.RetryPolicy != nil {
		policy = *o.RetryPolicy
	}
	if retry != nil {
		policy.MaximumAttempts = int32(max(retry.Attempts, 0))
		set(&policy.InitialInterval, retry.First)
		set(&policy.MaximumInterval, retry.Longest)
		set(&policy.BackoffCoefficient, retry.Factor)
		policy.NonRetryableErrorTypes = append(slices.Clip(policy.NonRetryableErrorTypes), retry.Final...)
	}
	policy.MaximumInterval = max(policy.MaximumInterval, policy.InitialInterval)
	o.RetryPolicy = &policy
	return o
}

// set sets what is not zero.
func set[T time.Duration | float64](to *T, v T) {
	if v != 0 {
		*to = v
	}
}

// child starts a child workflow.
func (f *flow) child(ctx workflow.Context, job *task, t scxml.Task) func(workflow.Context) scxml.Outcome {
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:        f.key(t.ID),
		ParentClosePolicy: enums.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
	})
	in := Input{Data: map[string]any{}}
	if t.Service.Params != nil {
		for name, v := range t.Service.Params.All() {
			in.Data[name] = v
		}
	}
	job.child = workflow.ExecuteChildWorkflow(ctx, t.Service.Src, in)
	return func(ctx workflow.Context) scxml.Outcome {
		var text json.RawMessage
		err := job.child.Get(ctx, &text)
		return outcome(text, err)
	}
}
