package playground

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The page needs no token, and its requests do. Each page has a session of its own, and the one that was
// used least recently loses it when there are too many.
func TestServer(t *testing.T) {
	s := NewServer()
	defer s.Close()
	ask := func(method, path, token, body string) (int, string) {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:1"+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://127.0.0.1:1")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	page := func(n int) string { return fmt.Sprintf("/engine/00000000-0000-4000-8000-%012d", n) }
	runs := func(n int) bool {
		_, text := ask("GET", page(n)+"/api/sessions", s.token, "")
		return strings.Contains(text, `"Door"`)
	}

	for path, want := range map[string]string{
		"/": "SCXML playground", "/main.js": "engine.js", "/engine.js": "Bearer", "/update.js": "keepOffline", "/inspect/": "picture", "/inspect/api.js": "window.parent",
	} {
		if status, text := ask("GET", path, "", ""); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: status %d: %.300s", path, status, text)
		}
	}
	for path, want := range map[string]int{"/none.js": 404, "/engine/x/examples": 404, page(0) + "/none": 404, page(0) + "/examples": 200} {
		if status, text := ask("GET", path, s.token, ""); status != want {
			t.Errorf("%s: status %d, want %d: %s", path, status, want, text)
		}
	}
	for _, token := range []string{"", "x", s.token + "x"} {
		if status, text := ask("POST", page(0)+"/run", token, door); status != http.StatusUnauthorized {
			t.Errorf("token %q: status %d: %s", token, status, text)
		}
	}

	for n := range maxPages {
		if status, text := ask("POST", page(n)+"/run", s.token, door); status != http.StatusOK {
			t.Fatalf("status %d: %s", status, text)
		}
	}
	if !runs(0) {
		t.Error("the first page has lost its session")
	}
	ask("POST", page(maxPages)+"/run", s.token, door)
	for _, n := range []int{0, 2, maxPages} {
		if !runs(n) {
			t.Errorf("page %d has lost its session", n)
		}
	}
	if runs(1) { // and takes a place again
		t.Error("the page that was used least recently still has its session")
	}

	endless := strings.Replace(door, "<state id=\"shut\">", `<state id="shut"><transition target="shut"/>`, 1)
	ask("POST", page(0)+"/run", s.token, endless)
	if status, text := ask("GET", page(0)+"/failure", s.token, ""); status != http.StatusOK || !strings.Contains(text, "Microsteps") {
		t.Errorf("status %d: %s", status, text)
	}
}
