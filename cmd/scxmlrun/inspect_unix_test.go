//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Inspect prints the addresses of the page first, and runs the charts until Ctrl+C: then it tells
// the pages and ends, although one of them is open.
func TestInspect(t *testing.T) {
	chart := filepath.Join(t.TempDir(), "door.scxml")
	if err := os.WriteFile(chart, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="wide"/></datamodel>
		<state id="closed"><transition event="push" cond="wide" target="open"/></state><state id="open"/></scxml>`), 0o666); err != nil {
		t.Fatal(err)
	}
	recorded := filepath.Join(t.TempDir(), "door.rec")
	if out, err := exec.Command(binary, "--ui", "none", "--clock", "virtual", "--record", recorded, chart).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(recorded)
	if err == nil { // as if the program had been killed
		err = os.WriteFile(recorded, text[:bytes.LastIndex(text, []byte("stop\n"))], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	// A recording of a session that continues where a compiled machine was.
	left, err := txtar.ParseFile("testdata/script/load_compiled.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range left.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compiled := filepath.Join(dir, "order.rec")
	load := exec.Command(binary, "--ui", "line", "--clock", "virtual", "--load", "state.json", "--record", compiled, "order.scxml")
	load.Dir, load.Stdin = dir, strings.NewReader(`pay {"amount":8}`)
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(binary, "inspect", "--seed", "1", "--data", "wide=true", chart, recorded, compiled)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // if the test fails
	lines := bufio.NewScanner(stdout)
	var address, reading string
	if lines.Scan() {
		address = lines.Text()
	}
	if lines.Scan() {
		reading = strings.TrimPrefix(lines.Text(), "read-only: ")
	}
	base, token, _ := strings.Cut(address, "#token=")
	if readBase, readToken, _ := strings.Cut(reading, "#token="); !strings.HasPrefix(base, "http://127.0.0.1:") || base != readBase || len(token) < 20 || token == readToken {
		t.Fatalf("addresses %q and %q", address, reading)
	}
	status := 200
	do := func(method, path, body string) *http.Response {
		t.Helper()
		req, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		if resp.StatusCode != status {
			text, _ := io.ReadAll(resp.Body) // for the message
			t.Fatalf("%s: status %d: %s", path, resp.StatusCode, text)
		}
		return resp
	}
	stream := bufio.NewScanner(do("GET", "api/events?session=1", "").Body)
	await := func(text string) {
		t.Helper()
		for stream.Scan() {
			if strings.Contains(stream.Text(), text) {
				return
			}
		}
		t.Fatalf("no %q in the stream; standard error: %s", text, &stderr)
	}
	await(`"active":["closed"]`)
	do("POST", "api/sessions/1/send", `{"event":"push"}`)
	await(`"active":["open"]`)
	for _, path := range []string{"api/sessions/1/positions/0", "api/sessions/1/positions/1"} {
		do("GET", path, "")
	}
	// Nobody drives what a recording shows, but branches continue it.
	do("POST", "api/sessions/2/branch", `{"at":0}`)
	do("POST", "api/sessions/4/send", `{"event":"push"}`)
	for at, want := range []string{`{"name":"reminders","value":1,`, `"value":11,"changed":true,"before":3`} {
		text, err := io.ReadAll(do("GET", fmt.Sprintf("api/sessions/3/positions/%d", at), "").Body)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the compiled machine at position %d has no %s: %v, %s", at, want, err, text)
		}
	}
	do("POST", "api/sessions/3/branch", `{"at":0}`)
	do("POST", "api/sessions/5/send", `{"event":"pay","data":{"amount":1}}`)
	status = 403
	do("POST", "api/sessions/2/send", `{"event":"push"}`)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	await("event: bye")
	_ = cmd.Wait() // its status follows
	if got := cmd.ProcessState.ExitCode(); got != cli.Interrupted || stderr.Len() > 0 {
		t.Errorf("exit status %d, want %d; standard error: %s", got, cli.Interrupted, &stderr)
	}
}
