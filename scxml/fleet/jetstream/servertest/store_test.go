package servertest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/fleettest"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

var stores atomic.Int64

// kit tests stores in a cluster. If batches is false, their streams do not allow them, as on servers
// before 2.12.
func kit(t *testing.T, c *Cluster, batches bool) fleettest.Kit {
	admin := c.JetStream(t)
	urls := map[fleet.Store]string{}
	last := ""
	open := func(t testing.TB, url string) fleet.Store {
		s := mustOpen(t, url)
		urls[s] = url
		return s
	}
	return fleettest.Kit{
		Second: func(t testing.TB, s fleet.Store) fleet.Store { return open(t, urls[s]) },
		Open: func(t testing.TB) fleet.Store {
			removeStreams(t, admin, last)
			last = fmt.Sprintf("s%d", stores.Add(1))
			url := c.URL(last, "shards=2")
			s := open(t, url)
			if !batches {
				s.Close()
				for name := range admin.StreamNames(t.Context()).Name() {
					stream, err := admin.Stream(t.Context(), name)
					if err != nil {
						t.Fatal(err)
					}
					config := stream.CachedInfo().Config
					config.AllowAtomicPublish = false
					if _, err := admin.UpdateStream(t.Context(), config); err != nil {
						t.Fatal(err)
					}
				}
				s = open(t, url)
			}
			return s
		},
		Reopen: func(t testing.TB, s fleet.Store) fleet.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, urls[s])
		},
	}
}

func mustOpen(t testing.TB, url string) *jetstream.Store {
	t.Helper()
	t.Setenv("NATS_SYSTEM", System)
	s, err := jetstream.Open(context.Background(), url, jetstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func removeStreams(t testing.TB, admin js.JetStream, store string) {
	if store == "" {
		return
	}
	for name := range admin.StreamNames(t.Context()).Name() {
		if strings.HasPrefix(name, store+"_") {
			if err := admin.DeleteStream(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// JetStream returns a client of the cluster for tests that do to streams what a store does not.
func (c *Cluster) JetStream(t testing.TB) js.JetStream {
	servers, _, _ := strings.Cut(c.URL("", ""), "/?")
	nc, err := nats.Connect(servers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	admin, err := js.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return admin
}

func TestStore(t *testing.T) {
	for _, nodes := range []int{1, 3} {
		c := Start(t, Options{Nodes: nodes})
		for _, batches := range []bool{true, false} {
			t.Run(fmt.Sprintf("nodes=%d/batches=%v", nodes, batches), func(t *testing.T) {
				if testing.Short() && batches == (nodes == 1) {
					t.Skip("-short: the cluster has batches, and the single node none")
				}
				fleettest.Test(t, kit(t, c, batches))
			})
		}
	}
}
