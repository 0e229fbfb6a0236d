package behavioral

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A local is a record as one program uses it, with the numbers of its events.
type local struct {
	*record
	*offer
	reactions map[eventID]reaction // nil before the first
}

// An offer is a bidSet as one program uses it.
type offer struct {
	requests []requested // the highest priority first
	waits    []*pattern
	blocks   []*pattern
	hot      bool
	prune    bool

	// Derived from these, for the first upto events of the table.
	reacts  bits // requested or waited for
	blocked bits
	upto    int
}

// requested is an event that a b-thread requests.
type requested struct {
	event    eventID
	priority int
}

// A reaction is what a b-thread does when an event is selected. It is a function of the state and the
// event, so that the session need not run again.
type reaction struct {
	to  *local
	did *deeds // nil if it did nothing else
}

// deeds are what a session did besides changing its state.
type deeds struct {
	sent     []Message
	logged   []Log
	failures []string
	errors   []*scxml.ExecutionError
}

// offer returns the offer of a bidSet.
func (p *Program) offer(set *bidSet) *offer {
	o, ok := p.offers[set]
	if ok {
		return o
	}
	o = new(offer)
	p.offers[set] = o
	for i := range set.list {
		b := &set.list[i]
		switch b.kind {
		case request:
			o.requests = append(o.requests, requested{p.table.event(b.event, b.args), b.priority})
		case wait:
			o.waits = append(o.waits, p.table.pattern(b))
		case block:
			o.blocks = append(o.blocks, p.table.pattern(b))
		case hot:
			o.hot = true
		case prune:
			o.prune = true
		}
	}
	slices.SortStableFunc(o.requests, func(a, b requested) int { return b.priority - a.priority })
	for _, r := range o.requests {
		o.reacts.add(r.event)
	}
	return o
}

// update extends the sets to all events of the table.
func (o *offer) update(t *table) {
	if o.upto == len(t.events) {
		return
	}
	for _, p := range o.waits {
		o.reacts.or(t.matching(p))
	}
	for _, p := range o.blocks {
		o.blocked.or(t.matching(p))
	}
	o.upto = len(t.events)
}

// local returns a record of a b-thread with the numbers of this program.
func (p *Program) local(thread int, rec *record) *local {
	for rec.number >= len(p.locals[thread]) {
		p.locals[thread] = append(p.locals[thread], nil)
	}
	l := p.locals[thread][rec.number]
	if l == nil {
		l = &local{record: rec, offer: p.offer(rec.bids)}
		p.locals[thread][rec.number] = l
	}
	return l
}

// maxRecords and maxEvents are how many states of b-threads and events a program without forks remembers.
const maxRecords, maxEvents = 1 << 17, 1 << 14

// forget drops what the program remembers, except for its present state, if that is too much: b-threads may
// come to ever new states, and people may send ever new events. A fork may have saved a state that refers
// to what is remembered.
func (p *Program) forget() {
	if p.records.size < maxRecords && len(p.table.events) < maxEvents || p.forks.Load() > 1 {
		return
	}
	old := p.table.events
	p.table, p.records, p.offers, p.synced = newTable(), newRecords(len(p.threads)), make(map[*bidSet]*offer), -1
	p.locals, p.initial = make([][]*local, len(p.threads)), nil
	for i, id := range p.queue {
		p.queue[i] = p.table.event(old[id].name, old[id].args)
	}
	for i, l := range p.state {
		rec := *l.record
		again, _ := p.records.enter(i, []byte(rec.key), func() (*record, error) { return &rec, nil })
		p.state[i] = p.local(i, again)
	}
}

// pick returns what Step selects.
func (p *Program) pick() (requested, bool) {
	if p.Pruned() {
		return requested{}, false
	}
	p.sync()
	if n := len(p.selectable); n > 0 {
		i := 0
		if p.random != nil {
			i = p.random.IntN(n)
		}
		return p.selectable[i], true
	}
	for i, id := range p.queue {
		if !p.blocked.has(id) {
			p.queue = slices.Delete(p.queue, i, i+1)
			return requested{event: id}, true
		}
	}
	return requested{}, false
}
