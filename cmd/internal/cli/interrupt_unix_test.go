//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// interrupt sends the process a signal, and returns when all have it that are notified.
func interrupt(t *testing.T) {
	t.Helper()
	sent := make(chan os.Signal, 1)
	signal.Notify(sent, syscall.SIGTERM)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-sent
	signal.Stop(sent)
}

func isInterrupted(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == Interrupted
}

// A signal ends Stoppable at once, though the work does not look at its context. Otherwise it returns what the
// work does.
func TestStoppable(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	if err := Stoppable(t.Context(), func(context.Context) error { interrupt(t); <-release; return nil }); !isInterrupted(err) {
		t.Errorf("got %v", err)
	}
	failed := errors.New("failed")
	if err := Stoppable(t.Context(), func(context.Context) error { return failed }); !errors.Is(err, failed) || isInterrupted(err) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := Stoppable(ctx, func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }); !isInterrupted(err) {
		t.Errorf("got %v", err)
	}
}

// What is said of an end by force does not follow the line of the progress.
func TestForcedEndRemovesProgress(t *testing.T) {
	if os.Getenv("FORCED") != "" {
		NewProgress().Write("1 of 2")
		NewLast().exit(Interrupted, true)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestForcedEndRemovesProgress$")
	cmd.Env = append(os.Environ(), "FORCED=1", "TERM=xterm")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	got, _ := io.ReadAll(terminal) // the end is an error on Linux
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != Interrupted {
		t.Errorf("it ends with %v", err)
	}
	if want := "1 of 2\r\x1b[Kended by force: the command did not end within 1s\r\n"; !strings.HasSuffix(string(got), want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A signal does not end what must not be broken off, and is reported afterwards.
func TestUnbroken(t *testing.T) {
	ended := false
	if err := Unbroken(func() error { interrupt(t); ended = true; return nil }); !isInterrupted(err) || !ended {
		t.Errorf("got %v, ended %t", err, ended)
	}
	failed := errors.New("failed")
	if err := Unbroken(func() error { return failed }); err != failed {
		t.Errorf("got %v", err)
	}
}

// Open does not wait for the writer of a FIFO when the command has been interrupted, and Usagef does not call
// that wrong usage.
func TestOpenOfFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := Open(ctx, fifo)
	if err = Usagef("cannot read %q: %v", fifo, fmt.Errorf("theme: %w", err)); f != nil || !isInterrupted(err) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(t.Context(), fifo+"x"); !errors.Is(err, fs.ErrNotExist) || Usagef("%v", err).(*Error).Status != Usage {
		t.Errorf("got %v", err)
	}
}
