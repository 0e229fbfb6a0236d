package history_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// What a debugger changes inside a step is changed there in copies, in branches, and in a recording.
func TestChangedInside(t *testing.T) {
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="n" expr="0"/><data id="seen" expr="[]"/></datamodel>
		<state id="a"><transition event="up">
			<assign location="n" expr="n + 1"/>
			<script>seen.push(n)</script>
			<assign location="n" expr="n * 2"/>
		</transition></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	h, err := history.New(history.Config{Chart: chart, Recording: &written})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	hook := func(s *scxml.Session) {
		if calls++; calls == 5 && h.Len() == 2 { // event, microstep, transition, element, and the script
			if _, err := s.Eval(t.Context(), "n = 10"); err != nil {
				t.Error(err)
			}
			h.ChangedInside(&record.Record{Kind: record.Value, Label: "n = 10"}, calls)
		}
	}
	trace := &scxml.Trace{
		Event:      func(s *scxml.Session, _ *scxml.Event) { hook(s) },
		Microstep:  func(s *scxml.Session, _ *scxml.Event, _ []scxml.Transition) { hook(s) },
		Transition: func(s *scxml.Session, _ scxml.Transition) { hook(s) },
		Element:    func(s *scxml.Session, _ datamodel.Position) { hook(s) },
		Step:       func(*scxml.Session, error) { calls = 0 },
	}
	s, err := scxml.New(chart, h.Option(), scxml.WithTrace(trace), scxml.WithClock(func() time.Time { return epoch }))
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t, h, s, epoch}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r.do(time.Second, "up", nil)
	}
	r.want("seen.join()", "", "1", "1,10", "1,10,21")
	if b := r.branch(2); b.value(b.s, "seen.join() + ' ' + n") != "1,10 20" {
		t.Error("the branch does not have the change")
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := history.Open(&written)
	if err != nil {
		t.Fatal(err)
	}
	if r.h, err = rec.Replay(t.Context(), history.Config{Chart: chart}, false, nil); err != nil {
		t.Fatal(err)
	}
	r.want("seen.join()", "", "1", "1,10", "1,10,21")
}
