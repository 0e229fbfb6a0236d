//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// On a terminal a line shows the progress of the run, and is removed at the end.
func TestProgressLine(t *testing.T) {
	cmd := exec.Command(binary, "test", filepath.Join("..", "..", "conformance", "testdata", "scion", "basic"))
	cmd.Env = append(cmd.Environ(), "TERM=xterm")
	s := clitest.Open(t, pty.Winsize{}, cmd)
	s.Ends(cli.OK)
	const cleared = "\r\x1b[K"
	text := s.All()
	if !strings.Contains(text, cleared+"2 of 2: turnstile"+cleared) || !strings.HasSuffix(text, cleared+"2 of 2 tests pass\r\n") {
		t.Errorf("%q", text)
	}
}
