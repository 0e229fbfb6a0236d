package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// An echo has copies that tell which request reached them. Package cmd/internal/copies has real ones.
type echo struct {
	fleet *fleet.Fleet
	open  bool
}

func (e *echo) Open(ctx context.Context, key string) (string, error) {
	_, err := e.fleet.Copy(ctx, key)
	e.open = err == nil
	return "c1", err
}

func (e *echo) Close(id string) bool {
	was := e.open && id == "c1"
	e.open = e.open && !was
	return was
}

func (e *echo) Handler(id string) http.Handler {
	if !e.open || id != "c1" {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"request": r.Method + " " + r.URL.Path + " " + string(body)})
		if r.URL.Path == "/api/events" {
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
}

func newCopying(t *testing.T) *rig {
	copies := new(echo)
	r := newRig(t, rigConfig{rest: rest.Config{Copies: copies}})
	copies.fleet = r.fleet
	return r
}

// A token that may only read opens a copy, uses it and closes it.
func TestCopy(t *testing.T) {
	r := newCopying(t)
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"order"}`)
	made := r.do("POST", "/v1/sessions/k/copies", "", as(readSecret))
	path := "/v1/copies/" + made.fields["id"].(string)
	if made.status != 201 || made.header.Get("Location") != path {
		t.Fatalf("status %d, at %q: %s", made.status, made.header.Get("Location"), made.body)
	}
	if got := r.must("GET", path+"/api/sessions", "", as(readSecret))["request"]; got != "GET /api/sessions " {
		t.Errorf("the copy was asked for %q", got)
	}
	if got := r.must("POST", path+"/api/sessions/1/send", `{"event":"pay"}`, as(readSecret))["request"]; got != `POST /api/sessions/1/send {"event":"pay"}` {
		t.Errorf("the copy was asked for %q", got)
	}
	r.do("DELETE", path, "", as(readSecret))
	for _, gone := range []answer{r.do("GET", path+"/api/sessions", ""), r.do("DELETE", path, "")} {
		if gone.status != 404 || gone.code() != "not-found" {
			t.Errorf("status %d: %s", gone.status, gone.body)
		}
	}
}

// All of it needs the scope read, and a request of another web site is refused.
func TestCopiesNeedAToken(t *testing.T) {
	r := newCopying(t)
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"order"}`)
	path := "/v1/copies/" + r.must("POST", "/v1/sessions/k/copies", "")["id"].(string)
	for _, request := range []string{
		"POST /v1/sessions/k/copies", "DELETE " + path, "GET " + path + "/api/sessions", "GET " + path + "/api/events",
		"GET " + path + "/api/sessions/1/positions/last", "POST " + path + "/api/sessions/1/stop",
	} {
		method, path, _ := strings.Cut(request, " ")
		for status, change := range map[int]func(*http.Request){401: anonymous, 403: as(sendSecret)} {
			if a := r.do(method, path, "", change); a.status != status {
				t.Errorf("%s: status %d, want %d", request, a.status, status)
			}
		}
		if a := r.do(method, path, "", with("Origin", "https://example.com")); a.status != 403 {
			t.Errorf("%s from another site: status %d", request, a.status)
		}
		if a := r.do(method, path+"?token="+readSecret, "", anonymous); a.status != 401 {
			t.Errorf("%s with a token in its address: status %d", request, a.status)
		}
	}
}

// The events of a copy are streamed until the server drains.
func TestCopyIsStreamed(t *testing.T) {
	r := newCopying(t)
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"order"}`)
	path := "/v1/copies/" + r.must("POST", "/v1/sessions/k/copies", "")["id"].(string)
	req, err := http.NewRequestWithContext(t.Context(), "GET", r.server.URL+path+"/api/events?session=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	as(readSecret)(req)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	if !lines.Scan() || !strings.Contains(lines.Text(), "GET /api/events") {
		t.Fatalf("the stream begins with %q: %v", lines.Text(), lines.Err())
	}
	r.rest.Drain()
	for lines.Scan() {
	}
}

// A session that cannot be copied is refused with the reason.
func TestNoCopy(t *testing.T) {
	if a := newRig(t, rigConfig{}).do("POST", "/v1/sessions/k/copies", ""); a.status != 404 || !strings.Contains(string(a.body), "this server has no copies of sessions") {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	r := newCopying(t)
	if a := r.do("POST", "/v1/sessions/k/copies", ""); a.status != 404 || a.code() != "not-found" {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	chart, err := scxml.Parse("far.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	if err == nil {
		err = r.fleet.Define(far{fleet.Define("far", chart)})
	}
	if err == nil {
		err = r.fleet.Create(context.Background(), "k", fleet.CreateOptions{Chart: "far"})
	}
	if err != nil {
		t.Fatal(err)
	}
	r.must("POST", "/v1/sessions", `{"key":"near","chart":"order"}`)
	for _, c := range []struct {
		key, secret string
		want        any
	}{{"near", readSecret, true}, {"k", readSecret, nil}} {
		if got := r.must("GET", "/v1/sessions/"+c.key, "", as(c.secret))["copyable"]; got != c.want {
			t.Errorf("session %q says copyable %v, want %v", c.key, got, c.want)
		}
	}
	if got := r.must("POST", "/v1/sessions", `{"key":"sent","chart":"order"}`, as(sendSecret)); got["copyable"] != nil {
		t.Errorf("a token that may not make copies is told %v", got)
	}
	a := r.do("POST", "/v1/sessions/k/copies", "")
	if want := `{"error":"cannot copy session \"k\": the session runs in another process","code":"elsewhere"}`; a.status != 409 || string(a.body) != want {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

// A far definition has only the methods of a fleet.Definition.
type far struct{ fleet.Definition }
