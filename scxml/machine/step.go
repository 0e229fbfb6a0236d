package machine

import "slices"

// This file and entry.go are Appendix D of the REC. Functions keep their names from there.

// initialise enters the initial states or, if it is not nil, those of a configuration.
func (s *session) initialise(in []uint16) {
	s.status = running
	s.core.Flags |= Busy
	s.node.Init()
	s.preset = nil
	if in != nil {
		for _, st := range in {
			s.activate(st)
		}
		return
	}
	s.enabled = append(s.enabled[:0], s.chart.Initial[0])
	s.domains = append(s.domains[:0], 0)
	s.enterStates()
}

// take sets _event.
func (s *session) take(e entry) {
	if e.ev == nil {
		s.event = Event{Name: s.chart.Events[e.num], Type: e.typ}
		e.ev = &s.event
	}
	s.node.Event(e.ev)
	s.current = e.ev
}

// externalEvent processes the external event that was taken.
func (s *session) externalEvent(num uint16) (handled bool) {
	s.core.Flags |= Busy
	if len(s.running) > 0 {
		s.receive(s.current)
	}
	s.selectTransitions(num)
	if len(s.enabled) == 0 {
		s.unhandled(s.current)
		return false
	}
	s.microstep()
	return true
}

func (s *session) unhandled(ev *Event) {
	if f := s.hooks().Unhandled; f != nil {
		f(ev.Name)
	}
}

// completeMacrostep continues until the configuration is stable, and ends the machine if it has reached
// a final state or exceeded a limit.
func (s *session) completeMacrostep() {
	for {
		s.macrostep()
		switch {
		case s.limit != nil:
			s.exitInterpreter(stopped, s.limit)
			return
		case s.status == final:
			s.exitInterpreter(final, nil)
			return
		case s.status != running:
			return
		}
		s.invoke()
		if s.internal.len() == 0 && s.limit == nil {
			break
		}
	}
	s.steps = 0
	s.core.Flags &^= Busy | Raised
}

// macrostep runs microsteps until no eventless transition is enabled and the internal queue is empty.
func (s *session) macrostep() {
	s.unstable = true
	for s.status == running {
		if limit := s.tree.options.Limits.Microsteps; s.steps > limit && s.limit == nil {
			s.limit = &LimitError{"Microsteps", limit}
		}
		if s.limit != nil {
			return
		}
		s.enabled = s.enabled[:0]
		if s.chart.Eventless && !s.asked {
			s.selectTransitions(NoEvent)
		}
		s.asked = false
		if len(s.enabled) == 0 {
			if s.internal.len() == 0 {
				break
			}
			e := s.internal.take()
			s.take(e)
			if s.selectTransitions(e.num); len(s.enabled) == 0 {
				s.unhandled(s.current)
				s.steps++
				continue
			}
		}
		s.microstep()
	}
	s.unstable = false
}

// selectTransitions fills s.enabled with the optimal transition set for an event, or for none.
func (s *session) selectTransitions(event uint16) {
	c := s.chart
	c.once.Do(c.prepare)
	want := Evented
	if event == NoEvent {
		want = Eventless
	}
	s.enabled = s.enabled[:0]
	for _, leaf := range s.regs[:c.parts()] {
		if leaf == 0 || c.Kinds[leaf] == Parallel || !c.asks(leaf, event) {
			continue
		}
		for st := leaf; st != No; st = c.Parent[st] {
			if c.Flags[st]&want == 0 {
				continue
			}
			if id := s.pick(st, event); id != No {
				if !slices.Contains(s.enabled, id) {
					s.enabled = append(s.enabled, id)
				}
				break
			}
		}
	}
	s.resolve()
}

// resolve makes the enabled transitions the optimal transition set, and notes their domains.
func (s *session) resolve() {
	s.domains = s.domains[:0]
	for _, id := range s.enabled {
		s.domains = append(s.domains, s.transitionDomain(id))
	}
	if len(s.enabled) > 1 {
		s.removeConflictingTransitions()
	}
}

// pick returns the first transition of a state that an event enables, or No.
func (s *session) pick(state, event uint16) uint16 {
	for _, id := range s.chart.Of[state] {
		if t := &s.chart.Transitions[id]; t.matches(event) && (!t.Cond || s.node.Condition(id)) {
			return id
		}
	}
	return No
}

// removeConflictingTransitions removes from s.enabled the transitions that others preempt (REC 3.13),
// and puts the others into document order.
func (s *session) removeConflictingTransitions() {
	c := s.chart
	kept := s.filtered[:0]
	domains := s.domains[:0] // of kept; writing never overtakes reading
	for i, t1 := range s.enabled {
		d1, source := s.domains[i], c.Transitions[t1].Source
		preempted := false
		for j, t2 := range kept {
			if c.conflict(d1, domains[j]) && !c.descends(source, c.Transitions[t2].Source) {
				preempted = true
				break
			}
		}
		if preempted {
			continue
		}
		n := 0
		for j, t2 := range kept {
			if !c.conflict(d1, domains[j]) {
				kept[n], domains[n] = t2, domains[j]
				n++
			}
		}
		kept, domains = append(kept[:n], t1), append(domains[:n], d1)
	}
	s.filtered, s.enabled, s.domains = s.enabled[:0], kept, domains
	if !slices.IsSorted(kept) {
		slices.Sort(kept)
		s.domains = s.domains[:0]
		for _, id := range kept {
			s.domains = append(s.domains, s.transitionDomain(id))
		}
	}
}

// conflict reports whether the exit sets of transitions with these domains intersect: what is active
// below a domain is never empty.
func (c *Chart) conflict(d1, d2 uint16) bool {
	return d1 != No && d2 != No && (d1 == d2 || c.descends(d1, d2) || c.descends(d2, d1))
}

func (s *session) transitionDomain(id uint16) uint16 {
	t := &s.chart.Transitions[id]
	if !t.History {
		return t.Domain
	}
	s.targets = s.effectiveTargetStates(s.targets[:0], t.Targets)
	return s.chart.transitionDomain(t, s.targets)
}

func (c *Chart) transitionDomain(t *Transition, targets []uint16) uint16 {
	inside := func(s uint16) bool {
		for _, target := range targets {
			if !c.descends(target, s) {
				return false
			}
		}
		return true
	}
	if t.Internal && c.Kinds[t.Source] == Compound && inside(t.Source) {
		return t.Source
	}
	for s := c.Parent[t.Source]; s != No; s = c.Parent[s] {
		if k := c.Kinds[s]; (k == Compound || k == Root) && inside(s) {
			return s
		}
	}
	return 0
}

// effectiveTargetStates replaces histories by what they remember, or by their default targets.
func (s *session) effectiveTargetStates(dst, targets []uint16) []uint16 {
	c := s.chart
	for _, target := range targets {
		if !c.isHistory(target) {
			dst = append(dst, target)
		} else if n := len(dst); len(s.recall(&dst, target)) == n {
			dst = s.effectiveTargetStates(dst, c.Transitions[c.Initial[target]].Targets)
		}
	}
	return dst
}

// recall appends what a history remembers to *dst, and returns the new *dst.
func (s *session) recall(dst *[]uint16, history uint16) []uint16 {
	c := s.chart
	h := c.history(history)
	parent := c.Parent[history]
	for _, st := range s.regs[h.Slot : h.Slot+h.Len] {
		switch {
		case st == 0 || c.Kinds[history] == Deep && c.Kinds[st] == Parallel:
		case st == parent: // all children of a parallel
			for child := parent + 1; child <= c.Last[parent]; child = c.Last[child] + 1 {
				if !c.isHistory(child) {
					*dst = append(*dst, child)
				}
			}
		default:
			*dst = append(*dst, st)
		}
	}
	return *dst
}

func (c *Chart) history(state uint16) *Recorded {
	i, _ := slices.BinarySearchFunc(c.Histories, state, func(h Recorded, state uint16) int { return int(h.State) - int(state) })
	return &c.Histories[i]
}

// microstep takes the transitions in s.enabled.
func (s *session) microstep() {
	s.steps++
	s.exitStates()
	for _, id := range s.enabled {
		if f := s.hooks().Took; f != nil {
			f(int(id))
		}
		if s.chart.Transitions[id].Content {
			s.node.Content(id)
		}
	}
	s.enterStates()
}

// parts returns the number of registers for states.
func (c *Chart) parts() int { return max(1, len(c.Parts)) }

// below returns the registers of the parts that lie below a state: from first on, without end.
func (c *Chart) below(s uint16) (first, end int) {
	first, _ = slices.BinarySearch(c.Parts, s+1)
	end = first
	if c.Last[s] > s {
		end, _ = slices.BinarySearch(c.Parts, c.Last[s]+1)
	}
	return first, max(first, end)
}

func (s *session) exitStates() {
	c := s.chart
	if len(c.Histories) > 0 || c.HasInvokes {
		// Histories are recorded before any state is exited.
		for _, d := range s.domains {
			if d != No {
				s.eachActive(d, s.beforeExit)
			}
		}
	}
	for _, d := range slices.Backward(s.domains) {
		if d != No {
			s.eachActive(d, s.exit)
		}
	}
}

// eachActive calls f for the active states below d, in exit order. f may remove the state from its
// register.
func (s *session) eachActive(d uint16, f func(st uint16)) {
	c := s.chart
	first, end := c.below(d)
	for part := end - 1; part >= first; part-- {
		for st := s.regs[part]; st != 0; st = c.Parent[st] {
			f(st)
			if st == c.Parts[part] {
				break
			}
		}
	}
	for st := s.regs[c.part(d)]; st > d; st = c.Parent[st] {
		f(st)
	}
}

func (s *session) beforeExit(st uint16) {
	c := s.chart
	if c.Flags[st]&Invokes != 0 {
		if i, found := slices.BinarySearch(s.toInvoke, st); found {
			s.toInvoke = slices.Delete(s.toInvoke, i, i+1)
		}
	}
	if c.Flags[st]&Histories == 0 {
		return
	}
	for i := range c.Histories {
		if h := &c.Histories[i]; c.Parent[h.State] == st {
			s.record(h, st)
		}
	}
}

// record records what a history of the active state st remembers.
func (s *session) record(h *Recorded, st uint16) {
	c := s.chart
	to := s.regs[h.Slot : h.Slot+h.Len]
	switch {
	case c.Kinds[h.State] == Deep:
		// The registers of the parts below, and that of st itself unless st is a parallel.
		n := 0
		if c.Kinds[st] != Parallel {
			to[0], n = s.regs[c.part(st)], 1
		}
		first, end := c.below(st)
		copy(to[n:], s.regs[first:end])
	case c.Kinds[st] == Parallel:
		to[0] = st
	default:
		to[0] = c.Child(s.regs[c.part(st)], st)
	}
}

func (s *session) exit(st uint16) {
	c := s.chart
	if c.Flags[st]&OnExit != 0 {
		s.node.OnExit(st)
	}
	if len(s.running) > 0 {
		s.cancelInvocations(st)
	}
	part := c.part(st)
	if c.parts() > 1 && c.Parts[part] == st {
		s.regs[part] = 0
	} else {
		s.regs[part] = c.Parent[st]
	}
	if s.core.Flags&Listening != 0 {
		s.moved(st, false)
	}
	if f := s.hooks().Exited; f != nil {
		f(c.IDs[st])
	}
}

// exitInterpreter runs the onexit handlers of all active states and ends the machine.
func (s *session) exitInterpreter(how status, err error) {
	s.core.Flags |= Busy
	s.eachActive(0, func(st uint16) {
		s.exit(st)
		if st == s.final && how == final {
			s.done = s.node.DoneData(st)
		}
	})
	s.regs[0] = 0
	s.status, s.err = how, err
	s.core.Flags = s.core.Flags&^Busy | Ended
	s.unstable = false
	s.internal, s.external, s.toInvoke, s.fence = queue{}, queue{}, nil, 0
	t := s.tree
	t.drop(func(tm *timer) bool { return tm.from == s })
	if s.parent != nil {
		i := slices.Index(t.sessions, s)
		t.sessions = slices.Delete(t.sessions, i, i+1)
		if i < t.turn {
			t.turn--
		}
		s.childEnded()
	}
}
