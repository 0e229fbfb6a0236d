package tui

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// The oldest positions of a long session are forgotten: what is left can be shown, and nothing goes
// further back.
func TestForgottenPositions(t *testing.T) {
	chart, err := scxml.Parse("counter.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>
	</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart, Bytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, h.Option())
	if err == nil {
		err = s.Start(t.Context())
	}
	for err == nil && h.First() == 0 {
		_, err = s.Do(t.Context(), s.Now(), scxml.Event{Name: "e"})
	}
	if err != nil {
		t.Fatal(err)
	}
	l := &line{h: h, live: true}
	l.seek(0)
	if l.position() != h.First() {
		t.Errorf("position %d is shown, want the first, %d", l.position(), h.First())
	}
	if err := l.read(t.Context(), l.position()-10, l.position()); err != nil || l.steps[l.position()] == nil {
		t.Errorf("the first position cannot be read: %v", err)
	}
	for first := h.First(); h.First() == first; {
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "e"}); err != nil {
			t.Fatal(err)
		}
	}
	if l.position() != h.First() {
		t.Errorf("position %d is shown, want the first, %d, after more was forgotten", l.position(), h.First())
	}
}
