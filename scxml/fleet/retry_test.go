package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// An attempt is a run of a service or a delivery.
type attempt struct {
	id string
	at time.Duration // since the beginning
}

type named string

func (n named) Error() string     { return "the card was refused" }
func (n named) ErrorName() string { return string(n) }

// A service and a delivery that fail are tried as their policy says, with one id for all attempts, and the chart
// hears of the last one only.
func TestRetry(t *testing.T) {
	declined := fmt.Errorf("the bank: %w", named("declined"))
	for _, test := range []struct {
		policy string // of the chart
		host   scxml.Retry
		errs   []error // of the attempts, then none
		waits  []time.Duration
		state  string
	}{
		{"", scxml.Retry{}, []error{errors.New("timeout")}, nil, "failed"},
		{"attempts=4", scxml.Retry{}, []error{errors.New("timeout"), errors.New("timeout")}, []time.Duration{time.Second, 2 * time.Second}, "paid"},
		{"attempts=3 first=10s longest=15s factor=3", scxml.Retry{}, slices.Repeat([]error{errors.New("timeout")}, 3), []time.Duration{10 * time.Second, 15 * time.Second}, "failed"},
		{"attempts=9 final=declined", scxml.Retry{}, []error{errors.New("timeout"), declined}, []time.Duration{time.Second}, "failed"},
		{"attempts=9", scxml.Retry{Final: []string{"declined"}}, []error{declined}, nil, "failed"},
		{"attempts=9", scxml.Retry{}, []error{fmt.Errorf("%w: no such account", fleet.ErrRefused)}, nil, "failed"},
		{"", scxml.Retry{First: 45 * time.Minute}, []error{errors.New("timeout")}, []time.Duration{45 * time.Minute}, "paid"},
		{"attempts=1", scxml.Retry{Attempts: 5}, []error{errors.New("timeout")}, nil, "failed"},
		{"first=25m longest=25m", scxml.Retry{}, slices.Repeat([]error{errors.New("timeout")}, 9), slices.Repeat([]time.Duration{25 * time.Minute}, 3), "failed"}, // Config.GiveUp
	} {
		for _, kind := range []string{`<invoke type="x-pay"`, `<onentry><send type="x-send" target="there" event="pay"`} {
			send := strings.Contains(kind, "send")
			if send && test.policy == "" && test.host.First == 0 {
				continue // without a bound by default
			}
			synctest.Test(t, func(t *testing.T) {
				attr := ""
				if test.policy != "" {
					attr = ` xmlns:x="` + scxml.Extensions + `" x:retry="` + test.policy + `"`
				}
				chart := `<state id="pays">` + kind + attr + `/>`
				if send {
					chart += `<send event="done.invoke" delay="100m"/></onentry>`
				}
				chart += `<transition event="error.communication" target="failed"/><transition event="done.invoke" target="paid"/></state><state id="paid"/><state id="failed"/>`
				began := time.Now()
				var attempts []attempt
				try := func(id string) error {
					attempts = append(attempts, attempt{id, time.Since(began)})
					if n := len(attempts); n <= len(test.errs) {
						return test.errs[n-1]
					}
					return nil
				}
				store := fleet.NewMemory()
				start := func() (f *fleet.Fleet, stop func()) {
					f = newFleet(t, store, fleet.Config{
						GiveUp: time.Hour,
						Retry:  func(scxml.Task) scxml.Retry { return test.host },
						Services: map[string]scxml.Invoker{"x-pay": scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
							if inv.Restored != (len(attempts) > 0) {
								t.Errorf("Restored is %t after %d runs", inv.Restored, len(attempts))
							}
							_, id := fleet.TaskID(ctx)
							return nil, try(id)
						})},
						Processors: map[string]fleet.Deliver{"x-send": func(_ context.Context, d fleet.Delivery) error {
							if d.Attempt != len(attempts)+1 {
								t.Errorf("attempt %d after %d", d.Attempt, len(attempts))
							}
							return try(d.ID)
						}},
					}, parse(t, "order", chart))
					return f, run(t, f)
				}
				f, stop := start()
				if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
				for range 10 {
					time.Sleep(11 * time.Minute)
					stop()
					f, stop = start()
				}
				stop()
				var waits []time.Duration
				for i, a := range attempts[1:] {
					waits = append(waits, a.at-attempts[i].at)
					if a.id != attempts[0].id || a.id == "" {
						t.Errorf("%s %q: the ids are %v", kind, test.policy, attempts)
					}
				}
				if s, err := f.Get(t.Context(), "k"); err != nil || !slices.Equal(s.Configuration, []string{test.state}) || !slices.Equal(waits, test.waits) || len(s.Tasks) > 0 {
					t.Errorf("%s %q: in %v with %+v (%v) after the waits %v, want %s after %v", kind, test.policy, s.Configuration, s.Tasks, err, waits, test.state, test.waits)
				}
			})
		}
	}
}

// While a service waits for its next attempt, its invocation is there: events are kept for it, and it can be
// cancelled.
func TestWaitingServiceIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var heard []string
		runs := map[string]int{}
		ran := func(key string) int {
			mu.Lock()
			defer mu.Unlock()
			return runs[key]
		}
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			key, _ := fleet.TaskID(ctx)
			mu.Lock()
			runs[key]++
			mu.Unlock()
			if ran(key) == 1 {
				return nil, errors.New("not now")
			}
			for {
				ev, err := inv.Receive(ctx)
				if err != nil {
					return nil, err
				}
				mu.Lock()
				heard = append(heard, ev.Name)
				mu.Unlock()
			}
		})}}, parse(t, "work", `<state id="on"><invoke type="x-work" autoforward="true" xmlns:x="`+scxml.Extensions+`" x:retry="first=10m longest=1h"/>`+
			`<transition event="off" target="off"/><transition event="*"/></state><state id="off"/>`))
		for _, key := range []string{"a", "b"} {
			if err := f.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			stop := run(t, f)
			events := []string{"one", "two"}
			if key == "b" {
				events = []string{"off"}
			}
			for _, name := range events {
				time.Sleep(time.Minute)
				if _, err := f.Send(t.Context(), key, ev(name, nil)); err != nil {
					t.Fatal(err)
				}
			}
			if s, err := f.Get(t.Context(), key); err != nil || key == "a" && (s.Tasks[0].Attempts != 1 || s.Tasks[0].Error != "not now" || s.Tasks[0].Next.IsZero()) {
				t.Errorf("%s: %+v, %v", key, s, err)
			}
			time.Sleep(time.Hour)
			if s, err := f.Get(t.Context(), key); err != nil || key == "b" && len(s.Tasks) > 0 || ran(key) != len(events) {
				t.Errorf("%s: %+v, %v; %d runs", key, s, err, ran(key))
			}
			stop()
		}
		if !slices.Equal(heard, []string{"one", "two"}) {
			t.Errorf("the service heard %q", heard)
		}
	})
}

// Jitter makes waits differ by its share at most.
func TestRetryJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var mu sync.Mutex
		seen := map[time.Duration]bool{}
		f := newFleet(t, fleet.NewMemory(), fleet.Config{
			Retry: func(scxml.Task) scxml.Retry {
				return scxml.Retry{Attempts: 2, First: 100 * time.Second, Jitter: 0.25}
			},
			Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
				mu.Lock()
				defer mu.Unlock()
				if after := time.Since(began); inv.Restored {
					if seen[after] = true; after < 75*time.Second || after > 125*time.Second {
						t.Errorf("it runs again after %v", after)
					}
				}
				return nil, errors.New("not now")
			})},
		}, parse(t, "work", `<state id="on"><invoke type="x-work"/></state>`))
		for i := range 50 {
			if err := f.Create(t.Context(), fmt.Sprint(i, "-", rand.Uint32()), fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		stop := run(t, f)
		time.Sleep(time.Hour)
		stop()
		if len(seen) < 40 {
			t.Errorf("%d different waits of 50", len(seen))
		}
	})
}

// A service is not begun while Run ends: that would use up its attempts.
func TestNoServiceBeginsWhileRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		def := parse(t, "two", `<state id="s"><invoke type="x-job"/><invoke type="x-job"/></state>`)
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Services: map[string]scxml.Invoker{
			"x-job": scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				runs.Add(1)
				<-ctx.Done()
				return nil, ctx.Err()
			}),
		}}, def)
		const sessions, lives = 8, 50
		for i := range sessions {
			if err := f.Create(t.Context(), fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for range lives {
			stop := run(t, f)
			time.Sleep(time.Minute)
			stop()
		}
		if n := runs.Load(); n != 2*sessions*lives {
			t.Errorf("%d services have run %d times in %d lives", 2*sessions, n, lives)
		}
	})
}
