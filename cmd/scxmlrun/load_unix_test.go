//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// Waiting for the writer of a FIFO can be interrupted: each command ends at once, and with the same status.
func TestReadingIsInterruptible(t *testing.T) {
	clitest.FIFO(t, binary,
		"--ui none FIFO", "--ui none --load FIFO x.scxml", "--ui none --data n=@FIFO x.scxml", "--ui plain --open FIFO sudoku.scxml",
		"check FIFO", "bench FIFO", "debug FIFO", "import FIFO", "inspect FIFO", "replay FIFO", "serve FIFO")
}

// Waiting for the reader of a FIFO can be interrupted, too.
func TestWritingIsInterruptible(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGTERM) // so that it does not end the test
	defer signal.Stop(heard)
	written := make(chan error, 1)
	go func() { written <- writeOut(fifo, []byte("x")) }()
	for late := time.After(30 * time.Second); ; {
		select {
		case err := <-written:
			var failed *cli.Error
			if !errors.As(err, &failed) || failed.Status != cli.Interrupted {
				t.Errorf("got %v", err)
			}
			return
		case <-late:
			t.Fatal("it still waits")
		case <-time.After(10 * time.Millisecond):
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
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
