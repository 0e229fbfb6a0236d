package behavioral

import (
	"fmt"
	"math"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// sync computes what is blocked, and what can be selected: the events of the highest priority that are
// requested and not blocked, in the order of the b-threads and of their requests.
func (p *Program) sync() {
	if p.synced == len(p.table.events) {
		return
	}
	p.synced = len(p.table.events)
	clear(p.blocked)
	for _, l := range p.state {
		if l.update(&p.table); l.blocked != nil {
			p.blocked.or(l.blocked)
		}
	}
	highest := math.MinInt
	thread, fewest := -1, math.MaxInt
	p.selectable = p.selectable[:0]
	for i, l := range p.state {
		free := 0
		for _, r := range l.requests {
			if r.priority < highest {
				break // the requests are sorted
			}
			if p.blocked.has(r.event) {
				continue
			}
			if r.priority > highest {
				highest, fewest = r.priority, math.MaxInt
			}
			free++
		}
		if free > 0 && free < fewest {
			thread, fewest = i, free
		}
	}
	if thread < 0 {
		return
	}
	clear(p.seen)
	from := p.state
	if p.fewest {
		from = from[thread : thread+1]
	}
	for _, l := range from {
		for _, r := range l.requests {
			if r.priority < highest {
				break
			}
			if !p.blocked.has(r.event) && !p.seen.has(r.event) {
				p.seen.add(r.event)
				p.selectable = append(p.selectable, r)
			}
		}
	}
}

// A Request is an event that is requested now.
type Request struct {
	Event    scxml.Event
	Priority int
	By       []string // the b-threads that request it with this priority
	Blocked  []string // the b-threads that block it; none if it is free
}

// Requests returns what is requested now, blocked or not: by b-thread, and then by priority. It is an
// explanation for people, and not made for speed.
func (p *Program) Requests() []Request {
	var all []Request
	index := make(map[requested]int)
	for i, l := range p.state {
		for _, r := range l.requests {
			n, ok := index[r]
			if !ok {
				n = len(all)
				index[r] = n
				all = append(all, Request{Event: p.table.events[r.event].public(), Priority: r.priority, Blocked: p.blockers(r.event)})
			}
			all[n].By = append(all[n].By, p.threads[i].Name)
		}
	}
	return all
}

// Admits reports whether an event from outside would be taken and heard now, if nothing that is requested
// can be selected: nobody blocks it, and some b-thread requests it or waits for it.
func (p *Program) Admits(ev scxml.Event) bool {
	args, err := checkEvent(ev)
	return err == nil && p.admits(p.table.event(ev.Name, args))
}

// admits is Admits for an event of the table.
func (p *Program) admits(id eventID) bool {
	p.sync()
	return !p.blocked.has(id) && slices.ContainsFunc(p.state, func(l *local) bool { return l.reacts.has(id) })
}

// Blockers returns the names of the b-threads that block an event now. It fails if the event is not one
// that Send takes.
func (p *Program) Blockers(ev scxml.Event) ([]string, error) {
	args, err := checkEvent(ev)
	if err != nil {
		return nil, fmt.Errorf("behavioral: Blockers: %w", err)
	}
	return p.blockers(p.table.event(ev.Name, args)), nil
}

func (p *Program) blockers(id eventID) (names []string) {
	for i, l := range p.state {
		if l.update(&p.table); l.blocked.has(id) {
			names = append(names, p.threads[i].Name)
		}
	}
	return names
}

// selection says who takes part in a choice.
func (p *Program) selection(c requested) Selection {
	p.sync()
	sel := Selection{Event: p.table.events[c.event].public(), Priority: c.priority}
	for i, l := range p.state {
		switch {
		case !l.reacts.has(c.event):
		case slices.ContainsFunc(l.requests, func(r requested) bool { return r.event == c.event }):
			sel.Requested = append(sel.Requested, p.threads[i].Name)
		default:
			sel.Waited = append(sel.Waited, p.threads[i].Name)
		}
	}
	return sel
}
