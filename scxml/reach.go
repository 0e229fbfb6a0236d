package scxml

import (
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// unreachable reports states that can never be active, the outermost only.
func (l *linter) unreachable(active table.Set) {
	c := l.chart
	targeted := table.NewSet(len(c.states))
	for i := range c.transitions {
		if c.transitions[i].selectable {
			for _, t := range c.transitions[i].targets {
				targeted.Add(t)
			}
		}
	}
	defaults := c.defaults()
	for s := table.State(0); s <= c.lastState() && !l.full(); s++ {
		if active.Has(s) {
			continue
		}
		row := &c.states[s]
		why := "no transition leads to it"
		switch {
		case targeted.HasRange(s, row.last):
			why = "what leads to it starts in states that are never entered"
		case defaults.Has(s):
			why = "only a default leads to it, and all transitions lead past it"
		case row.kind != doc.History:
			why += ", and it is no initial state"
		}
		l.warnf(row.pos, "unreachable-state", "%s is never entered: %s", c.describe(s), why)
		s = row.last
	}
}

// defaults returns the states that are, or hold, the target of a default
// transition of a state around them or of a history there.
func (c *Chart) defaults() table.Set {
	set := table.NewSet(len(c.states))
	for i := range c.transitions {
		t := &c.transitions[i]
		if t.selectable {
			continue
		}
		owner := t.source
		if c.states[owner].kind == doc.History {
			owner = c.states[owner].parent
		}
		for _, target := range t.targets {
			for s := target; s != table.None && s != owner; s = c.states[s].parent {
				set.Add(s)
			}
		}
	}
	return set
}

// reachable returns the states that may be active at some time, histories that
// may be entered included. It takes every transition to be possible whose
// source may be active, so that what is left out is certain.
func (c *Chart) reachable() table.Set {
	r := &reach{
		chart:   c,
		active:  table.NewSet(len(c.states)),
		whole:   table.NewSet(len(c.states)),
		restore: table.NewSet(len(c.states)),
		path:    make([]int32, len(c.states)),
		regions: make(map[table.State][]table.State),
	}
	r.arrive(0)
	for len(r.entered)+len(r.sources) > 0 {
		if n := len(r.entered) - 1; n >= 0 {
			s := r.entered[n]
			r.entered = r.entered[:n]
			r.descend(s)
			continue
		}
		n := len(r.sources) - 1
		s := r.sources[n]
		r.sources = r.sources[:n]
		for _, id := range c.states[s].transitions {
			t := &c.transitions[id]
			r.enter(t.targets, t.domain)
		}
	}
	return r.active
}

// reach is the state of the search. Its methods follow computeEntrySet of
// Appendix D, with sets of possible states in the place of a configuration.
type reach struct {
	chart   *Chart
	active  table.Set
	whole   table.Set     // entered with what they have by default below them, see descend
	restore table.Set     // states that have a shallow history that may be entered
	entered []table.State // in whole, to be looked at
	sources []table.State // in active, to be looked at

	path    []int32 // of each state: the last call of enter that has it between a target and the domain
	calls   int32
	regions map[table.State][]table.State // of a <parallel>: children that are not in whole yet
}

// enter enters targets and their ancestors below the domain; None stands for
// all of them.
func (r *reach) enter(targets []table.State, domain table.State) {
	c := r.chart
	r.calls++
	var above []table.State
	for _, t := range targets {
		for s := t; s != domain && s != table.None && r.path[s] != r.calls; s = c.states[s].parent {
			r.path[s] = r.calls
			if s != t {
				above = append(above, s)
			}
		}
		r.arrive(t)
	}
	for _, s := range above {
		r.activate(s)
		if c.states[s].kind == doc.Parallel {
			r.enterRegions(s)
		}
	}
}

// enterRegions enters the children of a <parallel> that no target lies in. A
// child is looked at again only if a target lay in it each time before.
func (r *reach) enterRegions(p table.State) {
	left, known := r.regions[p]
	if !known {
		left = r.chart.childStates(p)
	}
	keep := left[:0]
	for _, s := range left {
		if r.path[s] == r.calls {
			keep = append(keep, s)
		} else {
			r.arrive(s)
		}
	}
	r.regions[p] = keep
}

// arrive enters s as a target, or by default.
func (r *reach) arrive(s table.State) {
	if r.whole.Has(s) {
		return
	}
	r.whole.Add(s)
	r.entered = append(r.entered, s)
	r.activate(s)
}

func (r *reach) activate(s table.State) {
	if r.active.Has(s) {
		return
	}
	r.active.Add(s)
	r.sources = append(r.sources, s)
	if p := r.chart.states[s].parent; p != table.None && r.restore.Has(p) && r.chart.states[s].kind != doc.History {
		r.arrive(s)
	}
}

// descend enters what is entered by default below s.
func (r *reach) descend(s table.State) {
	c := r.chart
	row := &c.states[s]
	switch row.kind {
	case doc.Compound, doc.Scxml:
		r.enter(c.transitions[row.initial].targets, s)
	case doc.Parallel:
		for _, child := range c.childStates(s) {
			r.arrive(child)
		}
	case doc.History:
		r.enter(c.transitions[row.defaultHist].targets, row.parent)
		// A deep one brings back what was active, and nothing else.
		if row.deep || r.restore.Has(row.parent) {
			return
		}
		r.restore.Add(row.parent)
		for _, child := range c.childStates(row.parent) {
			if r.active.Has(child) {
				r.arrive(child)
			}
		}
	}
}

// childStates returns the children of s without histories.
func (c *Chart) childStates(s table.State) []table.State {
	var all []table.State
	for child := s + 1; child <= c.states[s].last; child = c.states[child].last + 1 {
		if c.states[child].kind != doc.History {
			all = append(all, child)
		}
	}
	return all
}
