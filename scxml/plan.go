package scxml

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// What a microstep exits and enters depends on the active atomic states, on the transitions that it takes
// and on what histories remember. If no condition is asked, the transitions depend on the active atomic
// states and the event alone. So what the functions of Appendix D find the first time is kept with the
// chart, for all its sessions, as RE2 keeps the states of its lazy automaton.
//
// A session without a scratch has small microsteps, which cost no more than finding a plan.

// planRoom is about how many bytes the plans of a chart may take. What does not fit is worked out each time.
const planRoom = 1 << 20

// plans are the places of a chart that sessions have been at.
type plans struct {
	mu     sync.Mutex
	places map[string]*place // by their key
	room   int               // bytes left
}

// A place is a configuration. What it leads to is found by few comparisons, or not at all.
type place struct {
	atomic []table.State
	config table.Set
	known  atomic.Pointer[knowledge] // replaced and never changed
}

// knowledge is what is known of a place.
type knowledge struct {
	byEvent []planned // where no condition is asked
	plans   []*plan   // those that take a transition
}

type planned struct {
	event string // "" for none
	plan  *plan
}

const (
	mostPlans = 16  // that are compared at a place
	longName  = 256 // bytes from which on an event name is not kept
)

// A plan is what a microstep does. It is immutable.
type plan struct {
	enabled  []transID
	dynamic  bool            // what is entered was not known when the chart was compiled
	history  [][]table.State // what the histories have to remember then
	recorded []recorded
	exiting  []table.State
	left     table.Set // the configuration after the exits
	entering []entry
	to       *place
	// What is to be done besides changing the configuration.
	exits, runs, enters bool
	// For the effect of Do.
	took            []Transition
	exited, entered []State
}

// recorded is what a history remembers from this microstep on.
type recorded struct {
	history int
	value   []table.State
}

// nothing is the plan for an event that enables no transition.
var nothing = new(plan)

// recall fills s.enabled by a plan, and reports whether there is one.
func (s *Session) recall(event string) bool {
	s.next, s.asked = nil, false
	p := s.findPlace()
	if p == nil {
		return false
	}
	for _, one := range p.known.Load().byEvent {
		if one.event == event && s.fits(one.plan) {
			s.enabled = append(s.enabled, one.plan.enabled...)
			s.next = one.plan
			return true
		}
	}
	return false
}

// fits reports whether the histories remember what the plan was made for.
func (s *Session) fits(p *plan) bool {
	return !p.dynamic || slices.EqualFunc(p.history, s.history, slices.Equal[[]table.State])
}

// findPlace returns where the session is, or nil if that is not known or does not help. It looks for it only
// after some microsteps without: a session that has just been restored often makes one or two.
func (s *Session) findPlace() *place {
	if s.at == nil {
		if s.strayed++; s.strayed > 2 {
			if s.at = s.chart.placeOf(s.atomic, s.config, false); s.at == nil {
				s.strayed = -100
			}
		}
	}
	return s.at
}

// plan returns the plan for the transitions in s.enabled, or nil. event is what they were selected for.
func (s *Session) plan(event string) *plan {
	if s.next != nil {
		return s.next
	}
	from := s.at
	if from == nil {
		return nil
	}
	known := from.known.Load()
	for _, p := range known.plans {
		if slices.Equal(p.enabled, s.enabled) && s.fits(p) {
			s.learn(from, event, p)
			return p
		}
	}
	if len(known.plans) >= mostPlans {
		return nil
	}
	p := s.makePlan()
	if p != nil {
		s.learn(from, event, p)
	}
	return p
}

// learn notes a plan, which may be nothing, at a place.
func (s *Session) learn(at *place, event string, p *plan) {
	c := s.chart.plans
	byEvent := !s.asked && len(at.known.Load().byEvent) < mostPlans && len(event) <= longName && c.hasRoom()
	if !byEvent && (p == nothing || slices.Contains(at.known.Load().plans, p)) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := at.known.Load()
	known := *old
	if p != nothing && !slices.Contains(known.plans, p) {
		known.plans = append(slices.Clip(known.plans), p)
	}
	one := planned{strings.Clone(event), p} // event may be a part of a long text
	if byEvent && !slices.Contains(known.byEvent, one) {
		known.byEvent = append(slices.Clip(known.byEvent), one)
		c.room -= 64 + len(event)
	}
	at.known.Store(&known)
}

// placeOf returns the place with the given active states. It makes one if there is room, or if it must.
func (c *Chart) placeOf(atomic []table.State, config table.Set, must bool) *place {
	var buf [64]byte
	key := buf[:0]
	for _, st := range atomic {
		key = binary.LittleEndian.AppendUint32(key, uint32(st))
	}
	c.plans.mu.Lock()
	defer c.plans.mu.Unlock()
	p := c.plans.places[string(key)]
	if p == nil && (c.plans.room > 0 || must) {
		c.plans.room -= 300 + 3*len(key) + 8*len(config)
		p = &place{atomic: slices.Clone(atomic), config: slices.Clone(config)}
		p.known.Store(new(knowledge))
		c.plans.places[string(key)] = p
	}
	return p
}

// makePlan makes a plan for the transitions in s.enabled, or returns nil if it has no room or would not be
// the whole truth: an invocation would be cancelled, or too many histories would matter.
func (s *Session) makePlan() *plan {
	c := s.chart
	s.findDomains()
	s.computeExitSet()
	p := &plan{enabled: slices.Clone(s.enabled), exiting: slices.Clone(s.exiting), left: slices.Clone(s.config)}
	for _, id := range p.enabled {
		t := &c.transitions[id]
		p.took = append(p.took, Transition{c, id})
		p.runs = p.runs || len(t.body) > 0
		p.dynamic = p.dynamic || !t.static
	}
	invokes := false
	for _, st := range p.exiting {
		p.left.Remove(st)
		p.exited = append(p.exited, State{c, st})
		p.exits = p.exits || c.rows[st].is(rowExit)
		invokes = invokes || len(c.states[st].invokes) > 0
	}
	const fewHistories = 8
	if invokes || p.dynamic && len(s.history) > fewHistories || !c.plans.hasRoom() {
		return nil
	}
	if p.dynamic {
		for _, value := range s.history {
			p.history = append(p.history, slices.Clone(value))
		}
	}
	// From here on the plan has to be made: what is entered may depend on what is recorded.
	for _, st := range p.exiting {
		for _, h := range c.states[st].histories {
			s.recordHistory(h, st)
			at := c.states[h].history
			p.recorded = append(p.recorded, recorded{at, slices.Clone(s.history[at])})
		}
	}
	active := s.config
	s.config = p.left
	p.entering = slices.Clone(s.statesToEnter())
	s.config = active
	config := slices.Clone(p.left)
	for _, e := range p.entering {
		config.Add(e.state)
		p.entered = append(p.entered, State{c, e.state})
		p.enters = p.enters || e.initial != noTransition || e.history != noTransition || c.rows[e.state].is(rowEnter)
	}
	p.to = c.placeOf(config.AppendShared(nil, c.atomic), config, true)
	c.plans.spend(p.size())
	return p
}

// size returns about how many bytes the plan takes.
func (p *plan) size() int {
	n := 400 + 24*len(p.enabled) + 20*len(p.exiting) + 28*len(p.entering) + 8*len(p.left)
	for _, r := range p.recorded {
		n += 32 + 4*len(r.value)
	}
	for _, value := range p.history {
		n += 24 + 4*len(value)
	}
	return n
}

func (c *plans) hasRoom() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.room > 0
}

func (c *plans) spend(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room -= n
}

// follow is the rest of a microstep that is planned.
func (s *Session) follow(p *plan) {
	s.next, s.at = nil, nil
	effect, watched := s.effect(), s.watched()
	for _, r := range p.recorded {
		s.history[r.history] = append(s.history[r.history][:0], r.value...)
	}
	if p.exits || watched {
		for _, st := range p.exiting {
			s.exit(st)
		}
	} else {
		copy(s.config, p.left)
		if effect != nil {
			effect.Exited = append(effect.Exited, p.exited...)
		}
	}
	if p.runs || watched {
		s.executeTransitionContent()
	} else if effect != nil {
		effect.Transitions = append(effect.Transitions, p.took...)
	}
	s.atomic = append(s.atomic[:0], p.to.atomic...)
	if p.dynamic {
		s.entering = append(s.entering[:0], p.entering...) // see noteCycle
	}
	if p.enters || watched {
		for _, e := range p.entering {
			s.enterOne(e)
		}
	} else {
		copy(s.config, p.to.config)
		if effect != nil {
			effect.Entered = append(effect.Entered, p.entered...)
		}
	}
	s.at = p.to
}
