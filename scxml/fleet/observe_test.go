package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A witness notes what it observes.
type witness struct {
	mu    sync.Mutex
	lines []string
}

func (w *witness) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// observer notes work of the kinds, without commits and loads if there are none.
func (w *witness) observer(kinds ...string) fleet.Observer {
	return fleet.Observer{Begin: func(ctx context.Context, work fleet.Work) (context.Context, func(fleet.Ending)) {
		if len(kinds) > 0 && !slices.Contains(kinds, work.Kind) {
			return ctx, nil
		}
		what := strings.Trim(work.Kind+" "+work.Step.Kind+" "+work.Step.Event, " ")
		return ctx, func(e fleet.Ending) {
			w.note("%s %s cause=%s after=%v err=%v duplicate=%v", work.Key, what, work.Cause, work.After, e.Err != nil, e.Duplicate)
		}
	}}
}

func (w *witness) check(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range want {
		if !slices.Contains(w.lines, line) {
			t.Errorf("not observed: %s\nin\n%s", line, strings.Join(w.lines, "\n"))
		}
	}
}

const journey = `
	<state id="a">
	  <transition event="go" target="b"/>
	</state>
	<state id="b">
	  <onentry><send event="late" delay="5s"/></onentry>
	  <transition event="late" target="c"/>
	</state>
	<state id="c">
	  <onentry><send event="hello" target="#_scxml_other"/><send type="post" target="t" event="out"/></onentry>
	  <transition event="hello" target="d"/>
	</state>
	<state id="d"/>`

// A trace follows an event through its queue, its timer, a message and a delivery, and survives a restart.
func TestTraceFollowsAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		w := new(witness)
		def := parse(t, "journey", journey)
		cfg := fleet.Config{
			Observers: []fleet.Observer{w.observer("accept", "step", "deliver")},
			Processors: map[string]fleet.Deliver{"post": func(ctx context.Context, d fleet.Delivery) error {
				w.note("delivered with %s", fleet.Trace(ctx))
				return nil
			}},
		}
		ctx := t.Context()
		f := newFleet(t, store, cfg, def)
		for _, key := range []string{"a", "other"} {
			if err := f.Create(ctx, key, fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.Send(fleet.WithTrace(ctx, "T"), "a", ev("go", nil)); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first one processes the event, the second the timer
			time.Sleep(time.Second) // in a bubble
			g := newFleet(t, store, cfg, def)
			stop := run(t, g)
			time.Sleep(6 * time.Second) // in a bubble
			stop()
		}
		w.check(t,
			"a accept event go cause=T after=0s err=false duplicate=false",
			"a step event go cause=T after=1s err=false duplicate=false",
			"a step timer cause=T after=0s err=false duplicate=false",
			"other accept message hello cause=T after=0s err=false duplicate=false",
			"other step message hello cause=T after=0s err=false duplicate=false",
			"a deliver  out cause=T after=0s err=false duplicate=false",
			"delivered with T",
			"a step report cause=T after=0s err=false duplicate=false",
		)
	})
}

// Each work of which an observer hears that it begins ends, once. A look at what a session would do is none.
func TestWorkEnds(t *testing.T) {
	begun := map[string]int{} // by kind
	open := 0
	f := newFleet(t, fleet.NewMemory(), fleet.Config{Observers: []fleet.Observer{{
		Begin: func(ctx context.Context, w fleet.Work) (context.Context, func(fleet.Ending)) {
			begun[w.Kind]++
			open++
			return ctx, func(fleet.Ending) { open-- }
		},
	}}}, parse(t, "counter", counter))
	ctx := t.Context()
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Resume(ctx, "k"); !errors.Is(err, fleet.ErrNotSuspended) { // it looks whether the store has another version
		t.Fatal(err)
	}
	if _, err := f.Send(ctx, "k", ev("add", 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Try(ctx, "k", ev("add", 1)); err != nil {
		t.Fatal(err)
	}
	if open != 0 || begun["load"] == 0 || begun["step"] != 1 { // that of Create
		t.Errorf("%d have not ended of %v", open, begun)
	}
}

// What an observer hears of Do and Send is what their caller is told.
func TestObserverHearsOfAccepting(t *testing.T) {
	w := new(witness)
	f := newFleet(t, fleet.NewMemory(), fleet.Config{Observers: []fleet.Observer{w.observer("accept", "commit")}}, parse(t, "counter", counter))
	ctx := t.Context()
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := f.Do(ctx, "k", ev("add", 1), fleet.ID("x")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Send(ctx, "k", ev("done.x", nil)); !errors.Is(err, scxml.ErrNotAccepted) {
		t.Fatal(err)
	}
	w.check(t,
		"k accept event add cause= after=0s err=false duplicate=false",
		"k accept event add cause= after=0s err=false duplicate=true",
		"k accept event done.x cause= after=0s err=true duplicate=false",
		"k commit cause= after=0s err=false duplicate=false",
	)
}

// An observer learns of each change of a session, and what a survey says is the same.
func TestObserverHearsOfChanges(t *testing.T) {
	seen := map[string]*fleet.Glance{}
	changed := func(key string, now *fleet.Glance) {
		if seen[key] = now; now == nil {
			delete(seen, key)
		}
	}
	f := newFleet(t, fleet.NewMemory(), fleet.Config{Inbox: 2, Observers: []fleet.Observer{{Changed: changed}}}, parse(t, "counter", counter))
	ctx := t.Context()
	for _, key := range []string{"a", "b"} {
		if err := f.Create(ctx, key, fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := f.Send(ctx, "a", ev("add", 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Suspend(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if err := f.Delete(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	list, err := f.Survey(ctx, "", 0, func(string, uint64) bool { return false })
	if err != nil || len(list) != 1 || len(seen) != 1 || list[0].Info != seen["a"].Info || list[0].Inbox != seen["a"].Inbox {
		t.Fatalf("survey %+v, %v\nseen %+v", list, err, seen)
	}
	if g := list[0]; g.Key != "a" || g.Status != "suspended" || g.Inbox != 2 || !g.Full || g.Oldest.IsZero() || g.Size == 0 {
		t.Errorf("%+v", g)
	}
}
