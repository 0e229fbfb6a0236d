package machine

import "slices"

// enterStates enters what the enabled transitions lead to, in document order.
func (s *session) enterStates() {
	for i, id := range s.enabled {
		if d := s.domains[i]; d != No {
			s.enterBelow(d, &s.chart.Transitions[id])
		}
	}
}

// enterBelow enters the targets of a transition below its domain.
func (s *session) enterBelow(d uint16, t *Transition) {
	targets := t.Targets
	if t.History {
		// A history of a state that stays active, such as the domain itself, leads to what it remembers and
		// nothing else. The others are looked at when their parent is entered, which runs their contents.
		targets = s.recallOutside(nil, t.Targets, d)
	}
	s.enterChildren(d, targets)
}

// recallOutside replaces the histories whose parents are not below d, by what they remember or by their default targets.
func (s *session) recallOutside(dst, targets []uint16, d uint16) []uint16 {
	c := s.chart
	for _, target := range targets {
		if !c.isHistory(target) || c.descends(c.Parent[target], d) {
			dst = append(dst, target)
		} else if n := len(dst); len(s.recall(&dst, target)) == n {
			dst = s.recallOutside(dst, c.Transitions[c.Initial[target]].Targets, d)
		}
	}
	return dst
}

// enter enters a state and those of its descendants that targets, which are below it, ask for.
func (s *session) enter(st uint16, targets []uint16) {
	c := s.chart
	byDefault := c.Kinds[st] == Compound && len(targets) == 0
	if byDefault {
		targets = c.Transitions[c.Initial[st]].Targets
	}
	content := No // of the default transition of a history
	if c.Flags[st]&Histories != 0 {
		targets, content = s.replaceHistories(st, targets)
	}
	s.activate(st)
	if c.Flags[st]&OnEntry != 0 {
		s.node.OnEntry(st)
	}
	if byDefault {
		if id := c.Initial[st]; c.Transitions[id].Content {
			s.node.Content(id)
		}
	}
	if content != No && c.Transitions[content].Content {
		s.node.Content(content)
	}
	if c.Kinds[st] == Final {
		s.enterFinal(st)
		return
	}
	s.enterChildren(st, targets)
}

// activate does what precedes the onentry handlers of a state.
func (s *session) activate(st uint16) {
	c := s.chart
	s.regs[c.part(st)] = st
	if c.Flags[st]&Invokes != 0 {
		i, _ := slices.BinarySearch(s.toInvoke, st)
		s.toInvoke = slices.Insert(s.toInvoke, i, st)
	}
	if s.core.Flags&Listening != 0 {
		s.moved(st, true)
	}
	if f := s.hooks().Entered; f != nil {
		f(c.IDs[st])
	}
	if f := s.hooks().EnteredState; f != nil {
		f(st)
	}
	if c.Flags[st]&LateData != 0 && !slices.Contains(s.bound, st) {
		s.bound = append(s.bound, st)
		s.node.Bind(st)
	}
}

// replaceHistories replaces those of the targets that are histories of st, by what they remember or by
// the targets of their default transition, which it returns too.
func (s *session) replaceHistories(st uint16, targets []uint16) (replaced []uint16, content uint16) {
	c := s.chart
	content = No
	own := func(target uint16) bool { return c.Parent[target] == st && c.isHistory(target) }
	for slices.ContainsFunc(targets, own) {
		replaced = nil
		for _, target := range targets {
			switch n := len(replaced); {
			case !own(target):
				replaced = append(replaced, target)
			case len(s.recall(&replaced, target)) == n:
				content = c.Initial[target]
				replaced = append(replaced, c.Transitions[content].Targets...)
			}
		}
		targets = replaced
	}
	return targets, content
}

// enterChildren enters what targets, which are below st, ask for.
func (s *session) enterChildren(st uint16, targets []uint16) {
	c := s.chart
	if c.Kinds[st] == Parallel {
		for child := st + 1; child <= c.Last[st]; child = c.Last[child] + 1 {
			if !c.isHistory(child) {
				s.enter(child, c.inside(child, targets))
			}
		}
	} else if len(targets) > 0 {
		child := c.Child(targets[0], st)
		s.enter(child, c.inside(child, targets))
	}
}

// inside returns those of the targets that are below a state.
func (c *Chart) inside(st uint16, targets []uint16) []uint16 {
	below := func(target uint16) bool { return c.descends(target, st) }
	i := slices.IndexFunc(targets, below)
	if i < 0 {
		return nil
	}
	end := i + 1
	for end < len(targets) && below(targets[end]) {
		end++
	}
	if !slices.ContainsFunc(targets[end:], below) {
		return targets[i:end]
	}
	var all []uint16
	for _, target := range targets {
		if below(target) {
			all = append(all, target)
		}
	}
	return all
}

// enterFinal ends the machine, or raises the done events that follow from entering a final state.
func (s *session) enterFinal(st uint16) {
	c := s.chart
	parent := c.Parent[st]
	if parent == 0 {
		s.status, s.final = final, st
		return
	}
	num := c.Done[parent]
	s.raise(entry{num: num, typ: Platform, ev: &Event{Name: c.Events[num], Type: Platform, Data: s.node.DoneData(st)}})
	// By REC 3.4 a parallel is in a final state when all its children are, so a parallel inside a parallel
	// can complete the outer one too.
	for p := c.Parent[parent]; p != No && c.Kinds[p] == Parallel && s.isInFinalState(p); p = c.Parent[p] {
		s.raise(entry{num: c.Done[p], typ: Platform})
	}
}

func (s *session) isInFinalState(st uint16) bool {
	c := s.chart
	switch c.Kinds[st] {
	case Compound:
		leaf := s.regs[c.part(st)]
		return c.descends(leaf, st) && c.Kinds[leaf] == Final && c.Parent[leaf] == st
	case Parallel:
		for child := st + 1; child <= c.Last[st]; child = c.Last[child] + 1 {
			if !c.isHistory(child) && !s.isInFinalState(child) {
				return false
			}
		}
		return true
	}
	return false
}
