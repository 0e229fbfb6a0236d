//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package file

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// write creates a file.
func write(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// A folder opens only regular files, and does not wait for a writer.
func TestFolderOpensRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text", 0o600)
	write(t, filepath.Join(filepath.Dir(dir), "outside"), "text", 0o600)
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "file", "to-fifo": "fifo", "out": "../outside"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir) // the name of a socket has to be short
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	folder, err := OpenFolder(".")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for name, ok := range map[string]bool{"file": true, "link": true, ".": true, "fifo": false, "to-fifo": false, "socket": false, "out": false, "../outside": false} {
		f, err := folder.Open(name)
		if (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
		if name == "out" || name == "../outside" || name == "." {
			continue // ReadRegular follows links, and reads no folders
		}
		if text, err := ReadRegular(name, 10); (err == nil) != ok || ok && string(text) != "text" {
			t.Errorf("ReadRegular %s: %q, %v", name, text, err)
		}
	}
	devices, err := OpenFolder("/dev")
	if err != nil {
		t.Fatal(err)
	}
	defer devices.Close()
	if _, err := fs.ReadFile(devices, "zero"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device: %v", err)
	}
	if got, err := fs.ReadFile(folder, "link"); string(got) != "text" || err != nil {
		t.Errorf("a link: %q, %v", got, err)
	}
}

// An endless file is not read to its end; a file of exactly the limit is read.
func TestReadIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	write(t, name, "12345", 0o600)
	for limit, ok := range map[int64]bool{4: false, 5: true, 6: true} {
		got, err := Read(name, limit)
		if ok != (err == nil) || ok && string(got) != "12345" {
			t.Errorf("limit %d: %q, %v", limit, got, err)
		}
	}
	if _, err := Read("/dev/zero", 1000); err == nil || err.Error() != "larger than 1000 bytes" {
		t.Errorf("a device without end: %v", err)
	}
}

// The commands open folders with OpenFolder.
func TestFoldersAreRooted(t *testing.T) {
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains(filepath.ToSlash(name), "/web/build/") {
			return err
		}
		text, err := os.ReadFile(name)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "os.DirFS(") && !strings.HasPrefix(line, "//") {
				t.Errorf("%s: links lead out of an os.DirFS: want OpenFolder: %s", name, line)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
