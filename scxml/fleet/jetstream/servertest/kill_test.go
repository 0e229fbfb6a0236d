package servertest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/killtest"
)

var (
	kills      = flag.Int("kill.kills", 3, "TestKill: how often a node or a host is killed")
	stops      = flag.Int("kill.stops", 1, "TestKill: how often a node or a host is stopped for some seconds")
	killEvents = flag.Int("kill.events", 2000, "TestKill: accepted events, at least")
	killSeed   = flag.Uint64("kill.seed", 1, "TestKill: the seed of the moments and events")
)

// TestKill: three hosts on a cluster of three nodes, of which one at a time is killed, stopped, cut off,
// wiped or restarted, lose nothing that they have accepted, do nothing twice, keep the order, and fire no
// timer early.
func TestKill(t *testing.T) {
	t.Setenv("NATS_SYSTEM", System)
	c := Start(t, Options{Nodes: 3})
	url := c.URL("orders", "shards=4")
	r := killtest.Start(t, killtest.Options{Where: []string{url, url, url}, Sessions: 64, Seed: *killSeed})
	random := rand.New(rand.NewPCG(*killSeed, 0))
	pause := func(least, most time.Duration) { <-time.After(least + time.Duration(random.Int64N(int64(most-least)))) }
	nc, err := nats.Connect("nats://"+c.Nodes[0].Address(), nats.UserInfo("fleet", "secret"), nats.MaxReconnects(-1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	admin, err := js.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	whole := func() {
		t.Helper()
		err := c.Wait(time.Minute)
		if err == nil {
			err = awaitReplicas(t.Context(), admin)
		}
		if err != nil {
			for _, n := range c.Nodes {
				t.Log(n.Log())
			}
			t.Fatal(err)
		}
	}
	start := func(n *Node) {
		t.Helper()
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
		whole()
	}
	more := []struct {
		fault string
		do    func(n *Node)
	}{
		{"a node is cut off", func(n *Node) { n.Cut(); pause(3*time.Second, 7*time.Second); n.Heal(); whole() }},
		{"a node's disk is wiped", func(n *Node) {
			n.Kill()
			if err := n.Wipe(); err != nil {
				t.Fatal(err)
			}
			start(n)
		}},
		{"all nodes and hosts are restarted in turn", func(*Node) {
			for i, n := range c.Nodes {
				n.Stop()
				start(n)
				r.Hosts[i].Drain()
				r.Hosts[i].Start()
			}
		}},
	}
	total := *kills + *stops
	each := *killEvents / total
	for i := range total {
		if !r.Await(i*each + random.IntN(each)) {
			return
		}
		node, host := c.Nodes[random.IntN(3)], r.Hosts[random.IntN(3)]
		stop := i**stops/total != (i+1)**stops/total
		switch {
		case stop && (i+1)**stops/total%2 == 1:
			r.During("a node stands still", func() { node.Pause(); pause(3*time.Second, 7*time.Second); node.Resume(); whole() })
		case stop:
			r.During("a host stands still", func() { host.Pause(); pause(3*time.Second, 7*time.Second); host.Resume() })
		case i%2 == 0:
			r.During("a node is killed", func() { node.Kill(); pause(0, 3*time.Second); start(node) })
		default:
			r.During("a host is killed", func() { host.Kill(); host.Start() })
		}
		if i%5 == 4 {
			extra := more[i/5%len(more)]
			r.During(extra.fault, func() { extra.do(c.Nodes[random.IntN(3)]) })
		}
	}
	r.Await(*killEvents)
	t.Logf("%d kills and %d stops in %s", *kills, *stops, r.Finish())
}

// awaitReplicas waits until each node has all that was stored: one that has lost its disk counts for a
// majority before.
func awaitReplicas(ctx context.Context, admin js.JetStream) error {
	behind := func() string {
		streams := admin.ListStreams(ctx)
		n := 0
		for info := range streams.Info() {
			n++
			if info.Cluster == nil || info.Cluster.Leader == "" || len(info.Cluster.Replicas) < 2 {
				return fmt.Sprintf("stream %s has no leader", info.Config.Name)
			}
			for _, replica := range info.Cluster.Replicas {
				if !replica.Current || replica.Offline {
					return fmt.Sprintf("stream %s on %s: %+v", info.Config.Name, replica.Name, *replica)
				}
			}
		}
		if err := streams.Err(); err != nil || n == 0 {
			return fmt.Sprintf("%d streams: %v", n, err)
		}
		return ""
	}
	for deadline := time.Now().Add(2 * time.Minute); ; <-time.After(50 * time.Millisecond) {
		what := behind()
		if what == "" {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the nodes are not equal after two minutes: %s", what)
		}
	}
}
