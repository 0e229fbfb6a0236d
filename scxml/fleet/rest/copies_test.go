package rest_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/copies"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// late are copies of a fleet that is made after them.
type late struct{ *copies.Copies }

func newCopying(t *testing.T) *rig {
	later := new(late)
	r := newRig(t, rigConfig{rest: rest.Config{Copies: later}})
	later.Copies = copies.New(copies.Config{Fleet: r.fleet})
	return r
}

// An operator tries an event on a copy, with a token that may only read, and the session stays as it is.
func TestCopy(t *testing.T) {
	r := newCopying(t)
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"order"}`)
	before := string(r.do("GET", "/v1/sessions/k", "").body)
	made := r.do("POST", "/v1/sessions/k/copies", "", as(readSecret))
	path := "/v1/copies/" + made.fields["id"].(string)
	if made.status != 201 || made.header.Get("Location") != path {
		t.Fatalf("status %d, at %q: %s", made.status, made.header.Get("Location"), made.body)
	}
	list := r.must("GET", path+"/api/sessions", "", as(readSecret))["sessions"].([]any)
	if one := list[0].(map[string]any); len(list) != 1 || one["name"] != "k" || one["clock"] != "virtual" {
		t.Errorf("sessions %v", list)
	}
	r.must("POST", path+"/api/sessions/1/send", `{"event":"pay"}`, as(readSecret))
	at := r.must("GET", path+"/api/sessions/1/positions/last", "", as(readSecret))
	if at["status"] != "final" {
		t.Errorf("the copy is %v", at["status"])
	}
	if after := string(r.do("GET", "/v1/sessions/k", "").body); after != before {
		t.Errorf("the session was %s\nand is %s", before, after)
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
	if status := r.must("GET", path+"/api/sessions/1/positions/last", "")["status"]; status != "running" {
		t.Errorf("the copy is %v", status)
	}
}

// What a copy does is streamed until the server drains.
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
	wait := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("the stream ends before %q: %v", part, lines.Err())
	}
	wait(`"length":2`)
	if a := r.do("POST", path+"/api/sessions/1/send", `{"event":"loop"}`); a.status != 422 || !strings.Contains(string(a.body), "limit Microsteps") {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	wait(`"status":"stopped"`)
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
	a := r.do("POST", "/v1/sessions/k/copies", "")
	if want := `{"error":"cannot copy session \"k\": the session runs in another process","code":"elsewhere"}`; a.status != 409 || string(a.body) != want {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

// A far definition has only the methods of a fleet.Definition.
type far struct{ fleet.Definition }
