package basichttp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// Config configures a [Processor]. With the zero value it sends to this machine only and receives
// nothing.
type Config struct {
	// BaseURL is the URL at which the Processor is reached as a handler. The locations of sessions
	// are below it. Without it sessions have no location.
	BaseURL string

	// AllowTarget decides whether a session may send to a URL. Nil allows loopback addresses and
	// localhost only.
	AllowTarget func(*url.URL) error

	// Prepare, if it is not nil, may add headers to the requests that [Processor.Deliver] makes, such as
	// what the context of the request knows of a trace.
	Prepare func(*http.Request)

	// Accept decides which events requests may send to a session of the chart, besides those whose
	// names begin with "done." or "error.", which are always refused. Nil accepts all others, because
	// the answers that a session asked for look like any other event. (*scxml.Chart).IsUserEvent
	// refuses the events that the chart itself sends.
	Accept func(chart *scxml.Chart, name string) bool

	// AllowHosts lists host names, without ports, that requests may use in addition to the host of
	// BaseURL and the address of the connection. Other names are refused: a page of another web
	// site can make its name point to this machine ("DNS rebinding").
	AllowHosts []string

	// AllowOrigins lists web sites, such as "https://example.com", whose pages may send requests,
	// in addition to the web site that the request addresses.
	AllowOrigins []string

	// Transport carries out requests. Nil means http.DefaultTransport without proxies and with at
	// most MaxSends connections to a host.
	Transport http.RoundTripper

	// MaxSends is how many messages of all sessions may be in flight; 0 means 64. Sending another
	// one is error.communication.
	MaxSends int

	// MaxRequests is how many requests are served at the same time; 0 means 64. Further requests
	// are answered with 503. Listen keeps at most twice as many connections open that have named a
	// session, and eight times as many others, of which the oldest are closed for new ones.
	MaxRequests int

	// MaxBody is the maximum size in bytes of a body that is received or sent; 0 means 1 MiB.
	MaxBody int64

	// Timeout bounds one exchange, sent or received; 0 means 30 s.
	Timeout time.Duration
}

// maxHeader is the maximum size in bytes of the header of an answer.
const maxHeader = 64 << 10

// A Processor is an [scxml.IOProcessor] and an [http.Handler]. It is safe for
// concurrent use.
type Processor struct {
	cfg    Config
	base   *url.URL // nil: nothing is received
	source httpguard.Source
	client *http.Client
	server *http.Server // of Listen

	sends, requests chan struct{} // a value for each message and request in progress

	mu       sync.Mutex
	sessions map[string]*scxml.Session // by token
	tokens   map[*scxml.Session]string
}

// New returns a Processor. It panics if cfg.BaseURL is neither empty nor an http or https URL.
func New(cfg Config) *Processor {
	cfg.MaxBody = cmp.Or(cfg.MaxBody, 1<<20)
	cfg.Timeout = cmp.Or(max(0, cfg.Timeout), 30*time.Second)
	cfg.MaxSends = cmp.Or(max(0, cfg.MaxSends), 64)
	cfg.MaxRequests = cmp.Or(max(0, cfg.MaxRequests), 64)
	if cfg.AllowTarget == nil {
		cfg.AllowTarget = loopbackOnly
	}
	if cfg.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.Proxy = nil
		t.MaxConnsPerHost, t.MaxIdleConns = cfg.MaxSends, cfg.MaxSends
		t.MaxResponseHeaderBytes = maxHeader
		cfg.Transport = t
	}
	p := &Processor{
		cfg:      cfg,
		sends:    make(chan struct{}, cfg.MaxSends),
		requests: make(chan struct{}, cfg.MaxRequests),
		sessions: make(map[string]*scxml.Session),
		tokens:   make(map[*scxml.Session]string),
	}
	p.client = &http.Client{
		Transport: cfg.Transport,
		Timeout:   cfg.Timeout,
		// A redirect could lead to a target that AllowTarget refuses.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if cfg.BaseURL != "" {
		base, err := url.Parse(cfg.BaseURL)
		if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
			panic(fmt.Sprintf("basichttp: BaseURL %q is not an http or https URL", cfg.BaseURL))
		}
		if !strings.HasSuffix(base.Path, "/") {
			base.Path += "/"
		}
		p.base = base
	}
	p.source = httpguard.Source{Base: p.base, Hosts: cfg.AllowHosts, Origins: cfg.AllowOrigins}
	return p
}

// Listen returns a new Processor and serves it on a TCP address from now on until ctx is done. The
// host in addr must be a loopback address or localhost unless anywhere is set. The port may be 0.
// If cfg.BaseURL is empty, Listen sets it.
func Listen(ctx context.Context, addr string, anywhere bool, cfg Config) (*Processor, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("basichttp: %w", err)
	}
	if !anywhere && !httpguard.IsLoopback(host) {
		return nil, fmt.Errorf("basichttp: %q is not a loopback address: want one such as 127.0.0.1:0", addr)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("basichttp: %w", err)
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://" + l.Addr().String() + "/scxml/"
	}
	p := New(cfg)
	p.server = &http.Server{Handler: p}
	httpguard.Limit(p.server, 2*p.cfg.MaxRequests, p.cfg.Timeout)
	go p.server.Serve(l) // it ends with the Close below
	context.AfterFunc(ctx, func() { p.server.Close() })
	return p, nil
}

// Shutdown ends the server of [Listen] when it has answered the requests that it has received, or when
// ctx is done, whose error it then returns. A process that ends with a session waits for this: the
// request that ended the session may not have its answer yet.
func (p *Processor) Shutdown(ctx context.Context) error {
	if p.server == nil {
		return nil
	}
	return p.server.Shutdown(ctx)
}

// Open implements [scxml.IOProcessor].
func (p *Processor) Open(s *scxml.Session) string {
	if p.base == nil {
		return ""
	}
	return p.open(s, rand.Text())
}

// Reopen implements [scxml.Reopener]. The location keeps its token, below the present BaseURL.
func (p *Processor) Reopen(s *scxml.Session, location string) string {
	token := location[strings.LastIndexByte(location, '/')+1:]
	if p.base == nil || len(token) != len(rand.Text()) || strings.ContainsFunc(token, notBase32) {
		return p.Open(s)
	}
	return p.open(s, token)
}

// notBase32 reports whether c does not occur in [rand.Text].
func notBase32(c rune) bool { return (c < 'A' || c > 'Z') && (c < '2' || c > '7') }

func (p *Processor) open(s *scxml.Session, token string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions[token] = s
	p.tokens[s] = token
	return p.base.JoinPath(token).String()
}

// Close implements [scxml.IOProcessor].
func (p *Processor) Close(s *scxml.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if token := p.tokens[s]; p.sessions[token] == s { // not a session restored in its place
		delete(p.sessions, token)
	}
	delete(p.tokens, s)
}

func (p *Processor) session(token string) *scxml.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[token]
}

func loopbackOnly(u *url.URL) error {
	if httpguard.IsLoopback(u.Hostname()) {
		return nil
	}
	return errors.New("want an address of this machine")
}
