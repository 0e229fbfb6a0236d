package basichttp_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
)

// peers are servers that fail in different ways, or that almost do.
var peers = map[string]struct {
	serve func(net.Conn)
	fails bool
}{
	"answers":                 {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n") }, false},
	"closes":                  {func(net.Conn) {}, true},
	"closes in the status":    {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 20") }, true},
	"closes in the header":    {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-") }, true},
	"closes in the body":      {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx") }, false},
	"sends noise":             {func(c net.Conn) { io.WriteString(c, "\x00\xff\r\n\r\n\x01") }, true},
	"speaks another protocol": {func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n") }, true},
	"fails":                   {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n") }, true},
	"has an odd status":       {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n") }, true},
	"redirects to itself": {func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 307 Again\r\nLocation: /\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	}, true},
	"redirects elsewhere": {func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 302 There\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n")
	}, true},
	"sends endless headers": {func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	}, true},
	"sends an endless body": {func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		for {
			if _, err := io.WriteString(c, strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	}, false},
	"hangs before the status": {func(c net.Conn) { io.Copy(io.Discard, c) }, true},
	"hangs in the header":     {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\n"); io.Copy(io.Discard, c) }, true},
	"hangs in the body": {func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
		io.Copy(io.Discard, c)
	}, false},
}

// A peer that fails or hangs in any way costs one error.communication, and no other message.
func TestFaultyPeers(t *testing.T) {
	p := basichttp.New(basichttp.Config{Timeout: 300 * time.Millisecond, MaxBody: 1 << 16})
	chart := `<datamodel><data id="n" expr="0"/></datamodel><state><transition event="go"><send type="basichttp" targetexpr="_event.data" event="hello"/></transition>
		<transition event="error.communication"><assign location="n" expr="n + 1"/></transition></state>`
	for name, peer := range peers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { listener.Close() })
			go func() {
				for {
					c, err := listener.Accept()
					if err != nil {
						return
					}
					go func() {
						defer c.Close()
						in := bufio.NewReader(c)
						if r, err := http.ReadRequest(in); err == nil {
							io.Copy(io.Discard, r.Body)
						}
						peer.serve(c)
					}()
				}
			}()
			s := start(t, p, chart)
			if err := s.Send(scxml.Event{Name: "go", Data: "http://" + listener.Addr().String() + "/"}); err != nil {
				t.Fatal(err)
			}
			for more := true; more || s.Busy(); {
				if !more {
					<-s.Wake()
				}
				if more, err = s.Step(t.Context(), time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			s.Step(t.Context(), time.Now()) // what the message has left
			s.Step(t.Context(), time.Now())
			want := 0
			if peer.fails {
				want = 1
			}
			if n, err := s.Eval(t.Context(), "n"); fmt.Sprint(n) != fmt.Sprint(want) || err != nil {
				t.Errorf("%v errors, want %v, %v", n, want, err)
			}
		})
	}
}

// A client that closes its connection or hangs after any byte of its request sends no event, and
// does not keep the server from others.
func TestFaultyClients(t *testing.T) {
	s := start(t, listen(t, basichttp.Config{Timeout: 300 * time.Millisecond}), `<datamodel><data id="n" expr="0"/></datamodel>
		<state><transition event="hello"><assign location="n" expr="n + 1"/></transition></state>`)
	u, err := url.Parse(location(t, s))
	if err != nil {
		t.Fatal(err)
	}
	const body = "_scxmleventname=hello"
	request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", u.Path, u.Host, len(body), body)
	send := func(n int) net.Conn {
		c, err := net.Dial("tcp", u.Host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, request[:n]); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for n := range request {
		send(n).Close()
	}
	for n := 0; n < len(request); n += 20 {
		c := send(n)
		io.Copy(io.Discard, c) // until the server closes it
		c.Close()
	}
	c := send(len(request))
	defer c.Close()
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || resp.StatusCode != http.StatusNoContent {
		t.Errorf("%v, %v", resp, err)
	}
	for more := true; more; {
		if more, err = s.Step(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Eval(t.Context(), "n"); fmt.Sprint(n) != "1" || err != nil {
		t.Errorf("%v events, %v: want 1", n, err)
	}
}

// roundTripper is an http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A transport that panics costs one error.
func TestTransportPanics(t *testing.T) {
	p := basichttp.New(basichttp.Config{Transport: roundTripper(func(*http.Request) (*http.Response, error) { panic(errors.New("boom")) })})
	s := start(t, p, `<state id="a"><onentry><send type="basichttp" target="http://localhost/" event="hello"/></onentry><transition event="error.communication" target="b"/></state><state id="b"/>`)
	for !s.In("b") {
		<-s.Wake()
		if _, err := s.Step(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}
