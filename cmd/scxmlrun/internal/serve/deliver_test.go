package serve

import (
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
