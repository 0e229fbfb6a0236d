package bolt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// thinned makes a store of which most was deleted, closes it, and returns what it has.
func thinned(t *testing.T, dir string) (items map[string]string) {
	t.Helper()
	s := mustOpen(t, dir)
	defer s.Close()
	sc := newScript(s, 3)
	for range 50 {
		if err := sc.step(); err != nil {
			t.Fatal(err)
		}
	}
	var created, deleted []fleet.Change
	for i := range 2000 {
		key := fmt.Sprintf("gone-%d", i)
		created = append(created, fleet.Change{Key: key, New: &fleet.Record{Key: key, Accepted: 1, Body: make([]byte, 1000)}, Log: []byte("log")})
	}
	for i, err := range s.Commit(t.Context(), created) {
		if err != nil {
			t.Fatal(err)
		}
		deleted = append(deleted, fleet.Change{Key: created[i].Key, Old: created[i].New.Revision})
	}
	for _, err := range s.Commit(t.Context(), deleted) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return mustDump(t, s)
}

// A store that was compacted has what it had, is not behind its watermark, and keeps its permissions. So
// has a backup of it, which is small from the beginning.
func TestCompact(t *testing.T) {
	dir := memDir(t)
	path := filepath.Join(dir, DatabaseName)
	want := thinned(t, dir)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	was, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	var copied bytes.Buffer
	if _, err := Backup(dir, &copied); err != nil {
		t.Fatal(err)
	}
	before, after, err := Compact(dir)
	if err != nil {
		t.Fatal(err)
	}
	is, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	if before != was.Size || after != is.Size || after > before/4 {
		t.Errorf("Compact returns %d, %d; Check %d before, %d after; want the same, and less than a quarter", before, after, was.Size, is.Size)
	}
	if int64(copied.Len()) > 2*after {
		t.Errorf("a backup has %d bytes, want about %d", copied.Len(), after)
	}
	was.Size, was.Free, is.Size, is.Free = 0, 0, 0, 0
	if is != was {
		t.Errorf("the store has %+v, want %+v", is, was)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" || info.Size() > 2*after {
		t.Errorf("the file has mode %v and %d bytes, want 0640 and about %d", info.Mode(), info.Size(), after)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("the folder has %q", left)
	}
	s := mustOpen(t, dir)
	defer s.Close()
	if diff := difference(mustDump(t, s), want); diff != "" {
		t.Error(diff)
	}
	put(t, s, "new", 1)
	if _, _, err := Compact(dir); err == nil || !strings.Contains(err.Error(), "another process uses it") {
		t.Errorf("Compact of an open store returns %v, want that another process uses it", err)
	}
}

// A damaged store, and one that has lost something, stays as it is.
func TestCompactOfDamaged(t *testing.T) {
	dir := memDir(t)
	path := filepath.Join(dir, DatabaseName)
	s := mustOpen(t, dir)
	put(t, s, "the-key", 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("the-key"), []byte("the-kex"))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(dir); err == nil {
		t.Error("a damaged store was compacted")
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
		t.Errorf("the file has changed; %v", err)
	}
}

// Open removes what processes have left that ended while they copied.
func TestOpenRemovesHalfCopies(t *testing.T) {
	dir := memDir(t)
	thinned(t, dir)
	for _, name := range []string{DatabaseName + newSuffix, "backup-1.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := mustOpen(t, dir)
	defer s.Close()
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("the folder has %q", left)
	}
}
