package scxml

import (
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A row is the part of a state that the algorithm reads all the time. Two rows share a cache line;
// the rest is in a state.
type row struct {
	parent, last table.State
	// reacts has the bit d%64 for each event descriptor d of a transition of the state or of an
	// ancestor. So a search for a transition ends here if there is none further up.
	reacts     uint64
	first, end int32 // its candidates in Chart.candidates
	flags      rowFlags
}

type rowFlags uint8

const (
	rowAtomic    rowFlags = 1 << iota
	rowEventless          // the state or an ancestor has an eventless transition
	rowIndexed            // its many candidates are looked up in Chart.indexed
	rowEnter              // entering it does more than making it active
	rowExit               // exiting it does more than making it inactive
	rowRemember           // a child is a history, or it invokes something
)

func (r *row) is(f rowFlags) bool { return r.flags&f != 0 }

// A candidate is a transition on an event that desc matches.
type candidate struct {
	desc table.Descriptor
	id   transID
}

// indexFrom is the number of candidates of a state from which on they are looked up in a map.
const indexFrom = 32

// indexKey is a descriptor in a state whose candidates are looked up in a map.
type indexKey struct {
	state table.State
	desc  table.Descriptor
}

// makeRows makes the rows after everything else is compiled.
func (c *Chart) makeRows() {
	c.rows = make([]row, len(c.states))
	c.atomic = table.NewSet(len(c.states))
	c.candidates = make([]candidate, 0, len(c.transitions))
	for i := range c.states {
		st, r := &c.states[i], &c.rows[i]
		r.parent, r.last = st.parent, st.last
		if st.parent != table.None {
			above := &c.rows[st.parent]
			r.reacts, r.flags = above.reacts, above.flags&rowEventless
		}
		r.first = int32(len(c.candidates))
		for _, id := range st.evented {
			for _, d := range c.transitions[id].descs {
				c.candidates = append(c.candidates, candidate{d, id})
				r.reacts |= d.Bit()
			}
		}
		r.end = int32(len(c.candidates))
		set := func(f rowFlags, when bool) {
			if when {
				r.flags |= f
			}
		}
		set(rowAtomic, st.atomic())
		if st.atomic() {
			c.atomic.Add(table.State(i))
		}
		set(rowEventless, len(st.eventless) > 0)
		set(rowEnter, len(st.onentry) > 0 || len(st.invokes) > 0 || c.late && len(st.data) > 0 || st.kind == doc.Final)
		set(rowExit, len(st.onexit) > 0)
		set(rowRemember, len(st.histories) > 0 || len(st.invokes) > 0)
		c.hasInvokes = c.hasInvokes || len(st.invokes) > 0
		for _, inv := range st.invokes {
			c.autoforwards = c.autoforwards || inv.autoforward
		}
		if r.end-r.first >= indexFrom {
			r.flags |= rowIndexed
			if c.indexed == nil {
				c.indexed = make(map[indexKey][]transID)
			}
			for _, cand := range c.candidates[r.first:r.end] {
				at := indexKey{table.State(i), cand.desc}
				c.indexed[at] = append(c.indexed[at], cand.id)
			}
		}
	}
	c.plans = &plans{room: planRoom, places: make(map[string]*place)}
	c.makeEntries()
	// How many of the states before each one are marked rowRemember.
	before := make([]int32, len(c.rows)+1)
	for i := range c.rows {
		before[i+1] = before[i]
		if c.rows[i].is(rowRemember) {
			before[i+1]++
		}
	}
	for i := range c.transitions {
		t := &c.transitions[i]
		t.plain = t.static && (t.domain == table.None || before[t.domain+1] == before[c.rows[t.domain].last+1])
	}
}
