//go:build unix

package player

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A FIFO in the folder of themes is not opened: it would wait for a writer.
func TestThemesAreRegularFiles(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "themes"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(home, "themes", "fifo.theme"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := openFiles(t, home, false)
	if err != nil || len(f.notes) != 1 || !strings.HasSuffix(f.notes[0].Error(), "not a regular file") {
		t.Errorf("it says %v, %v", f.notes, err)
	}
}
