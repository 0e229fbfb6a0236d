package behavioral

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// This file makes a Program a system that package explore can search.

// System returns another program of the same b-threads, as package explore wants it. A search tries every
// event that Step could pick, and those of [WithExternal] where Step would wait for an event from outside.
// Failures and error events of b-threads are violations, states in which a b-thread says <prune> are not
// visited, and a state in which nothing is requested is not a deadlock.
func (p *Program) System() (explore.System, error) { return &System{p.definition.program()}, nil }

// A System is a [Program] that a search drives. It implements the interface System of package explore. The
// program is in the present state of the search.
type System struct{ *Program }

// Start brings all b-threads to rest for the first time.
func (s *System) Start(ctx context.Context) error { return s.start(ctx) }

var errState = errors.New("behavioral: the state is damaged, or belongs to another program")

// AppendState appends the present state. The other Systems of the program can load it.
func (s *System) AppendState(dst []byte) ([]byte, error) {
	for _, l := range s.state {
		dst = binary.AppendUvarint(dst, uint64(l.number))
	}
	return dst, nil
}

// LoadState puts the program into a state that AppendState has written.
func (s *System) LoadState(state []byte) error {
	p := s.Program
	if p.state == nil {
		p.state = make([]*local, len(p.threads))
	}
	for i := range p.state {
		number, n := binary.Uvarint(state)
		if n <= 0 {
			return errState
		}
		state = state[n:]
		if l := p.state[i]; l != nil && l.number == int(number) {
			continue
		}
		if number < uint64(len(p.locals[i])) && p.locals[i][number] != nil {
			p.state[i] = p.locals[i][number]
			continue
		}
		rec := p.records.at(i, int(number))
		if rec == nil {
			return errState
		}
		p.state[i] = p.local(i, rec)
	}
	if len(state) > 0 {
		return errState
	}
	p.synced, p.did = -1, p.did[:0]
	return nil
}

// AppendKey appends 128 bits that differ for different states: the sum of what the states of the b-threads
// are hashed to.
func (s *System) AppendKey(dst []byte) ([]byte, error) {
	var sum [2]uint64
	for _, l := range s.state {
		sum[0] += l.hash[0]
		sum[1] += l.hash[1]
	}
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, sum[0]), sum[1]), nil
}

// AppendInputs appends the events that can be selected, or if there are none those that may come from
// outside: what nobody reacts to is left out.
func (s *System) AppendInputs(dst []explore.Input) []explore.Input {
	p := s.Program
	p.sync()
	for _, c := range p.selectable {
		dst = append(dst, p.input(c.event))
	}
	if len(p.selectable) > 0 {
		return dst
	}
	for i, ev := range p.external {
		if id := p.table.event(ev.Name, p.args[i]); p.admits(id) {
			dst = append(dst, p.input(id))
		}
	}
	return dst
}

func (p *Program) input(id eventID) explore.Input {
	ev := p.table.events[id]
	return explore.Input{Event: ev.name, Data: ev.data}
}

// Apply selects an event.
func (s *System) Apply(ctx context.Context, in explore.Input) error {
	t := &s.table
	if data, ok := in.Data.(*datamodel.Object); ok { // most come from AppendInputs
		if id, ok := t.byData[data]; ok && t.events[id].name == in.Event {
			return s.apply(ctx, id)
		}
	}
	args, err := checkEvent(scxml.Event{Name: in.Event, Data: in.Data})
	if err != nil {
		return fmt.Errorf("behavioral: Apply: %w", err)
	}
	return s.apply(ctx, t.event(in.Event, args))
}

// Final reports whether nothing is requested, and no event from outside may come.
func (s *System) Final() bool {
	p := s.Program
	if !p.Ended() {
		return false
	}
	for i, ev := range p.external {
		if p.admits(p.table.event(ev.Name, p.args[i])) {
			return false
		}
	}
	return true
}

// Violations returns the failures and error events of the last event, and the b-threads that say <hot> at
// the end of the program.
func (s *System) Violations() (all []explore.Violation) {
	for _, d := range s.did {
		name := s.threads[d.thread].Name
		for _, message := range d.failures {
			all = append(all, explore.Violation{Kind: explore.Broken, Property: name + ": " + message})
		}
		for _, err := range d.errors {
			all = append(all, explore.Violation{Kind: explore.Error, Property: name, Message: err.Error()})
		}
	}
	if s.Final() {
		for _, name := range s.Hot() {
			all = append(all, explore.Violation{Kind: explore.Broken, Property: name + ": the program ends in a state that is hot"})
		}
	}
	return all
}

// EventOf returns the event with its data: fairness is for each of them.
func (s *System) EventOf(in explore.Input) string { return in.String() }

// Prune reports whether a b-thread says <prune> in the present state.
func (s *System) Prune() bool { return s.Pruned() }

// Progress returns for each of the named b-threads the property that it does not say <hot> for ever, see
// [explore.Options].LeadsTo.
func Progress(names ...string) (all []explore.Response) {
	for _, name := range names {
		is := func(hot bool) func(context.Context, explore.System) (bool, error) {
			return func(_ context.Context, s explore.System) (bool, error) {
				p := s.(*System).Program
				i, ok := p.index[name]
				if !ok {
					return false, fmt.Errorf("behavioral: Progress: %q is not a b-thread", name)
				}
				return p.state[i].hot == hot, nil
			}
		}
		all = append(all, explore.Response{Name: name, When: is(true), Then: is(false)})
	}
	return all
}
