package machine

import (
	"fmt"
	"slices"
	"time"
)

// StartIn is [Start] in the given states in place of the initial ones, as if they had been entered in the past: no
// onentry handler runs, and no history remembers anything. Data, scripts, eventless transitions and invocations are
// those of every start. States are given by number: all atomic ones, and with them their ancestors or not. It fails
// unless they are a legal configuration (REC 3.11), and for a top-level final state, in which a machine has ended.
func StartIn(n Node, now time.Time, states []uint16) error {
	_, c, _ := n.Machine()
	in := make([]bool, len(c.IDs))
	in[0] = true
	for _, st := range states {
		switch {
		case st == 0 || int(st) >= len(c.IDs) || c.isHistory(st):
			return fmt.Errorf("%q cannot be active by itself", c.ID(st))
		case c.Kinds[st] == Final && c.Parent[st] == 0:
			return fmt.Errorf("%q is a top-level final state, in which a machine has ended", c.ID(st))
		}
		for ; st != 0; st = c.Parent[st] {
			in[st] = true
		}
	}
	var all []uint16
	for st := range in {
		if !in[st] {
			continue
		}
		if st > 0 {
			all = append(all, uint16(st))
		}
		if err := c.checkChildren(uint16(st), in); err != nil {
			return err
		}
	}
	return start(n, now, all)
}

// Configuration returns the active states of a machine in document order, in the words of snapshots: the id of a state
// or, without one, TYPE#N.
func Configuration(n Node) (names []string) {
	s := of(n)
	for _, st := range s.active() {
		names = append(names, s.chart.stateName(st))
	}
	return names
}

// FinalState returns the top-level final state in which a machine has ended. ok is false if it has not, or was stopped.
func FinalState(n Node) (name string, ok bool) {
	s := of(n)
	if s.status != final {
		return "", false
	}
	return s.chart.stateName(s.final), true
}

func (s *session) active() (all []uint16) {
	for st := uint16(1); int(st) < len(s.chart.IDs) && s.status == running; st++ {
		if !s.chart.isHistory(st) && s.chart.Active(s.regs, st) {
			all = append(all, st)
		}
	}
	return all
}

// checkChildren checks that the right number of children of an active state is active.
func (c *Chart) checkChildren(st uint16, in []bool) error {
	var children []uint16
	for child := st + 1; child <= c.Last[st]; child = c.Last[child] + 1 {
		if !c.isHistory(child) {
			children = append(children, child)
		}
	}
	active := slices.DeleteFunc(slices.Clone(children), func(child uint16) bool { return !in[child] })
	switch {
	case c.Kinds[st] == Parallel && len(active) < len(children):
		i := slices.IndexFunc(children, func(child uint16) bool { return !in[child] })
		return fmt.Errorf("the region %q of the parallel %q is missing", c.ID(children[i]), c.ID(st))
	case c.Kinds[st] == Parallel:
	case len(children) > 0 && len(active) == 0:
		return fmt.Errorf("%q has states of its own, of which none is given", c.ID(st))
	case len(active) > 1:
		return fmt.Errorf("%q and %q exclude each other", c.ID(active[0]), c.ID(active[1]))
	}
	return nil
}
