//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// text returns the status and the body of an answer.
func (s *served) text(path, token string) (int, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// What an operator sees is what the store has, also after a start with a store from before.
func TestServeShowsOperatorsWhatIsThere(t *testing.T) {
	s := newServed(t)
	s.start(".")
	for i := range 3 {
		s.must("POST", "/v1/sessions", fmt.Sprintf(`{"key":"k%d","chart":"order"}`, i))
	}
	s.must("POST", "/v1/sessions/k0/suspend", "")
	s.must("PUT", "/v1/charts/strange", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`)
	if status := s.end(syscall.SIGKILL); status != -1 {
		t.Fatalf("exit status %d", status)
	}
	s.start(".")
	for tries := 0; s.must("GET", "/v1/overview", "")["complete"] != true; tries++ {
		if tries == 10_000 {
			t.Fatalf("the sessions were not counted; standard error: %s", s.logged())
		}
	}
	if over := s.must("GET", "/v1/overview", ""); over["stuck"] != 1.0 || len(over["counts"].([]any)) != 2 {
		t.Errorf("overview %v", over)
	}
	if found := s.must("GET", "/v1/find?text=K&status=running", ""); found["total"] != 2.0 {
		t.Errorf("found %v", found)
	}
	for _, want := range []string{
		`scxml_sessions{chart="order",status="running"} 2`, `scxml_sessions_stuck{reason="suspended"} 1`, "scxml_sessions_known 1",
	} {
		if status, text := s.text("/metrics", s.token); status != 200 || !strings.Contains(text, want+"\n") {
			t.Errorf("metrics, status %d: no line %s in\n%s", status, want, text)
		}
	}
	if status, svg := s.text("/v1/charts/order/picture", s.token); status != 200 || !strings.Contains(svg, `data-state="paid"`) {
		t.Errorf("picture: status %d, %.200s", status, svg)
	}
	// The document of someone else is read behind the wall only.
	if status, text := s.text("/v1/charts/strange/picture", s.token); status != 200 || !strings.Contains(text, `data-state="s"`) || !strings.Contains(text, "<style>") {
		t.Errorf("picture of an uploaded chart: status %d, %.200s", status, text)
	}
	if status, page := s.text("/", ""); status != 200 || !strings.Contains(page, `<form id="login"`) {
		t.Errorf("page: status %d, %.200s", status, page)
	}
	if status := s.end(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}
