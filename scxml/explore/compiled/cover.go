package compiled

import (
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// A Deed is what an input has done for the first time, see Cover of [search.Task].
type Deed struct {
	Kind       search.Kind
	State      scxml.State      // of Entered
	Transition scxml.Transition // of the others
	Before     scxml.Transition // of Followed: the one that was taken before it
}

// Cover is [New] for a search that reports deeds of some kinds as the violations that a function makes of them, to which
// the report adds their paths. Package explore must not know their kinds.
func Cover(chart *scxml.Chart, opts explore.Options, violation func(d Deed) explore.Violation, kinds ...search.Kind) (*Search, error) {
	s, err := New(chart, opts)
	if err == nil {
		s.Task.Cover, s.violation = kinds, violation
	}
	return s, err
}

func (s *Search) deed(f search.Finding) Deed {
	switch f.Kind {
	case search.Entered:
		return Deed{Kind: f.Kind, State: s.chart.States()[f.Number]}
	case search.Followed:
		before, transition := search.Pair(f.Number)
		return Deed{Kind: f.Kind, Before: s.transitions[before], Transition: s.transitions[transition]}
	}
	return Deed{Kind: f.Kind, Transition: s.transitions[f.Number]}
}
