package ecmascript

import (
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A reach is what code can get hold of. Before a store runs the code it defines
// the system variables and puts up the guards, so the code of most charts pays for
// none.
type reach struct {
	facts  syntax.Facts
	system systemSet
	guards guard.Needs
}

// computedReach is what code can get hold of by computed names.
var computedReach = reach{facts: syntax.Computes, guards: guard.Computed}

// name notes that a name occurs, of which the value is called at once or not.
func (r *reach) name(word string, called bool) {
	r.system |= systemWords[word]
	r.guards.Name(word, called)
}

// add notes what else code can do.
func (r *reach) add(facts syntax.Facts) {
	r.facts |= facts
	r.guards.Add(facts)
}

// admit makes ready what code has in reach that is to run.
func (st *store) admit(r *reach) {
	if st.env.Facts |= r.facts; st.env.Facts&syntax.SeesGlobal != 0 {
		if st.env.Facts&syntax.Computes != 0 { // together it can get hold of everything
			st.AdmitAll()
			return
		}
		st.define(systemAll)
	}
	st.define(r.system)
	st.guards.Raise(&r.guards)
}

// AdmitAll is for code that nobody has looked at.
func (st *store) AdmitAll() {
	st.env.Facts = syntax.AllFacts
	st.define(systemAll)
	st.guards.Raise(&guard.All)
}
