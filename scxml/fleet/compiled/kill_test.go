package compiled_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled/internal/counter"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/killtest"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

var (
	kills      = flag.Int("kill.kills", 8, "TestKill: how often the process is killed")
	killEvents = flag.Int("kill.events", 1000, "TestKill: accepted events, at least")
	killSeed   = flag.Uint64("kill.seed", 1, "TestKill: the seed of the moments and events")
)

func TestMain(m *testing.M) {
	if killtest.Child(func(_ context.Context, dir string) (fleet.Store, error) { return bolt.Open(dir) }, func(chart *scxml.Chart) fleet.Definition {
		return compiled.Define("counter", chart, func() machine.Node { return counter.New(counter.Hooks{}).Node() })
	}) {
		return
	}
	os.Exit(m.Run())
}

// TestKill: a process that is killed at any moment, and continues in either form, has lost nothing that it accepted,
// does nothing twice, and keeps the order.
func TestKill(t *testing.T) {
	r := killtest.Start(t, killtest.Options{Where: []string{t.TempDir()}, Sessions: 16, Seed: *killSeed})
	random := rand.New(rand.NewPCG(*killSeed, 0))
	each := max(1, *killEvents / *kills)
	for i := range *kills {
		if !r.Await(i*each + random.IntN(each)) {
			return
		}
		<-time.After(time.Duration(random.Int64N(int64(5 * time.Millisecond))))
		r.During("kill", func() {
			r.Hosts[0].Kill()
			r.Hosts[0].Start()
		})
	}
	r.Await(*killEvents)
	t.Logf("%d kills in %s", *kills, r.Finish())
}
