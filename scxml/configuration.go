package scxml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// WithConfiguration makes the session begin in the given states, in place of the initial ones. So a row
// of an old table becomes a session, with the state of the row and, by [WithData], its data.
//
// States are given by id or name: all atomic ones, one for each region of a parallel. Their ancestors are
// added, and may be given too, as in the result of [Session.Configuration]. [New] fails unless the
// states are a legal configuration (REC 3.11), and for a top-level final state, in which a session has
// ended. The last of several WithConfiguration wins. [Restore] does not allow it.
//
// [Session.Start] initialises the data and runs the scripts of <scxml> as always. Then the states become
// active, as if they had been entered in the past:
//
//   - No onentry handler runs, nor the content of an <initial> or <history>. So delayed events that
//     these would have sent are not pending.
//   - A <final> raises no done.state event.
//   - No <history> remembers anything.
//   - With late binding, the data of these states is initialised now, and that of others when they are
//     first entered.
//   - [Session.OnState] and [Trace].Enter report the states, so that what they report of the active states
//     is complete.
//
// The first macrostep continues from there. It takes eventless transitions whose conditions hold, and at
// its end it starts the invocations of the active states (REC 3.13), as [Restore] does: a state that
// waits for its service would otherwise wait for ever.
func WithConfiguration(states ...string) Option {
	names := append([]string{}, states...)
	return option(func(c *config) { c.beginning = &beginning{names: names} })
}

// A beginning is where a session begins instead of its initial states.
type beginning struct {
	names  []string
	states table.Set // without the root; nil until New has checked the names
}

// resolve returns the beginning in a chart.
func (b *beginning) resolve(c *Chart) (*beginning, error) {
	states := table.NewSet(len(c.states))
	if len(b.names) == 0 {
		return nil, errors.New("scxml: WithConfiguration: no state is given")
	}
	for _, name := range b.names {
		st, ok := c.byName[name]
		why := ""
		switch {
		case !ok:
			meant := doc.Near(name, func(yield func(string) bool) {
				for i := 1; i < len(c.states) && yield(c.states[i].name); i++ {
				}
			})
			return nil, fmt.Errorf("scxml: WithConfiguration: %s has no state %q%s", c.file, name, didYouMean(meant))
		case st == 0:
			why = "is the <scxml> element, and not a state"
		case c.states[st].isHistory():
			why = "is a <history>, which is never active: give the states that it would remember"
		case c.states[st].kind == doc.Final && c.states[st].parent == 0:
			why = "is a top-level final state, in which a session has ended"
		}
		if why != "" {
			return nil, fmt.Errorf("scxml: WithConfiguration: %q %s", name, why)
		}
		for ; st != 0 && !states.Has(st); st = c.states[st].parent {
			states.Add(st)
		}
	}
	for st := table.State(0); st != table.None; st = states.Next(st + 1) {
		if err := c.checkBeginning(b.names, states, st); err != nil {
			return nil, fmt.Errorf("scxml: WithConfiguration: %w", err)
		}
	}
	return &beginning{states: states}, nil
}

// checkBeginning checks that the right number of children of the state st, or of the root, is in states,
// which come from names.
func (c *Chart) checkBeginning(names []string, states table.Set, st table.State) error {
	def := &c.states[st]
	switch def.kind {
	case doc.Parallel:
		for region := st + 1; region <= def.last; region = c.states[region].last + 1 {
			if !c.states[region].isHistory() && !states.Has(region) {
				return fmt.Errorf("the region %q of the parallel %q is missing: give %s", c.states[region].name, def.name, c.choice(region))
			}
		}
	case doc.Scxml, doc.Compound:
		child := states.Next(st + 1)
		if child == table.None || child > def.last {
			return fmt.Errorf("%q has states of its own: give %s", def.name, c.choice(st))
		}
		if other := states.Next(c.states[child].last + 1); other != table.None && other <= def.last {
			given := func(child table.State) string { // a name that has led to child
				return names[slices.IndexFunc(names, func(name string) bool {
					st := c.byName[name]
					return st >= child && st <= c.states[child].last
				})]
			}
			one := fmt.Sprintf("child of %q", def.name)
			if st == 0 {
				one = "top-level state"
			}
			return fmt.Errorf("%q and %q exclude each other: only one %s is active at a time", given(child), given(other), one)
		}
	}
	return nil
}

// choice says what to give so that st is active.
func (c *Chart) choice(st table.State) string {
	if c.states[st].kind != doc.Compound {
		return fmt.Sprintf("%q", c.states[st].name)
	}
	const most = 8
	var names []string
	for child := st + 1; child <= c.states[st].last; child = c.states[child].last + 1 {
		if c.states[child].isHistory() {
			continue
		}
		if len(names) == most {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprintf("%q", c.states[child].name))
	}
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

// beginIn makes states active that the session was in before. It is enterStates without what the states
// execute when they are entered.
func (s *Session) beginIn(states table.Set) {
	for st := states.Next(0); st != table.None; st = states.Next(st + 1) {
		s.config.Add(st)
		s.activate(st)
		s.notifyState(st, true)
	}
	s.findAtomic()
}
