package fleettest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

var epoch = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// A model says in the shortest way what a store has to answer.
type model struct {
	records map[string]fleet.Record
	logs    map[string][]fleet.LogEntry
	files   map[string][]byte
	last    map[string]uint64 // the highest revision of a key, also of a deleted record
}

// keys returns the keys after one that match, at most n.
func (m *model) keys(after string, n int, match func(fleet.Record) bool) []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(m.records)) {
		if key > after && match(m.records[key]) && (n <= 0 || len(keys) < n) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (m *model) due(now time.Time, n int) (keys []string, next time.Time) {
	all := m.keys("", 0, func(r fleet.Record) bool { return !r.Wake.IsZero() })
	slices.SortStableFunc(all, func(a, b string) int { return m.records[a].Wake.Compare(m.records[b].Wake) })
	for _, key := range all {
		if wake := m.records[key].Wake; wake.After(now) || n > 0 && len(keys) == n {
			return keys, wake
		}
		keys = append(keys, key)
	}
	return keys, time.Time{}
}

// apply does what a change that has succeeded must have done.
func (m *model) apply(c fleet.Change) {
	if c.New == nil {
		delete(m.records, c.Key)
		delete(m.logs, c.Key)
		return
	}
	m.records[c.Key] = *c.New
	m.last[c.Key] = c.New.Revision
	if c.Log != nil {
		log := append(m.logs[c.Key], fleet.LogEntry{Revision: c.New.Revision, Body: c.Log})
		if c.KeepLog > 0 {
			log = log[max(0, len(log)-c.KeepLog):]
		}
		m.logs[c.Key] = log
	}
}

// A run applies random operations to a store and to the model.
type run struct {
	*rapid.T
	s     fleet.Store
	model model
}

// testRandom compares the results of random programs with those of the model.
func testRandom(t *testing.T, k Kit) {
	rapid.Check(t, func(rt *rapid.T) {
		r := &run{T: rt, s: k.Open(t), model: model{map[string]fleet.Record{}, map[string][]fleet.LogEntry{}, map[string][]byte{}, map[string]uint64{}}}
		defer func() { r.s.Close() }()
		operations := []func(){r.commit, r.commit, r.commit, r.load, r.lists, r.log, r.file}
		if k.Reopen != nil {
			operations = append(operations, func() { r.s = k.Reopen(t, r.s) })
		}
		for range rapid.IntRange(1, 60).Draw(rt, "operations") {
			rapid.SampledFrom(operations).Draw(rt, "operation")()
		}
		r.load()
		r.lists()
	})
}

var (
	someKeys  = []string{"a", "ab", "b", "ü", "\x01", strings.Repeat("k", 512)}
	someTimes = []time.Time{{}, {}, epoch, epoch.Add(1), epoch.Add(time.Hour), time.Unix(0, 0).UTC(), time.Unix(0, -1).UTC(), epoch.In(time.FixedZone("", 3600))}
)

func (r *run) commit() {
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom(someKeys), 1, 4, rapid.ID).Draw(r.T, "keys")
	changes := make([]fleet.Change, len(keys))
	conflict := make([]bool, len(keys))
	for i, key := range keys {
		old := r.model.records[key]
		c := fleet.Change{Key: key, Old: old.Revision}
		if rapid.IntRange(0, 4).Draw(r.T, "stale") == 0 {
			c.Old = rapid.SampledFrom([]uint64{0, r.model.last[key], old.Revision + 1, 1}).Draw(r.T, "old")
		}
		if c.Old == 0 || rapid.IntRange(0, 4).Draw(r.T, "delete") > 0 {
			c.New = &fleet.Record{
				Key: key, Chart: rapid.String().Draw(r.T, "chart"), Hash: "h", Status: rapid.SampledFrom([]string{"", "running"}).Draw(r.T, "status"),
				Wake:     rapid.SampledFrom(someTimes).Draw(r.T, "wake"),
				Pending:  rapid.Bool().Draw(r.T, "pending"),
				Accepted: old.Accepted + rapid.Uint64Range(0, 3).Draw(r.T, "accepted"),
				Body:     body(r.T, "body"),
			}
			if rapid.Bool().Draw(r.T, "log") {
				c.Log, c.KeepLog = body(r.T, "entry"), rapid.IntRange(0, 9).Draw(r.T, "keep")
			}
		}
		changes[i], conflict[i] = c, c.Old != old.Revision
	}
	for i, err := range r.s.Commit(context.Background(), changes) {
		c := changes[i]
		switch {
		case errors.Is(err, fleet.ErrConflict) != conflict[i] || err != nil && !conflict[i]:
			r.Fatalf("change %d of %v has error %v, want a conflict: %v", i, changes, err, conflict[i])
		case err != nil:
			continue
		case c.New != nil && c.New.Revision <= r.model.last[c.Key]:
			r.Fatalf("%q gets revision %d after %d", c.Key, c.New.Revision, r.model.last[c.Key])
		}
		r.model.apply(c)
	}
}

// body draws contents: mostly small, sometimes of several pages.
func body(t *rapid.T, label string) []byte {
	size := rapid.SampledFrom([]int{0, 1, 10, 100, 500, 5000, 20000}).Draw(t, label+" size")
	return bytes.Repeat([]byte{byte('a' + rapid.IntRange(0, 25).Draw(t, label))}, size)
}

func (r *run) load() {
	for _, key := range someKeys {
		rec, err := r.s.Load(context.Background(), key)
		want, ok := r.model.records[key]
		switch {
		case !ok && !errors.Is(err, fleet.ErrNotFound):
			r.Fatalf("Load(%q) returns %v, want ErrNotFound", key, err)
		case ok && (err != nil || !same(*rec, want)):
			r.Fatalf("Load(%q) returns %+v, %v; want %+v", key, rec, err, want)
		}
	}
}

// same reports whether records are equal; nil is the same as an empty body.
func same(a, b fleet.Record) bool {
	equal := a.Wake.Equal(b.Wake) && bytes.Equal(a.Body, b.Body)
	a.Wake, b.Wake, a.Body, b.Body = time.Time{}, time.Time{}, nil, nil
	return equal && reflect.DeepEqual(a, b)
}

func (r *run) lists() {
	ctx := context.Background()
	after := rapid.SampledFrom(append([]string{"", "aa", "zz"}, someKeys...)).Draw(r.T, "after")
	n := rapid.IntRange(-1, 4).Draw(r.T, "n")

	list, err := r.s.List(ctx, after, n)
	want := r.model.keys(after, n, func(fleet.Record) bool { return true })
	if err != nil || len(list) != len(want) {
		r.Fatalf("List(%q, %d) returns %v, %v; want %q", after, n, list, err, want)
	}
	for i, rec := range list {
		expect := r.model.records[want[i]]
		expect.Body = nil
		if rec.Body != nil || !same(*rec, expect) {
			r.Fatalf("List(%q, %d) has %+v, want %+v", after, n, rec, expect)
		}
	}

	if c, ok := r.s.(fleet.Counter); ok {
		if n, err := c.Len(ctx); err != nil || n != len(r.model.records) {
			r.Fatalf("Len returns %d, %v; want %d", n, err, len(r.model.records))
		}
	}

	pending, err := r.s.Pending(ctx, after, n)
	r.equal(fmt.Sprintf("Pending(%q, %d)", after, n), pending, r.model.keys(after, n, func(rec fleet.Record) bool { return rec.Pending }), err)

	now := rapid.SampledFrom(append([]time.Time{epoch.Add(-time.Hour), epoch.Add(2 * time.Hour)}, someTimes[2:]...)).Draw(r.T, "now")
	due, next, err := r.s.Due(ctx, now, n)
	wantDue, wantNext := r.model.due(now, n)
	r.equal(fmt.Sprintf("Due(%v, %d)", now, n), due, wantDue, err)
	if !next.Equal(wantNext) {
		r.Fatalf("Due(%v, %d) gives %v as the next time, want %v", now, n, next, wantNext)
	}
}

func (r *run) equal(call string, got, want []string, err error) {
	if err != nil || !slices.Equal(got, want) {
		r.Fatalf("%s returns %q, %v; want %q", call, got, err, want)
	}
}

func (r *run) log() {
	key := rapid.SampledFrom(someKeys).Draw(r.T, "key")
	after := r.model.last[key] - min(r.model.last[key], rapid.Uint64Range(0, 10).Draw(r.T, "back"))
	if rapid.IntRange(0, 9).Draw(r.T, "far") == 0 { // a client may ask for what comes after any number
		after = math.MaxUint64
	}
	n := rapid.IntRange(-1, 4).Draw(r.T, "n")
	var want []fleet.LogEntry
	for _, e := range r.model.logs[key] {
		if e.Revision > after && (n <= 0 || len(want) < n) {
			want = append(want, e)
		}
	}
	got, err := r.s.Log(context.Background(), key, after, n)
	if _, ok := r.model.records[key]; !ok {
		if !errors.Is(err, fleet.ErrNotFound) {
			r.Fatalf("Log(%q) returns %v, want ErrNotFound", key, err)
		}
		return
	}
	equal := func(a, b fleet.LogEntry) bool { return a.Revision == b.Revision && bytes.Equal(a.Body, b.Body) }
	if err != nil || !slices.EqualFunc(got, want, equal) {
		r.Fatalf("Log(%q, %d, %d) returns %v, %v; want %v", key, after, n, got, err, want)
	}
}

func (r *run) file() {
	ctx := context.Background()
	name := rapid.SampledFrom([]string{"", "a", "a/b", "b"}).Draw(r.T, "name")
	var data []byte
	if rapid.IntRange(0, 2).Draw(r.T, "remove") > 0 {
		data = body(r.T, "data")
	}
	if err := r.s.PutFile(ctx, name, data); err != nil {
		r.Fatalf("PutFile(%q): %v", name, err)
	}
	if r.model.files[name] = data; data == nil {
		delete(r.model.files, name)
	}
	for _, name := range []string{"", "a", "a/b", "b"} {
		got, err := r.s.File(ctx, name)
		want, ok := r.model.files[name]
		if ok != (err == nil) || !ok && !errors.Is(err, fleet.ErrNotFound) || !bytes.Equal(got, want) {
			r.Fatalf("File(%q) returns %.40q, %v; want %.40q", name, got, err, want)
		}
	}
	for _, prefix := range []string{"", "a", "c"} {
		names, err := r.s.Files(ctx, prefix)
		want := slices.DeleteFunc(slices.Sorted(maps.Keys(r.model.files)), func(name string) bool { return !strings.HasPrefix(name, prefix) })
		r.equal(fmt.Sprintf("Files(%q)", prefix), names, want, err)
	}
}
