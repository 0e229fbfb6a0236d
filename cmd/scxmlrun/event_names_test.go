package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
)

// The same rule for the names of events (datamodel.CheckEventName) holds for all inputs
// of the command, and the message gives the reason.
func TestEventNamesAreCheckedAtEveryEntrance(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><transition event="*" target="t"/></state><state id="t"/></scxml>`
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file := write("x.scxml", chart)
	// run returns the output of the command and its status.
	run := func(stdin string, args ...string) (string, int) {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	c := dial(t, chart, "--http", "127.0.0.1:0")
	c.last("idle")
	location := c.get(`_ioprocessors["http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"].location`).(string)
	for _, name := range []string{"*", "a.*", "..", ".a", "a.", "a..b", "a\x00b", "a\u009bb", "a\u00a0b", strings.Repeat("x", datamodel.MaxEventName+1)} {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		why := datamodel.CheckEventName(name).Error()
		for entrance, line := range map[string]string{"json": `{"event":` + string(quoted) + `}`, "json object": `{"event":{"name":` + string(quoted) + `}}`} {
			c.write(line)
			if r := c.until("rejected"); len(r) != 1 || r[0]["message"] != why {
				t.Errorf("%s, %.20q: got %v, want it rejected with %q", entrance, name, r, why)
			}
		}
		resp, err := http.PostForm(location, url.Values{"_scxmleventname": {name}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("HTTP, %.20q: status %d", name, resp.StatusCode)
		}
		for _, line := range []string{name, "send " + name} {
			out, _ := run(line+"\n", "--ui", "line", file)
			if !strings.Contains(out, "input   "+why) || strings.Contains(out, "+ t") {
				t.Errorf("line front end, %.20q: got %s", line, out)
			}
		}
		write("x.json", `{"initialConfiguration":["s"],"events":[{"event":{"name":`+string(quoted)+`},"nextConfiguration":["t"]}]}`)
		if out, status := run("", "test", dir); status != cli.Failed || !strings.Contains(out, why) {
			t.Errorf("test, %.20q: status %d, %s", name, status, out)
		}
		if strings.Contains(name, "\x00") {
			continue // no argument of a command has one
		}
		if out, status := run("", "bench", "--event", name, file); status != cli.Usage || !strings.Contains(out, why) {
			t.Errorf("bench, %.20q: status %d, %s", name, status, out)
		}
	}
	c.write(`{"stop":true}`)
	for _, r := range c.until("done") {
		if r["type"] == "event" {
			t.Errorf("an event came in: %v", r)
		}
	}
}
