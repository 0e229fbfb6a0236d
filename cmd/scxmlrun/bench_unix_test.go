//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// On a terminal there is a progress line, and Ctrl+C ends the measurement.
func TestBenchProgress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ping.scxml")
	const ping = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="a"><transition event="t" target="b"/></state><state id="b"><transition event="t" target="a"/></state></scxml>`
	if err := os.WriteFile(file, []byte(ping), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "bench", "--time", "1h", "--event", "t", file)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var shown strings.Builder
	interrupted := false
	for buf := make([]byte, 1000); ; {
		n, err := terminal.Read(buf)
		shown.Write(buf[:n])
		if !interrupted && strings.Contains(shown.String(), "events: ") {
			interrupted = true
			if _, err := terminal.Write([]byte("\x03")); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != cli.Interrupted {
		t.Errorf("exit status %d, want %d", got, cli.Interrupted)
	}
	for _, want := range []string{"load: ", "session: ", " of 3600.0 s", "interrupted"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("it does not show %q: %q", want, shown.String())
		}
	}
}
