package doc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// A setKind says what a set of states is for.
type setKind uint8

const (
	targetSet  setKind = iota // the targets of a transition
	initialSet                // the initial states of a compound state or of <scxml>
	historySet                // the default of a history
)

// A reference is a list of ids. It is resolved when all states are known.
type reference struct {
	transition *Transition
	element    *xmltree.Element
	attr       *xmltree.Attr
	kind       setKind
}

func (p *parser) refer(tr *Transition, e *xmltree.Element, a *xmltree.Attr, kind setKind) {
	p.references = append(p.references, reference{tr, e, a, kind})
}

// pos returns the place of the list.
func (r *reference) pos() datamodel.Position { return r.element.Source(r.attr).Pos }

// resolve turns ids into states, and checks that they form legal sets.
func (p *parser) resolve() {
	for i := range p.references {
		r := &p.references[i]
		if p.lookUp(r) && !p.checkSet(r) {
			r.transition.Guesses, r.transition.Targets = r.transition.Targets, nil
		}
	}
	p.checkHistories()
}

// lookUp finds the states of r. It reports whether it found all of them.
func (p *parser) lookUp(r *reference) bool {
	complete := true
	var targets []*State
	var seen map[*State]bool // only for long lists
	places := r.element.Source(r.attr).Places()
	for offset, id := range words(r.attr.Value) {
		s := p.ids[id]
		if s == nil {
			complete = false
			if p.refused[id] || !p.unknown(r, id, &places, offset) {
				r.transition.Open = true
			}
			continue
		}
		if len(targets) == 16 && seen == nil {
			seen = make(map[*State]bool)
			for _, s := range targets {
				seen[s] = true
			}
		}
		if seen[s] || seen == nil && slices.Contains(targets, s) {
			continue
		}
		if seen != nil {
			seen[s] = true
		}
		targets = p.targetSlab.extend(targets, s)
	}
	r.transition.Targets = targets
	return complete
}

// unknown adds the diagnostic for an id that no state has, and notes the states that were perhaps
// meant. It reports whether there are any.
func (p *parser) unknown(r *reference, id string, places *datamodel.Places, offset int) bool {
	what := "target"
	if r.kind == initialSet && r.transition.Index < 0 {
		what = "initial state"
	}
	var guesses []*State
	switch s := p.ids[id[strings.LastIndexAny(id, "#./:")+1:]]; {
	case s != nil: // id is the path of s, as in other notations
		guesses = append(guesses, s)
	case !p.overBudget(len(p.doc.States)):
		for near := range nearAll(id, p.stateIDs) {
			guesses = append(guesses, p.ids[near])
		}
	}
	hint := didYouMean(id, guesses)
	p.errorf(places.At(offset), "unknown-target", "%s: %s %q not found%s", r.transition.Source, what, abridge(id), hint)
	r.transition.Guesses = append(r.transition.Guesses, guesses...)
	return guesses != nil
}

// stateIDs yields the ids of states.
func (p *parser) stateIDs(yield func(string) bool) {
	for _, s := range p.doc.States {
		if !yield(s.ID) {
			return
		}
	}
}

// checkSet checks that the states of r can be entered together.
//
// REC 3.11: a legal configuration has exactly one child of <scxml> and of each
// active compound state, and all children of each active <parallel>.
func (p *parser) checkSet(r *reference) bool {
	source := r.transition.Source
	for _, s := range r.transition.Targets {
		switch {
		case r.kind == initialSet && !s.within(source):
			p.errorf(r.pos(), "illegal-initial", "%s: initial state %q is not one of its descendants", source, abridge(s.ID))
			r.transition.Open = true
			return false
		case r.kind == historySet && !s.within(source.Parent):
			p.errorf(r.pos(), "illegal-default", "%s: default target %q is not a descendant of %s", source, abridge(s.ID), source.Parent)
			r.transition.Open = true
			return false
		case r.kind == historySet && !source.Deep && s.Parent != source.Parent:
			// REC 3.10.2: the default of a shallow history consists of children of its parent, that of a deep one of
			// descendants. The meaning of a descendant is clear in both cases, so it is only a warning.
			p.warnf(r.pos(), "nonconforming", "%s: default target %q is not a child of %s, as that of a shallow history must be: other engines may refuse it", source, abridge(s.ID), source.Parent)
		}
	}
	a, b := conflict(r.transition.Targets)
	if a != nil {
		code, what := "illegal-target", "targets"
		switch r.kind {
		case initialSet:
			code, what = "illegal-initial", "initial states"
		case historySet:
			code, what = "illegal-default", "default targets"
		}
		why := "they are not in different regions of a <parallel>"
		if b.within(a) {
			why = "the second is inside the first"
		}
		p.errorf(r.pos(), code, "%s: %s %q and %q cannot be entered together: %s", source, what, abridge(a.ID), abridge(b.ID), why)
	}
	return a == nil
}

// conflict returns two of the states, in document order, that cannot be entered together, or nil.
// The least common ancestor of any two must be a <parallel>, and neither of the two. In document
// order it is enough to compare neighbours: the least common ancestor of any two states is also
// that of two neighbours between them.
func conflict(targets []*State) (a, b *State) {
	if len(targets) < 2 {
		return nil, nil
	}
	inOrder := slices.SortedFunc(slices.Values(targets), func(a, b *State) int { return cmp.Compare(a.Index, b.Index) })
	for i, b := range inOrder[1:] {
		a := inOrder[i]
		common := a
		for !b.within(common) && b != common {
			common = common.Parent
		}
		isHistory := a.Kind == History && a.Parent == common || b.Kind == History && b.Parent == common
		if common.Kind != Parallel || common == a || isHistory {
			return a, b
		}
	}
	return nil, nil
}

// within reports whether s is a descendant of ancestor.
func (s *State) within(ancestor *State) bool {
	for s = s.Parent; s != nil; s = s.Parent {
		if s == ancestor {
			return true
		}
	}
	return false
}

// checkHistories reports histories whose defaults lead back to themselves. Entering one would never
// end.
func (p *parser) checkHistories() {
	const (
		underWay = 1
		done     = 2
	)
	var seen map[*State]int
	var visit func(h *State) bool
	visit = func(h *State) bool {
		switch seen[h] {
		case underWay:
			return false
		case done:
			return true
		}
		seen[h] = underWay
		for _, tr := range h.Transitions {
			for _, target := range tr.Targets {
				if target.Kind == History && !visit(target) {
					p.errorf(tr.Pos, "history-loop", "%s: its default leads back to itself", h)
					seen[h] = done
					return true
				}
			}
		}
		seen[h] = done
		return true
	}
	for _, s := range p.doc.States {
		if s.Kind == History {
			if seen == nil {
				seen = map[*State]int{}
			}
			visit(s)
		}
	}
}
