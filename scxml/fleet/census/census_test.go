package census_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
)

const document = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
	<state id="on">
	  <transition event="end" target="off"/>
	  <transition event="wait"><send event="later" delay="1s"/></transition>
	  <transition event="post"><send type="post" target="t" event="x"/></transition>
	  <transition event="fail" target="loop"/>
	</state>
	<state id="loop"><transition target="loop"/>
	</state>
	<final id="off"/></scxml>`

func newFleet(t testing.TB, store fleet.Store, c *census.Census) *fleet.Fleet {
	t.Helper()
	chart, err := scxml.Parse("c.scxml", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	cfg := fleet.Config{Inbox: 3, Processors: map[string]fleet.Deliver{
		"post": func(context.Context, fleet.Delivery) error { return errors.New("nobody is there") },
	}}
	if c != nil {
		cfg.Observers = []fleet.Observer{c.Observer()}
	}
	f, err := fleet.New(store, cfg, fleet.Define("c", chart), fleet.Define("d", chart))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func counts(c *census.Census) string {
	var all []string
	for _, n := range c.Counts() {
		all = append(all, fmt.Sprintf("%s %s %d", n.Chart, n.Status, n.Sessions))
	}
	return strings.Join(all, ", ")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever a fleet does, what its census says is what another one reads from the store.
func TestCensusAgreesWithTheStore(t *testing.T) {
	ctx := t.Context()
	store := fleet.NewMemory()
	heard := census.New()
	f := newFleet(t, store, heard)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		key := fmt.Sprintf("k%d", rnd.IntN(60))
		switch rnd.IntN(7) {
		case 0, 1:
			_ = f.Create(ctx, key, fleet.CreateOptions{Chart: []string{"c", "d"}[rnd.IntN(2)]}) // or it exists
		case 2:
			_, _ = f.Do(ctx, key, scxml.Event{Name: "end"})
		case 3:
			_, _ = f.Send(ctx, key, scxml.Event{Name: "wait"})
		case 4:
			_ = f.Suspend(ctx, key)
		case 5:
			_ = f.Resume(ctx, key)
		case 6:
			_ = f.Delete(ctx, key)
		}
		if i%200 == 0 {
			must(t, heard.Scan(ctx, f)) // changes nothing
		}
		if i%50 != 0 {
			continue
		}
		read := census.New()
		must(t, read.Scan(ctx, newFleet(t, store, nil)))
		now := time.Now()
		for _, q := range []census.Query{{}, {Text: "K1"}, {Status: "suspended", Limit: 3}, {Stuck: true}, {Chart: "d", After: "k3"}} {
			got, want := heard.Find(ctx, f, q, now), read.Find(ctx, f, q, now)
			if fmt.Sprint(keys(got), got.Total, got.Next) != fmt.Sprint(keys(want), want.Total, want.Next) {
				t.Fatalf("after %d changes, %+v: %v, want %v", i, q, got, want)
			}
		}
		if got, want := counts(heard), counts(read); got != want {
			t.Fatalf("after %d changes: %s, want %s", i, got, want)
		}
		if got, want := heard.Work()["c"], read.Work()["c"]; got.Inbox != want.Inbox || got.Longest != want.Longest || !got.Oldest.Equal(want.Oldest) {
			t.Fatalf("after %d changes: %+v, want %+v", i, got, want)
		}
	}
}

func keys(p census.Page) []string {
	var all []string
	for _, s := range p.Sessions {
		all = append(all, s.Key)
	}
	return all
}

// What another process has changed, created or deleted is known after a scan.
func TestScanFindsWhatOthersHaveDone(t *testing.T) {
	ctx := t.Context()
	store := fleet.NewMemory()
	c := census.New()
	f, other := newFleet(t, store, c), newFleet(t, store, nil)
	for _, key := range []string{"a", "b"} {
		must(t, f.Create(ctx, key, fleet.CreateOptions{Chart: "c"}))
	}
	must(t, other.Create(ctx, "new", fleet.CreateOptions{Chart: "d"}))
	must(t, other.Delete(ctx, "a"))
	must(t, other.Suspend(ctx, "b"))
	if c.Complete() {
		t.Error("complete before the first scan")
	}
	must(t, c.Scan(ctx, f))
	if got := counts(c); got != "c suspended 1, d running 1" || !c.Complete() {
		t.Error(got)
	}
}

// Pages have each session once, and say how many there are.
func TestPagesHaveAllSessions(t *testing.T) {
	ctx := t.Context()
	c := census.New()
	f := newFleet(t, fleet.NewMemory(), c)
	for i := range 25 {
		must(t, f.Create(ctx, fmt.Sprintf("s%02d", i), fleet.CreateOptions{Chart: "c"}))
	}
	var all []string
	q := census.Query{Text: "s1", Limit: 4}
	for {
		p := c.Find(ctx, f, q, time.Now())
		if p.Total != 10 {
			t.Fatalf("total %d", p.Total)
		}
		all = append(all, keys(p)...)
		if q.After = p.Next; q.After == "" {
			break
		}
	}
	if len(all) != 10 || !slices.IsSorted(all) || all[9] != "s19" {
		t.Error(all)
	}
}

// A session in trouble is found, with what is wrong.
func TestTroubles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := census.New()
		f := newFleet(t, fleet.NewMemory(), c)
		for _, key := range []string{"asleep", "broken", "full", "late", "post", "rests", "well"} {
			must(t, f.Create(ctx, key, fleet.CreateOptions{Chart: "c"}))
		}
		done := make(chan error)
		go func() { done <- f.Run(ctx) }()
		for key, event := range map[string]string{"broken": "fail", "post": "post"} {
			if _, err := f.Send(ctx, key, scxml.Event{Name: event}); err != nil {
				t.Fatal(err)
			}
		}
		must(t, f.Suspend(ctx, "rests"))
		time.Sleep(20 * time.Second) // in a bubble
		cancel()
		<-done
		ctx = t.Context()
		for _, key := range []string{"full", "full", "full", "asleep"} {
			if _, err := f.Send(ctx, key, scxml.Event{Name: "none"}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.Do(ctx, "late", scxml.Event{Name: "wait"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Minute) // in a bubble, and no Run is in progress
		page := c.Find(ctx, f, census.Query{Stuck: true}, time.Now())
		var got []string
		for _, s := range page.Sessions {
			for _, tr := range s.Troubles {
				got = append(got, s.Key+": "+tr.Kind+": "+tr.Note)
			}
		}
		want := []string{
			"asleep: waiting: 1 events wait",
			"broken: suspended: event fail failed 3 times: ",
			"full: full: 3 events wait, and no more are accepted",
			"late: late: a delayed event was due",
			"post: delivery: 1 of 1 tasks in the outbox fail and are tried again: nobody is there",
			"rests: suspended: by an operator",
		}
		if len(got) != len(want) {
			t.Fatalf("got\n%s", strings.Join(got, "\n"))
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("got  %s\nwant %s", got[i], want[i])
			}
		}
		if n, stuck := c.Troubles(ctx, f, time.Now()); stuck != 6 || n["suspended"] != 2 || n["late"] != 1 || n["delivery"] != 1 {
			t.Error(n)
		}
		if p := c.Find(ctx, f, census.Query{Trouble: "late"}, time.Now()); p.Total != 1 || p.Sessions[0].Key != "late" {
			t.Errorf("%+v", p)
		}
	})
}

// A timer that another host has fired is not late, whatever this one has heard.
func TestTimersOfOtherHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, c := fleet.NewMemory(), census.New()
		f, other := newFleet(t, store, c), newFleet(t, store, nil)
		for _, key := range []string{"k", "slow"} {
			must(t, f.Create(t.Context(), key, fleet.CreateOptions{Chart: "c"}))
			if _, err := f.Do(t.Context(), key, scxml.Event{Name: "wait"}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(20 * time.Second)
		if _, err := other.Do(t.Context(), "k", scxml.Event{Name: "none"}); err != nil { // after what is due
			t.Fatal(err)
		}
		if p := c.Find(t.Context(), f, census.Query{Stuck: true}, time.Now()); !slices.Equal(keys(p), []string{"slow"}) {
			t.Errorf("found are %q, want the one that is late", keys(p))
		}
		if n, stuck := c.Troubles(t.Context(), f, time.Now()); stuck != 1 || n["late"] != 1 {
			t.Errorf("%d sessions are stuck, %v; want the one that is late", stuck, n)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	c := census.New()
	changed := c.Observer().Changed
	for i := range 100_000 {
		changed(fmt.Sprint("session-", i), &fleet.Glance{Info: fleet.Info{Key: fmt.Sprint("session-", i), Chart: "c", Status: "running", Revision: uint64(i + 1)}})
	}
	for b.Loop() {
		if c.Find(b.Context(), nil, census.Query{Text: "-99999"}, time.Now()).Total != 1 {
			b.Fatal("not found")
		}
	}
}
