package scxml

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Outbox says what sessions hand out, see [WithOutbox].
type Outbox struct {
	// Processors are the types of <send> whose messages are handed out, as for [WithIOProcessor].
	// Location returns the address of the session with the given id for _ioprocessors, or "";
	// it may be nil.
	Processors []string
	Location   func(session, typ string) string

	// Services are the types of <invoke> that are handed out. "*" is all types without an invoker,
	// except SCXML sessions.
	Services []string

	// Sessions hands out messages to "#_scxml_ID" that no session of the tree has as its id.
	Sessions bool

	// Check, unless it is nil, is asked about each message of a <send> before it is handed out, with
	// the id of the session that sends it. After an error it is not handed out, and the chart gets
	// error.communication, as if a processor or router in this process had refused it. Check is
	// called during the macrostep, by the owner: it must not use the session, nor block for long.
	Check func(session string, m Message) error
}

// WithOutbox makes a session tree hand out work, as a [Task], which it would else give to an
// [IOProcessor], an [Invoker] or a [Router]. No driver waits for it: [Session.Busy] does not count
// tasks, and snapshots have all tasks that are not reported. A host that stores the snapshot of a
// session and carries out its tasks after that loses none of them in a crash.
//
// The host finds new tasks in [Effect].Out and all of them in [ServerView.Outbox], carries them out as
// it likes, and tells the session by [ServerView.Report] what has come of each. The chart sees what it
// would see if the work were done in place. The limit is [Limits].Outbox.
//
// If two options name a processor or invoker for the same type, or a router, the last one counts.
func WithOutbox(o Outbox) Option {
	o.Processors = slices.Clone(o.Processors)
	for i, typ := range o.Processors {
		o.Processors[i] = processorType(typ)
	}
	return option(func(c *config) {
		c.outbox = &o
		for _, typ := range o.Processors {
			WithIOProcessor(typ, outboxProcessor{&o, typ}).applyToSession(c)
		}
		for _, typ := range o.Services {
			WithInvoker(typ, outboxInvoker{}).applyToSession(c)
		}
		if o.Sessions {
			c.router = outboxRouter{}
		}
	})
}

// A TaskKind says what a [Task] asks for.
type TaskKind uint8

const (
	TaskSend    TaskKind = iota // deliver a message
	TaskInvoke                  // run a service
	TaskForward                 // pass an event to a service
	TaskCancel                  // cancel a service
)

var taskNames = [...]string{"send", "invoke", "forward", "cancel"}

// String returns the kind in lower case.
func (k TaskKind) String() string {
	if int(k) >= len(taskNames) {
		return fmt.Sprintf("TaskKind(%d)", uint8(k))
	}
	return taskNames[k]
}

// A Task is work that a session has handed out. Its data must not be modified.
type Task struct {
	// ID is 1 for the first task of the session tree, and grows. A restored session that takes the
	// same steps again hands out the same tasks.
	ID      uint64
	Kind    TaskKind
	Session string // id of the session that hands it out

	// Message is what TaskSend and TaskForward deliver; its Session is nil. The Target of an event
	// that is forwarded by autoforward is "".
	Message Message

	// Service is the one to run, to pass an event to, or to cancel. Only TaskInvoke has all its
	// fields, the others have ID, Type and Src.
	Service Service
	Invoke  uint64 // of TaskForward and TaskCancel: the ID of the TaskInvoke
	Seq     uint64 // of TaskInvoke: of the last event of the service that was reported
}

// A Service has the arguments of an <invoke>, as [Invocation] has them.
type Service struct {
	ID, Type, Src string
	Params        *datamodel.Object
	Content       datamodel.Value
	Retry         *Retry // the attribute of the <invoke>; nil without one
}

// An Outcome is what has come of a [Task]. Without Event it ends the task.
type Outcome struct {
	Task uint64 // its ID

	// Err is why a message was not delivered or a service has failed: error.communication. Refused
	// makes it error.execution, for a message that is itself wrong, such as its target. An error in
	// forwarding by autoforward or in cancelling is ignored.
	Err     error
	Refused bool

	// Data is the result of a service that is done, any Go data (see [datamodel.From]): done.invoke.ID.
	Data any

	// Event is one that the service has sent. The task remains. The Seq of its first event is 1, that
	// of each other one more than that of the event before.
	Event *Event
	Seq   uint64
}

// outbox is what the sessions of a tree have handed out.
type outbox struct {
	last  uint64 // ID of the last task
	tasks []Task // by ID, without those of kind TaskInvoke, which the invocations have
}

// out returns the tree's. A session without WithOutbox pays nothing for it.
func (t *tree) out() *outbox {
	root := t.sessions[0]
	root.needScratch()
	return &root.scratch.out
}

// lastTask returns the ID of the last task, 0 if there was none.
func (t *tree) lastTask() uint64 {
	if t.config.outbox == nil {
		return 0
	}
	return t.out().last
}

type outboxProcessor struct {
	*Outbox
	typ string
}

// check asks the host about a message.
func (o *Outbox) check(s *Session, m Message) error {
	if o.Check == nil {
		return nil
	}
	m.Session = nil
	return o.Check(s.ID(), m)
}

func (p outboxProcessor) Open(s *Session) string { return p.Reopen(s, "") }
func (p outboxProcessor) Reopen(s *Session, location string) string {
	if p.Location == nil {
		return location
	}
	return p.Location(s.ID(), p.typ)
}
func (outboxProcessor) Close(*Session) {}
func (p outboxProcessor) Send(s *Session, m Message, done func(error)) error {
	err := p.check(s, m)
	if err == nil {
		err = s.handOut(Task{Kind: TaskSend, Message: m})
	}
	done(err)
	return nil
}

type outboxRouter struct{}

func (outboxRouter) Join(*Session)  {}
func (outboxRouter) Leave(*Session) {}
func (outboxRouter) Route(m Message) error {
	if err := m.Session.tree.config.outbox.check(m.Session, m); err != nil {
		return err
	}
	return m.Session.handOut(Task{Kind: TaskSend, Message: m})
}

// outboxInvoker marks the types of services that are handed out.
type outboxInvoker struct{ Invoker }

// handOut adds a task.
func (s *Session) handOut(task Task) error {
	out := s.tree.out()
	if limit := s.tree.limits.Outbox; len(out.tasks) >= limit && task.Kind != TaskCancel {
		return &LimitError{Limit: "Outbox", Value: limit}
	}
	out.last++
	task.ID, task.Session, task.Message.Session = out.last, s.ID(), nil
	out.tasks = append(out.tasks, task)
	return nil
}

// handOutService is startService for a service that is handed out.
func (s *Session) handOutService(inv *Invocation) (cancel func()) {
	out := s.tree.out()
	out.last++
	inv.task = out.last
	s.ID() // is drawn now, not when somebody looks
	// A service that was running in a process may have events that it has not received.
	for ev := (Event{}); inv.inbox.len() > 0; {
		inv.inbox.take(&ev)
		_ = s.forward(inv, Message{Event: ev, Type: SCXMLEventProcessor})
	}
	return func() { s.cancelHandedOut(inv) }
}

func (s *Session) forward(inv *Invocation, m Message) error {
	if inv.over {
		return ErrEnded
	}
	return s.handOut(Task{Kind: TaskForward, Message: m, Invoke: inv.task, Service: inv.name()})
}

func (s *Session) cancelHandedOut(inv *Invocation) {
	if s.tree.abandoned || inv.over {
		return
	}
	s.tree.out().end(inv)
	_ = s.handOut(Task{Kind: TaskCancel, Invoke: inv.task, Service: inv.name()})
}

func (inv *Invocation) name() Service { return Service{ID: inv.ID, Type: inv.Type, Src: inv.Src} }

// end drops the events for a service that has ended.
func (out *outbox) end(inv *Invocation) {
	out.tasks = slices.DeleteFunc(out.tasks, func(t Task) bool { return t.Invoke == inv.task && t.Kind == TaskForward })
}

// Outbox returns the tasks of the session tree that are not reported, in the order of their IDs. Only
// the owner may call it.
func (v ServerView) Outbox() []Task { return v.s.tree.tasks(0) }

// tasks returns the tasks that were handed out after the one with the given ID.
func (t *tree) tasks(after uint64) (all []Task) {
	if t.lastTask() == after {
		return nil
	}
	for _, task := range t.out().tasks {
		if task.ID > after {
			all = append(all, task)
		}
	}
	for _, s := range t.sessions {
		for _, r := range s.running {
			if inv := r.service; inv != nil && inv.task > after && !inv.over {
				service := inv.name()
				service.Params, service.Content, service.Retry = inv.Params, inv.Content, r.retry
				all = append(all, Task{ID: inv.task, Kind: TaskInvoke, Session: s.ID(), Service: service, Seq: inv.seq})
			}
		}
	}
	slices.SortFunc(all, func(a, b Task) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Report tells the session what has come of a [Task]. It puts the event that the chart gets into its
// queue; call Do without an event, or another driver, to process it. changed reports whether the
// session has changed. An Outcome of a task that is unknown, has ended, or was cancelled changes
// nothing, and neither does an Event with a Seq that was reported before.
//
// The error says what is wrong with the Outcome, is [ErrQueueFull], or is [ErrEnded] after Suspend
// or Abandon. Then nothing has changed. A session that has ended still ends its tasks. Only the owner
// may call Report, between macrosteps.
func (v ServerView) Report(o Outcome) (changed bool, err error) {
	t := v.s.tree
	switch entered, err := t.pause(); {
	case err != nil:
		return false, failed("Report", errMacrostep)
	case entered:
		defer t.leave()
	}
	switch {
	case t.config.outbox == nil:
		return false, errors.New("scxml: Report: the session has no outbox, see WithOutbox")
	case t.abandoned:
		return false, ErrEnded
	case o.Task == 0:
		return false, errors.New("scxml: Report: the Outcome names no Task")
	}
	for _, s := range t.sessions {
		for _, r := range s.running {
			if r.service != nil && r.service.task == o.Task && !r.service.over {
				if changed, err = s.reportService(r.service, o); err != nil {
					err = failed(fmt.Sprintf("Report: service %q", r.invokeID), err)
				}
				return changed, err
			}
		}
	}
	out := t.out()
	i := slices.IndexFunc(out.tasks, func(task Task) bool { return task.ID == o.Task })
	if i < 0 {
		return false, nil
	}
	task := out.tasks[i]
	if o.Event != nil {
		return false, fmt.Errorf("scxml: Report: task %d is a %v: only an invoke has events", o.Task, task.Kind)
	}
	out.tasks = slices.Delete(out.tasks, i, i+1)
	if o.Err != nil && (task.Kind == TaskSend || task.Message.Target != "") {
		t.undelivered(task, o)
	}
	return true, nil
}

// undelivered raises the error event for a message.
func (t *tree) undelivered(task Task, o Outcome) {
	m := &task.Message
	e := &ExecutionError{Event: "error.communication", Element: "send", Pos: m.Pos, Msg: o.Err.Error(), SendID: m.Event.SendID, Err: o.Err}
	if o.Refused {
		e.Event = "error.execution"
	}
	for _, s := range t.sessions {
		if s.id == task.Session && s.status == Running {
			s.outcome(e)
		}
	}
}

// reportService is Report for a service that is running.
func (s *Session) reportService(inv *Invocation, o Outcome) (changed bool, err error) {
	if o.Event != nil {
		switch {
		case o.Seq == 0 || o.Seq > inv.seq+1:
			return false, fmt.Errorf("its event %d is reported after its event %d: want %d", o.Seq, inv.seq, inv.seq+1)
		case o.Seq <= inv.seq:
			return false, nil
		}
		ev := *o.Event
		ev.InvokeID = inv.ID
		err := s.arriving(&ev)
		if err == nil {
			err = s.post(&ev, true)
		}
		if err != nil {
			return false, err
		}
		inv.seq++
		return true, nil
	}
	failed := o.Err
	if failed == nil {
		done := Event{Name: "done.invoke." + inv.ID, Type: datamodel.Platform, InvokeID: inv.ID}
		if done.Data, failed = datamodel.From(o.Data); failed == nil {
			failed = s.tree.limits.checkData(done.Data)
		}
		if failed == nil {
			if err := s.post(&done, true); err != nil {
				return false, err
			}
		}
	}
	s.serviceOver(inv, failed)
	s.tree.out().end(inv)
	return true, nil
}
