//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Web prints the address of the page, and serves it until Ctrl+C.
func TestWeb(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"build.js": "self.build = {};", "index.html": "<p>the game"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(binary, "web", "--folder", folder, "--listen", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // if the test fails
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("got the address %q: %v", address, err)
	}
	resp, err := http.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "<p>the game" {
		t.Errorf("got %q: %v", body, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != cli.Interrupted {
		t.Errorf("got %v, want status %d", err, cli.Interrupted)
	}
}
