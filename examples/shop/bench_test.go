package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

var (
	add    = scxml.Event{Name: "add", Data: map[string]string{"item": "tea"}}
	remove = scxml.Event{Name: "remove"}
)

// busyShop returns a shop on a disk, and visitors who have ten pieces in the cart.
func busyShop(b *testing.B, n int) (*shop, []string) {
	store, err := bolt.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	sh, err := openShop(b.Context(), store, loadChart(b), 10*time.Minute, outside{})
	if err != nil {
		b.Fatal(err)
	}
	var visitors []string
	for range n {
		visitor, err := sh.begin(b.Context())
		for i := range 10 {
			if err == nil {
				err = sh.process(b.Context(), visitor, fmt.Sprint("first", i), add)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		visitors = append(visitors, visitor)
	}
	return sh, visitors
}

// BenchmarkProcess measures an event, for one visitor and for many at the same time, whose events
// share the waiting for the disk.
func BenchmarkProcess(b *testing.B) {
	for _, n := range []int{1, 64} {
		b.Run(fmt.Sprint("visitors=", n), func(b *testing.B) {
			sh, visitors := busyShop(b, n)
			var next atomic.Int64
			b.SetParallelism(n)
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				visitor := visitors[next.Add(1)%int64(n)]
				for i := 0; pb.Next(); i++ {
					ev := add // the cart keeps its size
					if i%2 == 1 {
						ev = remove
					}
					if err := sh.process(context.Background(), visitor, fmt.Sprint(next.Add(1)), ev); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkLook measures showing a page, which does not store anything.
func BenchmarkLook(b *testing.B) {
	sh, visitors := busyShop(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sh.look(b.Context(), visitors[0]); err != nil {
			b.Fatal(err)
		}
	}
}
