package history_test

import (
	"context"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="a">
    <transition event="up"><assign location="n" expr="n + _event.data"/></transition>
    <transition event="wait"><send event="up" delay="1s"><content expr="100"/></send></transition>
  </state>
</scxml>`

// A copy at any position has the data of the session there, and continues on its own.
func TestSeek(t *testing.T) {
	chart, err := scxml.Parse("counter.scxml", []byte(counter))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return epoch }), h.Option())
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if _, err := s.Do(ctx, epoch.Add(time.Duration(i)*time.Millisecond), scxml.Event{Name: "up", Data: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if h.Len() != 11 {
		t.Fatalf("%d positions, want 11", h.Len())
	}
	for n := range 11 {
		then, err := h.Seek(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := then.Eval(ctx, "n"); v != int64(n) {
			t.Errorf("n is %v at position %d, %v", v, n, err)
		}
		records, err := h.Records(ctx, n, record.All)
		if err != nil || len(records) == 0 {
			t.Error(records, err)
		}
		for i := range records {
			t.Log(&records[i])
		}
	}
	b, err := h.Branch(ctx, 5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Session().Do(ctx, b.Session().Now(), scxml.Event{Name: "wait"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Session().Advance(ctx, b.Session().Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if b.Len() != 8 {
		t.Error(b.Len())
	}
	then, err := b.Seek(ctx, 7)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := then.Eval(ctx, "n"); v != int64(105) {
		t.Error(v, err)
	}
}
