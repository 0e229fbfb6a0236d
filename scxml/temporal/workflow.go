package temporal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"go.temporal.io/sdk/converter"
	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// A flow is one run of a workflow. All that changes its session happens in the workflow's main coroutine, in
// the order of inbox: handlers of updates, and tasks, put work into it. Queries look at the session while all
// coroutines wait, which is between two macrosteps.
type flow struct {
	*definition
	ctx     workflow.Context // of the main coroutine; not cancelled with the workflow
	info    *workflow.Info
	chart   *scxml.Chart
	began   settings
	session *scxml.Session
	server  scxml.ServerView
	slow    error // a limit of time that was exceeded

	signals workflow.ReceiveChannel
	inbox   []*work
	answers []answer // that are remembered
	refused int
	refusal string

	started uint64 // last task that was started
	tasks   map[uint64]*task
	last    map[string]workflow.Future // of the last message to a target

	due    time.Time // of the workflow timer; zero without one
	cancel func()    // cancels it
	rung   bool      // it has fired

	told  string // what the search attributes say
	stays bool   // it does not continue as a new run before something has changed
}

// work is something that the session has to do.
type work struct {
	do   func()
	done bool
}

// An answer is one that the session remembers.
type answer struct {
	ID     string `json:"id"`
	Answer Answer `json:"answer"`
}

// settings are what a run keeps of the worker that began it.
type settings struct {
	Hash    string // of the version of the chart
	Search  bool
	History int
}

// run is the workflow.
func (d *definition) run(ctx workflow.Context, in Input) (json.RawMessage, error) {
	f := &flow{definition: d, info: workflow.GetInfo(ctx), tasks: map[uint64]*task{}, last: map[string]workflow.Future{}}
	f.ctx, _ = workflow.NewDisconnectedContext(ctx)
	f.signals = workflow.GetSignalChannel(ctx, SignalEvent)
	if err := f.begin(in); err != nil {
		return nil, err
	}
	if err := f.handle(); err != nil {
		return nil, err
	}
	workflow.Go(ctx, func(ctx workflow.Context) {
		ctx.Done().Receive(ctx, nil)
		f.inbox = append(f.inbox, &work{do: f.stop})
	})
	for {
		f.startTasks()
		f.tell()
		f.receive()
		now := workflow.Now(f.ctx)
		due, timed := f.session.NextDue()
		switch {
		case len(f.inbox) > 0:
			w := f.inbox[0]
			f.inbox = f.inbox[1:]
			w.do()
			w.done = true
			f.yield() // each macrostep has the whole time of the SDK's deadlock detector
			continue
		case f.running() && timed && !due.After(now):
			f.drive(func(ctx context.Context) error { _, err := f.session.Do(ctx, now, scxml.Event{}); return err })
			f.yield()
			continue
		}
		leave := func() bool { return (f.over() || f.full()) && workflow.AllHandlersFinished(f.ctx) }
		if leave() {
			f.yield() // what has come with the same workflow task comes first
			if len(f.inbox) > 0 || f.signals.Len() > 0 || !leave() {
				continue
			}
			if f.over() {
				return f.result(ctx)
			}
			if err := f.continueAsNew(); err != nil {
				return nil, err
			}
			f.stays = true
		}
		f.setTimer(now, due, timed && f.running())
		_ = workflow.Await(f.ctx, func() bool { return len(f.inbox) > 0 || f.signals.Len() > 0 || f.rung || leave() })
		f.rung = false
	}
}

// begin makes the session, or restores the one of the run before.
func (f *flow) begin(in Input) error {
	f.began = settings{f.latest, f.SearchAttributes, f.History}
	chosen := workflow.SideEffect(f.ctx, func(workflow.Context) any { return f.began })
	if err := chosen.Get(&f.began); err != nil {
		return err
	}
	if in.from != nil {
		f.began.Hash, f.answers = in.from.Hash, in.from.Answers
	}
	if err := f.version(f.began.Hash); err != nil {
		panic(err) // until there is a worker that has it
	}
	own := []scxml.Option{scxml.WithSessionID(f.info.WorkflowExecution.ID), scxml.WithSeed(f.seed())}
	for name, v := range in.Data {
		own = append(own, scxml.WithData(name, v))
	}
	if in.from != nil {
		s, err := scxml.Restore(f.chart, in.from.Snapshot, f.options(), f.recorder.listen(f, f.chart, nil))
		if err != nil {
			panic(err)
		}
		f.adopt(s)
		f.recorder.restored(s)
		f.stays = true
		return f.memo()
	}
	s, err := scxml.New(f.chart, append(f.options(), scxml.Options(own), f.recorder.listen(f, f.chart, own))...)
	if err != nil {
		return sdk.NewNonRetryableApplicationError(err.Error(), "scxml.input", err)
	}
	f.adopt(s)
	f.drive(s.Start)
	return f.memo()
}

// seed returns a number that is the same in each replay.
func (f *flow) seed() uint64 {
	h := fnv.New64a()
	h.Write([]byte(f.info.OriginalRunID))
	return h.Sum64()
}

// adopt makes a session that of the workflow.
func (f *flow) adopt(s *scxml.Session) { f.session, f.server = s, scxml.ForServer(s) }

// memo notes the version in the memo of the workflow.
func (f *flow) memo() error {
	return workflow.UpsertMemo(f.ctx, map[string]any{memoChart: f.name, memoVersion: f.began.Hash})
}

const memoChart, memoVersion = "ScxmlChart", "ScxmlVersion"

// version makes the version with a hash that of the session.
func (f *flow) version(hash string) error {
	chart := f.charts[hash]
	if chart == nil {
		return fmt.Errorf("workflow %q: no worker here has version %q of chart %q: add it to Options.Versions", f.info.WorkflowExecution.ID, hash, f.name)
	}
	f.chart, f.began.Hash = chart, hash
	return nil
}

// options are those of New and Restore.
func (f *flow) options() scxml.Options {
	logger := workflow.GetLogger(f.ctx)
	return append(slices.Clip(scxml.Options(f.Session)), scxml.WithLimits(f.limits), scxml.WithAccept(nil), f.outbox(),
		scxml.WithClock(func() time.Time { return workflow.Now(f.ctx) }),
		scxml.WithTrace(&scxml.Trace{
			Log: func(s *scxml.Session, label string, v datamodel.Value) {
				logger.Info("log", "session", s.ID(), "label", label, "value", datamodel.Text(v))
			},
			Error: func(s *scxml.Session, err *scxml.ExecutionError) {
				f.checkTime(err)
				logger.Warn(err.Error(), "session", s.ID(), "event", err.Event)
			},
		}))
}

// checkTime notes a limit of time that was exceeded. What happens then would not happen again.
func (f *flow) checkTime(err error) {
	limit := (*scxml.LimitError)(nil)
	if errors.Is(err, datamodel.ErrScriptTime) || errors.As(err, &limit) && limit.Limit == "MacrostepTime" {
		f.slow = err
	}
}

func (f *flow) running() bool { return f.session.Status() == scxml.Running }

// drive lets the session work. What depends on the speed of the worker fails the workflow task, which the
// server repeats: it must not become part of the history.
func (f *flow) drive(work func(context.Context) error) {
	f.stays = false
	err := work(context.Background())
	f.checkTime(err)
	limit := (*scxml.LimitError)(nil)
	switch {
	case f.slow != nil:
		panic(fmt.Errorf("workflow %q: the macrostep takes too long for a workflow task: %w", f.info.WorkflowExecution.ID, f.slow))
	case err != nil && !errors.Is(err, scxml.ErrStopped) && !errors.Is(err, scxml.ErrEnded) && !errors.As(err, &limit):
		panic(err)
	}
}

// yield lets all other coroutines run.
func (f *flow) yield() {
	others := false
	workflow.Go(f.ctx, func(workflow.Context) { others = true })
	_ = workflow.Await(f.ctx, func() bool { return others })
}

// ask lets the main coroutine do something for the handler of an update.
func (f *flow) ask(ctx workflow.Context, do func()) {
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	f.receive() // what came before: the SDK runs this coroutine first
	w := &work{do: do}
	f.inbox = append(f.inbox, w)
	_ = workflow.Await(ctx, func() bool { return w.done })
}

// handle sets the handlers of queries and updates.
func (f *flow) handle() error {
	accept := func(ev Event) error {
		if !f.running() && !f.remembers(ev.ID) {
			return scxml.ErrEnded
		}
		ev.from = nil // a message of another session is a signal
		return f.check(&ev)
	}
	return errors.Join(
		workflow.SetQueryHandler(f.ctx, QueryState, func() (*State, error) { return f.state() }),
		workflow.SetQueryHandler(f.ctx, QuerySnapshot, func() (json.RawMessage, error) { return f.session.Snapshot() }),
		workflow.SetUpdateHandlerWithOptions(f.ctx, UpdateEvent, func(ctx workflow.Context, ev Event) (a Answer, err error) {
			f.ask(ctx, func() { a, err = f.take(ev) })
			return a, err
		}, workflow.UpdateHandlerOptions{Validator: accept}),
		workflow.SetUpdateHandler(f.ctx, updateReport, func(ctx workflow.Context, r report) (taken bool, err error) {
			f.ask(ctx, func() { taken, err = f.reportEvent(r) })
			return taken, err
		}),
		workflow.SetUpdateHandler(f.ctx, UpdateMigrate, func(ctx workflow.Context, m Migration) (err error) {
			f.ask(ctx, func() {
				f.drive(func(context.Context) error { // whose limits of time hold here, too
					err = f.migrate(m)
					f.checkTime(err)
					return nil
				})
			})
			return err
		}))
}

// check says why something is not an event for the session.
func (f *flow) check(ev *Event) error {
	if err := datamodel.CheckEventName(ev.Name); err != nil {
		return err
	}
	if ev.from == nil && !f.accepts(f.chart, ev.Name) {
		return fmt.Errorf("event %q: %w", ev.Name, scxml.ErrNotAccepted)
	}
	return nil
}

// receive takes the signals that have come.
func (f *flow) receive() {
	for raw := (converter.RawValue{}); f.signals.ReceiveAsync(&raw); {
		f.signal(raw)
	}
}

// signal takes an event that nobody waits for.
func (f *flow) signal(raw converter.RawValue) {
	var ev Event
	err := converter.GetDefaultDataConverter().FromPayload(raw.Payload(), &ev)
	if err == nil {
		err = f.check(&ev)
	}
	if err != nil {
		f.refuse(err)
		return
	}
	f.inbox = append(f.inbox, &work{do: func() {
		if _, err := f.take(ev); err != nil {
			f.refuse(err)
		}
	}})
}

func (f *flow) refuse(err error) {
	f.refused++
	f.refusal = short.Bytes(err.Error(), 1000)
	workflow.GetLogger(f.ctx).Error("a signal is refused", "error", err)
}

func (f *flow) remembers(id string) bool {
	return id != "" && slices.ContainsFunc(f.answers, func(a answer) bool { return a.ID == id })
}

// take gives the session an event. One that was accepted before a timer fired is taken before it.
func (f *flow) take(ev Event) (a Answer, err error) {
	if f.remembers(ev.ID) {
		return f.answers[slices.IndexFunc(f.answers, func(a answer) bool { return a.ID == ev.ID })].Answer, nil
	}
	if !f.running() {
		return a, scxml.ErrEnded
	}
	now := workflow.Now(f.ctx)
	if due, ok := f.session.NextDue(); ok && !due.After(now) {
		now = f.session.Now()
	}
	var effect scxml.Effect
	f.drive(func(ctx context.Context) error {
		effect, err = f.session.Do(ctx, now, ev.event())
		return err
	})
	if err != nil && !effect.Taken {
		return a, err
	}
	a = Answer{Handled: effect.Handled, Configuration: f.session.Configuration(), Status: f.session.Status().String()}
	for _, m := range effect.Sent {
		a.Sent = append(a.Sent, Sent{m.Event.Name, m.Target, m.Type, datamodel.AppendJSON(nil, m.Event.Data)})
	}
	for _, e := range effect.Errors {
		a.Errors = append(a.Errors, e.Error())
	}
	if _, err := payload(a, mostAnswer); err != nil {
		a.Sent, a.Errors = nil, []string{"what was sent, and errors, are left out: " + err.Error()}
	}
	if ev.ID != "" {
		f.answers = append(f.answers, answer{ev.ID, a})
		f.answers = f.answers[max(0, len(f.answers)-f.Remember):]
	}
	return a, nil
}

// stop ends the session after the workflow was cancelled.
func (f *flow) stop() {
	f.session.Stop()
	f.drive(func(ctx context.Context) error {
		_, err := f.session.Do(ctx, workflow.Now(f.ctx), scxml.Event{})
		return err
	})
}

// state answers QueryState.
func (f *flow) state() (*State, error) {
	s := &State{
		Chart: f.name, Hash: f.began.Hash, Status: f.session.Status().String(), Tasks: len(f.server.Outbox()),
		Configuration: f.session.Configuration(), Atomic: scxml.ForTools(f.session).Atomic(),
		Refused: f.refused, Refusal: f.refusal,
	}
	s.Due, _ = f.session.NextDue()
	if f.running() {
		s.Events = slices.DeleteFunc(f.session.Enabled(), func(ev string) bool { return !f.accepts(f.chart, ev) })
	}
	if len(f.chart.Data()) > 0 {
		items, err := scxml.Data[*datamodel.Object](f.session)
		if err != nil {
			return nil, err
		}
		s.Data = datamodel.AppendJSON(nil, items)
	}
	return s, nil
}

// setTimer sees to it that the workflow wakes up when the session has something to do. A timer that is too
// early stays: to replace it would cost more than to wake up once.
func (f *flow) setTimer(now, due time.Time, ok bool) {
	if ok && !f.due.IsZero() && !due.Before(f.due) {
		return
	}
	if f.cancel != nil {
		f.cancel()
		f.due, f.cancel = time.Time{}, nil
	}
	if !ok {
		return
	}
	ctx, cancel := workflow.WithCancel(f.ctx)
	f.due, f.cancel = due, cancel
	fired := workflow.NewTimer(ctx, due.Sub(now))
	workflow.Go(ctx, func(ctx workflow.Context) {
		if fired.Get(ctx, nil) == nil {
			f.due, f.cancel, f.rung = time.Time{}, nil, true
		}
	})
}

// over reports whether the session has ended, and what it has sent has arrived.
func (f *flow) over() bool { return !f.running() && len(f.tasks) == 0 }

// The number of events of a history at which a workflow no longer waits for its services.
const mostHistory = 20_000

// full reports whether the workflow should continue as a new run. Services that run then are run again by
// that one.
func (f *flow) full() bool {
	info := workflow.GetInfo(f.ctx)
	length, most := info.GetCurrentHistoryLength(), 2*f.began.History
	if f.began.History == 0 {
		most = mostHistory
	}
	if f.stays || !info.GetContinueAsNewSuggested() && (f.began.History == 0 || length < f.began.History) {
		return false
	}
	for _, t := range f.tasks { // the order has no effect
		if length < most || !t.again {
			return false
		}
	}
	return f.running()
}

// Sizes in bytes. A server ends a workflow with a payload of more than 2 MB.
const mostPayload, mostAnswer, mostStates = 2_000_000, 100_000, 2000

// payload returns v as JSON, or an error if it is too large.
func payload(v any, most int) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err == nil && len(text) > most {
		err = fmt.Errorf("%d bytes are more than %d", len(text), most)
	}
	return text, err
}

// continueAsNew returns the error that ends this run and begins another one, or nil if the session cannot be
// saved.
func (f *flow) continueAsNew() error {
	snapshot, err := f.session.Snapshot()
	for err == nil {
		var in json.RawMessage
		if in, err = payload(Input{from: &carried{f.began.Hash, snapshot, f.answers}}, mostPayload); err == nil {
			return workflow.NewContinueAsNewError(f.ctx, f.name, in)
		}
		if n := len(f.answers); n > 0 {
			f.answers, err = f.answers[(n+1)/2:], nil
		}
	}
	workflow.GetLogger(f.ctx).Error("cannot continue as new: the history grows", "error", err)
	return nil
}

// result returns that of the workflow.
func (f *flow) result(ctx workflow.Context) (json.RawMessage, error) {
	if f.session.Status() == scxml.Final {
		return datamodel.AppendJSON(nil, f.session.DoneData()), nil
	}
	err := f.session.Err()
	limit := (*scxml.LimitError)(nil)
	if !errors.As(err, &limit) {
		return nil, cmp.Or(ctx.Err(), err)
	}
	text := err.Error()
	for i, at := range limit.Transitions {
		text += []string{" at ", ", "}[min(i, 1)] + at.String()
	}
	return nil, sdk.NewNonRetryableApplicationError(text, "scxml.limit", err)
}

// tell tells the search attributes, if they have changed.
func (f *flow) tell() {
	if !f.began.Search {
		return
	}
	states, size := scxml.ForTools(f.session).Atomic(), 0
	for i, state := range states {
		if size += len(state) + len(`"",`); size > mostStates {
			states = states[:i]
			break
		}
	}
	status := f.session.Status().String()
	if told := fmt.Sprint(f.began.Hash, status, states); told != f.told {
		f.told = told
		_ = workflow.UpsertTypedSearchAttributes(f.ctx, AttributeChart.ValueSet(f.name), AttributeVersion.ValueSet(f.began.Hash),
			AttributeStatus.ValueSet(status), AttributeStates.ValueSet(states))
	}
}

// The search attributes of workflows, see [Options].SearchAttributes.
var (
	AttributeChart   = sdk.NewSearchAttributeKeyKeyword("ScxmlChart")
	AttributeVersion = sdk.NewSearchAttributeKeyKeyword("ScxmlVersion")
	AttributeStatus  = sdk.NewSearchAttributeKeyKeyword("ScxmlStatus")
	AttributeStates  = sdk.NewSearchAttributeKeyKeywordList("ScxmlStates")
)
