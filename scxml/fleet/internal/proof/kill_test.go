package proof

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/killtest"
)

var (
	kills      = flag.Int("kill.kills", 10, "TestKill: how often the process is killed")
	killEvents = flag.Int("kill.events", 2000, "TestKill: accepted events, at least")
	storm      = flag.Int("kill.storm", 0, "TestInnocent: how often the process is killed")
	killSeed   = flag.Uint64("kill.seed", 1, "TestKill: the seed of the moments and events")
)

func TestMain(m *testing.M) {
	if killtest.Child(func(_ context.Context, dir string) (fleet.Store, error) { return bolt.Open(dir) }) {
		return
	}
	os.Exit(m.Run())
}

// TestKill: a process that is killed at any moment has lost nothing that it accepted, does nothing
// twice, keeps the order, and fires no timer early.
func TestKill(t *testing.T) {
	r := killtest.Start(t, killtest.Options{Where: []string{t.TempDir()}, Sessions: 32, Seed: *killSeed})
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

// TestInnocent: kills at any moment, more often than a process can start, suspend no session. One that ends
// its process by itself is suspended after three times.
func TestInnocent(t *testing.T) {
	if *storm == 0 {
		t.Skip("takes minutes: want -kill.storm")
	}
	r := killtest.Start(t, killtest.Options{Where: []string{t.TempDir()}, Sessions: 120, Seed: *killSeed})
	if r.Storm(*storm) {
		guilty := r.Convict()
		t.Logf("%d kills in %s\n%s", *storm, r.Finish(), guilty)
	}
}
