package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Reason is something that a search left out by itself, so that it cannot say [Holds].
type Reason struct {
	Name  string             // one of Reasons
	Event string             // of "names" and "data": the event that came
	Text  string             // what was not tried
	Pos   datamodel.Position // where the chart depends on it; not valid for what it has not to do with a place
}

// String returns the place and the text: "dice.scxml:4:12: other random numbers".
func (r Reason) String() string {
	if r.Pos.IsValid() {
		return r.Pos.String() + ": " + r.Text
	}
	return r.Text
}

// Reasons are the names of what a search may leave out, see [Options].Assume.
var Reasons = []string{"bits", "chance", "clock", "data", "datamodel", "delivery", "functions", "ids", "names", "order", "services", "view"}

// texts say what was not tried, by what was looked at.
var texts = map[datamodel.Look]Reason{
	datamodel.LookChance:  {Name: "chance", Text: "other random numbers than those of one seed"},
	datamodel.LookClock:   {Name: "clock", Text: "other times than that at which the clock stands still"},
	datamodel.LookHost:    {Name: "functions", Text: "other results of functions of the host"},
	datamodel.LookSession: {Name: "ids", Text: "other ids of sessions"},
	scxml.LookDelivery:    {Name: "delivery", Text: "other answers to a message that leaves the chart"},
	scxml.LookService:     {Name: "services", Text: "what the service does"},
	scxml.LookOrder:       {Name: "order", Text: "other orders in which sessions that have work at the same time take turns"},
	scxml.LookUnknown:     {Name: "datamodel", Text: "what the data model does not tell it"},
}

// A caveats is what a system has left out since it was asked last.
type caveats struct {
	reasons []Reason
	event   bool // a property has looked at the event
}

func (c *caveats) add(r Reason) {
	if !slices.Contains(c.reasons, r) {
		c.reasons = append(c.reasons, r)
	}
}

// A LibraryError says that a search is not possible, since code changes a built-in object or function, or has
// made code of text that may.
type LibraryError struct{ Pos datamodel.Position }

// Error returns the place and what to do.
func (e *LibraryError) Error() string {
	return e.Pos.String() + ": this code may change an object or function of the language, which is not a part of a state: a search needs values that change in <data>"
}

// note notes what the session has looked at since the last call: at an input, or, if property is set, in an
// expression of the search.
func (s *Session) note(in Input, property bool) {
	for _, g := range scxml.ForSearch(s.Session).Looks() {
		switch g.What {
		case datamodel.LookID: // a part of the keys
		case datamodel.LookLibrary:
			s.refused = cmp.Or(s.refused, error(&LibraryError{g.Pos}))
		case datamodel.LookEvent:
			if property {
				s.caveats.event = true
				if s.opts.Names == nil {
					s.caveats.add(Reason{Name: "names", Text: "other events, which an expression of the search could tell apart"})
				}
			}
		case datamodel.LookName:
			if s.opts.Names == nil {
				s.caveats.add(Reason{Name: "names", Event: in.Event, Pos: g.Pos, Text: fmt.Sprintf("other names of an event that matches as %q does", in.Event)})
			}
		case datamodel.LookData:
			if s.data[in.Event] == nil {
				s.caveats.add(Reason{Name: "data", Event: in.Event, Pos: g.Pos, Text: fmt.Sprintf("data of the event %q, which came without", in.Event)})
			}
		case datamodel.LookPast:
			if s.opts.Names == nil || slices.ContainsFunc(s.opts.Names, func(name string) bool { return s.data[name] == nil }) {
				s.caveats.add(Reason{Name: "names", Pos: g.Pos, Text: "other names and data of an event that was kept"})
			}
		default:
			r := texts[g.What]
			r.Pos = g.Pos
			s.caveats.add(r)
		}
	}
}

// LeftOut returns what the session has left out since the last call, and whether Eval has looked at the
// present event since then.
func (s *Session) LeftOut() (reasons []Reason, event bool) {
	reasons, event = s.caveats.reasons, s.caveats.event
	s.caveats.reasons, s.caveats.event = nil, false
	return reasons, event
}

// KeepIDs makes generated ids a part of the keys of a session that has not started. KeepsIDs reports
// whether they are, or something has looked at one.
func (s *Session) KeepIDs() { scxml.ForSearch(s.Session).Watch(true) }

// KeepsIDs is described at KeepIDs.
func (s *Session) KeepsIDs() bool { return scxml.ForSearch(s.Session).KeepsIDs() }

// A watchedSystem tells what it leaves out, and what its keys have.
type watchedSystem interface {
	LeftOut() (reasons []Reason, event bool)
	KeepIDs()
	KeepsIDs() bool
}

// leftOut collects what the system has left out, and reports whether an expression has looked at the event.
func (w *worker) leftOut() bool {
	if w.watched == nil {
		return false
	}
	reasons, event := w.watched.LeftOut()
	for _, r := range reasons {
		if w.reasons == nil {
			w.reasons = map[Reason]bool{}
		}
		w.reasons[r] = true
	}
	return event
}

// leftOut enters into the report what the search has left out, and what it was told to assume.
func (s *search) leftOut() {
	all := map[Reason]bool{}
	for _, w := range s.workers {
		if s.lost {
			break
		}
		for r := range w.reasons {
			all[r] = true
		}
	}
	if s.opts.View != nil {
		all[Reason{Name: "view", Text: "states that differ only in data that the view leaves out: this is not a proof"}] = true
	}
	if s.opts.Bits > 0 {
		all[Reason{Name: "bits", Text: "states that were taken for others"}] = true
	}
	for r := range all {
		if slices.Contains(s.opts.Assume, r.Name) {
			s.report.Assumed = append(s.report.Assumed, r)
		} else {
			s.report.LeftOut = append(s.report.LeftOut, r)
		}
	}
	for _, list := range [][]Reason{s.report.LeftOut, s.report.Assumed} {
		slices.SortFunc(list, func(a, b Reason) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), strings.Compare(a.Text, b.Text))
		})
	}
}
