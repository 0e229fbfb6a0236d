package httpguard

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// guarded serves a handler with bounds, until the end of the test.
func guarded(t *testing.T, limit int, timeout time.Duration, encrypted bool, h http.HandlerFunc) *httptest.Server {
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	Limit(server.Config, limit, timeout)
	server.Config.IdleTimeout = time.Hour // so that only unknown connections are closed
	if server.EnableHTTP2 = encrypted; encrypted {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server
}

func dial(t *testing.T, server *httptest.Server, say string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, say); err != nil {
		t.Fatal(err)
	}
	return c
}

const get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

// Unknown connections that send nothing, not enough, or nothing more, are closed after a while, without TLS and with it.
func TestUnknownConnectionsHaveLittleTime(t *testing.T) {
	answer := func(http.ResponseWriter, *http.Request) {}
	plain := guarded(t, 100, 100*time.Millisecond, false, answer)
	for _, say := range []string{"", "GET / HTTP/1.1\r\nHo", get, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nx"} {
		if _, err := io.ReadAll(dial(t, plain, say)); err != nil {
			t.Errorf("%q: %v", say, err)
		}
	}
	encrypted := guarded(t, 100, 100*time.Millisecond, true, answer)
	for _, say := range []string{"", "\x16\x03\x01"} {
		if _, err := io.ReadAll(dial(t, encrypted, say)); err != nil {
			t.Errorf("%q to a server with TLS: %v", say, err)
		}
	}
	slow := guarded(t, 100, time.Second, true, answer) // so that an emulator comes to an agreement on HTTP/2
	cfg := slow.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	cfg.ServerName = "example.com" // of its certificate
	cfg.NextProtos = []string{"h2"}
	c := tls.Client(dial(t, slow, ""), cfg)
	io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00") // and no request
	_, _ = io.Copy(io.Discard, c)                                                             // its end may be one without a farewell
	if c.ConnectionState().NegotiatedProtocol != "h2" {
		t.Error("the connection does not use HTTP/2")
	}
}

// A connection that has shown a secret once is never closed for unknown ones, but one more than the limit is.
func TestKnownConnectionsStay(t *testing.T) {
	server := guarded(t, 1, time.Minute, false, func(_ http.ResponseWriter, r *http.Request) { Know(r) })
	known, other := dial(t, server, ""), dial(t, server, "")
	ask := func(c net.Conn) error {
		if _, err := io.WriteString(c, get); err != nil {
			return err
		}
		_, err := c.Read(make([]byte, 1000))
		return err
	}
	for range 2 {
		if err := ask(known); err != nil {
			t.Fatal(err)
		}
		if err := ask(other); err != nil { // there is only place for one, but no need to close it yet
			t.Fatal(err)
		}
	}
	for range 4 {
		dial(t, server, "")
	}
	if _, err := other.Read(make([]byte, 1)); err == nil {
		t.Error("a connection that is one too many is not closed for unknown ones")
	}
	if err := ask(known); err != nil {
		t.Errorf("a known connection was closed for unknown ones: %v", err)
	}
	known.Close()
	for ask(dial(t, server, "")) != nil { // until the server notices
	}
}

// A probe has a place of its own, and so many at a time. After it the connection is unknown again.
func TestProbesHavePlaces(t *testing.T) {
	begun, release := make(chan bool), make(chan bool)
	server := guarded(t, 1, time.Minute, false, func(w http.ResponseWriter, r *http.Request) {
		done, ok := Probe(r)
		begun <- ok
		if ok {
			defer done()
			<-release
		}
	})
	var waiting []net.Conn
	for i := range probes + 1 {
		c := dial(t, server, get)
		if ok := <-begun; ok != (i < probes) {
			t.Fatalf("probe %d has a place: %v", i+1, ok)
		}
		waiting = append(waiting, c)
	}
	for range 10 {
		dial(t, server, "")
	}
	close(release)
	for i, c := range waiting[:probes] {
		if _, err := fmt.Fscanf(c, "HTTP/1.1 200"); err != nil {
			t.Errorf("probe %d is not answered: %v", i+1, err)
		}
	}
	for range 4 {
		dial(t, server, "")
	}
	for _, c := range waiting[:probes] { // they are the oldest
		io.Copy(io.Discard, c)
	}
}

// A flood of connections that fail does not fill the log.
func TestErrorsOfConnectionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		server := &http.Server{ErrorLog: log.New(&out, "", 0)}
		Limit(server, 1, time.Second)
		say := func(format string, args ...any) { server.ErrorLog.Printf(format, args...) }
		for i := range 100 {
			say("http: TLS handshake error from %d: EOF", i)
		}
		say("http: panic serving 1: oh")
		time.Sleep(time.Second)
		say("http: TLS handshake error from 100: EOF")
		say("http: TLS handshake error from 101: EOF")
		time.Sleep(time.Minute)
		say("http: Accept error")
		time.Sleep(time.Second)
		say("http: Accept error")
		want := `http: TLS handshake error from 0: EOF
http: panic serving 1: oh
http: TLS handshake error from 100: EOF (99 others were left out)
http: Accept error (1 others were left out)
http: Accept error
`
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

// The handshake is one of those that the log has.
func TestFailedHandshakesAreBounded(t *testing.T) {
	var out strings.Builder
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(&out, "", 0)
	Limit(server.Config, 2, time.Minute)
	server.StartTLS()
	for range 20 {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "hello, hello, hello"); err != nil {
			t.Error(err)
		}
		_, _ = io.ReadAll(c) // until the server closes it, after it has logged the error
		c.Close()
	}
	server.Close()
	if n := strings.Count(out.String(), "TLS handshake error"); n == 0 || n == 20 {
		t.Errorf("20 handshakes that failed have %d lines:\n%s", n, out.String())
	}
}
