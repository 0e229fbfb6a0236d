package lint

import "github.com/scxmlrun/scxmlrun/scxml/internal/doc"

// A set is a set of states. It has a value for each of Document.States.
type set []bool

// unreachable reports states that can never be active, but not the states inside them.
func (l *linter) unreachable(active set) {
	targeted := make(set, len(l.doc.States)) // it, or a state inside
	for _, t := range l.transitions {
		for _, target := range t.Targets {
			for s := target; s != nil && !targeted[s.Index]; s = s.Parent {
				targeted[s.Index] = true
			}
		}
	}
	defaults := l.defaults()
	for i := 0; i < len(l.doc.States) && !l.full(); i++ {
		if active[i] {
			continue
		}
		s := l.doc.States[i]
		why := "no transition leads to it"
		switch {
		case targeted[i]:
			why = "what leads to it starts in states that are never entered"
		case defaults[i]:
			why = "only a default leads to it, and all transitions lead past it"
		case s.Kind != doc.History:
			why += ", and it is not an initial state"
		}
		l.warnf(s.Pos, "unreachable-state", "%s is never entered: %s", s, why)
		i = l.last[i]
	}
}

// defaults returns the states that are, or contain, a target of the default transition of a state
// around them or of a history there.
func (l *linter) defaults() set {
	held := make(set, len(l.doc.States))
	add := func(t *doc.Transition, owner *doc.State) {
		for _, target := range t.Targets {
			for s := target; s != nil && s != owner; s = s.Parent {
				held[s.Index] = true
			}
		}
	}
	for _, s := range l.doc.States {
		if s.Kind == doc.History {
			for _, t := range s.Transitions {
				add(t, s.Parent)
			}
		} else if s.Initial != nil {
			add(s.Initial, s)
		}
	}
	return held
}

// reach finds the states that may be active at some time, including histories that may be entered.
// It assumes that every transition whose source may be active is possible. So the other states are
// certainly never active, unless there are errors: see anywhere and guesses.
func (l *linter) reach(guess bool) *reach {
	n := len(l.doc.States)
	r := &reach{
		l:       l,
		guess:   guess,
		active:  make(set, n),
		whole:   make(set, n),
		restore: make(set, n),
		path:    make([]int32, n),
		regions: make(map[*doc.State][]*doc.State),
	}
	r.arrive(l.doc.Root)
	for _, s := range l.doc.States {
		if s.Stray {
			r.mayEnter(s)
		}
	}
	for {
		if s, ok := pop(&r.entered); ok {
			r.descend(s)
		} else if s, ok := pop(&r.sources); ok {
			r.leave(s)
		} else {
			return r
		}
	}
}

func pop(stack *[]*doc.State) (*doc.State, bool) {
	n := len(*stack) - 1
	if n < 0 {
		return nil, false
	}
	s := (*stack)[n]
	*stack = (*stack)[:n]
	return s, true
}

// reach is the state of the search. Its methods follow computeEntrySet of
// Appendix D, with sets of possible states instead of a configuration.
type reach struct {
	l        *linter
	guess    bool // also follow transitions that, because of an error, only perhaps lead to a state
	active   set
	whole    set          // entered together with their default descendants, see descend
	restore  set          // states that have a shallow history that may be entered
	entered  []*doc.State // in whole, still to be visited
	sources  []*doc.State // in active, still to be visited
	anywhere bool         // because of an error a transition may lead anywhere
	guesses  bool         // there is something to guess

	path    []int32 // by state: the last call of enter that has it between a target and the domain
	calls   int32
	regions map[*doc.State][]*doc.State // by <parallel>: its children that are not in whole yet
}

// leave takes all transitions of s.
func (r *reach) leave(s *doc.State) {
	r.anywhere = r.anywhere || s.Open
	if s.Kind == doc.History {
		return
	}
	for _, t := range s.Transitions {
		if !t.Stray || r.mayGuess() {
			r.take(t, r.l.domain(t))
		}
	}
}

// take takes a transition, or a default.
func (r *reach) take(t *doc.Transition, domain *doc.State) {
	r.anywhere = r.anywhere || t.Open
	r.enter(t.Targets, domain)
	for _, s := range t.Guesses {
		r.mayEnter(s)
	}
}

// mayEnter enters s from anywhere, if guesses are wanted.
func (r *reach) mayEnter(s *doc.State) {
	if r.mayGuess() && !r.whole[s.Index] {
		r.enter([]*doc.State{s}, nil)
	}
}

// mayGuess reports whether guesses are wanted, and records that there are some.
func (r *reach) mayGuess() bool {
	r.guesses = true
	return r.guess
}

// enter enters targets and their ancestors below the domain, or all their ancestors if that is nil.
func (r *reach) enter(targets []*doc.State, domain *doc.State) {
	r.calls++
	var above []*doc.State
	for _, t := range targets {
		for s := t; s != domain && s != nil && r.path[s.Index] != r.calls; s = s.Parent {
			r.path[s.Index] = r.calls
			if s != t {
				above = append(above, s)
			}
		}
		r.arrive(t)
	}
	for _, s := range above {
		r.activate(s)
		if s.Kind == doc.Parallel {
			r.enterRegions(s)
		}
	}
}

// enterRegions enters the children of a <parallel> that do not contain a target. It visits a child
// again only if the child contained a target each time before.
func (r *reach) enterRegions(p *doc.State) {
	left, known := r.regions[p]
	if !known {
		left = childStates(p)
	}
	keep := left[:0]
	for _, s := range left {
		if r.path[s.Index] == r.calls {
			keep = append(keep, s)
		} else {
			r.arrive(s)
		}
	}
	r.regions[p] = keep
}

// arrive enters s as a target, or by default.
func (r *reach) arrive(s *doc.State) {
	if r.whole[s.Index] {
		return
	}
	r.whole[s.Index] = true
	r.entered = append(r.entered, s)
	r.activate(s)
}

func (r *reach) activate(s *doc.State) {
	if r.active[s.Index] {
		return
	}
	r.active[s.Index] = true
	r.sources = append(r.sources, s)
	if s.Parent != nil && r.restore[s.Parent.Index] && s.Kind != doc.History {
		r.arrive(s)
	}
}

// descend enters the default descendants of s, and other states with its id, because a transition
// may mean one of these.
func (r *reach) descend(s *doc.State) {
	if r.l.doc.ByID[s.ID] == s {
		for _, twin := range r.l.twins[s.ID] {
			r.mayEnter(twin)
		}
	}
	switch s.Kind {
	case doc.Compound, doc.Scxml:
		if s.Initial != nil {
			r.take(s.Initial, s)
		}
	case doc.Parallel:
		for _, child := range childStates(s) {
			r.arrive(child)
		}
	case doc.History:
		for _, t := range s.Transitions {
			r.take(t, s.Parent)
		}
		// A deep one restores the states that were active, and no others.
		if s.Deep || r.restore[s.Parent.Index] {
			return
		}
		r.restore[s.Parent.Index] = true
		for _, child := range childStates(s.Parent) {
			if r.active[child.Index] {
				r.arrive(child)
			}
		}
	}
}

// childStates returns the children of s without histories.
func childStates(s *doc.State) []*doc.State {
	var all []*doc.State
	for _, child := range s.Children {
		if child.Kind != doc.History {
			all = append(all, child)
		}
	}
	return all
}

// domain is getTransitionDomain of Appendix D. It is nil for a transition
// whose domain depends on what a history remembers.
func (l *linter) domain(t *doc.Transition) *doc.State {
	first, last := len(l.doc.States), -1 // of the targets
	for _, s := range t.Targets {
		if s.Kind == doc.History {
			return nil
		}
		first, last = min(first, s.Index), max(last, s.Index)
	}
	holdsAll := func(s *doc.State) bool { return s.Index < first && last <= l.last[s.Index] }
	if t.Internal && t.Source.Kind == doc.Compound && holdsAll(t.Source) {
		return t.Source
	}
	for s := t.Source.Parent; s != nil; s = s.Parent {
		if (s.Kind == doc.Compound || s.Kind == doc.Scxml) && holdsAll(s) {
			return s
		}
	}
	return l.doc.Root // the source is <scxml> itself
}
