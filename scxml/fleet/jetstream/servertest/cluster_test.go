package servertest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/killtest"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

func TestMain(m *testing.M) {
	if killtest.Child(func(ctx context.Context, url string) (fleet.Store, error) {
		return jetstream.Open(ctx, url, jetstream.Options{})
	}) {
		return
	}
	code := m.Run()
	Remove()
	os.Exit(code)
}

// A cluster elects a leader again after a node was killed, paused, cut off and wiped.
func TestClusterRecovers(t *testing.T) {
	c := Start(t, Options{Nodes: 3})
	n := c.Nodes[0]
	for name, fault := range map[string]func() error{
		"kill":  func() error { n.Kill(); return n.Start() },
		"pause": func() error { n.Pause(); n.Resume(); return nil },
		"cut":   func() error { n.Cut(); n.Heal(); return nil },
		"wipe":  func() error { n.Kill(); return n.Wipe() },
	} {
		err := fault()
		if err == nil && name == "wipe" {
			err = n.Start()
		}
		if err == nil {
			err = c.Wait(time.Minute)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, n.Log())
		}
	}
}

// A node that is cut off does not answer, and answers when it is healed.
func TestCutNodeDoesNotAnswer(t *testing.T) {
	c := Start(t, Options{})
	nc, err := nats.Connect("nats://" + User + "@" + c.Nodes[0].Address())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	c.Nodes[0].Cut()
	if err := nc.FlushTimeout(100 * time.Millisecond); err == nil {
		t.Error("the node answers")
	}
	c.Nodes[0].Heal()
	if err := nc.FlushTimeout(time.Minute); err != nil {
		t.Error(err)
	}
}
