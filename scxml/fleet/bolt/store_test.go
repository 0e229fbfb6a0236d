package bolt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/fleettest"
)

func TestStore(t *testing.T) {
	fleettest.Test(t, fleettest.Kit{
		Open: func(t testing.TB) fleet.Store { return mustOpen(t, memDir(t)) },
		Reopen: func(t testing.TB, s fleet.Store) fleet.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return mustOpen(t, filepath.Dir(s.(*Store).path))
		},
	})
}

func mustOpen(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// put adds a session that has accepted a number of events.
func put(t testing.TB, s *Store, key string, accepted uint64) {
	t.Helper()
	if err := s.Commit(t.Context(), []fleet.Change{{Key: key, New: &fleet.Record{Key: key, Accepted: accepted}}})[0]; err != nil {
		t.Fatal(err)
	}
}

// A database that is older than the last acknowledged commit is refused, and the message counts the
// events that are lost.
func TestOlderDatabaseIsRefused(t *testing.T) {
	dir := memDir(t)
	path, markPath := filepath.Join(dir, DatabaseName), filepath.Join(dir, watermarkName)
	s := mustOpen(t, dir)
	put(t, s, "a", 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	older, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, dir)
	put(t, s, "b", 4)
	put(t, s, "c", 1)
	if err := s.Commit(t.Context(), []fleet.Change{{Key: "a", Old: 1}})[0]; err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	newer, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, restore := range map[string]func() error{
		"store lost 5 acknowledged events: the database is at revision 1, its watermark at 4": func() error { return os.WriteFile(path, older, 0o600) },
		"store lost 8 acknowledged events: the database is at revision 0, its watermark at 4": func() error { return os.Remove(path) },
	} {
		if err := restore(); err != nil {
			t.Fatal(err)
		}
		for open, try := range map[string]func() error{
			"Open":  func() error { _, err := Open(dir); return err },
			"Check": func() error { _, err := Check(dir); return err },
		} {
			if err := try(); !errors.Is(err, fleet.ErrLost) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s returns %v, want %q", open, err, name)
			}
		}
	}
	// The database that is right opens as before; the older one does when the watermark is gone, as the
	// message says.
	if err := os.WriteFile(path, newer, 0o600); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir).Close()
	if err := errors.Join(os.WriteFile(path, older, 0o600), os.Remove(markPath)); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, dir)
	defer s.Close()
	if _, err := s.Load(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}

// A database of another store beside the watermark is refused, also when it is newer.
func TestDatabaseOfAnotherStoreIsRefused(t *testing.T) {
	dirs := []string{memDir(t), memDir(t)}
	for i, dir := range dirs {
		s := mustOpen(t, dir)
		for _, key := range []string{"a", "b", "c"}[:1+i] {
			put(t, s, key, 1)
		}
		s.Close()
	}
	image, err := os.ReadFile(filepath.Join(dirs[1], DatabaseName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dirs[0], DatabaseName), image, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dirs[0]); err == nil || !strings.Contains(err.Error(), "belongs to another store") {
		t.Errorf("Open returns %v", err)
	}
}

// A watermark with a flipped bit does not hide what it knows: one of its slots is still right, or the
// store is refused.
func TestFlippedBitOfWatermark(t *testing.T) {
	dir, want := filled(t)
	path := filepath.Join(dir, watermarkName)
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for off := range image {
		flipped := bytes.Clone(image)
		flipped[off] ^= 1 << (off % 8)
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir)
		if err != nil {
			t.Errorf("byte %d: %v", off, err) // the other slot is right
			continue
		}
		s.Close()
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, fleet.ErrCorrupt) || !strings.Contains(err.Error(), "delete the watermark") {
		t.Errorf("with a damaged watermark Open returns %v", err)
	}
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir)
	defer s.Close()
	if diff := difference(mustDump(t, s), want); diff != "" {
		t.Error(diff)
	}
}

// Changes that are all refused cost no write.
func TestConflictWritesNothing(t *testing.T) {
	s := mustOpen(t, memDir(t))
	defer s.Close()
	put(t, s, "a", 0)
	writes := 0
	original := *writeAt(t, s)
	*writeAt(t, s) = func(b []byte, off int64) (int, error) { writes++; return original(b, off) }
	err := s.Commit(t.Context(), []fleet.Change{{Key: "a", New: &fleet.Record{Key: "a"}}})[0]
	if !errors.Is(err, fleet.ErrConflict) || writes > 0 {
		t.Errorf("got error %v and %d writes, want ErrConflict and none", err, writes)
	}
	if put(t, s, "b", 0); writes == 0 {
		t.Error("a change that succeeds does not write either")
	}
}

// Commits that come while one is being written share a transaction.
func TestWaitingCommitsShareATransaction(t *testing.T) {
	s := mustOpen(t, memDir(t))
	defer s.Close()
	const n = 100
	transactions := 0
	original := *writeAt(t, s)
	*writeAt(t, s) = func(b []byte, off int64) (int, error) {
		if off <= pageSize {
			transactions++
		}
		return original(b, off)
	}
	s.writer <- struct{}{} // as if one was being written
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { put(t, s, string(rune('a'+i)), 1) })
	}
	for waiting := 0; waiting < n; {
		s.queue.Lock()
		waiting = len(s.queue.groups)
		s.queue.Unlock()
	}
	<-s.writer
	all.Wait()
	if transactions != 1 {
		t.Errorf("%d commits took %d transactions, want 1", n, transactions)
	}
}

// A backup that is made while the store is written has all that was acknowledged before it began, and
// is a store.
func TestBackupOfAStoreInUse(t *testing.T) {
	s := mustOpen(t, memDir(t))
	defer s.Close()
	sc := newScript(s, 9)
	for range 100 {
		if err := sc.step(); err != nil {
			t.Fatal(err)
		}
	}
	want := mustDump(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() {
		for ctx.Err() == nil {
			if err := sc.step(); err != nil {
				stopped <- err
				return
			}
		}
		stopped <- nil
	}()
	for range 20 {
		dir := memDir(t)
		var backup bytes.Buffer
		before, err := stored(s.db)
		if err == nil {
			err = s.Backup(&backup)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, DatabaseName), backup.Bytes(), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		report, err := Check(dir)
		if err != nil || report.Revision < before.revision {
			t.Fatalf("the backup has revision %d, want %d or more; %v", report.Revision, before.revision, err)
		}
		b := mustOpen(t, dir)
		if len(mustDump(t, b)) < len(want)/2 {
			t.Error("the backup has next to nothing")
		}
		b.Close()
	}
	cancel()
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	backup := memDir(t)
	file, err := os.Create(filepath.Join(backup, DatabaseName))
	if err == nil {
		err = errors.Join(s.Backup(file), file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	b := mustOpen(t, backup)
	defer b.Close()
	if diff := difference(mustDump(t, b), mustDump(t, s)); diff != "" {
		t.Error(diff)
	}
}

// Open makes the folder and those above it. A file in their place is an error that says so.
func TestOpenMakesFolders(t *testing.T) {
	dir := memDir(t)
	s := mustOpen(t, filepath.Join(dir, "a", "b"))
	put(t, s, "k", 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{s.path, filepath.Join(s.path, "below")} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "not a directory") {
			t.Errorf("Open(%q) returns %v, want that it is not a directory", path, err)
		}
	}
}

// What is not a store is not overwritten.
func TestForeignFileIsRefused(t *testing.T) {
	for name, content := range map[string]string{"text": strings.Repeat("text ", 5000), "short": "x"} {
		dir := memDir(t)
		path := filepath.Join(dir, DatabaseName)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); !errors.Is(err, fleet.ErrCorrupt) {
			t.Errorf("%s: Open returns %v, want ErrCorrupt", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != content {
			t.Errorf("%s: the file has changed", name)
		}
	}
}

// A store that was made where bytes have another order is not called damaged.
func TestOtherOrderOfBytes(t *testing.T) {
	dir := t.TempDir()
	store, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	name := filepath.Join(dir, DatabaseName)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for meta := range 2 {
		slices.Reverse(data[meta*os.Getpagesize():][16:20]) // the magic number
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || errors.Is(err, fleet.ErrCorrupt) || !strings.Contains(err.Error(), "was made on a processor with another order of bytes") {
		t.Error(err)
	}
}

// What bbolt does not throw, and the memory does not, goes up.
func TestOwnPanicsGoUp(t *testing.T) {
	defer func() {
		if p := recover(); p != "ours" {
			t.Errorf("recovered %v", p)
		}
	}()
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.view(t.Context(), func(*bbolt.Bucket) error { panic("ours") })
	t.Errorf("got %v", err)
}
