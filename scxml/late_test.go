package scxml_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestLateBindingAcrossSave: with binding="late" a data item gets its value when its state is first
// entered (REC 5.3.3). A snapshot records that it was.
func TestLateBindingAcrossSave(t *testing.T) {
	chart := parse(t, `
		<state id="out"><transition event="in" target="s"/><transition event="other" target="r"/></state>
		<state id="s">
			<datamodel><data id="n" expr="1"/></datamodel>
			<transition event="set"><assign location="n" expr="n + 41"/></transition>
			<transition event="out" target="out"/>
		</state>
		<state id="r"><datamodel><data id="m" expr="7"/></datamodel></state>`, `binding="late"`)
	s := newSession(t, chart)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	does := func(events ...string) {
		t.Helper()
		for _, e := range events {
			if err := s.Send(scxml.Event{Name: e}); err != nil {
				t.Fatal(err)
			}
		}
		advance(t, s, s.Now())
	}
	has := func(expr string, want datamodel.Value) {
		t.Helper()
		if got, err := s.Eval(t.Context(), expr); err != nil || got != want {
			t.Errorf("%s is %v, %v, want %v", expr, got, err, want)
		}
	}
	has("n", nil)
	does("in", "set", "out")
	has("n", int64(42))
	s = restore(t, chart, snapshot(t, s))
	does("in")
	wantConfiguration(t, s, "s")
	has("n", int64(42))

	// The state that was not entered before still gets its value.
	s = restore(t, chart, snapshot(t, s))
	has("m", nil)
	does("out", "other")
	has("m", int64(7))
}
