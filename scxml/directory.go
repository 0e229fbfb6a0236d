package scxml

import "sync"

// A Directory connects sessions of one process that share nothing else. Sessions with the same
// Directory reach each other by the target "#_scxml_ID", where ID is the value of _sessionid (REC
// C.1). If two sessions have the same id, see [WithSessionID], only the one that started last is
// reached. The zero Directory is ready to use. It is safe for concurrent use.
type Directory struct {
	mu       sync.Mutex
	sessions map[string]*Session
}

// WithRouter makes d route messages to sessions outside the session tree. While they run, the
// session and the sessions that it invokes can be reached by the other sessions of d.
func WithRouter(d *Directory) Option {
	return option(func(c *config) { c.directory = d })
}

func (d *Directory) add(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sessions == nil {
		d.sessions = make(map[string]*Session)
	}
	d.sessions[s.ID()] = s
}

func (d *Directory) remove(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sessions[s.ID()] == s {
		delete(d.sessions, s.ID())
	}
}

// session returns the running session of the given id, or nil.
func (d *Directory) session(id string) *Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sessions[id]
}
