package doc

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// document reads the <scxml> element (REC 3.2).
func (p *parser) document(e *xmltree.Element) {
	p.attributes(e, tagScxml)
	p.doc = &Document{
		File:      p.file,
		Source:    e.Document(),
		Name:      value(e, "name"),
		Datamodel: cmp.Or(value(e, "datamodel"), "ecmascript"),
		Late:      p.choice(e, tagScxml, "binding", "early", "late"),
		ByID:      p.ids,
		Refused:   p.refused,
	}
	// REC 3.2.1: version is required, and must be "1.0".
	switch a := e.Attr("version"); {
	case a == nil:
		p.warnf(e.Pos(), "missing-version", `<scxml> has no version: add version="1.0"`)
	case a.Value != "1.0":
		p.errorf(e.Source(a).Pos, "illegal-value", `version %q of <scxml>: expected "1.0"`, abridge(a.Value))
	}
	if a := e.Attr("datamodel"); a != nil && a.Value == "" {
		p.emptyAttribute(e, a, tagScxml)
	} else if a != nil && !p.opts.Languages(a.Value) {
		p.errorf(e.Source(a).Pos, "unknown-datamodel", "unknown data model %q%s", abridge(a.Value), p.known())
	}
	root := p.newState(e, tagScxml, Scxml, nil)
	p.doc.Root = root
	p.stateContent(e, tagScxml, root)
	// REC 3.2.2: at least one child must be a <state>, <parallel> or <final>.
	if root.Initial == nil && len(p.refused) == 0 {
		p.errorf(e.Pos(), "no-state", "<scxml> has no <state>, <parallel> or <final>: a chart needs at least one")
	}
}

// newState adds a state to the document.
func (p *parser) newState(e *xmltree.Element, t tag, kind StateKind, parent *State) *State {
	s := p.stateSlab.place(State{Kind: kind, Index: len(p.doc.States), Pos: e.Pos(), Parent: parent})
	p.doc.States = append(p.doc.States, s)
	if parent == nil {
		return s
	}
	parent.Children = append(parent.Children, s)
	s.ID, s.Go = p.id(e, t), extension(e, "go")
	if s.ID == "" {
		return s
	}
	if first := p.ids[s.ID]; first != nil {
		p.errorf(e.Source(e.Attr("id")).Pos, "duplicate-id", "id %q is already taken by the <%s> at %d:%d", abridge(s.ID), first.Kind, first.Pos.Line, first.Pos.Col)
		return s
	}
	p.ids[s.ID] = s
	return s
}

// state reads a <state>, <parallel> or <final> (REC 3.3, 3.4, 3.7).
func (p *parser) state(e *xmltree.Element, t tag, parent *State) *State {
	p.attributes(e, t)
	kind := Atomic // or Compound, once there is a child
	switch t {
	case tagParallel:
		kind = Parallel
	case tagFinal:
		kind = Final
	}
	s := p.newState(e, t, kind, parent)
	p.stateContent(e, t, s)
	return s
}

// stateContent reads the children of a state.
func (p *parser) stateContent(e *xmltree.Element, t tag, s *State) {
	var initial, datamodel, donedata datamodel.Position
	around := p.current
	p.current = s
	defer func() { p.current = around }()
	for _, c := range e.Children {
		switch ct := p.child(e, c, t); ct {
		case tagState, tagParallel, tagFinal:
			if s.Kind == Atomic {
				s.Kind = Compound
			}
			p.state(c, ct, s)
		case tagHistory:
			p.history(c, s)
		case tagInitial:
			if p.alone(c, ct, t, &initial) {
				p.initial(c, s)
			}
		case tagTransition:
			if tr := p.transition(c, s); tr != nil {
				s.Transitions = append(s.Transitions, tr)
			}
		case tagOnEntry:
			s.OnEntry = append(s.OnEntry, p.block(c, ct))
		case tagOnExit:
			s.OnExit = append(s.OnExit, p.block(c, ct))
		case tagDatamodel:
			if p.alone(c, ct, t, &datamodel) {
				p.datamodel(c, s)
			}
		case tagDonedata:
			if p.alone(c, ct, t, &donedata) {
				s.Donedata = p.donedata(c)
			}
		case tagInvoke:
			s.Invokes = append(s.Invokes, p.invoke(c, s))
		case tagScript:
			p.doc.Scripts = append(p.doc.Scripts, p.script(c))
		}
	}
	p.initialState(e, t, s, initial.IsValid())
}

// initialState sets the default transition of a compound state or <scxml>.
//
// REC 3.3: "The default initial state(s) of a compound state are those specified
// by the 'initial' attribute or initial element, if either is present.
// Otherwise it is the state's first child state in document order."
func (p *parser) initialState(e *xmltree.Element, t tag, s *State, hasElement bool) {
	if a := e.Attr("initial"); a != nil && t != tagParallel && t != tagFinal {
		switch {
		case blank(a.Value):
			p.emptyAttribute(e, a, t)
		case hasElement:
			// REC 3.3.1, initial: "MUST NOT be specified in conjunction with the <initial> element."
			p.errorf(e.NamePos(a), "conflicting-initial", "%s has both an attribute \"initial\" and an <initial>", s)
			tr := &Transition{Pos: e.Source(a).Pos, Source: s, Index: -1}
			p.refer(tr, e, a, initialSet)
			p.strayTransition(tr)
			return
		case s.Kind == Atomic:
			// "MUST NOT occur in atomic states."
			if len(e.Children) == 0 || !p.refusedChild(e) {
				advice := ""
				if a.Value == "true" && s.ID != "" {
					advice = fmt.Sprintf(": to begin in it, write initial=%q on the element around it", abridge(s.ID))
				}
				p.errorf(e.NamePos(a), "illegal-initial", "%s has an attribute \"initial\", but no child states%s", s, advice)
			}
			s.Open = true
			return
		default:
			s.Initial = &Transition{Pos: e.Source(a).Pos, Source: s, Index: -1}
			p.refer(s.Initial, e, a, initialSet)
			return
		}
	}
	if s.Initial != nil || hasElement || s.Kind != Compound && s.Kind != Scxml {
		return
	}
	for _, c := range s.Children {
		if c.Kind != History {
			s.Initial = &Transition{Pos: s.Pos, Source: s, Index: -1, Targets: []*State{c}}
			return
		}
	}
}

// refusedChild reports whether a child of e may have been meant as a state.
func (p *parser) refusedChild(e *xmltree.Element) bool {
	for _, c := range e.Children {
		if id := value(c, "id"); id != "" && p.refused[id] {
			return true
		}
	}
	return false
}

// initial reads <initial>.
//
// REC 3.6.2: "this transition must not contain 'cond' or 'event' attributes, and
// must specify a non-null 'target' whose value is a valid state specification
// consisting solely of descendants of the containing state".
func (p *parser) initial(e *xmltree.Element, s *State) {
	p.attributes(e, tagInitial)
	s.Initial = p.onlyTransition(e, tagInitial, s, initialSet)
	if s.Initial == nil {
		s.Initial = &Transition{Pos: e.Pos(), Source: s, Index: -1, Open: true} // its absence is reported
	}
}

// history reads <history> (REC 3.10).
func (p *parser) history(e *xmltree.Element, parent *State) *State {
	p.attributes(e, tagHistory)
	h := p.newState(e, tagHistory, History, parent)
	h.Deep = p.choice(e, tagHistory, "type", "shallow", "deep")
	if tr := p.onlyTransition(e, tagHistory, h, historySet); tr != nil {
		h.Transitions = []*Transition{tr}
	} else {
		h.Open = true
	}
	return h
}

// onlyTransition reads the single transition of <initial> or <history>.
func (p *parser) onlyTransition(e *xmltree.Element, t tag, s *State, kind setKind) *Transition {
	var only *Transition
	var first datamodel.Position
	for _, c := range e.Children {
		if p.child(e, c, t) != tagTransition || !p.alone(c, tagTransition, t, &first) {
			continue
		}
		only = p.newTransition(c, s)
		for _, name := range []string{"event", "cond"} {
			if a := c.Attr(name); a != nil && a.Value != "" {
				p.errorf(c.NamePos(a), "illegal-default", "the <transition> of <%s> may not have the attribute %q: it is always taken", t, name)
			}
		}
		if a := c.Attr("target"); a != nil && !blank(a.Value) {
			p.refer(only, c, a, kind)
		} else {
			only.Open = true
			p.errorf(c.Pos(), "illegal-default", "the <transition> of <%s> has no target%s", t, cmp.Or(p.insteadOf(c, tagTransition, "target"), ": where does it lead?"))
		}
	}
	if !first.IsValid() {
		p.errorf(e.Pos(), "illegal-default", `%s has no <transition>: add <transition target="…"/> to say where it leads`, describe(e, t))
	}
	return only
}

// transition reads a <transition> of a state.
//
// REC 3.5.1: "A conformant SCXML document MUST specify at least one of
// 'event', 'cond' or 'target'." That is only a warning, because there are charts with such a
// transition after one that ends the loop.
func (p *parser) transition(e *xmltree.Element, s *State) *Transition {
	tr := p.newTransition(e, s)
	tr.Events = p.descriptors(e, tr)
	tr.Cond = source(e, "cond")
	tr.Internal = p.choice(e, tagTransition, "type", "external", "internal")
	hasTarget := false
	if a := e.Attr("target"); a != nil {
		if blank(a.Value) {
			p.emptyAttribute(e, a, tagTransition)
		} else {
			hasTarget = true
			p.refer(tr, e, a, targetSet)
		}
	}
	if tr.Events == nil && tr.Cond == nil && (p.insteadOf(e, tagTransition, "event")+p.insteadOf(e, tagTransition, "cond") != "" ||
		slices.ContainsFunc(e.Children, func(c *xmltree.Element) bool {
			return tagByName[c.Local] == tagUnknown && isAttribute(c, tagTransition)
		})) {
		tr.AnyEvent = true // an unknown attribute or element, which is reported, was meant as one of them
		return tr
	}
	tr.AnyEvent = tr.AnyEvent || hasSource(e)
	if tr.Events == nil && tr.Cond == nil && !hasTarget {
		p.warnf(e.Pos(), "empty-transition", "<transition> has neither event nor cond nor target: it is taken again and again while the state is active")
	}
	return tr
}

// hasSource reports whether e, a <transition>, says in an attribute where it starts. That is
// reported as an unknown attribute.
func hasSource(e *xmltree.Element) bool { return e.Attr("source") != nil || e.Attr("from") != nil }

// newTransition reads what all transitions have: attributes and content.
func (p *parser) newTransition(e *xmltree.Element, s *State) *Transition {
	p.attributes(e, tagTransition)
	tr := p.transitionSlab.place(Transition{Pos: e.Pos(), Source: s, Index: p.transitions, element: e})
	p.transitions++
	tr.Body = p.body(e, tagTransition)
	return tr
}

// String returns what messages call the state, such as `state "s1"`.
func (s *State) String() string {
	switch {
	case s.Kind == Scxml:
		return "<scxml>"
	case s.ID == "":
		return "<" + s.Kind.String() + ">"
	}
	return s.Kind.String() + ` "` + abridge(s.ID) + `"`
}

// describe returns what messages call e, an element t, such as `history "h"`.
func describe(e *xmltree.Element, t tag) string {
	if id := value(e, "id"); id != "" {
		return t.String() + ` "` + abridge(id) + `"`
	}
	return "<" + t.String() + ">"
}
