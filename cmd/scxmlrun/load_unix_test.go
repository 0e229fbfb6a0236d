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

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Waiting for the writer of a FIFO can be interrupted: each command ends at once, and with the same status.
func TestReadingIsInterruptible(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--ui", "none", fifo},
		{"--ui", "none", "--load", fifo, "x.scxml"},
		{"--ui", "none", "--data", "n=@" + fifo, "x.scxml"},
		{"check", fifo},
		{"bench", fifo},
		{"debug", fifo},
		{"import", fifo},
		{"inspect", fifo},
		{"replay", fifo},
		{"serve", fifo},
		{"--ui", "plain", "--open", fifo, "sudoku.scxml"},
	} {
		var stderr strings.Builder
		cmd := exec.Command(binary, args...)
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w, err := os.OpenFile(fifo, os.O_WRONLY, 0) // this waits until the command has opened it
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if status := cmd.ProcessState; status.ExitCode() != cli.Interrupted || strings.Contains(stderr.String(), "by force") {
			t.Errorf("%q: %v: %s", args, status, &stderr)
		}
		w.Close()
	}
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
