package rest_test

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// A client without a token that sends no more of its request, or reads no answers, loses its connection:
// there are only so many.
func TestSlowClientsWithoutToken(t *testing.T) {
	r := newRig(t, rigConfig{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := rest.New(rest.Config{Fleet: r.fleet, Timeout: 300 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- server.Serve(ctx, l, time.Second) }()
	for _, path := range []string{"/v1/sessions", "/v1/nothing"} {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(c, "POST "+path+" HTTP/1.1\r\nHost: "+l.Addr().String()+"\r\nContent-Length: 100\r\n\r\nx")
		if _, err := io.ReadAll(c); err != nil {
			t.Errorf("%s: the server waits for the body: %v", path, err)
		}
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	for err == nil { // until the server has closed the connection
		_, err = io.WriteString(c, "GET /v1/openapi.json HTTP/1.1\r\nHost: "+l.Addr().String()+"\r\n\r\n")
	}
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Error("the server waits for the reader of its answers")
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
