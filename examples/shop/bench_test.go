package main

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// fullShop returns a shop with a visitor who has ten pieces in the cart.
func fullShop(b *testing.B) (*store, string) {
	st, err := openStore(filepath.Join(b.TempDir(), "shop.db"), loadChart(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { st.db.Close() })
	return st, newVisitor(b, st, "visitor")
}

func newVisitor(b *testing.B, st *store, visitor string) string {
	if _, err := st.begin(b.Context(), visitor); err != nil {
		b.Fatal(err)
	}
	for i := range 10 {
		if err := st.process(b.Context(), visitor, fmt.Sprint("first", i), add); err != nil {
			b.Fatal(err)
		}
	}
	return visitor
}

var (
	add    = scxml.Event{Name: "add", Data: map[string]string{"item": "tea"}}
	remove = scxml.Event{Name: "remove"}
)

// eventOf returns the nth event of a visitor whose cart keeps its size.
func eventOf(n int64) scxml.Event {
	if n%2 == 0 {
		return add
	}
	return remove
}

// BenchmarkEvent measures an event without the store.
func BenchmarkEvent(b *testing.B) {
	st, visitor := fullShop(b)
	s, err := st.look(b.Context(), visitor)
	if err != nil {
		b.Fatal(err)
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for n := int64(0); b.Loop(); n++ {
		s, err := scxml.Restore(st.chart, snapshot)
		if err == nil {
			err = s.Send(eventOf(n))
		}
		if err == nil {
			err = s.Advance(b.Context(), st.now())
		}
		if err == nil {
			snapshot, err = s.Snapshot()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(snapshot)), "bytes")
}

// BenchmarkProcess measures an event with the store, for one visitor and for many
// at the same time, whose events share transactions.
func BenchmarkProcess(b *testing.B) {
	for _, visitors := range []int{1, 64} {
		b.Run(fmt.Sprint("visitors=", visitors), func(b *testing.B) {
			st, _ := fullShop(b)
			var names []string
			for i := range visitors {
				names = append(names, newVisitor(b, st, fmt.Sprint("visitor", i)))
			}
			var next atomic.Int64
			b.SetParallelism(visitors)
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				visitor := names[next.Add(1)%int64(visitors)]
				for n := int64(0); pb.Next(); n++ {
					if err := st.process(b.Context(), visitor, fmt.Sprint(next.Add(1)), eventOf(n)); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkLook measures showing a page, which does not save anything.
func BenchmarkLook(b *testing.B) {
	st, visitor := fullShop(b)
	b.ReportAllocs()
	for b.Loop() {
		s, err := st.look(b.Context(), visitor)
		if err == nil {
			_, err = view(b.Context(), s)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
