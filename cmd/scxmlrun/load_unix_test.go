//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Waiting for the writer of a FIFO can be interrupted.
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
	} {
		cmd := exec.Command(binary, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w, err := os.OpenFile(fifo, os.O_WRONLY, 0) // this waits until the command has opened it
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) {
			t.Fatalf("%q: %v", args, err)
		}
		// A shell says 130 for both.
		if status := exit.Sys().(syscall.WaitStatus); !status.Signaled() && status.ExitStatus() != cli.Interrupted {
			t.Errorf("%q: it ends with status %d", args, status.ExitStatus())
		}
		w.Close()
	}
}
