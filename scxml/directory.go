package scxml

import "sync"

// A Directory is where sessions of one process find each other that have nothing
// else in common: sessions that were made with the same Directory reach each other
// by the target "#_scxml_ID", ID being the value of _sessionid (REC C.1). Of two with
// the same id, see [WithSessionID], only the one that started last is reached. The
// zero Directory is ready to use, by any number of goroutines.
type Directory struct {
	mu       sync.Mutex
	sessions map[string]*Session
}

// WithRouter has d route what is sent to sessions outside of the session tree, and
// makes the session, and those that it invokes, reachable for the other sessions
// of d while they run.
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
