package httpguard

import (
	"bytes"
	"cmp"
	"container/list"
	"context"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	maxHeader = 64 << 10         // bytes of the header of a request
	patience  = 10 * time.Second // with an unknown connection
	least     = 200 * time.Millisecond
	probes    = 32 // that are answered at the same time
)

// Limit bounds the connections of a server, and how long they may take: at most limit connections whose
// requests have shown a secret (see [Know]), four times as many unknown ones, and some more whose requests are
// [Probe]s. Unknown ones have little time. While there are too many, the oldest is closed for each new one, but
// not within 0.2 s: so a client that sends its request at once is answered. The deadlines of the server
// are those for unknown connections: handlers set later ones, up to the time timeout, for requests with a secret.
// The log of the errors of connections has one line in a second.
func Limit(server *http.Server, limit int, timeout time.Duration) {
	c := &conns{limit: limit, maxUnknown: 4 * limit, patience: min(patience, timeout), open: map[net.Conn]*conn{}}
	server.ReadHeaderTimeout, server.ReadTimeout, server.WriteTimeout = c.patience, c.patience, c.patience
	server.IdleTimeout = 2 * timeout
	server.MaxHeaderBytes = maxHeader
	server.ConnContext, server.ConnState = c.add, c.set
	server.ErrorLog = log.New(&errorLog{to: cmp.Or(server.ErrorLog, log.Default())}, "", 0)
}

// An errorLog is that of a server. Without a secret, anyone can make each connection a line, for example by a
// handshake that fails: so there is one in a second, with the number of those that were left out since the
// line before.
type errorLog struct {
	to *log.Logger

	mu   sync.Mutex
	last time.Time
	left int
}

func (l *errorLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch now := time.Now(); {
	case bytes.HasPrefix(line, []byte("http: panic ")): // a mistake of ours
		l.to.Print(string(line))
	case now.Sub(l.last) < time.Second:
		l.left++
	case l.left > 0:
		l.to.Printf("%s (%d others were left out)", bytes.TrimSpace(line), l.left)
		l.last, l.left = now, 0
	default:
		l.to.Print(string(line))
		l.last = now
	}
	return len(line), nil
}

// Know says that a request has shown a secret of the server. Its connection is known then, and
// stays known to its end: a load balancer sends the requests of many over it.
func Know(r *http.Request) {
	if p, ok := r.Context().Value(connKey{}).(*conn); ok {
		p.of.know(p)
	}
}

// Probe keeps a place for a request that asks without a secret whether the server works, and reports
// whether one was free. Call done after the answer.
func Probe(r *http.Request) (done func(), ok bool) {
	p, ok := r.Context().Value(connKey{}).(*conn)
	if !ok { // not a server of Limit
		return func() {}, true
	}
	return p.of.probe(p)
}

// conns are the connections of a server.
type conns struct {
	limit      int // of known ones
	maxUnknown int // limit of unknown ones
	patience   time.Duration

	mu      sync.Mutex
	open    map[net.Conn]*conn // that are not closed
	unknown list.List          // of *conn, the oldest first
	known   int
	probes  int // requests in progress
}

// A conn is a connection. It is unknown, known, or the one of a probe; or it is being closed.
type conn struct {
	net.Conn
	of      *conns
	place   *list.Element // among the unknown ones; nil for others
	since   time.Time     // when it became unknown
	known   bool
	probes  int         // requests in progress
	waiting *time.Timer // closes an unknown one that sends no request
}

type connKey struct{} // of the context of a request, for its *conn

// add adds a connection, which is unknown, and closes the oldest one if they are too many. The server
// accepts no other connection meanwhile.
func (c *conns) add(ctx context.Context, nc net.Conn) context.Context {
	p := &conn{Conn: nc, of: c}
	p.waiting = time.AfterFunc(c.patience, p.abort)
	var old []*conn
	c.mu.Lock()
	if c.unknown.Len() >= c.maxUnknown { // others wait in the queue of the listener meanwhile
		wait := least - time.Since(c.unknown.Front().Value.(*conn).since)
		c.mu.Unlock()
		time.Sleep(wait)
		c.mu.Lock()
	}
	c.open[nc] = p
	p.enter()
	for c.unknown.Len() > c.maxUnknown {
		oldest := c.unknown.Front().Value.(*conn)
		oldest.leave()
		old = append(old, oldest)
	}
	c.mu.Unlock()
	for _, oldest := range old {
		oldest.abort()
	}
	return context.WithValue(ctx, connKey{}, p)
}

// set notes what a connection does.
func (c *conns) set(nc net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.open[nc]
	switch state {
	case http.StateActive:
		p.waiting.Stop()
	case http.StateIdle:
		if p.place != nil {
			p.waiting.Reset(c.patience)
		}
	case http.StateClosed, http.StateHijacked:
		p.waiting.Stop()
		p.leave()
		if p.known {
			c.known--
		}
		delete(c.open, nc)
	}
}

func (c *conns) know(p *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !p.known && c.open[p.Conn] == p && c.known < c.limit {
		p.known = true
		c.known++
		p.leave()
	}
}

func (c *conns) probe(p *conn) (done func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.probes == probes {
		return nil, false
	}
	c.probes++
	p.probes++
	p.leave()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.probes--
		p.probes--
		if p.probes == 0 && !p.known && c.open[p.Conn] == p {
			p.enter()
		}
	}, true
}

// enter adds a connection to the unknown ones.
func (p *conn) enter() { p.place, p.since = p.of.unknown.PushBack(p), time.Now() }

// leave removes a connection from the unknown ones.
func (p *conn) leave() {
	if p.place != nil {
		p.of.unknown.Remove(p.place)
		p.place = nil
	}
}

// abort closes a connection at once. One with TLS would first tell its client, which may not read.
func (p *conn) abort() {
	if encrypted, ok := p.Conn.(interface{ NetConn() net.Conn }); ok {
		encrypted.NetConn().Close()
		return
	}
	p.Conn.Close()
}
