package inspect

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// Config configures an [Inspector]. The zero value serves browsers on this machine that have one of
// two random tokens.
type Config struct {
	// Token is the token of those who may do everything, and ReadToken of those who may only look.
	// Empty ones are made at random.
	Token, ReadToken string

	// Access decides instead of the tokens what a request may do, for a program that knows its users.
	// It is asked for each request of the page's scripts, not for the page itself.
	Access func(*http.Request) Access

	// Remote serves other machines, too. Without it only connections from this machine are served.
	Remote bool
	// AllowHosts lists host names, without ports, that requests may use in addition to the address
	// of the connection. Other names are refused: a page of another web site can make its name point
	// to this machine ("DNS rebinding").
	AllowHosts []string
	// AllowOrigins lists web sites, such as "https://example.com", whose pages may send requests, in
	// addition to the web site that the request addresses.
	AllowOrigins []string

	// MaxBranches is how many branches there can be; 0 means 32.
	MaxBranches int
	// MaxStreams is how many pages can be open at the same time; 0 means 32.
	MaxStreams int
	// MaxRequests is how many other requests are served at the same time; 0 means 64. Further ones
	// are answered with 503.
	MaxRequests int
	// Timeout bounds a request and each write to a stream; 0 means 30 s. A page that does not read loses
	// the connection.
	Timeout time.Duration
}

// Access is what a request may do.
type Access uint8

// The kinds of access.
const (
	None Access = iota // nothing
	Read               // look at sessions
	Full               // send events too, make branches, stop sessions
)

const (
	maxBody     = 1 << 20 // bytes of a request
	maxBranches = 32
	interval    = 33 * time.Millisecond  // between the messages of a stream
	grace       = 500 * time.Millisecond // for requests at the end of Serve
)

// An Inspector is an [http.Handler] that shows sessions. It is safe for concurrent use.
type Inspector struct {
	cfg    Config
	source httpguard.Source
	mux    *http.ServeMux
	closed chan struct{}

	streams, requests, replays chan struct{} // a value for each in progress

	mu      sync.Mutex
	members []*member
	last    int // number of the member that was added last
}

// New returns an inspector without sessions.
func New(cfg Config) *Inspector {
	cfg.Token = cmp.Or(cfg.Token, rand.Text())
	cfg.ReadToken = cmp.Or(cfg.ReadToken, rand.Text())
	cfg.MaxBranches = cmp.Or(max(0, cfg.MaxBranches), maxBranches)
	cfg.MaxStreams = cmp.Or(max(0, cfg.MaxStreams), 32)
	cfg.MaxRequests = cmp.Or(max(0, cfg.MaxRequests), 64)
	cfg.Timeout = cmp.Or(max(0, cfg.Timeout), 30*time.Second)
	in := &Inspector{
		cfg:      cfg,
		source:   httpguard.Source{Hosts: cfg.AllowHosts, Origins: cfg.AllowOrigins},
		closed:   make(chan struct{}),
		streams:  make(chan struct{}, cfg.MaxStreams),
		requests: make(chan struct{}, cfg.MaxRequests),
		replays:  make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), // the session needs a processor, too
	}
	in.mux = in.routes()
	return in
}

// URL returns the address of the page for those who may do everything, if the inspector is served at
// base, a URL that ends with a slash. It contains the token: anyone who has it can send events.
func (in *Inspector) URL(base string) string { return base + "#token=" + in.cfg.Token }

// ReadURL returns the address of the page for those who may only look.
func (in *Inspector) ReadURL(base string) string { return base + "#token=" + in.cfg.ReadToken }

// Close ends the streams of all pages, and new ones at once.
func (in *Inspector) Close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case <-in.closed:
	default:
		close(in.closed)
	}
}

// Serve serves the inspector until ctx is done, which ends the streams of all pages, and returns nil
// then. The address of l must be a loopback address unless Remote is set. Serve bounds the number of
// connections: those without a token are closed for others, the oldest first. It closes l.
func (in *Inspector) Serve(ctx context.Context, l net.Listener) error {
	defer l.Close()
	if host, _, err := net.SplitHostPort(l.Addr().String()); !in.cfg.Remote && (err != nil || !httpguard.IsLoopback(host)) {
		return fmt.Errorf("cannot serve the inspector at %v: it is not a loopback address such as 127.0.0.1:0, and Remote is not set", l.Addr())
	}
	server := &http.Server{Handler: in}
	httpguard.Limit(server, in.cfg.MaxStreams+in.cfg.MaxRequests, in.cfg.Timeout)
	return httpguard.Serve(ctx, server, l, in.Close, grace)
}

// ServeHTTP serves the page and its requests. PROTOCOL.md in this directory describes them.
func (in *Inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if err := in.checkSource(r); err != nil {
		fail(w, http.StatusForbidden, err)
		return
	}
	in.mux.ServeHTTP(w, r)
}

// protect sets what keeps other web sites away from the page, and the page from them.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

var errRemote = errors.New("the inspector serves this machine only: see Remote in inspect.Config, or --listen of scxmlrun inspect")

func (in *Inspector) checkSource(r *http.Request) error {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); !in.cfg.Remote && (err != nil || !httpguard.IsLoopback(host)) {
		return errRemote
	}
	_, pattern := in.mux.Handler(r)
	return in.source.Check(r, pattern == pagePattern)
}

// access returns what a request may do.
func (in *Inspector) access(r *http.Request) Access {
	if in.cfg.Access != nil {
		return in.cfg.Access(r)
	}
	token, ok := httpguard.Token(r)
	if !ok {
		return None
	}
	is := func(want string) bool { return subtle.ConstantTimeCompare([]byte(token), []byte(want)) == 1 }
	switch {
	case is(in.cfg.Token):
		return Full
	case is(in.cfg.ReadToken):
		return Read
	}
	return None
}
