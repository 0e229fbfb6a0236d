package httpguard_test

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

var (
	floodConns = flag.Int("flood.conns", 300, "attack with this `number` of connections")
	floodTime  = flag.Duration("flood.time", 0, "attack each server of the package for this `time`, with its default limits; 0 means once")
)

const secret = "secret-of-the-clients-0"

// A target is a server that is attacked.
type target struct {
	url    string
	client http.Transport
	probe  string // a path that needs no secret
	path   string // that needs one
	stream string // that needs one and stays open, or ""
}

// places is the limit of a short test, so that few connections are already too many.
func places() int {
	if *floodTime > 0 {
		return 0 // the default
	}
	return 8
}

var targets = map[string]func(*testing.T) *target{
	"serve":     func(t *testing.T) *target { return serveFleet(t, false) },
	"serve TLS": func(t *testing.T) *target { return serveFleet(t, true) },
	"inspect": func(t *testing.T) *target {
		in := inspect.New(inspect.Config{Token: secret, MaxRequests: places(), MaxStreams: places()})
		return &target{url: serve(t, nil, in.Serve), probe: "/", path: "/api/sessions", stream: "/api/events"}
	},
	"run --http": func(t *testing.T) *target {
		p, err := basichttp.Listen(t.Context(), "127.0.0.1:0", false, basichttp.Config{MaxRequests: places()})
		must(t, err)
		chart, err := scxml.Parse("s.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="s"/></scxml>`))
		must(t, err)
		s, err := scxml.New(chart, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, p))
		must(t, err)
		at, err := url.Parse(p.Open(s))
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan struct{})
		go func() {
			defer close(ran)
			_ = s.Run(ctx) // until the end of the test
		}()
		t.Cleanup(func() {
			cancel()
			<-ran
		})
		return &target{url: "http://" + at.Host, probe: "/", path: at.Path}
	},
}

func serveFleet(t *testing.T, encrypted bool) *target {
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{})
	must(t, err)
	server := rest.New(rest.Config{Fleet: f, Tokens: []rest.Token{rest.NewToken("client", secret, rest.All)}, MaxRequests: places(), MaxStreams: places()})
	of := &target{probe: "/livez", path: "/v1/sessions"}
	var cfg *tls.Config
	if encrypted {
		pattern := httptest.NewTLSServer(nil) // for its certificate
		pattern.Close()
		cfg = &tls.Config{Certificates: pattern.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}}
		of.client.TLSClientConfig = pattern.Client().Transport.(*http.Transport).TLSClientConfig
		of.client.ForceAttemptHTTP2 = true
	}
	of.url = serve(t, cfg, func(ctx context.Context, l net.Listener) error { return server.Serve(ctx, l, time.Second) })
	return of
}

// serve serves until the end of the test and returns the URL.
func serve(t *testing.T, cfg *tls.Config, serve func(context.Context, net.Listener) error) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	url := "http://" + l.Addr().String()
	if cfg != nil {
		l, url = tls.NewListener(l, cfg), "https"+url[len("http"):]
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return url
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ask asks a server, which must answer. reused says whether the connection is one of before.
func (of *target) ask(t *testing.T, client *http.Transport, path string) (reused bool) {
	t.Helper()
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }})
	resp, err := of.send(ctx, client, path)
	if err != nil {
		t.Errorf("%s is not answered: %v", path, err)
		return false
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return reused
}

func (of *target) send(ctx context.Context, client *http.Transport, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, of.url+path, nil)
	if err != nil {
		return nil, err
	}
	if path != of.probe {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := client.RoundTrip(r)
	if err == nil && resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusNoContent && path != "/" {
		resp.Body.Close()
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return resp, err
}

// attacks are what unknown connections send: nothing, half of a header, half of a body, or requests
// whose answers they do not read.
var attacks = []string{
	"", "GET / HTTP/1.1\r\nHost: HOST\r\nX-Half: ", "POST /v1/sessions HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100\r\n\r\n{",
	strings.Repeat("GET / HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer wrong\r\n\r\n", 5),
}

// Connections without a secret do not shut out others, no matter how many there are and what they send.
func TestUnknownConnectionsDoNotShutOthersOut(t *testing.T) {
	for name, start := range targets {
		t.Run(name, func(t *testing.T) {
			if *floodTime == 0 {
				t.Parallel()
			}
			of := start(t)
			host := of.url[strings.LastIndex(of.url, "/")+1:]
			kept, fresh := of.client.Clone(), of.client.Clone()
			fresh.DisableKeepAlives = true
			defer kept.CloseIdleConnections()
			of.ask(t, kept, of.path)
			var stream *http.Response
			if of.stream != "" {
				var err error
				stream, err = of.send(t.Context(), of.client.Clone(), of.stream)
				must(t, err)
			}
			if *floodTime == 0 {
				for i := range *floodConns {
					c, err := net.Dial("tcp", host)
					must(t, err)
					defer c.Close()
					io.WriteString(c, strings.ReplaceAll(attacks[i%len(attacks)], "HOST", host)) // it may be closed
				}
				of.ask(t, fresh, of.probe)
				of.ask(t, fresh, of.path)
				if !of.ask(t, kept, of.path) {
					t.Error("a connection that has shown the secret was closed")
				}
			} else {
				of.flood(t, host, kept, fresh)
			}
			if stream != nil {
				read := make([]byte, 1<<20)
				if _, err := stream.Body.Read(read); err != nil {
					t.Errorf("a stream was closed: %v", err)
				}
				stream.Body.Close()
			}
		})
	}
}

// flood attacks a server for some time, and measures how long clients wait for answers.
func (of *target) flood(t *testing.T, host string, kept, fresh *http.Transport) {
	ctx, cancel := context.WithTimeout(t.Context(), *floodTime)
	defer cancel()
	var all sync.WaitGroup
	var tries atomic.Int64
	for i := range *floodConns {
		all.Go(func() {
			for ctx.Err() == nil {
				if c, err := net.Dial("tcp", host); err == nil {
					tries.Add(1)
					stop := context.AfterFunc(ctx, func() { c.Close() })
					io.WriteString(c, strings.ReplaceAll(attacks[i%len(attacks)], "HOST", host)) // it may be closed
					c.Read(make([]byte, 1))                                                      // an answer, or the end
					if i%len(attacks) == 3 {
						c.(*net.TCPConn).SetReadBuffer(1)
						<-time.After(5 * time.Second)
					}
					stop()
					c.Close()
				}
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
			}
		})
	}
	most := 0
	for _, client := range []struct {
		what   string
		client *http.Transport
		path   string
	}{{"without a secret", fresh, of.probe}, {"with a secret", fresh, of.path}, {"with a secret on an old connection", kept, of.path}} {
		all.Go(func() {
			var took []time.Duration
			for ctx.Err() == nil {
				began := time.Now()
				of.ask(t, client.client, client.path)
				took = append(took, time.Since(began))
				time.Sleep(50 * time.Millisecond)
			}
			slices.Sort(took)
			t.Logf("%s %s: %d requests, median %v, 99 %% within %v, worst %v", client.path, client.what, len(took), took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
		})
	}
	for ctx.Err() == nil {
		most = max(most, runtime.NumGoroutine())
		time.Sleep(time.Second)
	}
	all.Wait()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d unknown connections; at most %d goroutines, of which they have %d; %d MB", tries.Load(), most, *floodConns, m.Sys>>20)
}
