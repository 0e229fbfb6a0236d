package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// These tests drive the machine protocol over pipes, like a program in another
// language.

const counterChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Counter">
  <datamodel><data id="n" expr="0"/><data id="last"/></datamodel>
  <state id="s">
    <onexit><log label="bye" expr="n"/></onexit>
    <transition event="add"><assign location="n" expr="n + 1"/></transition>
    <transition event="keep"><assign location="last" expr="_event.data"/></transition>
    <transition event="later"><send event="add" delay="20ms"/></transition>
    <transition event="spin"><script>while (true) {}</script></transition>
    <transition event="shout"><log expr="'x'.repeat(1048576)"/></transition>
    <transition event="again"><send event="again"/></transition>
    <transition event="end" target="f"/>
  </state>
  <final id="f"/>
</scxml>`

// A record is one line of output.
type record map[string]any

// A client talks to a running scxmlrun.
type client struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	pipe   io.Closer // our end of its standard output
	out    *bufio.Reader
	stderr bytes.Buffer
	seq    float64
}

// dial starts scxmlrun on a chart.
func dial(t *testing.T, chart string, flags ...string) *client {
	t.Helper()
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, cmd: exec.Command(binary, append([]string{"run", "--ui", "json", file}, flags...)...)}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.pipe, c.out = in, out, bufio.NewReaderSize(out, 1<<16)
	c.cmd.Stderr = &c.stderr
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	})
	return c
}

func (c *client) write(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// read returns the next record, or nil at the end. It checks the common fields.
func (c *client) read() record {
	c.t.Helper()
	line, err := c.out.ReadBytes('\n')
	if err == io.EOF && len(line) == 0 {
		return nil
	}
	if err != nil {
		c.t.Fatalf("reading a record: %v after %q", err, line)
	}
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		c.t.Fatalf("not JSON: %v\n%s", err, line)
	}
	if err := checkRecord(line); err != nil {
		c.t.Fatal(err)
	}
	c.seq++
	if r["seq"] != c.seq {
		c.t.Fatalf("seq is %v, want %v: %s", r["seq"], c.seq, line)
	}
	return r
}

// until returns the records up to and including the first one of a type.
func (c *client) until(kind string) []record {
	c.t.Helper()
	var all []record
	for {
		r := c.read()
		if r == nil {
			c.t.Fatalf("the output ends before a record of type %q\n%s", kind, c.stderr.String())
		}
		all = append(all, r)
		if r["type"] == kind {
			return all
		}
	}
}

// last returns the last record of until.
func (c *client) last(kind string) record {
	c.t.Helper()
	all := c.until(kind)
	return all[len(all)-1]
}

// get asks for a value.
func (c *client) get(location string) any {
	c.t.Helper()
	c.write(fmt.Sprintf(`{"get":%q}`, location))
	v := c.last("value")["value"]
	c.last("idle")
	return v
}

// wait returns the exit status.
func (c *client) wait() int {
	c.t.Helper()
	for c.read() != nil {
	}
	return c.status()
}

func (c *client) status() int {
	c.t.Helper()
	err := c.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatal(err)
	}
	if strings.Contains(c.stderr.String(), "goroutine ") {
		c.t.Fatalf("scxmlrun panicked:\n%s", c.stderr.String())
	}
	return c.cmd.ProcessState.ExitCode()
}

func types(records []record) (names []string) {
	for _, r := range records {
		names = append(names, r["type"].(string))
	}
	return names
}

func TestDialogue(t *testing.T) {
	c := dial(t, counterChart)
	if got, want := types(c.until("idle")), []string{"hello", "stable", "idle"}; !slices.Equal(got, want) {
		t.Fatalf("start: got %v, want %v", got, want)
	}
	for i := range 3 {
		c.write(fmt.Sprintf(`{"event":"add","id":"line %d"}`, i))
		records := c.until("idle")
		if got, want := types(records), []string{"event", "stable", "idle"}; !slices.Equal(got, want) {
			t.Fatalf("event: got %v, want %v", got, want)
		}
		if got, want := records[2]["answers"], fmt.Sprintf("line %d", i); got != want {
			t.Fatalf("answers %v, want %v", got, want)
		}
	}
	if got := c.get("n"); got != 3.0 {
		t.Errorf("n = %v, want 3", got)
	}
	c.write(`{"event":"end"}`)
	c.last("done")
	c.last("idle")
	if got := c.wait(); got != cli.OK {
		t.Errorf("exit status %d", got)
	}
}

// On the real clock a delayed event is processed without a line, and causes no idle.
func TestTimerOnTheRealClock(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write(`{"event":"later"}`)
	idle := c.last("idle")
	if due, ok := idle["next_due_ms"].(float64); !ok || due < 20 {
		t.Errorf("next_due_ms = %v, want 20 or a little more", idle["next_due_ms"])
	}
	if got, want := types(c.until("stable")), []string{"event", "stable"}; !slices.Equal(got, want) {
		t.Fatalf("timer: got %v, want %v", got, want)
	}
	if got := c.get("n"); got != 1.0 {
		t.Errorf("n = %v, want 1", got)
	}
}

// A snapshot on the real clock has the time of the request, not the time at which the
// session last worked.
func TestSnapshotOnTheRealClock(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	asked := time.Now()
	c.write(`{"snapshot":true}`)
	var snapshot struct{ Now time.Time }
	if err := json.Unmarshal([]byte(c.last("value")["value"].(string)), &snapshot); err != nil {
		t.Fatal(err)
	}
	if snapshot.Now.Before(asked) {
		t.Errorf("it is of %v, and was asked for at %v", snapshot.Now, asked)
	}
}

// An invoked session is addressed by its id.
func TestInvokedSession(t *testing.T) {
	c := dial(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="who" expr="'parent'"/></datamodel>
  <state id="p">
    <invoke type="scxml" id="kid"><content>
      <scxml version="1.0">
        <datamodel><data id="who" expr="'child'"/></datamodel>
        <state id="k">
          <onentry><send event="never" id="never" delay="1h"/></onentry>
          <transition event="bye" target="end"/>
        </state>
        <final id="end"/>
      </scxml>
    </content></invoke>
    <transition event="done.invoke.kid" target="q"/>
  </state>
  <final id="q"/>
</scxml>`)
	child := ""
	for _, r := range c.until("idle") {
		if r["invokeid"] == "kid" {
			child = r["session"].(string)
		}
	}
	c.write(fmt.Sprintf(`{"get":"who","session":%q}`, child))
	value := c.last("value")
	if value["value"] != "child" || value["session"] != child || value["invokeid"] != "kid" {
		t.Errorf("value: %v", value)
	}
	c.last("idle")
	if got := c.get("who"); got != "parent" {
		t.Errorf("get without a session: %v", got)
	}
	c.write(fmt.Sprintf(`{"cancel":"never","session":%q}`, child))
	if due := c.last("idle")["next_due_ms"]; due != nil {
		t.Errorf("next_due_ms = %v after cancel", due)
	}
	c.write(fmt.Sprintf(`{"event":"bye","session":%q}`, child))
	if done := c.last("done"); done["session"] != child || done["reason"] != "final" {
		t.Errorf("done: %v", done)
	}
	if done := c.last("done"); done["session"] == child || done["final"] != "q" {
		t.Errorf("done: %v", done)
	}
	c.last("idle")
	if got := c.wait(); got != cli.OK {
		t.Errorf("exit status %d", got)
	}
}

// With --http a client learns the address of the session from get, and the end of input
// does not end the session.
func TestHTTP(t *testing.T) {
	c := dial(t, counterChart, "--http", "127.0.0.1:0")
	c.last("idle")
	at, ok := c.get(`_ioprocessors["http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"].location`).(string)
	if !ok {
		t.Fatal("no location")
	}
	c.in.Close()
	for _, event := range []string{"add", "end"} {
		resp, err := http.PostForm(at, url.Values{"_scxmleventname": {event}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := c.last("event")["name"]; got != event {
			t.Errorf("event %v, want %s", got, event)
		}
	}
	if got := c.last("done")["reason"]; got != "final" {
		t.Errorf("reason %v, want final", got)
	}
	if got := c.wait(); got != cli.OK {
		t.Errorf("exit status %d", got)
	}
}
