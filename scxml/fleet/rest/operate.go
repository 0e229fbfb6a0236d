package rest

import (
	"context"
	"net/http"
)

// operate does something to a session, and answers with the session.
func (s *Server) operate(c *call, do func(ctx context.Context, key string) error) (int, any, error) {
	key := c.r.PathValue("key")
	if err := do(c, key); err != nil {
		return 0, nil, err
	}
	body, err := s.show(c, key)
	return http.StatusOK, body, err
}

func (s *Server) skipEvent(c *call) (int, any, error) {
	key := c.r.PathValue("key")
	skipped, err := s.cfg.Fleet.Skip(c, key)
	if err != nil {
		return 0, nil, err
	}
	body, err := s.show(c, key)
	if err == nil {
		body.Skipped = skipped
	}
	return http.StatusOK, body, err
}

func (s *Server) suspendSession(c *call) (int, any, error) { return s.operate(c, s.cfg.Fleet.Suspend) }
func (s *Server) resumeSession(c *call) (int, any, error)  { return s.operate(c, s.cfg.Fleet.Resume) }
func (s *Server) retrySession(c *call) (int, any, error)   { return s.operate(c, s.cfg.Fleet.Retry) }
func (s *Server) stopSession(c *call) (int, any, error)    { return s.operate(c, s.cfg.Fleet.Stop) }
