package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// Config configures a [Server]. Fleet is required; without Tokens every request but those for the
// health of the server is refused.
type Config struct {
	Fleet  *fleet.Fleet
	Tokens []Token

	// Upload checks a document that a client uploads as the named chart, stores it and adds it to the
	// fleet. With try it only checks. Without Upload charts cannot be uploaded. It fails with
	// [ErrFixed], or with an [*scxml.DocumentError] for a document that is refused.
	Upload func(ctx context.Context, name string, document []byte, try bool) (Uploaded, error)
	// Remove removes a version of a chart. The default is [fleet.Fleet.Undefine].
	Remove func(ctx context.Context, name, hash string) error

	// Backup writes a copy of the store. Without it there are no backups. It should not depend on how fast
	// w takes the copy.
	Backup func(w io.Writer) error

	// Census knows the sessions for /v1/overview and /v1/find. Without it they are not there.
	Census *census.Census
	// Metrics writes what /metrics answers, in the text format of Prometheus. Without it there is no /metrics.
	Metrics func(w io.Writer) error
	// Picture draws a version of a chart as an SVG. The error may be [fleet.ErrNotFound]. Without it
	// there are no pictures.
	Picture func(ctx context.Context, name, hash string) ([]byte, error)
	// Copies has copies of sessions, on which operators try things. Without it there are none.
	Copies Copies
	// Page answers requests below /ui/, without a token: the files of a page, which have no secrets.
	// The address / leads there. Without it there is none.
	Page http.Handler

	// Ready says for /readyz, which needs no token, whether events can be stored. Nil asks whether the
	// store can be read.
	Ready func(context.Context) error

	// URL is where clients reach the server, if that is not the address of its connections: that of a load
	// balancer, such as "https://example.com/orders". Requests may use its host and come from its pages,
	// and addresses in answers begin with it. It has no slash at its end. Without it addresses are paths.
	URL *url.URL

	// Remote serves other machines, too. Without it only connections from this machine are served.
	Remote bool
	// AllowHosts lists host names, without ports, that requests may use in addition to the address
	// of the connection. Other names are refused: a page of another web site can make its name point
	// to this machine ("DNS rebinding").
	AllowHosts []string
	// AllowOrigins lists web sites, such as "https://example.com", whose pages may send requests.
	AllowOrigins []string

	MaxBody     int64         // bytes of a request; 0 means 1 MB
	MaxChart    int64         // bytes of a chart; 0 means 4 MB
	MaxRequests int           // that are served at the same time; 0 means 256. Further ones are answered with 503
	MaxStreams  int           // of changes that are open at the same time; 0 means 256
	Timeout     time.Duration // of a request, and of each write to a stream; 0 means 30 s

	// Logger gets every request, without the data of events. Nil means none.
	Logger *slog.Logger
}

// A Server is an [http.Handler] for the sessions of a fleet. It is safe for concurrent use.
type Server struct {
	cfg    Config
	source httpguard.Source
	mux    *http.ServeMux
	log    *slog.Logger

	requests, streams chan struct{} // a value for each in progress

	draining atomic.Bool
	drained  chan struct{} // closed when draining is set
	once     sync.Once
}

// New returns a server.
func New(cfg Config) *Server {
	cfg.MaxBody = cmp.Or(max(0, cfg.MaxBody), 1<<20)
	cfg.MaxChart = cmp.Or(max(0, cfg.MaxChart), 4<<20)
	cfg.MaxRequests = cmp.Or(max(0, cfg.MaxRequests), 256)
	cfg.MaxStreams = cmp.Or(max(0, cfg.MaxStreams), 256)
	cfg.Timeout = cmp.Or(max(0, cfg.Timeout), 30*time.Second)
	if cfg.Ready == nil {
		cfg.Ready = cfg.Fleet.Ping
	}
	s := &Server{
		cfg:      cfg,
		source:   httpguard.Source{Base: cfg.URL, Hosts: cfg.AllowHosts, Origins: cfg.AllowOrigins},
		log:      cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler)),
		requests: make(chan struct{}, cfg.MaxRequests),
		streams:  make(chan struct{}, cfg.MaxStreams),
		drained:  make(chan struct{}),
	}
	s.mux = s.routes()
	return s
}

// Drain ends all streams, and answers all requests from now on with 503, except the one whether the
// process works. Requests in progress continue.
func (s *Server) Drain() {
	s.once.Do(func() {
		s.draining.Store(true)
		close(s.drained)
	})
}

// Serve serves HTTP until ctx is done. Then it drains: it takes no more connections, waits for the
// requests in progress for at most the time patience, and returns nil. The address of l must be a
// loopback address unless Remote is set. Serve bounds the number of connections: those without
// a token are closed for others, the oldest first. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener, patience time.Duration) error {
	defer l.Close()
	if host, _, err := net.SplitHostPort(l.Addr().String()); !s.cfg.Remote && (err != nil || !httpguard.IsLoopback(host)) {
		return fmt.Errorf("cannot serve sessions at %v: it is not a loopback address such as 127.0.0.1:8420, and Remote is not set", l.Addr())
	}
	server := &http.Server{Handler: s, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)}
	httpguard.Limit(server, s.cfg.MaxStreams+s.cfg.MaxRequests, s.cfg.Timeout)
	return httpguard.Serve(ctx, server, l, s.Drain, patience)
}

// ServeHTTP answers a request. openapi.json describes them.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if err := s.checkSource(r); err != nil {
		s.fail(w, &problem{http.StatusForbidden, "forbidden", err})
		return
	}
	s.mux.ServeHTTP(w, r)
}

var errRemote = errors.New("this server serves its own machine only")

func (s *Server) checkSource(r *http.Request) error {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); !s.cfg.Remote && (err != nil || !httpguard.IsLoopback(host)) {
		return errRemote
	}
	_, pattern := s.mux.Handler(r)
	return s.source.Check(r, pattern == pagePattern || pattern == homePattern)
}
