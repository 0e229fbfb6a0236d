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
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests drive the machine protocol over pipes, as a program in another
// language does.

const counterChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Counter">
  <datamodel><data id="n" expr="0"/><data id="last"/></datamodel>
  <state id="s">
    <onexit><log label="bye" expr="n"/></onexit>
    <transition event="add"><assign location="n" expr="n + 1"/></transition>
    <transition event="keep"><assign location="last" expr="_event.data"/></transition>
    <transition event="later"><send event="add" delay="20ms"/></transition>
    <transition event="spin"><script>while (true) {}</script></transition>
    <transition event="shout"><log expr="new Array(1048577).join('x')"/></transition>
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

// read returns the next record, nil at the end. It checks what every record has.
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

// until returns the records up to the first one of a type, which is the last of them.
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

// last is the last of the records that until returns.
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
	if got := c.wait(); got != statusOK {
		t.Errorf("exit status %d", got)
	}
}

// A delayed event happens by itself on the real clock, and causes no idle.
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

// At the end of input a session goes on until nothing is pending any more.
func TestEndOfInput(t *testing.T) {
	for _, clock := range []string{"real", "virtual"} {
		t.Run(clock, func(t *testing.T) {
			c := dial(t, counterChart, "--clock", clock)
			c.write(`{"event":"later"}`)
			c.in.Close()
			c.last("idle")
			c.last("idle")
			records := c.until("done")
			if got, want := types(records), []string{"event", "stable", "log", "done"}; !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if got := records[2]["value"]; got != 1.0 {
				t.Errorf("at the end n = %v, want 1", got)
			}
			if got := c.wait(); got != statusOK {
				t.Errorf("exit status %d", got)
			}
		})
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
	if got := c.wait(); got != statusOK {
		t.Errorf("exit status %d", got)
	}
}

// A client may write everything before it reads anything.
func TestManyEventsAtOnce(t *testing.T) {
	const n = 100_000
	c := dial(t, counterChart, "--clock", "virtual")
	if _, err := io.WriteString(c.in, strings.Repeat(`{"event":"add"}`+"\n", n)+`{"get":"n"}`); err != nil {
		t.Fatal(err)
	}
	c.in.Close()
	idles, value := 0, any(nil)
	for r := c.read(); r != nil; r = c.read() {
		switch r["type"] {
		case "idle":
			if want := any(float64(idles)); idles > 0 && r["answers"] != want {
				t.Fatalf("answers %v, want %v", r["answers"], want)
			}
			idles++
		case "value":
			value = r["value"]
		}
	}
	if want := n + 2; idles != want { // the start, and the get
		t.Errorf("%d records of type idle, want %d", idles, want)
	}
	if value != float64(n) {
		t.Errorf("n = %v, want %d", value, n)
	}
	if got := c.status(); got != statusOK {
		t.Errorf("exit status %d", got)
	}
}

func TestLongLines(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	for _, size := range []int{1 << 20, 16 << 20} {
		c.write(`{"event":{"name":"keep","data":"` + strings.Repeat("x", size) + `"}}`)
		event := c.until("event")[0]
		if got := len(event["data"].(string)); got != size {
			t.Errorf("data of %d characters, want %d", got, size)
		}
		c.last("idle")
		if got := c.get("last.length"); got != float64(size) {
			t.Errorf("last.length = %v, want %d", got, size)
		}
	}

	// Beyond the bound the line is rejected, and the next one is read as usual.
	c.write(`{"event":"`+strings.Repeat("x", maxLine)+`"}`, `{"event":"add","id":"next"}`)
	rejected := c.last("rejected")
	if rejected["line"] != 5.0 || rejected["message"] != fmt.Sprintf("the line is longer than %d bytes", maxLine) {
		t.Errorf("rejected: %v", rejected)
	}
	if idle := c.last("idle"); idle["answers"] != "next" {
		t.Errorf("idle: %v", idle)
	}
}

func TestInvalidUTF8(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write("{\"event\":\"ad\xffd\"}")
	if got, want := c.last("rejected")["message"], "not UTF-8: byte 0xff at offset 12"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	c.write("\xed\xa0\x80") // a surrogate
	c.last("rejected")
	c.write("\uFEFF{\"event\":\"add\"}") // a byte order mark stands at the start only
	c.last("rejected")
	if got := c.get("n"); got != 0.0 {
		t.Errorf("n = %v, want 0", got)
	}
}

func TestLineEnds(t *testing.T) {
	c := dial(t, counterChart)
	io.WriteString(c.in, "\uFEFF{\"event\":\"add\"}\r\n{\"event\":\"add\"}\r\n{\"get\":\"n\"}")
	c.in.Close()
	if got := c.last("value")["value"]; got != 2.0 {
		t.Errorf("n = %v, want 2", got)
	}
}

// Whoever reads slowly loses nothing.
func TestSlowReader(t *testing.T) {
	const n = 5000
	c := dial(t, counterChart, "--clock", "virtual")
	c.out = bufio.NewReaderSize(c.out, 16)
	c.write(slices.Repeat([]string{`{"event":"add"}`}, n)...)
	c.in.Close()
	records := 0
	for c.read() != nil { // read checks seq
		if records++; records%100 == 0 {
			runtime.Gosched()
		}
	}
	if want := 3 + 3*n + 2; records != want {
		t.Errorf("%d records, want %d", records, want)
	}
}

func TestClosedOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command(binary, "--ui", "json", file)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	in, err := cmd.StdinPipe() // stays open
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	err = cmd.Run()
	w.Close()
	if got := cmd.ProcessState.ExitCode(); got != statusFailed {
		t.Errorf("exit status %d (%v), want %d", got, err, statusFailed)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "scxmlrun: cannot write the output: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("stderr %q", got)
	}
}

// A reader who goes away while a session is at work ends it.
func TestReaderGoesAway(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write(`{"event":"again"}`) // goes on for ever
	c.last("stable")
	c.pipe.Close()
	if got := c.status(); got != statusFailed {
		t.Errorf("exit status %d, want %d", got, statusFailed)
	}
}

// On a virtual clock a line waits until the one before it is worked off, however long that takes.
func TestLongAdvance(t *testing.T) {
	c := dial(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <onentry><send event="tick" delay="10ms"/></onentry>
    <transition event="tick" target="s"/>
  </state>
</scxml>`, "--clock", "virtual")
	c.write(`{"advance":"200s"}`, `{"event":"next"}`, `{"stop":true}`)
	ticks := 0
	for r := c.read(); r != nil; r = c.read() {
		switch {
		case r["name"] == "tick" && r["type"] == "event":
			ticks++
		case r["name"] == "next" && r["time_ms"] != 200_000.0:
			t.Fatalf("the second line was not taken after the first: %v", r)
		}
	}
	if want := 20_000; ticks != want || ticks < patience {
		t.Errorf("%d ticks, want %d", ticks, want)
	}
}

// A session that never comes to rest can still be stopped.
func TestStopBusySession(t *testing.T) {
	for _, clock := range []string{"real", "virtual"} {
		t.Run(clock, func(t *testing.T) {
			c := dial(t, counterChart, "--clock", clock)
			c.last("idle")
			c.write(`{"event":"again","id":1}`, `{"stop":true,"id":2}`)
			c.last("done")
			for want := range 2 {
				if got := c.last("idle")["answers"]; got != float64(want+1) {
					t.Errorf("answers %v, want %d", got, want+1)
				}
			}
			if got := c.wait(); got != statusOK {
				t.Errorf("exit status %d", got)
			}
		})
	}
}

// A busy session does not outlive its timeout on the real clock.
func TestTimeoutOfBusySession(t *testing.T) {
	c := dial(t, counterChart, "--timeout", "100ms")
	c.write(`{"event":"again"}`)
	if got := c.last("done")["reason"]; got != "timeout" {
		t.Errorf("reason %v, want timeout", got)
	}
	if got := c.wait(); got != statusTimeout {
		t.Errorf("exit status %d, want %d", got, statusTimeout)
	}
}

func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send signals")
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, event := range []string{"", "add", "again", "spin"} {
			t.Run(fmt.Sprint(signal, " ", event), func(t *testing.T) {
				c := dial(t, counterChart)
				c.last("idle")
				if event != "" {
					c.write(fmt.Sprintf(`{"event":%q}`, event))
					c.last("event")
				}
				start := time.Now()
				if err := c.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				records := c.until("done")
				if names := types(records); names[len(names)-2] != "log" {
					t.Errorf("no onexit handler has run: %v", names)
				}
				if got := records[len(records)-1]["reason"]; got != "stopped" {
					t.Errorf("reason %v, want stopped", got)
				}
				if got := c.wait(); got != statusInterrupted {
					t.Errorf("exit status %d, want %d", got, statusInterrupted)
				}
				if took := time.Since(start); took > grace {
					t.Errorf("it took %v", took)
				}
			})
		}
	}
}

// Nobody reads the output any more: a second interrupt ends the command at
// once, and a single one after a while.
func TestInterruptWhileOutputBlocks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send signals")
	}
	for _, signals := range []int{1, 2} {
		t.Run(fmt.Sprint(signals), func(t *testing.T) {
			t.Parallel()
			c := dial(t, counterChart)
			c.last("idle")
			c.write(`{"event":"shout"}`)
			// It is in the middle of a record that no pipe can hold.
			for begin := []byte(nil); !bytes.Contains(begin, []byte("xxxx")); {
				more := make([]byte, 100)
				n, err := c.out.Read(more)
				if err != nil {
					t.Fatal(err)
				}
				begin = append(begin, more[:n]...)
			}
			start := time.Now()
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[:signals] { // equal ones could become one
				if err := c.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
			}
			state, err := c.cmd.Process.Wait()
			if err != nil {
				t.Fatal(err)
			}
			if got := state.ExitCode(); got != statusInterrupted {
				t.Errorf("exit status %d, want %d", got, statusInterrupted)
			}
			took := time.Since(start)
			if limit := 2 * grace; signals == 1 && took < limit || took > limit+10*time.Second || signals == 2 && took > limit {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// The other front ends are interrupted as the machine protocol is.
func TestSignalsToOtherFrontEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send signals")
	}
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <onentry><log label="up"/><send event="never" delay="1h"/></onentry>
    <onexit><log label="bye"/></onexit>
  </state>
</scxml>`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ui := range []string{"none", "line"} {
		t.Run(ui, func(t *testing.T) {
			cmd := exec.Command(binary, "--ui", ui, file)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd.Stdout, cmd.Stderr = w, w
			in, err := cmd.StdinPipe() // stays open
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			out := bufio.NewReader(r)
			for line := ""; !strings.HasSuffix(line, "up\n"); {
				if line, err = out.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			cmd.Process.Signal(syscall.SIGTERM)
			rest, _ := io.ReadAll(out)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != statusInterrupted {
				t.Errorf("exit status %d, want %d", got, statusInterrupted)
			}
			if !strings.Contains(string(rest), "bye\n") {
				t.Errorf("no onexit handler has run: %q", rest)
			}
		})
	}
}

// Input that cannot be read is a failure, but not the end of what is pending.
func TestUnreadableInput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder cannot be opened like this")
	}
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	cmd := exec.Command(binary, "--ui", "json", file)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = folder, &stdout, &stderr
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != statusFailed {
		t.Errorf("exit status %d, want %d", got, statusFailed)
	}
	if got, want := stderr.String(), "scxmlrun: cannot read the input: is a directory\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
	if err := checkOutput(stdout.Bytes()); err != nil || !strings.Contains(stdout.String(), `"type":"done"`) {
		t.Errorf("%v\n%s", err, stdout.String())
	}
}

// A full disk is told, whichever record it is that does not fit any more.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ui := range []string{"json", "line"} {
		cmd := exec.Command(binary, "--ui", ui, file)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != statusFailed {
			t.Errorf("%s: exit status %d, want %d", ui, got, statusFailed)
		}
		if got, want := stderr.String(), "scxmlrun: cannot write the output: no space left on device\n"; got != want {
			t.Errorf("%s: stderr %q, want %q", ui, got, want)
		}
	}
}

// An event may carry no more than the engine takes.
func TestTooMuchData(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write(`{"event":{"name":"keep","data":"` + strings.Repeat("x", 17<<20) + `"}}`)
	if got := c.last("rejected")["message"].(string); !strings.Contains(got, "limit") {
		t.Errorf("message %q", got)
	}
	c.write(`{"event":"add"}`)
	c.last("idle")
}

// With --http a client learns from get where the session is, and the end of
// input is not the end.
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
	if got := c.wait(); got != statusOK {
		t.Errorf("exit status %d", got)
	}
}
