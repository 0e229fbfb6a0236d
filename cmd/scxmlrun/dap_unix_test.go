//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

const turnstile = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="coins" expr="0"/></datamodel>
  <state id="locked"><transition event="coin" target="open"/></state>
  <state id="open">
    <onentry>
      <assign location="coins" expr="coins + 1"/>
    </onentry>
    <transition event="push" target="locked"/>
  </state>
</scxml>`

// debugTurnstile stops a turnstile at a breakpoint, and asks for its data.
func debugTurnstile(t *testing.T, in io.Writer, out io.Reader) {
	t.Helper()
	chart := filepath.Join(t.TempDir(), "turnstile.scxml")
	if err := os.WriteFile(chart, []byte(turnstile), 0o666); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	seq := 0
	request := func(command string, arguments any) {
		t.Helper()
		seq++
		content, err := json.Marshal(map[string]any{"seq": seq, "type": "request", "command": command, "arguments": arguments})
		if err != nil {
			t.Fatal(err)
		}
		if err := framing.Write(in, content); err != nil {
			t.Fatal(err)
		}
	}
	await := func(name string) (body map[string]any) {
		t.Helper()
		for {
			content, err := framing.Read(r, 1<<20)
			if err != nil {
				t.Fatalf("waiting for %s: %v", name, err)
			}
			var m struct {
				Event, Command string
				Success        bool
				Body           map[string]any
			}
			if err := json.Unmarshal(content, &m); err != nil {
				t.Fatal(err)
			}
			if m.Command != "" && !m.Success {
				t.Fatalf("%s", content)
			}
			if m.Event == name || m.Command == name {
				return m.Body
			}
		}
	}
	request("initialize", map[string]any{"adapterID": "scxml"})
	if body := await("initialize"); body["supportsStepBack"] != true {
		t.Errorf("capabilities: %v", body)
	}
	request("launch", map[string]any{"program": chart, "events": []string{"coin"}})
	await("initialized")
	request("setBreakpoints", map[string]any{"source": map[string]any{"path": chart}, "breakpoints": []any{map[string]any{"line": 6}}})
	request("configurationDone", nil)
	if body := await("stopped"); body["reason"] != "breakpoint" {
		t.Errorf("stopped: %v", body)
	}
	request("stackTrace", map[string]any{"threadId": 1})
	if frame := await("stackTrace")["stackFrames"].([]any)[0].(map[string]any); frame["line"] != 6.0 || frame["column"] != 7.0 {
		t.Errorf("the topmost frame: %v", frame)
	}
	request("next", map[string]any{"threadId": 1})
	await("stopped")
	request("evaluate", map[string]any{"expression": "coins"})
	if body := await("evaluate"); body["result"] != "1" {
		t.Errorf("coins: %v", body)
	}
	request("disconnect", nil)
	await("disconnect")
}

func TestDAP(t *testing.T) {
	cmd := exec.Command(binary, "dap")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // if the test fails
	debugTurnstile(t, stdin, stdout)
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v; standard error: %s", err, &stderr)
	}
}

func TestDAPListen(t *testing.T) {
	cmd := exec.Command(binary, "dap", "--listen", "127.0.0.1:0")
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
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	connect := func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", strings.TrimSpace(address))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	for range 2 {
		c := connect()
		debugTurnstile(t, c, c)
	}
	// A page in a browser can send requests of HTTP to any port. They must not reach the debugger.
	c := connect()
	body := "Content-Length: 70\r\n\r\n" + `{"seq":1,"type":"request","command":"initialize","arguments":{}}      `
	if _, err := io.WriteString(c, "POST /a:b HTTP/1.1\r\nContent-Length: 100\r\n\r\n"+body); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(c); len(answer) > 0 {
		t.Errorf("a page got %q, %v", answer, err)
	}
	open := connect()
	defer open.Close()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its status follows
	if got := cmd.ProcessState.ExitCode(); got != cli.Interrupted || !strings.Contains(stderr.String(), "is not a header field") {
		t.Errorf("exit status %d, want %d; standard error: %s", got, cli.Interrupted, &stderr)
	}
}
