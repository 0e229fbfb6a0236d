//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// Waiting for the writer of a FIFO can be interrupted: each command ends at once, and with the same status.
func TestReadingIsInterruptible(t *testing.T) {
	clitest.FIFO(t, binary,
		"--ui none FIFO", "--ui none --load FIFO x.scxml", "--ui none --data n=@FIFO x.scxml", "--ui plain --open FIFO sudoku.scxml",
		"check FIFO", "bench FIFO", "debug FIFO", "import FIFO", "inspect FIFO", "replay FIFO", "serve FIFO")
}

// The charts of a folder that is served are regular files in it.
func TestServedFolderHasRegularFilesOnly(t *testing.T) {
	for name, make := range map[string]func(name string) error{
		"fifo.scxml": func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"out.scxml":  func(name string) error { return os.Symlink(os.Args[0], name) },
	} {
		folder := t.TempDir()
		if err := make(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, binary, "serve", folder).CombinedOutput()
		if ctx.Err() != nil || err == nil || !strings.Contains(string(out), "cannot read \""+filepath.Join(folder, name)) {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
