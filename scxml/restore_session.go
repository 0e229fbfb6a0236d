package scxml

import (
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// session restores s, without its data.
func (r *restorer) session(s *Session, saved *savedSession) (err error) {
	c := s.chart
	s.id, s.ids = saved.ID, saved.IDs
	s.unstable, s.steps, s.logged, s.fence = saved.Unstable, saved.Steps, saved.Logged, saved.Fence
	s.done = saved.Done.V
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
	s.findAtomic()
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
	if s.err = saved.Stopped.restore(); s.err != nil && saved.Stopped.Limit == "" {
		s.err = &stoppedBefore{s.err}
	}
	if (s.err != nil) != (s.status == Stopped) {
		return damaged("its status is %q, which does not match the reason why it was stopped", saved.Status)
	}
	if saved.Limit != nil {
		var ok bool
		if s.limit, ok = saved.Limit.restore().(*LimitError); !ok {
			return damaged("its limit has no name")
		}
	}
	if err := errors.Join(s.internal.restore(saved.Internal), s.external.restore(saved.External)); err != nil {
		return err
	}
	if limit := r.tree.limits.ExternalQueue; len(saved.External) > limit {
		return &LimitError{Limit: "ExternalQueue", Value: limit}
	}
	// Negative counts would bypass the limits.
	if s.steps < 0 || s.logged < 0 || s.fence < 0 || int(s.fence) > s.external.len() {
		return damaged("steps %d, logged %d or fence %d is out of range, with %d external events", s.steps, s.logged, s.fence, s.external.len())
	}
	if s.toInvoke != nil {
		for st := s.toInvoke.Next(0); st != table.None; st = s.toInvoke.Next(st + 1) {
			if !s.config.Has(st) {
				return damaged("state %q is to invoke something, but is not active", c.states[st].name)
			}
		}
	}
	if saved.Event != nil {
		ev, err := restoreEvent(saved.Event)
		if err != nil {
			return err
		}
		s.event = &ev
	}
	if saved.Preset.V != nil {
		preset, ok := saved.Preset.V.(*datamodel.Object)
		if !ok || s.status != Unstarted {
			return damaged("it has a preset that is not an object, or status %q instead of %q", s.status, Unstarted)
		}
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
			return damaged("%q is a history: want a state", name)
		}
		if set == nil {
			return damaged("nothing is remembered of state %q", name)
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
		def := &c.states[st]
		if !def.isHistory() {
			return damaged("%q is not a history", h.State)
		}
		var value []table.State
		for _, name := range h.Value {
			v, err := c.savedState(name)
			if err != nil {
				return err
			}
			if !c.isDescendant(v, def.parent) || c.states[v].isHistory() || def.deep != c.states[v].atomic() && (def.deep || c.states[v].parent != def.parent) {
				return damaged("history %q cannot remember %q", h.State, name)
			}
			value = append(value, v)
		}
		if err := c.checkHistory(def.parent, def.deep, value); err != nil {
			return fmt.Errorf("history %q: %w", h.State, err)
		}
		slices.Sort(value) // see recallEntries
		s.history[def.history] = value
	}
	return nil
}

// invocation restores a running <invoke>. It adds the session of one that has a session to
// children.
func (r *restorer) invocation(s *Session, saved *savedInvocation, parent int, children map[int]*Session) error {
	st, err := s.chart.savedState(saved.State)
	if err != nil {
		return err
	}
	invokes := s.chart.states[st].invokes
	if !s.config.Has(st) || saved.Invoke < 0 || saved.Invoke >= len(invokes) {
		return damaged("state %q cannot have invoked it", saved.State)
	}
	inv := &invocation{invoke: invokes[saved.Invoke], invokeID: saved.ID, state: st}
	s.running = append(s.running, inv)
	switch {
	case saved.Service != nil:
		return r.service(s, inv, saved.Service)
	case saved.Session == 0:
		inv.child = endedChild(s, saved.ID)
		return nil
	}
	if saved.Session <= parent || children[saved.Session] != nil {
		return damaged("session %d belongs to another invocation", saved.Session)
	}
	inv.source = chartSource{saved.Src, saved.Content.V}
	if inv.source.src == "" && inv.inline == nil && inv.content == nil {
		return damaged("it does not name its chart")
	}
	chart, err := s.chart.invoked(inv.invoke, inv.source)
	if err != nil {
		return err
	}
	if int(s.depth) >= r.tree.limits.InvokeDepth {
		return &LimitError{Limit: "InvokeDepth", Value: r.tree.limits.InvokeDepth}
	}
	child := newSession(chart, r.tree)
	child.parent, child.invokeID, child.depth = s, saved.ID, s.depth+1
	inv.child = child
	children[saved.Session] = child
	return nil
}

// endedChild returns an invoked session of s that has ended, while the state that invoked it is still
// active.
func endedChild(s *Session, invokeID string) *Session {
	return &Session{chart: s.chart, tree: s.tree, parent: s, invokeID: invokeID, depth: s.depth + 1, status: Final, final: table.None, ended: true}
}

func (r *restorer) service(s *Session, inv *invocation, saved *savedService) error {
	service := &Invocation{
		ID: inv.invokeID, Type: saved.Type, Src: saved.Src, Content: saved.Content.V,
		Restored: true, over: saved.Over, tree: r.tree,
	}
	var ok bool
	if service.Params, ok = saved.Params.Object(); !ok {
		return damaged("its params are not an object")
	}
	if err := service.inbox.restore(saved.Inbox); err != nil {
		return err
	}
	if r.tree.config.outbox != nil {
		service.task, service.seq = saved.Task, saved.Seq
	}
	inv.service = service
	if saved.Over {
		service.left, service.ended = true, true
		inv.cancel = func() {}
		return nil
	}
	invoker := r.tree.invoker(saved.Type)
	if invoker == nil {
		return fmt.Errorf("no invoker for the type %q", saved.Type)
	}
	if service.task != 0 {
		if _, out := invoker.(outboxInvoker); !out {
			return fmt.Errorf("a service of type %q was handed out: WithOutbox does not name the type", saved.Type)
		}
		inv.cancel = func() { s.cancelHandedOut(service) }
		return nil
	}
	r.services = append(r.services, restoredService{inv, s, invoker})
	return nil
}

// outbox restores the tasks.
func (r *restorer) outbox() error {
	t, saved := r.tree, r.snap.Outbox
	switch {
	case saved == nil || t.dry != nil:
		return nil
	case t.config.outbox == nil:
		return errors.New("the snapshot has tasks: WithOutbox is missing")
	}
	out := t.out()
	out.last = saved.Last
	ids := make(map[uint64]bool)
	running := make(map[uint64]bool) // services, by the ID of their TaskInvoke
	known := func(id uint64) bool {
		seen := ids[id]
		ids[id] = true
		return id > 0 && id <= saved.Last && !seen
	}
	for _, s := range t.sessions {
		for _, inv := range s.running {
			if inv.service == nil || inv.service.task == 0 {
				continue
			}
			if !known(inv.service.task) {
				return damaged("service %q has the impossible task %d", inv.invokeID, inv.service.task)
			}
			running[inv.service.task] = !inv.service.over
		}
	}
	for i := range saved.Tasks {
		from := &saved.Tasks[i]
		task, err := from.restore()
		if err != nil {
			return err
		}
		if task.Kind == TaskInvoke || !known(task.ID) || i > 0 && task.ID < saved.Tasks[i-1].ID || task.Kind == TaskForward && !running[task.Invoke] {
			return damaged("task %d is impossible", from.ID)
		}
		out.tasks = append(out.tasks, task)
	}
	return nil
}

// timers restores the delayed events.
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
			return damaged("timer %d does not belong to a running session", i)
		}
		m, err := saved.restore()
		if err != nil {
			return damaged("timer %d: %w", i, err)
		}
		m.Session = t.sessions[saved.Session]
		if _, known := t.processor(m.Type); !known {
			return fmt.Errorf("no Event I/O Processor for the type %q of a delayed event", m.Type)
		}
		due := saved.Due
		switch r.policy {
		case KeepRemaining:
			due = due.Add(now.Sub(t.now))
		case StartAnew:
			due = now.Add(m.Delay)
		}
		t.add(&timer{due: due, from: m.Session, msg: m})
	}
	t.now = now
	return nil
}

// checkConfiguration checks a configuration, without the root, against REC 3.11.
func (c *Chart) checkConfiguration(config table.Set) error {
	if config.Has(0) {
		return damaged("the configuration names the root")
	}
	if err := c.checkChildren(config, 0); err != nil {
		return err
	}
	for st := config.Next(0); st != table.None; st = config.Next(st + 1) {
		def := &c.states[st]
		if def.parent != 0 && !config.Has(def.parent) {
			return damaged("state %q is active, but its parent is not", def.name)
		}
		if err := c.checkChildren(config, st); err != nil {
			return err
		}
	}
	return nil
}

// checkHistory checks that all states that a history of parent remembers could be active together.
// An empty history is legal.
func (c *Chart) checkHistory(parent table.State, deep bool, value []table.State) error {
	if len(value) == 0 {
		return nil
	}
	active := table.NewSet(len(c.states))
	for _, st := range value {
		if active.Has(st) {
			return damaged("%q is listed twice", c.states[st].name)
		}
		for ; st != parent; st = c.states[st].parent {
			active.Add(st)
		}
	}
	if !deep {
		return c.checkChildren(active, parent)
	}
	for st := parent; st != table.None && st <= c.states[parent].last; st = active.Next(st + 1) {
		if err := c.checkChildren(active, st); err != nil {
			return err
		}
	}
	return nil
}

// checkChildren checks the number of active children of the active state st.
func (c *Chart) checkChildren(config table.Set, st table.State) error {
	def := &c.states[st]
	active, children := 0, 0
	for child := st + 1; child <= def.last; child = c.states[child].last + 1 {
		if c.states[child].isHistory() {
			continue
		}
		children++
		if config.Has(child) {
			active++
		}
	}
	want := min(1, children)
	if def.kind == doc.Parallel {
		want = children
	}
	if active != want {
		return damaged("state %q has %d active children of %d: want %d", def.name, active, children, want)
	}
	return nil
}
