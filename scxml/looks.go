package scxml

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// What a session itself looks at outside of the tree, besides what its code does.
const (
	LookDelivery datamodel.Look = 1 << (15 - iota) // whether a message that leaves the session tree arrives
	LookService                                    // what a service does that nothing runs
	LookOrder                                      // which of several sessions with work takes its turn first
	LookUnknown                                    // anything: the data model does not tell, see [datamodel.Looker]
)

// seesIDs is what makes generated ids a part of the keys.
const seesIDs = datamodel.LookID | datamodel.LookSession | datamodel.LookHost | LookUnknown

// A Sighting is where a session, or one that it has invoked, has looked at something besides its data
// and its states.
type Sighting struct {
	What datamodel.Look // one of those of package datamodel, or of this one
	Pos  datamodel.Position
}

// Watch makes the session note what it and those that it invokes look at, see [SearchView.Looks].
// [SearchView.AppendKey] then leaves out the source of random numbers, and generated ids until
// something looks at one, unless keepIDs is set. A search in which [SearchView.KeepsIDs] becomes
// true has to begin again with keepIDs: the keys so far may be equal for states that differ. Call
// Watch before Start. Only the owner may call it.
func (v SearchView) Watch(keepIDs bool) {
	t := v.s.tree
	config := *t.config
	config.watch = &watch{ids: keepIDs}
	t.config = &config
}

// KeepsIDs reports whether keys have generated ids. Only the owner may call it.
func (v SearchView) KeepsIDs() bool { return v.s.tree.keepsIDs() }

func (t *tree) keepsIDs() bool { return t.watch == nil || t.watch.ids }

// Looks returns what was looked at since the last call: of each kind the first place. The result is
// valid until the session continues. Only the owner may call it.
func (v SearchView) Looks() []Sighting {
	w := v.s.tree.watch
	if w == nil || len(w.seen) == 0 {
		return nil
	}
	w.last, w.seen = w.seen, w.last[:0]
	return w.last
}

// A watch is what a tree notes for a search.
type watch struct {
	ids        bool // keys have ids
	seen, last []Sighting
}

// looked notes that the session has looked at something, if somebody wants to know.
func (s *Session) looked(what datamodel.Look, pos datamodel.Position) {
	w := s.tree.watch
	if w == nil {
		return
	}
	w.ids = w.ids || what&seesIDs != 0
	for one := datamodel.Look(1); what != 0; one <<= 1 {
		if what&one == 0 {
			continue
		}
		what &^= one
		if !slices.ContainsFunc(w.seen, func(old Sighting) bool { return old.What == one }) {
			w.seen = append(w.seen, Sighting{one, pos})
		}
	}
}

// lookedFor notes that a message was sent to a target that is not a session of the tree by its address.
func (s *Session) lookedFor(target string, pos datamodel.Position) {
	if strings.HasPrefix(target, scxmlAddress) {
		s.looked(LookDelivery, pos)
	} else if id, ok := strings.CutPrefix(target, "#_"); ok && !s.chart.invokesAs(id) {
		s.looked(datamodel.LookID, pos) // it may be a generated one
	}
}

// lookedEnd notes that an invocation with a generated id has ended, if a transition can tell which.
func (s *Session) lookedEnd(id string) {
	if s.tree.watch == nil || s.chart.invokesAs(id) {
		return
	}
	for i := range s.chart.transitions {
		for _, d := range s.chart.transitions[i].events {
			if strings.HasPrefix(d, doneInvoke) && !s.chart.invokesAs(d[len(doneInvoke):]) && len(d) > len(doneInvoke)+1 {
				s.looked(datamodel.LookID, s.chart.transitions[i].pos)
			}
		}
	}
}

// doneInvoke is how the name of the event of an invocation that has ended begins.
const doneInvoke = "done.invoke."

// A watched is the store of a session in a tree with a watch.
type watched struct {
	datamodel.Store
	s *Session
}

// watchedStore returns the store, with notes of what is evaluated in it.
func (s *Session) watchedStore() datamodel.Store {
	s.needScratch()
	if s.scratch.watched == nil {
		s.scratch.watched = &watched{s: s}
	}
	s.scratch.watched.Store = s.store
	return s.scratch.watched
}

// note notes what the evaluation of an expression has looked at.
func (w *watched) note(e datamodel.Expr) {
	looks := LookUnknown
	if l, ok := w.Store.(datamodel.Looker); ok {
		looks = l.Looks()
	}
	if looks != 0 {
		w.s.looked(looks, e.Source().Position(0))
	}
}

func (w *watched) Init(id string, value datamodel.Expr) error {
	defer w.note(value)
	return w.Store.Init(id, value)
}

func (w *watched) Condition(cond datamodel.Expr) (bool, error) {
	defer w.note(cond)
	return w.Store.Condition(cond)
}

func (w *watched) Value(e datamodel.Expr) (datamodel.Value, error) {
	defer w.note(e)
	return w.Store.Value(e)
}

func (w *watched) Assign(location, value datamodel.Expr) error {
	defer w.note(value)
	return w.Store.Assign(location, value)
}

func (w *watched) AssignValue(location datamodel.Expr, v datamodel.Value) error {
	defer w.note(location)
	return w.Store.AssignValue(location, v)
}

func (w *watched) Run(script datamodel.Expr) error {
	defer w.note(script)
	return w.Store.Run(script)
}

func (w *watched) Foreach(array datamodel.Expr, item, index string, body func() bool) error {
	defer w.note(array)
	return w.Store.Foreach(array, item, index, body)
}
