package rest_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// A reader reads the messages of a stream.
type reader struct {
	t     *testing.T
	lines *bufio.Scanner
	body  io.Closer
}

// watch opens a stream of a session's changes.
func (r *rig) watch(query string, change ...func(*http.Request)) *reader {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), "GET", r.server.URL+"/v1/sessions/o/changes"+query, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+readSecret)
	for _, f := range change {
		f(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		r.t.Fatalf("status %d, type %q", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	return &reader{r.t, bufio.NewScanner(resp.Body), resp.Body}
}

// next returns the next message: its name, its id, and what its steps are, or "" at the end.
func (r *reader) next() (name, id, steps string) {
	r.t.Helper()
	for r.lines.Scan() {
		field, value, _ := strings.Cut(r.lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			var e fleet.Entry
			if err := json.Unmarshal([]byte(value), &e); err != nil {
				r.t.Fatal(err)
			}
			var all []string
			for _, s := range e.Steps {
				all = append(all, strings.TrimSpace(s.Kind+" "+s.Event))
			}
			steps = strings.Join(all, ", ")
		case "":
			if name != "" {
				return name, id, steps
			}
		}
	}
	return "", "", ""
}

func (r *reader) want(name, steps string) (id string) {
	r.t.Helper()
	gotName, id, gotSteps := r.next()
	if gotName != name || gotSteps != steps {
		r.t.Fatalf("message %q with steps %q, want %q with %q", gotName, gotSteps, name, steps)
	}
	return id
}

// A watcher hears of each change. One that comes back with the id of its last message misses nothing.
func TestChanges(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	live, all := r.watch(""), r.watch("?after=0")
	all.want("change", "start")
	r.must("POST", "/v1/sessions/o/events?wait=true", `{"name":"add","data":{"price":1}}`)
	id := live.want("change", "event add")
	if other := all.want("change", "event add"); other != id {
		t.Errorf("ids %s and %s of one message", id, other)
	}
	live.body.Close()
	r.must("POST", "/v1/sessions/o/suspend", "")
	r.must("POST", "/v1/sessions/o/resume", "")
	again := r.watch("", with("Last-Event-ID", id))
	again.want("change", "suspend")
	again.want("change", "resume")
	r.must("DELETE", "/v1/sessions/o", "")
	again.want("end", "")
	again.want("", "")
}

// A watcher that comes back too late is told that it may have missed something.
func TestChangesHaveGap(t *testing.T) {
	r := newRig(t, rigConfig{fleet: fleet.Config{Log: 2}})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	first := r.watch("?after=0").want("change", "start")
	for range 3 {
		r.must("POST", "/v1/sessions/o/events?wait=true", `{"name":"add","data":{"price":1}}`)
	}
	late := r.watch("", with("Last-Event-ID", first))
	late.want("gap", "")
	late.want("change", "event add")
	late.want("change", "event add")
}

// A server that stops says goodbye to those who watch, and a server serves so many of them.
func TestStreamsEnd(t *testing.T) {
	r := newRig(t, rigConfig{rest: rest.Config{MaxStreams: 1}})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	watcher := r.watch("")
	if got := r.do("GET", "/v1/sessions/o/changes", ""); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("the second stream: status %d", got.status)
	}
	r.rest.Drain()
	watcher.want("bye", "")
	watcher.want("", "")
}

func TestLastEventIDIsNumber(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	if got := r.do("GET", "/v1/sessions/o/changes", "", with("Last-Event-ID", "x")); got.status != 422 {
		t.Errorf("status %d: %s", got.status, got.body)
	}
}

// An entry of a log that has no steps, which a fleet does not write, does not end the server.
func TestEntryWithoutSteps(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.store.entry = []byte(`{}`)
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	if name, _, _ := r.watch("?after=1").next(); name != "gap" {
		t.Errorf("message %q", name)
	}
}

// A watcher whose last message is newer than the session, which a restored backup can cause, is told, and
// then hears of what happens.
func TestChangesOfARestoredBackupHaveGap(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	again := r.watch("", with("Last-Event-ID", "999"))
	again.want("gap", "")
	r.must("POST", "/v1/sessions/o/suspend", "")
	again.want("change", "suspend")
}
