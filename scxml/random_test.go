package scxml_test

import (
	"flag"
	"fmt"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	randomCharts = flag.Int("random.charts", 1500, "number of random charts that engine and reference are compared on")
	randomSeed   = flag.Uint64("random.seed", 1, "seed of the random charts; 0: a fresh one, which is printed")
	randomFirst  = flag.Int("random.first", 0, "number of the first chart")
	randomEvents = flag.Int("random.events", 20, "events for each chart")
	randomScript = flag.Int("random.script", 12, "percentage of charts with ECMAScript; the others have the null data model")
	randomKeep   = flag.String("random.keep", "", "folder for scenarios of the differences that are found")
)

// TestRandomCharts compares the engine with the reference on random charts. A
// difference is shrunk, and printed as a scenario for testdata/scenario.
func TestRandomCharts(t *testing.T) {
	seed := *randomSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	const enough = 5 // differences
	last := int64(*randomFirst + *randomCharts)
	var next, found atomic.Int64
	next.Store(int64(*randomFirst))
	var mu sync.Mutex
	var total tally
	var workers sync.WaitGroup
	began := time.Now()
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			b := newBench()
			for found.Load() < enough {
				n := next.Add(1) - 1
				if n >= last {
					break
				}
				trial := randomTrial(seed, n)
				d := b.run(trial)
				if d == nil {
					continue
				}
				i := found.Add(1)
				trial, d = shrink(newBench().run, trial, d)
				t.Errorf("chart %d of seed %d: %v\n%s", n, seed, d, scenario(trial, d))
				if *randomKeep != "" {
					name := filepath.Join(*randomKeep, fmt.Sprintf("random-%d.txtar", i))
					if err := os.WriteFile(name, []byte(scenario(trial, d)), 0o666); err != nil {
						t.Error(err)
					}
				}
			}
			mu.Lock()
			total.add(b.tally)
			mu.Unlock()
		})
	}
	workers.Wait()
	charts := min(next.Load(), last) - int64(*randomFirst)
	t.Logf("seed %d: %d charts in %v: %v; %d differences", seed, charts, time.Since(began).Round(time.Millisecond), total, found.Load())
	if int64(total.illegal)*20 > charts+100 {
		t.Errorf("%d of %d charts are not legal: the generator is at fault", total.illegal, charts)
	}
	if total.planned*4 < total.events {
		t.Errorf("%d macrosteps ended with a plan, after %d events: plans are hardly tested", total.planned, total.events)
	}
}

func (t *tally) add(u tally) {
	t.illegal += u.illegal
	t.unfinished += u.unfinished
	t.again += u.again
	t.events += u.events
	t.microsteps += u.microsteps
	t.planned += u.planned
	t.steps += u.steps
	t.restored += u.restored
	t.invocations += u.invocations
	t.timers += u.timers
}

func (t tally) String() string {
	return fmt.Sprintf("%d events, %d microsteps, %d macrosteps that ended with a plan, %d times restored, %d invocations, %d delayed events that became due; %d charts refused, %d given up because they did not end or their data grew too large, %d run a second time",
		t.events, t.microsteps, t.planned, t.restored, t.invocations, t.timers, t.illegal, t.unfinished, t.again)
}

// randomTrial makes the nth trial of a seed.
func randomTrial(seed uint64, n int64) *randomchart.Trial {
	return randomTrialOf(seed, n, *randomScript)
}

// randomTrialOf does it with another percentage of charts with ECMAScript.
func randomTrialOf(seed uint64, n int64, scripts int) *randomchart.Trial {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	script := rng.IntN(100) < scripts
	return randomchart.New(rng, script, *randomEvents)
}

// shrink makes a trial smaller while run shows a difference of the same kind, and returns that too.
func shrink(run func(*randomchart.Trial) *difference, t *randomchart.Trial, d *difference) (*randomchart.Trial, *difference) {
	kind := func(d *difference) string { return d.what[:min(len(d.what), 15)] }
	t = randomchart.Shrink(t, 20_000, func(smaller *randomchart.Trial) bool {
		found := run(smaller)
		if found == nil || kind(found) != kind(d) {
			return false // or it is another one
		}
		d = found
		return true
	})
	return t, d
}

// scenario writes a trial as a file of testdata/scenario, without its trace. Once it is clear which
// interpreter is right, -scxmltest.update adds the trace.
func scenario(t *randomchart.Trial, d *difference) string {
	var b strings.Builder
	what, _, _ := strings.Cut(d.what, "\n")
	fmt.Fprintf(&b, "%s\n\n-- chart.scxml --\n%s", what, t.Chart)
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		if strings.Contains(t.Chart.String(), name) {
			fmt.Fprintf(&b, "-- %s --\n%s", name, t.Files[name])
		}
	}
	fmt.Fprintln(&b, "-- events --")
	for _, s := range t.Stimuli {
		fmt.Fprintln(&b, s)
	}
	fmt.Fprintln(&b, "-- trace --")
	return b.String()
}
