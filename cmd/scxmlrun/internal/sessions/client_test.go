package sessions

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// serve returns a client of a server whose nth answer is the nth function's.
func serve(t *testing.T, answers ...http.HandlerFunc) (*Client, *[]*http.Request) {
	var requests []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r)
		answers[min(len(requests), len(answers))-1](w, r)
	}))
	t.Cleanup(server.Close)
	c, err := NewClient(server.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	return c, &requests
}

func refuse(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func cutOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// An event whose answer is lost is sent again, as the same event.
func TestInsistRepeatsWithTheSameKey(t *testing.T) {
	c, requests := serve(t, cutOff, refuse(503, `{"error":"draining"}`), refuse(202, `{"position":7,"duplicate":true}`))
	receipt, err := Decode[Receipt](c.Insist(t.Context(), time.Minute, Request{
		Method: "POST", Path: "/v1/sessions/a/events", Body: map[string]string{"name": "e"}, IdempotencyKey: "one",
	}))
	if err != nil || receipt.Position != 7 || !receipt.Duplicate {
		t.Errorf("receipt %+v, error %v", receipt, err)
	}
	var keys []string
	for _, r := range *requests {
		keys = append(keys, r.Header.Get("Idempotency-Key")+" "+r.Header.Get("Authorization"))
	}
	if want := slices.Repeat([]string{"one Bearer secret"}, 3); !slices.Equal(keys, want) {
		t.Errorf("keys and tokens are %q, want %q", keys, want)
	}
}

// A refusal that will stay is not repeated.
func TestInsistEnds(t *testing.T) {
	c, requests := serve(t, refuse(404, `{"error":"there is no session \"a\"","code":"not-found"}`))
	_, err := c.Insist(t.Context(), time.Minute, Request{Method: "POST", Path: "/"})
	if refusal := new(Refusal); !errors.As(err, &refusal) || refusal.Code != "not-found" || err.Error() != `there is no session "a"` {
		t.Errorf("error %v", err)
	}
	if len(*requests) != 1 {
		t.Errorf("%d requests, want 1", len(*requests))
	}
	c, requests = serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600")
		refuse(429, `{"error":"the inbox is full"}`)(w, r)
	})
	if _, err := c.Insist(t.Context(), time.Minute, Request{Method: "POST", Path: "/"}); err == nil || len(*requests) != 1 {
		t.Errorf("error %v after %d requests: an hour is longer than a minute", err, len(*requests))
	}
}

// The token goes to the server that was named, and not in the clear to other machines.
func TestTokenStays(t *testing.T) {
	other, seen := serve(t, refuse(200, `{}`))
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.server.String(), http.StatusTemporaryRedirect)
	})
	if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/"}); err == nil || len(*seen) != 0 {
		t.Errorf("error %v; the other server got %d requests", err, len(*seen))
	}
	for server, ok := range map[string]bool{
		"http://127.0.0.1:1": true, "http://[::1]:1": true, "http://localhost:1": true, "https://example.com": true,
		"http://example.com": false, "http://10.0.0.1": false, "127.0.0.1:8420": false, "ftp://localhost": false, "": false,
	} {
		_, err := NewClient(server, "secret")
		if usage := new(cli.Error); ok != (err == nil) || err != nil && (!errors.As(err, &usage) || usage.Status != cli.Usage) {
			t.Errorf("server %q: error %v", server, err)
		}
	}
}

// Text from a server cannot move the cursor, nor look like another line.
func TestShownTextIsVisible(t *testing.T) {
	var b strings.Builder
	s := Session{Info: fleet.Info{Key: "a", Status: "suspended"}, Failure: &fleet.Failure{What: "event pay", Attempts: 3, Message: "one\x1b[2J\ntwo\tthree"}}
	if err := WriteSession(&b, &s); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.ContainsAny(text, "\x1b\t") || !strings.Contains(text, `one\x1b[2J\ntwo three`) {
		t.Errorf("shown:\n%s", text)
	}
}

func ExampleWriteSession() {
	nine := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	var b strings.Builder
	WriteSession(&b, &Session{
		Info:          fleet.Info{Key: "order-17", Chart: "orders", Hash: "3f2a9c01d4", Status: "suspended", Accepted: 17},
		Configuration: []string{"paying"}, Enabled: []string{"cancel", "paid"}, Position: 15, Inbox: 2, NextDue: nine.Add(time.Hour),
		Failure: &fleet.Failure{What: "event paid", Attempts: 3, At: nine, Message: "ReferenceError: total is not defined"},
	})
	fmt.Print(b.String())
	// Output:
	// session   order-17
	// chart     orders 3f2a9c01
	// status    suspended
	// states    paying
	// takes     cancel paid
	// events    17 accepted, 15 processed, 2 waiting
	// next due  2026-01-05T10:00:00Z
	// failed    event paid: attempt 3 at 2026-01-05T09:00:00Z
	//           ReferenceError: total is not defined
	//           try it again: scxmlrun sessions retry order-17
	//           drop it: scxmlrun sessions skip order-17
}

// The server names at most a thousand sessions that do not fit. The others count.
func TestAllSessionsThatDoNotFitCount(t *testing.T) {
	r := Report{Tried: 5000, Fit: 2000, Unfit: []struct{ Key, Error string }{{"a", "it has no state"}}}
	var b strings.Builder
	if err := WriteReport(&b, &r, true); err != nil {
		t.Fatal(err)
	}
	if want := "a  it has no state\nand 2999 others\n2000 of 5000 sessions fit\n"; b.String() != want {
		t.Errorf("report:\n%swant:\n%s", b.String(), want)
	}
}

func ExampleWriteReceipt() {
	taken, ignored := true, false
	for _, r := range []Receipt{
		{Receipt: fleet.Receipt{Position: 1}}, {Receipt: fleet.Receipt{Position: 1, Duplicate: true}},
		{Receipt: fleet.Receipt{Position: 2}, Handled: &taken, Configuration: []string{"paying"}},
		{Receipt: fleet.Receipt{Position: 3}, Handled: &ignored, Configuration: []string{"paying"}},
		{Receipt: fleet.Receipt{Position: 4}, Handled: &taken, Status: "final"}, {Receipt: fleet.Receipt{Position: 5}, Handled: &taken, Status: "stopped"},
	} {
		WriteReceipt(os.Stdout, &r)
	}
	// Output:
	// accepted at position 1
	// accepted before at position 1
	// processed at position 2: now in paying
	// processed at position 3, no transition took it: now in paying
	// processed at position 4: the session has ended
	// processed at position 5: the session was stopped
}

// A message that fails is shown with its last error, in which nothing moves the cursor.
func TestShowTellsOfAMessageThatFails(t *testing.T) {
	var b strings.Builder
	s := Session{Info: fleet.Info{Key: "k", Hash: "h"}, Outbox: 2, Failing: &fleet.TaskInfo{Error: "refused\x1b[2J", Attempts: 3, Next: time.Unix(0, 0)}}
	if err := WriteSession(&b, &s); err != nil {
		t.Fatal(err)
	}
	want := "outbox    2 messages and services without an outcome\n" +
		"failing   message to a processor: attempt 3\n" +
		"          refused\\x1b[2J\n" +
		"          next attempt at 1970-01-01T00:00:00Z\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
