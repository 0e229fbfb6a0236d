//go:build unix

package fleet_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// order is a session of usual size: some data, a timer that is set anew by each event.
const order = `<datamodel><data id="items" expr="[{name: 'tea', price: 4}, {name: 'milk', price: 1}]"/><data id="n" expr="0"/></datamodel>
	<state id="open" initial="even">
	  <onentry><send event="timeout" id="t" delay="48h"/></onentry>
	  <state id="even"><transition event="next" target="odd"><assign location="n" expr="n + 1"/></transition></state>
	  <state id="odd"><transition event="next" target="even"><cancel sendid="t"/><send event="timeout" id="t" delay="48h"/></transition></state>
	  <transition event="timeout" target="closed"/>
	</state>
	<final id="closed"/>`

func stores(b *testing.B) map[string]func() fleet.Store {
	return map[string]func() fleet.Store{
		"memory": func() fleet.Store { return fleet.NewMemory() },
		"bolt": func() fleet.Store {
			s, err := bolt.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			return s
		},
	}
}

// BenchmarkDo measures durable steps: 256 callers, each with sessions of its own.
func BenchmarkDo(b *testing.B) {
	for name, open := range stores(b) {
		for _, callers := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("%s/callers=%d", name, callers), func(b *testing.B) {
				f := newFleet(b, open(), fleet.Config{}, parse(b, "order", order))
				each(b, callers, func(i int) {
					if err := f.Create(context.Background(), fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
						b.Error(err)
					}
				})
				var n atomic.Int64
				took := make([][]time.Duration, callers)
				b.ReportAllocs()
				b.ResetTimer()
				each(b, callers, func(i int) {
					key := fmt.Sprint("k", i)
					for n.Add(1) <= int64(b.N) {
						start := time.Now()
						if _, err := f.Do(context.Background(), key, ev("next", nil)); err != nil {
							b.Error(err)
						}
						took[i] = append(took[i], time.Since(start))
					}
				})
				report(b, took)
			})
		}
	}
}

// each calls do for each of n callers, at once.
func each(b *testing.B, n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func report(b *testing.B, took [][]time.Duration) {
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkAcknowledge measures the time from an event's arrival to its acknowledgement when 2,500
// events arrive each second, whatever became of those before.
func BenchmarkAcknowledge(b *testing.B) {
	const sessions, rate = 1000, 2500
	f := newFleet(b, stores(b)["bolt"](), fleet.Config{}, parse(b, "order", order))
	each(b, sessions, func(i int) {
		if err := f.Create(context.Background(), fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
			b.Error(err)
		}
	})
	took := [][]time.Duration{make([]time.Duration, b.N)}
	b.ReportAllocs()
	b.ResetTimer()
	start := time.Now()
	var all sync.WaitGroup
	for i := range b.N {
		at := start.Add(time.Duration(i) * time.Second / rate)
		time.Sleep(time.Until(at))
		all.Go(func() {
			if _, err := f.Do(context.Background(), fmt.Sprint("k", i%sessions), ev("next", nil)); err != nil {
				b.Error(err)
			}
			took[0][i] = time.Since(at)
		})
	}
	all.Wait()
	report(b, took)
}

var overdue = flag.Int("overdue", 10_000, "sessions of BenchmarkOverdue")

// BenchmarkOverdue measures how soon a Run has fired timers that were due when it began.
func BenchmarkOverdue(b *testing.B) {
	for name, open := range stores(b) {
		b.Run(fmt.Sprintf("%s/n=%d", name, *overdue), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				store := &counting{Store: open()}
				asleep(b, store, *overdue)
				var left atomic.Int64
				left.Store(int64(*overdue))
				ctx, cancel := context.WithCancel(b.Context())
				f := newFleet(b, store, fleet.Config{
					Now: later,
					Observers: []fleet.Observer{{Changed: func(_ string, now *fleet.Glance) {
						if now.Status == "final" && left.Add(-1) == 0 {
							cancel()
						}
					}}},
				}, parse(b, "order", order))
				used := processorTime()
				b.StartTimer()
				_ = f.Run(ctx)
				b.ReportMetric(float64(processorTime()-used)/1000/float64(*overdue), "cpu-µs/timer")
				b.ReportMetric(float64(*overdue)/b.Elapsed().Seconds(), "timers/s")
				b.ReportMetric(float64(store.listed.Load())/float64(*overdue), "listed/timer")
			}
		})
	}
}

// asleep creates n sessions with a timer that is due within two days.
func asleep(tb testing.TB, store fleet.Store, n int) {
	f := newFleet(tb, store, fleet.Config{Cache: 1000}, parse(tb, "order", order))
	defer f.Close()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 256 {
		all.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				if err := f.Create(tb.Context(), fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// later is a time at which these timers are overdue.
func later() time.Time { return time.Now().Add(49 * time.Hour) }

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
