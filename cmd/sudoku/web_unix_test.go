//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Web prints the address of the page, and serves it until Ctrl+C. It serves neither what links out of the
// folder lead to, nor FIFOs, nor other hosts.
func TestWeb(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"build.js": "self.build = {};", "index.html": "<p>the game"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	private := filepath.Join(t.TempDir(), "private.txt")
	if err := errors.Join(os.WriteFile(private, []byte("mine"), 0o600), os.Symlink(private, filepath.Join(folder, "out.txt")),
		syscall.Mkfifo(filepath.Join(folder, "fifo.txt"), 0o600)); err != nil {
		t.Fatal(err)
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
	for _, r := range []struct {
		path, host string
		status     int
	}{{"out.txt", "", 500}, {"fifo.txt", "", 500}, {"", "evil.example", 403}, {"", "localhost", 200}, {"", "[::1]:8080", 200}, {"", "127.0.0.1.example:80", 403}} {
		request, err := http.NewRequest(http.MethodGet, strings.TrimSpace(address)+r.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = r.host
		client := http.Client{Timeout: time.Minute} // it must not wait for a writer
		resp, err := client.Do(request)
		if err != nil {
			t.Error(err)
			continue
		}
		if body, _ := io.ReadAll(resp.Body); resp.StatusCode != r.status || strings.Contains(string(body), "mine") {
			t.Errorf("/%s of %q: got %d, %q, want %d", r.path, r.host, resp.StatusCode, body, r.status)
		}
		resp.Body.Close()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != cli.Interrupted {
		t.Errorf("got %v, want status %d", err, cli.Interrupted)
	}
}
