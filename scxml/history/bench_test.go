package history_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// The charts of the measurements: one with the null data model, one with a few values, one with
// a list of 81 that each event changes, and one with a table of 100 KB.
var measured = map[string]string{
	"null": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="a"><transition event="up" target="b"/></state>
  <state id="b"><transition event="up" target="a"/></state>
</scxml>`,
	"values": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="last"/></datamodel>
  <state id="a">
    <transition event="up" cond="n % 7 == 6" target="b"><assign location="n" expr="n + 1"/></transition>
    <transition event="up"><assign location="n" expr="n + 1"/><assign location="last" expr="_event.data"/></transition>
  </state>
  <state id="b">
    <onentry><send event="back" delay="1s" id="x"/></onentry><onexit><cancel sendid="x"/></onexit>
    <transition event="up" target="a"><assign location="n" expr="n + 1"/></transition>
  </state>
</scxml>`,
	"grid": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="grid" expr="[]"/></datamodel>
  <script>
    function put(at, n) { grid[at] = { digit: n, notes: [n, at], given: n % 2 == 0 }; return check(); }
    function check() { var sum = 0; for (var i = 0; i &lt; grid.length; i++) if (grid[i]) sum += grid[i].digit; return sum; }
  </script>
  <state id="a"><transition event="up"><script>put(_event.data.x * 9 + _event.data.y, _event.data.n)</script></transition></state>
</scxml>`,
	"table": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="table" expr="[]"/></datamodel>
  <script>for (var i = 0; i &lt; 2000; i++) table[i] = { number: i, name: 'row ' + i, sum: 0 };</script>
  <state id="a"><transition event="up"><script>table[_event.data.x * 100 + _event.data.y].sum += _event.data.n</script></transition></state>
</scxml>`,
}

// record returns the history of a session after a number of events on a clock that advances by a
// millisecond and some.
func recorded(tb testing.TB, source string, events int, opts ...scxml.Option) *history.History {
	chart, err := scxml.Parse("chart.scxml", []byte(source))
	if err != nil {
		tb.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart, Options: opts})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := scxml.New(chart, append(opts, h.Option(), scxml.WithClock(func() time.Time { return epoch }))...)
	if err != nil {
		tb.Fatal(err)
	}
	drive(tb, s, events)
	return h
}

func drive(tb testing.TB, s *scxml.Session, events int) {
	ctx, rng, now := context.Background(), rand.New(rand.NewPCG(1, 1)), epoch
	if err := s.Start(ctx); err != nil {
		tb.Fatal(err)
	}
	for range events {
		now = now.Add(time.Duration(1e6 + rng.IntN(1e6)))
		data := map[string]int{"x": rng.IntN(9), "y": rng.IntN(9), "n": rng.IntN(9)}
		if _, err := s.Do(ctx, now, scxml.Event{Name: "up", Data: data}); err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkSeek(b *testing.B) {
	for name, source := range measured {
		b.Run(name, func(b *testing.B) {
			h := recorded(b, source, 20_000)
			rng, ctx := rand.New(rand.NewPCG(1, 1)), context.Background()
			var times []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				if _, err := h.Seek(ctx, rng.IntN(h.Len())); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(began))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// BenchmarkListening shows what a history costs a session, for each event.
func BenchmarkListening(b *testing.B) {
	for name, source := range measured {
		b.Run(name+"/without", func(b *testing.B) {
			chart, err := scxml.Parse("chart.scxml", []byte(source))
			if err != nil {
				b.Fatal(err)
			}
			s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return epoch }))
			if err != nil {
				b.Fatal(err)
			}
			drive(b, s, b.N)
		})
		b.Run(name+"/with", func(b *testing.B) { recorded(b, source, b.N) })
	}
}

// The history of a million steps takes at most 64 MB where the data do not grow. Here no time passes, so
// that the number of snapshots does not depend on the machine; see TestSoak.
func TestMemoryOfHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("20,000 steps of each chart")
	}
	for name, source := range measured {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const steps = 20_000
				h, size := sizeOf(t, source, steps)
				t.Logf("%d positions take %d bytes", h.Len(), size)
				if most := int64(steps*64 + 256<<10); size > most { // and a snapshot with its index
					t.Errorf("%d positions take %d bytes, want at most %d", h.Len(), size, most)
				}
			})
		})
	}
}

var soakSteps = flag.Int("soak.steps", 2_000, "steps of each session in TestSoak")

// TestSoak goes to random positions of long histories: a million steps take at most 64 MB, and each
// copy has the data that the session had. How long the way is depends on the machine, and is logged.
func TestSoak(t *testing.T) {
	for name, source := range measured {
		t.Run(name, func(t *testing.T) {
			h, size := sizeOf(t, source, *soakSteps)
			if most := int64(max(*soakSteps, 100_000)) * 64; size > most {
				t.Errorf("%d positions take %d bytes, want at most %d", h.Len(), size, most)
			}
			rng, ctx := rand.New(rand.NewPCG(1, 1)), t.Context()
			var times []time.Duration
			for range min(200, *soakSteps/40) {
				n := rng.IntN(h.Len())
				began := time.Now()
				s, err := h.Seek(ctx, n)
				times = append(times, time.Since(began))
				if err != nil {
					t.Fatal(err)
				}
				if v, err := s.Eval(ctx, "n"); strings.Contains(source, `id="n"`) && v != int64(n) {
					t.Fatalf("n is %v at position %d, %v", v, n, err)
				}
			}
			slices.Sort(times)
			t.Logf("%d positions take %.1f MB, %.1f bytes each; a copy takes %v, 1 of 100 %v, at most %v",
				h.Len(), float64(size)/(1<<20), float64(size)/float64(h.Len()), times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
		})
	}
}

// sizeOf returns the history of a session, and the memory that it takes.
func sizeOf(t *testing.T, source string, steps int) (*history.History, int64) {
	before := heap()
	h := recorded(t, source, steps)
	with := heap()
	chart := h.Chart()
	s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return epoch }))
	if err != nil {
		t.Fatal(err)
	}
	drive(t, s, steps)
	alone := heap() - with
	runtime.KeepAlive(s)
	runtime.KeepAlive(h)
	return h, with - before - alone
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
