package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A mortalStore is the connection of a process to a store. When the process has ended nothing of what it
// does arrives. Commits take a while, one after the other.
type mortalStore struct {
	fleet.Watcher
	disk chan struct{} // holds a value during a commit
	dead context.Context
}

func (m mortalStore) Commit(ctx context.Context, changes []fleet.Change) []error {
	m.disk <- struct{}{}
	defer func() { <-m.disk }()
	time.Sleep(5 * time.Millisecond)
	if m.dead.Err() != nil {
		return []error{errors.New("the process has ended")}
	}
	return m.Watcher.Commit(ctx, changes)
}

func (m mortalStore) PutFile(ctx context.Context, name string, data []byte) error {
	if m.dead.Err() != nil {
		return errors.New("the process has ended")
	}
	return m.Watcher.PutFile(ctx, name, data)
}

// A wreck is a store whose processes end again and again.
type wreck struct {
	t     *testing.T
	store *fleet.Memory
	mu    sync.Mutex
	log   bytes.Buffer
	ends  map[string]int // processes that ended by what a session did
}

func (w *wreck) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(b)
}

// process runs a process until it ends by itself, or for some time.
func (w *wreck) process(name string, life time.Duration, charts ...func(func()) fleet.Definition) {
	dead, kill := context.WithCancel(context.Background())
	ended := make(chan string, 100)
	end := func(key string) { // ends the process in the middle of something
		if dead.Err() == nil {
			ended <- key
			kill()
			runtime.Goexit()
		}
	}
	var definitions []fleet.Definition
	for _, chart := range charts {
		definitions = append(definitions, chart(func() { end("a step") }))
	}
	f, err := fleet.New(mortalStore{w.store, make(chan struct{}, 1), dead}, fleet.Config{
		Host: name, Logger: slog.New(slog.NewTextHandler(w, nil)),
		Services: map[string]scxml.Invoker{
			"x-fault": scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				time.Sleep(20 * time.Millisecond)
				end("a service")
				return nil, ctx.Err()
			}),
			"x-long": scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}),
		},
		Processors: map[string]fleet.Deliver{"x-fault": func(context.Context, fleet.Delivery) error { end("a delivery"); return nil }},
	}, definitions...)
	if err != nil {
		w.t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- f.Run(dead) }()
	select {
	case what := <-ended:
		w.ends[what]++
	case <-time.After(life):
		w.ends["a kill"]++
	}
	kill()
	<-done
}

func (w *wreck) status(key string) string {
	f := newFleet(w.t, w.store, fleet.Config{})
	list, err := f.List(w.t.Context(), "", 0)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, info := range list {
		if info.Key == key {
			return info.Status
		}
	}
	return "missing"
}

// lines returns how many lines of the log say that a session was suspended.
func (w *wreck) lines(key string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Count(w.log.String(), `msg="a session is suspended" session=`+key+" ")
}

// What ends its process three times while it is tried alone is suspended, with one line in the log. What
// was under way at the same time is not.
func TestGuiltySessionIsSuspended(t *testing.T) {
	for _, c := range []struct {
		what, chart string
		reason      string
	}{
		{"a step", `<state id="s"><transition event="go"><script>end()</script></transition></state>`, "work from before the start: "},
		{"a service", `<state id="s"><transition event="go" target="t"/></state><state id="t"><invoke type="x-fault"/></state>`, "tasks from before the start: "},
		{"a delivery", `<state id="s"><transition event="go"><send type="x-fault" target="there" event="hello"/></transition></state>`, "tasks from before the start: "},
	} {
		t.Run(c.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &wreck{t: t, store: fleet.NewMemory(), ends: map[string]int{}}
				guilty := func(end func()) fleet.Definition {
					return parse(t, "guilty", c.chart, scxml.WithFunc("end", end))
				}
				innocent := func(func()) fleet.Definition { return parse(t, "counter", counter) }
				long := func(func()) fleet.Definition {
					return parse(t, "long", `<state id="s"><transition event="go" target="t"/></state><state id="t"><invoke type="x-long"/></state>`)
				}
				f := newFleet(t, w.store, fleet.Config{Services: map[string]scxml.Invoker{"x-fault": nil, "x-long": nil},
					Processors: map[string]fleet.Deliver{"x-fault": nil}}, guilty(func() {}), innocent(nil), long(nil))
				create := func(chart, event string, n int) {
					for i := range n {
						key := fmt.Sprint(chart, i)
						if err := f.Create(t.Context(), key, fleet.CreateOptions{Chart: chart}); err != nil {
							t.Fatal(err)
						}
						if _, err := f.Send(t.Context(), key, ev(event, 1)); err != nil {
							t.Fatal(err)
						}
					}
				}
				create("counter", "add", 150)
				create("long", "go", 5)
				create("guilty", "go", 1)
				time.Sleep(time.Second)
				for w.ends["a kill"] == 0 {
					w.process("", 5*time.Minute, guilty, innocent, long)
				}
				if got := w.status("guilty0"); got != "suspended" || w.lines("guilty0") != 1 || w.ends[c.what] > 6 {
					t.Errorf("after %v it is %s, and %d lines of the log say that it was suspended", w.ends, got, w.lines("guilty0"))
				}
				if want := `chart=guilty reason="` + c.reason; !strings.Contains(w.log.String(), want) {
					t.Errorf("the log does not say %q:\n%s", want, w.log.String())
				}
				for i := range 150 {
					if key := fmt.Sprint("counter", i); w.status(key) != "running" || data(t, f, key) != `{"n":1}` {
						t.Errorf("%s is %s and has %s", key, w.status(key), data(t, f, key))
					}
				}
			})
		})
	}
}

// Kills from outside suspend nobody, however quickly they come, and something gets done between them.
func TestKillsSuspendNobody(t *testing.T) {
	for _, hosts := range []int{1, 3} {
		t.Run(fmt.Sprint(hosts), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &wreck{t: t, store: fleet.NewMemory(), ends: map[string]int{}}
				innocent := func(func()) fleet.Definition { return parse(t, "counter", counter) }
				long := func(func()) fleet.Definition {
					return parse(t, "long", `<state id="s"><invoke type="x-long"/><transition event="add"/></state>`)
				}
				f := newFleet(t, w.store, fleet.Config{Services: map[string]scxml.Invoker{"x-long": nil}}, innocent(nil), long(nil))
				random := rand.New(rand.NewPCG(1, uint64(hosts)))
				key := func(i int) string { return fmt.Sprint("k", i) }
				const sessions, kills = 120, 200
				for i := range sessions {
					chart := "counter"
					if i%10 == 0 {
						chart = "long"
					}
					if err := f.Create(t.Context(), key(i), fleet.CreateOptions{Chart: chart}); err != nil {
						t.Fatal(err)
					}
				}
				send := func(n int) {
					for range n {
						if _, err := f.Send(t.Context(), key(random.IntN(sessions)), ev("add", 1)); err != nil {
							t.Fatal(err)
						}
					}
				}
				var all sync.WaitGroup
				send(sessions)
				for h := range hosts {
					name, random := "", rand.New(rand.NewPCG(2, uint64(h)))
					if hosts > 1 {
						name = fmt.Sprint("host-", h)
					}
					all.Go(func() {
						for range kills / hosts {
							life := time.Duration(50+random.IntN(850)) * time.Millisecond
							w := &wreck{t: t, store: w.store, ends: map[string]int{}}
							w.process(name, life*time.Duration(hosts*hosts), innocent, long)
						}
					})
				}
				before := 0
				for i := range kills / 10 {
					time.Sleep(4 * time.Second)
					send(100)
					if i == kills/20 {
						before = processed(t, f)
					}
				}
				all.Wait()
				if n := processed(t, f) - before; n < 100 {
					t.Errorf("%d events were processed during half of the kills", n)
				}
				w.process("host-0", 2*time.Minute, innocent, long)
				list, err := f.List(t.Context(), "", 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, info := range list {
					if s, err := f.Get(t.Context(), info.Key); err != nil || s.Status != "running" || s.Inbox > 0 {
						t.Errorf("%s is %s, has %d events in its inbox, %+v, %v", info.Key, s.Status, s.Inbox, s.Failure, err)
					}
				}
			})
		})
	}
}

func processed(t *testing.T, f *fleet.Fleet) (n int) {
	for i := range 120 {
		s, err := f.Get(t.Context(), fmt.Sprint("k", i))
		if err != nil {
			t.Fatal(err)
		}
		n += int(s.Processed)
	}
	return n
}
