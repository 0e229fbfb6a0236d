// Package fleettest tests implementations of [fleet.Store].
//
//	func TestStore(t *testing.T) {
//		fleettest.Test(t, fleettest.Kit{Open: func(t testing.TB) fleet.Store { return open(t, t.TempDir()) }})
//	}
package fleettest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A Kit gives Test the stores that it tries.
type Kit struct {
	// Open returns a new, empty store. Test closes it.
	Open func(t testing.TB) fleet.Store
	// Reopen closes a store and opens it again, as another process would. It is nil for a store that
	// forgets.
	Reopen func(t testing.TB, s fleet.Store) fleet.Store
	// Second opens a store a second time, as another process would that uses it meanwhile. It is nil for a
	// store of one process.
	Second func(t testing.TB, s fleet.Store) fleet.Store
}

// Test tries out a store in subtests.
func Test(t *testing.T, k Kit) {
	tests := []struct {
		name string
		test func(*testing.T, Kit)
	}{
		{"RandomPrograms", testRandom},
		{"OneSwapWins", testSwaps},
		{"EachOfAGroupByItself", testGroup},
		{"Linearizable", testLinearizable},
		{"ListsWhileWriting", testLists},
		{"RefusedChanges", testRefused},
		{"SlicesAreCopied", testCopies},
		{"CanceledContext", testCanceled},
		{"Closed", testClosed},
		{"TwoProcesses", testTwo},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.test(t, k) })
	}
}

func (k Kit) open(t *testing.T) fleet.Store {
	s := k.Open(t)
	t.Cleanup(func() { s.Close() })
	return s
}

// commit carries out a single change.
func commit(s fleet.Store, c fleet.Change) error {
	return s.Commit(context.Background(), []fleet.Change{c})[0]
}

// put creates or replaces a record and returns its revision.
func put(t *testing.T, s fleet.Store, old uint64, rec fleet.Record) uint64 {
	t.Helper()
	if err := commit(s, fleet.Change{Key: rec.Key, Old: old, New: &rec}); err != nil {
		t.Fatalf("cannot commit %q: %v", rec.Key, err)
	}
	return rec.Revision
}

// Of a thousand concurrent changes of the same revision one happens.
func testSwaps(t *testing.T, k Kit) {
	const n = 1000
	s := k.open(t)
	var old uint64
	for _, round := range []string{"create", "replace", "delete"} {
		revisions := make([]uint64, n)
		errs := make([]error, n)
		start := make(chan struct{})
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				c := fleet.Change{Key: "k", Old: old, New: &fleet.Record{Key: "k", Body: fmt.Append(nil, round, i)}}
				if round == "delete" {
					c.New = nil
				}
				<-start
				errs[i] = commit(s, c)
				if c.New != nil {
					revisions[i] = c.New.Revision
				}
			})
		}
		close(start)
		all.Wait()
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner < 0:
				winner = i
			case err == nil:
				t.Fatalf("%s: swaps %d and %d have both won", round, winner, i)
			case !errors.Is(err, fleet.ErrConflict):
				t.Fatalf("%s: got %v, want ErrConflict", round, err)
			}
		}
		if winner < 0 {
			t.Fatalf("%s: no swap has won", round)
		}
		rec, err := s.Load(t.Context(), "k")
		if round == "delete" {
			if !errors.Is(err, fleet.ErrNotFound) {
				t.Errorf("after the deletion Load returns %v, want ErrNotFound", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint(round, winner); string(rec.Body) != want || rec.Revision != revisions[winner] || rec.Revision <= old {
			t.Errorf("the store has %q at revision %d, want %q at %d, above %d", rec.Body, rec.Revision, want, revisions[winner], old)
		}
		old = rec.Revision
	}
}

// A change that is refused does not keep the others of its group from happening.
func testGroup(t *testing.T, k Kit) {
	s := k.open(t)
	at := put(t, s, 0, fleet.Record{Key: "b"})
	errs := s.Commit(t.Context(), []fleet.Change{
		{Key: "a", New: &fleet.Record{Key: "a", Body: []byte("new")}},
		{Key: "b", New: &fleet.Record{Key: "b"}},
		{Key: "", New: &fleet.Record{}},
		{Key: "c", New: &fleet.Record{Key: "c"}},
		{Key: "d", Old: at},
	})
	if len(errs) != 5 || errs[0] != nil || !errors.Is(errs[1], fleet.ErrConflict) || errs[2] == nil || errs[3] != nil || !errors.Is(errs[4], fleet.ErrConflict) {
		t.Fatalf("got errors %v; want those of the second, third and last change", errs)
	}
	for key, want := range map[string]error{"a": nil, "b": nil, "c": nil, "d": fleet.ErrNotFound} {
		if _, err := s.Load(t.Context(), key); !errors.Is(err, want) {
			t.Errorf("Load(%q) returns %v, want %v", key, err, want)
		}
	}
	if errs := s.Commit(t.Context(), nil); len(errs) != 0 {
		t.Errorf("an empty group has errors %v", errs)
	}
}

// Lists that are read by several goroutines while sessions come, change and go have each session that is
// there all the time, in order.
func testLists(t *testing.T, k Kit) {
	const rounds = 100
	s := k.open(t)
	var constant []string
	for i := range 20 {
		key := fmt.Sprintf("constant-%02d", i)
		put(t, s, 0, fleet.Record{Key: key, Wake: epoch.Add(time.Duration(i)), Pending: true})
		constant = append(constant, key)
	}
	// check compares what a list has of the constant keys.
	check := func(call string, keys []string, err error) {
		got := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !strings.HasPrefix(key, "constant") })
		if err != nil || !slices.Equal(got, constant) {
			t.Errorf("%s returns %q, %v; want %q among them, in this order", call, keys, err, constant)
		}
	}
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range rounds {
				key := fmt.Sprintf("other-%d-%d", w, i%3)
				rec := fleet.Record{Key: key, Wake: epoch, Pending: true}
				c := fleet.Change{Key: key, New: &rec, Log: []byte("log")}
				if err := commit(s, c); err != nil {
					t.Errorf("cannot create %q: %v", key, err)
					return
				}
				if err := commit(s, fleet.Change{Key: key, Old: rec.Revision}); err != nil {
					t.Errorf("cannot delete %q: %v", key, err)
					return
				}
			}
		})
		all.Go(func() {
			ctx := t.Context()
			for range rounds {
				list, err := s.List(ctx, "", 0)
				var keys []string
				for _, rec := range list {
					keys = append(keys, rec.Key)
				}
				check("List", keys, err)
				keys, err = s.Pending(ctx, "", 0)
				check("Pending", keys, err)
				keys, _, err = s.Due(ctx, epoch.Add(time.Hour), 0)
				check("Due", keys, err)
				if _, err := s.Log(ctx, fmt.Sprintf("other-%d-0", w), 0, 0); err != nil && !errors.Is(err, fleet.ErrNotFound) {
					t.Errorf("Log returns %v", err)
				}
			}
		})
	}
	all.Wait()
}

func testRefused(t *testing.T, k Kit) {
	s := k.open(t)
	rec := fleet.Record{Key: "k", Accepted: 3}
	rec.Revision = put(t, s, 0, rec)
	long := string(make([]byte, 1025))
	for name, c := range map[string]fleet.Change{
		"empty key":           {New: &fleet.Record{}},
		"zero byte":           {Key: "a\x00", New: &fleet.Record{Key: "a\x00"}},
		"long key":            {Key: long[:513], New: &fleet.Record{Key: long[:513]}},
		"another key":         {Key: "a", New: &fleet.Record{Key: "b"}},
		"deletion of nothing": {Key: "a"},
		"events unaccepted":   {Key: "k", Old: rec.Revision, New: &fleet.Record{Key: "k", Accepted: 2}},
		"long status":         {Key: "a", New: &fleet.Record{Key: "a", Status: long}},
	} {
		if err := commit(s, c); err == nil || errors.Is(err, fleet.ErrConflict) {
			t.Errorf("%s: got %v, want an error that says why", name, err)
		}
	}
	if list, err := s.List(t.Context(), "", 0); err != nil || len(list) != 1 || list[0].Revision != rec.Revision {
		t.Errorf("after refused changes the store has %v, %v", list, err)
	}
}

// Caller and store do not share memory.
func testCopies(t *testing.T, k Kit) {
	s := k.open(t)
	body, log, file := []byte("body"), []byte("log"), []byte("file")
	if err := commit(s, fleet.Change{Key: "k", New: &fleet.Record{Key: "k", Body: body}, Log: log}); err != nil {
		t.Fatal(err)
	}
	if err := s.PutFile(t.Context(), "f", file); err != nil {
		t.Fatal(err)
	}
	body[0], log[0], file[0] = 'x', 'x', 'x'
	for range 2 {
		rec, err := s.Load(t.Context(), "k")
		if err != nil || string(rec.Body) != "body" {
			t.Fatalf("Load returns %v, %v; want the body that was committed", rec, err)
		}
		entries, err := s.Log(t.Context(), "k", 0, 0)
		if err != nil || len(entries) != 1 || string(entries[0].Body) != "log" {
			t.Fatalf("Log returns %v, %v; want the entry that was committed", entries, err)
		}
		data, err := s.File(t.Context(), "f")
		if err != nil || string(data) != "file" {
			t.Fatalf("File returns %q, %v; want what was put", data, err)
		}
		rec.Body[0], rec.Revision, entries[0].Body[0], data[0] = 'x', 0, 'x', 'x'
	}
}

// A context that is done refuses a commit and leaves the store as it is.
func testCanceled(t *testing.T, k Kit) {
	s := k.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Commit(ctx, []fleet.Change{{Key: "k", New: &fleet.Record{Key: "k"}}})[0]; !errors.Is(err, context.Canceled) {
		t.Errorf("Commit returns %v, want context.Canceled", err)
	}
	if _, err := s.Load(t.Context(), "k"); !errors.Is(err, fleet.ErrNotFound) {
		t.Errorf("Load returns %v, want ErrNotFound", err)
	}
}

func testClosed(t *testing.T, k Kit) {
	s := k.open(t)
	put(t, s, 0, fleet.Record{Key: "k"})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, load := s.Load(ctx, "k")
	_, _, due := s.Due(ctx, epoch, 0)
	_, pending := s.Pending(ctx, "", 0)
	_, list := s.List(ctx, "", 0)
	_, log := s.Log(ctx, "k", 0, 0)
	_, file := s.File(ctx, "f")
	_, files := s.Files(ctx, "")
	count := fleet.ErrClosed
	if c, ok := s.(fleet.Counter); ok {
		_, count = c.Len(ctx)
	}
	for name, err := range map[string]error{
		"Len": count, "Load": load, "Commit": commit(s, fleet.Change{Key: "l", New: &fleet.Record{Key: "l"}}), "Due": due, "Pending": pending, "List": list, "Log": log,
		"PutFile": s.PutFile(ctx, "f", []byte{}), "File": file, "Files": files, "Close": s.Close(),
	} {
		if !errors.Is(err, fleet.ErrClosed) {
			t.Errorf("after Close, %s returns %v, want ErrClosed", name, err)
		}
	}
}

// A process sees at once what another one has stored, and is notified if the store is a Watcher.
func testTwo(t *testing.T, k Kit) {
	if k.Second == nil {
		t.Skip("the store is for one process")
	}
	s := k.open(t)
	second := k.Second(t, s)
	defer second.Close()
	old := put(t, s, 0, fleet.Record{Key: "k", Body: []byte("first")})
	rec, err := second.Load(t.Context(), "k")
	if err != nil || rec.Revision != old || string(rec.Body) != "first" {
		t.Fatalf("the second process loads %v, %v; want what the first one has stored", rec, err)
	}
	put(t, second, old, fleet.Record{Key: "k", Body: []byte("second")})
	if err := commit(s, fleet.Change{Key: "k", Old: old, New: &fleet.Record{Key: "k"}}); !errors.Is(err, fleet.ErrConflict) {
		t.Errorf("a swap of what the other process has replaced returns %v, want ErrConflict", err)
	}
	if err := s.PutFile(t.Context(), "f", []byte("file")); err != nil {
		t.Fatal(err)
	}
	if file, err := second.File(t.Context(), "f"); err != nil || string(file) != "file" {
		t.Errorf("the second process reads file %q, %v; want what the first one has stored", file, err)
	}
	w, ok := second.(fleet.Watcher)
	if !ok {
		return
	}
	ctx, stop := context.WithCancel(t.Context())
	hints := make(chan string, 1000)
	watching := make(chan error, 1)
	go func() {
		watching <- w.Watch(ctx, func(key string) {
			select {
			case hints <- key:
			default:
			}
		})
	}()
	for _, rec := range []fleet.Record{{Key: "pending", Pending: true}, {Key: "wake", Wake: epoch}, {Key: "deleted"}} {
		retry := time.NewTicker(100 * time.Millisecond) // a hint may be missing
		for n, hint := 0, ""; hint != rec.Key; {
			select {
			case hint = <-hints:
			case err := <-watching:
				t.Fatalf("Watch returns %v", err)
			case <-retry.C:
				if n++; n > 100 {
					t.Fatalf("no hint after %d changes with %s", n, rec.Key)
				}
				if rec.Key == "wake" {
					rec.Wake = rec.Wake.Add(-time.Second)
				}
				rec.Revision = put(t, s, rec.Revision, rec)
				if rec.Key == "deleted" {
					if err := commit(s, fleet.Change{Key: rec.Key, Old: rec.Revision}); err != nil {
						t.Fatal(err)
					}
					rec.Revision = 0
				}
			}
		}
		retry.Stop()
	}
	if c, ok := second.(fleet.Counter); ok {
		n, err := c.Len(t.Context())
		for end := time.Now().Add(20 * time.Second); n != 3 && err == nil && time.Now().Before(end); n, err = c.Len(t.Context()) {
			<-time.After(100 * time.Millisecond)
		}
		if n != 3 || err != nil {
			t.Errorf("the second process counts %d records, %v; want 3, of which the first one has stored all", n, err)
		}
	}
	stop()
	if err := <-watching; !errors.Is(err, context.Canceled) {
		t.Errorf("Watch returns %v, want context.Canceled", err)
	}
}
