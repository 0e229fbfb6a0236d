package serve

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// The trace of an event is that of the requests that it sets off, in addition to the key by which the receiver
// tells a repetition.
func TestDeliveriesCarryTheTrace(t *testing.T) {
	var got []string
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("traceparent")+" "+r.Header.Get("tracestate")+" "+r.Header.Get("Idempotency-Key"))
	}))
	defer receiver.Close()
	deliver := new(Options).config("http://127.0.0.1:1", slog.New(slog.DiscardHandler)).Processors[scxml.BasicHTTPEventProcessor]
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	d := fleet.Delivery{ID: "k:1", Message: scxml.Message{Target: receiver.URL, Event: scxml.Event{Name: "e"}}}
	if err := deliver(fleet.WithTrace(t.Context(), trace), d); err != nil {
		t.Fatal(err)
	}
	if err := deliver(fleet.WithTrace(t.Context(), trace+" a=b,c=d"), d); err != nil {
		t.Fatal(err)
	}
	if err := deliver(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if want := []string{trace + "  k:1", trace + " a=b,c=d k:1", "  k:1"}; !slices.Equal(got, want) {
		t.Errorf("headers %q", got)
	}
}

// An answer has the name of its status for policies, and --retry is the policy of all messages.
func TestStatusIsNameOfError(t *testing.T) {
	receiver := httptest.NewServer(http.NotFoundHandler())
	defer receiver.Close()
	policy, err := scxml.ParseRetry("attempts=9 final=404")
	if err != nil {
		t.Fatal(err)
	}
	cfg := (&Options{Retry: policy}).config("http://127.0.0.1:1", slog.New(slog.DiscardHandler))
	err = cfg.Processors[scxml.BasicHTTPEventProcessor](t.Context(), fleet.Delivery{Message: scxml.Message{Target: receiver.URL, Event: scxml.Event{Name: "e"}}})
	var named interface{ ErrorName() string }
	if !errors.As(err, &named) || named.ErrorName() != "404" {
		t.Errorf("%v", err)
	}
	if got := cfg.Retry(scxml.Task{}); got.String() != policy.String() {
		t.Errorf("%v", got)
	}
}
