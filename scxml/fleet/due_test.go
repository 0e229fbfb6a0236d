package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
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
	asked  atomic.Int64
	listed atomic.Int64  // keys that were returned
	commit time.Duration // takes so long
	end    context.CancelFunc
}

func (s *counting) Commit(ctx context.Context, changes []fleet.Change) []error {
	time.Sleep(s.commit)
	return s.Store.Commit(ctx, changes)
}

func (s *counting) Due(ctx context.Context, now time.Time, n int) ([]string, time.Time, error) {
	if s.asked.Add(1) == 2000 && s.end != nil {
		s.end()
	}
	keys, next, err := s.Store.Due(ctx, now, n)
	s.listed.Add(int64(len(keys)))
	return keys, next, err
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

// What it costs to find a timer that is overdue does not depend on how many are, however long it takes to
// fire them.
func TestOverdueTimersAreFoundOnce(t *testing.T) {
	const alarm = `<state id="asleep"><onentry><send event="ring" delay="10s"/></onentry><transition event="ring" target="awake"/></state><final id="awake"/>`
	for _, test := range []struct {
		timers int
		commit time.Duration
	}{{1500, 0}, {3000, 0}, {3000, 200 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			store := &counting{Store: fleet.NewMemory()}
			f := newFleet(t, store, fleet.Config{}, parse(t, "alarm", alarm))
			for i := range test.timers {
				if err := f.Create(t.Context(), fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Hour)
			store.commit = test.commit
			fired, began, took := 0, time.Now(), time.Duration(0)
			var mu sync.Mutex
			f = newFleet(t, store, fleet.Config{Observers: []fleet.Observer{{Changed: func(_ string, now *fleet.Glance) {
				if mu.Lock(); now.Status == "final" {
					fired++
					took = time.Since(began)
				}
				mu.Unlock()
			}}}}, parse(t, "alarm", alarm))
			stop := run(t, f)
			time.Sleep(time.Minute)
			stop()
			listed, most := store.listed.Load(), int64(4*test.timers+1000*int(took.Seconds())) // it looks every second
			if fired != test.timers || listed > most {
				t.Errorf("of %d timers %d were fired in %v, and %d keys listed, want at most %d", test.timers, fired, took, listed, most)
			}
		})
	}
}

// A busy store answers what was due, and then something happens before Run has the answer.
type busy struct {
	fleet.Store
	meanwhile func()
}

func (s *busy) Due(ctx context.Context, now time.Time, n int) ([]string, time.Time, error) {
	keys, next, err := s.Store.Due(ctx, now, n)
	if f := s.meanwhile; f != nil {
		s.meanwhile = nil
		f()
	}
	return keys, next, err
}

// A timer that is set while Run asks the store for timers is on time.
func TestTimerThatIsSetWhileRunAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &busy{Store: fleet.NewMemory()}
		f := newFleet(t, store, fleet.Config{}, parse(t, "alarm", `<state id="s"><transition event="set" target="asleep"/></state>
<state id="asleep"><onentry><send event="ring" delay="0.1s"/></onentry><transition event="ring" target="awake"/></state><final id="awake"/>`))
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		store.meanwhile = func() {
			if _, err := f.Do(t.Context(), "k", ev("set", nil)); err != nil {
				t.Error(err)
			}
		}
		stop := run(t, f)
		defer stop()
		time.Sleep(200 * time.Millisecond)
		if s, err := f.Get(t.Context(), "k"); err != nil || s.Status != "final" {
			t.Errorf("after 0.2 s: %+v, %v; want that a timer of 0.1 s has fired", s.Info, err)
		}
	})
}

// Timers that are overdue do not wait for sessions that take long, however many these are.
func TestOverdueTimersDoNotWaitForSlowSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const slow, quick = 400, 3000
		store := &holding{Store: fleet.NewMemory()}
		const alarm = `<state id="asleep"><onentry><send event="ring" delay="10s"/></onentry>
<transition event="ring" target="asleep"/></state>`
		f := newFleet(t, store, fleet.Config{}, parse(t, "alarm", alarm))
		create := func(prefix string, n int) {
			for i := range n {
				if err := f.Create(t.Context(), fmt.Sprint(prefix, i), fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		create("slow", slow)
		store.held.Store(true)
		stop := run(t, f)
		defer stop()
		time.Sleep(5 * time.Minute) // all of them are slow now
		create("quick", quick)
		before := time.Now()
		time.Sleep(10500 * time.Millisecond)
		infos, err := f.List(t.Context(), "quick", quick)
		if err != nil {
			t.Fatal(err)
		}
		late := 0
		for _, s := range infos {
			if s.Wake.Before(before.Add(11*time.Second)) && s.Key[0] == 'q' {
				late++
			}
		}
		if late > 0 {
			t.Errorf("half a second after their time %d of %d timers have not fired", late, quick)
		}
	})
}

// A holding store takes 2 s for a commit of some sessions.
type holding struct {
	fleet.Store
	held atomic.Bool
}

func (s *holding) Commit(ctx context.Context, changes []fleet.Change) []error {
	if s.held.Load() && changes[0].Key[0] == 's' {
		time.Sleep(2 * time.Second)
	}
	return s.Store.Commit(ctx, changes)
}
