package inspect_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// A tick is the message of a stream about new rows.
type tick struct {
	Session string
	Length  int
	Rows    []struct {
		N      int
		Event  string
		Active []string
	}
}

// A reader reads the messages of a stream.
type reader struct {
	t     *testing.T
	lines *bufio.Scanner
}

func newReader(t *testing.T, r io.Reader) *reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	return &reader{t, lines}
}

// next returns the next message with a name, or false at the end of the stream.
func (r *reader) next(name string) (data string, ok bool) {
	for r.lines.Scan() {
		if r.lines.Text() == "event: "+name && r.lines.Scan() {
			return strings.TrimPrefix(r.lines.Text(), "data: "), true
		}
	}
	return "", false
}

func (r *reader) tick() (v tick) {
	r.t.Helper()
	text, ok := r.next("tick")
	if err := json.Unmarshal([]byte(text), &v); !ok || err != nil {
		r.t.Fatalf("no tick: %q, %v", text, err)
	}
	return v
}

// open opens the stream of a session.
func open(t *testing.T, base, token, path string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// A stream has the list, the newest rows, those that are added, and says when the inspector ends.
func TestStream(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	resp := open(t, x.server.URL, "read", "/api/events?session=1")
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	r := newReader(t, resp.Body)
	if list, _ := r.next("sessions"); !strings.Contains(list, `"name":"lamp"`) || !strings.Contains(list, `"readonly":true`) {
		t.Errorf("list %s", list)
	}
	if got := r.tick(); got.Length != 1 || len(got.Rows) != 1 || got.Rows[0].Active[0] != "off" {
		t.Errorf("first tick %+v", got)
	}
	if err := x.session.Send(scxml.Event{Name: "push"}); err != nil {
		t.Fatal(err)
	}
	if got := r.tick(); got.Length != 2 || got.Rows[1].Event != "push" || got.Rows[1].Active[0] != "on" {
		t.Errorf("tick after an event %+v", got)
	}
	remove := x.in.Add(inspect.Session{Name: "another", History: x.history})
	if list, _ := r.next("sessions"); !strings.Contains(list, "another") {
		t.Errorf("list after an addition: %s", list)
	}
	another := newReader(t, open(t, x.server.URL, "read", "/api/events?session=2").Body)
	another.tick()
	remove()
	if text, _ := another.next("problem"); !strings.Contains(text, "no session") {
		t.Errorf("a stream of a session that was removed: %q", text)
	}
	x.in.Close()
	if _, ok := r.next("bye"); !ok {
		t.Error("the stream ends without a bye")
	}
	if resp := open(t, x.server.URL, "read", "/api/events?session=9"); resp.StatusCode != 404 {
		t.Errorf("a stream of no session: status %d", resp.StatusCode)
	}
}

// A gate is a connection that takes nothing until it is opened.
type gate struct {
	header  http.Header
	waiting chan struct{} // closed when the first write waits
	opened  chan struct{}
	written chan struct{} // receives after a write
	once    sync.Once

	mu       sync.Mutex
	text     bytes.Buffer
	messages int
}

func newGate() *gate {
	return &gate{header: http.Header{}, waiting: make(chan struct{}), opened: make(chan struct{}), written: make(chan struct{}, 1)}
}

func (g *gate) Header() http.Header { return g.header }
func (g *gate) WriteHeader(int)     {}
func (g *gate) Flush()              {}
func (g *gate) Write(p []byte) (int, error) {
	g.once.Do(func() { close(g.waiting) })
	<-g.opened
	defer func() {
		select {
		case g.written <- struct{}{}:
		default:
		}
	}()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.messages++
	return g.text.Write(p)
}

func (g *gate) sees(text string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Contains(g.text.String(), text)
}

// A page that never reads does not stop the session, and what it has not read is not kept for it:
// afterwards it gets the newest rows.
func TestPageThatDoesNotRead(t *testing.T) {
	const events = 3000
	x := newServer(t, inspect.Config{AllowHosts: []string{"example.com"}}, counter)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ended sync.WaitGroup
	var gates []*gate
	for range 8 {
		g := newGate()
		gates = append(gates, g)
		ended.Go(func() {
			r := httptest.NewRequest("GET", "/api/events?session=1", nil).WithContext(ctx)
			r.Header.Set("Authorization", "Bearer full")
			r.RemoteAddr = "127.0.0.1:1"
			x.in.ServeHTTP(g, r)
		})
		<-g.waiting
	}
	for range events { // would never end if the session waited
		if err := x.session.Send(scxml.Event{Name: "e"}); err != nil {
			t.Fatal(err)
		}
	}
	for x.history.Len() < events+1 {
		x.settle()
	}
	v, err := x.history.Seek(ctx, events)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := v.Eval(ctx, "n"); n != int64(events) {
		t.Errorf("the session has counted %v events, want %d (%v)", n, events, err)
	}
	for _, g := range gates {
		close(g.opened)
	}
	for _, g := range gates {
		for !g.sees(`"length":3001`) {
			<-g.written
		}
	}
	cancel()
	ended.Wait()
	for _, g := range gates {
		if rows := strings.Count(g.text.String(), `"kind"`); rows > 2*64+1 || g.text.Len() > 200_000 {
			t.Errorf("a page that did not read gets %d rows in %d messages of %d bytes", rows, g.messages, g.text.Len())
		}
		last := g.text.String()[strings.LastIndex(g.text.String(), "event: tick"):]
		if got := newReader(t, strings.NewReader(last)).tick(); got.Rows[len(got.Rows)-1].N != events {
			t.Errorf("its last row is %+v", got.Rows[len(got.Rows)-1])
		}
	}
}

// A page that does not read for the time of Timeout loses its stream, so that others can be open.
func TestPageThatDoesNotReadIsDropped(t *testing.T) {
	x := newServer(t, inspect.Config{MaxStreams: 1, Timeout: 50 * time.Millisecond}, counter)
	server := httptest.NewUnstartedServer(x.in)
	server.Config.ConnState = func(c net.Conn, state http.ConnState) { // a small buffer is soon full
		if state == http.StateNew {
			_ = c.(*net.TCPConn).SetWriteBuffer(4096) // it would only take longer
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "GET /api/events?session=1 HTTP/1.1\r\nAuthorization: Bearer full\r\nHost: "+server.Listener.Addr().String()+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 100)); err != nil { // the stream has begun
		t.Fatal(err)
	}
	if resp := open(t, server.URL, "full", "/api/events"); resp.StatusCode != 503 {
		t.Fatalf("a second stream: status %d, want 503", resp.StatusCode)
	}
	long := strings.Repeat("x", 300)
	for t.Context().Err() == nil {
		for range 100 {
			if err := x.session.Send(scxml.Event{Name: "e", Data: long}); err != nil {
				t.Fatal(err)
			}
		}
		x.settle()
		resp := open(t, server.URL, "full", "/api/events")
		resp.Body.Close()
		if resp.StatusCode == 200 {
			return
		}
	}
}

// Requests at the same time are limited.
func TestMaxRequests(t *testing.T) {
	x := newServer(t, inspect.Config{MaxRequests: 1}, lamp)
	first := make(chan int, 1)
	begin := func() io.WriteCloser {
		body, release := io.Pipe()
		go func() {
			req, err := http.NewRequest("POST", x.server.URL+"/api/sessions/1/send", body)
			if err != nil {
				panic(err)
			}
			req.Header.Set("Authorization", "Bearer full")
			req.Header.Set("Content-Type", "application/json")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				panic(err)
			}
			resp.Body.Close()
			first <- resp.StatusCode
		}()
		if _, err := io.WriteString(release, "{"); err != nil { // the request is on its way
			t.Fatal(err)
		}
		return release
	}
	release := begin()
	for status := 0; status != 503; { // until it has arrived
		select {
		case <-first: // it came while one of those below was served
			release.Close()
			release = begin()
		default:
		}
		status, _, _ = request(t, x.server, "GET", "/api/sessions", "", nil)
	}
	if _, err := io.WriteString(release, `"event":"push"}`); err != nil {
		t.Fatal(err)
	}
	release.Close()
	if got := <-first; got != 200 {
		t.Errorf("the first request: status %d", got)
	}
	if status, _, _ := request(t, x.server, "GET", "/api/sessions", "", nil); status != 200 {
		t.Errorf("a request after it: status %d", status)
	}
}

// Serve ends streams with its context, and returns.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	in := inspect.New(inspect.Config{Token: "full"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	served := make(chan error)
	go func() { served <- in.Serve(ctx, l) }()
	base := "http://" + l.Addr().String()
	r := newReader(t, open(t, base, "full", "/api/events").Body)
	if _, ok := r.next("sessions"); !ok {
		t.Fatal("no list")
	}
	cancel()
	if _, ok := r.next("bye"); !ok {
		t.Error("the stream ends without a bye")
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
