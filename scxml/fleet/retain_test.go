package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// keys returns the keys of all sessions.
func keys(t testing.TB, f *fleet.Fleet) string {
	t.Helper()
	list, err := f.List(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range list {
		all = append(all, s.Key)
	}
	return strings.Join(all, " ")
}

// mustDo gives events to a session.
func mustDo(t testing.TB, f *fleet.Fleet, key string, events ...string) {
	t.Helper()
	for _, e := range events {
		if _, err := f.Do(t.Context(), key, ev(e, nil)); err != nil {
			t.Fatal(err)
		}
	}
}

func mustCreate(t testing.TB, f *fleet.Fleet, key, chart string) {
	t.Helper()
	if err := f.Create(t.Context(), key, fleet.CreateOptions{Chart: chart}); err != nil {
		t.Fatal(err)
	}
}

// A deal is done, or cancelled, when it is told so.
const deal = `<state id="on"><transition event="end" target="off"/></state><final id="off"/>`

// A session that has ended is deleted when its time has passed, also by a Run that begins later. One that
// runs, or is of a chart that is kept for ever, stays; so does one that has been suspended.
func TestFinishedSessionsAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		cfg := fleet.Config{KeepFinished: map[string]time.Duration{"": time.Hour, "deed": 0, "note": time.Minute}}
		charts := []fleet.Definition{parse(t, "order", deal), parse(t, "deed", deal), parse(t, "note", deal)}
		f := newFleet(t, store, cfg, charts...)
		for _, c := range []struct{ key, chart string }{
			{"deed", "deed"}, {"note", "note"}, {"order-done", "order"}, {"order-open", "order"}, {"order-stopped", "order"}, {"order-waits", "order"}} {
			mustCreate(t, f, c.key, c.chart)
		}
		mustDo(t, f, "deed", "end")
		mustDo(t, f, "note", "end")
		mustDo(t, f, "order-done", "end")
		if err := errors.Join(f.Stop(t.Context(), "order-stopped"), f.Suspend(t.Context(), "order-waits")); err != nil {
			t.Fatal(err)
		}
		list, err := f.List(t.Context(), "note", 2)
		if err != nil || !list[0].Ended.Equal(time.Now()) || list[0].Status != "final" || !list[1].Ended.IsZero() {
			t.Errorf("List returns %+v, %v; want when they have ended", list, err)
		}
		at := func(d time.Duration, want string) {
			t.Helper()
			time.Sleep(d)
			if got := keys(t, f); got != want {
				t.Errorf("there are %s, want %s", got, want)
			}
		}
		all := "deed note order-done order-open order-stopped order-waits"
		at(2*time.Minute, all) // nobody works
		stop := run(t, f)
		at(7*time.Minute, strings.Replace(all, "note ", "", 1))
		stop()
		at(2*time.Hour, strings.Replace(all, "note ", "", 1))
		f = newFleet(t, store, cfg, charts...)
		defer run(t, f)()
		at(10*time.Minute, "deed order-open order-waits")

		// A session with a key that was used is a new one.
		mustCreate(t, f, "order-done", "order")
		receipt, err := f.Send(t.Context(), "order-done", ev("end", nil), fleet.ID("old"))
		if err != nil || receipt != (fleet.Receipt{Position: 1}) {
			t.Errorf("Send returns %+v, %v", receipt, err)
		}
		at(59*time.Minute, "deed order-done order-open order-waits")
		at(10*time.Minute, "deed order-open order-waits")
	})
}

// A deaf store does not store a session, as if its host had died in between.
type deaf struct {
	fleet.Store
	key atomic.Pointer[string]
}

func (s *deaf) Commit(ctx context.Context, changes []fleet.Change) []error {
	if key := s.key.Load(); key != nil && changes[0].Key == *key {
		return []error{errors.New("the store is deaf")}
	}
	return s.Store.Commit(ctx, changes)
}

// A session stays as long as the sender of a message does not know that it has arrived: otherwise the sender
// would hear that the session does not exist.
func TestFinishedSessionStaysForItsSenders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &deaf{Store: fleet.NewMemory()}
		f := newFleet(t, store, fleet.Config{KeepFinished: map[string]time.Duration{"": time.Minute}, Workers: 8},
			parse(t, "order", deal), parse(t, "sender", `
<state id="s"><transition event="go"><send target="#_scxml_order" event="end"/></transition>
  <transition event="error.communication" target="wrong"/></state><state id="wrong"/>`))
		mustCreate(t, f, "order", "order")
		mustCreate(t, f, "sender", "sender")
		mustDo(t, f, "sender", "go")
		key := "sender"
		store.key.Store(&key)
		defer run(t, f)()
		time.Sleep(time.Hour)
		if got := keys(t, f); got != "order sender" {
			t.Errorf("there are %s, want both", got)
		}
		if state, err := f.Get(t.Context(), "order"); err != nil || state.Status != "final" {
			t.Fatalf("the order is %s, %v; want final", state.Status, err)
		}
		d, err := f.DeleteAll(t.Context(), fleet.Selection{}, "", 0)
		if err != nil || d != (fleet.Deletion{Busy: 1}) {
			t.Errorf("DeleteAll returns %+v, %v", d, err)
		}
		store.key.Store(nil)
		time.Sleep(time.Hour)
		if got := keys(t, f); got != "sender" {
			t.Errorf("there are %s, want the sender", got)
		}
		if state, err := f.Get(t.Context(), "sender"); err != nil || fmt.Sprint(state.Configuration, len(state.Tasks)) != "[s] 0" {
			t.Errorf("the sender is in %v with %d tasks, %v", state.Configuration, len(state.Tasks), err)
		}
	})
}

// What a session has sent is delivered before it is deleted.
func TestFinishedSessionStaysForItsOutbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var delivered atomic.Int64
		f := newFleet(t, fleet.NewMemory(), fleet.Config{
			KeepFinished: map[string]time.Duration{"": time.Minute},
			Processors: map[string]fleet.Deliver{"x-post": func(context.Context, fleet.Delivery) error {
				if time.Since(began) < time.Hour {
					return errors.New("nobody is there")
				}
				delivered.Add(1)
				return nil
			}},
		}, parse(t, "order", `<state id="on"><transition event="end" target="off"><send type="x-post" target="t" event="e"/></transition></state><final id="off"/>`))
		mustCreate(t, f, "k", "")
		mustDo(t, f, "k", "end")
		defer run(t, f)()
		time.Sleep(50 * time.Minute)
		if got := keys(t, f); got != "k" {
			t.Errorf("there are %q, want k", got)
		}
		time.Sleep(20 * time.Minute)
		if got := keys(t, f); got != "" || delivered.Load() != 1 {
			t.Errorf("there are %q, and %d messages were delivered", got, delivered.Load())
		}
	})
}

// For sessions of an earlier version, which did not note when they ended, the time begins with the first
// look at them.
func TestUndatedSessionsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, store := t.Context(), fleet.NewMemory()
		f := newFleet(t, store, fleet.Config{KeepFinished: map[string]time.Duration{"": time.Hour}}, parse(t, "order", deal))
		mustCreate(t, f, "k", "")
		mustDo(t, f, "k", "end")
		rec, err := store.Load(ctx, "k")
		if err == nil {
			rec.Status, _, _ = strings.Cut(rec.Status, " ")
			err = store.Commit(ctx, []fleet.Change{{Key: "k", Old: rec.Revision, New: rec}})[0]
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(24 * time.Hour)
		if d, err := f.DeleteAll(ctx, fleet.Selection{Older: time.Hour}, "", 0); d != (fleet.Deletion{}) || err != nil {
			t.Errorf("DeleteAll returns %+v, %v", d, err)
		}
		defer run(t, f)()
		time.Sleep(time.Hour)
		if got := keys(t, f); got != "k" {
			t.Errorf("there are %q, want k", got)
		}
		time.Sleep(20 * time.Minute)
		if got := keys(t, f); got != "" {
			t.Errorf("there are %q, want none", got)
		}
	})
}

// DeleteAll deletes what is asked for, and what runs only if it is named.
func TestDeleteAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const all = "a-final a-running a-stopped b-final b-suspended"
		for _, c := range []struct {
			which fleet.Selection
			want  string // what remains, or the error
		}{
			{fleet.Selection{}, "a-running b-suspended"},
			{fleet.Selection{Chart: "a"}, "a-running b-final b-suspended"},
			{fleet.Selection{Chart: "c"}, all},
			{fleet.Selection{Status: []string{"stopped"}}, "a-final a-running b-final b-suspended"},
			{fleet.Selection{Status: []string{"running", "suspended"}}, "a-final a-stopped b-final"},
			{fleet.Selection{Older: time.Hour}, "a-running a-stopped b-suspended"},
			{fleet.Selection{Older: 2 * time.Hour}, all},
			{fleet.Selection{Status: []string{"ended"}}, `"ended" is not a status`},
			{fleet.Selection{Status: []string{"running"}, Older: time.Hour}, "sessions that are running have no age: they have not ended"},
		} {
			f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "a", deal), parse(t, "b", deal))
			for key := range strings.FieldsSeq(all) {
				mustCreate(t, f, key, key[:1])
			}
			mustDo(t, f, "a-final", "end")
			mustDo(t, f, "b-final", "end")
			time.Sleep(time.Hour + time.Second)
			if err := errors.Join(f.Stop(t.Context(), "a-stopped"), f.Suspend(t.Context(), "b-suspended")); err != nil {
				t.Fatal(err)
			}
			sum := func() (sum fleet.Deletion, err error) {
				for more := true; more; more = err == nil && sum.Next != "" {
					var d fleet.Deletion
					d, err = f.DeleteAll(t.Context(), c.which, sum.Next, 2)
					sum.Deleted, sum.Busy, sum.Next = sum.Deleted+d.Deleted, sum.Busy+d.Busy, d.Next
				}
				return sum, err
			}
			c.which.Try = true
			tried, err := sum()
			if got := keys(t, f); got != all {
				t.Errorf("%+v has left %s", c.which, got)
			}
			c.which.Try = false
			deleted, failed := sum()
			if deleted != tried || fmt.Sprint(failed) != fmt.Sprint(err) {
				t.Errorf("%+v: got %+v, %v after a trial with %+v, %v", c.which, deleted, failed, tried, err)
			}
			got := keys(t, f)
			if err != nil {
				got = err.Error()
			} else if n := 5 - len(strings.Fields(got)); n != deleted.Deleted {
				t.Errorf("%+v has deleted %d sessions, and says %d", c.which, n, deleted.Deleted)
			}
			if got != c.want {
				t.Errorf("%+v: got %s, want %s", c.which, got, c.want)
			}
		}
	})
}

// A doomed store counts deletions, and ends its process during one of them.
type doomed struct {
	fleet.Watcher
	mu      sync.Mutex
	deleted map[string]int
	left    int
	die     context.CancelFunc
}

func (s *doomed) Commit(ctx context.Context, changes []fleet.Change) []error {
	if changes[0].New == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.left--; s.left == 0 {
			s.die()
		}
		s.deleted[changes[0].Key]++
	}
	return s.Watcher.Commit(ctx, changes)
}

// Each host deletes its own sessions, once. One that ends meanwhile leaves the others to the next.
func TestHostsDeleteTheirOwn(t *testing.T) {
	t.Run("both live", func(t *testing.T) { testHostsDelete(t, 0, 25, 75) })
	t.Run("one dies", func(t *testing.T) { testHostsDelete(t, 10, 10, 20) })
}

// testHostsDelete lets the first of two hosts end during one of its deletions, or not, of which it does
// from least to most.
func testHostsDelete(t *testing.T, last, least, most int) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100
		memory := fleet.NewMemory()
		var stores []*doomed
		start := func(name string, left int) *fleet.Fleet {
			ctx, cancel := context.WithCancel(t.Context())
			s := &doomed{Watcher: memory, deleted: map[string]int{}, left: left, die: cancel}
			stores = append(stores, s)
			f := newFleet(t, s, fleet.Config{Host: name, KeepFinished: map[string]time.Duration{"": time.Minute}}, parse(t, "order", deal))
			done := make(chan struct{})
			go func() { f.Run(ctx); close(done) }()
			t.Cleanup(func() { cancel(); <-done })
			return f
		}
		a := start("a", last)
		start("b", 0)
		time.Sleep(10 * time.Second)
		for i := range n {
			mustCreate(t, a, fmt.Sprint("done-", i), "")
			mustDo(t, a, fmt.Sprint("done-", i), "end")
		}
		mustCreate(t, a, "runs", "")
		time.Sleep(10 * time.Minute)
		if got := keys(t, a); got != "runs" {
			t.Errorf("there are %s", got)
		}
		for key := range stores[0].deleted {
			stores[1].deleted[key]++
		}
		for key, times := range stores[1].deleted {
			if times != 1 {
				t.Errorf("%s was deleted %d times", key, times)
			}
		}
		if first := len(stores[0].deleted); first < least || first > most || len(stores[1].deleted) != n {
			t.Errorf("of %d sessions host a has deleted %d, and both %d", n, first, len(stores[1].deleted))
		}
	})
}
