package rest

import (
	"net/http"
	"strings"
)

// Routes returns the patterns of all routes, and the scope that each needs.
func Routes() map[string]Scopes {
	all := map[string]Scopes{streamPattern: Read, backupPattern: Admin, picturePattern: Read, metricsPattern: Metrics, copyEventsPattern: Read, copyGetPattern: Read, copyPostPattern: Read, "GET /v1/openapi.json": 0, "GET /livez": 0, "GET /readyz": 0}
	for _, r := range routes {
		all[r.pattern] = r.scope
	}
	return all
}

// Path returns a pattern as the description has it.
func Path(pattern string) string { return strings.ReplaceAll(pattern, "...}", "}") }

// Handler returns the pattern of the route that answers a request.
func (s *Server) Handler(r *http.Request) (http.Handler, string) { return s.mux.Handler(r) }
