//go:build unix

package clitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// FIFO checks that SIGTERM ends commands that read a FIFO to which nobody writes. Their arguments are
// separated by spaces; FIFO stands for its name.
func FIFO(t *testing.T, binary string, commands ...string) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range commands {
		var stderr strings.Builder
		cmd := exec.Command(binary, strings.Fields(strings.ReplaceAll(args, "FIFO", fifo))...)
		cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
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
		if status := cmd.ProcessState; status.ExitCode() != 130 || strings.Contains(stderr.String(), "by force") {
			t.Errorf("%s: %v: %s", args, status, &stderr)
		}
		w.Close()
	}
}
