package history_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// The charts of the measurements: one with the null data model, one with a few values, and one with
// a list of 81 that each event changes.
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
  <state id="b"><onentry><send event="back" delay="1ms"/></onentry><transition event="back" target="a"/></state>
</scxml>`,
	"grid": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="grid" expr="[]"/></datamodel>
  <script>
    function put(at, n) { grid[at] = { digit: n, notes: [n, at], given: n % 2 == 0 }; return check(); }
    function check() { var sum = 0; for (var i = 0; i &lt; grid.length; i++) if (grid[i]) sum += grid[i].digit; return sum; }
  </script>
  <state id="a"><transition event="up"><script>put(_event.data.x * 9 + _event.data.y, _event.data.n)</script></transition></state>
</scxml>`,
}

// record returns the history of a session after a number of events on a clock that goes on by a
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
			s, err := scxml.New(chart)
			if err != nil {
				b.Fatal(err)
			}
			drive(b, s, b.N)
		})
		b.Run(name+"/with", func(b *testing.B) { recorded(b, source, b.N) })
	}
}

var soakSteps = flag.Int("soak.steps", 20_000, "steps of each session whose history is measured")

// TestMemoryOfHistory: a million steps take at most 64 MB where the data do not grow.
func TestMemoryOfHistory(t *testing.T) {
	for name, source := range measured {
		t.Run(name, func(t *testing.T) {
			before := heap()
			h := recorded(t, source, *soakSteps)
			each := float64(heap()-before) / float64(h.Len())
			t.Logf("%d positions, %.1f bytes each", h.Len(), each)
			if most := 64.0; each > most {
				t.Errorf("a position takes %.1f bytes, want at most %v", each, most)
			}
			if _, err := h.Seek(t.Context(), h.Len()/2); err != nil {
				t.Error(err)
			}
			runtime.KeepAlive(h)
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

var _ = fmt.Sprint
