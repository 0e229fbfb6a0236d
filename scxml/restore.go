package scxml

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

var (
	// ErrSnapshot is what [Restore] returns for bytes that are no snapshot, or
	// a damaged one, or one of a newer version than it knows; the error that
	// wraps it says which.
	ErrSnapshot = errors.New("not a snapshot that can be restored")
	// ErrChartChanged is what [Restore] returns when the document has changed
	// since the snapshot was taken, and there is no [WithMigration].
	ErrChartChanged = errors.New("the chart has changed since the snapshot was taken")
)

// A TimerPolicy says what [Restore] does with delayed events, see [WithTimers].
type TimerPolicy uint8

const (
	// KeepDue keeps the time at which each event is due. What fell due in
	// between is delivered by the first Step or Advance, in order. This is the default.
	KeepDue TimerPolicy = iota
	// KeepRemaining keeps the time that was left when the snapshot was taken:
	// the time in between does not count.
	KeepRemaining
	// StartAnew lets each event wait for its whole delay again.
	StartAnew
)

// WithTimers says what [Restore] does with delayed events. With KeepRemaining
// and StartAnew the session's time is that of its clock from then on, see
// [WithClock]; with KeepDue it is the one of the snapshot until somebody drives
// the session.
func WithTimers(p TimerPolicy) Option {
	return option(func(c *config) { c.timers, c.restoring = p, true })
}

// WithMigration has [Restore] accept a snapshot of another version of the
// chart: migrate is called if the document or one that it invokes has changed,
// and returns the snapshot as it should be for the chart to. What it returns is
// checked like any other snapshot, but for the hashes of the charts: all states
// that it names have to be there, and its configuration has to be a legal one. States have their
// ids in a snapshot, so that one of a chart to which something was added needs
// no change.
func WithMigration(migrate func(snapshot []byte, to *Chart) ([]byte, error)) Option {
	return option(func(c *config) { c.migrate, c.restoring = migrate, true })
}

// Restore makes a session of what [Session.Snapshot] has returned. It goes on
// where the other was: Restore runs no handler and processes no event. The
// session needs the same options as one from [New] (loggers, functions,
// processors, invokers, handlers of OnSend …), but no [WithData], [WithSeed] and
// [WithSessionID], whose effects are in the snapshot.
//
// Services that were at work are invoked anew, see [Invoker]; Event I/O
// Processors are opened again, see [Reopener].
//
// The error is [ErrChartChanged] or [ErrSnapshot], or it says which option is
// wrong. There is no session then, and nothing of it was started.
func Restore(chart *Chart, snapshot []byte, opts ...Option) (*Session, error) {
	var cfg config
	for _, opt := range opts {
		opt.applyToSession(&cfg)
	}
	s, err := restore(chart, snapshot, &cfg)
	if err != nil {
		return nil, fmt.Errorf("scxml: Restore: %w", err)
	}
	return s, nil
}

func restore(chart *Chart, source []byte, cfg *config) (*Session, error) {
	if cfg.data != nil || cfg.seeded || cfg.id != "" {
		return nil, errors.New("WithData, WithSeed and WithSessionID are for new sessions")
	}
	if err := checkFuncs(chart, cfg.funcs); err != nil {
		return nil, err
	}
	limits := chart.config.limits
	if cfg.limits != nil {
		limits = *cfg.limits
	}
	r := &restorer{tree: newTree(cfg, limits), policy: cfg.timers}
	err := r.read(source, chart)
	if errors.Is(err, ErrChartChanged) && cfg.migrate != nil {
		if source, err = cfg.migrate(source, chart); err != nil {
			return nil, fmt.Errorf("migration: %w", err)
		}
		r = &restorer{tree: newTree(cfg, limits), policy: cfg.timers, migrated: true}
		err = r.read(source, chart)
	}
	if err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		for _, s := range r.tree.sessions {
			s.closeProcessors()
		}
		return nil, err
	}
	r.join()
	return r.tree.sessions[0], nil
}

// damaged returns an error that wraps ErrSnapshot.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrSnapshot, fmt.Errorf(format, args...))
}

// readSnapshot reads the JSON of a snapshot.
func readSnapshot(source []byte) (*snapshot, error) {
	var what struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(source, &what); err != nil {
		return nil, damaged("%w", err)
	}
	switch {
	case what.Format != snapshotFormat:
		return nil, damaged("it does not say that its format is %q", snapshotFormat)
	case what.Version > snapshotVersion:
		return nil, damaged("its version is %d, which is newer than %d", what.Version, snapshotVersion)
	case what.Version < 1:
		return nil, damaged("it has no version")
	}
	snap := new(snapshot)
	d := json.NewDecoder(strings.NewReader(string(source)))
	d.DisallowUnknownFields()
	if err := d.Decode(snap); err != nil {
		return nil, damaged("%w", err)
	}
	switch n := len(snap.Sessions); {
	case n == 0:
		return nil, damaged("it has no session")
	case len(snap.Data) != n:
		return nil, damaged("it has the data of %d sessions, and %d sessions", len(snap.Data), n)
	case snap.Turn < 0 || snap.Turn > n:
		return nil, damaged("turn is %d, and there are %d sessions", snap.Turn, n)
	}
	return snap, nil
}

// A restorer builds a session tree. Until its method open nothing outside of
// the tree hears of it.
type restorer struct {
	snap     *snapshot
	tree     *tree
	policy   TimerPolicy
	migrated bool              // hashes do not count any more
	services []restoredService // to be started once everything is there
}

type restoredService struct {
	invocation *invocation
	session    *Session
	invoker    Invoker
}

// read makes the sessions of a snapshot and their timers, but not their data.
func (r *restorer) read(source []byte, chart *Chart) (err error) {
	if r.snap, err = readSnapshot(source); err != nil {
		return err
	}
	if err := r.sessions(chart); err != nil {
		return err
	}
	return r.timers()
}

// checkChart compares the chart of a session with that of the one saved.
func (r *restorer) checkChart(s *Session, saved savedChart) error {
	switch {
	case r.migrated || saved.Hash == hex.EncodeToString(s.chart.hash):
		return nil
	case s.parent == nil:
		return fmt.Errorf("%w: %s", ErrChartChanged, s.chart.file)
	}
	return fmt.Errorf("%w: %s, invoked as %q", ErrChartChanged, s.chart.file, s.invokeID)
}

// sessions makes the sessions, but for their data.
func (r *restorer) sessions(chart *Chart) error {
	t := r.tree
	if len(r.snap.Sessions) > t.limits.Sessions {
		return &LimitError{Limit: "Sessions", Value: t.limits.Sessions}
	}
	t.now = r.snap.Now
	t.turn = r.snap.Turn
	t.stop = r.snap.Stop
	t.asked = t.stop
	if err := r.random(); err != nil {
		return err
	}
	children := make(map[int]*Session) // made by the invocations of those before them
	root := newSession(chart, t)
	if err := r.checkChart(root, r.snap.Chart); err != nil {
		return err
	}
	for i := range r.snap.Sessions {
		saved := &r.snap.Sessions[i]
		s := root
		if i > 0 {
			if s = children[i]; s == nil {
				return damaged("nobody has invoked session %d", i)
			}
			if saved.Parent < 0 || saved.Parent >= i || t.sessions[saved.Parent] != s.parent || saved.InvokeID != s.invokeID {
				return damaged("session %d is not the one that its parent has invoked", i)
			}
			if err := r.checkChart(s, saved.Chart); err != nil {
				return err
			}
		}
		t.sessions = append(t.sessions, s)
		if err := r.session(s, saved); err != nil {
			return fmt.Errorf("session %d: %w", i, err)
		}
		for j := range saved.Invocations {
			if err := r.invocation(s, &saved.Invocations[j], i, children); err != nil {
				return fmt.Errorf("session %d: invocation %q: %w", i, saved.Invocations[j].ID, err)
			}
		}
	}
	if len(children) != len(t.sessions)-1 {
		return damaged("an invocation has a session that is not there")
	}
	return nil
}

func (r *restorer) random() error {
	t, saved := r.tree, r.snap.Random
	switch {
	case saved == nil:
	case saved.State == nil:
		t.seed, t.seeded = saved.Seed, true
	default:
		t.pcg = new(rand.PCG)
		if err := t.pcg.UnmarshalBinary(saved.State); err != nil {
			return damaged("random: %w", err)
		}
		t.rng = rand.New(t.pcg)
	}
	return nil
}

// session gives s what was saved.
func (r *restorer) session(s *Session, saved *savedSession) (err error) {
	c := s.chart
	s.id, s.ids = saved.ID, saved.IDs
	s.unstable, s.steps, s.logged, s.fence = saved.Unstable, saved.Steps, saved.Logged, saved.Fence
	s.done = saved.Done.v
	i := slices.Index(statusNames[:], saved.Status)
	if i < 0 {
		return damaged("unknown status %q", saved.Status)
	}
	s.status = Status(i)
	if err := errors.Join(
		r.set(s.config, c, saved.Configuration), r.set(s.toInvoke, c, saved.ToInvoke), r.set(s.bound, c, saved.Bound),
		r.history(s, saved.History),
	); err != nil {
		return err
	}
	s.findAtoms()
	if saved.Final != "" {
		if s.final, err = c.savedState(saved.Final); err != nil {
			return err
		}
	}
	switch {
	case s.parent == nil && s.status == Unstarted, s.parent != nil && s.status > Running:
		return damaged("its status is %q", saved.Status)
	case s.status == Running:
		if err := c.checkConfiguration(s.config); err != nil {
			return err
		}
	case len(saved.Configuration) > 0:
		return damaged("it has active states and the status %q", saved.Status)
	}
	s.ended = s.status > Running
	s.err = saved.Stopped.restore()
	if (s.err != nil) != (s.status == Stopped) {
		return damaged("its status is %q, and the reason why it was stopped does not fit", saved.Status)
	}
	if limit, ok := saved.Limit.restore().(*LimitError); ok {
		s.limit = limit
	}
	if err := errors.Join(s.internal.restore(saved.Internal), s.external.restore(saved.External)); err != nil {
		return err
	}
	if limit := r.tree.limits.ExternalQueue; len(saved.External) > limit {
		return &LimitError{Limit: "ExternalQueue", Value: limit}
	}
	if saved.Event != nil {
		if s.event, err = saved.Event.restore(); err != nil {
			return err
		}
	}
	if preset, ok := saved.Preset.v.(*datamodel.Object); ok && s.status == Unstarted {
		for id, v := range preset.All() {
			s.preset = append(s.preset, presetData{id, v})
		}
	}
	return nil
}

func (r *restorer) set(set table.Set, c *Chart, names []string) error {
	for _, name := range names {
		st, err := c.savedState(name)
		if err != nil {
			return err
		}
		if c.states[st].isHistory() {
			return damaged("history %q stands where a state should", name)
		}
		set.Add(st)
	}
	return nil
}

func (r *restorer) history(s *Session, saved []savedHistory) error {
	c := s.chart
	for _, h := range saved {
		st, err := c.savedState(h.State)
		if err != nil {
			return err
		}
		row := &c.states[st]
		if !row.isHistory() {
			return damaged("%q is not a history", h.State)
		}
		var value []table.State
		for _, name := range h.Value {
			v, err := c.savedState(name)
			if err != nil {
				return err
			}
			if !c.isDescendant(v, row.parent) || c.states[v].isHistory() || row.deep != c.states[v].atomic() && (row.deep || c.states[v].parent != row.parent) {
				return damaged("history %q cannot remember %q", h.State, name)
			}
			value = append(value, v)
		}
		s.history[row.history] = value
	}
	return nil
}

// invocation restores an <invoke> that is running. If it is a session's, the
// session goes into children.
func (r *restorer) invocation(s *Session, saved *savedInvocation, parent int, children map[int]*Session) error {
	st, err := s.chart.savedState(saved.State)
	if err != nil {
		return err
	}
	invokes := s.chart.states[st].invokes
	if !s.config.Has(st) || saved.Invoke < 0 || saved.Invoke >= len(invokes) {
		return damaged("state %q has not invoked it", saved.State)
	}
	inv := &invocation{invoke: invokes[saved.Invoke], invokeID: saved.ID, state: st}
	s.running = append(s.running, inv)
	switch {
	case saved.Service != nil:
		return r.service(s, inv, saved.Service)
	case saved.Session == 0:
		// It has ended, and the state that invoked it is still active.
		inv.child = &Session{chart: s.chart, tree: r.tree, parent: s, invokeID: saved.ID, depth: s.depth + 1, status: Final, final: table.None, ended: true}
		return nil
	}
	if saved.Session <= parent || children[saved.Session] != nil {
		return damaged("session %d is not its own", saved.Session)
	}
	inv.source = chartSource{saved.Src, saved.Content.v}
	if inv.source.src == "" && inv.inline == nil && inv.content == nil {
		return damaged("nothing says what its chart is")
	}
	chart, err := s.chart.invoked(inv.invoke, inv.source)
	if err != nil {
		return err
	}
	if s.depth >= r.tree.limits.InvokeDepth {
		return &LimitError{Limit: "InvokeDepth", Value: r.tree.limits.InvokeDepth}
	}
	child := newSession(chart, r.tree)
	child.parent, child.invokeID, child.depth = s, saved.ID, s.depth+1
	inv.child = child
	children[saved.Session] = child
	return nil
}

func (r *restorer) service(s *Session, inv *invocation, saved *savedService) error {
	service := &Invocation{
		ID: inv.invokeID, Type: saved.Type, Src: saved.Src, Content: saved.Content.v,
		Restored: true, over: saved.Over,
	}
	service.Params, _ = saved.Params.v.(*datamodel.Object)
	if err := service.inbox.restore(saved.Inbox); err != nil {
		return err
	}
	inv.service = service
	if saved.Over {
		service.ended, service.tree = true, r.tree
		inv.cancel = func() {}
		return nil
	}
	invoker := r.tree.invokers[saved.Type]
	if invoker == nil {
		return fmt.Errorf("no invoker is given for the type %q", saved.Type)
	}
	r.services = append(r.services, restoredService{inv, s, invoker})
	return nil
}

// timers puts the delayed events back.
func (r *restorer) timers() error {
	t := r.tree
	if limit := t.limits.Timers; len(r.snap.Timers) > limit {
		return &LimitError{Limit: "Timers", Value: limit}
	}
	now := t.now
	if r.policy != KeepDue {
		now = t.clock()
	}
	for i := range r.snap.Timers {
		saved := &r.snap.Timers[i]
		if saved.Session < 0 || saved.Session >= len(t.sessions) || t.sessions[saved.Session].status != Running {
			return damaged("timer %d belongs to no session", i)
		}
		delay, err := time.ParseDuration(saved.Delay)
		if err != nil || delay < 0 {
			return damaged("timer %d: illegal delay %q", i, saved.Delay)
		}
		ev, err := saved.Event.restore()
		if err != nil {
			return damaged("timer %d: %w", i, err)
		}
		m := Message{
			Event: ev, Target: saved.Target, Type: saved.Type, Delay: delay,
			pos: datamodel.Position{File: saved.At.File, Line: saved.At.Line, Col: saved.At.Col},
		}
		if m.Type == "" {
			m.Type = SCXMLEventProcessor
		}
		if _, known := t.processor(m.Type); !known {
			return fmt.Errorf("a delayed event needs an Event I/O Processor of type %q: none is given", m.Type)
		}
		for _, p := range saved.Params {
			m.Params = append(m.Params, Param{p.Name, p.Value.v})
		}
		due := saved.Due
		switch r.policy {
		case KeepRemaining:
			due = due.Add(now.Sub(t.now))
		case StartAnew:
			due = now.Add(delay)
		}
		t.add(&timer{due: due, from: t.sessions[saved.Session], msg: m})
	}
	t.now = now
	return nil
}

// open opens the processors and gives the sessions their data.
func (r *restorer) open() error {
	for i, s := range r.tree.sessions {
		if s.status == Unstarted {
			continue
		}
		if s.status == Running {
			s.reopenProcessors(r.snap.Sessions[i].Locations)
		}
		if err := r.data(s, r.snap.Data[i]); err != nil {
			return fmt.Errorf("session %d: %w", i, err)
		}
	}
	return nil
}

// data gives s its data.
func (r *restorer) data(s *Session, saved json.RawMessage) error {
	if string(saved) == "null" {
		if s.chart.usesData {
			return damaged("its data are missing")
		}
		return nil
	}
	if err := s.openStore(); err != nil {
		return err
	}
	saver, ok := s.store.(datamodel.Saver)
	if !ok {
		return fmt.Errorf("%w: data model %q has no way to save its data", ErrNotSerializable, s.chart.Datamodel())
	}
	if s.event.Name != "" {
		s.eventTaken()
	}
	if err := saver.Load(saved, s.chart.exprs); err != nil {
		return damaged("data: %w", err)
	}
	return nil
}

// join makes the tree known to the outside. Nothing can fail any more.
func (r *restorer) join() {
	for _, s := range r.tree.sessions {
		if h := r.tree.host; h != nil && s.status == Running {
			h.add(s)
		}
	}
	for _, restored := range r.services {
		restored.invocation.cancel = restored.session.startService(restored.invoker, restored.invocation.service)
	}
}

func (e *savedEvent) restore() (Event, error) {
	ev := Event{
		Name: e.Name, Data: e.Data.v, SendID: e.SendID,
		Origin: e.Origin, OriginType: e.OriginType, InvokeID: e.InvokeID, Raw: e.Raw,
	}
	switch e.Type {
	case "":
	case "internal":
		ev.Type = datamodel.Internal
	case "platform":
		ev.Type = datamodel.Platform
	default:
		return ev, damaged("event %q has the unknown type %q", e.Name, e.Type)
	}
	return ev, nil
}

func (q *queue) restore(saved []savedEvent) error {
	for i := range saved {
		ev, err := saved[i].restore()
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

// restore returns the error that a reason stands for, nil for none.
func (r *savedReason) restore() error {
	switch {
	case r == nil:
		return nil
	case r.Limit != "":
		limit := &LimitError{Limit: r.Limit, Value: r.Value.v, States: r.States}
		switch v := r.Value.v.(type) {
		case int64:
			limit.Value = int(v)
		case string:
			if d, err := time.ParseDuration(v); err == nil {
				limit.Value = d
			}
		}
		return limit
	case r.Message == ErrStopped.Error():
		return ErrStopped
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

// checkConfiguration holds a configuration, which leaves out the root, against REC 3.11.
func (c *Chart) checkConfiguration(config table.Set) error {
	if config.Has(0) {
		return damaged("the configuration names the root")
	}
	if err := c.checkChildren(config, 0); err != nil {
		return err
	}
	for st := config.Next(0); st != table.None; st = config.Next(st + 1) {
		row := &c.states[st]
		if row.parent != 0 && !config.Has(row.parent) {
			return damaged("state %q is active, and its parent is not", row.name)
		}
		if err := c.checkChildren(config, st); err != nil {
			return err
		}
	}
	return nil
}

// checkChildren checks that the active state st has the active children that it has to have.
func (c *Chart) checkChildren(config table.Set, st table.State) error {
	row := &c.states[st]
	active, children := 0, 0
	for child := st + 1; child <= row.last; child = c.states[child].last + 1 {
		if c.states[child].isHistory() {
			continue
		}
		children++
		if config.Has(child) {
			active++
		}
	}
	want := min(1, children)
	if row.kind == doc.Parallel {
		want = children
	}
	if active != want {
		return damaged("state %q is active with %d of its %d children, and should be with %d", row.name, active, children, want)
	}
	return nil
}
