package census

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// A Query says which sessions are wanted. Empty fields mean all.
type Query struct {
	Text                string // part of the key, whatever its case
	Chart, Hash, Status string
	Stuck               bool   // only those with a [Trouble]
	Trouble             string // only those with a Trouble of this kind
	After               string // key after which the page begins
	Limit               int    // sessions of the page; 0 means 100
}

// A Page is a part of what a [Query] finds.
type Page struct {
	Sessions []Session `json:"sessions"`       // in the order of their keys
	Next     string    `json:"next,omitempty"` // the After of the next page, or ""
	Total    int       `json:"total"`          // sessions on all pages
}

// A Session is one in a [Page].
type Session struct {
	fleet.Info
	Due      time.Time `json:"due,omitzero"` // of the next delayed event, if it is known
	Inbox    int       `json:"inbox"`        // events that wait
	Outbox   int       `json:"outbox"`       // tasks
	Troubles []Trouble `json:"troubles"`
}

// A Trouble is why a session needs someone.
type Trouble struct {
	// Kind is suspended, failing (a step has failed and is tried again), delivery (a message has failed
	// and is tried again), full (its inbox), late (what is due since 10 s was not done), or waiting
	// (an event has waited for a minute).
	Kind  string    `json:"kind"`
	Note  string    `json:"note"`           // what is wrong, with the last error; it may contain data of the session
	Since time.Time `json:"since,omitzero"` // or zero
}

// Kinds are the kinds of [Trouble], the worst ones first.
var Kinds = []string{"suspended", "failing", "full", "late", "waiting", "delivery"}

const (
	lateAfter    = 10 * time.Second
	waitingAfter = time.Minute
	mostLate     = 10_000
)

// late reports whether a session seems to be late. Another host may have done what was due.
func (s *session) late(now time.Time) bool {
	due := index.Time(s.due)
	return s.of.status == "running" && !due.IsZero() && now.Sub(due) > lateAfter
}

// late returns the sessions that the store has as overdue now, if any seem to be late.
func (c *Census) late(ctx context.Context, f *fleet.Fleet, now time.Time) map[string]bool {
	seem := false
	c.each(func(s *session) { seem = seem || s.late(now) })
	if !seem || f == nil {
		return nil
	}
	late := map[string]bool{}
	keys, _ := f.Overdue(ctx, now.Add(-lateAfter), mostLate) // after an error none is known to be late
	for _, key := range keys {
		late[key] = true
	}
	return late
}

// troubles says what is wrong with a session.
func (s *session) troubles(now time.Time, late map[string]bool) []Trouble {
	all := []Trouble{}
	add := func(kind string, since time.Time, format string, args ...any) {
		all = append(all, Trouble{kind, fmt.Sprintf(format, args...), since.UTC()})
	}
	g := s.glance
	failure := (*fleet.Failure)(nil)
	if g != nil {
		failure = g.Failure
	}
	switch {
	case s.of.status == "suspended" && failure != nil:
		add("suspended", failure.At, "%s failed %d times: %s", failure.What, failure.Attempts, failure.Message)
	case s.of.status == "suspended":
		add("suspended", time.Time{}, "by an operator")
	case failure != nil:
		add("failing", failure.At, "%s failed: %s", failure.What, failure.Message)
	}
	if g != nil && g.Full {
		add("full", g.Oldest, "%d events wait, and no more are accepted", g.Inbox)
	}
	if s.of.status == "running" && failure == nil {
		if s.late(now) && late[s.key] {
			add("late", index.Time(s.due), "a delayed event was due")
		}
		if g != nil && !g.Full && !g.Oldest.IsZero() && now.Sub(g.Oldest) > waitingAfter {
			add("waiting", g.Oldest, "%d events wait", g.Inbox)
		}
	}
	if g != nil && g.Failing > 0 {
		add("delivery", g.Since, "%d of %d tasks in the outbox fail and are tried again: %s", g.Failing, g.Outbox, g.Error)
	}
	return all
}

// waits reports whether a session may have a Trouble.
func (s *session) waits() bool {
	return s.glance != nil || s.due != index.Never || s.of.status == "suspended"
}

// each calls f for all sessions in the order of their keys, without keeping changes waiting.
func (c *Census) each(f func(*session)) {
	for after := ""; ; {
		c.mu.RLock()
		page := c.order.List(after, perPage)
		for _, s := range page {
			f(s)
		}
		c.mu.RUnlock()
		if len(page) < perPage {
			return
		}
		after = page[len(page)-1].key
	}
}

// Find returns a page of the sessions that a query wants. It asks the store which sessions are late, of
// which it shows the first 10,000.
func (c *Census) Find(ctx context.Context, f *fleet.Fleet, q Query, now time.Time) Page {
	late := c.late(ctx, f, now)
	text, limit := strings.ToLower(q.Text), q.Limit
	if limit <= 0 {
		limit = 100
	}
	page := Page{Sessions: []Session{}}
	c.each(func(s *session) {
		if q.Chart != "" && s.of.chart != q.Chart || q.Hash != "" && s.of.hash != q.Hash || q.Status != "" && s.of.status != q.Status {
			return
		}
		if text != "" && !strings.Contains(strings.ToLower(s.key), text) {
			return
		}
		stuck := q.Stuck || q.Trouble != ""
		if stuck && !s.waits() {
			return
		}
		onPage := s.key > q.After && len(page.Sessions) < limit
		var troubles []Trouble
		if stuck || onPage {
			troubles = s.troubles(now, late)
		}
		is := func(t Trouble) bool { return q.Trouble == "" || t.Kind == q.Trouble }
		if stuck && !slices.ContainsFunc(troubles, is) {
			return
		}
		page.Total++
		if onPage {
			page.Sessions = append(page.Sessions, s.tell(troubles))
		} else if s.key > q.After && page.Next == "" {
			page.Next = page.Sessions[len(page.Sessions)-1].Key
		}
	})
	return page
}

// Troubles returns how many sessions have each kind of [Trouble], and how many have any. It asks the store
// which sessions are late, of which it counts up to 10,000.
func (c *Census) Troubles(ctx context.Context, f *fleet.Fleet, now time.Time) (kinds map[string]int, stuck int) {
	late := c.late(ctx, f, now)
	kinds = map[string]int{}
	c.each(func(s *session) {
		if !s.waits() {
			return
		}
		all := s.troubles(now, late)
		for _, t := range all {
			kinds[t.Kind]++
		}
		stuck += min(1, len(all))
	})
	return kinds, stuck
}

func (s *session) tell(troubles []Trouble) Session {
	one := Session{
		Info: fleet.Info{
			Key: s.key, Chart: s.of.chart, Hash: s.of.hash, Status: s.of.status, Revision: s.revision, Accepted: s.accepted, Wake: index.Time(s.wake),
		},
		Due: index.Time(s.due), Troubles: troubles,
	}
	if s.glance != nil {
		one.Inbox, one.Outbox = s.glance.Inbox, s.glance.Outbox
	}
	return one
}
