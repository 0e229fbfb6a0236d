package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// write creates a file.
func write(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// names returns the names in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// has fails unless a file has the content, and its folder has only the named files.
func has(t *testing.T, name, content, inFolder string) {
	t.Helper()
	if got, err := os.ReadFile(name); string(got) != content || err != nil {
		t.Errorf("%s has %q, %v, want %q", name, got, err, content)
	}
	if got := names(t, filepath.Dir(name)); got != inFolder {
		t.Errorf("the folder has %s, want %s", got, inFolder)
	}
}

// Two processes do not write the same temporary file; the second changes nothing.
func TestReplaceLeavesOthersAlone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	first, err := Replace(name, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("second"), 0o600); err == nil || !strings.Contains(err.Error(), "another process is writing it") {
		t.Errorf("second: %v", err)
	}
	if _, err := first.Write([]byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	has(t, name, "first", "x")
	if err := Write(name, []byte("third"), 0o600); err != nil {
		t.Fatal(err)
	}
	has(t, name, "third", "x")
}

// A discarded or failed replacement changes nothing and leaves nothing.
func TestReplaceOrNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	write(t, name, "old", 0o600)
	r, err := Replace(name, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	has(t, name, "old", ".x.tmp x")
	r.Discard()
	has(t, name, "old", "x")
	for _, irregular := range []string{filepath.Dir(name), os.DevNull} {
		if err := Write(irregular, nil, 0o600); err == nil {
			t.Errorf("%s is replaced", irregular)
		}
	}
}

// A file that another program reads is replaced. Windows refuses that until the program closes it: a moment is
// waited for, and then the file is as it was.
func TestReplaceWhatIsOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	write(t, name, "old", 0o600)
	reader, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if runtime.GOOS == "windows" {
		if err := Write(name, []byte("refused"), 0o600); err == nil || strings.Contains(Cause(err).Error(), name) {
			t.Errorf("replacing a file that is open: %v", err)
		}
		has(t, name, "old", "x")
		time.AfterFunc(200*time.Millisecond, func() { reader.Close() })
	}
	if err := Write(name, []byte("new"), 0o600); err != nil {
		t.Error(err)
	}
	has(t, name, "new", "x")
}

// The cause of a failed rename does not name the files either.
func TestCause(t *testing.T) {
	dir := t.TempDir()
	err := os.Rename(filepath.Join(dir, "nowhere"), filepath.Join(dir, "x"))
	if err == nil || strings.Contains(Cause(err).Error(), "nowhere") {
		t.Errorf("%v is caused by %v", err, Cause(err))
	}
}
