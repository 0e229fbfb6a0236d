package doc

import "github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"

// Elements in the wrong place are refused, but read if possible: an author wants to see all
// mistakes at once, and none that is only a consequence of another.

// stray reads e, an element t in the wrong place, as if it were a child of the nearest state around
// it.
func (p *parser) stray(e *xmltree.Element, t tag) {
	s := p.current
	switch t {
	case tagState, tagParallel, tagFinal:
		p.state(e, t, s).Stray = true
	case tagHistory:
		p.history(e, s).Stray = true
	case tagTransition:
		p.strayTransition(p.transition(e, s))
	case tagInitial:
		initial := s.Initial
		p.initial(e, s)
		p.strayTransition(s.Initial)
		s.Initial = initial
	case tagDatamodel:
		p.datamodel(e, s)
	case tagData:
		s.Data = append(s.Data, p.dataItem(e, s))
	case tagInvoke:
		s.Invokes = append(s.Invokes, p.invoke(e, s))
	case tagOnEntry, tagOnExit:
		s.OnEntry = append(s.OnEntry, p.block(e, t))
	case tagFinalize:
		s.OnEntry = append(s.OnEntry, p.finalize(e))
	case tagDonedata:
		if d := p.donedata(e); s.Donedata == nil {
			s.Donedata = d
		}
	case tagContent:
		p.strayAction(&Send{execPos: execPos{e.Pos()}, Content: p.content(e)})
	case tagParam:
		p.strayAction(&Send{execPos: execPos{e.Pos()}, Params: []*Param{p.param(e)}})
	case tagElseIf, tagElse:
		p.attributes(e, t)
		p.strayAction(&If{execPos{e.Pos()}, []Branch{{Pos: e.Pos(), Cond: source(e, "cond")}}})
	case tagScxml:
		p.passOver(e)
	default:
		if x := p.action(e, t); x != nil {
			p.strayAction(x)
		}
	}
}

func (p *parser) strayAction(x Exec) {
	p.current.OnEntry = append(p.current.OnEntry, &Block{Pos: x.Position(), Body: []Exec{x}})
}

func (p *parser) strayTransition(tr *Transition) {
	tr.Stray = true
	p.current.Transitions = append(p.current.Transitions, tr)
}

// passOver skips e, which cannot be read. If e may have been meant to hold states or transitions,
// the state around it is marked as open.
func (p *parser) passOver(e *xmltree.Element) {
	if len(e.Attrs)+len(e.Children) > 0 || e.HasText() {
		p.current.Open = true
	}
	p.refuse(e)
}

// refuse records the ids in an element that was refused, so that references to them are not
// reported.
func (p *parser) refuse(e *xmltree.Element) {
	if id := value(e, "id"); id != "" {
		p.refused[id] = true
	}
	for _, c := range e.Children {
		p.refuse(c)
	}
}
