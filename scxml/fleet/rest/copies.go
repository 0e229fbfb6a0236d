package rest

import (
	"context"
	"net/http"
)

// Copies has copies of sessions in memory: package copies implements it. A request needs a token with the
// scope [Read], which shows all data anyway: what happens to a copy happens to nothing else.
type Copies interface {
	// Open makes a copy of a session and returns its id.
	Open(ctx context.Context, key string) (id string, err error)
	// Close closes a copy, and reports whether there was one with the id.
	Close(id string) bool
	// Handler answers the requests below /api/ of a page that shows a copy, or is nil if there is none
	// with the id. The request for /api/events stays open.
	Handler(id string) http.Handler
}

const (
	copiesPattern     = "POST /v1/sessions/{key}/copies"
	closePattern      = "DELETE /v1/copies/{id}"
	copyEventsPattern = "GET /v1/copies/{id}/api/events"
	copyGetPattern    = "GET /v1/copies/{id}/api/{request...}"
	copyPostPattern   = "POST /v1/copies/{id}/api/{request...}"
)

func (s *Server) openCopy(c *call) (int, any, error) {
	if s.cfg.Copies == nil {
		return 0, nil, absent("copies of sessions")
	}
	id, err := s.cfg.Copies.Open(c, c.r.PathValue("key"))
	if err != nil {
		return 0, nil, err
	}
	c.w.Header().Set("Location", s.address("/v1/copies/"+id))
	return http.StatusCreated, map[string]string{"id": id}, nil
}

func (s *Server) closeCopy(c *call) (int, any, error) {
	id := c.r.PathValue("id")
	if s.cfg.Copies == nil || !s.cfg.Copies.Close(id) {
		return 0, nil, noCopy(id)
	}
	return http.StatusNoContent, nil, nil
}

// noCopy is the answer to requests for a copy that is not there.
func noCopy(id string) error {
	return refuse(http.StatusNotFound, "not-found", "there is no copy %q: it was closed, or not used for too long", id)
}

// useCopy answers a request of a copy's page. A stream ends when the server drains.
func (s *Server) useCopy(c *call) error {
	id := c.r.PathValue("id")
	var h http.Handler
	if s.cfg.Copies != nil {
		h = s.cfg.Copies.Handler(id)
	}
	if h == nil {
		return noCopy(id)
	}
	ctx, cancel := context.WithCancel(c)
	defer cancel()
	if c.r.Pattern == copyEventsPattern {
		go func() {
			select {
			case <-s.drained:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	http.StripPrefix("/v1/copies/"+id, h).ServeHTTP(c.w, c.r.WithContext(ctx))
	return nil
}
