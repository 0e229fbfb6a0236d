package scxml

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// ErrNotSerializable is what [Session.Snapshot] returns when the data of a
// session hold something that cannot be saved; the error that wraps it says
// what, and where it is.
var ErrNotSerializable = datamodel.ErrNotSerializable

// Snapshot returns the whole state of the session and of all sessions that it
// has invoked, as JSON that [Restore] makes a session of: configuration,
// histories, data, queued events, delayed events with the time at which they
// are due, invocations, and where generated ids and random numbers go on. The
// format is described in SNAPSHOT.md beside this package.
//
// A snapshot is taken between two macrosteps: by the owner after Start, Step or
// Advance, or in a function given to [Session.Call]. It does not change the
// session, and runs none of its code. A session that has ended can be saved too,
// one that has not started cannot: [ErrNotStarted].
//
// What is not a part of it: functions that were registered with OnState, OnSend and
// OnEvent, pending Calls, and what services and Event I/O Processors have inside.
// A message that a processor is delivering is not sent again.
//
// The error is [ErrNotSerializable] if data cannot be saved, for example a
// closure; see package ecmascript for what can.
func (s *Session) Snapshot() ([]byte, error) {
	t := s.tree
	if !t.serving {
		if t.enter() != nil {
			return nil, errors.New("scxml: Snapshot: a macrostep is under way: it can be taken after Start, Step or Advance has returned, or in a function given to Call")
		}
		defer t.leave()
	}
	if t.sessions[0].status == Unstarted {
		return nil, ErrNotStarted
	}
	t.lockAtRest()
	snap, err := t.save()
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(snap)
	if err != nil {
		return nil, fmt.Errorf("scxml: Snapshot: %w", err)
	}
	// The data are JSON already; encoding/json would read them again.
	out := append(head[:len(head)-1], `,"data":[`...)
	for i, s := range t.sessions {
		if i > 0 {
			out = append(out, ',')
		}
		data, err := s.saveData()
		if err != nil {
			return nil, fmt.Errorf("scxml: Snapshot: %w", err)
		}
		out = append(out, data...)
	}
	return append(out, "]}"...), nil
}

// lockAtRest locks mu at a moment when nothing that a service or processor has
// reported is still on its way into a queue.
func (t *tree) lockAtRest() {
	t.mu.Lock()
	for {
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

// saveData returns the session's data as JSON, null if it has none.
func (s *Session) saveData() ([]byte, error) {
	if s.store == nil {
		return []byte("null"), nil
	}
	saver, ok := s.store.(datamodel.Saver)
	if !ok {
		return nil, fmt.Errorf("%w: data model %q has no way to save its data", ErrNotSerializable, s.chart.Datamodel())
	}
	data, err := saver.Save(s.chart.exprs)
	if err != nil && s.invokeID != "" {
		err = fmt.Errorf("invoked session %q: %w", s.invokeID, err)
	}
	return data, err
}

// The version of the format that Snapshot writes; Restore reads it and all
// that were before it.
const (
	snapshotFormat  = "scxml-snapshot"
	snapshotVersion = 1
)

// The types that follow are the format, see SNAPSHOT.md.

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
	Data     []json.RawMessage `json:"data,omitempty"` // by session; Snapshot writes it by itself
}

type savedChart struct {
	File string `json:"file,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// savedRandom is the source of random numbers: its seed, if it has not been
// used, or else what PCG.MarshalBinary says.
type savedRandom struct {
	Seed  uint64 `json:"seed,string,omitempty"`
	State []byte `json:"state,omitempty"`
}

type savedSession struct {
	ID            string            `json:"id,omitempty"`
	InvokeID      string            `json:"invokeid,omitempty"`
	Parent        int               `json:"parent,omitempty"` // the root has none
	Chart         savedChart        `json:"chart,omitzero"`   // of an invoked session
	Status        string            `json:"status"`
	Stopped       *savedReason      `json:"stopped,omitempty"`
	Final         string            `json:"final,omitempty"`
	Done          savedValue        `json:"done,omitzero"`
	Configuration []string          `json:"configuration,omitempty"`
	History       []savedHistory    `json:"history,omitempty"`
	Bound         []string          `json:"bound,omitempty"`
	ToInvoke      []string          `json:"toinvoke,omitempty"`
	Internal      []savedEvent      `json:"internal,omitempty"`
	External      []savedEvent      `json:"external,omitempty"`
	Fence         int               `json:"fence,omitempty"`
	Unstable      bool              `json:"unstable,omitempty"`
	Steps         int               `json:"steps,omitempty"`
	Logged        int               `json:"logged,omitempty"`
	Limit         *savedReason      `json:"limit,omitempty"`
	IDs           uint64            `json:"ids,omitempty"`
	Locations     []savedLocation   `json:"locations,omitempty"`
	Preset        savedValue        `json:"preset,omitzero"`
	Event         *savedEvent       `json:"event,omitempty"`
	Invocations   []savedInvocation `json:"invocations,omitempty"`
}

// savedLocation is the address that an Event I/O Processor has given to a session.
type savedLocation struct {
	Type     string `json:"type"`
	Location string `json:"location"`
}

// savedReason says why a session was stopped, or is about to be.
type savedReason struct {
	Message string     `json:"message,omitempty"`
	Limit   string     `json:"limit,omitempty"` // of a LimitError
	Value   savedValue `json:"value,omitzero"`
	States  []string   `json:"states,omitempty"`
}

type savedHistory struct {
	State string   `json:"state"`
	Value []string `json:"value"`
}

type savedEvent struct {
	Name       string     `json:"name"`
	Type       string     `json:"type,omitempty"` // external if there is none
	Data       savedValue `json:"data,omitzero"`
	SendID     string     `json:"sendid,omitempty"`
	Origin     string     `json:"origin,omitempty"`
	OriginType string     `json:"origintype,omitempty"`
	InvokeID   string     `json:"invokeid,omitempty"`
	Raw        string     `json:"raw,omitempty"`
}

type savedTimer struct {
	Session int          `json:"session"`
	Due     time.Time    `json:"due"`
	Delay   string       `json:"delay"`
	Target  string       `json:"target,omitempty"`
	Type    string       `json:"type,omitempty"` // the SCXML Event I/O Processor if there is none
	Event   savedEvent   `json:"event"`
	Params  []savedParam `json:"params,omitempty"`
	At      savedPos     `json:"at,omitzero"`
}

type savedParam struct {
	Name  string     `json:"name"`
	Value savedValue `json:"value,omitzero"`
}

type savedPos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// savedInvocation is an <invoke> that is running, or has ended in a state that
// is still active.
type savedInvocation struct {
	ID      string        `json:"id"`
	State   string        `json:"state"`
	Invoke  int           `json:"invoke"`            // its place among those of the state
	Session int           `json:"session,omitempty"` // of an SCXML session that goes on
	Src     string        `json:"src,omitempty"`     // what its chart was made of
	Content savedValue    `json:"content,omitzero"`
	Service *savedService `json:"service,omitempty"`
}

type savedService struct {
	Type    string       `json:"type"`
	Src     string       `json:"src,omitempty"`
	Params  savedValue   `json:"params,omitzero"`
	Content savedValue   `json:"content,omitzero"`
	Inbox   []savedEvent `json:"inbox,omitempty"`
	Over    bool         `json:"over,omitempty"`
}

// savedValue is a neutral value, written as datamodel.AppendJSON does.
// Undefined is left out.
type savedValue struct{ v datamodel.Value }

func (s savedValue) IsZero() bool                 { return s.v == nil }
func (s savedValue) MarshalJSON() ([]byte, error) { return datamodel.AppendJSON(nil, s.v), nil }
func (s *savedValue) UnmarshalJSON(text []byte) (err error) {
	s.v, err = datamodel.ParseJSON(text)
	return err
}

// save returns the state of the tree, without the data. The caller holds mu.
func (t *tree) save() (*snapshot, error) {
	root := t.sessions[0]
	snap := &snapshot{
		Format: snapshotFormat, Version: snapshotVersion,
		Chart: root.chart.saved(), Now: t.now, Stop: t.stop, Turn: t.turn,
	}
	switch {
	case t.pcg != nil:
		state, err := t.pcg.MarshalBinary()
		if err != nil {
			return nil, fmt.Errorf("scxml: Snapshot: %w", err)
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
		m := &tm.msg
		saved := savedTimer{
			Session: slices.Index(t.sessions, tm.from),
			Due:     tm.due, Delay: m.Delay.String(), Target: m.Target, Event: saveEvent(m.Event),
			At: savedPos{m.pos.File, m.pos.Line, m.pos.Col},
		}
		if m.Type != SCXMLEventProcessor {
			saved.Type = m.Type
		}
		for _, p := range m.Params {
			saved.Params = append(saved.Params, savedParam{p.Name, savedValue{p.Value}})
		}
		snap.Timers = append(snap.Timers, saved)
	}
	return snap, nil
}

func (c *Chart) saved() savedChart { return savedChart{c.file, hex.EncodeToString(c.hash)} }

// save returns the state of the session, without the data.
func (s *Session) save() savedSession {
	c := s.chart
	out := savedSession{
		ID: s.id, InvokeID: s.invokeID, Status: s.status.String(),
		Stopped: saveReason(s.err), Done: savedValue{s.done},
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
	if s.event.Name != "" {
		ev := saveEvent(s.event)
		out.Event = &ev
	}
	if c.histories > 0 {
		for i := range c.states {
			if row := &c.states[i]; row.isHistory() && len(s.history[row.history]) > 0 {
				out.History = append(out.History, savedHistory{c.saveState(table.State(i)), c.saveStates(s.history[row.history])})
			}
		}
	}
	if s.preset != nil {
		preset := new(datamodel.Object)
		for _, p := range s.preset {
			preset.Set(p.id, p.value)
		}
		out.Preset.v = preset
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
			Type: service.Type, Src: service.Src, Content: savedValue{service.Content},
			Inbox: service.inbox.save(), Over: service.over,
		}
		if service.Params != nil {
			out.Service.Params.v = service.Params
		}
		return out
	}
	if i := slices.Index(s.tree.sessions, inv.child); i > 0 {
		out.Session, out.Src, out.Content = i, inv.source.src, savedValue{inv.source.content}
	}
	return out
}

func saveEvent(ev Event) savedEvent {
	out := savedEvent{
		Name: ev.Name, Data: savedValue{ev.Data}, SendID: ev.SendID,
		Origin: ev.Origin, OriginType: ev.OriginType, InvokeID: ev.InvokeID, Raw: ev.Raw,
	}
	if ev.Type != datamodel.External {
		out.Type = ev.Type.String()
	}
	return out
}

func (q *queue) save() []savedEvent {
	var all []savedEvent
	for i := range q.n {
		all = append(all, saveEvent(*q.at(i)))
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
		return &savedReason{Limit: limit.Limit, Value: savedValue{v}, States: limit.States}
	}
	return &savedReason{Message: err.Error()}
}

// saveState returns the name of a state, or its number if another state has
// that name for an id.
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
