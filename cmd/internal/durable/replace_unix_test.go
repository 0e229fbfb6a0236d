//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// is fails unless a file has the content and the mode, and its folder has only the named
// files.
func is(t *testing.T, name, content string, mode fs.FileMode, inFolder string) {
	t.Helper()
	has(t, name, content, inFolder)
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != mode {
		t.Errorf("%s has the mode %v, want %v", name, info.Mode(), mode)
	}
}

func TestReplaceKeepsPermissions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o400} {
		if err := Write(name, []byte("new"), 0o600); err != nil {
			t.Fatal(err)
		}
		is(t, name, "new", 0o600, "x")
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		if err := Write(name, []byte("again"), 0o600); err != nil {
			t.Fatal(err)
		}
		is(t, name, "again", mode, "x")
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// A file keeps its owner and group. Where the group cannot be kept, no other one gets its permissions.
func TestReplaceKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	name := filepath.Join(t.TempDir(), "x")
	write(t, name, "old", 0o640)
	if err := os.Chown(name, 12, 34); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	is(t, name, "new", 0o640, "x")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12 || s.Gid != 34 {
		t.Errorf("it belongs to %d:%d", s.Uid, s.Gid)
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	f.Close() // cannot be given away
	if mode := own(f, info); mode != 0o600 {
		t.Errorf("without the group the mode is %03o", mode)
	}
}

// A link remains a link, even if it is dangling, leads over other links, or is in a folder
// that is itself a link.
func TestReplaceFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"real", "real/inner"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"folder": "real/inner", "real/inner/up": "../file", "first": "folder/up", "round": "about", "about": "round",
		"away": "nowhere/file",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, content := range []string{"one", "two"} { // the first time the link dangles
		if err := Write(filepath.Join(dir, "first"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		is(t, filepath.Join(dir, "real/file"), content, 0o600, "file inner")
	}
	for name, want := range map[string]string{"round": "links", "away": "does not exist"} {
		if err := Write(filepath.Join(dir, name), nil, 0o600); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// A file that a killed process left is replaced, and never accompanied by a second one.
func TestReplaceTakesWhatWasLeft(t *testing.T) {
	dir := t.TempDir()
	name, temp := filepath.Join(dir, "x"), filepath.Join(dir, ".x.tmp")
	write(t, temp, "half of", 0o666)
	left, err := os.Open(temp) // somebody might still look
	if err != nil {
		t.Fatal(err)
	}
	defer left.Close()
	r, err := Replace(name, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != ".x.tmp" {
		t.Errorf("the folder has %s", got)
	}
	if _, err := r.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(left.Name()); string(got) != "new" {
		t.Errorf("the temporary file has %q", got)
	}
	old := make([]byte, 100)
	if n, _ := left.Read(old); string(old[:n]) != "half of" {
		t.Errorf("the file that was left is written to: %q", old[:n])
	}
	if err := r.Commit(); err != nil {
		t.Fatal(err)
	}
	is(t, name, "new", 0o600, "x")
}

// Something else with the name of the temporary file is neither followed nor removed.
func TestReplaceDoesNotFollowPlantedFiles(t *testing.T) {
	for kind, plant := range map[string]func(temp, victim string) error{
		"link":          func(temp, victim string) error { return os.Symlink(victim, temp) },
		"dangling link": func(temp, victim string) error { return os.Symlink(victim+"2", temp) },
		"folder":        func(temp, _ string) error { return os.Mkdir(temp, 0o700) },
		"FIFO":          func(temp, _ string) error { return syscall.Mkfifo(temp, 0o600) },
	} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			victim := filepath.Join(dir, "victim")
			write(t, victim, "mine", 0o600)
			if err := plant(filepath.Join(dir, ".x.tmp"), victim); err != nil {
				t.Fatal(err)
			}
			if err := Write(filepath.Join(dir, "x"), []byte("new"), 0o600); err == nil || !strings.Contains(err.Error(), "remove it") {
				t.Errorf("got %v", err)
			}
			is(t, victim, "mine", 0o600, ".x.tmp victim")
		})
	}
}

// The folder is synced after the rename.
func TestReplaceSyncsFolderAfterRename(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replace(filepath.Join(dir, "x"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	then, syncFolder := "", r.sync
	r.sync = func(folder string) error {
		then = folder + ": " + names(t, dir)
		return syncFolder(folder)
	}
	if err := r.Commit(); err != nil {
		t.Fatal(err)
	}
	if want := dir + ": x"; then != want {
		t.Errorf("when it is synced: %s, want %s", then, want)
	}
}

// A power cut at any sync leaves the old content or the new one, and the next process can write.
// Before the sync of a file its content may be lost.
func TestPowerCutAtEverySync(t *testing.T) {
	const short, long = "old", "new, which is longer"
	for _, cut := range []string{"before the file is synced", "after the file is synced", "before the folder is synced", "never"} {
		t.Run(cut, func(t *testing.T) {
			dir := t.TempDir()
			name, after := filepath.Join(dir, "x"), filepath.Join(t.TempDir(), "x")
			write(t, name, short, 0o600)
			r, err := Replace(name, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			// off copies what is on the disk.
			off := func(lost string) {
				entries, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					content, err := os.ReadFile(filepath.Join(dir, e.Name()))
					if err != nil {
						t.Fatal(err)
					}
					if e.Name() == lost {
						content = content[:len(content)/2]
					}
					write(t, filepath.Join(filepath.Dir(after), e.Name()), string(content), 0o600)
				}
			}
			syncTemp, syncFolder := r.syncTemp, r.sync
			r.syncTemp = func() error {
				if cut == "before the file is synced" {
					off(".x.tmp")
				}
				err := syncTemp()
				if cut == "after the file is synced" {
					off("")
				}
				return err
			}
			r.sync = func(folder string) error {
				if cut == "before the folder is synced" {
					off("") // or the name is still that of the old file, which is the case above
				}
				return syncFolder(folder)
			}
			if _, err := r.Write([]byte(long)); err != nil {
				t.Fatal(err)
			}
			if err := r.Commit(); err != nil {
				t.Fatal(err)
			}
			if cut == "never" {
				off("")
			}
			want := map[bool]string{true: long, false: short}[cut == "before the folder is synced" || cut == "never"]
			if got, err := os.ReadFile(after); string(got) != want || err != nil {
				t.Errorf("after the power cut the file has %q, %v, want %q", got, err, want)
			}
			if err := Write(after, []byte("next"), 0o600); err != nil {
				t.Fatal(err)
			}
			is(t, after, "next", 0o600, "x")
		})
	}
}

// A disk that fails at a sync is an error. Before the rename nothing has changed.
func TestSyncThatFails(t *testing.T) {
	broken := errors.New("input/output error")
	for _, at := range []string{"file", "folder"} {
		name := filepath.Join(t.TempDir(), "x")
		write(t, name, "old", 0o600)
		r, err := Replace(name, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		want := "new"
		if at == "file" {
			r.syncTemp, want = func() error { return broken }, "old"
		} else {
			r.sync = func(string) error { return broken }
		}
		if _, err := r.Write([]byte("new")); err != nil {
			t.Fatal(err)
		}
		if err := r.Commit(); !errors.Is(err, broken) {
			t.Errorf("%s: %v", at, err)
		}
		is(t, name, want, 0o600, "x")
	}
}
