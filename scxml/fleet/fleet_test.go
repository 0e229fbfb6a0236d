package fleet_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// parse makes a definition of a document's content.
func parse(t testing.TB, name, content string, opts ...scxml.Option) fleet.Definition {
	t.Helper()
	chart, err := scxml.Parse(name+".scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+content+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return fleet.Define(name, chart, append(opts, scxml.WithMissing())...) // New is tested by TestMissing
}

const counter = `<datamodel><data id="n" expr="0"/></datamodel>
	<state id="on">
	  <transition event="add"><assign location="n" expr="n + _event.data"/></transition>
	  <transition event="end" target="off"/>
	</state>
	<final id="off"><donedata><content expr="n"/></donedata></final>`

func ev(name string, data any) scxml.Event { return scxml.Event{Name: name, Data: data} }

// run runs f.Run until the test ends.
func run(t testing.TB, f *fleet.Fleet) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
	}
}

func data(t testing.TB, f *fleet.Fleet, key string) string {
	t.Helper()
	s, err := f.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return s.Data.String()
}

func newFleet(t testing.TB, store fleet.Store, cfg fleet.Config, charts ...fleet.Definition) *fleet.Fleet {
	t.Helper()
	f, err := fleet.New(store, cfg, charts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A version that only the sessions of the past have can go when they have gone.
func TestUndefineForgetsAKeptVersion(t *testing.T) {
	def := parse(t, "counter", counter)
	f := newFleet(t, fleet.NewMemory(), fleet.Config{})
	if err := f.Keep(def); err != nil {
		t.Fatal(err)
	}
	for _, want := range []error{nil, fleet.ErrNotFound} {
		if err := f.Undefine(t.Context(), "counter", def.Hash()); !errors.Is(err, want) {
			t.Errorf("Undefine: %v, want %v", err, want)
		}
	}
}

func TestDoStoresBeforeItReturns(t *testing.T) {
	store := fleet.NewMemory()
	def := parse(t, "counter", counter)
	f := newFleet(t, store, fleet.Config{}, def)
	ctx := t.Context()
	if err := f.Create(ctx, "a", fleet.CreateOptions{Data: map[string]any{"n": 5}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Create(ctx, "a", fleet.CreateOptions{}); !errors.Is(err, fleet.ErrExists) {
		t.Errorf("Create again: %v", err)
	}
	for i := range 3 {
		res, err := f.Do(ctx, "a", ev("add", 2))
		if err != nil || res.Position != uint64(i+1) || !res.Handled {
			t.Fatalf("Do: %+v, %v", res, err)
		}
	}
	g := newFleet(t, store, fleet.Config{}, def) // as after a crash
	if got := data(t, g, "a"); got != `{"n":11}` {
		t.Errorf("data %s", got)
	}
	if res, err := g.Do(ctx, "a", ev("end", nil)); err != nil || res.Status != "final" {
		t.Errorf("end: %+v, %v", res, err)
	}
	if _, err := f.Do(ctx, "a", ev("add", 1)); !errors.Is(err, fleet.ErrEnded) { // f has a stale session
		t.Errorf("Do after the end: %v", err)
	}
	s, err := f.Get(ctx, "a")
	if err != nil || s.Final != "off" || fmt.Sprint(s.Done) != "11" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestCreateDoesAllThatFollows(t *testing.T) {
	f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "eager", `<state id="a"><onentry><send event="on"/></onentry>
		<transition event="on" target="b"/></state><state id="b"/>`))
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if s, err := f.Get(t.Context(), "k"); err != nil || !slices.Equal(s.Configuration, []string{"b"}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// Rows of an old table become sessions: with their state, their data, and what waits in that state.
func TestCreateInAConfiguration(t *testing.T) {
	order := parse(t, "order", `<datamodel><data id="items"/></datamodel>
		<state id="open"><transition event="pay" target="paid"/></state>
		<state id="paid">
			<onentry><send type="x-test" target="customer" event="thanks"/></onentry>
			<invoke type="x-test" id="pack"/>
			<transition event="done.invoke.pack" target="sent"/>
		</state>
		<final id="sent"/>`)
	store := fleet.NewMemory()
	cfg := fleet.Config{
		Processors: map[string]fleet.Deliver{"x-test": func(context.Context, fleet.Delivery) error { return nil }},
		Services:   map[string]scxml.Invoker{"x-test": nil},
	}
	f := newFleet(t, store, cfg, order)
	row := fleet.CreateOptions{Data: map[string]any{"items": []string{"book"}}, Configuration: []string{"paid"}}
	if err := f.Create(t.Context(), "k", row); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*fleet.Fleet{f, newFleet(t, store, cfg, order)} { // the second as after a crash
		s, err := f.Get(t.Context(), "k")
		if err != nil || !slices.Equal(s.Configuration, []string{"paid"}) || s.Data.String() != `{"items":["book"]}` || len(s.Tasks) != 1 || s.Tasks[0].Kind != "invoke" {
			t.Errorf("%+v, %v", s, err)
		}
	}
	row.Configuration = []string{"sent"}
	failed := new(fleet.StepError)
	if err := f.Create(t.Context(), "l", row); !errors.As(err, &failed) || !strings.Contains(err.Error(), `"sent" is a top-level final state`) {
		t.Error(err)
	}
	if _, err := f.Get(t.Context(), "l"); !errors.Is(err, fleet.ErrNotFound) {
		t.Error(err)
	}
}

func TestRepeatedEventsCountOnce(t *testing.T) {
	f := newFleet(t, fleet.NewMemory(), fleet.Config{IDs: 2}, parse(t, "counter", counter))
	ctx := t.Context()
	if err := f.Create(ctx, "a", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r, err := f.Do(ctx, "a", ev("add", 1), fleet.ID("x")); err != nil || r.Position != 1 || !r.Handled {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for _, id := range []string{"y", "y", "z"} {
		if _, err := f.Send(ctx, "a", ev("add", 10), fleet.ID(id)); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := f.Do(ctx, "a", ev("add", 10), fleet.ID("y")); err != nil || r.Position != 2 || !r.Duplicate || !r.Handled {
		t.Errorf("%+v, %v", r, err)
	}
	for _, n := range []uint64{7, 7, 3, 8} {
		if _, err := f.Send(ctx, "a", ev("add", 100), fleet.From("feed", n)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Do(ctx, "a", ev("nothing", nil)); err != nil {
		t.Fatal(err)
	}
	if got := data(t, f, "a"); got != `{"n":221}` {
		t.Errorf("data %s", got)
	}
}

func TestTimersSurviveACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		def := parse(t, "clock", `<state id="a"><onentry><send event="tick" delay="1h"/></onentry>
			<transition event="tick" target="b"/></state>
			<state id="b"><onentry><send event="tick" delay="2h"/></onentry><transition event="tick" target="c"/></state><final id="c"/>`)
		f := newFleet(t, store, fleet.Config{}, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(90 * time.Minute)
		f = newFleet(t, store, fleet.Config{}, def)
		stop := run(t, f)
		time.Sleep(time.Minute)
		if s, err := f.Get(t.Context(), "k"); err != nil || !slices.Equal(s.Configuration, []string{"b"}) {
			t.Errorf("%+v, %v", s, err)
		}
		time.Sleep(2*time.Hour - 32*time.Minute)
		if s, _ := f.Get(t.Context(), "k"); !slices.Equal(s.Configuration, []string{"b"}) {
			t.Errorf("early: %+v", s)
		}
		time.Sleep(time.Minute + time.Second)
		if s, _ := f.Get(t.Context(), "k"); s.Final != "c" {
			t.Errorf("late: %+v", s)
		}
		stop()
	})
}

func TestRunProcessesWhatSendAccepts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "counter", counter))
		ctx := t.Context()
		for i := range 5 {
			if err := f.Create(ctx, fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		stop := run(t, f)
		for i := range 500 {
			if _, err := f.Send(ctx, fmt.Sprint("k", i%5), ev("add", 1)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		for i := range 5 {
			if got := data(t, f, fmt.Sprint("k", i)); got != `{"n":100}` {
				t.Errorf("data %s", got)
			}
		}
		stop()
	})
}

func TestSessionsReachEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ping := parse(t, "ping", `<datamodel><data id="peer"/><data id="pongs" expr="[]"/><data id="lost" expr="0"/></datamodel><state id="s">
			<transition event="go"><send event="ping" targetexpr="'#_scxml_' + peer"><param name="n" expr="_event.data"/></send></transition>
			<transition event="pong"><script>pongs.push(_event.data)</script></transition>
			<transition event="error.communication"><assign location="lost" expr="lost + 1"/></transition></state>`)
		pong := parse(t, "pong", `<state id="s"><transition event="ping">
			<send event="pong" targetexpr="_event.origin"><content expr="_event.data.n"/></send></transition></state>`)
		f := newFleet(t, fleet.NewMemory(), fleet.Config{}, ping, pong)
		ctx := t.Context()
		for key, o := range map[string]fleet.CreateOptions{
			"a": {Chart: "ping", Data: map[string]any{"peer": "b"}}, "b": {Chart: "pong"},
			"c": {Chart: "ping", Data: map[string]any{"peer": "nobody"}},
		} {
			if err := f.Create(ctx, key, o); err != nil {
				t.Fatal(err)
			}
		}
		stop := run(t, f)
		for i := range 20 {
			for _, key := range []string{"a", "c"} {
				if _, err := f.Send(ctx, key, ev("go", i)); err != nil {
					t.Fatal(err)
				}
			}
		}
		synctest.Wait()
		if got, want := data(t, f, "a"), `{"peer":"b","pongs":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19],"lost":0}`; got != want {
			t.Errorf("data %s", got)
		}
		if got, want := data(t, f, "c"), `{"peer":"nobody","pongs":[],"lost":20}`; got != want {
			t.Errorf("data %s", got)
		}
		for _, key := range []string{"a", "b", "c"} {
			if s, _ := f.Get(ctx, key); len(s.Tasks) > 0 || s.Inbox > 0 {
				t.Errorf("%s: %+v", key, s)
			}
		}
		stop()
	})
}

func TestMessagesAreDeliveredUntilTheyArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := parse(t, "out", `<datamodel><data id="lost" expr="0"/></datamodel><state id="s">
			<transition event="go"><send type="x-test" target="there" event="hello"><param name="n" expr="_event.data"/></send></transition>
			<transition event="error.communication"><assign location="lost" expr="lost + 1"/></transition></state>`)
		store := fleet.NewMemory()
		var got []string
		var down atomic.Bool
		down.Store(true)
		cfg := fleet.Config{Processors: map[string]fleet.Deliver{"x-test": func(_ context.Context, d fleet.Delivery) error {
			got = append(got, fmt.Sprintf("%s %d", d.ID[strings.Index(d.ID, ":"):], d.Attempt))
			if down.Load() {
				return errors.New("down")
			}
			return nil
		}}}
		f := newFleet(t, store, cfg, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		for i := range 2 {
			if _, err := f.Send(t.Context(), "k", ev("go", i)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		time.Sleep(10 * time.Second) // attempts at 0, 1, 3, 7
		synctest.Wait()
		state, err := f.Get(t.Context(), "k")
		if err != nil || len(state.Tasks) != 2 || state.Tasks[0].Error != "down" || state.Tasks[0].Attempts != 4 || state.Tasks[1].Error != "" {
			t.Errorf("Get tells of tasks %+v, %v; want the last error of the first", state.Tasks, err)
		}
		stop()
		down.Store(false)
		f = newFleet(t, store, cfg, def)
		stop = run(t, f)
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []string{":2:1 1", ":2:1 2", ":2:1 3", ":2:1 4", ":2:1 5", ":3:2 1"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		down.Store(true)
		if _, err := f.Do(t.Context(), "k", ev("go", 3)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(25 * time.Hour)
		if got := data(t, f, "k"); got != `{"lost":1}` {
			t.Errorf("data %s", got)
		}
		stop()
	})
}

func TestServicesRunUntilTheyAreDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := parse(t, "services", `<datamodel><data id="log" expr="[]"/></datamodel><state id="s">
			<invoke type="x-work" id="w"><param name="n" expr="3"/></invoke>
			<transition event="progress"><script>log.push(_event.data)</script></transition>
			<transition event="poke"><send event="poked" target="#_w"/></transition>
			<transition event="done.invoke.w" target="t"><script>log.push(_event.data)</script></transition>
			</state><state id="t"/>`)
		store := fleet.NewMemory()
		runs := 0
		var id string
		cfg := fleet.Config{Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			runs++
			if inv.Restored != (runs > 1) {
				t.Errorf("run %d: Restored is %v", runs, inv.Restored)
			}
			key, again := fleet.TaskID(ctx)
			if id = cmp.Or(id, again); key != "k" || again != id || id == "" {
				t.Errorf("run %d: id %q, want %q", runs, again, id)
			}
			if err := inv.Send(ev("progress", runs)); err != nil {
				return nil, err
			}
			e, err := inv.Receive(ctx)
			return e.Name, err
		})}}
		f := newFleet(t, store, cfg, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		synctest.Wait()
		stop()
		f = newFleet(t, store, cfg, def)
		stop = run(t, f)
		synctest.Wait()
		if _, err := f.Send(t.Context(), "k", ev("poke", nil)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := data(t, f, "k"); got != `{"log":[1,2,"poked"]}` {
			t.Errorf("data %s", got)
		}
		stop()
	})
}

func TestWhatFailsThreeTimesSuspends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		def := parse(t, "poison", `<datamodel><data id="log" expr="[]"/></datamodel><state id="s">
			<transition event="bad"><script>work(); log.push('bad')</script></transition>
			<transition event="*"><script>log.push(_event.name)</script></transition></state>`,
			scxml.WithTrace(&scxml.Trace{Event: func(_ *scxml.Session, ev *scxml.Event) {
				if ev.Name == "bad" && broken {
					panic("broken")
				}
			}}), scxml.WithFunc("work", func() {}))
		f := newFleet(t, fleet.NewMemory(), fleet.Config{}, def)
		ctx := t.Context()
		if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		for _, name := range []string{"one", "bad", "two", "bad", "three"} {
			if _, err := f.Send(ctx, "k", ev(name, nil)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		s, err := f.Get(ctx, "k")
		if err != nil || s.Info.Status != "suspended" || s.Failure == nil || s.Failure.What != "event bad" || s.Failure.Attempts != 3 || s.Inbox != 4 || s.Data.String() != `{"log":["one"]}` {
			t.Fatalf("%+v, %v", s, err)
		}
		if what, err := f.Skip(ctx, "k"); err != nil || what != `event "bad" at position 2` {
			t.Errorf("Skip: %q, %v", what, err)
		}
		time.Sleep(time.Minute)
		if _, err := f.Do(ctx, "k", ev("four", nil)); !errors.Is(err, fleet.ErrSuspended) {
			t.Errorf("Do: %v", err)
		}
		broken = false
		if err := f.Retry(ctx, "k"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := data(t, f, "k"); got != `{"log":["one","two","bad","three"]}` {
			t.Errorf("data %s", got)
		}
		stop()
	})
}

func TestWhatEndsTheProcessThreeTimesSuspends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		// The process that executes "bad" ends: here its step never does.
		def := func(ctx context.Context) fleet.Definition {
			return parse(t, "killer", `<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="bad"><script>kill()</script></transition>
				<transition event="good"><assign location="n" expr="n + 1"/></transition></state>`,
				scxml.WithFunc("kill", func() { <-ctx.Done(); runtime.Goexit() }))
		}
		f := newFleet(t, store, fleet.Config{}, def(t.Context()))
		for _, key := range []string{"bad", "good"} {
			if err := f.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for _, send := range [][2]string{{"bad", "good"}, {"bad", "good"}, {"bad", "bad"}, {"bad", "good"}, {"good", "good"}} {
			if _, err := f.Send(t.Context(), send[0], ev(send[1], nil)); err != nil {
				t.Fatal(err)
			}
		}
		ctx, end := context.WithCancel(t.Context())
		for i := range 7 {
			f := newFleet(t, store, fleet.Config{}, def(ctx))
			go f.Run(ctx)
			time.Sleep(10 * time.Second)
			s, err := f.Get(t.Context(), "good")
			if err != nil || s.Inbox != 0 || s.Failure != nil {
				t.Errorf("run %d: %+v, %v", i, s, err)
			}
		}
		f = newFleet(t, store, fleet.Config{}, def(ctx))
		s, err := f.Get(t.Context(), "bad")
		if err != nil || s.Info.Status != "suspended" || s.Processed != 2 || s.Failure.Position != 3 {
			t.Errorf("%+v, %+v, %v", s, s.Failure, err)
		}
		end()
	})
}

// A failure that is left over, because a clock was set back, must not keep Run busy.
func TestFailureOfWhatDoesNotHappenIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{Memory: fleet.NewMemory()}
		ctx, end := context.WithCancel(t.Context())
		defer end()
		def := parse(t, "killer", `<state id="s"><onentry><send event="bad" delay="1s"/></onentry>
			<transition event="bad"><script>kill()</script></transition><transition event="end" target="over"/></state><final id="over"/>`,
			scxml.WithFunc("kill", func() { <-ctx.Done(); runtime.Goexit() }))
		f := newFleet(t, store, fleet.Config{}, def)
		if err := f.Create(t.Context(), "a", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		f = newFleet(t, store, fleet.Config{}, def)
		go f.Run(ctx)
		time.Sleep(time.Second)

		earlier := func() time.Time { return time.Now().Add(-5500 * time.Millisecond) }
		f = newFleet(t, store, fleet.Config{Host: "h", Now: earlier}, def)
		if _, err := f.Do(t.Context(), "a", ev("end", nil)); err != nil {
			t.Fatal(err)
		}
		if s, err := f.Get(t.Context(), "a"); err != nil || s.Info.Status != "final" || s.Wake.IsZero() {
			t.Fatalf("%+v, %v, want a final session with a note", s, err)
		}
		stop := run(t, f)
		time.Sleep(time.Minute)
		stop()
		if s, err := f.Get(t.Context(), "a"); err != nil || !s.Wake.IsZero() {
			t.Errorf("%+v, %v, want no note", s, err)
		}
	})
}

// counted is a store that ends the test when it is asked without end.
type counted struct {
	*fleet.Memory
	loads atomic.Int64
}

func (c *counted) Load(ctx context.Context, key string) (*fleet.Record, error) {
	if c.loads.Add(1) > 10_000 {
		panic("Run asks for the session without end")
	}
	return c.Memory.Load(ctx, key)
}

// A failure at an event that another process has processed meanwhile is not noted: there is nothing to try
// again.
func TestFailureOfWhatIsDoneIsNotNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &overtaken{Memory: fleet.NewMemory()}
		def := func(endless func() bool) fleet.Definition {
			return parse(t, "worker", `<state id="s"><transition event="go" cond="endless()" target="loop"/></state><state id="loop"><transition target="loop"/></state>`,
				scxml.WithFunc("endless", endless))
		}
		f := newFleet(t, store.Memory, fleet.Config{}, def(func() bool { return false }))
		if err := f.Create(t.Context(), "a", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		var failed atomic.Int64
		processed := false
		store.loaded = func() {
			if failed.Load() != 2 || processed { // the second time it is the only event of its step
				return
			}
			processed = true
			if _, err := f.Do(t.Context(), "a", ev("more", nil)); err != nil {
				t.Error(err)
			}
		}
		stop := run(t, newFleet(t, store, fleet.Config{}, def(func() bool { failed.Add(1); return true })))
		time.Sleep(time.Second)
		if _, err := f.Send(t.Context(), "a", ev("go", nil)); err != nil {
			t.Fatal(err)
		}
		for failed.Load() < 2 {
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		stop()
		if s, err := f.Get(t.Context(), "a"); err != nil || s.Failure != nil || s.Processed != 2 {
			t.Errorf("%+v, %v, failure %+v, want none and two events", s, err, s.Failure)
		}
	})
}

// overtaken is a store that tells of each record that was loaded from it.
type overtaken struct {
	*fleet.Memory
	loaded func()
}

func (o *overtaken) Load(ctx context.Context, key string) (*fleet.Record, error) {
	record, err := o.Memory.Load(ctx, key)
	o.loaded()
	return record, err
}

// A report happens at its time, not when the session last did something, and a service learns what
// its run is called.
func TestReportsHappenNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan error)
		var ids []string
		service := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			key, id := fleet.TaskID(ctx)
			ids = append(ids, key, id)
			return nil, <-answer
		})
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Services: map[string]scxml.Invoker{"bank": service}}, parse(t, "shop", `
			<state id="paying"><invoke type="bank"/><transition event="done.invoke" target="reserved"/></state>
			<state id="reserved"><onentry><send event="late" delay="10m"/></onentry><transition event="late" target="expired"/></state>
			<state id="expired"/>`))
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		time.Sleep(time.Hour)
		answer <- nil
		time.Sleep(time.Minute)
		if s, err := f.Get(t.Context(), "k"); err != nil || !slices.Equal(s.Configuration, []string{"reserved"}) {
			t.Errorf("%+v, %v", s, err)
		}
		if len(ids) != 2 || ids[0] != "k" || !strings.HasPrefix(ids[1], "k.") {
			t.Errorf("the service is told %q", ids)
		}
		stop()
	})
}

func TestReportThatFailsThreeTimesSuspends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := parse(t, "out", `<datamodel><data id="n" expr="0"/></datamodel><state id="s">
			<transition event="go"><send type="x-test" target="there" event="hello"/></transition>
			<transition event="add"><assign location="n" expr="n + 1"/></transition></state>`,
			scxml.WithTrace(&scxml.Trace{InternalEvent: func(_ *scxml.Session, ev *scxml.Event) {
				if ev.Name == "error.communication" {
					panic("broken")
				}
			}}))
		var calls atomic.Int32
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Processors: map[string]fleet.Deliver{"x-test": func(context.Context, fleet.Delivery) error {
			calls.Add(1)
			return fleet.ErrRefused
		}}}, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		for _, name := range []string{"go", "add", "add"} {
			if _, err := f.Send(t.Context(), "k", ev(name, nil)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got := data(t, f, "k"); got != `{"n":2}` {
			t.Errorf("data %s while a report fails", got)
		}
		time.Sleep(time.Minute)
		s, err := f.Get(t.Context(), "k")
		if err != nil || s.Info.Status != "suspended" || s.Failure.What != "report" || s.Failure.Task != 1 || calls.Load() != 1 {
			t.Errorf("%+v, %+v, %v, %d calls", s, s.Failure, err, calls.Load())
		}
		if what, err := f.Skip(t.Context(), "k"); err != nil || what != "report of task 1" {
			t.Errorf("Skip: %q, %v", what, err)
		}
		time.Sleep(time.Hour)
		if s, err := f.Get(t.Context(), "k"); err != nil || s.Info.Status != "running" || len(s.Tasks) != 0 || calls.Load() != 1 {
			t.Errorf("%+v, %v, %d calls", s, err, calls.Load())
		}
		stop()
	})
}
