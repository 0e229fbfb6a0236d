// Package pgtest starts a PostgreSQL server for a test of a command.
package pgtest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Start starts a server with an empty database, which ends with the test, and returns its URL and its
// HOST:PORT. Where PostgreSQL is not installed, the test is skipped.
func Start(t testing.TB) (url, address string) {
	t.Helper()
	cmd := exec.Command("go", "run", "github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest/pgserver")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the PostgreSQL server has failed: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the PostgreSQL server does not start: %v", err)
	}
	url, address, _ = strings.Cut(strings.TrimSpace(line), " ")
	if !strings.HasPrefix(url, "postgres:") {
		t.Skip(line)
	}
	return url, address
}
