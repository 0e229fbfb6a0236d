package scxml

import (
	"strings"
	"sync"
)

// A Router passes messages to sessions outside of the session tree that sends them, see
// [WithRouter]. The owners of any number of sessions call its methods, at the same time. None of
// them may block.
type Router interface {
	// Join is called for each session of a tree, invoked sessions included, before it runs.
	Join(s *Session)
	// Leave is called when the session has ended.
	Leave(s *Session)
	// Route passes on a message whose target "#_scxml_ID" names no session of the tree. Its event
	// is the one that the other session gets, with Type, Origin and OriginType; see
	// [ServerView.Deliver]. An error becomes error.communication.
	Route(m Message) error
}

// WithRouter makes r route messages to sessions outside of the session tree. [Directory] is a
// Router for the sessions of one process.
func WithRouter(r Router) Option {
	return option(func(c *config) { c.router = r })
}

// A Directory is a [Router] that connects sessions of one process that share nothing else. Sessions
// with the same Directory reach each other by the target "#_scxml_ID", where ID is the value of
// _sessionid (REC C.1). If two sessions have the same id, see [WithSessionID], only the one that
// started last is reached. The zero Directory is ready to use. It is safe for concurrent use.
type Directory struct {
	mu       sync.Mutex
	sessions map[string]*Session
}

// Join adds s to the directory.
func (d *Directory) Join(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sessions == nil {
		d.sessions = make(map[string]*Session)
	}
	d.sessions[s.ID()] = s
}

// Leave removes s from the directory.
func (d *Directory) Leave(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sessions[s.ID()] == s {
		delete(d.sessions, s.ID())
	}
}

// Route puts the event of m into the external queue of the session that its target names.
func (d *Directory) Route(m Message) error {
	d.mu.Lock()
	to := d.sessions[strings.TrimPrefix(m.Target, scxmlAddress)]
	d.mu.Unlock()
	if to == nil {
		return unreachable(m.Target)
	}
	return to.post(&m.Event, true)
}
