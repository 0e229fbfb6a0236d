//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

const faultyPuzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"

// writers are the commands that write to standard output.
var writers = []string{
	"new --seed 1", "new --seed 1 --json", "solve", "solve --steps", "solve --json", "solve --compare", "solve --trace", "solve --check", "hint", "steps", "explain", "rate", "rate --json",
	"convert --to sdk", "print", "print --output -", "play --ui plain --missing 30", "stats", "stats --json", "version", "--help", "man", "completion fish",
}

// A full disk is an error of each command that writes to standard output.
func TestFullDiskOfCommands(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system lacks /dev/full")
	}
	defer full.Close()
	t.Setenv(shelf.Variable, t.TempDir())
	for _, args := range writers {
		cmd := exec.Command(binary, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(faultyPuzzle), full, &stderr
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != 1 || !strings.HasSuffix(stderr.String(), "no space left on device\n") {
			t.Errorf("%s: exit status %d, want 1: %s", args, got, &stderr)
		}
	}
}

// A reader that has gone ends each command without a word.
func TestClosedPipeOfCommands(t *testing.T) {
	t.Setenv(shelf.Variable, t.TempDir())
	for _, args := range writers {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(binary, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(faultyPuzzle), w, &stderr
		cmd.Run()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != 1 || stderr.Len() > 0 {
			t.Errorf("%s: exit status %d, want 1: %s", args, got, &stderr)
		}
	}
}

// A reader that has enough, as head has, ends each command that has more to say.
func TestReaderGoesAway(t *testing.T) {
	for _, args := range []string{"new --count 1000000000", "solve", "solve --json", "convert --to sdm", "rate"} {
		cmd := exec.Command(binary, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Repeat(faultyPuzzle, 20_000)), &stderr
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(stdout, make([]byte, 80)); err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		stdout.Close()
		ends(t, cmd, 1)
		if stderr.Len() > 0 {
			t.Errorf("%s: it says %q", args, &stderr)
		}
	}
}

// A disk that is full before a file is complete is an error. The old file does not change, and
// nothing else is left.
func TestFullDiskOfFiles(t *testing.T) {
	for _, args := range []string{"new --seed 1 --force --output old.txt", "solve --force --output old.txt", "convert --force --to sdk --output old.txt", "print --force --output old.pdf", "print --force --output old.png", "explain --force --output old.html", "explain --force --step 1 --output old.svg", "solve --force --film old.gif"} {
		dir := t.TempDir()
		fields := strings.Fields(args)
		name := filepath.Join(dir, fields[len(fields)-1])
		if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 0; exec "$0" "$@"`, binary}, fields...)...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(faultyPuzzle)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != 1 || !strings.Contains(string(out), "too large") {
			t.Errorf("%s: exit status %d, want 1: %s", args, got, out)
		}
		if old, err := os.ReadFile(name); err != nil || string(old) != "old" {
			t.Errorf("%s: the file has %.20q, %v", args, old, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%s: the folder has %v, %v", args, entries, err)
		}
	}
}

// Waiting for the other end of a FIFO can be interrupted.
func TestWaitingForFIFOIsInterruptible(t *testing.T) {
	clitest.FIFO(t, binary, "open FIFO", "print FIFO", "explain --output e.html FIFO", "solve FIFO", "solve --compare FIFO", "solve --film f.gif FIFO")
}
