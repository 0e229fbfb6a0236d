package explore

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/zone"
)

// clocks are the delayed events of the sessions of a system, and the zone of the times until they are due.
// The time of the sessions stands still: what is due next is made due at once, and all others later. No
// code can tell, unless it reads the clock.
type clocks struct {
	sessions []*scxml.Session
	any      bool // delays are ignored
	most     int  // how many may be pending
	pending  []pending
	zone     zone.Zone // of the events in pending

	dropped []string   // names of the delayed events that were due or cancelled at the last input
	inputs  int        // since the start
	arrived zone.Bound // of the greatest time until the last input, if the zone has a watch
}

// pending is a delayed event.
type pending struct {
	session int // that sent it
	seq     uint64
	delay   time.Duration // since the input after which it was sent
	sent    int           // the number of that input, 0 for the start
	name    string        // of the event
}

// newClocks returns the clocks of sessions that have not started, or nil if their time passes.
func newClocks(opts Options, sessions ...*scxml.Session) *clocks {
	if opts.Time == Zero {
		return nil
	}
	return &clocks{sessions: sessions, any: opts.Time == Any, most: pendingIn(opts.MaxMemory), zone: zone.Start(false)}
}

// none reports whether no delayed event was or is pending, which is most of the time.
func (c *clocks) none() bool {
	return c == nil || len(c.pending) == 0 && !c.zone.Watched() && !slices.ContainsFunc(c.sessions, isTimed)
}

func isTimed(s *scxml.Session) bool {
	_, ok := s.NextDue()
	return ok
}

// each calls f for each delayed event, with its number in pending or -1, and makes the result the time when it
// is due, relative to now.
func (c *clocks) each(f func(i, session int, d scxml.Delayed) time.Duration) {
	for n, s := range c.sessions {
		now := s.Now()
		scxml.ForServer(s).Reschedule(func(d scxml.Delayed) time.Time {
			i := slices.IndexFunc(c.pending, func(p pending) bool { return p.session == n && p.seq == d.Seq })
			return now.Add(f(i, n, d))
		})
	}
}

// names returns the names of the delayed events.
func (c *clocks) names() (all []string) {
	if c != nil {
		for _, p := range c.pending {
			all = append(all, p.name)
		}
	}
	return all
}

// maxDue bounds the sets of delayed events that may be due next in a state.
const maxDue = 4096

// tooMany is the last input in a state that exceeds maxDue.
var tooMany = Input{due: &due{names: "more events"}}

// untried reports whether an input is tooMany. A search does not try it, and is incomplete.
func (in Input) untried() bool { return in.due != nil && in.due.events == nil }

// dueAt returns the numbers of the delayed events that are due when an input comes.
func (in Input) dueAt() []int {
	if in.due == nil {
		return nil
	}
	return in.due.events
}

// appendWaits appends the waits for delayed events.
func (c *clocks) appendWaits(dst []Input) []Input {
	if len(c.pending) == 0 {
		return dst
	}
	first := len(dst)
	c.zone.Due(func(events []int) bool {
		if len(dst)-first == maxDue {
			dst = append(dst, tooMany)
			return false
		}
		next := &due{events: slices.Clone(events)}
		for _, i := range events {
			next.names = strings.TrimPrefix(next.names+" "+c.pending[i].name, " ")
		}
		dst = append(dst, Input{due: next})
		return true
	})
	return dst
}

// ErrUntimed is the error for inputs that cannot come at any times.
var ErrUntimed = errors.New("the inputs cannot come at any times")

// happen moves the sessions to the times at which an input can come.
func (c *clocks) happen(in Input) error {
	if c == nil {
		return nil
	}
	c.inputs++
	c.dropped = nil
	if len(c.pending) == 0 {
		return nil
	}
	due := in.dueAt()
	var at zone.Zone
	if !c.zone.Moment(due, &at) || in.Event == "" && due == nil {
		return ErrUntimed
	}
	c.zone = at
	c.each(func(i, _ int, _ scxml.Delayed) time.Duration {
		if slices.Contains(due, i) {
			return 0
		}
		return 1
	})
	return nil
}

// settle notes what is pending after the start or an input.
func (c *clocks) settle() error {
	if c.none() {
		return nil
	}
	left := make([]bool, len(c.pending))
	var sent []pending
	c.each(func(i, session int, d scxml.Delayed) time.Duration {
		delay := max(0, d.Due.Sub(c.sessions[session].Now()))
		if i >= 0 {
			left[i] = true
		} else {
			sent = append(sent, pending{session, d.Seq, delay, c.inputs, d.Message.Event.Name})
		}
		return delay
	})
	var all []pending
	var from []time.Duration
	for i, p := range c.pending {
		if left[i] {
			all, from = append(all, p), append(from, time.Duration(i))
		} else {
			c.dropped = append(c.dropped, p.name)
		}
	}
	for _, p := range sent {
		all, from = append(all, p), append(from, -1-p.delay)
	}
	if len(all) > c.most {
		return boundError("timers")
	}
	c.next(from)
	c.arrived = c.zone.Latest()
	c.zone.Wait()
	if c.any {
		c.zone.Forget()
	}
	order := c.zone.Order(func(i int) int { return all[i].session })
	c.next(order)
	c.pending = c.pending[:0]
	for _, i := range order {
		c.pending = append(c.pending, all[i])
	}
	// So the order of the events becomes a part of the sessions' keys and states.
	c.each(func(i, _ int, _ scxml.Delayed) time.Duration { return 1 + time.Duration(i) })
	return nil
}

func (c *clocks) next(events []time.Duration) {
	var next zone.Zone
	c.zone.Next(events, &next)
	c.zone = next
}

// append appends the zone to a state or a key of the sessions.
func (c *clocks) append(dst []byte) []byte {
	if c == nil {
		return dst
	}
	return c.zone.Append(dst)
}

// read reads a zone that append has written, and returns what follows.
func (c *clocks) read(data []byte) ([]byte, error) {
	if c == nil {
		return data, nil
	}
	return c.zone.Read(data)
}

// loaded notes what is pending after the sessions were loaded.
func (c *clocks) loaded() error {
	if c == nil || c.zone.Events() == 0 {
		if c != nil {
			c.pending = c.pending[:0]
		}
		return nil
	}
	c.pending = slices.Grow(c.pending[:0], c.zone.Events())[:c.zone.Events()]
	clear(c.pending)
	found := 0
	c.each(func(_, session int, d scxml.Delayed) time.Duration {
		rank := d.Due.Sub(c.sessions[session].Now())
		if rank >= 1 && int(rank) <= len(c.pending) {
			c.pending[rank-1] = pending{session: session, seq: d.Seq, name: d.Message.Event.Name}
			found++
		}
		return rank
	})
	if found != len(c.pending) {
		return zone.ErrDamaged
	}
	return nil
}
