package rest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// newWatched returns a rig with a census and metrics.
func newWatched(t *testing.T) *rig {
	people := census.New()
	m := metrics.New(people)
	var f *fleet.Fleet
	r := newRig(t, rigConfig{
		fleet: fleet.Config{Observers: []fleet.Observer{people.Observer(), m.Observer()}},
		rest: rest.Config{
			Census: people, Metrics: func(w io.Writer) error { return m.Write(w, f) },
			Picture: func(_ context.Context, name, hash string) ([]byte, error) {
				if hash == "0" {
					return nil, fleet.ErrNotFound
				}
				return []byte("<svg>" + name + "</svg>"), nil
			},
			Page: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "page "+r.URL.Path) }),
		},
	})
	f = r.fleet
	return r
}

// What an operator needs first: how many sessions there are, which are in trouble, and why.
func TestOverviewAndFind(t *testing.T) {
	r := newWatched(t)
	for i := range 5 {
		r.must("POST", "/v1/sessions", fmt.Sprintf(`{"key":"s%d","chart":"order"}`, i))
	}
	r.must("POST", "/v1/sessions/s1/suspend", "")
	r.must("POST", "/v1/sessions/s1/events", `{"name":"pay"}`)
	over := r.must("GET", "/v1/overview", "")
	if got := fmt.Sprint(over["troubles"].(map[string]any)["suspended"], len(over["counts"].([]any)), over["complete"]); got != "1 2 false" {
		t.Errorf("overview %v", over)
	}
	stuck := r.must("GET", "/v1/find?stuck=true", "")
	one := stuck["sessions"].([]any)[0].(map[string]any)
	if stuck["total"] != 1.0 || one["key"] != "s1" || one["inbox"] != 1.0 || fmt.Sprint(one["troubles"]) != "[map[kind:suspended note:by an operator]]" {
		t.Errorf("stuck %v", stuck)
	}
	page := r.must("GET", "/v1/find?text=S&limit=2&status=running", "")
	if page["total"] != 4.0 || page["next"] != "s2" || len(page["sessions"].([]any)) != 2 {
		t.Errorf("page %v", page)
	}
	if a := r.do("GET", "/v1/find?stuck=yes", ""); a.status != 422 {
		t.Errorf("stuck=yes: %d", a.status)
	}
}

func TestOutboxAndTimers(t *testing.T) {
	r := newWatched(t)
	chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="s"><onentry><send event="later" delay="1h"/><send target="#_scxml_other" event="hello"/></onentry></state></scxml>`))
	if err == nil {
		err = r.fleet.Define(fleet.Define("t", chart))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.must("POST", "/v1/sessions", `{"key":"other","chart":"t"}`)
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"t"}`)
	timers := r.must("GET", "/v1/sessions/k/timers", "")["timers"].([]any)
	if len(timers) != 1 || timers[0].(map[string]any)["event"] != "later" {
		t.Errorf("timers %v", timers)
	}
	tasks := r.must("GET", "/v1/sessions/k/outbox", "")["tasks"].([]any)
	if len(tasks) != 1 || tasks[0].(map[string]any)["target"] != "#_scxml_other" {
		t.Errorf("tasks %v", tasks)
	}
	for _, path := range []string{"/v1/sessions/none/timers", "/v1/sessions/none/outbox"} {
		if a := r.do("GET", path, ""); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

// The last error of a message that is not delivered is in the session and its outbox, for readers.
func TestErrorOfADelivery(t *testing.T) {
	failed := make(chan struct{})
	var once sync.Once
	r := newRig(t, rigConfig{fleet: fleet.Config{
		Processors: map[string]fleet.Deliver{"post": func(context.Context, fleet.Delivery) error { return errors.New("nobody is there") }},
		Observers: []fleet.Observer{{Changed: func(_ string, now *fleet.Glance) {
			if now != nil && now.Failing > 0 {
				once.Do(func() { close(failed) })
			}
		}}},
	}})
	chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="s"><onentry><send type="post" target="t" event="hello"/></onentry></state></scxml>`))
	if err == nil {
		err = r.fleet.Define(fleet.Define("t", chart))
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- r.fleet.Run(ctx) }()
	defer func() { stop(); <-ran }()
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"t"}`)
	<-failed
	failing, _ := r.must("GET", "/v1/sessions/k", "", as(readSecret))["failing"].(map[string]any)
	if failing["error"] != "nobody is there" || failing["kind"] != "send" || failing["next"] == nil {
		t.Errorf("failing %v", failing)
	}
	tasks := r.must("GET", "/v1/sessions/k/outbox", "")["tasks"].([]any)
	if len(tasks) != 1 || tasks[0].(map[string]any)["error"] != "nobody is there" {
		t.Errorf("tasks %v", tasks)
	}
	if got := r.must("POST", "/v1/sessions/k/suspend", "", as(operateSecret)); got["failing"] != nil {
		t.Errorf("someone who must not read gets %v", got)
	}
}

// Metrics have a scope of their own: who counts need not see data.
func TestMetricsNeedTheirScope(t *testing.T) {
	r := newWatched(t)
	for secret, want := range map[string]int{metricsSecret: 200, allSecret: 200, readSecret: 403, adminSecret: 403} {
		if a := r.do("GET", "/metrics", "", as(secret)); a.status != want || want == 200 && !strings.Contains(string(a.body), "scxml_sessions_known 0\n") {
			t.Errorf("%s: status %d\n%s", secret, a.status, a.body)
		}
	}
	if a := r.do("GET", "/v1/overview", "", as(metricsSecret)); a.status != 403 {
		t.Errorf("overview: %d", a.status)
	}
	if got := r.do("GET", "/metrics", "").header.Get("Content-Type"); got != metrics.ContentType {
		t.Errorf("content type %q", got)
	}
}

func TestPicture(t *testing.T) {
	r := newWatched(t)
	for path, want := range map[string]int{
		"/v1/charts/order/picture": 200, "/v1/charts/order/picture?hash=0": 404, "/v1/charts/none/picture": 404,
	} {
		if a := r.do("GET", path, ""); a.status != want || want == 200 && string(a.body) != "<svg>order</svg>" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// The page needs no token, and the address of the server leads to it.
func TestPage(t *testing.T) {
	r := newWatched(t)
	resp, err := http.Get(r.server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "page /" || resp.Request.URL.Path != "/ui/" {
		t.Errorf("%s: %q, %v", resp.Request.URL, body, err)
	}
}

// A server has no more than it was given.
func TestWhatIsNotGivenIsNotThere(t *testing.T) {
	r := newRig(t, rigConfig{})
	for _, path := range []string{"/v1/overview", "/v1/find", "/metrics", "/v1/charts/order/picture", "/ui/", "/"} {
		if a := r.do("GET", path, ""); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

// A request continues the trace of its caller, and one that is not a trace begins none.
func TestTraceOfARequest(t *testing.T) {
	var causes []string
	r := newRig(t, rigConfig{fleet: fleet.Config{Observers: []fleet.Observer{{
		Begin: func(ctx context.Context, w fleet.Work) (context.Context, func(fleet.Ending)) {
			if w.Kind == "step" && w.Step.Kind == "event" {
				causes = append(causes, w.Cause)
			}
			return ctx, nil
		},
	}}}})
	r.must("POST", "/v1/sessions", `{"key":"k","chart":"order"}`)
	const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, trace := range []string{good, "", "nonsense", "ff" + good[2:], "00-" + strings.Repeat("0", 32) + good[35:]} {
		r.must("POST", "/v1/sessions/k/events?wait=true", `{"name":"add","data":{"price":1}}`, with("traceparent", trace))
	}
	for _, state := range []string{"a=b, c@d=e", " ", "a=\u00e9", strings.Repeat("x", 513)} {
		r.must("POST", "/v1/sessions/k/events?wait=true", `{"name":"add","data":{"price":1}}`, with("traceparent", good), with("tracestate", state))
	}
	if want := []string{good, "", "", "", "", good + " a=b, c@d=e", good, good, good}; !slices.Equal(causes, want) {
		t.Errorf("causes %q", causes)
	}
}
