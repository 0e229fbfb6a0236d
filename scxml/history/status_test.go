package history_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A history tells how far its session has come, and so do a branch from before its end and one from
// its end.
func TestStatus(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><transition event="end" target="z"/></state><final id="z"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, h.Option())
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, h *history.History, want scxml.Status, wantFinal string) {
		t.Helper()
		if status, final := h.Status(); status != want || final != wantFinal || h.Chart() != chart {
			t.Errorf("%s: %v in %q, want %v in %q", what, status, final, want, wantFinal)
		}
	}
	check("before the start", h, scxml.Unstarted, "")
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after the start", h, scxml.Running, "")
	if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "end"}); err != nil {
		t.Fatal(err)
	}
	check("at the end", h, scxml.Final, "z")
	for n, want := range []scxml.Status{scxml.Running, scxml.Final} {
		b, err := h.Branch(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		check("branch", b, want, []string{"", "z"}[n])
	}
}
