//go:build unix

package main

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// On a terminal a line shows the progress of the run, and is removed at the end.
func TestProgressLine(t *testing.T) {
	cmd := exec.Command(binary, "test", filepath.Join("..", "..", "conformance", "testdata", "scion", "basic"))
	cmd.Env = append(cmd.Environ(), "TERM=xterm")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	out, _ := io.ReadAll(terminal) // on Linux the end of the program is an error
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%q", err, out)
	}
	const cleared = "\r\x1b[K"
	text := string(out)
	if !strings.Contains(text, cleared+"2 of 2: turnstile"+cleared) || !strings.HasSuffix(text, cleared+"2 of 2 tests pass\r\n") {
		t.Errorf("%q", text)
	}
}
