package servertest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

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
	n := 0
	work := func(string) {
		for range 4 {
			n++
			if err := put(t, other, fmt.Sprint("k", n), 10); err != nil {
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
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n < 20 {
		t.Errorf("the other host has stored only %d records", n)
	}
}
