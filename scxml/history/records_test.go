package history_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// The records of a macrostep in which very much happens are bounded, and Walk has none of the
// positions before the first one.
func TestMaxRecords(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="list" expr="Array(20000).fill(1)"/></datamodel>
		<state id="s"><transition event="go"><foreach array="list" item="i"><log expr="i"/></foreach></transition></state></scxml>`))
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
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go", "other"} {
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range []int{-1, history.MaxRecords, -1} {
		records, err := h.Records(t.Context(), n, record.All)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != want && (want >= 0 || len(records) == 0 || len(records) > 10) {
			t.Errorf("position %d has %d records, want %d", n, len(records), want)
		}
		if records[0].Seq != 1 || n == 2 && records[0].Kind == record.Log {
			t.Errorf("position %d begins with %v", n, &records[0])
		}
	}
}
