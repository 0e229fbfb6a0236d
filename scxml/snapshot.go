package scxml

import (
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// ErrNotSerializable is wrapped by the error of [Session.Snapshot] if the session's data cannot be
// saved. That error names the value and its place.
var ErrNotSerializable = datamodel.ErrNotSerializable

// Snapshot returns the state of the session and of all sessions that it has invoked as JSON for
// [Restore]: configuration, histories, data, queued events, delayed events with their due times,
// invocations, and the state of generated ids and random numbers. SNAPSHOT.md in this directory
// describes the format. Use [Session.Suspend] for a session that is to continue elsewhere.
//
// A snapshot is taken between two macrosteps: by the owner after Start, Do, Step or Advance, or
// in a function given to [Session.Call]. It does not change the session and runs none of its code. A
// session that has ended can be saved too.
//
// A snapshot does not include functions registered with OnState, OnSend and OnEvent, pending Calls,
// and the inner state of services and Event I/O Processors. A message that is being delivered is
// not sent again.
//
// The error is [ErrNotStarted], [ErrEnded] after Suspend or Abandon, or [ErrNotSerializable] if the
// data cannot be saved, for example because of a closure; package ecmascript lists what can. Times
// must be in the years 0 to 9999 (RFC 3339).
func (s *Session) Snapshot() ([]byte, error) { return s.snapshot(false) }

var errMacrostep = errors.New("called during a macrostep; call it after Step returns, or inside Call")

// snapshot is Snapshot, or Suspend if suspend is set.
func (s *Session) snapshot(suspend bool) ([]byte, error) {
	t := s.tree
	switch entered, err := t.pause(); {
	case err != nil:
		return nil, failed("Snapshot", errMacrostep)
	case entered:
		defer t.leave()
	}
	switch root := t.sessions[0]; {
	case root.status == Unstarted:
		return nil, ErrNotStarted
	case t.abandoned:
		return nil, ErrEnded
	case suspend && root.status == Stopped:
		return nil, failed("Suspend", fmt.Errorf("the session has stopped (%w) and cannot continue: call Suspend before, inside Call while Run drives it", root.err))
	}
	data := make([][]byte, len(t.sessions))
	for i, s := range t.sessions {
		var err error
		if data[i], err = s.saveData(); err != nil {
			return nil, failed("Snapshot", err)
		}
	}
	t.lockAtRest()
	snap, err := t.save()
	if !suspend {
		t.mu.Unlock() // no one needs to wait for the encoding
	}
	var out []byte
	if err == nil {
		out, err = snap.encode(data)
	}
	if suspend {
		if err == nil {
			t.refuse() // in the same moment, so that no event is lost in between
		}
		t.mu.Unlock()
	}
	if err != nil {
		return nil, err
	}
	if suspend {
		t.letGo()
	}
	return t.sign(out), nil
}

// lockAtRest locks mu at a moment when no report of a service or processor, and no arrived event,
// is on its way into a queue.
func (t *tree) lockAtRest() {
	t.mu.Lock()
	for {
		if t.news {
			t.mu.Unlock()
			t.settle()
			t.mu.Lock()
			continue
		}
		i := slices.IndexFunc(t.calls, func(c *call) bool { return c.done == nil })
		if i < 0 {
			return
		}
		c := t.calls[i]
		t.calls = slices.Delete(t.calls, i, i+1)
		t.mu.Unlock()
		c.run()
		t.mu.Lock()
	}
}

// saveData returns the session's data as JSON, null without any.
func (s *Session) saveData() ([]byte, error) {
	if s.store == nil || s.status == Unstarted {
		return []byte("null"), nil
	}
	saver, ok := s.store.(datamodel.Saver)
	if !ok {
		return nil, fmt.Errorf("%w: data model %q cannot save its data", ErrNotSerializable, s.chart.Datamodel())
	}
	data, err := saver.Save(s.chart.exprs)
	return data, s.saveError(err)
}

// saveError adds to an error about the data of an invoked session, which may be nil, which one it is.
func (s *Session) saveError(err error) error {
	if err != nil && s.invokeID != "" {
		err = fmt.Errorf("invoked session %q: %w", s.invokeID, err)
	}
	return err
}

// save returns the state of the tree, without the data. The caller holds mu.
func (t *tree) save() (*snapshot, error) {
	root := t.sessions[0]
	snap := &snapshot{
		Format: snapshotFormat, Version: snapshotVersion,
		Chart: root.chart.saved(), Now: t.now, Stop: t.stop && root.status == Running, Turn: int(t.turn),
	}
	switch {
	case t.random != nil:
		state, err := t.random.pcg.MarshalBinary()
		if err != nil {
			return nil, failed("Snapshot", err)
		}
		snap.Random = &savedRandom{State: state}
	case t.seeded:
		snap.Random = &savedRandom{Seed: t.seed}
	}
	for _, s := range t.sessions {
		snap.Sessions = append(snap.Sessions, s.save())
	}
	timers := slices.Clone(t.timers)
	slices.SortFunc(timers, (*timer).compare)
	for _, tm := range timers {
		snap.Timers = append(snap.Timers, savedTimer{slices.Index(t.sessions, tm.from), tm.due, saveMessage(&tm.msg)})
	}
	if t.lastTask() > 0 {
		snap.Outbox = t.out().save()
	}
	return snap, nil
}

func (out *outbox) save() *savedOutbox {
	saved := &savedOutbox{Last: out.last}
	for i := range out.tasks {
		saved.Tasks = append(saved.Tasks, saveTask(&out.tasks[i]))
	}
	return saved
}

// save returns the state of the session, without the data.
func (s *Session) save() savedSession {
	c := s.chart
	out := savedSession{
		ID: s.id, InvokeID: s.invokeID, Status: s.status.String(),
		Stopped: saveReason(s.err), Done: eventjson.Value{V: s.done},
		Configuration: c.saveSet(s.config), ToInvoke: c.saveSet(s.toInvoke),
		Internal: s.internal.save(), External: s.external.save(), Fence: s.fence,
		Unstable: s.unstable, Steps: s.steps, Logged: s.logged, IDs: s.ids,
	}
	if s.parent != nil {
		out.Parent = slices.Index(s.tree.sessions, s.parent)
		out.Chart = c.saved()
	}
	if s.final != table.None {
		out.Final = c.saveState(s.final)
	}
	if c.late {
		out.Bound = c.saveSet(s.bound)
	}
	if s.limit != nil {
		out.Limit = saveReason(s.limit)
	}
	if s.event != nil {
		ev := eventjson.Of(*s.event)
		out.Event = &ev
	}
	if c.histories > 0 {
		for i := range c.states {
			if def := &c.states[i]; def.isHistory() && len(s.history[def.history]) > 0 {
				out.History = append(out.History, savedHistory{c.saveState(table.State(i)), c.saveStates(s.history[def.history])})
			}
		}
	}
	if s.preset != nil {
		preset := new(datamodel.Object)
		for _, p := range s.preset {
			preset.Set(p.id, p.value)
		}
		out.Preset.V = preset
	}
	for i, location := range s.locations {
		if location != "" {
			out.Locations = append(out.Locations, savedLocation{s.tree.processors[i].typ, location})
		}
	}
	for _, inv := range s.running {
		out.Invocations = append(out.Invocations, s.saveInvocation(inv))
	}
	return out
}

func (s *Session) saveInvocation(inv *invocation) savedInvocation {
	out := savedInvocation{
		ID: inv.invokeID, State: s.chart.saveState(inv.state),
		Invoke: slices.Index(s.chart.states[inv.state].invokes, inv.invoke),
	}
	if service := inv.service; service != nil {
		out.Service = &savedService{
			Type: service.Type, Src: service.Src, Content: eventjson.Value{V: service.Content},
			Inbox: service.inbox.save(), Over: service.over, Task: service.task, Seq: service.seq, Params: eventjson.OfObject(service.Params),
		}
		return out
	}
	if i := slices.Index(s.tree.sessions, inv.child); i > 0 {
		out.Session, out.Src, out.Content = i, inv.source.src, eventjson.Value{V: inv.source.content}
	}
	return out
}
