package cover

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Profile counts what sessions do. The zero Profile is empty. All methods may be called from any
// goroutine at any time.
type Profile struct {
	mu        sync.Mutex
	runs      int // how many times something was added to its file
	documents map[document]map[place]*Element
	charts    map[*scxml.Chart]map[any]*Element // by scxml.State and scxml.Transition
}

// document identifies a document.
type document struct{ file, source string }

// place identifies an element of a document. The texts tell elements apart that have no position,
// because they were computed.
type place struct {
	line, col  int
	name, cond string
}

// A Document has the counts of one document.
type Document struct {
	File     string    `json:"file"`
	Source   string    `json:"source"`   // "" if the document was computed
	Elements []Element `json:"elements"` // in document order
}

// An Element has the counts of a <state>, <parallel>, <final>, or of a <transition> that is not one
// of <initial> and <history>.
type Element struct {
	Line  int    `json:"line"`
	Col   int    `json:"col"`
	Name  string `json:"name"`            // such as: state "open", or: transition "push" of "closed"
	State bool   `json:"state,omitempty"` // it is not a transition
	Count int    `json:"count"`           // how often the state was entered, or the transition taken
	Cond  string `json:"cond,omitempty"`
	True  int    `json:"true,omitempty"`  // how often Cond was true
	False int    `json:"false,omitempty"` // and how often it was false, or failed
}

// Trace returns a trace that counts what a session and those that it invokes do. Any number of
// sessions may share it.
func (p *Profile) Trace() *scxml.Trace {
	return &scxml.Trace{
		Enter:      func(s *scxml.Session, st scxml.State) { p.count(s, st, 1, 0, 0) },
		Transition: func(s *scxml.Session, t scxml.Transition) { p.count(s, t, 1, 0, 0) },
		Cond: func(s *scxml.Session, t scxml.Transition, ok bool, _ error) {
			if ok {
				p.count(s, t, 0, 1, 0)
			} else {
				p.count(s, t, 0, 0, 1)
			}
		},
	}
}

// count adds to the counts of a state or transition.
func (p *Profile) count(s *scxml.Session, of any, times, yes, no int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	elements := p.charts[s.Chart()]
	if elements == nil {
		elements = p.chart(s.Chart())
	}
	if e := elements[of]; e != nil { // not the root
		e.Count, e.True, e.False = e.Count+times, e.True+yes, e.False+no
	}
}

// chart begins to count for a chart. The caller holds mu.
func (p *Profile) chart(chart *scxml.Chart) map[any]*Element {
	in := p.document(document{chart.File(), chart.Source()})
	elements := make(map[any]*Element)
	for _, st := range chart.States() {
		if kind := st.Kind(); kind != scxml.KindScxml && kind != scxml.KindHistory {
			elements[st] = add(in, Element{Line: st.Pos().Line, Col: st.Pos().Col, Name: "state " + quote(st.Name()), State: true})
		}
	}
	for _, t := range chart.Transitions() {
		name := "transition " + quote(strings.Join(t.Events(), " "))
		if len(t.Events()) == 0 {
			name = "eventless transition"
		}
		elements[t] = add(in, Element{Line: t.Pos().Line, Col: t.Pos().Col, Name: name + " of " + quote(t.Source().Name()), Cond: t.Cond()})
	}
	if p.charts == nil {
		p.charts = make(map[*scxml.Chart]map[any]*Element)
	}
	p.charts[chart] = elements
	return elements
}

// document returns the elements of a document. The caller holds mu.
func (p *Profile) document(d document) map[place]*Element {
	if p.documents == nil {
		p.documents = make(map[document]map[place]*Element)
	}
	if p.documents[d] == nil {
		p.documents[d] = make(map[place]*Element)
	}
	return p.documents[d]
}

// add adds the counts of an element to those of its place, and returns the sum.
func add(in map[place]*Element, e Element) *Element {
	at := place{e.Line, e.Col, e.Name, e.Cond}
	sum := in[at]
	if sum == nil {
		in[at] = &e
		return &e
	}
	sum.Count, sum.True, sum.False = sum.Count+e.Count, sum.True+e.True, sum.False+e.False
	return sum
}

// add adds documents that were counted elsewhere.
func (p *Profile) add(documents []Document) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range documents {
		in := p.document(document{d.File, d.Source})
		for _, e := range d.Elements {
			add(in, e)
		}
	}
}

// Documents returns a copy of the counts, sorted by file name.
func (p *Profile) Documents() []Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Document
	for key, elements := range p.documents {
		d := Document{File: key.file, Source: key.source}
		for _, e := range elements {
			d.Elements = append(d.Elements, *e)
		}
		slices.SortFunc(d.Elements, func(a, b Element) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), strings.Compare(a.Name, b.Name), strings.Compare(a.Cond, b.Cond))
		})
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b Document) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Source, b.Source))
	})
	return all
}

// missing says what did not happen to an element.
func (e *Element) missing() (all []string) {
	switch {
	case e.Count == 0 && e.State:
		all = append(all, e.Name+" was never entered")
	case e.Count == 0:
		all = append(all, e.Name+" was never taken")
	}
	condition := "condition " + quote(e.Cond) + " was never "
	switch {
	case e.Cond == "" || e.True > 0 && e.False > 0:
	case e.True > 0:
		all = append(all, condition+"false")
	case e.False > 0:
		all = append(all, condition+"true")
	default:
		all = append(all, condition+"evaluated")
	}
	return all
}
