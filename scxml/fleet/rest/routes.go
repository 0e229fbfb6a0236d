package rest

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// A route is a request that the server answers.
type route struct {
	pattern string // of [http.ServeMux]
	scope   Scopes
	serve   func(*Server, *call) (status int, body any, err error)
}

var routes = []route{
	{"GET /v1/sessions", Read, (*Server).listSessions},
	{"POST /v1/sessions", Send, (*Server).createSession},
	{"GET /v1/sessions/{key}", Read, (*Server).getSession},
	{"DELETE /v1/sessions/{key}", Operate, (*Server).deleteSession},
	{"POST /v1/sessions/{key}/events", Send, (*Server).sendEvent},
	{"GET /v1/sessions/{key}/events", Read, (*Server).getLog},
	{"POST /v1/sessions/{key}/try", Read, (*Server).tryEvent},
	{"GET /v1/sessions/{key}/enabled", Read, (*Server).getEnabled},
	{"GET /v1/sessions/{key}/inbox", Read, (*Server).getInbox},
	{"GET /v1/sessions/{key}/outbox", Read, (*Server).getOutbox},
	{"GET /v1/sessions/{key}/timers", Read, (*Server).getTimers},
	{"GET /v1/sessions/{key}/snapshot", Read, (*Server).getSnapshot},
	{"POST /v1/sessions/{key}/suspend", Operate, (*Server).suspendSession},
	{"POST /v1/sessions/{key}/resume", Operate, (*Server).resumeSession},
	{"POST /v1/sessions/{key}/retry", Operate, (*Server).retrySession},
	{"POST /v1/sessions/{key}/skip", Operate, (*Server).skipEvent},
	{"POST /v1/sessions/{key}/stop", Operate, (*Server).stopSession},
	{copiesPattern, Read, (*Server).openCopy},
	{closePattern, Read, (*Server).closeCopy},
	{deletePattern, Operate, (*Server).deleteSessions},
	{"GET /v1/overview", Read, (*Server).getOverview},
	{"GET /v1/find", Read, (*Server).findSessions},
	{"GET /v1/charts", Read, (*Server).listCharts},
	{"GET /v1/charts/{chart}", Read, (*Server).getChart},
	{"PUT /v1/charts/{chart}", Admin, (*Server).putChart},
	{"DELETE /v1/charts/{chart}/versions/{hash}", Admin, (*Server).deleteVersion},
	{migratePattern, Admin, (*Server).migrateSessions},
}

const (
	streamPattern  = "GET /v1/sessions/{key}/changes"
	backupPattern  = "GET /v1/backup"
	picturePattern = "GET /v1/charts/{chart}/picture"
	metricsPattern = "GET /metrics"
	pagePattern    = "GET /ui/"
	homePattern    = "GET /{$}"
	migratePattern = "POST /v1/charts/{chart}/migrate"
	deletePattern  = "POST /v1/delete"
)

// patience is how many times longer than others a request may take that concerns all sessions, or many.
const patience = 20

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the description of all requests, as a document of OpenAPI 3.1.
func OpenAPI() []byte { return slices.Clone(openAPI) }

// An operation is what openapi.json says of a request.
type operation struct {
	Parameters  []struct{ Name, In string }
	RequestBody struct{ Content map[string]any }
	query       []string // the names of those parameters that are in the query
}

// operations returns all operations by their patterns of [http.ServeMux].
var operations = sync.OnceValue(func() map[string]*operation {
	var api struct {
		Paths map[string]map[string]json.RawMessage
	}
	err := json.Unmarshal(openAPI, &api)
	all := map[string]*operation{}
	for path, methods := range api.Paths {
		for method, text := range methods {
			if method == "parameters" {
				continue // they are in the path
			}
			op := new(operation)
			err = cmp.Or(err, json.Unmarshal(text, op))
			for _, p := range op.Parameters {
				if p.In == "query" {
					op.query = append(op.query, p.Name)
				}
			}
			all[strings.ToUpper(method)+" "+path] = op
		}
	}
	if err != nil {
		panic(err) // the document is wrong
	}
	return all
})

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.HandleFunc(r.pattern, func(w http.ResponseWriter, req *http.Request) {
			s.serve(w, req, r.scope, s.requests, func(c *call) error {
				timeout := s.cfg.Timeout
				if r.pattern == migratePattern || r.pattern == deletePattern {
					timeout *= patience
				}
				ctx, cancel := context.WithDeadline(c.Context, c.limit(timeout))
				defer cancel()
				c.Context = ctx
				if err := c.checkBody(); err != nil {
					return err
				}
				status, body, err := r.serve(s, c)
				if err == nil {
					err = c.answer(status, body)
				}
				return err
			})
		})
	}
	writes := func(pattern string, scope Scopes, places chan struct{}, f func(*call) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) { s.serve(w, req, scope, places, f) })
	}
	writes(streamPattern, Read, s.streams, s.watchSession)
	writes(backupPattern, Admin, s.streams, s.sendBackup)
	writes(picturePattern, Read, s.requests, s.sendPicture)
	writes(copyEventsPattern, Read, s.streams, s.useCopy)
	writes(copyGetPattern, Read, s.requests, s.useCopy)
	writes(copyPostPattern, Read, s.requests, s.useCopy)
	writes(metricsPattern, Metrics, s.requests, s.sendMetrics)
	if s.cfg.Page != nil {
		mux.Handle(pagePattern, http.StripPrefix("/ui", s.cfg.Page))
		mux.HandleFunc(homePattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "ui/") // a proxy may have another path before it
			w.WriteHeader(http.StatusFound)
		})
	}
	mux.HandleFunc("GET /v1/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(openAPI) // the reader has gone
	})
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w) })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) { s.lost(w, req, mux) })
	return mux
}

// serve answers a request that needs a scope and one of the places.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, scope Scopes, places chan struct{}, f func(*call) error) {
	began := time.Now()
	c := &call{Context: traced(r), server: s, w: &counted{ResponseWriter: w, status: http.StatusOK}, r: r}
	err := c.permit(scope)
	switch {
	case err != nil:
	case s.draining.Load():
		err = &problem{http.StatusServiceUnavailable, "draining", errors.New("the server is stopping: try again")}
	case !httpguard.Acquire(places):
		err = &problem{http.StatusServiceUnavailable, "unavailable", errors.New("too many requests are being served: try again")}
	default:
		defer func() { <-places }()
		c.limit(s.cfg.Timeout) // those of the server are for requests without a token
		if err = c.checkQuery(); err == nil {
			err = f(c)
		}
	}
	if err != nil {
		s.fail(c.w, err)
	}
	s.logRequest(c, began, err)
}

// ready says whether the server can store events.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() {
		s.fail(w, &problem{http.StatusServiceUnavailable, "draining", errors.New("the server is stopping")})
		return
	}
	done, ok := httpguard.Probe(r)
	if !ok { // nobody asks so often, unless the store does not answer
		s.fail(w, &problem{http.StatusServiceUnavailable, "unavailable", errors.New("too many requests ask whether the store works")})
		return
	}
	defer done()
	ctx, cancel := context.WithTimeout(r.Context(), min(s.cfg.Timeout, 5*time.Second))
	defer cancel()
	if err := s.cfg.Ready(ctx); err != nil {
		s.log.ErrorContext(ctx, "the store does not work", "error", err)
		s.fail(w, &problem{http.StatusServiceUnavailable, "unavailable", errors.New("the store does not work: see the log of the server")})
		return
	}
	say(w)
	if hosts := s.cfg.Fleet.Hosts(); len(hosts) > 0 {
		_, _ = fmt.Fprintf(w, "host %s works for 1/%d of the sessions\n", s.cfg.Fleet.Host(), len(hosts)) // the reader has gone
	}
}

// say answers that all is well.
func say(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n")) // the reader has gone
}

// lost answers a request that no route answers.
func (s *Server) lost(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := *r
		other.Method = method
		if _, pattern := mux.Handler(&other); pattern != "/" && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		s.fail(w, refuse(http.StatusMethodNotAllowed, "unknown-route", "method %s is not one of this path: want %s", r.Method, strings.Join(allowed, " or ")))
		return
	}
	s.fail(w, refuse(http.StatusNotFound, "unknown-route", "there is nothing at %q: GET /v1/openapi.json lists all paths", r.URL.Path))
}
