package scxml

import "sync"

// A Host is where sessions find each other that have nothing else in common:
// sessions that were made with the same Host reach each other by the target
// "#_scxml_ID", ID being the value of _sessionid (REC C.1). Of two with the same
// id, see [WithSessionID], only the one that started last is reached. The zero
// Host is ready to use, by any number of goroutines.
type Host struct {
	mu       sync.Mutex
	sessions map[string]*Session
}

// WithHost makes the session, and those that it invokes, reachable for the
// other sessions of h while they run.
func WithHost(h *Host) Option {
	return option(func(c *config) { c.host = h })
}

func (h *Host) add(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions == nil {
		h.sessions = make(map[string]*Session)
	}
	h.sessions[s.ID()] = s
}

func (h *Host) remove(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions[s.ID()] == s {
		delete(h.sessions, s.ID())
	}
}

// session returns the running session of the given id, or nil.
func (h *Host) session(id string) *Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sessions[id]
}
