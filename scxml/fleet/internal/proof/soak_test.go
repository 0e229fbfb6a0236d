package proof

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

var (
	soakSessions = flag.Int("soak.sessions", 100, "TestSoak: number of sessions")
	soakTicks    = flag.Int("soak.ticks", 10, "TestSoak: timers of each session")
)

// ticker has one timer after the other, at whole seconds so that many are due at once.
const ticker = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="ticks" expr="0"/><data id="pause" expr="60"/></datamodel>
  <state id="ticking">
    <onentry><send event="tick" delayexpr="pause + 's'"/></onentry>
    <transition event="tick" target="ticking"><assign location="ticks" expr="ticks + 1"/></transition>
  </state>
</scxml>`

// TestSoak: the memory of a fleet does not grow while its sessions live on timers.
func TestSoak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chart, err := scxml.Parse("ticker.scxml", []byte(ticker))
		if err != nil {
			t.Fatal(err)
		}
		store, err := bolt.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		f, err := fleet.New(store, fleet.Config{Cache: *soakSessions / 10}, fleet.Define("ticker", chart))
		if err != nil {
			t.Fatal(err)
		}
		key := func(i int) string { return fmt.Sprint("ticker-", i) }
		ctx := t.Context()
		var creating sync.WaitGroup
		const hands = 64
		for hand := range hands {
			creating.Go(func() {
				for i := hand; i < *soakSessions; i += hands {
					if err := f.Create(ctx, key(i), fleet.CreateOptions{Data: map[string]any{"pause": 60 + i%60}}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		creating.Wait()
		began := time.Now()
		ctx, stop := context.WithCancel(ctx)
		run := make(chan error)
		go func() { run <- f.Run(ctx) }()

		inUse := func() uint64 {
			synctest.Wait()
			runtime.GC()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		// The slowest session ticks every 119 seconds, the fastest every 60.
		total := time.Duration(*soakTicks) * 90 * time.Second
		var heap []uint64
		for range 10 {
			time.Sleep(total/10 + time.Millisecond)
			heap = append(heap, inUse())
			t.Logf("after %v: %d kB, %d goroutines", time.Since(began).Round(time.Second), heap[len(heap)-1]>>10, runtime.NumGoroutine())
		}
		early, late := heap[4], heap[9]
		if late > early+early/20+1<<20 {
			t.Errorf("the fleet holds %d kB after %v and %d kB after half of it", late>>10, total, early>>10)
		}
		ticks := 0
		for i := range *soakSessions {
			state, err := f.Get(ctx, key(i))
			if err != nil {
				t.Fatal(err)
			}
			var data struct{ Ticks int }
			if err := datamodel.Decode(state.Data, &data); err != nil {
				t.Fatal(err)
			}
			if want := int(time.Since(began) / time.Second / time.Duration(60+i%60)); data.Ticks < want-1 || data.Ticks > want {
				t.Errorf("%s ticked %d times in %v, want %d", key(i), data.Ticks, time.Since(began), want)
			}
			ticks += data.Ticks
		}
		stop()
		if err := <-run; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		t.Logf("%d sessions, %d timers fired in %v of their time", *soakSessions, ticks, time.Since(began).Round(time.Second))
	})
}
