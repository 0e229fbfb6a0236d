package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A log shows the same entries as that of the memory store, however it is packed, and keeps few that it
// does not show.
func TestLogIsThatOfTheMemoryStore(t *testing.T) {
	for seed := range uint64(30) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		s, memory := mustOpen(t, memDir(t)), fleet.NewMemory()
		programOfLogs(t, rnd, s, memory, 0)
	}
}

// programOfLogs writes entries to the log of a session in two stores, which has a revision in the first,
// and compares the logs. It closes that store.
func programOfLogs(t *testing.T, rnd *rand.Rand, s *Store, memory *fleet.Memory, revision uint64) {
	t.Helper()
	dir := filepath.Dir(s.path)
	other := uint64(0)
	if rec, err := memory.Load(t.Context(), "k"); err == nil {
		other = rec.Revision
	}
	bodies := func(s fleet.Store, after uint64, n int) (list []string, entries []fleet.LogEntry) {
		entries, err := s.Log(t.Context(), "k", after, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, string(e.Body))
		}
		return list, entries
	}
	keep := 20
	for step := range 400 {
		if step < 300 && rnd.IntN(50) == 0 {
			keep = []int{0, 1, 3, 20, 100}[rnd.IntN(5)]
		} else if step == 300 {
			keep = 20
		}
		change := func(old uint64) fleet.Change {
			c := fleet.Change{Key: "k", Old: old, New: &fleet.Record{Key: "k", Body: make([]byte, 100)}, KeepLog: keep}
			c.Log = fmt.Appendf(nil, "%d %s", step, make([]byte, []int{0, 20, 20, 20, 200, 700}[(step*7919+keep)%6]))
			if step%5 == 0 {
				c.Log = nil
			}
			return c
		}
		first, second := change(revision), change(other)
		if err := errors.Join(s.Commit(t.Context(), []fleet.Change{first})[0], memory.Commit(t.Context(), []fleet.Change{second})[0]); err != nil {
			t.Fatal(err)
		}
		revision, other = first.New.Revision, second.New.Revision
		if rnd.IntN(30) == 0 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = mustOpen(t, dir)
		}
		got, gotEntries := bodies(s, 0, 0)
		want, wantEntries := bodies(memory, 0, 0)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("step %d\n got %q\nwant %q", step, got, want)
		}
		if len(want) > 1 {
			i, n := rnd.IntN(len(want)), rnd.IntN(5)
			got, _ := bodies(s, gotEntries[i].Revision, n)
			want, _ := bodies(memory, wantEntries[i].Revision, n)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("step %d: %d entries after number %d\n got %q\nwant %q", step, n, i, got, want)
			}
		}
	}
	if stored := s.entry("k").Logs; stored < 20 || stored > 20+2*packSize/(20+9) {
		t.Errorf("%d entries are stored for a log of 20", stored)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if report, err := Check(dir); err != nil || report.LogEntries != 20 {
		t.Errorf("Check finds %d log entries, %v", report.LogEntries, err)
	}
}

// A store of format 1 is read, and continues. Its log entries have an item each.
func TestFormat1IsRead(t *testing.T) {
	dir := memDir(t)
	mustOpen(t, dir).Close()
	db, err := openDB(filepath.Join(dir, DatabaseName), false)
	if err != nil {
		t.Fatal(err)
	}
	memory := fleet.NewMemory()
	rec := &fleet.Record{Key: "k", Body: []byte("body")}
	err = db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucketName)
		st, err := readState(b.Get(stateKey))
		put := func(k, v []byte) {
			v = append(make([]byte, 4), v...)
			st.sum += part(seal(k, v))
			err = errors.Join(err, b.Put(k, v))
		}
		for i := range uint64(30) {
			text := fmt.Appendf(nil, "entry %d", i)
			put(binary.BigEndian.AppendUint64(logPrefix("k"), i+1), text)
			c := fleet.Change{Key: "k", Old: i, New: &fleet.Record{Key: "k", Body: rec.Body}, Log: text}
			err = errors.Join(err, memory.Commit(t.Context(), []fleet.Change{c})[0])
		}
		v := binary.BigEndian.AppendUint64(nil, 30)     // revision
		v = append(v, make([]byte, 8)...)               // accepted
		v = append(append(v, 0x80), make([]byte, 7)...) // wakes never
		v = append(append(v, 1), make([]byte, 6)...)    // pending; no chart, hash and status
		put(recordKey("k"), append(v, rec.Body...))
		st.revision = 30
		value := st.value()
		value[4] = 1
		seal(stateKey, value)
		return errors.Join(err, b.Put(stateKey, value))
	})
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if report, err := Check(dir); err != nil || report.LogEntries != 30 || report.Sessions != 1 || report.Pending != 1 {
		t.Errorf("Check returns %+v, %v", report, err)
	}
	s := mustOpen(t, dir)
	got, err := s.Load(t.Context(), "k")
	if err != nil || !bytes.Equal(got.Body, rec.Body) || !got.Pending || !got.Wake.IsZero() {
		t.Errorf("Load returns %+v, %v", got, err)
	}
	programOfLogs(t, rand.New(rand.NewPCG(1, 0)), s, memory, 30)
}

// The log of a session that was deleted is gone, packs and all.
func TestDeletedSessionHasNoLog(t *testing.T) {
	dir := memDir(t)
	s := mustOpen(t, dir)
	revision := uint64(0)
	for range 50 {
		c := fleet.Change{Key: "k", Old: revision, New: &fleet.Record{Key: "k"}, Log: make([]byte, 100)}
		if err := s.Commit(t.Context(), []fleet.Change{c})[0]; err != nil {
			t.Fatal(err)
		}
		revision = c.New.Revision
	}
	if err := s.Commit(t.Context(), []fleet.Change{{Key: "k", Old: revision}})[0]; err != nil {
		t.Fatal(err)
	}
	put(t, s, "k", 1)
	if entries, err := s.Log(t.Context(), "k", 0, 0); err != nil || len(entries) != 0 {
		t.Errorf("Log returns %d entries, %v", len(entries), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if report, err := Check(dir); err != nil || report.LogEntries != 0 {
		t.Errorf("Check returns %+v, %v", report, err)
	}
}

// A key that cannot be one, from the path of a request perhaps, does not name a part of a log.
func TestLogIsNotARecord(t *testing.T) {
	s := mustOpen(t, memDir(t))
	defer s.Close()
	old := uint64(0)
	for range 3 {
		c := fleet.Change{Key: "k", Old: old, New: &fleet.Record{Key: "k"}, Log: make([]byte, packSize)}
		if err := s.Commit(t.Context(), []fleet.Change{c})[0]; err != nil {
			t.Fatal(err)
		}
		old = c.New.Revision
	}
	pack := packKey("k", old)
	if !has(t, s, pack) {
		t.Fatal("the log has no pack")
	}
	name := recordKeyName(pack)
	_, err := s.Load(t.Context(), name)
	_, errLog := s.Log(t.Context(), name, 0, 0)
	if !errors.Is(err, fleet.ErrNotFound) || !errors.Is(errLog, fleet.ErrNotFound) {
		t.Errorf("Load(%q) returns %v, Log %v, want ErrNotFound", name, err, errLog)
	}
}

func has(t *testing.T, s *Store, k []byte) (found bool) {
	if err := s.view(t.Context(), func(b *bbolt.Bucket) error { found = b.Get(k) != nil; return nil }); err != nil {
		t.Fatal(err)
	}
	return found
}
