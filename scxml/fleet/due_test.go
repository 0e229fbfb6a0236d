package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A counting store counts how often a Run asks for what is due, and ends it if that never ends.
type counting struct {
	fleet.Store
	asked atomic.Int64
	end   context.CancelFunc
}

func (s *counting) Due(ctx context.Context, now time.Time, n int) ([]string, time.Time, error) {
	if s.asked.Add(1) == 2000 {
		s.end()
	}
	return s.Store.Due(ctx, now, n)
}

// A message that is delivered again, for a long time, does not keep Run busy meanwhile.
func TestRunSleepsDuringDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="s"><onentry><send type="slow" target="there" event="e"/></onentry></state></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		store := &counting{Store: fleet.NewMemory(), end: cancel}
		f, err := fleet.New(store, fleet.Config{Processors: map[string]fleet.Deliver{
			"slow": func(ctx context.Context, d fleet.Delivery) error {
				if d.Attempt > 1 {
					select {
					case <-ctx.Done():
						return ctx.Err()
					case <-time.After(time.Minute):
					}
				}
				return errors.New("nobody is there")
			},
		}}, fleet.Define("chart", chart))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		ran := make(chan error)
		go func() { ran <- f.Run(ctx) }()
		select {
		case <-time.After(30 * time.Second):
		case <-ctx.Done():
		}
		if n := store.asked.Load(); n > 100 {
			t.Errorf("Run has asked for what is due %d times", n)
		}
		cancel()
		<-ran
	})
}

// Timers do not wait for the deliveries of other sessions, however many are tried again.
func TestTimersDoNotWaitForDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Processors: map[string]fleet.Deliver{
			"slow": func(ctx context.Context, d fleet.Delivery) error {
				if d.Attempt > 1 {
					select {
					case <-ctx.Done():
					case <-time.After(time.Minute):
					}
				}
				return errors.New("nobody is there")
			},
		}}, parse(t, "sender", `<state id="s"><onentry><send type="slow" target="there" event="e"/></onentry></state>`),
			parse(t, "timer", `<state id="s"><onentry><send delay="10s" event="e"/></onentry><transition event="e" target="f"/></state><final id="f"/>`))
		for i := range 1100 {
			if err := f.Create(ctx, fmt.Sprint("s", i), fleet.CreateOptions{Chart: "sender"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Create(ctx, "t", fleet.CreateOptions{Chart: "timer"}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		time.Sleep(15 * time.Second)
		if s, err := f.Get(ctx, "t"); err != nil || s.Status != "final" {
			t.Errorf("after 15 seconds: %+v, %v", s.Info, err)
		}
		stop()
	})
}
