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

// Sessions that cannot be worked for, however many and however long they are due, do not hold back others.
func TestRestingSessionsDoNotHoldBackOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const alarm = `<state id="asleep"><onentry><send event="ring" delay="10s"/></onentry><transition event="ring" target="awake"/></state><state id="awake"/>`
		gone, here := parse(t, "gone", alarm), parse(t, "here", alarm)
		store := fleet.NewMemory()
		f := newFleet(t, store, fleet.Config{}, gone, here)
		for i := range 1500 { // more than Run asks for at once
			if err := f.Create(t.Context(), fmt.Sprint("gone", i), fleet.CreateOptions{Chart: "gone"}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		if err := f.Create(t.Context(), "here", fleet.CreateOptions{Chart: "here"}); err != nil {
			t.Fatal(err)
		}
		f = newFleet(t, store, fleet.Config{}, here) // one that does not know the other chart any more
		stop := run(t, f)
		defer stop()
		time.Sleep(20 * time.Second)
		if s, err := f.Get(t.Context(), "here"); err != nil || s.Configuration[0] != "awake" {
			t.Errorf("10 s after its timer was due the session is %q, %v", s.Configuration, err)
		}
	})
}

// A full store refuses all commits from a moment on, and counts them.
type full struct {
	fleet.Store
	full  atomic.Bool
	tried atomic.Int64
	end   context.CancelFunc
}

func (s *full) Commit(ctx context.Context, changes []fleet.Change) []error {
	if !s.full.Load() {
		return s.Store.Commit(ctx, changes)
	}
	if s.tried.Add(1) == 1000 {
		s.end()
	}
	return []error{errors.New("no space left")}
}

// While the store cannot note that a service runs, or that a delivery has failed, these are tried again now
// and then, not all the time.
func TestRunRestsWhenTheStoreIsFull(t *testing.T) {
	for _, what := range []string{"work", "say"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				store := &full{Store: fleet.NewMemory(), end: cancel}
				var ran atomic.Int64
				f := newFleet(t, store, fleet.Config{
					Processors: map[string]fleet.Deliver{"x-post": func(context.Context, fleet.Delivery) error {
						ran.Add(1)
						store.full.Store(true)
						return errors.New("not now")
					}},
					Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
						ran.Add(1)
						return nil, nil
					})},
				}, parse(t, "reminder", reminder))
				if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
				if _, err := f.Do(ctx, "k", ev(what, nil)); err != nil {
					t.Fatal(err)
				}
				store.full.Store(what == "work")
				done := make(chan error)
				go func() { done <- f.Run(ctx) }()
				time.Sleep(time.Minute)
				tried, before := store.tried.Load(), ran.Load()
				store.full.Store(false)
				time.Sleep(5 * time.Minute) // the longest rest
				// How many depends on what of one instant comes first: a step that succeeds, or the failure of its task.
				if tried < 2 || tried >= 1000 {
					t.Errorf("in a minute Run has tried %d commits, want one now and then", tried)
				}
				if after := ran.Load(); after == before {
					t.Errorf("when the store works again, nothing is tried after the first %d times", after)
				}
				cancel()
				<-done
			})
		})
	}
}
