package rest_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A store takes so many sessions, and others after some were deleted.
func TestTooManySessions(t *testing.T) {
	r := newRig(t, rigConfig{fleet: fleet.Config{Sessions: 2}})
	create := func(key string, want int) {
		t.Helper()
		if got := r.do("POST", "/v1/sessions", fmt.Sprintf(`{"key":%q,"chart":"order"}`, key)); got.status != want || want == 507 && got.code() != "too-many-sessions" {
			t.Errorf("status %d: %s", got.status, got.body)
		}
	}
	create("a", 201)
	create("b", 201)
	create("c", 507)
	create("a", 409)
	r.must("DELETE", "/v1/sessions/a", "")
	create("c", 201)
}

// When clients send more than a session can process, each event is accepted or refused with 429, what is
// refused leaves no trace, and what was accepted is processed, once.
func TestOverloadIsRefusedAndLeavesNothing(t *testing.T) {
	const clients, each, inbox = 20, 25, 40
	r := newRig(t, rigConfig{fleet: fleet.Config{Inbox: inbox}})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	flood := func() (statuses map[int]int) {
		var mu sync.Mutex
		statuses = map[int]int{}
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for range each {
					got := r.do("POST", "/v1/sessions/o/events", `{"name":"add","data":{"price":1}}`)
					if got.status == http.StatusTooManyRequests && got.header.Get("Retry-After") == "" {
						t.Error("status 429 without Retry-After")
					}
					mu.Lock()
					statuses[got.status]++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		return statuses
	}
	size := func() int {
		rec, err := r.store.Load(t.Context(), "o")
		if err != nil {
			t.Fatal(err)
		}
		return len(rec.Body)
	}
	if got, want := flood(), (map[int]int{202: inbox, 429: clients*each - inbox}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answers %v, want %v", got, want)
	}
	full, revision := size(), r.must("GET", "/v1/sessions/o", "")["revision"]
	if got, want := flood(), (map[int]int{429: clients * each}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answers %v when the inbox is full, want %v", got, want)
	}
	if now := r.must("GET", "/v1/sessions/o", "")["revision"]; size() != full || now != revision {
		t.Errorf("what was refused has changed the record: %d bytes and revision %v, want %d and %v", size(), now, full, revision)
	}
	r.must("POST", "/v1/sessions/o/events?wait=true", `{"name":"add","data":{"price":0}}`) // after all others
	if got := r.must("GET", "/v1/sessions/o", ""); got["position"] != inbox+1. || got["accepted"] != inbox+1. || got["data"].(map[string]any)["total"] != inbox+0. {
		t.Errorf("the session is %v", got)
	}
}
