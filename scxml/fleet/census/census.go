package census

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// A Census has the sessions of a fleet. Its methods may be called from any goroutine.
type Census struct {
	mu       sync.RWMutex // held briefly: the fleet waits for it
	sessions map[string]*session
	order    index.Ordered[*session]
	groups   map[group]*members
	busy     map[string]*session // those that wait for something

	scans    uint64              // those that have begun
	complete bool                // one of them has ended
	gone     map[string]struct{} // deleted since the last one began
}

// A group is what sessions have in common.
type group struct{ chart, hash, status string }

type members struct {
	group
	n int
}

type session struct {
	key      string
	of       *members
	revision uint64
	accepted uint64
	wake     int64 // of index.Nanos
	due      int64
	scan     uint64        // after which it was there
	glance   *fleet.Glance // nil if it waits for nothing
}

// Key is the session's.
func (s *session) Key() string { return s.key }

// New returns an empty census.
func New() *Census {
	return &Census{
		sessions: map[string]*session{}, groups: map[group]*members{}, busy: map[string]*session{}, gone: map[string]struct{}{},
	}
}

// Observer is for the [fleet.Config] of the fleet.
func (c *Census) Observer() fleet.Observer {
	return fleet.Observer{Changed: func(key string, now *fleet.Glance) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if now == nil {
			c.gone[key] = struct{}{}
			c.remove(key)
			return
		}
		delete(c.gone, key)
		c.put(now)
	}}
}

const perPage = 1000 // sessions that are read, or looked at, at once

// Run reads the list of all sessions, at once and then every so often, until ctx is done. It returns the
// cause of ctx. A store that cannot be read is read again the next time.
func (c *Census) Run(ctx context.Context, f *fleet.Fleet, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		_ = c.Scan(ctx, f) // the fleet and its health check report what is wrong with the store
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// Scan reads the list of all sessions once. Only one call at a time.
func (c *Census) Scan(ctx context.Context, f *fleet.Fleet) error {
	c.mu.Lock()
	c.scans++
	clear(c.gone)
	c.mu.Unlock()
	known := func(key string, revision uint64) bool {
		c.mu.RLock()
		defer c.mu.RUnlock()
		s := c.sessions[key]
		return s != nil && s.revision >= revision
	}
	for after := ""; ; {
		list, err := f.Survey(ctx, after, perPage, known)
		if err != nil {
			return err
		}
		c.mu.Lock()
		for i := range list {
			if _, gone := c.gone[list[i].Key]; !gone {
				c.put(&list[i])
			}
		}
		c.mu.Unlock()
		if len(list) < perPage {
			break
		}
		after = list[len(list)-1].Key
	}
	c.mu.Lock()
	for key, s := range c.sessions {
		if s.scan < c.scans {
			c.remove(key)
		}
	}
	c.complete = true
	c.mu.Unlock()
	return nil
}

// put notes what is known of a session, unless something newer is.
func (c *Census) put(g *fleet.Glance) {
	s := c.sessions[g.Key]
	if s == nil {
		s = &session{key: strings.Clone(g.Key)}
		c.sessions[s.key] = s
		c.order.Add(s)
	}
	s.scan = c.scans
	if s.of != nil && s.revision >= g.Revision {
		return
	}
	c.leave(s)
	s.of = c.groups[group{g.Chart, g.Hash, g.Status}]
	if s.of == nil {
		s.of = &members{group: group{g.Chart, g.Hash, g.Status}}
		c.groups[s.of.group] = s.of
	}
	s.of.n++
	s.revision, s.accepted, s.wake, s.due = g.Revision, g.Accepted, index.Nanos(g.Wake), index.Nanos(g.Due)
	if g.Inbox > 0 || g.Outbox > 0 || g.Failure != nil {
		s.glance = g
		c.busy[s.key] = s
	} else if s.glance != nil {
		s.glance = nil
		delete(c.busy, s.key)
	}
}

func (c *Census) remove(key string) {
	if s := c.sessions[key]; s != nil {
		c.leave(s)
		delete(c.busy, key)
		delete(c.sessions, key)
		c.order.Remove(s)
	}
}

// leave takes a session out of its group. An empty group of a version that has no sessions any more is
// forgotten.
func (c *Census) leave(s *session) {
	if s.of == nil {
		return
	}
	if s.of.n--; s.of.n == 0 {
		delete(c.groups, s.of.group)
	}
	s.of = nil
}

// Complete reports whether all sessions were read once.
func (c *Census) Complete() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.complete
}

// A Count is the number of sessions of a version of a chart in a status, which is running, final,
// stopped or suspended.
type Count struct {
	Chart    string `json:"chart"`
	Hash     string `json:"hash"`
	Status   string `json:"status"`
	Sessions int    `json:"sessions"`
}

// Counts returns how many sessions there are, by chart, version and status.
func (c *Census) Counts() []Count {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []Count
	for _, m := range c.groups {
		all = append(all, Count{m.chart, m.hash, m.status, m.n})
	}
	slices.SortFunc(all, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Chart, b.Chart), cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Status, b.Status))
	})
	return all
}

// Work is what waits in all sessions of a chart.
type Work struct {
	Inbox   int       // events
	Longest int       // events in the longest inbox
	Oldest  time.Time // acceptance of the event that has waited longest, or zero
	Outbox  int       // tasks
	Failing int       // tasks that have failed and are tried again
}

// Work returns what waits, by chart. Sessions that are suspended count.
func (c *Census) Work() map[string]Work {
	c.mu.RLock()
	defer c.mu.RUnlock()
	all := map[string]Work{}
	for _, s := range c.busy {
		g, w := s.glance, all[s.of.chart]
		w.Inbox += g.Inbox
		w.Longest = max(w.Longest, g.Inbox)
		w.Outbox += g.Outbox
		w.Failing += g.Failing
		if !g.Oldest.IsZero() && (w.Oldest.IsZero() || g.Oldest.Before(w.Oldest)) {
			w.Oldest = g.Oldest
		}
		all[s.of.chart] = w
	}
	return all
}
