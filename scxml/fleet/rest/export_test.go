package rest

import "net/http"

// Routes returns the patterns of all routes, and the scope that each needs.
func Routes() map[string]Scopes {
	all := map[string]Scopes{streamPattern: Read, backupPattern: Admin, picturePattern: Read, metricsPattern: Metrics, "GET /v1/openapi.json": 0, "GET /livez": 0, "GET /readyz": 0}
	for _, r := range routes {
		all[r.pattern] = r.scope
	}
	return all
}

// Handler returns the pattern of the route that answers a request.
func (s *Server) Handler(r *http.Request) (http.Handler, string) { return s.mux.Handler(r) }
