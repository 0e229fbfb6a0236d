package basichttp_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
)

// A message that is delivered again has the same Idempotency-Key, and one that can never be sent says so.
func TestDeliver(t *testing.T) {
	var keys []string
	status := http.StatusBadGateway
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key")+" "+r.FormValue("_scxmleventname"))
		w.WriteHeader(status)
	}))
	defer server.Close()
	p := basichttp.New(basichttp.Config{MaxBody: 100})
	m := scxml.Message{Target: server.URL, Event: scxml.Event{Name: "paid"}}
	if err := p.Deliver(t.Context(), m, "a.1:2:3"); err == nil || errors.As(err, new(*basichttp.TargetError)) {
		t.Errorf("status 502: error %v, want one that may pass", err)
	}
	status = http.StatusNoContent
	if err := p.Deliver(t.Context(), m, "a.1:2:3"); err != nil {
		t.Error(err)
	}
	if err := p.Deliver(t.Context(), m, ""); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(keys, ", "), "a.1:2:3 paid, a.1:2:3 paid,  paid"; got != want {
		t.Errorf("requests %q, want %q", got, want)
	}
	if err := p.Check(m); err != nil {
		t.Error(err)
	}
	for _, m := range []scxml.Message{
		{},
		{Target: "ftp://127.0.0.1/"},
		{Target: "http://192.0.2.1/"},
		{Target: server.URL, Event: scxml.Event{Data: strings.Repeat("x", 101)}},
	} {
		if err := p.Deliver(t.Context(), m, ""); !errors.As(err, new(*basichttp.TargetError)) {
			t.Errorf("target %q: error %v, want a TargetError", m.Target, err)
		}
		if p.Check(m) == nil {
			t.Errorf("target %q: Check finds nothing", m.Target)
		}
	}
}

// The error of a message that is not delivered, which a host may log, has no data of the message.
func TestDeliverErrorHasNoData(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	p := basichttp.New(basichttp.Config{})
	m := scxml.Message{Target: server.URL + "/pay?card=PRIVATE", Event: scxml.Event{Name: "paid", Data: "x"}}
	for range 2 {
		if err := p.Deliver(t.Context(), m, ""); err == nil || strings.Contains(err.Error(), "PRIVATE") || !strings.Contains(err.Error(), server.URL+"/pay") {
			t.Errorf("error %v", err)
		}
		server.Close()
	}
}
