//go:build unix

package postgres

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/killtest"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
)

var (
	restarts   = flag.Int("kill.restarts", 4, "TestKill: how often the server is killed or restarted; half as many faults concern the hosts")
	killEvents = flag.Int("kill.events", 2000, "TestKill: accepted events, at least")
	storm      = flag.Int("kill.storm", 0, "TestInnocent: how often a host is killed")
	killSeed   = flag.Uint64("kill.seed", 1, "TestKill: the seed of the moments and events")
)

func TestMain(m *testing.M) {
	if killtest.Child(func(ctx context.Context, url string) (fleet.Store, error) { return Open(ctx, url, Options{}) }) {
		return
	}
	status := m.Run()
	for _, s := range servers {
		if err := s.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// TestKill: three hosts on a server that is killed and restarted, and that are killed, stopped, cut off
// and restarted themselves, lose nothing that they have accepted, do nothing twice, keep the order, and
// fire no timer early.
func TestKill(t *testing.T) {
	server := pgtest.Start(t)
	var cables []*killtest.Proxy
	o := killtest.Options{Sessions: 32, Seed: *killSeed}
	for range 3 {
		cable := killtest.NewProxy(t, server.Address())
		cables = append(cables, cable)
		o.Where = append(o.Where, fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", cable.Address()))
	}
	r := killtest.Start(t, o)
	random := rand.New(rand.NewPCG(*killSeed, 0))
	for i := range *restarts {
		each := *killEvents / *restarts
		if !r.Await(i*each + random.IntN(each/2+1)) {
			return
		}
		if i%2 == 0 {
			r.During("the server is killed", func() { server.Kill(); server.Restart() })
		} else {
			r.During("the server is restarted", func() { server.Stop(); server.Restart() })
		}
		if !r.Await(i*each + each/2 + random.IntN(each/2+1)) {
			return
		}
		n := random.IntN(3)
		host, pause := r.Hosts[n], func() { <-time.After(time.Duration(random.Int64N(int64(7 * time.Second)))) }
		switch i % 8 {
		case 0, 4:
			r.During("a host is killed", func() { host.Kill(); host.Start() })
		case 2:
			r.During("a host stands still", func() { host.Pause(); pause(); host.Resume() })
		case 6:
			r.During("a host is cut off", func() { cables[n].Cut(); pause(); cables[n].Heal() })
		case 7:
			r.During("hosts are restarted in turn", func() {
				for _, h := range r.Hosts {
					h.Drain()
					h.Start()
				}
			})
		}
	}
	r.Await(*killEvents)
	t.Logf("%d restarts of the server in %s", *restarts, r.Finish())
}

// TestInnocent: kills of three hosts at any moment, of which others take over, suspend no session. One that
// ends each of its hosts by itself is suspended after three times.
func TestInnocent(t *testing.T) {
	if *storm == 0 {
		t.Skip("takes minutes: want -kill.storm")
	}
	url := fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", pgtest.Start(t).Address())
	r := killtest.Start(t, killtest.Options{Where: []string{url, url, url}, Sessions: 120, Seed: *killSeed})
	if r.Storm(*storm) {
		guilty := r.Convict()
		t.Logf("%d kills in %s\n%s", *storm, r.Finish(), guilty)
	}
}
