package pool_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/pool"
)

// crowd has n sessions in a pool that runs, and a function that sends each an event and waits until all have
// processed it. The charts flip between two states; with timers each also cancels a delayed event and sends
// another one.
func crowd(tb testing.TB, n int, timers bool) (round func(), done func()) {
	entry := ""
	if timers {
		entry = `<onentry><cancel sendid="t"/><send id="t" event="silence" delay="1h"/></onentry>`
	}
	chart := scxml.MustParse("flip.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
		<state id="a">`+entry+`<transition event="flip" target="b"/></state>
		<state id="b">`+entry+`<transition event="flip" target="a"/></state></scxml>`))
	var processed sync.WaitGroup
	trace := scxml.WithTrace(&scxml.Trace{Event: func(*scxml.Session, *scxml.Event) { processed.Done() }})
	ctx, cancel := context.WithCancel(tb.Context())
	p := pool.New(pool.Config{})
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx) })
	sessions := make([]*scxml.Session, n)
	for i := range sessions {
		var err error
		if sessions[i], err = p.Add(ctx, chart, trace); err != nil {
			tb.Fatal(err)
		}
	}
	round = func() {
		processed.Add(n)
		for _, s := range sessions {
			if err := s.Send(scxml.Event{Name: "flip"}); err != nil {
				tb.Fatal(err)
			}
		}
		processed.Wait()
	}
	return round, func() { cancel(); running.Wait() }
}

// TestPoolAllocatesNothing: to wake, drive and queue a session allocates nothing. A delayed event takes the
// two allocations of the engine, for the event and for the list of those with its id.
func TestPoolAllocatesNothing(t *testing.T) {
	const n = 2000
	for _, test := range []struct {
		timers bool
		most   float64 // for each event
	}{{false, 0}, {true, 2}} {
		round, done := crowd(t, n, test.timers)
		for range 5 {
			round() // queues and lists grow
		}
		got := testing.AllocsPerRun(5, round) / n
		done()
		if got > test.most+0.05 {
			t.Errorf("timers %v: %.2f allocations for each event, want %v", test.timers, got, test.most)
		}
	}
}

func BenchmarkPool(b *testing.B) {
	const n = 100_000
	for _, name := range []string{"events", "timers"} {
		b.Run(name, func(b *testing.B) {
			before := memory()
			round, done := crowd(b, n, name == "timers")
			defer done()
			round()
			b.ReportMetric(float64(memory()-before)/n, "B/session")
			b.ReportAllocs()
			for b.Loop() {
				round()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
		})
	}
}

// BenchmarkLateness tells how late the last of 100,000 delayed events is that are due at the same time.
func BenchmarkLateness(b *testing.B) {
	const n = 100_000
	chart := scxml.MustParse("due.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
		<state id="a"><transition event="arm" target="b"/></state>
		<state id="b"><onentry><send event="ring" delay="3s"/></onentry><transition event="ring" target="a"/></state></scxml>`))
	var mu sync.Mutex
	var late time.Duration
	var rung sync.WaitGroup
	trace := scxml.WithTrace(&scxml.Trace{Timer: func(s *scxml.Session, _ scxml.Message) {
		mu.Lock()
		late = max(late, time.Since(s.Now()))
		mu.Unlock()
		rung.Done()
	}})
	ctx, cancel := context.WithCancel(b.Context())
	p := pool.New(pool.Config{})
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx) })
	defer running.Wait()
	defer cancel()
	for range n {
		if _, err := p.Add(ctx, chart, trace); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		rung.Add(n)
		for _, s := range p.Sessions() {
			s.Send(scxml.Event{Name: "arm"})
		}
		rung.Wait()
	}
	b.ReportMetric(float64(late.Milliseconds()), "ms-late")
}

func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
