package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A served is a running "scxmlrun serve" in a folder with the file order.scxml.
type served struct {
	t      *testing.T
	folder string
	base   string // URL
	token  string
	client *http.Client
	cmd    *exec.Cmd

	mu  sync.Mutex
	log bytes.Buffer
}

func (s *served) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

func (s *served) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

const orderChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="open">
<datamodel><data id="total" expr="0"/></datamodel><script src="price.js"/>
<state id="open">
  <onentry><send event="late" delay="1h"/></onentry>
  <transition event="add"><assign location="total" expr="total + price(_event.data)"/><log label="added" expr="_event.data"/></transition>
  <transition event="pay" target="paid"/>
</state>
<final id="paid"/>
</scxml>`

func newServed(t *testing.T) *served {
	s := &served{t: t, folder: filepath.Join(t.TempDir(), "Aufträge in Łódź"), client: http.DefaultClient}
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s.put("order.scxml", orderChart)
	s.put("price.js", "function price(x) { return x }")
	return s
}

func (s *served) put(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// start starts the command and waits until it listens.
func (s *served) start(args ...string) {
	s.t.Helper()
	s.cmd = exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Dir, s.cmd.Stderr = s.folder, s
	s.cmd.Env = append(s.cmd.Environ(), "GORACE=atexit_sleep_ms=0") // the race detector would delay the end of the process by a second
	stdout, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := s.cmd
	s.t.Cleanup(func() { cmd.Process.Kill() }) // if the test fails
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case strings.HasPrefix(word, "http"):
			s.base = lines.Text()
		case word == "token":
			text, err := os.ReadFile(filepath.Join(s.folder, rest))
			if err != nil {
				s.t.Fatal(err)
			}
			s.token = strings.TrimSpace(string(text))
		case word == "create a session":
			return
		}
	}
	s.t.Fatalf("the server does not say how it is used; standard error: %s", s.logged())
}

// end ends the command by a signal, and returns its exit status, -1 if it did not exit.
func (s *served) end(signal os.Signal) int {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
	_ = s.cmd.Wait() // its status follows
	return s.cmd.ProcessState.ExitCode()
}

// do makes a request and returns the status and the fields of the answer.
func (s *served) do(method, path, body string) (status int, fields map[string]any) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(body, "<") {
		req.Header.Set("Content-Type", "application/scxml+xml")
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatalf("%v; standard error: %s", err, s.logged())
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = json.Unmarshal(text, &fields) // it may be another kind of body
	return resp.StatusCode, fields
}

// must is do for a request that works.
func (s *served) must(method, path, body string) map[string]any {
	s.t.Helper()
	status, fields := s.do(method, path, body)
	if status/100 != 2 {
		s.t.Fatalf("%s %s: status %d: %v; standard error: %s", method, path, status, fields, s.logged())
	}
	return fields
}

// sessions runs "scxmlrun sessions", and returns what it prints on both streams.
func (s *served) sessions(status int, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(binary, append([]string{"sessions"}, args...)...)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "SCXMLRUN_SERVER="+s.base, "SCXMLRUN_TOKEN=")
	out, _ := cmd.CombinedOutput() // its status follows
	if got := cmd.ProcessState.ExitCode(); got != status {
		s.t.Fatalf("sessions %q: exit status %d, want %d:\n%s", args, got, status, out)
	}
	return string(out)
}

func total(session map[string]any) any { return session["data"].(map[string]any)["total"] }

// A store has one process. What was acknowledged is there after a kill: the state, the delayed events with their time, and
// which events were taken.
func TestServeSurvivesKill(t *testing.T) {
	s := newServed(t)
	s.start(".")
	check := exec.Command(binary, "store", "check", "scxmlrun-data")
	check.Dir = s.folder
	if out, err := check.CombinedOutput(); err == nil || !strings.Contains(string(out), "another process uses it") {
		t.Errorf("store check beside the server: %v, %s", err, out)
	}
	s.must("POST", "/v1/sessions", `{"key":"o-1","chart":"order"}`)
	s.must("POST", "/v1/sessions/o-1/events?wait=true", `{"name":"add","data":5}`)
	before := s.must("GET", "/v1/sessions/o-1", "")
	s.must("POST", "/v1/sessions/o-1/events", `{"name":"add","data":7,"source":"till","number":1}`)
	s.end(os.Kill)

	s.start(".")
	if got := s.must("POST", "/v1/sessions/o-1/events?wait=true", `{"name":"add","data":7,"source":"till","number":1}`); got["duplicate"] != true {
		t.Errorf("the repeated event: %v", got)
	}
	after := s.must("GET", "/v1/sessions/o-1", "")
	if total(after) != 12.0 || after["next_due"] != before["next_due"] || after["position"] != 2.0 {
		t.Errorf("before the kill %v\nafter it %v", before, after)
	}
	if strings.Contains(s.logged(), "value=") {
		t.Errorf("the log has data: %s", s.logged())
	}
	s.end(os.Kill)
}
