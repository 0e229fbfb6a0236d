package servertest

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

// A dialer makes connections that call before for each request to JetStream, and then send it.
type dialer struct{ before func(request string) }

type dialed struct {
	net.Conn
	d dialer
}

func (d dialer) Dial(network, address string) (net.Conn, error) {
	c, err := net.DialTimeout(network, address, time.Minute)
	return &dialed{c, d}, err
}

func (c *dialed) Write(b []byte) (int, error) {
	if _, request, ok := strings.Cut(string(b), "$JS.API."); ok {
		c.d.before(strings.Fields(request)[0])
	}
	return c.Conn.Write(b)
}

// A host opens a store while another one works: before each of its requests the other one has stored something in
// each stream, and noted that.
func TestOpenWhileOthersWrite(t *testing.T) {
	c := Start(t, Options{})
	url := c.URL("busy", "shards=2")
	other := mustOpen(t, url)
	defer other.Close()
	admin := c.JetStream(t)
	var n atomic.Int64
	var opened atomic.Bool
	work := func(string) {
		if opened.Load() {
			return
		}
		for range 4 {
			if err := put(t, other, fmt.Sprint("k", n.Add(1)), 10); err != nil {
				t.Error(err)
			}
		}
		for i := range 2 {
			stream, err := admin.Stream(t.Context(), fmt.Sprint("busy_", i))
			if err == nil {
				_, err = admin.Publish(t.Context(), fmt.Sprint("busy.files.m.", i), fmt.Append(nil, stream.CachedInfo().State.LastSeq))
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	s, err := jetstream.Open(t.Context(), url, jetstream.Options{NATS: []nats.Option{nats.SetCustomDialer(dialer{work})}})
	opened.Store(true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := n.Load(); n < 20 {
		t.Errorf("the other host has stored only %d records", n)
	}
}

// What may go away by itself is told from what will not.
func TestUnavailable(t *testing.T) {
	c := Start(t, Options{})
	t.Setenv("NATS_SYSTEM", System)
	url, address := c.URL("there", "shards=1"), c.Nodes[0].Address()
	for url, want := range map[string]bool{
		strings.Replace(url, address, "127.0.0.1:1", 1):               true,
		strings.Replace(url, address, "no-such-host.invalid:4222", 1): true,
		strings.Replace(url, address, "127.0.0.1:66666", 1):           false,
		strings.Replace(url, User, "fleet:wrong", 1):                  false,
		strings.Replace(url, User, Plain, 1):                          false,
		strings.Replace(url, "nats:", "tls:", 1):                      false,
		strings.Replace(url, "replicas=1", "replicas=3", 1):           false,
	} {
		s, err := jetstream.Open(t.Context(), url, jetstream.Options{})
		if err == nil {
			s.Close()
		}
		if err == nil || errors.Is(err, fleet.ErrUnavailable) != want {
			t.Errorf("%s: Open returns %v, want ErrUnavailable: %v", url, err, want)
		}
	}
	t.Setenv("NATS_SYSTEM", User)
	if s, err := jetstream.Open(t.Context(), url, jetstream.Options{}); err == nil || errors.Is(err, fleet.ErrUnavailable) {
		t.Errorf("with a wrong NATS_SYSTEM: Open returns %v, %v, want an error that is not ErrUnavailable", s, err)
	}
}

// A cluster without a majority has lost nothing: it is not available.
func TestOpenWithoutMajority(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes 20 seconds until a leader is not waited for any more")
	}
	c := Start(t, Options{Nodes: 3})
	url := c.URL("minority", "shards=1")
	s := mustOpen(t, url)
	if err := put(t, s, "k", 10); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, n := range c.Nodes[1:] {
		n.Kill()
	}
	if s, err := jetstream.Open(t.Context(), url, jetstream.Options{}); !errors.Is(err, fleet.ErrUnavailable) || errors.Is(err, fleet.ErrLost) {
		t.Errorf("Open returns %v, %v; want ErrUnavailable", s, err)
	}
	for _, n := range c.Nodes[1:] {
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
	}
	s = mustOpen(t, url) // which waits for a leader
	defer s.Close()
	if _, err := s.Load(t.Context(), "k"); err != nil {
		t.Error(err)
	}
}
