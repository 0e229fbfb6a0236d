package rest_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict/stricttest"
)

// A session lives from its creation to its end, and every answer says what the description promises.
func TestSession(t *testing.T) {
	r := newRig(t, rigConfig{})
	created := r.do("POST", "/v1/sessions", `{"key":"o-1","chart":"order","data":{"note":"gift"}}`)
	if created.status != 201 || created.header.Get("Location") != "/v1/sessions/o-1" {
		t.Fatalf("status %d, location %q: %s", created.status, created.header.Get("Location"), created.body)
	}
	if got := r.must("POST", "/v1/sessions/o-1/events?wait=true", `{"name":"add","data":{"price":7}}`); got["position"] != 1.0 || got["handled"] != true {
		t.Errorf("first event: %v", got)
	}
	if got := r.must("POST", "/v1/sessions/o-1/try", `{"name":"add","data":{"price":0}}`); got["handled"] != false || len(got["candidates"].([]any)) == 0 {
		t.Errorf("try: %v", got)
	}
	if got := r.must("GET", "/v1/sessions/o-1/enabled", "")["enabled"].([]any); len(got) != 3 || got[0] != "add" {
		t.Errorf("enabled: %v", got)
	}
	got := r.must("GET", "/v1/sessions/o-1", "")
	if data := got["data"].(map[string]any); data["total"] != 7.0 || data["note"] != "gift" || got["position"] != 1.0 || got["status"] != "running" {
		t.Errorf("session: %v", got)
	}
	if got := r.must("GET", "/v1/sessions/o-1/snapshot", ""); got["version"] == nil {
		t.Errorf("snapshot: %v", got)
	}
	r.must("POST", "/v1/sessions/o-1/events?wait=true", `{"name":"pay"}`)
	if got := r.must("GET", "/v1/sessions/o-1", ""); got["status"] != "final" || got["final"] != "paid" || got["done_data"] != 7.0 {
		t.Errorf("session at its end: %v", got)
	}
	if got := r.do("GET", "/v1/sessions?status=frob", ""); got.status != 422 || !strings.Contains(string(got.body), "want running, final, stopped, suspended") {
		t.Errorf("a status that there is not: status %d: %s", got.status, got.body)
	}
	if got := r.must("GET", "/v1/sessions?chart=order&status=final", "")["sessions"].([]any); len(got) != 1 {
		t.Errorf("list: %v", got)
	}
	if got := r.must("GET", "/v1/sessions/o-1/events", "")["entries"].([]any); len(got) != 3 {
		t.Errorf("log: %v", got)
	}
	r.must("DELETE", "/v1/sessions/o-1", "")
	if got := r.do("GET", "/v1/sessions/o-1", ""); got.status != 404 {
		t.Errorf("after its deletion: status %d", got.status)
	}
}

// A list is read page by page, and each session is in one of them.
func TestListHasPages(t *testing.T) {
	r := newRig(t, rigConfig{})
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		r.must("POST", "/v1/sessions", `{"chart":"order","key":"`+key+`"}`)
	}
	var keys []string
	for after := ""; ; {
		got := r.must("GET", "/v1/sessions?limit=2&after="+after, "")
		for _, s := range got["sessions"].([]any) {
			keys = append(keys, s.(map[string]any)["key"].(string))
		}
		next, ok := got["next"].(string)
		if !ok {
			break
		}
		after = next
	}
	if got := strings.Join(keys, ""); got != "abcde" {
		t.Errorf("keys %s", got)
	}
}

// Sessions are deleted by chart, status and age, page by page. What runs stays unless it is named.
func TestDeleteSessions(t *testing.T) {
	r := newRig(t, rigConfig{})
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		r.must("POST", "/v1/sessions", `{"chart":"order","key":"`+key+`"}`)
	}
	for _, key := range []string{"b", "d", "e"} {
		r.must("POST", "/v1/sessions/"+key+"/stop", "")
	}
	if got := r.must("GET", "/v1/sessions/b", ""); got["ended"] == nil {
		t.Errorf("it does not say when it has ended: %v", got)
	}
	for _, tt := range []struct{ body, want, left string }{
		{`{"older":3600}`, "map[busy:0 deleted:0]", "abcde"},
		{`{"chart":"other"}`, "map[busy:0 deleted:0]", "abcde"},
		{`{"try":true}`, "map[busy:0 deleted:3]", "abcde"},
		{`{"limit":3}`, "map[busy:0 deleted:1 next:c]", "acde"},
		{`{"limit":3,"after":"c"}`, "map[busy:0 deleted:2]", "ac"},
		{`{"status":["running"],"limit":1}`, "map[busy:0 deleted:1 next:a]", "c"},
	} {
		got, left := fmt.Sprint(r.must("POST", "/v1/delete", tt.body, as(operateSecret))), ""
		for _, s := range r.must("GET", "/v1/sessions", "")["sessions"].([]any) {
			left += s.(map[string]any)["key"].(string)
		}
		if got != tt.want || left != tt.left {
			t.Errorf("%s: got %s, which leaves %s; want %s and %s", tt.body, got, left, tt.want, tt.left)
		}
	}
	for body, want := range map[string]string{
		`{"status":["done"]}`:               `status: "done" is not a status: want running, final, stopped, suspended`,
		`{"status":["running"],"older":60}`: "older: a session that is running has no age: it has not ended",
		`{"older":-1}`:                      "older: want 0 to 9000000000 seconds",
		`{"limit":1001}`:                    "limit: want 1 to 1000",
	} {
		if got := r.do("POST", "/v1/delete", body); got.status != 422 || got.fields["error"] != want {
			t.Errorf("%s: status %d: %s; want %s", body, got.status, got.body, want)
		}
	}
	if got := r.do("POST", "/v1/delete", "{}", as(readSecret)); got.status != 403 {
		t.Errorf("a token that may not delete: status %d", got.status)
	}
}

// A client that repeats an event with its Idempotency-Key, or its number, gets the same position, and
// the session takes the event once.
func TestRepeatedEvent(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	const event = `{"name":"add","data":{"price":5}}`
	for i := range 3 {
		got := r.do("POST", "/v1/sessions/o/events", event, with("Idempotency-Key", "k1"))
		if got.status != 202 || got.fields["position"] != 1.0 || got.fields["duplicate"] != (i > 0) {
			t.Errorf("attempt %d: status %d: %s", i, got.status, got.body)
		}
	}
	if got := r.must("POST", "/v1/sessions/o/events?wait=true", event, with("Idempotency-Key", "k1")); got["position"] != 1.0 || got["duplicate"] != true || got["handled"] != true {
		t.Errorf("with wait: %v", got)
	}
	for _, other := range []string{`{"name":"add","data":{"price":6}}`, `{"name":"add"}`, `{"name":"sub","data":{"price":5}}`} {
		for _, query := range []string{"", "?wait=true"} {
			if got := r.do("POST", "/v1/sessions/o/events"+query, other, with("Idempotency-Key", "k1")); got.status != 409 || got.code() != "reused-id" {
				t.Errorf("%s with the same key: status %d: %s", other, got.status, got.body)
			}
		}
	}
	const numbered = `{"name":"add","data":{"price":100},"source":"till","number":4}`
	r.must("POST", "/v1/sessions/o/events", numbered)
	if got := r.must("POST", "/v1/sessions/o/events?wait=true", numbered); got["duplicate"] != true {
		t.Errorf("numbered: %v", got)
	}
	if got := r.must("GET", "/v1/sessions/o", "")["data"].(map[string]any)["total"]; got != 105.0 {
		t.Errorf("total %v, want 105", got)
	}
}

// A form is an event of the Basic HTTP Event I/O Processor. The session does not see the token.
func TestForm(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	got := r.do("POST", "/v1/sessions/o/events?wait=true", "_scxmleventname=add&price=5", with("Content-Type", "application/x-www-form-urlencoded"))
	if got.status != 200 || got.fields["handled"] != true {
		t.Errorf("status %d: %s", got.status, got.body)
	}
	for _, name := range []string{"done.state.x", "a%00b", ""} {
		if got := r.do("POST", "/v1/sessions/o/events", "_scxmleventname="+name, with("Content-Type", "application/x-www-form-urlencoded")); got.status != 422 {
			t.Errorf("event %q: status %d: %s", name, got.status, got.body)
		}
	}
	snapshot := r.do("GET", "/v1/sessions/o/snapshot", "")
	if strings.Contains(string(snapshot.body), allSecret) {
		t.Error("the snapshot has the token")
	}
}

// Every status of the description has a request that causes it.
func TestStatus(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		name               string
		method, path, body string
		change             func(*http.Request)
		status             int
		code               string
	}{
		{"unknown session", "GET", "/v1/sessions/none", "", nil, 404, "not-found"},
		{"event for an unknown session", "POST", "/v1/sessions/none/events", `{"name":"add"}`, nil, 404, "not-found"},
		{"log of an unknown session", "GET", "/v1/sessions/none/events", "", nil, 404, "not-found"},
		{"changes of an unknown session", "GET", "/v1/sessions/none/changes", "", nil, 404, "not-found"},
		{"deletion of an unknown session", "DELETE", "/v1/sessions/none", "", nil, 404, "not-found"},
		{"unknown chart", "GET", "/v1/charts/none", "", nil, 404, "not-found"},
		{"session of an unknown chart", "POST", "/v1/sessions", `{"key":"k","chart":"none"}`, nil, 404, "not-found"},
		{"unknown path", "GET", "/v2/sessions", "", nil, 404, "unknown-route"},
		{"unknown method", "PUT", "/v1/sessions/o", "", nil, 405, "unknown-route"},
		{"same key", "POST", "/v1/sessions", `{"key":"o","chart":"order"}`, nil, 409, "exists"},
		{"ended", "POST", "/v1/sessions/done/events", `{"name":"add"}`, nil, 409, "ended"},
		{"suspended", "POST", "/v1/sessions/held/events?wait=true", `{"name":"add","data":{"price":1}}`, nil, 409, "suspended"},
		{"not suspended", "POST", "/v1/sessions/o/resume", "", nil, 409, "not-suspended"},
		{"large body", "POST", "/v1/sessions/o/events", `{"name":"add","data":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, "too-large"},
		{"large event", "POST", "/v1/sessions/o/events", `{"name":"add","data":"` + strings.Repeat("x", 600<<10) + `"}`, nil, 413, "too-large"},
		{"large chart", "PUT", "/v1/charts/c", strings.Repeat(" ", 5<<20), with("Content-Type", "application/xml"), 413, "too-large"},
		{"text", "POST", "/v1/sessions/o/events", `{"name":"add"}`, with("Content-Type", "text/plain"), 415, "unsupported-media"},
		{"form for a new session", "POST", "/v1/sessions", `key=x`, with("Content-Type", "application/x-www-form-urlencoded"), 415, "unsupported-media"},
		{"chart in JSON", "PUT", "/v1/charts/c", `{}`, nil, 415, "unsupported-media"},
		{"no type", "POST", "/v1/sessions/o/events", `{"name":"add"}`, with("Content-Type", ""), 415, "unsupported-media"},
		{"no JSON", "POST", "/v1/sessions/o/events", `{`, nil, 422, "malformed"},
		{"two values", "POST", "/v1/sessions/o/events", `{"name":"add"}{}`, nil, 422, "malformed"},
		{"unknown field", "POST", "/v1/sessions/o/events", `{"name":"add","dta":1}`, nil, 422, "malformed"},
		{"no name", "POST", "/v1/sessions/o/events", `{}`, nil, 422, "malformed"},
		{"data that is not a value", "POST", "/v1/sessions/o/events", `{"name":"add","data":{"$nonsense":1}}`, nil, 422, "malformed"},
		{"source without number", "POST", "/v1/sessions/o/events", `{"name":"add","source":"x"}`, nil, 422, "malformed"},
		{"long source", "POST", "/v1/sessions/o/events", `{"name":"add","source":"` + long + `","number":1}`, nil, 422, "malformed"},
		{"long id", "POST", "/v1/sessions/o/events", `{"name":"add"}`, with("Idempotency-Key", long), 422, "malformed"},
		{"platform event", "POST", "/v1/sessions/o/events", `{"name":"error.execution"}`, nil, 422, "not-accepted"},
		{"bad key", "POST", "/v1/sessions", `{"key":"a~b","chart":"order"}`, nil, 422, "malformed"},
		{"unknown data item", "POST", "/v1/sessions", `{"key":"k","chart":"order","data":{"nonsense":1}}`, nil, 422, "failed-step"},
		{"bad flag", "POST", "/v1/sessions/o/events?wait=yes", `{"name":"add"}`, nil, 422, "malformed"},
		{"bad limit", "GET", "/v1/sessions?limit=0", "", nil, 422, "malformed"},
		{"chart that loops", "POST", "/v1/sessions/o/events?wait=true", `{"name":"loop"}`, nil, 422, "failed-step"},
		{"name of a chart", "PUT", "/v1/charts/a%20b", "<scxml/>", with("Content-Type", "text/xml"), 422, "malformed"},
		{"no uploads", "PUT", "/v1/charts/c", "<scxml/>", with("Content-Type", "text/xml"), 403, "forbidden"},
		{"no token", "GET", "/v1/sessions/o", "", anonymous, 401, "unauthorized"},
		{"wrong token", "GET", "/v1/sessions/o", "", as(allSecret + "x"), 401, "unauthorized"},
		{"other web site", "GET", "/v1/sessions/o", "", with("Origin", "https://evil.example"), 403, "forbidden"},
		{"other host", "GET", "/v1/sessions/o", "", func(r *http.Request) { r.Host = "evil.example" }, 403, "forbidden"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, rigConfig{})
			for _, key := range []string{"o", "done", "held"} {
				r.must("POST", "/v1/sessions", `{"key":"`+key+`","chart":"order"}`)
			}
			r.must("POST", "/v1/sessions/done/events?wait=true", `{"name":"pay"}`)
			r.must("POST", "/v1/sessions/held/suspend", "")
			var change []func(*http.Request)
			if test.change != nil {
				change = append(change, test.change)
			}
			got := r.do(test.method, test.path, test.body, change...)
			if got.status != test.status || got.code() != test.code {
				t.Errorf("status %d, code %v, want %d %s: %.300s", got.status, got.code(), test.status, test.code, got.body)
			}
			if got := r.must("GET", "/v1/sessions/o", ""); got["accepted"] != 0.0 {
				t.Errorf("the session has accepted %v events", got["accepted"])
			}
		})
	}
}

// A session whose inbox is full accepts events again when it has worked.
func TestFullInbox(t *testing.T) {
	r := newRig(t, rigConfig{fleet: fleet.Config{Inbox: 2}})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	const event = `{"name":"add","data":{"price":1}}`
	r.must("POST", "/v1/sessions/o/events", event)
	r.must("POST", "/v1/sessions/o/events", event)
	got := r.do("POST", "/v1/sessions/o/events", event)
	if got.status != 429 || got.code() != "inbox-full" || got.header.Get("Retry-After") != "1" {
		t.Errorf("status %d, Retry-After %q: %s", got.status, got.header.Get("Retry-After"), got.body)
	}
	r.must("POST", "/v1/sessions/o/events?wait=true", event)
	r.must("POST", "/v1/sessions/o/events", event)
}

// Who waits for an event hears what has failed in the chart; the message may have data.
func TestErrorsOfTheChart(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	for secret, want := range map[string]string{
		allSecret:  "order.scxml:4:45: <transition>: TypeError: Cannot read property 'price' of undefined",
		sendSecret: "order.scxml:4:45: <transition>: error.execution (the message needs the scope read)",
	} {
		got := r.do("POST", "/v1/sessions/o/events?wait=true", `{"name":"add"}`, as(secret))
		if errors, _ := got.fields["errors"].([]any); got.status != 200 || len(errors) != 1 || !strings.HasPrefix(errors[0].(string), want) {
			t.Errorf("status %d: %s, want the error %q", got.status, got.body, want)
		}
	}
	if got := r.must("POST", "/v1/sessions/o/events?wait=true", `{"name":"add","data":{"price":1}}`); got["errors"] != nil {
		t.Errorf("a step without errors: %v", got)
	}
}

// A session that may not forget an id yet refuses another one.
func TestManyIDs(t *testing.T) {
	r := newRig(t, rigConfig{fleet: fleet.Config{IDs: 1, IDsFor: time.Hour}})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	const event = `{"name":"add","data":{"price":1}}`
	for id, want := range []int{202, 429} {
		got := r.do("POST", "/v1/sessions/o/events", event, with("Idempotency-Key", fmt.Sprint(id)))
		if got.status != want || want == 429 && got.code() != "many-ids" {
			t.Errorf("status %d, want %d: %s", got.status, want, got.body)
		}
	}
}

// An event that the store cannot write is not accepted, and readyz says that the store does not work.
func TestStoreFails(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	r.must("GET", "/readyz", "", anonymous)
	r.store.broken.Store(true)
	for _, path := range []string{"/v1/sessions/o/events", "/v1/sessions/o/events?wait=true"} {
		if got := r.do("POST", path, `{"name":"add"}`); got.status != 503 || got.code() != "unavailable" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: status %d: %s", path, got.status, got.body)
		}
	}
	if got := r.do("POST", "/v1/sessions", `{"key":"p","chart":"order"}`); got.status != 503 {
		t.Errorf("creation: status %d: %s", got.status, got.body)
	}
	if got := r.do("GET", "/readyz", "", anonymous); got.status != 503 {
		t.Errorf("readyz: status %d", got.status)
	}
	if got := r.do("GET", "/livez", "", anonymous); got.status != 200 {
		t.Errorf("livez: status %d", got.status)
	}
	r.store.broken.Store(false)
	if got := r.must("POST", "/v1/sessions/o/events", `{"name":"add"}`); got["position"] != 1.0 {
		t.Errorf("after the failure: %v", got)
	}
}

// A server that shares the sessions with others says which part of them it works for.
func TestHostIsReady(t *testing.T) {
	r := newRig(t, rigConfig{fleet: fleet.Config{Host: "db-1"}})
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- r.fleet.Run(ctx) }()
	for body := ""; body != "ok\nhost db-1 works for 1/1 of the sessions\n"; runtime.Gosched() {
		got := r.do("GET", "/readyz", "", anonymous)
		if body = string(got.body); got.status != 200 || !strings.HasPrefix(body, "ok\n") {
			t.Fatalf("readyz: status %d: %s", got.status, body)
		}
	}
	stop()
	<-ran
}

// While the server drains it takes no requests, and says that it is not ready.
func TestDrain(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.rest.Drain()
	for _, path := range []string{"/v1/sessions", "/readyz"} {
		if got := r.do("GET", path, ""); got.status != 503 || got.code() != "draining" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: status %d: %s", path, got.status, got.body)
		}
	}
	if got := r.do("GET", "/livez", "", anonymous); got.status != 200 {
		t.Errorf("livez: status %d", got.status)
	}
}

// A token does what its scopes say, and nothing else.
func TestScopes(t *testing.T) {
	r := newRig(t, rigConfig{})
	secrets := map[rest.Scopes]string{rest.Read: readSecret, rest.Send: sendSecret, rest.Operate: operateSecret, rest.Admin: adminSecret}
	for pattern, scope := range rest.Routes() {
		method, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{key}", "none", "{chart}", "none").Replace(path)
		for other, secret := range secrets {
			got := r.do(method, path, "", as(secret))
			if allowed := got.status != 403 || got.code() != "forbidden" || strings.Contains(string(got.body), "takes no charts"); allowed != (scope == other || scope == 0) {
				t.Errorf("%s with the scope %s: status %d: %s", pattern, other, got.status, got.body)
			}
		}
	}
}

// The data of a session is for those who may read, whatever else a request does.
func TestDataNeedsScope(t *testing.T) {
	r := newRig(t, rigConfig{})
	const body = `{"key":"o","chart":"order","data":{"note":"PRIVATE"}}`
	for _, got := range []answer{
		r.do("POST", "/v1/sessions", body, as(sendSecret)), r.do("POST", "/v1/sessions/o/suspend", "", as(operateSecret)),
		r.do("POST", "/v1/sessions/o/resume", "", as(operateSecret)), r.do("POST", "/v1/sessions/o/events?wait=true", `{"name":"pay"}`, as(sendSecret)),
	} {
		if got.status/100 != 2 || got.fields["data"] != nil || got.fields["done_data"] != nil {
			t.Errorf("status %d: %s", got.status, got.body)
		}
	}
	if got := r.must("GET", "/v1/sessions/o", "", as(readSecret)); got["data"] == nil || got["done_data"] == nil {
		t.Errorf("those who may read see %v", got)
	}
}

// The log has each request, its status and who has made it, but no data.
func TestLogHasNoData(t *testing.T) {
	var log strings.Builder
	r := newRig(t, rigConfig{rest: rest.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order","data":{"note":"PRIVATE"}}`)
	r.must("POST", "/v1/sessions/o/events?wait=true", `{"name":"add","data":{"price":1,"card":"PRIVATE"}}`)
	r.do("POST", "/v1/sessions/o/events", `{"name":"error.x","data":"PRIVATE"}`, with("Idempotency-Key", "PRIVATE"))
	r.do("POST", "/v1/sessions/o/events", `"PRIVATE"`)
	r.store.broken.Store(true)
	r.do("POST", "/v1/sessions/o/events", `{"name":"add","data":"PRIVATE"}`)
	r.server.Close() // waits for the log
	for _, want := range []string{
		`request="POST /v1/sessions/{key}/events" status=200`, "token=root", "key=o", "status=422", "code=not-accepted", "level=ERROR", "no space left",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %s:\n%s", want, &log)
		}
	}
	if strings.Contains(log.String(), "PRIVATE") || strings.Contains(log.String(), allSecret) {
		t.Errorf("the log has data:\n%s", &log)
	}
}

// Nothing that a client says is dropped in silence: a request that is not understood as a whole is
// refused, in the words of JSON, not in those of Go.
func TestMalformedRequestsAreNamed(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	for _, tt := range []struct{ request, body, want string }{
		{"POST /v1/sessions", `[]`, "it is not an object of JSON"},
		{"POST /v1/sessions", `null`, "it is not an object of JSON"},
		{"POST /v1/sessions", `{"key":"a"`, `bad JSON: 1:11: unexpected end of text, "," or "}" was expected`},
		{"POST /v1/sessions", `{"key":5,"chart":"order"}`, `field "key": want a text, not the number`},
		{"POST /v1/sessions", `{"key":null,"chart":"order"}`, `field "key": want a text, not null`},
		{"POST /v1/sessions", `{"chart":"order","data":null}`, `field "data": want an object, not null`},
		{"POST /v1/charts/order/migrate", `{"try":null}`, `field "try": want true or false, not null`},
		{"POST /v1/sessions/o/try", `{"name":"add","source":"s","number":1}`, "! a trial has no source and number: want name and data"},
		{"POST /v1/sessions", `{"chart":"order","data":[]}`, `field "data": want an object, not the array`},
		{"POST /v1/sessions", `{"chart":"order","dta":{}}`, `unknown field "dta" (did you mean "data"?)`},
		{"POST /v1/sessions", `{"Chart":"order"}`, `unknown field "Chart" (did you mean "chart"?)`},
		{"POST /v1/sessions", `{"chart":"order","initial":{}}`, `unknown field "initial": want "key", "chart", "data"`},
		{"POST /v1/sessions", `{"chart":"order"} {}`, "bad JSON: 1:19: unexpected '{' after the value"},
		{"POST /v1/sessions", `{"chart":"x","chart":"order"}`, `bad JSON: 1:14: the key "chart" is there twice`},
		{"POST /v1/sessions/o/events", `{"name":"add","data":{"price":1e400}}`, "bad JSON: 1:31: the number 1e400 is too large: want at most 1.7976931348623157e308"},
		{"POST /v1/sessions/o/events", `{"name":"add","data":"` + "\xff" + `"}`, "bad JSON: 1:22: a string is not UTF-8"},
		{"POST /v1/sessions/o/events", `{"name":"add","data":{"\ud800":1}}`, `bad JSON: 1:23: half of a surrogate pair in a string: want two escapes, such as \ud83d\ude00`},
		{"POST /v1/sessions/o/try", `{"name":"add","dat":1}`, `unknown field "dat" (did you mean "data"?)`},
		{"POST /v1/charts/order/migrate", `{"Try":true}`, `unknown field "Try" (did you mean "try"?)`},
		{"POST /v1/sessions/o/suspend", `{"until":"noon"}`, "! this request has no body: want nothing, or {}"},
		{"POST /v1/sessions/o/events?wiat=true", `{"name":"add"}`, `! unknown parameter "wiat" (did you mean "wait"?)`},
		{"POST /v1/sessions/o/suspend?wait=true", ``, `! unknown parameter "wait"`},
		{"GET /v1/sessions?Limit=1", "", `! unknown parameter "Limit" (did you mean "limit"?)`},
		{"GET /v1/sessions?limit=1&limit=2", "", `! the parameter "limit" is there twice`},
		{"GET /v1/sessions?chart=%ff", "", `! the parameter "chart" is not UTF-8`},
		{"GET /v1/sessions?chart=%zz", "", `! cannot read the query: invalid URL escape "%zz"`},
		{"GET /v1/sessions/o/changes?limit=1", "", `! unknown parameter "limit": want "after"`},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		want, whole := strings.CutPrefix(tt.want, "! ")
		if !whole {
			want = "cannot read the request: " + want
		}
		got := r.do(method, path, tt.body)
		if text, _ := got.fields["error"].(string); got.status != 422 || text != want {
			t.Errorf("%s %s\n got status %d: %s\nwant %s", tt.request, tt.body, got.status, got.body, want)
		}
	}
	r.must("POST", "/v1/sessions/o/suspend", "{}")
}

// A body with one key renamed, repeated, or moved up or down a level is refused.
func TestChangedBodiesAreRefused(t *testing.T) {
	r := newRig(t, rigConfig{})
	for _, valid := range []struct{ path, body string }{
		{"/v1/sessions", `{"key":"o","chart":"order","data":{"note":"n"}}`},
		{"/v1/sessions/o/events", `{"name":"add","data":{"price":1},"source":"s","number":1}`},
		{"/v1/sessions/o/try", `{"name":"add","data":{"price":1}}`},
		{"/v1/charts/order/migrate", `{"from":"","to":"","states":{"open":"open"},"script":"","keys":["o"],"prefix":"o","share":0.5,"try":true}`},
		{"/v1/delete", `{"chart":"order","status":["final"],"older":1,"try":true,"after":"","limit":1}`},
	} {
		r.must("POST", valid.path, valid.body)
		for _, body := range stricttest.Changes(valid.body) {
			got := r.do("POST", valid.path, body)
			if text, _ := got.fields["error"].(string); got.status != 422 || !strings.HasPrefix(text, "cannot read the request: ") {
				t.Errorf("%s %s: status %d: %s", valid.path, body, got.status, got.body)
			}
		}
	}
}

// What waits can be seen, with its data, before anyone decides about it.
func TestInbox(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	r.must("POST", "/v1/sessions/o/suspend", "")
	r.must("POST", "/v1/sessions/o/events", `{"name":"add","data":{"price":1}}`, with("Idempotency-Key", "first"))
	r.must("POST", "/v1/sessions/o/events", `{"name":"pay"}`)
	events := r.must("GET", "/v1/sessions/o/inbox", "", as(readSecret))["events"].([]any)
	if len(events) != 2 {
		t.Fatalf("%d events wait", len(events))
	}
	first, second := events[0].(map[string]any), events[1].(map[string]any)
	if first["name"] != "add" || first["id"] != "first" || first["position"] != 1.0 || fmt.Sprint(first["data"]) != "map[price:1]" {
		t.Errorf("the first is %v", first)
	}
	if second["name"] != "pay" || second["data"] != nil || second["position"] != 2.0 {
		t.Errorf("the second is %v", second)
	}
	if a := r.do("GET", "/v1/sessions/nobody/inbox", ""); a.status != 404 {
		t.Errorf("no session: status %d", a.status)
	}
	if a := r.do("GET", "/v1/sessions/o/inbox", "", as(operateSecret)); a.status != 403 {
		t.Errorf("a token that may not read: status %d", a.status)
	}
}

// A session that cannot be restored is shown with what its record says, and the reason.
func TestBrokenSessionIsShown(t *testing.T) {
	r := newRig(t, rigConfig{})
	r.must("POST", "/v1/sessions", `{"key":"o","chart":"order"}`)
	r.must("POST", "/v1/sessions/o/events", `{"name":"add","data":{"price":1}}`)
	other, err := fleet.New(r.store, fleet.Config{}) // has not the chart
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := &rig{t: t, fleet: other, rest: rest.New(rest.Config{Fleet: other, Tokens: []rest.Token{rest.NewToken("root", allSecret, rest.All)}})}
	elsewhere.server = httptest.NewServer(elsewhere.rest)
	defer elsewhere.server.Close()
	r = elsewhere
	got := r.must("GET", "/v1/sessions/o", "")
	if got["status"] != "running" || got["inbox"] != 1.0 || !strings.Contains(got["broken"].(string), `a version of chart "order" that is not here`) {
		t.Errorf("%v", got)
	}
	if got := r.do("GET", "/v1/sessions/o/enabled", ""); got.status != 409 || got.code() != "unknown-version" {
		t.Errorf("status %d: %s", got.status, got.body)
	}
	if got := r.must("POST", "/v1/sessions/o/suspend", ""); got["status"] != "suspended" {
		t.Errorf("%v", got)
	}
}
